//! Chains: rules that look at a few inputs, answer or pass on to the next few. Carries, comparisons and priorities are chains.
//!
//! Step by step the one or two inputs are taken, with the cells that answer and the cells that pass, that gain most: the evidence of each cell that answers
//! and of all passed rows together, less that of the rows before, less the nats that name the step. A step that goes on by the last step's stride
//! with the same actions is almost free, so words of many bits are followed to where few rows are left; and then on, while no row speaks
//! against it. Where a chain explains little it is looked for again in the labels XOR one or two inputs: the bits of a sum are such.
//! Each step costs two populations of the passed rows for each pair of inputs.

use super::candidate::{Candidate, Family, Recipe, best_of_each};
use super::gates::Gates;
use super::net::{Net, Value};
use super::score::Evidence;
use crate::bits;
use crate::circuit::{Literal, Rule};
use crate::rows::Rows;
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// The prior of cells: answers are expected to be pure.
const PRIOR: f64 = 0.1;

/// Nats of a step that goes on as before.
const AS_BEFORE: f64 = 0.1;

/// Inputs that are looked at.
const MOST_INPUTS: usize = 700;

/// Inputs among which a step's pairs are looked for, those first that alone gain most: the bits that decide first do.
const PAIRED: usize = 128;

/// A chain that gains this many nats a row leaves nothing for an XOR to explain.
const ENOUGH: f64 = 0.5;

/// Rows that rank the inputs of an XOR.
const RANKING_ROWS: usize = 2048;

/// XORs of inputs that are tried.
const TRIED: usize = 6;

/// Rows that speak against one more step of a stride by less than this do not: a wrong label or two.
const AGAINST: f64 = -2.0;

/// What a cell does: answer, or pass.
type Action = Option<bool>;

/// One or two inputs and what each of their cells does.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    inputs: Vec<usize>,
    actions: Vec<Action>,
}

impl Step {
    /// Where one cell answers 1, the opposite one 0 and the others pass: the literals that, with what the others pass to, outvote each other. That is the step of a
    /// carry or of a comparison.
    fn two_of_three(&self) -> Option<[Literal; 2]> {
        let [a, b] = self.inputs.as_slice() else { return None };
        let yes = self.actions.iter().position(|&action| action == Some(true))?;
        let alike = |(cell, &action): (usize, &Action)| {
            action
                == if cell == yes {
                    Some(true)
                } else if cell == 3 - yes {
                    Some(false)
                } else {
                    None
                }
        };
        let opposite = self.actions.iter().enumerate().all(alike);
        opposite.then(|| [Literal::input(*a).signed(yes & 1 == 1), Literal::input(*b).signed(yes & 2 == 2)])
    }
}

#[derive(Debug, Clone)]
struct Chain {
    steps: Vec<Step>,
    /// The answer to rows that all steps pass.
    rest: bool,
    /// Nats gained over one cell, prices paid.
    gain: f64,
    /// Nats that describe it.
    price: f64,
}

/// Chains of the labels, and of the labels XOR some inputs.
pub(super) fn chains(rows: &Rows, gates: Gates, budget: &Budget) -> Vec<Candidate> {
    let evidence = Evidence::new(rows.len(), PRIOR);
    let mut found = Vec::new();
    let plain = follow(rows, rows.labels().to_vec(), &evidence, budget);
    let enough = plain.gain > ENOUGH * rows.len() as f64;
    found.extend(candidate(rows, &[], &plain, gates));
    if enough || budget.spent() {
        return found;
    }
    let flips = ranked(rows);
    let more: Vec<Candidate> = flips
        .par_iter()
        .filter_map(|flip| {
            let mut labels = rows.labels().to_vec();
            for &input in flip {
                labels.iter_mut().zip(&rows.columns()[input]).for_each(|(label, bit)| *label ^= bit);
            }
            candidate(rows, flip, &follow(rows, labels, &evidence, budget), gates)
        })
        .collect();
    found.extend(more);
    best_of_each(found)
}

/// The steps of a chain for these labels.
fn follow(rows: &Rows, labels: Vec<u64>, evidence: &Evidence, budget: &Budget) -> Chain {
    let mut left = Left { columns: rows.columns().to_vec(), labels, rows: rows.len() };
    let mut chain = Chain { steps: Vec::new(), rest: false, gain: 0.0, price: std::f64::consts::LN_2 };
    let mut used = vec![false; rows.inputs()];
    while left.rows > 0 && chain.steps.len() < rows.inputs() && !budget.spent() {
        let next = going_on(&chain.steps, &used);
        let Some((gain, step)) = left.best(evidence, &used, next.as_ref()) else { break };
        let price = if next.as_ref() == Some(&step) { AS_BEFORE } else { left.price(step.inputs.len()) };
        chain.gain += gain;
        chain.price += price;
        chain.take(step, &mut left, &mut used);
    }
    while let Some(step) = going_on(&chain.steps, &used) {
        if left.gain(&step, evidence) < AGAINST {
            break;
        }
        chain.price += AS_BEFORE;
        chain.take(step, &mut left, &mut used);
    }
    let ones = bits::count(&left.labels);
    chain.rest = 2 * ones > left.rows;
    chain
}

impl Chain {
    fn take(&mut self, step: Step, left: &mut Left, used: &mut [bool]) {
        left.pass(&step);
        step.inputs.iter().for_each(|&input| used[input] = true);
        self.steps.push(step);
    }
}

/// The step that goes on by the stride of the last two.
fn going_on(steps: &[Step], used: &[bool]) -> Option<Step> {
    let [.., before, last] = steps else { return None };
    if before.actions != last.actions {
        return None;
    }
    let next = |(&from, &to): (&usize, &usize)| {
        (2 * to).checked_sub(from).filter(|&next| next < used.len() && !used[next])
    };
    let inputs: Option<Vec<usize>> = before.inputs.iter().zip(&last.inputs).map(next).collect();
    inputs.map(|inputs| Step { inputs, actions: last.actions.clone() })
}

/// The rows that all steps so far passed, squeezed together.
struct Left {
    columns: Vec<Vec<u64>>,
    labels: Vec<u64>,
    rows: usize,
}

impl Left {
    fn price(&self, inputs: usize) -> f64 {
        let n = self.columns.len() as f64;
        if inputs == 1 {
            libm::log(n) + libm::log(4.0)
        } else {
            libm::log(n * (n - 1.0) / 2.0) + libm::log(16.0)
        }
    }

    fn counts(&self, inputs: &[usize]) -> [[u32; 2]; 4] {
        let ones = bits::count(&self.labels) as u32;
        let all = [self.rows as u32 - ones, ones];
        let one = |input: usize| populations(self.columns[input].iter().copied(), &self.labels);
        match *inputs {
            [i, j] => {
                let both = self.columns[i].iter().zip(&self.columns[j]).map(|(a, b)| a & b);
                four(all, one(i), one(j), populations(both, &self.labels))
            }
            [i] => four(all, one(i), [0; 2], [0; 2]),
            _ => [all, [0; 2], [0; 2], [0; 2]],
        }
    }

    /// What a step gains, its price not paid.
    fn gain(&self, step: &Step, evidence: &Evidence) -> f64 {
        let counts = self.counts(&step.inputs);
        let (mut passed, mut all, mut gain) = ([0; 2], [0; 2], 0.0);
        for (&count, action) in counts.iter().zip(&step.actions) {
            all = [all[0] + count[0], all[1] + count[1]];
            match action {
                Some(answer) => {
                    // Rows that say the opposite of the answer speak against it, however pure they are.
                    let right = count[usize::from(*answer)];
                    let wrong = count[usize::from(!*answer)];
                    gain += if wrong > right {
                        -f64::from(wrong - right)
                    } else {
                        evidence.cell(count[0], count[1])
                    };
                }
                None => passed = [passed[0] + count[0], passed[1] + count[1]],
            }
        }
        gain + evidence.cell(passed[0], passed[1]) - evidence.cell(all[0], all[1])
    }

    /// The step that gains most, its price paid.
    fn best(&self, evidence: &Evidence, used: &[bool], next: Option<&Step>) -> Option<(f64, Step)> {
        let ones = bits::count(&self.labels) as u32;
        let all = [self.rows as u32 - ones, ones];
        let whole = evidence.cell(all[0], all[1]);
        let one = |input: usize| populations(self.columns[input].iter().copied(), &self.labels);
        let single: Vec<[u32; 2]> = (0..self.columns.len()).map(one).collect();
        let free: Vec<usize> = (0..used.len()).filter(|&input| !used[input]).take(MOST_INPUTS).collect();
        let (price_one, price_two) = (self.price(1), self.price(2));
        let mut best: Option<(f64, Step)> = None;
        let mut consider = |gain: f64, step: &dyn Fn() -> Step| {
            if gain > best.as_ref().map_or(0.0, |best| best.0) {
                best = Some((gain, step()));
            }
        };
        if let Some(step) = next {
            consider(self.gain(step, evidence) - AS_BEFORE, &|| step.clone());
        }
        let mut alone: Vec<(f64, usize)> = Vec::with_capacity(free.len());
        for &i in &free {
            let cells = four(all, single[i], [0; 2], [0; 2]);
            for pass in 1..3 {
                let gain = ways(&cells[..2], pass, evidence) - whole - price_one;
                consider(gain, &|| Step { inputs: vec![i], actions: actions(&cells[..2], pass) });
            }
            alone.push((ways(&cells[..2], 0, evidence), i));
        }
        if -whole <= price_two && next.is_none() {
            return best;
        }
        alone.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut free: Vec<usize> = alone.into_iter().take(PAIRED).map(|(_, input)| input).collect();
        free.sort_unstable();
        let found: Vec<Option<(f64, usize, usize, usize)>> = (0..free.len())
            .into_par_iter()
            .map(|at| {
                let i = free[at];
                let mut best: Option<(f64, usize, usize, usize)> = None;
                for &j in &free[at + 1..] {
                    let both = self.columns[i].iter().zip(&self.columns[j]).map(|(a, b)| a & b);
                    let cells = four(all, single[i], single[j], populations(both, &self.labels));
                    for pass in 0..15 {
                        let gain = ways(&cells, pass, evidence);
                        if best.is_none_or(|best| gain > best.0) {
                            best = Some((gain, i, j, pass));
                        }
                    }
                }
                best
            })
            .collect();
        for (gain, i, j, pass) in found.into_iter().flatten() {
            let cells = || self.counts(&[i, j]);
            consider(gain - whole - price_two, &|| Step {
                inputs: vec![i, j],
                actions: actions(&cells(), pass),
            });
        }
        // Chance finds steps among so many; one that goes on as before gives way only to what is better by a step's price.
        match next.map(|step| (self.gain(step, evidence) - AS_BEFORE, step)) {
            Some((gain, step))
                if gain > 0.0 && best.as_ref().is_none_or(|best| best.0 < gain + price_two) =>
            {
                Some((gain, step.clone()))
            }
            _ => best,
        }
    }

    /// Keeps the rows that a step passes.
    fn pass(&mut self, step: &Step) {
        let cell = |row: usize| {
            let bit = |(at, &input): (usize, &usize)| usize::from(bits::get(&self.columns[input], row)) << at;
            step.inputs.iter().enumerate().map(bit).sum::<usize>()
        };
        let kept: Vec<usize> = (0..self.rows).filter(|&row| step.actions[cell(row)].is_none()).collect();
        self.columns = self.columns.par_iter().map(|column| bits::pick(column, &kept)).collect();
        self.labels = bits::pick(&self.labels, &kept);
        self.rows = kept.len();
    }
}

/// The evidence of cells, where those of the set `pass` are one.
fn ways(cells: &[[u32; 2]], pass: usize, evidence: &Evidence) -> f64 {
    let (mut passed, mut sum) = ([0; 2], 0.0);
    for (cell, count) in cells.iter().enumerate() {
        if pass >> cell & 1 == 1 {
            passed = [passed[0] + count[0], passed[1] + count[1]];
        } else {
            sum += evidence.cell(count[0], count[1]);
        }
    }
    sum + evidence.cell(passed[0], passed[1])
}

fn actions(cells: &[[u32; 2]], pass: usize) -> Vec<Action> {
    let action = |(cell, count): (usize, &[u32; 2])| (pass >> cell & 1 == 0).then(|| count[1] > count[0]);
    cells.iter().enumerate().map(action).collect()
}

fn populations(column: impl Iterator<Item = u64>, labels: &[u64]) -> [u32; 2] {
    let (mut all, mut ones) = (0, 0);
    for (word, label) in column.zip(labels) {
        all += word.count_ones();
        ones += (word & label).count_ones();
    }
    [all - ones, ones]
}

/// The cells of two inputs; cell 1 is the first alone.
fn four(all: [u32; 2], a: [u32; 2], b: [u32; 2], ab: [u32; 2]) -> [[u32; 2]; 4] {
    let of = |y: usize| [all[y] + ab[y] - a[y] - b[y], a[y] - ab[y], b[y] - ab[y], ab[y]];
    let (zeros, ones) = (of(0), of(1));
    std::array::from_fn(|cell| [zeros[cell], ones[cell]])
}

/// Sets of one or two inputs with which the labels XOR them look least random: some input agrees or disagrees with that most.
fn ranked(rows: &Rows) -> Vec<Vec<usize>> {
    let n = rows.inputs().min(MOST_INPUTS);
    let words = bits::words(rows.len().min(RANKING_ROWS));
    let length = rows.len().min(64 * words);
    let half = length as i64;
    let excess = |column: &[u64]| -> i64 {
        let agree = |input: usize| -> i64 {
            let bits = column.iter().zip(&rows.columns()[input][..words]);
            bits.map(|(a, b)| i64::from((a ^ b).count_ones())).sum()
        };
        (0..n).map(|input| (2 * agree(input) - half).abs()).max().unwrap_or(0)
    };
    let labels = &rows.labels()[..words];
    let xor = |a: &[u64], b: &[u64]| -> Vec<u64> { a.iter().zip(b).map(|(a, b)| a ^ b).collect() };
    let mut ranks: Vec<(i64, Vec<usize>)> = (0..n)
        .into_par_iter()
        .flat_map_iter(|i| {
            let one = xor(labels, &rows.columns()[i][..words]);
            let mut ranks = vec![(excess(&one), vec![i])];
            for j in i + 1..n {
                let two = xor(&one, &rows.columns()[j][..words]);
                ranks.push((excess(&two), vec![i, j]));
            }
            ranks
        })
        .collect();
    ranks.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    ranks.into_iter().take(TRIED).map(|rank| rank.1).collect()
}

/// The chain as gates, last step first.
fn candidate(rows: &Rows, flip: &[usize], chain: &Chain, gates: Gates) -> Option<Candidate> {
    if chain.steps.is_empty() {
        return None;
    }
    let mut net = Net::new(rows);
    let mut value = Value::Constant(chain.rest);
    for step in chain.steps.iter().rev() {
        let signals: Vec<Value> = step.inputs.iter().map(|&input| Value::input(input)).collect();
        let cells: Vec<Value> =
            step.actions.iter().map(|action| action.map_or(value, Value::Constant)).collect();
        value = match (step.two_of_three(), value) {
            (Some([a, b]), Value::Literal(rest)) if gates.count => {
                net.gate(Rule::AtLeast(2), vec![a, b, rest])
            }
            _ => net.cells(&signals, &cells),
        };
    }
    for &input in flip {
        value = net.xor(value, Value::input(input));
    }
    let own = chain.price + flip.len() as f64 * libm::log(rows.inputs() as f64);
    Some(net.candidate(Recipe::new(Family::Chain, 0), value)?.described(own))
}
