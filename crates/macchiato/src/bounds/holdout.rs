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

mod split;

use std::fmt;

use serde::Serialize;

use super::binomial;
use crate::binarize::BinarizeError;
use crate::bits;
use crate::circuit::Circuit;
use crate::frame::Columns;
use crate::model::{Confidence, Holdout, Model, Target};
use crate::rows::Rows;

pub use split::{Split, SplitError};

/// How many of the rows a circuit gets wrong; each counts once, whatever its weight.
///
/// # Panics
/// If the rows have fewer inputs than the circuit, or it has no output.
pub(super) fn judge_circuit(circuit: &Circuit, rows: &Rows, confidence: Confidence) -> Holdout {
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let mut wrong = circuit.evaluate(&columns, bits::words(rows.len())).swap_remove(0);
    wrong.iter_mut().zip(rows.labels()).for_each(|(answer, label)| *answer ^= label);
    bits::trim(&mut wrong, rows.len());
    Holdout { rows: rows.len() as u64, wrong: bits::count(&wrong) as u64, confidence }
}

/// How many rows of a table a model gets wrong; each counts once, whatever its weight. A row of a class that it has never seen is one of them.
///
/// # Errors
/// A column that is not there or of another type.
pub fn judge(
    model: &Model,
    columns: &(impl Columns + ?Sized),
    target: &Target,
    confidence: Confidence,
) -> Result<Holdout, BinarizeError> {
    let answers = model.predict(columns)?;
    let classes: Vec<Option<usize>> = target.classes().iter().map(|class| model.class(class)).collect();
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
    // A digit for each power of ten that a share below one percent is short of it.
    let (mut digits, mut scale) = if percent > 0.0 { (1, 10.0) } else { (0, 1.0) };
    while percent > 0.0 && percent * scale < 10.0 && digits < 15 {
        digits += 1;
        scale *= 10.0;
    }
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
    if error >= 1.0 {
        return Some(1);
    }
    rows_at_rate((0, 1), error, confidence)
}

/// About how many rows show that the error is at most `error`, if `wrong` of every `of` are wrong (rounded up): with these the bound is
/// that low, and with one less it is not. None if the rate itself is not below `error`.
///
/// ```
/// use macchiato::bounds::holdout::rows_at_rate;
/// use macchiato::model::Confidence;
///
/// assert_eq!(rows_at_rate((12, 1000), 0.015, Confidence::default()), Some(4953));
/// assert_eq!(rows_at_rate((12, 1000), 0.012, Confidence::default()), None);
/// ```
#[must_use]
pub fn rows_at_rate((wrong, of): (u64, u64), error: f64, confidence: Confidence) -> Option<u64> {
    /// Beyond this nobody has rows.
    const MOST: u64 = 1 << 40;
    let rate = wrong as f64 / of.max(1) as f64;
    if error.is_nan() || rate >= error {
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
