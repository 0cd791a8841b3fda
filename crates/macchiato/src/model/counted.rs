//! Rows of weight 0 count as absent: their gaps, levels and classes are not there. Weights that are whole numbers are
//! repetitions, and are taken as that while the rows stay few: so a weighted fit is the fit of the repeated rows, bit by bit.
//!
//! Takes a table with its target and weights, gives the same over the rows that count, one column at a time. Faults keep the
//! numbers that the rows have in the whole table.

use std::borrow::Cow;

use super::{Examples, FitError, Target};
use crate::frame::{Columns, FrameError, Values};
use crate::rows::WEIGHT_UNIT;

/// The rows with a weight above 0; none where that is all of them, or nothing.
///
/// ```
/// use macchiato::model::counted;
///
/// assert_eq!(counted(Some(&[0, 1_000_000, 500_000])), Some(vec![1, 2]));
/// assert_eq!((counted(Some(&[1, 2])), counted(Some(&[0, 0])), counted(None)), (None, None, None));
/// ```
#[must_use]
pub fn counted(weights: Option<&[u64]>) -> Option<Vec<usize>> {
    let weights = weights?;
    let rows: Vec<usize> = (0..weights.len()).filter(|&row| weights[row] > 0).collect();
    (!rows.is_empty() && rows.len() < weights.len()).then_some(rows)
}

/// Rows with their repetitions at most; with more the weights stay, and the search draws by them.
const REPEATED: u64 = 1 << 16;

/// The rows as often as they weigh, if that is a whole number for each and they are not too many.
fn repeated(weights: &[u64]) -> Option<Vec<usize>> {
    let total = weights.iter().try_fold(0u64, |sum, &weight| sum.checked_add(weight))?;
    let whole = weights.iter().all(|weight| weight.is_multiple_of(WEIGHT_UNIT));
    (whole && (1..=REPEATED).contains(&(total / WEIGHT_UNIT))).then(|| {
        let times = |row: usize| (weights[row] / WEIGHT_UNIT) as usize;
        (0..weights.len()).flat_map(|row| std::iter::repeat_n(row, times(row))).collect()
    })
}

/// The rows of a table that count, with their classes.
pub(super) struct Counted<'a, C: ?Sized> {
    columns: Picked<'a, C>,
    target: Cow<'a, Target>,
    weights: Option<Cow<'a, [u64]>>,
}

impl<'a, C: Columns + ?Sized> Counted<'a, C> {
    /// Those of `examples`. Lengths that disagree stay, for others to say.
    pub(super) fn new(examples: &Examples<'a, C>) -> Self {
        let Examples { columns: whole, target, weights } = *examples;
        let agree = |weights: &&[u64]| weights.len() == whole.rows() && weights.len() == target.codes().len();
        let Some(its) = weights.filter(agree) else {
            let (target, weights) = (Cow::Borrowed(target), weights.map(Cow::Borrowed));
            return Self { columns: Picked { whole, rows: None }, target, weights };
        };
        let one = |weights: &[u64]| weights.iter().all(|&weight| weight == WEIGHT_UNIT);
        let (rows, weights) = if one(its) {
            (None, None)
        } else if let Some(rows) = repeated(its) {
            (Some(rows), None)
        } else if let Some(rows) = counted(Some(its)) {
            let weights: Vec<u64> = rows.iter().map(|&row| its[row]).collect();
            (Some(rows), (!one(&weights)).then_some(Cow::Owned(weights)))
        } else {
            (None, Some(Cow::Borrowed(its)))
        };
        let target = rows.as_ref().map_or(Cow::Borrowed(target), |rows| Cow::Owned(target.pick(rows)));
        Self { columns: Picked { whole, rows }, target, weights }
    }

    /// They are examples themselves.
    pub(super) fn examples(&self) -> Examples<'_, Picked<'a, C>> {
        Examples { columns: &self.columns, target: &self.target, weights: self.weights.as_deref() }
    }

    /// An error with the number that its row has in the whole table.
    pub(super) fn placed(&self, error: FitError) -> FitError {
        match (error, &self.columns.rows) {
            (FitError::UnknownClass { target, row, class }, Some(rows)) => {
                FitError::UnknownClass { target, row: rows[row], class }
            }
            (error, _) => error,
        }
    }
}

/// Some rows of a table, perhaps more than once, or all of them.
pub(super) struct Picked<'a, C: ?Sized> {
    whole: &'a C,
    rows: Option<Vec<usize>>,
}

impl<C: Columns + ?Sized> Columns for Picked<'_, C> {
    fn rows(&self) -> usize {
        self.rows.as_ref().map_or_else(|| self.whole.rows(), Vec::len)
    }

    fn names(&self) -> &[String] {
        self.whole.names()
    }

    fn column(&self, i: usize) -> Result<Values<'_>, FrameError> {
        let values = self.whole.column(i)?;
        let Some(rows) = &self.rows else { return Ok(values) };
        values.check(&self.names()[i], self.whole.rows())?;
        Ok(values.pick(rows))
    }
}
