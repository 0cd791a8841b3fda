//! The last check before a cover leaves: against the caller's own rows, not against the engine's copies.
//!
//! Blocks of 64 rows are transposed one at a time; a term's rows in a block are the AND of its literals' words, which
//! is empty after a few literals for most terms. Costs rows / 64 times terms times those few words.

use std::collections::HashSet;

use crate::cover::Cover;
use crate::cube::{Literal, ones};
use crate::rows::{Rows, transpose};

/// Whether every ON row lies inside a term of `cover` and no term meets an OFF row.
pub(super) fn holds(rows: &Rows, cover: &Cover) -> bool {
    let terms = Terms::new(rows, cover);
    let mut block = Block { value: vec![0; 64 * rows.stride()], free: vec![0; 64 * rows.stride()] };
    (0..rows.len().div_ceil(64)).all(|at| {
        let here = 64 * at..rows.len().min(64 * (at + 1));
        block.load(rows, here.clone());
        let (mut open, mut off) = (0u64, 0u64);
        for (bit, row) in here.enumerate() {
            *if rows.label(row) { &mut open } else { &mut off } |= 1 << bit;
        }
        terms.cubes.iter().all(|term| {
            open &= !block.inside(term, open);
            block.meeting(term, off) == 0
        }) && ones(&[open]).all(|bit| terms.minterm_at(rows, 64 * at + bit))
            && ones(&[off]).all(|bit| !terms.minterm_meets(rows, 64 * at + bit))
    })
}

/// A cover's terms: those with a literal for every input apart, so that a run cut short, whose cover is mostly rows,
/// is verified by look-up.
struct Terms {
    cubes: Vec<Vec<(usize, bool)>>,
    /// Looked up, never iterated in an order that matters.
    minterms: HashSet<Box<[u64]>>,
}

impl Terms {
    fn new(rows: &Rows, cover: &Cover) -> Self {
        let mut terms = Self { cubes: Vec::new(), minterms: HashSet::new() };
        for term in 0..cover.terms() {
            let literal = |i| match cover.literal(term, i) {
                Literal::Free => None,
                literal => Some((i, literal == Literal::Positive)),
            };
            let literals: Vec<(usize, bool)> = (0..rows.inputs()).filter_map(literal).collect();
            if literals.len() < rows.inputs() {
                terms.cubes.push(literals);
            } else {
                let mut values = vec![0; rows.stride()];
                for (i, value) in literals {
                    values[i / 64] |= u64::from(value) << (i % 64);
                }
                terms.minterms.insert(values.into());
            }
        }
        terms
    }

    /// Whether the row is a minterm among the terms.
    fn minterm_at(&self, rows: &Rows, row: usize) -> bool {
        rows.free(row).is_none_or(|free| free.iter().all(|&word| word == 0))
            && self.minterms.contains(rows.values(row))
    }

    /// Whether some minterm among the terms is a point of the row.
    fn minterm_meets(&self, rows: &Rows, row: usize) -> bool {
        match rows.free(row) {
            Some(free) if free.iter().any(|&word| word != 0) => self.minterms.iter().any(|term| {
                term.iter()
                    .zip(rows.values(row))
                    .zip(free)
                    .all(|((term, value), free)| (term ^ value) & !free == 0)
            }),
            _ => self.minterm_at(rows, row),
        }
    }
}

/// 64 rows as columns.
struct Block {
    value: Vec<u64>,
    free: Vec<u64>,
}

impl Block {
    fn load(&mut self, rows: &Rows, range: std::ops::Range<usize>) {
        for part in 0..rows.stride() {
            let (mut value, mut free) = ([0; 64], [0; 64]);
            for (bit, row) in range.clone().enumerate() {
                value[bit] = rows.values(row)[part];
                free[bit] = rows.free(row).map_or(0, |free| free[part]);
            }
            transpose(&mut value);
            transpose(&mut free);
            self.value[64 * part..64 * (part + 1)].copy_from_slice(&value);
            self.free[64 * part..64 * (part + 1)].copy_from_slice(&free);
        }
    }

    /// Of `among`, the rows that lie inside the term.
    fn inside(&self, term: &[(usize, bool)], among: u64) -> u64 {
        let mut left = among;
        for &(i, positive) in term {
            if left == 0 {
                break;
            }
            left &= !self.free[i] & if positive { self.value[i] } else { !self.value[i] };
        }
        left
    }

    /// Of `among`, the rows that have a point in the term.
    fn meeting(&self, term: &[(usize, bool)], among: u64) -> u64 {
        let mut left = among;
        for &(i, positive) in term {
            if left == 0 {
                break;
            }
            left &= self.free[i] | if positive { self.value[i] } else { !self.value[i] };
        }
        left
    }
}
