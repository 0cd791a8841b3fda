//! What a reader fills: a table of bits, or a frame of typed columns.
//!
//! A reader finds names first and asks for a sink for them. Then it sets the cells of a row, each once, and ends the row; or
//! it hands over whole columns, one after the other.

use super::cell::Number;
use super::{Place, ReadError};

pub(crate) trait Sink {
    /// What the cells become.
    type Made;

    /// Columns of the file, weights included.
    fn width(&self) -> usize;

    /// Rows that are ended.
    #[cfg(feature = "parquet")]
    fn rows(&self) -> usize;

    /// Whether rows of nothing but 0 and 1 may be set by [`Sink::booleans`].
    fn takes_booleans(&self) -> bool;

    /// Sets all cells of the row under way to the lowest bits of `cells`.
    fn booleans(&mut self, cells: impl Iterator<Item = u8>);

    /// Sets cell `column` of the row under way to what `text` spells.
    fn text(&mut self, line: usize, column: usize, text: &[u8]) -> Result<(), ReadError>;

    /// Sets cell `column` of the row under way to a number.
    fn number(&mut self, column: usize, number: Number) -> Result<(), ReadError>;

    /// Sets cell `column` of the row under way to nothing.
    #[cfg(feature = "parquet")]
    fn gap(&mut self, line: usize, column: usize) -> Result<(), ReadError>;

    /// Ends the row under way, unless the cells take more memory than they may.
    fn end_row(&mut self) -> Result<(), ReadError>;

    /// Leaves the columns from `column` on to [`Sink::column`].
    fn fill_by_row_before(&mut self, column: usize);

    /// Takes the whole of column `column` from `next`, for arrays that lie column by column.
    fn column(
        &mut self,
        column: usize,
        rows: usize,
        next: impl FnMut() -> Result<Number, ReadError>,
    ) -> Result<(), ReadError>;

    fn finish(self, next_line: usize) -> Result<Self::Made, ReadError>;

    fn place(&self, line: usize, column: usize) -> Place;
}

/// `x1`, `x2`, ... and at the end `y`: the names of a file that has none.
pub(crate) fn default_names(inputs: usize) -> impl Iterator<Item = String> {
    (1..=inputs).map(|i| format!("x{i}")).chain(["y".to_owned()])
}
