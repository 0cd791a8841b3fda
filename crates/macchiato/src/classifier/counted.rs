//! Rows of weight 0 count as absent: their gaps, levels and classes are not there. Weights that are all 1 say nothing.
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
/// use macchiato::classifier::counted;
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
        let same = |weights: &&[u64]| weights.len() == whole.rows() && weights.len() == target.codes().len();
        let rows = counted(weights.filter(same));
        let (target, weights) = match (&rows, weights) {
            (Some(rows), Some(weights)) => {
                let weights: Vec<u64> = rows.iter().map(|&row| weights[row]).collect();
                (Cow::Owned(target.pick(rows)), Some(Cow::Owned(weights)))
            }
            (_, weights) => (Cow::Borrowed(target), weights.map(Cow::Borrowed)),
        };
        let columns = Picked { whole, rows };
        let one = |&weight: &u64| weight == WEIGHT_UNIT;
        let weights = weights.filter(|weights| weights.len() != columns.rows() || !weights.iter().all(one));
        Self { columns, target, weights }
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

/// Some rows of a table, or all of them.
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
