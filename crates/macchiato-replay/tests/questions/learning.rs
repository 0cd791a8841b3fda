//! Algorithm 1 and the claims of `auto` once more, by brute force: stages, and the training lines that are true of them.

use crate::of_the_checker::build::{self, Circuit, Op, Read, g, x};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(crate) type Row = (Vec<bool>, bool);
/// The inputs of a stage, and its terms.
pub(crate) type Stage = (Vec<usize>, Vec<Vec<Read>>);

/// Stages, and the training lines of their certificate from the method on.
#[derive(Default)]
pub(crate) struct Learned {
    pub(crate) stages: Vec<Stage>,
    pub(crate) lines: Vec<String>,
    pub(crate) errors: usize,
}

pub(crate) fn stage_at((_, terms): &Stage, point: &[bool]) -> bool {
    let holds = |read: &Read| match read.from {
        build::From::X(input) => point[input] == read.positive,
        build::From::G(_) => false,
    };
    terms.iter().any(|term| term.iter().all(holds))
}

impl Learned {
    pub(crate) fn at(&self, point: &[bool]) -> bool {
        self.stages.iter().fold(false, |value, stage| value ^ stage_at(stage, point))
    }

    /// The XOR of ORs of ANDs, and the gate of each stage.
    pub(crate) fn circuit(&self, inputs: usize) -> (Circuit, Vec<usize>) {
        let (mut gates, mut ends) = (Vec::new(), Vec::new());
        for (_, terms) in &self.stages {
            let first = gates.len();
            gates.extend(terms.iter().map(|term| (Op::And, term.clone())));
            gates.push((Op::Or, (first..gates.len()).map(g).collect()));
            ends.push(gates.len() - 1);
        }
        let op = if ends.is_empty() { Op::Or } else { Op::Xor };
        gates.push((op, ends.iter().copied().map(g).collect()));
        let output = g(gates.len() - 1);
        (Circuit { inputs, gates, outputs: vec![output] }, ends)
    }
}

/// The terms that are 1 on just these cells.
pub(crate) fn terms(chosen: &[usize], on: &[&Vec<bool>]) -> Vec<Vec<Read>> {
    let literal = |(&input, &bit): (&usize, &bool)| if bit { x(input) } else { !x(input) };
    on.iter().map(|cell| chosen.iter().zip(*cell).map(literal).collect()).collect()
}

/// Algorithm 1 as the paper has it, with a completion that is 1 just on the cells with majority 1.
pub(crate) fn learn(rows: &[Row], k: usize, m: usize, tau: &str) -> Learned {
    let inputs = rows[0].0.len();
    let least: f64 = tau.parse().expect("a number");
    let mut learned = Learned::default();
    learned.lines.push(format!("training paper k {k} m {m} tau {tau} select influence"));
    for t in 1..=m + 1 {
        let before = rows.iter().filter(|(x, y)| *y != learned.at(x)).count();
        learned.errors = before;
        if before == 0 || t > m {
            break;
        }
        let mut labels: BTreeMap<Vec<bool>, i64> = BTreeMap::new();
        for (x, y) in rows {
            *labels.entry(x.clone()).or_default() += if *y { 1 } else { -1 };
        }
        let of = |x: &Vec<bool>| {
            labels.get(x).filter(|votes| **votes != 0).map(|votes| (*votes > 0) ^ learned.at(x))
        };
        let mut influences = Vec::new();
        for i in 0..inputs {
            let (mut differing, mut pairs) = (0, 0);
            for x in labels.keys().filter(|x| !x[i]) {
                let mut flipped = x.clone();
                flipped[i] = true;
                if let (Some(a), Some(b)) = (of(x), of(&flipped)) {
                    pairs += 1;
                    differing += usize::from(a != b);
                }
            }
            influences.push((differing, pairs));
        }
        let value = |i: usize| influences[i].0 as f64 / influences[i].1.max(1usize) as f64;
        let mut chosen: Vec<usize> = (0..inputs).filter(|&i| value(i) > least).collect();
        chosen.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
        chosen.truncate(k);
        chosen.sort_unstable();
        if chosen.is_empty() {
            break;
        }
        let mut cells: BTreeMap<Vec<bool>, i64> = BTreeMap::new();
        for (x, y) in rows {
            let wrong = *y != learned.at(x);
            *cells.entry(chosen.iter().map(|&i| x[i]).collect()).or_default() += if wrong { 1 } else { -1 };
        }
        let on: Vec<&Vec<bool>> =
            cells.iter().filter(|(_, votes)| **votes > 0).map(|(cell, _)| cell).collect();
        let off = cells.values().filter(|votes| **votes < 0).count();
        let tied = cells.len() - on.len() - off;
        learned.stages.push((chosen.clone(), terms(&chosen, &on)));
        let after = rows.iter().filter(|(x, y)| *y != learned.at(x)).count();
        let (gate, on) = (learned.circuit(inputs).1[t - 1], on.len());
        let mut line = format!(
            "training stage {t} gate {gate} before {before} after {after} on {on} off {off} tied {tied} inputs"
        );
        for input in &chosen {
            write!(line, " {input}").expect("a string takes all");
        }
        write!(line, "\ntraining influence {t}").expect("a string takes all");
        for (differing, pairs) in influences {
            write!(line, " {differing}/{pairs}").expect("a string takes all");
        }
        learned.lines.push(line);
    }
    learned
}

/// Given stages, with what `auto` claims of them: cells of the residual that all others leave.
pub(crate) fn fitted(rows: &[Row], stages: Vec<Stage>, params: &str) -> Learned {
    let inputs = rows[0].0.len();
    let mut learned = Learned { stages, lines: vec![format!("training auto {params}")], errors: 0 };
    let ends = learned.circuit(inputs).1;
    let errors = |stages: &[Stage]| {
        let value = |x: &[bool]| stages.iter().fold(false, |value, stage| value ^ stage_at(stage, x));
        rows.iter().filter(|(x, y)| *y != value(x)).count()
    };
    for (t, stage) in learned.stages.iter().enumerate() {
        let mut cells: BTreeMap<Vec<bool>, (i64, bool)> = BTreeMap::new();
        for (x, y) in rows {
            let own = stage_at(stage, x);
            let others = learned.at(x) ^ own;
            let cell = cells.entry(stage.0.iter().map(|&i| x[i]).collect()).or_insert((0, own));
            cell.0 += if *y == others { -1 } else { 1 };
        }
        let number = |holds: fn(i64, bool) -> bool| cells.values().filter(|(v, own)| holds(*v, *own)).count();
        let (on, off, tied) = (number(|v, _| v > 0), number(|v, _| v < 0), number(|v, _| v == 0));
        let against = number(|v, own| v != 0 && own != (v > 0));
        let (before, after) = (errors(&learned.stages[..t]), errors(&learned.stages[..=t]));
        let (number, gate) = (t + 1, ends[t]);
        let mut line = format!(
            "training stage {number} gate {gate} before {before} after {after} on {on} off {off} tied {tied} \
             against {against} inputs"
        );
        for input in &stage.0 {
            write!(line, " {input}").expect("a string takes all");
        }
        learned.lines.push(line);
    }
    learned.errors = errors(&learned.stages);
    learned
}
