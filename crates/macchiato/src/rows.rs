//! Labelled rows as bit columns: the paper's `D_train`, B inputs and T rows.
//!
//! One `u64` word holds 64 rows of one input, so memory is one bit for each input and row. Rows may repeat: each counts
//! in the majorities ([`crate::project`]) with its multiplicity and weight, and once among the neighbour pairs
//! ([`crate::influence`]), through [`Rows::distinct`].

mod booleans;
mod distinct;
mod error;
mod group;

use crate::bits;
use crate::frame::MAX_INPUTS;
use crate::frame::{Frame, Values};
use rayon::prelude::*;

pub use distinct::Distinct;
pub use error::RowsError;
pub use group::Groups;
pub(crate) use group::sorted_keys;

pub use crate::frame::WEIGHT_UNIT;

/// B named inputs and T labelled rows.
///
/// ```
/// use macchiato::rows::Rows;
///
/// // x1 AND x2, all four rows: bit j of a column is row j.
/// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b1000], 4)?;
/// assert_eq!((rows.inputs(), rows.len()), (2, 4));
/// assert_eq!(rows.names(), ["x1", "x2"]);
/// assert_eq!(rows.distinct().repeated, 0);
/// # Ok::<(), macchiato::rows::RowsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    names: Vec<String>,
    target: String,
    columns: Vec<Vec<u64>>,
    labels: Vec<u64>,
    len: usize,
    weights: Option<Vec<u64>>,
}

impl Rows {
    /// Rows from bit columns with the names `x1`, `x2`, ... and the target `y`; bits past the last row are ignored.
    ///
    /// # Errors
    /// No rows, no inputs, or a column that is too short.
    pub fn new(columns: Vec<Vec<u64>>, labels: Vec<u64>, len: usize) -> Result<Self, RowsError> {
        let names = (1..=columns.len()).map(|i| format!("x{i}")).collect();
        Self::named((names, "y".to_owned()), columns, labels, (len, None))
    }

    /// Rows from a frame of Boolean columns without gaps, whose column `target` (by default the last one) is the label.
    ///
    /// # Errors
    /// A column of another type or with gaps, no rows, no such target, no inputs or too many, weights that cannot be counted with.
    pub fn from_frame(frame: Frame, target: Option<&str>) -> Result<Self, RowsError> {
        let Frame { source: source_name, mut names, columns, rows, weights } = frame;
        let mut bit_columns = Vec::with_capacity(columns.len());
        for (name, values) in names.iter().zip(columns) {
            match values {
                Values::Boolean { bits, missing }
                    if missing.as_ref().is_none_or(|gaps| bits::count(gaps) == 0) =>
                {
                    bit_columns.push(bits.into_owned());
                }
                _ => return Err(RowsError::NotBoolean { source_name, column: name.clone() }),
            }
        }
        let at = match target {
            None => names.len().checked_sub(1),
            Some(target) => names.iter().position(|name| name == target),
        };
        let Some(at) = at else {
            return Err(match target {
                Some(target) if !names.is_empty() => {
                    let (target, columns) = (target.to_owned(), list(&names));
                    RowsError::NoTarget { source_name, target, columns }
                }
                _ => RowsError::Empty { source_name },
            });
        };
        let (labels, target) = (bit_columns.remove(at), names.remove(at));
        Self::checked(source_name, (names, target), bit_columns, labels, (rows, weights))
    }

    /// Rows from bit columns with the names of the inputs and of the target, and their weights in millionths where they have some; bits
    /// past the last row are ignored.
    ///
    /// # Errors
    /// No rows, no inputs or too many, a name that occurs twice, more or fewer names or weights than there should be, a column that is too
    /// short, weights that cannot be counted with.
    pub fn named(
        names: (Vec<String>, String),
        columns: Vec<Vec<u64>>,
        labels: Vec<u64>,
        rows: (usize, Option<Vec<u64>>),
    ) -> Result<Self, RowsError> {
        Self::checked("rows".to_owned(), names, columns, labels, rows)
    }

    fn checked(
        source_name: String,
        (names, target): (Vec<String>, String),
        mut columns: Vec<Vec<u64>>,
        mut labels: Vec<u64>,
        (len, weights): (usize, Option<Vec<u64>>),
    ) -> Result<Self, RowsError> {
        if len == 0 {
            return Err(RowsError::Empty { source_name });
        }
        if columns.is_empty() {
            return Err(RowsError::NoInputs { source_name, target });
        }
        let weighed = weights.as_ref().map_or(len, Vec::len);
        for (what, found, expected) in [("names", names.len(), columns.len()), ("weights", weighed, len)] {
            if found != expected {
                return Err(RowsError::Number { what: what.to_owned(), found, expected });
            }
        }
        if columns.len() > MAX_INPUTS {
            return Err(RowsError::TooManyInputs { source_name, inputs: columns.len() });
        }
        let mut sorted: Vec<&String> = names.iter().chain([&target]).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(RowsError::DuplicateName { source_name, name: pair[0].clone() });
        }
        let words = bits::words(len);
        let all = names.iter().zip(&mut columns).chain([(&target, &mut labels)]);
        for (name, column) in all {
            if column.len() < words {
                return Err(RowsError::Length { what: name.clone(), found: column.len(), expected: words });
            }
            column.truncate(words);
            column[words - 1] &= bits::last_mask(len);
        }
        if let Some(weights) = &weights {
            let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
            if sum == 0 || sum >= 1 << 63 {
                return Err(RowsError::Weights { source_name, sum: sum as f64 / WEIGHT_UNIT as f64 });
            }
        }
        Ok(Self { names, target, columns, labels, len, weights })
    }

    /// Number of inputs, the paper's B.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows, the paper's T.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never true: [`Rows::named`] refuses that.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Names of the inputs.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Name of the target.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The bit columns of the inputs.
    #[must_use]
    pub fn columns(&self) -> &[Vec<u64>] {
        &self.columns
    }

    /// The bit column of the labels.
    #[must_use]
    pub fn labels(&self) -> &[u64] {
        &self.labels
    }

    /// Weight of each row in millionths, where the rows are weighted.
    #[must_use]
    pub fn weights(&self) -> Option<&[u64]> {
        self.weights.as_deref()
    }

    /// The rows `from..to`, for the sample-splitting variant of Section 4.1.2.
    ///
    /// # Panics
    /// If the range is empty or reaches past the last row.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> Self {
        assert!(from < to && to <= self.len, "rows {from}..{to} of {}", self.len);
        let cut = |column: &Vec<u64>| cut(column, from, to);
        Self {
            names: self.names.clone(),
            target: self.target.clone(),
            columns: self.columns.iter().map(cut).collect(),
            labels: cut(&self.labels),
            len: to - from,
            weights: self.weights.as_ref().map(|weights| weights[from..to].to_vec()),
        }
    }

    /// The rows with these numbers, in this order.
    ///
    /// # Panics
    /// If there is none, or one reaches past the last row.
    #[must_use]
    pub fn pick(&self, rows: &[usize]) -> Self {
        assert!(!rows.is_empty(), "no rows to pick");
        Self {
            names: self.names.clone(),
            target: self.target.clone(),
            columns: self.columns.par_iter().map(|column| bits::pick(column, rows)).collect(),
            labels: bits::pick(&self.labels, rows),
            len: rows.len(),
            weights: self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]).collect()),
        }
    }

    /// The same rows with other weights, one for each, which add up to what [`Rows::named`] takes.
    pub(crate) fn weighing(self, weights: Option<Vec<u64>>) -> Self {
        debug_assert!(weights.as_ref().is_none_or(|weights| weights.len() == self.len));
        Self { weights, ..self }
    }

    /// The same inputs with other labels, bits past the last row ignored, and another target.
    pub(crate) fn relabelled(self, target: String, mut labels: Vec<u64>) -> Self {
        debug_assert_eq!(labels.len(), self.labels.len());
        if let Some(last) = labels.last_mut() {
            *last &= bits::last_mask(self.len);
        }
        Self { target, labels, ..self }
    }

    /// Which rows repeat, and what the repetitions say.
    #[must_use]
    pub fn distinct(&self) -> Distinct {
        Distinct::new(self)
    }

    /// The frame with these rows again, target last.
    #[must_use]
    pub fn into_frame(self, source: &str) -> Frame {
        let mut names = self.names;
        names.push(self.target);
        let columns = self.columns.into_iter().chain([self.labels]);
        let columns = columns.map(|bits| Values::Boolean { bits: bits.into(), missing: None }).collect();
        Frame { source: source.to_owned(), names, columns, rows: self.len, weights: self.weights }
    }
}

/// The first names, for a message.
fn list(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
    let more = names.len().saturating_sub(shown.len());
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

fn cut(column: &[u64], from: usize, to: usize) -> Vec<u64> {
    let (first, shift) = (from / 64, from % 64);
    let mut words: Vec<u64> = (0..bits::words(to - from))
        .map(|w| {
            let low = column[first + w] >> shift;
            let high =
                if shift == 0 { 0 } else { column.get(first + w + 1).map_or(0, |word| word << (64 - shift)) };
            low | high
        })
        .collect();
    if let Some(last) = words.last_mut() {
        *last &= bits::last_mask(to - from);
    }
    words
}

#[cfg(test)]
mod tests;
