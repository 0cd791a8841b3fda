//! One row: the bits that a circuit reads, and the cells of the table that they come from.

use crate::binarize::BinarizeError;
use crate::bits;
use crate::classifier::Classifier;
use crate::frame::{Columns, Values, shown};

/// The input of one prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// A value for each input of the circuit.
    pub(super) bits: Vec<bool>,
    /// The cell of each column of the table, where there is one.
    pub(super) cells: Vec<String>,
}

impl Point {
    /// Values of a circuit's inputs.
    #[must_use]
    pub fn of_bits(bits: &[bool]) -> Self {
        Self { bits: bits.to_vec(), cells: Vec::new() }
    }

    /// Row `row` of a table, seen by a classifier; the others are not looked at more than they must.
    ///
    /// # Errors
    /// A column that is not there or of another type.
    ///
    /// # Panics
    /// If there are not that many rows.
    pub fn of_row(
        classifier: &Classifier,
        columns: &(impl Columns + ?Sized),
        row: usize,
    ) -> Result<Self, BinarizeError> {
        assert!(row < columns.rows(), "row {row} of {}", columns.rows());
        let binarizer = classifier.binarizer();
        let bits = binarizer.apply(columns)?;
        let mut cells = Vec::new();
        for column in binarizer.columns() {
            let Some(at) = columns.names().iter().position(|name| *name == column.name) else {
                return Err(BinarizeError::NoColumn { name: column.name.clone() });
            };
            cells.push(cell(&columns.column(at)?, row));
        }
        Ok(Self { bits: bits.iter().map(|column| bits::get(column, row)).collect(), cells })
    }

    /// The value of each input of the circuit.
    #[must_use]
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }
}

/// One cell as a person reads it.
fn cell(values: &Values<'_>, row: usize) -> String {
    if values.is_missing(row) {
        return "missing".to_owned();
    }
    match values {
        Values::Boolean { bits, .. } => u8::from(bits::get(bits, row)).to_string(),
        Values::Number(numbers) => shown(numbers[row]),
        Values::Category { codes, levels } => levels[codes[row] as usize].clone(),
    }
}
