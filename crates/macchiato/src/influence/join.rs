//! Pairs as lists of rows.
//!
//! Up to 64 inputs a row is a number. Flipping input i from 0 to 1 adds 2^i, which keeps the order, so the partners of the
//! sorted rows are found by merging the list with itself, one sequential pass for each input.
//!
//! Beyond, by divide and conquer over the inputs. Two rows that differ in one input alone agree on all inputs of one half. So: group the rows by the first half and look
//! for pairs that differ in the second half within each group, and the other way round; a group of one row holds none.
//! Once a single input is left, rows of a group can differ in nothing else and are the pair. Rows of random data part at
//! the first step; the work is at most that of probing every neighbour of every row, but in sequential passes.

use crate::bits;
use crate::rows::{Distinct, Groups, Rows, sorted_keys};
use rayon::prelude::*;
use std::ops::Range;

#[derive(Debug, Clone)]
pub(super) struct PairList {
    /// Pairs of each input, as rows.
    pairs: Vec<Vec<(u32, u32)>>,
}

impl PairList {
    pub(super) fn new(rows: &Rows, distinct: &Distinct) -> Self {
        if rows.inputs() <= 64 {
            return Self { pairs: merge(rows, distinct) };
        }
        let members: Vec<u32> = bits::ones(&distinct.members).map(|row| row as u32).collect();
        let mut pairs = vec![Vec::new(); rows.inputs()];
        find(rows.columns(), &members, 0..rows.inputs(), &mut pairs);
        for list in &mut pairs {
            list.sort_unstable();
        }
        Self { pairs }
    }

    pub(super) fn pairs(&self) -> Vec<u64> {
        self.pairs.iter().map(|list| list.len() as u64).collect()
    }

    /// Pairs of each input on which `residual`, a bit column over the rows, differs.
    pub(super) fn differing(&self, residual: &[u64]) -> Vec<u64> {
        let differs =
            |&&(a, b): &&(u32, u32)| bits::get(residual, a as usize) != bits::get(residual, b as usize);
        self.pairs.par_iter().map(|list| list.iter().filter(differs).count() as u64).collect()
    }
}

/// The pairs of every input, for at most 64 inputs.
fn merge(rows: &Rows, distinct: &Distinct) -> Vec<Vec<(u32, u32)>> {
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let mut sorted = sorted_keys(&columns, rows.len());
    sorted.retain(|&(_, row)| bits::get(&distinct.members, row as usize));
    let pairs_of = |i: usize| {
        let bit = 1u64 << i;
        let mut pairs = Vec::new();
        let mut ahead = 0;
        for &(key, row) in &sorted {
            if key & bit != 0 {
                continue;
            }
            while ahead < sorted.len() && sorted[ahead].0 < key | bit {
                ahead += 1;
            }
            if let Some(&(_, other)) = sorted.get(ahead).filter(|(partner, _)| *partner == key | bit) {
                pairs.push((row, other));
            }
        }
        pairs
    };
    (0..rows.inputs()).into_par_iter().map(pairs_of).collect()
}

/// Adds the pairs among `rows`, which agree on every input outside `range` and are distinct.
fn find(columns: &[Vec<u64>], rows: &[u32], range: Range<usize>, pairs: &mut [Vec<(u32, u32)>]) {
    if rows.len() < 2 {
        return;
    }
    if range.len() == 1 {
        debug_assert_eq!(rows.len(), 2, "distinct rows that agree on all other inputs");
        pairs[range.start].push((rows[0].min(rows[1]), rows[0].max(rows[1])));
        return;
    }
    // Few rows: compare them all.
    if rows.len() <= 32 {
        return compare_all(columns, rows, &range, pairs);
    }
    let middle = range.start + range.len() / 2;
    for (same, open) in [(range.start..middle, middle..range.end), (middle..range.end, range.start..middle)] {
        let gathered: Vec<Vec<u64>> = columns[same].par_iter().map(|column| gather(column, rows)).collect();
        let keys: Vec<&[u64]> = gathered.iter().map(Vec::as_slice).collect();
        let groups = Groups::new(&keys, rows.len());
        drop(gathered);
        for group in groups.iter().filter(|group| group.len() > 1) {
            let part: Vec<u32> = group.iter().map(|&at| rows[at as usize]).collect();
            find(columns, &part, open.clone(), pairs);
        }
    }
}

fn compare_all(columns: &[Vec<u64>], rows: &[u32], range: &Range<usize>, pairs: &mut [Vec<(u32, u32)>]) {
    for (at, &a) in rows.iter().enumerate() {
        for &b in &rows[at + 1..] {
            let mut differing = range
                .clone()
                .filter(|&i| bits::get(&columns[i], a as usize) != bits::get(&columns[i], b as usize));
            if let (Some(i), None) = (differing.next(), differing.next()) {
                pairs[i].push((a.min(b), a.max(b)));
            }
        }
    }
}

/// The bits of `rows` as a column of their own.
fn gather(column: &[u64], rows: &[u32]) -> Vec<u64> {
    rows.chunks(64)
        .map(|chunk| {
            chunk
                .iter()
                .enumerate()
                .fold(0, |word, (at, &row)| word | u64::from(bits::get(column, row as usize)) << at)
        })
        .collect()
}
