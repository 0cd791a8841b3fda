//! A frame under way: the cells of each column go to a [`Growing`] one.

use super::growing::{Growing, Odd};
use super::{Frame, FrameOptions, Kind};
use crate::table::cell::{self, Number};
use crate::table::heading::Heading;
use crate::table::room::Room;
use crate::table::sink::Sink;
use crate::table::{Place, ReadError};

/// What a pass over a file gives.
pub(super) enum Pass {
    Frame(Frame),
    /// Columns whose first cells were forgotten before they turned out to be text.
    Again(Vec<usize>),
}

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
    /// For columns of these names, which stand on `line`; those in `again` are categories.
    pub(super) fn new(
        source: &str,
        line: usize,
        names: Vec<String>,
        options: &FrameOptions,
        again: &[usize],
        room: Room,
    ) -> Result<Self, ReadError> {
        let heading = Heading::new(source, line, names, options.weight.as_deref())?;
        let last = (0..heading.names.len()).rev().find(|&column| Some(column) != heading.weight);
        let columns = heading.names.iter().enumerate().map(|(column, name)| {
            let known = options.types.get(name).copied();
            let known = known.or(if Some(column) == last { options.last } else { None });
            Growing::new(if again.contains(&column) { Some(Kind::Category) } else { known })
        });
        Ok(Self { columns: columns.collect(), heading, rows: 0, room, counted: 0, fresh: 0 })
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

impl Sink for Builder {
    type Made = Pass;

    fn width(&self) -> usize {
        self.columns.len()
    }

    #[cfg(feature = "parquet")]
    fn rows(&self) -> usize {
        self.rows
    }

    fn takes_booleans(&self) -> bool {
        false
    }

    fn booleans(&mut self, cells: impl Iterator<Item = u8>) {
        let left = self.left();
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            // Never odd, since types are inferred or the cell is handed over as text.
            let _ = column.number(Number::Integer((cell & 1).into()), left);
        }
    }

    fn text(&mut self, line: usize, column: usize, text: &[u8]) -> Result<(), ReadError> {
        if Some(column) == self.heading.weight {
            return self.heading.add_text(line, column, text);
        }
        self.fresh += text.len() as u64;
        let left = self.left();
        self.columns[column].text(text, left).map_err(|odd| self.fault(line, column, odd, cell::shown(text)))
    }

    fn number(&mut self, column: usize, number: Number) -> Result<(), ReadError> {
        let line = self.rows + 1;
        if Some(column) == self.heading.weight {
            return self.heading.add_number(line, column, number);
        }
        let left = self.left();
        self.columns[column]
            .number(number, left)
            .map_err(|odd| self.fault(line, column, odd, number.to_string()))
    }

    #[cfg(feature = "parquet")]
    fn gap(&mut self, line: usize, column: usize) -> Result<(), ReadError> {
        self.text(line, column, b"")
    }

    fn end_row(&mut self) -> Result<(), ReadError> {
        self.rows += 1;
        // Counting looks at every column, so it is done now and then, and where long texts came.
        if self.rows.is_multiple_of(64) || self.room.is_exceeded(self.counted + self.fresh) {
            return self.count();
        }
        Ok(())
    }

    fn fill_by_row_before(&mut self, _: usize) {}

    fn column(
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

    fn finish(mut self, next_line: usize) -> Result<Pass, ReadError> {
        if self.rows == 0 {
            return Err(ReadError::NoRows { place: self.place(next_line, 0) });
        }
        self.count()?;
        let again: Vec<usize> =
            (0..self.columns.len()).filter(|&column| self.columns[column].is_lost()).collect();
        if !again.is_empty() {
            return Ok(Pass::Again(again));
        }
        let Heading { source, mut names, weight, weights, .. } = self.heading;
        let weights = weight.map(|column| {
            names.remove(column);
            self.columns.remove(column);
            weights
        });
        let columns = self.columns.into_iter().map(Growing::finish).collect();
        Ok(Pass::Frame(Frame { source, names, columns, rows: self.rows, weights }))
    }

    fn place(&self, line: usize, column: usize) -> Place {
        self.heading.place(line, column)
    }
}
