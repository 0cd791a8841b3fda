//! Probabilities: how often the training rows of a circuit's cell were of its class.
//!
//! The cells of a circuit are its answers, 0 and 1, or, where that describes the labels in fewer nats, its *patterns*: for
//! each stage the number of the first of its terms that holds (from 1), or 0 where none does; of a circuit without stages the count of
//! its last gate, which is the score of a scorecard. With n1 of a cell's n training
//! rows of the class, its probability is (n1 + a) / (n + 2a), where a is the prior of the evidence (0.02, 0.2 or 1) that
//! describes the labels best. A pattern that no training row has counts as its answer. The circuit has the last word: where
//! the frequency of a cell contradicts its answer, the probability is one half, and 2^-20 towards the answer.
//!
//! The training rows chose the circuit, so they flatter it. Where rows that did not were right less often than the cells of the training rows promise,
//! all probabilities move towards one half by the share, the *doubt*, that makes up for it.

use std::collections::HashMap;

use super::ClassCircuit;
use crate::bits;
use crate::circuit::{Circuit, Gate, Literal};
use crate::evidence::{PRIORS, of_cell};
use crate::rows::WEIGHT_UNIT;
use crate::stage::Stage;

/// More patterns are not told apart.
pub(super) const MAX_PATTERNS: usize = 4096;

/// Whatever the rows put aside say, the circuit is worth something: half of what it promises.
const MOST_DOUBT: f64 = 0.5;

/// What a cell has at least for its answer.
const JUST_ENOUGH: f64 = 0.5 + 1.0 / 1_048_576.0;

/// Training rows that are not of the class, and that are; in millionths of weight where the rows are weighted.
pub(super) type Counts = [u64; 2];

/// The counts of the training rows in the cells of one circuit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cells {
    /// The prior, a.
    pub(super) prior: f64,
    /// For the answers 0 and 1.
    pub(super) answers: [Counts; 2],
    /// For each pattern, in increasing order; empty where the cells are the answers.
    pub(super) patterns: Vec<(Vec<u16>, Counts)>,
    pub(super) weighted: bool,
    /// How far probabilities move towards one half, from 0 to [`MOST_DOUBT`].
    pub(super) doubt: f64,
}

/// What patterns are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Keys<'a> {
    /// The first term of each stage that holds.
    Stages(&'a [Stage]),
    /// The count of the last gate, and whether the output is that gate or its negation.
    Count(&'a Circuit, &'a Gate, bool),
    /// Nothing but the answer.
    Nothing,
}

impl<'a> Keys<'a> {
    /// Those of a circuit; nothing where numbers would be too great.
    pub(crate) fn of(of: &'a ClassCircuit) -> Self {
        let (stages, circuit) = (of.stages(), of.circuit());
        let most = usize::from(u16::MAX);
        match (circuit.top(0), circuit.outputs().first()) {
            _ if !stages.is_empty() => {
                let few = stages.iter().all(|stage| stage.cover.terms() <= most);
                if few { Self::Stages(stages) } else { Self::Nothing }
            }
            (Some(gate), Some(output)) if gate.most() <= most as u64 => {
                Self::Count(circuit, gate, output.literal.positive)
            }
            _ => Self::Nothing,
        }
    }

    /// The greatest number at each place of a pattern.
    pub(crate) fn limits(&self) -> Vec<u64> {
        match self {
            Self::Stages(stages) => stages.iter().map(|stage| stage.cover.terms() as u64).collect(),
            Self::Count(_, gate, _) => vec![gate.most()],
            Self::Nothing => Vec::new(),
        }
    }

    /// Each place of the patterns on rows, one after the other.
    fn on(self, columns: &'a [&'a [u64]], rows: usize) -> Box<dyn Iterator<Item = Vec<u16>> + 'a> {
        match self {
            Self::Stages(stages) => {
                Box::new(stages.iter().map(move |stage| stage.first_terms(columns, rows)))
            }
            Self::Count(circuit, gate, _) => {
                let literals: Vec<Literal> = gate.literals.iter().map(|literal| literal.times(1)).collect();
                let values = circuit.evaluate_literals(&literals, columns, bits::words(rows));
                let mut counts = vec![0u16; rows];
                for (literal, values) in gate.literals.iter().zip(&values) {
                    bits::ones(values)
                        .take_while(|&row| row < rows)
                        .for_each(|row| counts[row] += literal.weight as u16);
                }
                Box::new(std::iter::once(counts))
            }
            Self::Nothing => Box::new(std::iter::empty()),
        }
    }

    /// What the circuit answers on the rows of a pattern.
    pub(super) fn answer(&self, pattern: &[u16]) -> bool {
        match self {
            Self::Count(_, gate, positive) => {
                let count = pattern.first().map_or(0, |&count| u64::from(count));
                (gate.rule.value(count, gate.most()) == 1) == *positive
            }
            _ => pattern.iter().filter(|&&first| first > 0).count() % 2 == 1,
        }
    }
}

impl Cells {
    /// The cells of a circuit on training rows with these labels.
    pub(super) fn new(
        circuit: &ClassCircuit,
        columns: &[&[u64]],
        labels: &[u64],
        (rows, weights): (usize, Option<&[u64]>),
    ) -> Self {
        let mut answers = [Counts::default(); 2];
        let values = circuit.evaluate(columns, rows);
        let weight = |row: usize| weights.map_or(1, |weights| weights[row]);
        for row in 0..rows {
            let (answer, label) = (bits::get(&values, row), bits::get(labels, row));
            answers[usize::from(answer)][usize::from(label)] += weight(row);
        }
        let mut trie = Trie::default();
        let mut patterns = match trie.grow(Keys::of(circuit), columns, rows) {
            None => Vec::new(),
            Some(cells) => {
                let mut counts = vec![Counts::default(); trie.leaves.len()];
                for (row, &cell) in cells.iter().enumerate() {
                    counts[cell as usize][usize::from(bits::get(labels, row))] += weight(row);
                }
                std::mem::take(&mut trie.leaves).into_iter().zip(counts).collect()
            }
        };
        patterns.sort_unstable();
        let unit = if weights.is_some() { WEIGHT_UNIT as f64 } else { 1.0 };
        let by_answer = best_prior(&answers.iter(), unit);
        let by_pattern = best_prior(&patterns.iter().map(|(_, counts)| counts), unit);
        let weighted = weights.is_some();
        if patterns.is_empty() || by_pattern.0 <= by_answer.0 {
            return Self { prior: by_answer.1, answers, patterns: Vec::new(), weighted, doubt: 0.0 };
        }
        Self { prior: by_pattern.1, answers, patterns, weighted, doubt: 0.0 }
    }

    /// The same cells, where of `asked` rows that did not choose the circuit so many were right.
    pub(super) fn doubted(mut self, keys: &Keys<'_>, asked: usize, right: Option<usize>) -> Self {
        self.doubt = 0.0;
        let Some(right) = right.filter(|_| asked > 0) else { return self };
        let by_answer = [false, true].map(|answer| (self.answers[usize::from(answer)], answer));
        let by_pattern = self.patterns.iter().map(|(pattern, counts)| (*counts, keys.answer(pattern)));
        let cells: Vec<(Counts, bool)> =
            if self.patterns.is_empty() { by_answer.to_vec() } else { by_pattern.collect() };
        let (mut rows, mut promised) = (0.0, 0.0);
        for (counts, answer) in cells {
            let probability = self.probability(counts, answer);
            let weight = counts[0] as f64 + counts[1] as f64;
            rows += weight;
            promised += weight * if answer { probability } else { 1.0 - probability };
        }
        let (promised, kept) = (promised / rows, (right as f64 + 0.5) / (asked as f64 + 1.0));
        if rows > 0.0 && promised > kept {
            self.doubt = ((promised - kept) / (promised - 0.5)).min(MOST_DOUBT);
        }
        self
    }

    /// The circuit's probability of its class on each row.
    pub(super) fn probabilities(&self, circuit: &ClassCircuit, columns: &[&[u64]], rows: usize) -> Vec<f64> {
        let (keys, values) = (Keys::of(circuit), circuit.evaluate(columns, rows));
        let by_answer =
            [false, true].map(|answer| self.probability(self.answers[usize::from(answer)], answer));
        if self.patterns.is_empty() {
            return (0..rows).map(|row| by_answer[usize::from(bits::get(&values, row))]).collect();
        }
        let mut trie = Trie::default();
        for (pattern, _) in &self.patterns {
            trie.insert(pattern);
        }
        let by_pattern: Vec<f64> = self
            .patterns
            .iter()
            .map(|(pattern, counts)| self.probability(*counts, keys.answer(pattern)))
            .collect();
        let cells = trie.find(keys, columns, rows);
        let probability = |(row, &cell): (usize, &u32)| match by_pattern.get(cell as usize) {
            Some(&probability) => probability,
            None => by_answer[usize::from(bits::get(&values, row))],
        };
        cells.iter().enumerate().map(probability).collect()
    }

    /// The probability for each answer, and for each pattern where the cells are patterns.
    pub(crate) fn by_cell(&self, keys: &Keys<'_>) -> ([f64; 2], Vec<(&[u16], f64)>) {
        let by_answer =
            [false, true].map(|answer| self.probability(self.answers[usize::from(answer)], answer));
        let by_pattern = self
            .patterns
            .iter()
            .map(|(pattern, counts)| (pattern.as_slice(), self.probability(*counts, keys.answer(pattern))));
        (by_answer, by_pattern.collect())
    }

    /// The smoothed frequency of a cell, on the side of its answer.
    fn probability(&self, [zeros, ones]: Counts, answer: bool) -> f64 {
        let unit = if self.weighted { WEIGHT_UNIT as f64 } else { 1.0 };
        let (zeros, ones) = (zeros as f64 / unit, ones as f64 / unit);
        let right = if answer { ones } else { zeros };
        let probability = (right + self.prior) / (zeros + ones + 2.0 * self.prior);
        let probability = (probability - self.doubt * (probability - 0.5)).max(JUST_ENOUGH);
        if answer { probability } else { 1.0 - probability }
    }
}

/// The most nats of the labels in these cells, and the prior under which they are.
fn best_prior<'a>(cells: &(impl Iterator<Item = &'a Counts> + Clone), unit: f64) -> (f64, f64) {
    let nats = |prior: f64| {
        cells.clone().map(|counts| of_cell(counts.map(|count| count as f64 / unit), prior)).sum::<f64>()
    };
    let mut best = (f64::NEG_INFINITY, PRIORS[0]);
    for prior in PRIORS {
        let nats = nats(prior);
        if nats > best.0 {
            best = (nats, prior);
        }
    }
    best
}

/// The number of a row without a known pattern.
const UNKNOWN: u32 = u32::MAX;

/// Patterns, place by place. Nodes of one depth are numbered as they come.
#[derive(Default)]
struct Trie {
    /// For each place, from a node and the number there to the next node.
    steps: Vec<HashMap<(u32, u16), u32>>,
    leaves: Vec<Vec<u16>>,
}

impl Trie {
    fn insert(&mut self, pattern: &[u16]) {
        self.steps.resize_with(pattern.len(), HashMap::new);
        let mut node = 0;
        for (steps, &first) in self.steps.iter_mut().zip(pattern) {
            let next = steps.len() as u32;
            node = *steps.entry((node, first)).or_insert(next);
        }
        self.leaves.push(pattern.to_vec());
    }

    /// Takes in the patterns of all rows and gives each row's number; none if they are too many.
    fn grow(&mut self, keys: Keys<'_>, columns: &[&[u64]], rows: usize) -> Option<Vec<u32>> {
        if matches!(keys, Keys::Nothing) {
            return None;
        }
        let mut nodes = vec![0u32; rows];
        self.leaves = vec![Vec::new()];
        for firsts in keys.on(columns, rows) {
            let mut steps = HashMap::new();
            let mut leaves: Vec<Vec<u16>> = Vec::new();
            for (node, &first) in nodes.iter_mut().zip(&firsts) {
                let next = leaves.len() as u32;
                let before = *node;
                *node = *steps.entry((before, first)).or_insert_with(|| {
                    let mut pattern = self.leaves[before as usize].clone();
                    pattern.push(first);
                    leaves.push(pattern);
                    next
                });
                if leaves.len() > MAX_PATTERNS {
                    return None;
                }
            }
            self.steps.push(steps);
            self.leaves = leaves;
        }
        Some(nodes)
    }

    /// The number of each row's pattern, in the order in which the patterns were inserted.
    fn find(&self, keys: Keys<'_>, columns: &[&[u64]], rows: usize) -> Vec<u32> {
        let mut nodes = vec![0u32; rows];
        for (firsts, steps) in keys.on(columns, rows).zip(&self.steps) {
            for (node, &first) in nodes.iter_mut().zip(&firsts) {
                *node = steps.get(&(*node, first)).copied().unwrap_or(UNKNOWN);
            }
        }
        nodes
    }
}
