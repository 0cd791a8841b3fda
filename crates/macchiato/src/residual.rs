//! The residual `r_t = f XOR H_{t-1}` on the training rows: what the stages so far get wrong.
//!
//! One bit a row; a stage's correction is one XOR a word. The pairs see the labels that repeated rows voted for.

use crate::bits;
use crate::rows::{Distinct, Rows};

/// The rows on which the current predictor errs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residual {
    bits: Vec<u64>,
}

impl Residual {
    /// The residual of `H_0 = 0`: the labels themselves.
    #[must_use]
    pub fn new(rows: &Rows) -> Self {
        Self { bits: rows.labels().to_vec() }
    }

    /// The bit column: 1 where the predictor errs.
    #[must_use]
    pub fn bits(&self) -> &[u64] {
        &self.bits
    }

    /// Whether no row is left to explain.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    /// Number of rows in error.
    #[must_use]
    pub fn errors(&self) -> usize {
        bits::count(&self.bits)
    }

    /// Weight of the rows in error, in millionths; their number times a million where rows are not weighted.
    #[must_use]
    pub fn error_weight(&self, rows: &Rows) -> u64 {
        match rows.weights() {
            None => self.errors() as u64 * crate::rows::WEIGHT_UNIT,
            Some(weights) => bits::ones(&self.bits).map(|row| weights[row]).sum(),
        }
    }

    /// `r_{t+1} = r_t XOR F_t`, with the stage's value on every row.
    pub fn correct(&mut self, stage: &[u64]) {
        for (word, value) in self.bits.iter_mut().zip(stage) {
            *word ^= value;
        }
    }

    /// The residual under the labels that the pairs use.
    #[must_use]
    pub fn for_pairs(&self, rows: &Rows, distinct: &Distinct) -> Vec<u64> {
        let voted = rows.labels().iter().zip(&distinct.labels);
        self.bits.iter().zip(voted).map(|(r, (own, voted))| r ^ own ^ voted).collect()
    }
}
