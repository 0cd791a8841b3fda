//! The training again, on the rows, to find every number that the certificate claims about it.
//!
//! Algorithm 1, at each stage: the residual (which rows the stages so far get wrong); each input's influence, the share of
//! neighbour pairs on which the residual differs, as an exact fraction; `J_t`, the k greatest influences above tau, ties to the
//! smaller index; the votes of the rows in each cell of `J_t`. The minimizer itself is not run again: any cover that agrees with
//! every strict majority is a completion, which is all that Algorithm 1 asks, and whether it is a small one everybody can see. A
//! row that repeats votes each time, by its weight where rows have weights; among the pairs it counts once, with the label of most
//! repetitions, and not at all on a tie. With sample splitting stage t sees the t-th of m equal shares of the rows and no other.
//!
//! The method `auto` fits stages again when others change. The votes in a stage's cells are those of the residual that all
//! *other* stages leave, and its cover may be against the majority of as many cells as it says. A circuit of any other shape is asked as a
//! whole: which rows it gets wrong.

use crate::rows::{Rows, bit, set};
use crate::stages::{Stages, Whole};
use crate::training::{self, Claim, Fraction, Method, Part, Rule, TAU_UNITS};
use crate::{Refusal, Replayed, reading};
use macchiato_check::sha256::sha256;
use macchiato_check::{Certificate, Circuit, Rejection, reject};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

/// Replays the training on the bytes of the file of rows: for each output of which something is claimed what the rows showed.
pub(crate) fn replay(certificate: &Certificate, bytes: &[u8]) -> Result<Vec<(usize, Replayed)>, Refusal> {
    let circuit = Circuit::of(certificate)?;
    let Some(training) = training::read(certificate, &circuit)? else {
        return Ok(reject("training", "the certificate says nothing about it to compare the rows with")?);
    };
    if (training.data.bytes, &training.data.sha256) != (bytes.len() as u64, &sha256(bytes)) {
        let why = "this is not the file that the certificate names: another length or SHA-256";
        return Ok(reject("rows", why)?);
    }
    let mut replayed = Vec::new();
    for part in &training.parts {
        let read = |kept| reading::read(&training, bytes, certificate, part, kept);
        let rows = read(0..u64::MAX)?;
        if rows.total != training.rows {
            let why = format!("{} rows, where the certificate says {}", rows.total, training.rows);
            return Ok(reject("rows", why)?);
        }
        replayed.push((part.output, replay_part(&circuit, part, &rows, read)?));
    }
    Ok(replayed)
}

/// The training of one output; `read` reads some of the rows again.
fn replay_part(
    circuit: &Circuit,
    part: &Part,
    rows: &Rows,
    read: impl Fn(Range<u64>) -> Result<Rows, Refusal>,
) -> Result<Replayed, Refusal> {
    if let Some(k) = part.k.filter(|&k| k > circuit.inputs as u64) {
        return Ok(reject("training", format!("k is {k}, more than there are inputs"))?);
    }
    if part.claims.len() as u64 > part.m {
        return Ok(reject("training", format!("more stages than m, which is {}", part.m))?);
    }
    if let Some(claimed) = part.errors {
        return Ok(replay_whole(circuit, part, rows, claimed)?);
    }
    let stages = Stages::of(circuit, &part.claims, part.output)?;
    let split = matches!(part.method, Method::Paper { split: true, .. });
    let mut state = Replay::new(rows, part, &stages);
    for (t, claim) in part.claims.iter().enumerate() {
        if split {
            let share = share(rows.total, part.m, t, &read)?;
            Replay::after(&share, part, &stages, t).stage(t, claim, part)?;
            state.correct(t, claim);
        } else {
            state.stage(t, claim, part)?;
        }
    }
    // With shares the last word is that of the next one, if there is a next one.
    let errors = state.errors();
    let last = part.claims.len() as u64 == part.m;
    let next = if split && !last { Some(share(rows.total, part.m, part.claims.len(), &read)?) } else { None };
    let next = next.as_ref().map(|share| Replay::after(share, part, &stages, part.claims.len()));
    let now = next.as_ref().unwrap_or(&state);
    let stop = match part.method {
        _ if now.errors() == 0 && split && !last => "every row of the next share is explained",
        _ if errors == 0 => "every row is explained",
        _ if last => "the stage limit was reached",
        Method::Auto => "the learner kept no further stage",
        Method::Paper { tau, rule: Rule::Influence, .. }
            if select(&now.influences(), part.k, tau).is_empty() =>
        {
            "no input's influence exceeds tau"
        }
        Method::Paper { .. } => "Algorithm 1 would go on",
    };
    Ok(Replayed { rows: rows.total, errors, stop })
}

/// The circuit of one output on all rows.
fn replay_whole(circuit: &Circuit, part: &Part, rows: &Rows, claimed: u64) -> Result<Replayed, Rejection> {
    let whole = Whole::of(circuit, part.output)?;
    let wrong =
        |(row, [zeros, ones]): (usize, &[u64; 2])| if whole.at(rows.point(row)) { *zeros } else { *ones };
    let errors = rows.counts.iter().enumerate().map(wrong).sum();
    if errors != claimed {
        return reject("training", format!("rows in error: {errors}, not {claimed}"));
    }
    let stop = if errors == 0 { "every row is explained" } else { "the learner kept no other circuit" };
    Ok(Replayed { rows: rows.total, errors, stop })
}

/// The rows of stage `t`, from 0: the share of `floor(rows / m)` rows that is its own.
fn share(
    rows: u64,
    m: u64,
    t: usize,
    read: impl Fn(Range<u64>) -> Result<Rows, Refusal>,
) -> Result<Rows, Refusal> {
    let (length, t) = (rows / m, t as u64);
    read(t * length..(t + 1) * length)
}

/// The state between stages.
struct Replay<'a> {
    rows: &'a Rows,
    stages: &'a Stages<'a>,
    /// For each input, its neighbour pairs; only Algorithm 1 asks for them.
    pairs: Vec<Vec<(usize, usize)>>,
    /// `H_{t-1}` on each distinct row.
    answers: Vec<bool>,
    /// `H_M` on each distinct row; only `auto` asks for it.
    whole: Option<Vec<bool>>,
}

impl<'a> Replay<'a> {
    /// Before the first stage.
    fn new(rows: &'a Rows, training: &Part, stages: &'a Stages<'a>) -> Self {
        let answers = vec![false; rows.len()];
        if training.method != Method::Auto {
            let pairs = (0..stages.inputs()).map(|input| rows.pairs(input)).collect();
            return Self { rows, stages, pairs, answers, whole: None };
        }
        let mut whole = answers.clone();
        for (t, claim) in training.claims.iter().enumerate() {
            StageCells::new(rows, &claim.inputs, |x| stages.at(t, x), |_, _| false).correct(&mut whole);
        }
        Self { rows, stages, pairs: Vec::new(), answers, whole: Some(whole) }
    }

    /// After the first `t` stages.
    fn after(rows: &'a Rows, training: &Part, stages: &'a Stages<'a>, t: usize) -> Self {
        let mut state = Self::new(rows, training, stages);
        for (t, claim) in training.claims.iter().take(t).enumerate() {
            state.correct(t, claim);
        }
        state
    }

    /// Takes a stage as it is.
    fn correct(&mut self, t: usize, claim: &Claim) {
        let value = |x: &[u64]| self.stages.at(t, x);
        StageCells::new(self.rows, &claim.inputs, value, |_, _| false).correct(&mut self.answers);
    }

    /// Rows in error.
    fn errors(&self) -> u64 {
        let wrong = |([zeros, ones], &answer): (&[u64; 2], &bool)| if answer { *zeros } else { *ones };
        self.rows.counts.iter().zip(&self.answers).map(wrong).sum()
    }

    fn influences(&self) -> Vec<Fraction> {
        let rows = self.answers.iter().enumerate();
        let residual: Vec<bool> =
            rows.map(|(row, &answer)| self.rows.label(row).unwrap_or_default() != answer).collect();
        let differs = |&&(a, b): &&(usize, usize)| residual.get(a) != residual.get(b);
        let influence = |pairs: &Vec<(usize, usize)>| Fraction {
            differing: pairs.iter().filter(differs).count() as u64,
            pairs: pairs.len() as u64,
        };
        self.pairs.iter().map(influence).collect()
    }

    /// One stage, compared with what is claimed.
    fn stage(&mut self, t: usize, claim: &Claim, training: &Part) -> Result<(), Rejection> {
        let place = format!("stage {} (line {})", t + 1, claim.line);
        let agree = |what: &str, found: u64, claimed: u64| {
            if found == claimed { Ok(()) } else { reject(&place, format!("{what}: {found}, not {claimed}")) }
        };
        agree("rows in error before it", self.errors(), claim.before)?;
        match training.method {
            Method::Paper { tau, rule, .. } => self.inputs(&place, claim, training.k, (tau, rule))?,
            Method::Auto => {
                let inputs = claim.inputs.len() as u64;
                if let Some(k) = training.k.filter(|&k| inputs > k) {
                    return reject(&place, format!("{inputs} inputs, more than k, which is {k}"));
                }
            }
        }
        let value = |x: &[u64]| self.stages.at(t, x);
        let cells = match &self.whole {
            None => StageCells::new(self.rows, &claim.inputs, value, |row, _| at(&self.answers, row)),
            // What the others answer is what all answer, less the stage's own value.
            Some(whole) => {
                StageCells::new(self.rows, &claim.inputs, value, |row, value| at(whole, row) ^ value)
            }
        };
        let (mut on, mut off, mut tied, mut against) = (0, 0, 0, 0);
        for ([zeros, ones], &value) in cells.votes.iter().zip(&cells.values) {
            let majority = ones.cmp(zeros);
            match majority {
                Ordering::Greater => on += 1,
                Ordering::Less => off += 1,
                Ordering::Equal => tied += 1,
            }
            if majority != Ordering::Equal && value != (majority == Ordering::Greater) {
                against += 1;
                if training.method != Method::Auto {
                    let why = format!(
                        "its cover is {} on a cell with {zeros} votes for 0 and {ones} for 1",
                        u8::from(value)
                    );
                    return reject(&place, why);
                }
            }
        }
        agree("cells with majority 1", on, claim.on)?;
        agree("cells with majority 0", off, claim.off)?;
        agree("tied cells", tied, claim.tied)?;
        agree("cells whose majority its cover is against", against, claim.against)?;
        cells.correct(&mut self.answers);
        agree("rows in error after it", self.errors(), claim.after)
    }

    /// Whether Algorithm 1 comes to this stage and chooses its inputs.
    fn inputs(
        &self,
        place: &str,
        claim: &Claim,
        k: Option<u64>,
        (tau, rule): (u64, Rule),
    ) -> Result<(), Rejection> {
        if claim.before == 0 {
            return reject(place, "Algorithm 1 ends before it: no row is in error");
        }
        let influences = self.influences();
        if let Some(i) =
            influences.iter().zip(&claim.influences).position(|(found, claimed)| found != claimed)
        {
            let Fraction { differing, pairs } = influences.get(i).copied().unwrap_or_default();
            return reject(place, format!("the influence of input {i} is {differing}/{pairs}"));
        }
        let chosen = select(&influences, k, tau);
        let inputs = claim.inputs.len() as u64;
        match rule {
            Rule::Influence if chosen != claim.inputs => {
                reject(place, format!("Algorithm 1 chooses the inputs {}", list(&chosen)))
            }
            Rule::Random if k != Some(inputs) => {
                reject(place, format!("inputs: {inputs}, not {}", k.unwrap_or_default()))
            }
            _ => Ok(()),
        }
    }
}

/// A row's entry.
fn at(answers: &[bool], row: usize) -> bool {
    answers.get(row).copied().unwrap_or_default()
}

/// The observed cells of a stage: the rows' projections onto its inputs.
struct StageCells {
    of_row: Vec<usize>,
    /// Rows with residual 0 and 1.
    votes: Vec<[u64; 2]>,
    /// The stage's value.
    values: Vec<bool>,
}

impl StageCells {
    /// The residual is the labels XOR `answer`, which is given the row and the stage's value there.
    fn new(
        rows: &Rows,
        inputs: &[usize],
        value: impl Fn(&[u64]) -> bool,
        answer: impl Fn(usize, bool) -> bool,
    ) -> Self {
        let mut cells = Self { of_row: Vec::new(), votes: Vec::new(), values: Vec::new() };
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut projected = vec![0u64; inputs.len().div_ceil(64)];
        for (row, &[zeros, ones]) in rows.votes.iter().enumerate() {
            let point = rows.point(row);
            projected.fill(0);
            for (p, &input) in inputs.iter().enumerate() {
                set(&mut projected, p, bit(point, input));
            }
            let cell = known.get(&projected).copied().unwrap_or_else(|| {
                known.insert(projected.clone(), cells.votes.len());
                cells.votes.push([0, 0]);
                // Every row of the cell gives the same value, since the stage reads no other inputs (`Stages::of`).
                cells.values.push(value(point));
                cells.votes.len() - 1
            });
            let flipped = answer(row, at(&cells.values, cell));
            if let Some(votes) = cells.votes.get_mut(cell) {
                let [right, wrong] = if flipped { [ones, zeros] } else { [zeros, ones] };
                *votes = [votes[0] + right, votes[1] + wrong];
            }
            cells.of_row.push(cell);
        }
        cells
    }

    /// Flips the answers wherever the stage is 1.
    fn correct(&self, answers: &mut [bool]) {
        for (answer, &cell) in answers.iter_mut().zip(&self.of_row) {
            *answer ^= at(&self.values, cell);
        }
    }
}

/// `J_t`: the `k` greatest influences above tau, in increasing order of input.
fn select(influences: &[Fraction], k: Option<u64>, tau: u64) -> Vec<usize> {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let active = |(_, f): &(usize, &Fraction)| product(f.differing, TAU_UNITS) > product(tau, f.pairs);
    let mut active: Vec<(usize, &Fraction)> = influences.iter().enumerate().filter(active).collect();
    // Stable, so that equal influences stay in the order of their inputs.
    active.sort_by(|(_, a), (_, b)| product(b.differing, a.pairs).cmp(&product(a.differing, b.pairs)));
    active.truncate(k.and_then(|k| usize::try_from(k).ok()).unwrap_or(usize::MAX));
    let mut chosen: Vec<usize> = active.into_iter().map(|(input, _)| input).collect();
    chosen.sort_unstable();
    chosen
}

fn list(inputs: &[usize]) -> String {
    let shown: Vec<String> = inputs.iter().take(20).map(ToString::to_string).collect();
    if shown.is_empty() { "none: it ends before it".to_owned() } else { shown.join(" ") }
}
