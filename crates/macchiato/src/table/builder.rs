//! A table under way: cells come row by row, and 64 rows make a word of every column.
//!
//! The words under way lie side by side, so that a row touches one stretch of memory whatever the number of columns.

use super::cell::{self, Number};
use super::heading::Heading;
use super::room::Room;
use super::sink::Sink;
use super::{Place, ReadError, ReadOptions, Table};

/// The columns read so far.
#[derive(Debug)]
pub(super) struct Builder {
    /// The bits of the weights' column stay 0 until it is dropped at the end.
    heading: Heading,
    columns: Vec<Vec<u64>>,
    filling: Vec<u64>,
    /// The columns before this one are filled row by row, those from it on one after the other.
    by_row: usize,
    rows: usize,
    room: Room,
    /// Bytes that names and columns have reserved.
    used: u64,
}

impl Builder {
    /// For columns of these names, which stand on `line`: checked to be there, different, and not too many.
    pub(super) fn new(
        source: &str,
        line: usize,
        names: Vec<String>,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let heading = Heading::new(source, line, names, options.weight.as_deref())?;
        let width = heading.names.len();
        let used = heading.bytes() + 32 * width as u64;
        Ok(Self {
            room: Room::new(options.max_bytes),
            used,
            heading,
            columns: vec![Vec::new(); width],
            filling: vec![0; width],
            by_row: width,
            rows: 0,
        })
    }

    /// Sets cell `column` of the row under way. No cell is set twice.
    fn boolean(&mut self, column: usize, bit: bool) {
        self.filling[column] |= u64::from(bit) << (self.rows % 64);
    }

    fn not_boolean(&self, line: usize, column: usize, found: String) -> ReadError {
        ReadError::NotBoolean {
            place: self.place(line, column),
            found,
            name: self.heading.names[column].clone(),
        }
    }

    fn end_words(&mut self, before: usize) -> Result<(), ReadError> {
        for column in 0..before {
            self.end_word(column);
        }
        self.check_room()
    }

    fn end_word(&mut self, column: usize) {
        let words = &mut self.columns[column];
        let reserved = words.capacity();
        words.push(std::mem::take(&mut self.filling[column]));
        self.used += 8 * (words.capacity() - reserved) as u64;
    }

    fn check_room(&self) -> Result<(), ReadError> {
        let used = self.used + 8 * self.heading.weights.capacity() as u64;
        if self.room.is_exceeded(used) { Err(self.room.fault(&self.heading.source)) } else { Ok(()) }
    }
}

impl Sink for Builder {
    type Made = Table;

    fn width(&self) -> usize {
        self.heading.names.len()
    }

    #[cfg(feature = "parquet")]
    fn rows(&self) -> usize {
        self.rows
    }

    fn takes_booleans(&self) -> bool {
        self.heading.weight.is_none()
    }

    fn booleans(&mut self, cells: impl Iterator<Item = u8>) {
        let row = self.rows % 64;
        for (word, cell) in self.filling.iter_mut().zip(cells) {
            *word |= u64::from(cell & 1) << row;
        }
    }

    fn text(&mut self, line: usize, column: usize, text: &[u8]) -> Result<(), ReadError> {
        if Some(column) == self.heading.weight {
            return self.heading.add_text(line, column, text);
        }
        let bit = cell::boolean(text).ok_or_else(|| self.not_boolean(line, column, cell::shown(text)))?;
        self.boolean(column, bit);
        Ok(())
    }

    fn number(&mut self, column: usize, number: Number) -> Result<(), ReadError> {
        let line = self.rows + 1;
        if Some(column) == self.heading.weight {
            return self.heading.add_number(line, column, number);
        }
        let bit = number.boolean().ok_or_else(|| self.not_boolean(line, column, number.to_string()))?;
        self.boolean(column, bit);
        Ok(())
    }

    #[cfg(feature = "parquet")]
    fn gap(&mut self, line: usize, column: usize) -> Result<(), ReadError> {
        self.text(line, column, b"null")
    }

    fn end_row(&mut self) -> Result<(), ReadError> {
        self.rows += 1;
        debug_assert!(
            self.heading.weight.is_none_or(|w| w >= self.by_row || self.heading.weights.len() == self.rows)
        );
        if self.rows.is_multiple_of(64) { self.end_words(self.by_row) } else { Ok(()) }
    }

    fn fill_by_row_before(&mut self, column: usize) {
        self.by_row = column;
    }

    fn column(
        &mut self,
        column: usize,
        rows: usize,
        mut next: impl FnMut() -> Result<Number, ReadError>,
    ) -> Result<(), ReadError> {
        for row in 0..rows {
            self.rows = row;
            self.number(column, next()?)?;
            if row % 64 == 63 {
                self.end_word(column);
                self.check_room()?;
            }
        }
        self.rows = rows;
        Ok(())
    }

    fn finish(mut self, next_line: usize) -> Result<Table, ReadError> {
        if self.rows == 0 {
            return Err(ReadError::NoRows { place: self.place(next_line, 0) });
        }
        if !self.rows.is_multiple_of(64) {
            self.end_words(self.columns.len())?;
        }
        let Heading { source, mut names, weight, weights, .. } = self.heading;
        let weights = weight.map(|column| {
            names.remove(column);
            self.columns.remove(column);
            weights
        });
        self.columns.iter_mut().for_each(Vec::shrink_to_fit);
        let Self { columns, rows, .. } = self;
        Ok(Table { source, names, columns, rows, weights })
    }

    fn place(&self, line: usize, column: usize) -> Place {
        self.heading.place(line, column)
    }
}
