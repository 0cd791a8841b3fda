//! Neighbour pairs and empirical influences: the paper's `P_i` and Section 3.1's estimator.
//!
//! A pair of input i is two distinct rows that differ in input i alone. The pairs depend on the inputs only and are found
//! once; a stage then counts the pairs on which its residual differs. While 2^B bits fit comfortably, both are bitmaps
//! over the points x and counting is `B 2^B / 64` word operations whatever T is; beyond, pairs are listed, found by
//! joining rows that agree on half of the inputs, then on half of the other half, and so on.

mod bitmap;
mod join;

use crate::residual::Residual;
use crate::rows::{Distinct, Rows};
use bitmap::Bitmap;
use join::PairList;
use std::cmp::Ordering;

/// Most inputs for which points are bitmap positions: 2^26 bits are 8 MiB.
const BITMAP_INPUTS: usize = 26;

/// The neighbour pairs of a set of rows.
#[derive(Debug, Clone)]
pub struct Neighbours {
    distinct: Distinct,
    pairs: Pairs,
    counts: Vec<u64>,
}

#[derive(Debug, Clone)]
enum Pairs {
    Bitmap(Bitmap),
    List(PairList),
}

/// An empirical influence as the exact fraction of pairs on which the residual differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Influence {
    /// Pairs on which the residual differs.
    pub differing: u64,
    /// Pairs seen, `|P_i|`.
    pub pairs: u64,
}

impl Influence {
    /// Compares two influences as fractions; without pairs an influence is 0 (Section 3.1).
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b.max(1));
        product(self.differing, other.pairs).cmp(&product(other.differing, self.pairs))
    }

    /// The fraction as a number, for display.
    #[must_use]
    pub fn value(self) -> f64 {
        self.differing as f64 / self.pairs.max(1) as f64
    }
}

impl Neighbours {
    /// Finds the pairs of every input.
    ///
    /// ```
    /// use macchiato::influence::Neighbours;
    /// use macchiato::residual::Residual;
    /// use macchiato::rows::Rows;
    ///
    /// // XOR of two inputs, all four rows: each input matters on both of its pairs.
    /// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b0110], 4)?;
    /// let neighbours = Neighbours::new(&rows);
    /// let influences = neighbours.influences(&rows, &Residual::new(&rows));
    /// assert_eq!((influences[0].differing, influences[0].pairs), (2, 2));
    /// # Ok::<(), macchiato::rows::RowsError>(())
    /// ```
    #[must_use]
    pub fn new(rows: &Rows) -> Self {
        // A bitmap much larger than the rows would cost more to scan than the rows cost to join.
        let small =
            rows.inputs() <= BITMAP_INPUTS && (1usize << rows.inputs()) / 64 <= 64 * rows.len() + 1024;
        let (distinct, pairs) = if small {
            let (distinct, bitmap) = Bitmap::new(rows);
            (distinct, Pairs::Bitmap(bitmap))
        } else {
            let distinct = rows.distinct();
            let list = PairList::new(rows, &distinct);
            (distinct, Pairs::List(list))
        };
        let counts = match &pairs {
            Pairs::Bitmap(bitmap) => bitmap.pairs(),
            Pairs::List(list) => list.pairs(),
        };
        Self { distinct, pairs, counts }
    }

    /// What the repetitions among the rows say.
    #[must_use]
    pub const fn distinct(&self) -> &Distinct {
        &self.distinct
    }

    /// Pairs seen for each input, `|P_i|`.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The empirical influence of each input on the residual.
    #[must_use]
    pub fn influences(&self, rows: &Rows, residual: &Residual) -> Vec<Influence> {
        let bits = residual.for_pairs(rows, &self.distinct);
        let differing = match &self.pairs {
            Pairs::Bitmap(bitmap) => bitmap.differing(&bits, &self.distinct),
            Pairs::List(list) => list.differing(&bits),
        };
        let both = differing.into_iter().zip(&self.counts);
        both.map(|(differing, &pairs)| Influence { differing, pairs }).collect()
    }
}

#[cfg(test)]
mod tests;
