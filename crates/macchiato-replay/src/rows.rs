//! The training rows, counted: each distinct row once, as bits, with how often it has label 0 and 1.
//!
//! Finds the neighbours of a row, which differ in one input, in one step. Linear in the number of rows.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// The most votes of all rows together, in millionths: 9 trillion.
const MOST: u64 = 9_000_000_000_000_000_000;

/// The distinct rows, and how often each has label 0 and 1.
pub(crate) struct Rows {
    pub(crate) inputs: usize,
    /// `ceil(inputs / 64)` words for each distinct row.
    points: Vec<u64>,
    /// Their weight by label: millionths, or their number where they have no weights.
    pub(crate) votes: Vec<[u64; 2]>,
    /// Their number by label.
    pub(crate) counts: Vec<[u64; 2]>,
    /// Rows in the file.
    pub(crate) total: u64,
    /// The rows of the file that are kept.
    kept: Range<u64>,
    /// Their votes together.
    sum: u64,
    index: Index,
}

/// Finds rows by their bits. A row's hash is the XOR of one random word for each input that is 1, so that the hash of a
/// neighbour takes one step; the words are random so that no file can be made to collide. Matches are compared bit by bit.
struct Index {
    random: Vec<u64>,
    hashes: Vec<u64>,
    first: HashMap<u64, usize>,
    /// The next row of the same hash.
    next: Vec<Option<usize>>,
}

impl Rows {
    /// No rows yet, and those of the file that shall be kept, counted from 0.
    pub(crate) fn empty(inputs: usize, kept: Range<u64>) -> Self {
        let state = RandomState::new();
        let random = (0..inputs).map(|i| state.hash_one(i)).collect();
        let index = Index { random, hashes: Vec::new(), first: HashMap::new(), next: Vec::new() };
        let (points, votes, counts) = (Vec::new(), Vec::new(), Vec::new());
        Self { inputs, points, votes, counts, total: 0, kept, sum: 0, index }
    }

    /// Words of a point.
    pub(crate) fn words(&self) -> usize {
        self.inputs.div_ceil(64)
    }

    /// Number of distinct rows.
    pub(crate) fn len(&self) -> usize {
        self.votes.len()
    }

    /// The bits of a distinct row.
    pub(crate) fn point(&self, row: usize) -> &[u64] {
        self.points.chunks_exact(self.words()).nth(row).unwrap_or_default()
    }

    /// Counts a row in; whether all votes together can be counted.
    pub(crate) fn add(&mut self, point: &[u64], label: bool, votes: u64) -> bool {
        self.total += 1;
        if !self.kept.contains(&(self.total - 1)) {
            return true;
        }
        let hash = (0..self.inputs)
            .zip(&self.index.random)
            .filter(|&(i, _)| bit(point, i))
            .fold(0, |h, (_, r)| h ^ r);
        let found = self.find(hash, point, None);
        let row = found.unwrap_or_else(|| {
            self.points.extend(point);
            self.votes.push([0, 0]);
            self.counts.push([0, 0]);
            let row = self.votes.len() - 1;
            self.index.hashes.push(hash);
            self.index.next.push(self.index.first.insert(hash, row));
            row
        });
        self.sum = self.sum.saturating_add(votes);
        for (sums, more) in [(&mut self.votes, votes), (&mut self.counts, 1)] {
            if let Some([zeros, ones]) = sums.get_mut(row).filter(|_| self.sum <= MOST) {
                *if label { ones } else { zeros } += more;
            }
        }
        self.sum <= MOST
    }

    /// The row equal to `point` with input `flip` inverted.
    fn find(&self, hash: u64, point: &[u64], flip: Option<usize>) -> Option<usize> {
        let mut candidate = self.index.first.get(&hash).copied();
        while let Some(row) = candidate {
            let same = |(w, (a, b)): (usize, (&u64, &u64))| {
                let mask = flip.filter(|i| i / 64 == w).map_or(0, |i| 1u64 << (i % 64));
                *a == *b ^ mask
            };
            if self.point(row).iter().zip(point).enumerate().all(same) {
                return Some(row);
            }
            candidate = self.index.next.get(row).copied().flatten();
        }
        None
    }

    /// The pairs of an input: rows with 0 there, and the same rows with 1, both of which have a majority of labels.
    pub(crate) fn pairs(&self, input: usize) -> Vec<(usize, usize)> {
        let random = self.index.random.get(input).copied().unwrap_or_default();
        let mut pairs = Vec::new();
        let points = self.points.chunks_exact(self.words());
        for (row, (point, hash)) in points.zip(&self.index.hashes).enumerate() {
            if bit(point, input) || self.label(row).is_none() {
                continue;
            }
            let other = self.find(hash ^ random, point, Some(input));
            if let Some(other) = other.filter(|&other| self.label(other).is_some()) {
                pairs.push((row, other));
            }
        }
        pairs
    }

    /// The label of a row: the only one, or that of most votes.
    pub(crate) fn label(&self, row: usize) -> Option<bool> {
        let [zeros, ones] = match self.counts.get(row)? {
            // A label that is alone needs no vote.
            [zeros, ones] if *zeros > 0 && *ones > 0 => *self.votes.get(row)?,
            counts => *counts,
        };
        if zeros == ones { None } else { Some(ones > zeros) }
    }
}

/// Bit `i` of a row.
pub(crate) fn bit(point: &[u64], i: usize) -> bool {
    point.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
}

/// Sets bit `i` of an empty row.
pub(crate) fn set(point: &mut [u64], i: usize, value: bool) {
    if let Some(word) = point.get_mut(i / 64) {
        *word |= u64::from(value) << (i % 64);
    }
}
