//! Algorithm 1 again, on the rows, to find every number that the certificate claims about its training.
//!
//! At each stage: the residual (which rows the stages so far get wrong); each input's influence, the share of neighbour pairs on
//! which the residual differs, as an exact fraction; `J_t`, the k greatest influences above tau, ties to the smaller index; the
//! votes of the rows in each cell of `J_t`. The minimizer itself is not run again: any cover that agrees with every strict
//! majority is a completion, which is all that Algorithm 1 asks, and whether it is a small one everybody can see. A row that
//! repeats votes each time; among the pairs it counts once, with the label of most repetitions, and not at all on a tie.

use crate::certificate::{Certificate, Claim, Fraction, Rule, Stage, Training};
use crate::rows::{Rows, bit, set};
use crate::sha256::{hex, sha256};
use crate::verdict::{Rejection, TrainingSummary, Verdict, reject};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Replays the training on the bytes of the file of rows.
pub(crate) fn replay(certificate: &Certificate, bytes: &[u8]) -> Result<TrainingSummary, Verdict> {
    let Some(training) = &certificate.training else {
        return Ok(reject("training", "the certificate has no training records to compare the rows with")?);
    };
    if (training.data.bytes, &training.data.sha256) != (bytes.len() as u64, &hex(&sha256(bytes))) {
        return Ok(reject(
            "rows",
            "this is not the file that the certificate names: another length or SHA-256",
        )?);
    }
    let rows = Rows::read(training.format, bytes, certificate)?;
    if rows.total != training.rows {
        return Ok(reject(
            "rows",
            format!("{} rows, where the certificate says {}", rows.total, training.rows),
        )?);
    }
    if training.k > certificate.inputs.len() as u64 {
        return Ok(reject("training", format!("k is {}, more than there are inputs", training.k))?);
    }
    if certificate.stages.len() as u64 > training.m {
        return Ok(reject("training", format!("more stages than m, which is {}", training.m))?);
    }
    let mut state = Replay::new(&rows, certificate.inputs.len());
    for (t, (stage, claim)) in certificate.stages.iter().zip(&training.claims).enumerate() {
        state.stage(t + 1, stage, claim, training)?;
    }
    let errors = state.errors();
    let stop = if errors == 0 {
        "every row is explained"
    } else if training.claims.len() as u64 == training.m {
        "the stage limit was reached"
    } else if training.rule == Rule::Influence && select(&state.influences(), training).is_empty() {
        "no input's influence exceeds tau"
    } else {
        "Algorithm 1 would go on"
    };
    Ok(TrainingSummary::Replayed { rows: rows.total, errors, stop })
}

/// The state between stages.
struct Replay<'a> {
    rows: &'a Rows,
    /// For each input, its neighbour pairs.
    pairs: Vec<Vec<(usize, usize)>>,
    /// `H_{t-1}` on each distinct row.
    answers: Vec<bool>,
}

impl<'a> Replay<'a> {
    fn new(rows: &'a Rows, inputs: usize) -> Self {
        let pairs = (0..inputs).map(|input| rows.pairs(input)).collect();
        Self { rows, pairs, answers: vec![false; rows.len()] }
    }

    /// Rows in error.
    fn errors(&self) -> u64 {
        let wrong = |([zeros, ones], &answer): (&[u64; 2], &bool)| if answer { *zeros } else { *ones };
        self.rows.votes.iter().zip(&self.answers).map(wrong).sum()
    }

    fn influences(&self) -> Vec<Fraction> {
        let rows = self.rows.votes.iter().zip(&self.answers);
        let residual: Vec<bool> = rows.map(|([zeros, ones], answer)| (ones > zeros) != *answer).collect();
        let differs = |&&(a, b): &&(usize, usize)| residual.get(a) != residual.get(b);
        let influence = |pairs: &Vec<(usize, usize)>| Fraction {
            differing: pairs.iter().filter(differs).count() as u64,
            pairs: pairs.len() as u64,
        };
        self.pairs.iter().map(influence).collect()
    }

    /// One pass of Algorithm 1's loop, compared with what is claimed.
    fn stage(
        &mut self,
        t: usize,
        stage: &Stage,
        claim: &Claim,
        training: &Training,
    ) -> Result<(), Rejection> {
        let place = format!("stage {t} (line {})", claim.line);
        let agree = |what: &str, found: u64, claimed: u64| {
            if found == claimed { Ok(()) } else { reject(&place, format!("{what}: {found}, not {claimed}")) }
        };
        let before = self.errors();
        agree("rows in error before it", before, claim.before)?;
        if before == 0 {
            return reject(&place, "Algorithm 1 ends before it: no row is in error");
        }
        let influences = self.influences();
        if let Some(i) =
            influences.iter().zip(&claim.influences).position(|(found, claimed)| found != claimed)
        {
            let Fraction { differing, pairs } = influences.get(i).copied().unwrap_or_default();
            return reject(&place, format!("the influence of input {i} is {differing}/{pairs}"));
        }
        match training.rule {
            Rule::Influence => {
                let chosen = select(&influences, training);
                if chosen != stage.inputs {
                    return reject(&place, format!("Algorithm 1 chooses the inputs {}", list(&chosen)));
                }
            }
            Rule::Random => agree("inputs", stage.inputs.len() as u64, training.k)?,
        }
        let cells = Cells::new(self.rows, &self.answers, stage);
        let (mut on, mut off, mut tied) = (0, 0, 0);
        for ([zeros, ones], &value) in cells.votes.iter().zip(&cells.values) {
            let majority = ones.cmp(zeros);
            match majority {
                Ordering::Greater => on += 1,
                Ordering::Less => off += 1,
                Ordering::Equal => tied += 1,
            }
            if majority != Ordering::Equal && value != (majority == Ordering::Greater) {
                let why = format!(
                    "its cover is {} on a cell with {zeros} votes for 0 and {ones} for 1",
                    u8::from(value)
                );
                return reject(&place, why);
            }
        }
        agree("cells with majority 1", on, claim.on)?;
        agree("cells with majority 0", off, claim.off)?;
        agree("tied cells", tied, claim.tied)?;
        for (answer, &cell) in self.answers.iter_mut().zip(&cells.of_row) {
            *answer ^= cells.values.get(cell).copied().unwrap_or_default();
        }
        agree("rows in error after it", self.errors(), claim.after)
    }
}

/// The observed cells of a stage: the rows' projections onto its inputs.
struct Cells {
    of_row: Vec<usize>,
    /// Rows with residual 0 and 1.
    votes: Vec<[u64; 2]>,
    /// The stage's value.
    values: Vec<bool>,
}

impl Cells {
    fn new(rows: &Rows, answers: &[bool], stage: &Stage) -> Self {
        let mut cells = Self { of_row: Vec::new(), votes: Vec::new(), values: Vec::new() };
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut projected = vec![0u64; stage.inputs.len().div_ceil(64)];
        for (row, (&[zeros, ones], &answer)) in rows.votes.iter().zip(answers).enumerate() {
            let point = rows.point(row);
            projected.fill(0);
            for (p, &input) in stage.inputs.iter().enumerate() {
                set(&mut projected, p, bit(point, input));
            }
            let cell = known.get(&projected).copied().unwrap_or_else(|| {
                known.insert(projected.clone(), cells.votes.len());
                cells.votes.push([0, 0]);
                // Every row of the cell gives the same value, since the cover reads the stage's inputs only.
                cells.values.push(stage.at(|input| bit(point, input)));
                cells.votes.len() - 1
            });
            if let Some(votes) = cells.votes.get_mut(cell) {
                let [right, wrong] = if answer { [ones, zeros] } else { [zeros, ones] };
                *votes = [votes[0] + right, votes[1] + wrong];
            }
            cells.of_row.push(cell);
        }
        cells
    }
}

/// `J_t`: the `k` greatest influences above tau, in increasing order of input.
fn select(influences: &[Fraction], training: &Training) -> Vec<usize> {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let active = |(_, f): &(usize, &Fraction)| {
        product(f.differing, crate::certificate::TAU_UNITS) > product(training.tau, f.pairs)
    };
    let mut active: Vec<(usize, &Fraction)> = influences.iter().enumerate().filter(active).collect();
    // Stable, so that equal influences stay in the order of their inputs.
    active.sort_by(|(_, a), (_, b)| product(b.differing, a.pairs).cmp(&product(a.differing, b.pairs)));
    active.truncate(usize::try_from(training.k).unwrap_or(usize::MAX));
    let mut chosen: Vec<usize> = active.into_iter().map(|(input, _)| input).collect();
    chosen.sort_unstable();
    chosen
}

fn list(inputs: &[usize]) -> String {
    let shown: Vec<String> = inputs.iter().take(20).map(ToString::to_string).collect();
    if shown.is_empty() { "none: it ends before it".to_owned() } else { shown.join(" ") }
}
