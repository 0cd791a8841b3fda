//! The test that tells most about the labels of a node's rows.
//!
//! Laying the rows out as columns, those of label 0 before those of label 1, makes every count a run of popcounts; and
//! from the rows in which two inputs are both 1 follow the counts of all four conjunctions of their literals and of their
//! XOR, so that a pair costs one pass for five tests.

use super::Growth;
use crate::bits;
use crate::random::Stream;
use crate::wide::cube::Cube;
use crate::wide::entropy::{Entropy, log2};
use crate::wide::sample::{Sample, below};

/// What a node asks of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Test {
    /// Whether an input is 1.
    Input(usize),
    /// Whether two literals both hold.
    Both((usize, bool), (usize, bool)),
    /// Whether two inputs differ.
    Differ(usize, usize),
}

impl Test {
    pub(crate) fn holds(self, row: &[u64]) -> bool {
        let bit = |i: usize| row[i / 64] >> (i % 64) & 1 == 1;
        match self {
            Self::Input(i) => bit(i),
            Self::Both((i, x), (j, y)) => bit(i) == x && bit(j) == y,
            Self::Differ(i, j) => bit(i) != bit(j),
        }
    }

    /// Cubes that together are the rows for which the test has this outcome.
    pub(crate) fn cubes(self, outcome: bool) -> Vec<Cube> {
        match (self, outcome) {
            (Self::Input(i), x) => vec![vec![(i, x)]],
            (Self::Both(a, b), true) => vec![vec![a, b]],
            (Self::Both((i, x), (j, y)), false) => vec![vec![(i, !x)], vec![(j, !y)]],
            (Self::Differ(i, j), x) => vec![vec![(i, true), (j, !x)], vec![(i, false), (j, x)]],
        }
    }
}

pub(super) struct Splitter<'a> {
    sample: &'a Sample,
    entropy: Entropy,
    /// The inputs that take part in tests of pairs.
    paired: Vec<usize>,
    /// Kept from node to node: column i of a node's rows starts at word i times the node's words.
    columns: Vec<u64>,
}

/// Rows of label 0 and 1.
type Counts = [usize; 2];

/// The best test so far, against the rows of the node.
struct Contest<'a> {
    entropy: &'a Entropy,
    total: Counts,
    best: Option<(i64, Test)>,
}

impl Contest<'_> {
    /// Offers a test that holds for `inside` of the rows and takes `name` bits to name.
    fn offer(&mut self, inside: Counts, name: i64, test: Test) {
        let outside = [self.total[0] - inside[0], self.total[1] - inside[1]];
        if inside == [0, 0] || outside == [0, 0] {
            return;
        }
        // What is left to say of the labels; the information before the split is the same for all.
        let net = -self.entropy.bits(inside) - self.entropy.bits(outside) - name;
        if self.best.is_none_or(|(most, _)| net > most) {
            self.best = Some((net, test));
        }
    }
}

impl<'a> Splitter<'a> {
    pub(super) fn new(sample: &'a Sample, growth: &Growth) -> Self {
        let mut paired: Vec<usize> = (0..sample.inputs()).collect();
        if growth.paired_inputs < paired.len() {
            let mut rng = Stream::Pairing.of(growth.seed);
            for k in 0..growth.paired_inputs {
                let other = k + below(&mut rng, paired.len() - k);
                paired.swap(k, other);
            }
            paired.truncate(growth.paired_inputs);
            paired.sort_unstable();
        }
        Self { sample, entropy: Entropy::new(sample.len()), paired, columns: Vec::new() }
    }

    /// The test with the largest gain net of its name; none if no test tells the rows apart.
    pub(super) fn best(&mut self, zeros: &[u32], ones: &[u32], pairs: bool) -> Option<Test> {
        let inputs = self.sample.inputs();
        let zero_words = zeros.len().div_ceil(64);
        let words = zero_words + ones.len().div_ceil(64);
        if self.columns.len() < inputs * words {
            self.columns.resize(inputs * words, 0);
        }
        self.sample.gather(zeros, &mut self.columns, words, 0);
        self.sample.gather(ones, &mut self.columns, words, zero_words);

        let column = |i: usize| self.columns[i * words..(i + 1) * words].split_at(zero_words);
        let total = [zeros.len(), ones.len()];
        let mut contest = Contest { entropy: &self.entropy, total, best: None };
        let name = log2(inputs as u64);
        let set: Vec<Counts> =
            (0..inputs).map(|i| [bits::count(column(i).0), bits::count(column(i).1)]).collect();
        for (i, &inside) in set.iter().enumerate() {
            contest.offer(inside, name, Test::Input(i));
        }
        let constant = |i: usize| set[i] == [0, 0] || set[i] == total;
        let name = log2(5 * (inputs * inputs.saturating_sub(1) / 2) as u64);
        // No test gains more than the labels hold.
        if pairs && self.entropy.bits(total) > name {
            let paired: Vec<usize> = self.paired.iter().copied().filter(|&i| !constant(i)).collect();
            for (k, &i) in paired.iter().enumerate() {
                let (low, high) = column(i);
                for &j in &paired[..k] {
                    let (other_low, other_high) = column(j);
                    let both = [ones_of_both(low, other_low), ones_of_both(high, other_high)];
                    offer_pair(&mut contest, name, (i, set[i]), (j, set[j]), both);
                }
            }
        }
        contest.best.map(|(_, test)| test)
    }
}

/// Offers the five tests of a pair of inputs, of which the rows with a 1 in either and in both are counted.
fn offer_pair(contest: &mut Contest<'_>, name: i64, a: (usize, Counts), b: (usize, Counts), both: Counts) {
    let ((i, a), (j, b)) = (a, b);
    let count = |f: fn(usize, usize, usize, usize) -> usize| -> Counts {
        [0, 1].map(|label| f(contest.total[label], a[label], b[label], both[label]))
    };
    let only_a = count(|_, a, _, both| a - both);
    let only_b = count(|_, _, b, both| b - both);
    let neither = count(|total, a, b, both| total + both - a - b);
    let differ = count(|_, a, b, both| a + b - 2 * both);
    contest.offer(both, name, Test::Both((i, true), (j, true)));
    contest.offer(only_a, name, Test::Both((i, true), (j, false)));
    contest.offer(only_b, name, Test::Both((i, false), (j, true)));
    contest.offer(neither, name, Test::Both((i, false), (j, false)));
    contest.offer(differ, name, Test::Differ(i, j));
}

fn ones_of_both(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones() as usize).sum()
}
