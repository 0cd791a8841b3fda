//! One row: the bits that a circuit reads, and the cells of the table that they come from.

use std::ops::Range;

use super::Subject;
use super::subject::Part;
use crate::binarize::{BinarizeError, Test};
use crate::bits;
use crate::frame::{Columns, Values, shown};
use crate::model::Model;

/// The input of one prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// A value for each input of the circuit.
    pub(super) bits: Vec<bool>,
    /// The cell of each column of the table, where there is one.
    pub(super) cells: Vec<String>,
    /// Whether it is one that the training rows did not have: a gap, a level, a fraction.
    pub(super) unusual: Vec<bool>,
}

impl Point {
    /// Values of a circuit's inputs.
    #[must_use]
    pub fn of_bits(bits: &[bool]) -> Self {
        Self { bits: bits.to_vec(), cells: Vec::new(), unusual: Vec::new() }
    }

    /// Row `row` of a table, seen by a model; the others are not looked at more than they must.
    ///
    /// # Errors
    /// A column that is not there or of another type.
    ///
    /// # Panics
    /// If there are not that many rows.
    pub fn of_row(
        model: &Model,
        columns: &(impl Columns + ?Sized),
        row: usize,
    ) -> Result<Self, BinarizeError> {
        assert!(row < columns.rows(), "row {row} of {}", columns.rows());
        let mut points = Self::some(model, columns, row..row + 1)?;
        Ok(points.swap_remove(0))
    }

    /// Every row of a table, seen by a model.
    ///
    /// # Errors
    /// A column that is not there or of another type.
    pub fn of_rows(model: &Model, columns: &(impl Columns + ?Sized)) -> Result<Vec<Self>, BinarizeError> {
        Self::some(model, columns, 0..columns.rows())
    }

    fn some(
        model: &Model,
        columns: &(impl Columns + ?Sized),
        rows: Range<usize>,
    ) -> Result<Vec<Self>, BinarizeError> {
        let binarizer = model.binarizer();
        let bits = binarizer.apply(columns)?;
        let bits = |row: usize| -> Vec<bool> { bits.iter().map(|column| bits::get(column, row)).collect() };
        let mut points: Vec<Self> = rows.clone().map(|row| Self::of_bits(&bits(row))).collect();
        if model.is_plain() {
            return Ok(points);
        }
        // What else the training rows had follows from the tests.
        let mut others = vec![false; binarizer.columns().len()];
        let (mut whole, mut tested) = (others.clone(), others.clone());
        for bit in binarizer.bits() {
            tested[bit.column] = true;
            others[bit.column] |= bit.test == Test::Other;
            whole[bit.column] |= matches!(bit.test, Test::Equals(_));
        }
        for (number, column) in binarizer.columns().iter().enumerate() {
            if !tested[number] {
                // Whatever is in it says nothing.
                for point in &mut points {
                    point.cells.push(String::new());
                    point.unusual.push(false);
                }
                continue;
            }
            let Some(at) = columns.names().iter().position(|name| *name == column.name) else {
                return Err(BinarizeError::NoColumn { name: column.name.clone() });
            };
            let values = columns.column(at)?;
            for (point, row) in points.iter_mut().zip(rows.clone()) {
                point.cells.push(cell(&values, row));
                point.unusual.push(match &values {
                    values if values.is_missing(row) => !column.gaps,
                    Values::Category { codes, levels } => {
                        !others[number] && !column.levels.contains(&levels[codes[row] as usize])
                    }
                    Values::Number(numbers) => whole[number] && numbers[row].fract() != 0.0,
                    Values::Boolean { .. } => false,
                });
            }
        }
        Ok(points)
    }

    /// What the circuits of a subject, and explanations of them, tell points apart by: the inputs that are read, and where cells are unusual.
    #[must_use]
    pub fn told_apart(&self, subject: &Subject<'_>) -> (Vec<bool>, Vec<bool>) {
        let mut read: Vec<usize> = subject.parts.iter().flat_map(Part::support).collect();
        read.sort_unstable();
        read.dedup();
        (read.into_iter().map(|input| self.bits[input]).collect(), self.unusual.clone())
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
