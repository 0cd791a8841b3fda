//! All primes met so far, with the ON rows that each contains, and the choice of a smallest cover among them.
//!
//! IRREDUNDANT is a covering problem: its rows are the ON rows, merged where the same terms contain them (the merged
//! problem has no more rows than there are regions of the terms' Venn diagram), its columns the terms. Rows are merged by a
//! 128-bit signature; should two signatures ever collide, a row that stays uncovered is repaired, so the answer is a
//! cover whatever happens.

use std::collections::HashMap;

use super::columns::{Code, all_rows, size};
use super::instance::Instance;
use crate::budget::Budget;
use crate::covering::{Covering, Effort};
use crate::cube::ones;

/// A prime and the ON rows inside it.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) literals: Box<[Code]>,
    held: Held,
}

/// A set of ON rows, in whichever form is smaller.
#[derive(Debug)]
enum Held {
    Dense(Box<[u64]>),
    Sparse(Box<[u32]>),
}

/// Distinct primes in the order of their discovery.
#[derive(Debug, Default)]
pub(super) struct Pool {
    terms: Vec<Term>,
    /// Looked up, never iterated.
    index: HashMap<Box<[Code]>, u32>,
    bytes: usize,
}

impl Term {
    /// Removes the term's rows from `set`.
    pub(super) fn clear_from(&self, set: &mut [u64]) {
        match &self.held {
            Held::Dense(words) => set.iter_mut().zip(words).for_each(|(set, held)| *set &= !held),
            Held::Sparse(rows) => rows.iter().for_each(|&row| set[row as usize / 64] &= !(1 << (row % 64))),
        }
    }

    /// Adds the term's rows to the rows held `once`, and those that were there to `twice`.
    pub(super) fn tally(&self, once: &mut [u64], twice: &mut [u64]) {
        let mut add = |at: usize, bits: u64| {
            twice[at] |= once[at] & bits;
            once[at] |= bits;
        };
        match &self.held {
            Held::Dense(words) => words.iter().enumerate().for_each(|(at, &bits)| add(at, bits)),
            Held::Sparse(rows) => rows.iter().for_each(|&row| add(row as usize / 64, 1 << (row % 64))),
        }
    }

    pub(super) fn for_each_row(&self, mut visit: impl FnMut(usize)) {
        match &self.held {
            Held::Dense(words) => ones(words).for_each(visit),
            Held::Sparse(rows) => rows.iter().for_each(|&row| visit(row as usize)),
        }
    }
}

impl Pool {
    pub(super) fn term(&self, id: u32) -> &Term {
        &self.terms[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Memory held by the terms.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The id of the prime `literals`, which is added if it is new.
    pub(super) fn add(&mut self, instance: &Instance, literals: Vec<Code>, work: &mut u64) -> u32 {
        if let Some(&id) = self.index.get(&literals[..]) {
            return id;
        }
        let words = instance.on.passing(&literals);
        *work += (words.len() * (literals.len() + 1)) as u64;
        let rows = size(&words);
        let held = if 2 * words.len() <= rows {
            Held::Dense(words.into())
        } else {
            Held::Sparse(ones(&words).map(|row| row as u32).collect())
        };
        let id = self.terms.len() as u32;
        let literals: Box<[Code]> = literals.into();
        self.bytes += 8 * instance.on.words().min(rows.div_ceil(2)) + 16 * literals.len() + 100;
        self.index.insert(literals.clone(), id);
        self.terms.push(Term { literals, held });
        id
    }

    /// Terms, then literals: what a smaller cover has less of.
    pub(super) fn cost(&self, cover: &[u32]) -> (usize, usize) {
        (cover.len(), cover.iter().map(|&id| self.term(id).literals.len()).sum())
    }

    /// A small cover among `candidates`, which together hold every ON row.
    pub(super) fn irredundant(
        &self,
        candidates: &[u32],
        rows: usize,
        seed: u64,
        budget: &Budget,
    ) -> Vec<u32> {
        let class = self.classes(candidates, rows);
        let classes = class.iter().map(|&class| class as usize + 1).max().unwrap_or(0);
        let mut covering = Covering::new(classes);
        let mut column: Vec<u32> = Vec::new();
        let mut seen = vec![u32::MAX; classes];
        for (at, &id) in candidates.iter().enumerate() {
            column.clear();
            self.term(id).for_each_row(|row| {
                let class = class[row];
                if seen[class as usize] != at as u32 {
                    seen[class as usize] = at as u32;
                    column.push(class);
                }
            });
            column.sort_unstable();
            covering.push_column(column.iter().copied(), self.term(id).literals.len());
        }
        let solution = covering.solve(&Effort { exact: false, seed, budget: budget.clone() });
        let mut cover: Vec<u32> = solution.columns.iter().map(|&at| candidates[at]).collect();
        self.repair(&mut cover, candidates, rows);
        cover
    }

    /// The rows' classes: two rows share one when the same candidates hold them. Numbered by first row.
    fn classes(&self, candidates: &[u32], rows: usize) -> Vec<u32> {
        let mut signature = vec![0u128; rows];
        for &id in candidates {
            let key = key(id);
            self.term(id).for_each_row(|row| signature[row] ^= key);
        }
        let mut number: HashMap<u128, u32> = HashMap::new();
        signature
            .iter()
            .map(|signature| {
                let next = number.len() as u32;
                *number.entry(*signature).or_insert(next)
            })
            .collect()
    }

    fn repair(&self, cover: &mut Vec<u32>, candidates: &[u32], rows: usize) {
        let mut open = all_rows(rows);
        for &id in &*cover {
            self.term(id).clear_from(&mut open);
        }
        for &id in candidates {
            if open.iter().all(|&word| word == 0) {
                return;
            }
            let before = size(&open);
            self.term(id).clear_from(&mut open);
            if size(&open) < before {
                cover.push(id);
            }
        }
    }
}

/// A fixed pseudo-random key of term `id`: two rounds of `SplitMix64`.
fn key(id: u32) -> u128 {
    let mix = |x: u64| {
        let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    };
    let start = (u64::from(id) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    u128::from(mix(start)) << 64 | u128::from(mix(start ^ 0xD1B5_4A32_D192_ED03))
}
