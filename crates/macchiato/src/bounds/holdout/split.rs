//! Which rows are put aside: a random choice among the draws that the rows stand for.

use crate::frame::Frame;
use crate::generate::shuffle_first;
use crate::random::Stream;
use crate::rows::{Rows, WEIGHT_UNIT};

/// Most draws that are shared out one by one.
const MAX_DRAWS: u64 = 1 << 28;

/// Rows to learn from, and rows put aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    pub(super) train: Vec<usize>,
    pub(super) weights: Option<Vec<u64>>,
    pub(super) held: Vec<usize>,
}

/// Why no rows can be put aside.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// No share.
    #[error("holdout is {fraction}: give the share of the rows to put aside, between 0 and 1, such as 0.2")]
    Fraction {
        /// The share asked for.
        fraction: f64,
    },
    /// Nothing left on one side.
    #[error(
        "a holdout of {fraction} puts {held} of {rows} rows aside: at least one must be, and one must be left to learn from"
    )]
    TooFew {
        /// The share asked for.
        fraction: f64,
        /// Rows that there are.
        rows: u64,
        /// Rows that would be put aside.
        held: u64,
    },
    /// A weight that is no number of rows.
    #[error(
        "row {row} has the weight {weight}, which is no number of rows: only whole weights can be held out and counted"
    )]
    Weight {
        /// The row, from 1.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// More draws than are shared out one by one.
    #[error(
        "the weights stand for {draws} rows, and at most {MAX_DRAWS} can be shared out: hold out a file of its own"
    )]
    TooMany {
        /// Their number.
        draws: u64,
    },
}

impl Split {
    /// Puts the share `fraction` of the rows aside, rounded to the nearest number of rows; every choice of that many is equally
    /// likely. The same seed gives the same rows on every machine.
    ///
    /// Rows are split, not distinct inputs: a row that occurs five times was drawn five times. So a whole weight is that many
    /// rows, which may be shared between both sides; a row of weight 0 is none.
    ///
    /// ```
    /// use macchiato::bounds::holdout::Split;
    ///
    /// let split = Split::new(10, None, 0.2, 7)?;
    /// assert_eq!((split.train().len(), split.held().len()), (8, 2));
    /// # Ok::<(), macchiato::bounds::holdout::SplitError>(())
    /// ```
    ///
    /// # Errors
    /// A share that is none or leaves one side empty; weights that are no whole numbers, or too many rows.
    pub fn new(rows: usize, weights: Option<&[u64]>, fraction: f64, seed: u64) -> Result<Self, SplitError> {
        if !(fraction > 0.0 && fraction < 1.0) {
            return Err(SplitError::Fraction { fraction });
        }
        let draws = draws(rows, weights)?;
        let size = draws.len() as u64;
        #[allow(clippy::cast_sign_loss)] // Between 0 and the number of draws.
        let held = (fraction * size as f64).round() as u64;
        if held == 0 || held >= size {
            return Err(SplitError::TooFew { fraction, rows: size, held });
        }
        let mut rng = Stream::PuttingAside.of(seed);
        let mut places: Vec<usize> = (0..draws.len()).collect();
        shuffle_first(&mut rng, &mut places, held as usize);
        let mut aside = vec![false; draws.len()];
        for place in places {
            aside[place] = true;
        }
        let part = |side: bool| draws.iter().zip(&aside).filter(move |(_, aside)| **aside == side);
        let held = part(true).map(|(&row, _)| row).collect();
        let mut split = Self { train: Vec::new(), weights: weights.map(|_| Vec::new()), held };
        for (&row, _) in part(false) {
            let again = split.train.last() == Some(&row);
            match &mut split.weights {
                Some(weights) if again => {
                    if let Some(last) = weights.last_mut() {
                        *last += WEIGHT_UNIT;
                    }
                }
                Some(weights) => {
                    weights.push(WEIGHT_UNIT);
                    split.train.push(row);
                }
                None => split.train.push(row),
            }
        }
        Ok(split)
    }

    /// The rows to learn from, in their order; with weights each once.
    #[must_use]
    pub fn train(&self) -> &[usize] {
        &self.train
    }

    /// The rows put aside, in their order; one of weight 3 up to three times.
    #[must_use]
    pub fn held(&self) -> &[usize] {
        &self.held
    }

    /// Both sides of the rows that were split; those put aside without weights.
    ///
    /// # Panics
    /// If these are fewer rows than were split.
    #[must_use]
    pub fn rows(&self, rows: &Rows) -> (Rows, Rows) {
        let train = rows.pick(&self.train).weighing(self.weights.clone());
        (train, rows.pick(&self.held).weighing(None))
    }

    /// Both sides of a table that was split; the rows put aside without weights.
    ///
    /// # Panics
    /// If it has fewer rows than were split.
    #[must_use]
    pub fn frame(&self, frame: &Frame) -> (Frame, Frame) {
        let train = Frame { weights: self.weights.clone(), ..frame.pick(&self.train) };
        (train, Frame { weights: None, ..frame.pick(&self.held) })
    }
}

/// Each row as often as it was drawn.
fn draws(rows: usize, weights: Option<&[u64]>) -> Result<Vec<usize>, SplitError> {
    let Some(weights) = weights else { return Ok((0..rows).collect()) };
    if let Some(row) = weights.iter().position(|weight| !weight.is_multiple_of(WEIGHT_UNIT)) {
        let weight = weights[row] as f64 / WEIGHT_UNIT as f64;
        return Err(SplitError::Weight { row: row + 1, weight });
    }
    let times = weights.iter().map(|weight| weight / WEIGHT_UNIT);
    let draws = times.clone().fold(0u64, u64::saturating_add);
    if draws > MAX_DRAWS {
        return Err(SplitError::TooMany { draws });
    }
    Ok(times.enumerate().flat_map(|(row, times)| std::iter::repeat_n(row, times as usize)).collect())
}
