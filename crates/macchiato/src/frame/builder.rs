//! A frame under way: a reader finds the names first, then sets the cells of a row, each once, and ends the row; or it hands over whole
//! columns, one after the other. The cells of each column go to a [`Growing`] one.

use super::cell::{self, Number};
use super::growing::{Growing, Odd};
use super::heading::Heading;
use super::room::Room;
use super::{Frame, FrameOptions, Place, ReadError};

#[derive(Debug)]
pub(super) struct Builder {
    heading: Heading,
    columns: Vec<Growing>,
    rows: usize,
    room: Room,
    /// Bytes that names and columns had reserved when they were counted last, and text that came since.
    counted: u64,
    fresh: u64,
}

impl Builder {
    /// For columns of these names, which stand on `line`: checked to be there, different, and not too many.
    pub(super) fn new(
        source: &str,
        line: usize,
        names: Vec<String>,
        options: &FrameOptions,
    ) -> Result<Self, ReadError> {
        let heading = Heading::new(source, line, names, options.weight.as_deref())?;
        let last = (0..heading.names.len()).rev().find(|&column| Some(column) != heading.weight);
        let columns = heading.names.iter().enumerate().map(|(column, name)| {
            let known = options.types.get(name).copied();
            Growing::new(known.or(if Some(column) == last { options.last } else { None }))
        });
        let room = Room::new(options.max_bytes);
        Ok(Self { columns: columns.collect(), heading, rows: 0, room, counted: 0, fresh: 0 })
    }

    /// Columns of the file, weights included.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Rows that are ended.
    #[cfg(feature = "parquet")]
    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// Whether rows of nothing but 0 and 1 may be set by [`Builder::booleans`].
    pub(super) const fn takes_booleans(&self) -> bool {
        self.heading.weight.is_none()
    }

    /// Sets all cells of the row under way to the lowest bits of `cells`.
    pub(super) fn booleans(&mut self, cells: impl Iterator<Item = u8>) -> Result<(), ReadError> {
        for (column, cell) in cells.enumerate() {
            if !self.columns[column].digit(cell & 1 == 1) {
                self.text(self.rows + 1, column, &[b'0' + (cell & 1)])?;
            }
        }
        Ok(())
    }

    /// Sets cell `column` of the row under way to what `text` spells.
    pub(super) fn text(&mut self, line: usize, column: usize, text: &[u8]) -> Result<(), ReadError> {
        if Some(column) == self.heading.weight {
            return self.heading.add_text(line, column, text);
        }
        self.fresh += text.len() as u64;
        let left = self.left();
        self.columns[column].text(text, left).map_err(|odd| self.fault(line, column, odd, cell::shown(text)))
    }

    /// Sets cell `column` of the row under way to a number.
    pub(super) fn number(&mut self, column: usize, number: Number) -> Result<(), ReadError> {
        let line = self.rows + 1;
        if Some(column) == self.heading.weight {
            return self.heading.add_number(line, column, number);
        }
        let left = self.left();
        self.columns[column]
            .number(number, left)
            .map_err(|odd| self.fault(line, column, odd, number.to_string()))
    }

    /// Ends the row under way, unless the cells take more memory than they may.
    pub(super) fn end_row(&mut self) -> Result<(), ReadError> {
        self.rows += 1;
        // Counting looks at every column, so it is done now and then, and where long texts came.
        if self.rows.is_multiple_of(64) || self.room.is_exceeded(self.counted + self.fresh) {
            return self.count();
        }
        Ok(())
    }

    /// Takes the whole of column `column` from `next`, for arrays that lie column by column.
    pub(super) fn column(
        &mut self,
        column: usize,
        rows: usize,
        mut next: impl FnMut() -> Result<Number, ReadError>,
    ) -> Result<(), ReadError> {
        for row in 0..rows {
            self.rows = row;
            self.number(column, next()?)?;
            if row % 4096 == 4095 {
                self.count()?;
            }
        }
        self.rows = rows;
        Ok(())
    }

    pub(super) fn finish(mut self, next_line: usize) -> Result<Frame, ReadError> {
        if self.rows == 0 {
            return Err(ReadError::NoRows { place: self.place(next_line, 0) });
        }
        self.count()?;
        let Heading { source, mut names, weight, weights, .. } = self.heading;
        let weights = weight.map(|column| {
            names.remove(column);
            self.columns.remove(column);
            weights
        });
        let columns = self.columns.into_iter().map(Growing::finish).collect();
        Ok(Frame { source, names, columns, rows: self.rows, weights })
    }

    pub(super) fn place(&self, line: usize, column: usize) -> Place {
        self.heading.place(line, column)
    }

    /// Counts anew what is reserved.
    fn count(&mut self) -> Result<(), ReadError> {
        let columns: u64 = self.columns.iter().map(Growing::bytes).sum();
        self.counted = columns + self.heading.bytes() + 8 * self.heading.weights.capacity() as u64;
        self.fresh = 0;
        if self.room.is_exceeded(self.counted) { Err(self.room.fault(&self.heading.source)) } else { Ok(()) }
    }

    fn left(&self) -> u64 {
        self.room.left(self.counted + self.fresh)
    }

    fn fault(&self, line: usize, column: usize, odd: Odd, found: String) -> ReadError {
        let (place, name) = (self.place(line, column), self.heading.names[column].clone());
        match odd {
            Odd::Boolean => ReadError::NotBoolean { place, found, name },
            Odd::Number => ReadError::NotNumber { place, found, name },
            Odd::Finite => ReadError::NotFinite { place, found, name },
            Odd::Text => ReadError::CellNotText { place, name },
            Odd::Room => self.room.fault(&self.heading.source),
        }
    }
}

/// `x1`, `x2`, ... and at the end `y`: the names of a file that has none.
pub(super) fn default_names(inputs: usize) -> impl Iterator<Item = String> {
    (1..=inputs).map(|i| format!("x{i}")).chain(["y".to_owned()])
}
