//! Pairs as bitmaps over the points: bit x of `seen` says that row x was observed.
//!
//! The pairs of input i are the bits of `seen & seen >> 2^i` at which bit i of x is 0; the residual differs on those of
//! `r ^ r >> 2^i` among them.

use crate::bits;
use crate::rows::{Distinct, Rows};
use rayon::prelude::*;

/// Bits of a word at which input i < 6 is 0.
const LOW: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

#[derive(Debug, Clone)]
pub(super) struct Bitmap {
    inputs: usize,
    seen: Vec<u64>,
    /// The point of each row.
    points: Vec<u32>,
}

impl Bitmap {
    /// The bitmap, and the distinct rows: where it shows that nothing repeats, they need no sort.
    pub(super) fn new(rows: &Rows) -> (Distinct, Self) {
        let columns = rows.columns();
        let mut points = vec![0u32; rows.len()];
        points.par_chunks_mut(64).enumerate().for_each(|(w, block)| {
            for (byte, eight) in columns.chunks(8).enumerate() {
                let words = std::array::from_fn(|c| eight.get(c).map_or(0, |column| column[w]));
                for (point, bits) in block.iter_mut().zip(bits::row_bytes(&words)) {
                    *point |= u32::from(bits) << (8 * byte);
                }
            }
        });
        let mut seen = vec![0u64; bits::words(1 << rows.inputs())];
        for &point in &points {
            bits::set(&mut seen, point as usize);
        }
        let distinct = if bits::count(&seen) == rows.len() { Distinct::all(rows) } else { rows.distinct() };
        if distinct.tied > 0 {
            seen.fill(0);
            for row in bits::ones(&distinct.members) {
                bits::set(&mut seen, points[row] as usize);
            }
        }
        (distinct, Self { inputs: rows.inputs(), seen, points })
    }

    pub(super) fn pairs(&self) -> Vec<u64> {
        (0..self.inputs).into_par_iter().map(|i| count_pairs(&self.seen, i, |_, _| u64::MAX)).collect()
    }

    /// Pairs of each input on which `residual`, a bit column over the rows, differs.
    pub(super) fn differing(&self, residual: &[u64], distinct: &Distinct) -> Vec<u64> {
        let mut wrong = vec![0u64; self.seen.len()];
        for (w, (word, members)) in residual.iter().zip(&distinct.members).enumerate() {
            let mut left = word & members;
            while left != 0 {
                let row = 64 * w + left.trailing_zeros() as usize;
                left &= left - 1;
                bits::set(&mut wrong, self.points[row] as usize);
            }
        }
        (0..self.inputs)
            .into_par_iter()
            .map(|i| {
                let shifted = |low: usize, high: usize| {
                    wrong[low] ^ if i < 6 { wrong[low] >> (1 << i) } else { wrong[high] }
                };
                count_pairs(&self.seen, i, shifted)
            })
            .collect()
    }
}

/// Number of pairs of input `i` among the bits of `differs(low, high)`, the words of the two ends.
fn count_pairs(seen: &[u64], i: usize, differs: impl Fn(usize, usize) -> u64) -> u64 {
    let mut pairs = 0u64;
    if i < 6 {
        for (w, word) in seen.iter().enumerate() {
            pairs += u64::from((word & word >> (1 << i) & LOW[i] & differs(w, w)).count_ones());
        }
    } else {
        let half = 1 << (i - 6);
        for block in (0..seen.len()).step_by(2 * half) {
            for low in block..block + half {
                let both = seen[low] & seen[low + half];
                pairs += u64::from((both & differs(low, low + half)).count_ones());
            }
        }
    }
    pairs
}
