//! A bound on the true error of any model, from rows that nothing learned from: the number a practitioner wants.
//!
//! **Statement.** Let the rows be independent draws from one distribution, and let n of them, chosen at random, be put aside
//! before anything looks at them. If the model gets k of these wrong, then with probability at least 1 - delta its error on
//! further such rows is at most the p at which k or fewer errors among n have probability delta (Clopper and Pearson's exact
//! limit, [`super::binomial::upper_limit`]). No other assumption: any distribution, noisy labels, any learner.
//!
//! *Proof.* Given the training rows the model is fixed, and the held-out rows are still independent draws, so their errors
//! are binomial with n and the true error. The limit is the upper end of the exact binomial test, inverted.
//!
//! A network that computes the model's circuit on all 0/1 inputs errs where the circuit errs, so the same bound holds for
//! it (`cor:neural-transfer-statistical-guarantees`); that it does is what its certificate shows.

use std::fmt;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::binomial;
use crate::binarize::BinarizeError;
use crate::bits;
use crate::circuit::Circuit;
use crate::classifier::{Classifier, Target};
use crate::frame::{Columns, Frame};
use crate::generate::shuffle_first;
use crate::model::{Confidence, Holdout};
use crate::rows::{Rows, WEIGHT_UNIT};

/// The stream of the seed's generator that chooses the rows: no learner uses it.
const PUTTING_ASIDE: u64 = 0x686f_6c64;

/// Most draws that are shared out one by one.
const MAX_DRAWS: u64 = 1 << 28;

/// Rows to learn from, and rows put aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    train: Vec<usize>,
    weights: Option<Vec<u64>>,
    held: Vec<usize>,
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
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(PUTTING_ASIDE);
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
            match &mut split.weights {
                Some(weights) if split.train.last() == Some(&row) => {
                    weights.iter_mut().next_back().into_iter().for_each(|weight| *weight += WEIGHT_UNIT);
                }
                weights => {
                    split.train.push(row);
                    weights.iter_mut().for_each(|weights| weights.push(WEIGHT_UNIT));
                }
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

/// How many of the rows a circuit gets wrong; each counts once, whatever its weight.
///
/// # Panics
/// If the rows have fewer inputs than the circuit.
#[must_use]
pub fn judge(circuit: &Circuit, rows: &Rows, confidence: Confidence) -> Holdout {
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let mut wrong = circuit.evaluate(&columns, bits::words(rows.len()));
    wrong.iter_mut().zip(rows.labels()).for_each(|(answer, label)| *answer ^= label);
    if let Some(last) = wrong.last_mut() {
        *last &= bits::last_mask(rows.len());
    }
    Holdout { rows: rows.len() as u64, wrong: bits::count(&wrong) as u64, confidence }
}

/// How many rows of a table a classifier gets wrong. A row of a class that it has never seen is one of them.
///
/// # Errors
/// A column that is not there or of another type.
pub fn judge_classifier(
    classifier: &Classifier,
    columns: &(impl Columns + ?Sized),
    target: &Target,
    confidence: Confidence,
) -> Result<Holdout, BinarizeError> {
    let answers = classifier.predict(columns)?;
    let classes: Vec<Option<usize>> = target.classes().iter().map(|class| classifier.class(class)).collect();
    let right = |&(&answer, &code): &(&u32, &u32)| classes[code as usize] == Some(answer as usize);
    let right = answers.iter().zip(target.codes()).filter(right).count();
    Ok(Holdout { rows: answers.len() as u64, wrong: (answers.len() - right) as u64, confidence })
}

/// What held-out rows show, in numbers; displayed, in a sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorBound {
    /// The rows, those of them that are wrong, and the confidence.
    #[serde(flatten)]
    pub holdout: Holdout,
    /// With that confidence, the true error is at most this.
    pub error_at_most: f64,
}

impl ErrorBound {
    /// The exact bound.
    ///
    /// ```
    /// use macchiato::bounds::holdout::ErrorBound;
    /// use macchiato::model::{Confidence, Holdout};
    ///
    /// let holdout = Holdout { rows: 1000, wrong: 12, confidence: Confidence::default() };
    /// assert_eq!(
    ///     ErrorBound::new(holdout).to_string(),
    ///     "with 95 % confidence it errs on at most 2.0 % of such rows (12 of 1000 held-out rows wrong)"
    /// );
    /// ```
    #[must_use]
    pub fn new(holdout: Holdout) -> Self {
        let Holdout { rows, wrong, confidence } = holdout;
        Self { holdout, error_at_most: binomial::upper_limit(wrong, rows, confidence.risk()) }
    }
}

impl fmt::Display for ErrorBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holdout { rows, wrong, confidence } = self.holdout;
        write!(
            f,
            "with {} confidence it errs on at most {} of such rows ({wrong} of {rows} held-out rows wrong)",
            confidence.percent(),
            at_most_percent(self.error_at_most)
        )
    }
}

/// A share as a percentage of two digits or more, rounded up, so that "at most" stays true.
#[must_use]
pub fn at_most_percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = match percent {
        p if p >= 1.0 => 1,
        p if p > 0.0 => 2 + (-p.log10()).floor().clamp(0.0, 15.0) as usize,
        _ => 0,
    };
    let scale = 10f64.powi(digits as i32);
    // What is a round number but for the last bit stays one.
    let up = (percent * scale * (1.0 - 1e-12)).ceil() / scale;
    format!("{:.digits$} %", up.min(100.0))
}

/// How many rows without a single error show that the error is at most `error`: the least n with (1 - error)^n at most the risk.
/// None if no number does.
///
/// ```
/// use macchiato::bounds::holdout::rows_without_error;
/// use macchiato::model::Confidence;
///
/// assert_eq!(rows_without_error(0.01, Confidence::default()), Some(299));
/// assert_eq!(rows_without_error(0.0, Confidence::default()), None);
/// ```
#[must_use]
pub fn rows_without_error(error: f64, confidence: Confidence) -> Option<u64> {
    if !(error > 0.0) {
        return None;
    }
    if error >= 1.0 {
        return Some(1);
    }
    rows_at_rate((0, 1), error, confidence)
}

/// About how many rows show that the error is at most `error`, if `wrong` of every `of` are wrong (rounded up): the least n for which
/// the bound is that low. None if the rate itself is not below `error`.
///
/// ```
/// use macchiato::bounds::holdout::rows_at_rate;
/// use macchiato::model::Confidence;
///
/// assert_eq!(rows_at_rate((12, 1000), 0.015, Confidence::default()), Some(5000));
/// assert_eq!(rows_at_rate((12, 1000), 0.012, Confidence::default()), None);
/// ```
#[must_use]
pub fn rows_at_rate((wrong, of): (u64, u64), error: f64, confidence: Confidence) -> Option<u64> {
    /// Beyond this nobody has rows.
    const MOST: u64 = 1 << 40;
    let rate = wrong as f64 / of.max(1) as f64;
    if !(rate < error) {
        return None;
    }
    let shown = |rows: u64| {
        let wrong = u128::from(wrong) * u128::from(rows);
        let wrong = wrong.div_ceil(u128::from(of.max(1))) as u64;
        binomial::upper_limit(wrong, rows, confidence.risk()) <= error
    };
    let mut high = 1;
    while !shown(high) {
        high *= 2;
        if high > MOST {
            return None;
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if shown(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests;
