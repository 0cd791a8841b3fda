//! From typed columns to bits: tests such as `age > 41.5`, learned from the training rows and applied to any others.
//!
//! A Boolean column is one bit. A column of numbers has a bit for each of a few cuts, and where it holds few whole numbers one
//! for each of them, since coded categories look like numbers. A category has a bit for each frequent level and one for the
//! rest. Where the training rows have gaps, one more bit says so; a missing value makes every other test of its column false.
//! Bits that say nothing new on the training rows are left out: constant ones, and those that equal an earlier one or its
//! complement.
//!
//! Everything depends on the values alone, neither on the order of a category's codes nor on the number of threads. Memory is
//! one column and the bits.

mod bit;
mod error;

use std::collections::BTreeMap;

use crate::frame::{Columns, Kind};

pub use bit::{Bit, Test};
pub use error::BinarizeError;

/// What a column was in the training rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub kind: Kind,
    /// Whether some training row has no value.
    pub gaps: bool,
}

/// How the cuts of a column of numbers are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cuts {
    /// Both by evidence and at quantiles: what tells the classes apart by itself, and what may do so together with others.
    #[default]
    Auto,
    /// At this many quantiles.
    Quantile(usize),
    /// Where the classes are described in fewer words with the cut than without it.
    Evidence,
}

/// How bits are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BinarizeOptions {
    /// Cuts of numbers.
    pub cuts: Cuts,
}

/// What the training rows are to be told apart by.
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    /// The number of each row's class.
    pub codes: &'a [u32],
    /// Number of classes.
    pub classes: usize,
    /// Weight of each row in millionths, where the rows are weighted.
    pub weights: Option<&'a [u64]>,
}

/// The tests that turn typed columns into bits.
///
/// ```
/// use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
/// use macchiato::frame::{self, FrameOptions};
/// use macchiato::table::Format;
///
/// let text = "age,job\n23,cook\n35,clerk\n48,clerk\n61,cook\n";
/// let frame = frame::read_from(text.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
/// let labels = Labels { codes: &[0, 0, 1, 1], classes: 2, weights: None };
/// let binarizer = Binarizer::learn(&frame, &labels, &BinarizeOptions::default())?;
/// assert!(binarizer.names().contains(&"job = clerk".to_owned()));
/// assert_eq!(binarizer.apply(&frame)?.len(), binarizer.bits().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Binarizer {
    columns: Vec<Column>,
    bits: Vec<Bit>,
}

impl Binarizer {
    /// Learns the tests from training rows. There is always at least one: where no column varies, one that never holds.
    ///
    /// # Errors
    /// No rows, no columns or too many, labels of another number, a column that cannot be used.
    pub fn learn(
        columns: &(impl Columns + ?Sized),
        labels: &Labels<'_>,
        options: &BinarizeOptions,
    ) -> Result<Self, BinarizeError> {
        Self::learn_and_apply(columns, labels, options).map(|(binarizer, _)| binarizer)
    }

    /// The same, with the bit columns of the training rows: what [`Binarizer::apply`] gives for them.
    ///
    /// # Errors
    /// Those of [`Binarizer::learn`].
    pub fn learn_and_apply(
        columns: &(impl Columns + ?Sized),
        labels: &Labels<'_>,
        options: &BinarizeOptions,
    ) -> Result<(Self, Vec<Vec<u64>>), BinarizeError> {
        let _ = (columns, labels, options);
        todo!()
    }

    /// The bit columns of these rows, one for each bit. Columns are found by name; those that the training rows did not have
    /// are passed over.
    ///
    /// Numbers that are 0 and 1 do for a Boolean column, and the other way round.
    ///
    /// # Errors
    /// A column that is not there, or of another type than the training rows'.
    pub fn apply(&self, columns: &(impl Columns + ?Sized)) -> Result<Vec<Vec<u64>>, BinarizeError> {
        let _ = columns;
        todo!()
    }

    /// The bits, in order.
    #[must_use]
    pub fn bits(&self) -> &[Bit] {
        &self.bits
    }

    /// The columns of the training rows.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The type of each column, for reading other rows.
    #[must_use]
    pub fn kinds(&self) -> BTreeMap<String, Kind> {
        self.columns.iter().map(|column| (column.name.clone(), column.kind)).collect()
    }

    /// The bits' names, `age > 41.5` and the like, all different: where two would be the same, the later one is numbered.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        todo!()
    }

    /// Bit `bit` in words, or its negation: `age > 41.5` and `age <= 41.5`.
    ///
    /// # Panics
    /// If there are not that many bits.
    #[must_use]
    pub fn words(&self, bit: usize, positive: bool) -> String {
        let bit = &self.bits[bit];
        bit.test.words(&self.columns[bit.column].name, positive)
    }
}
