//! A table under way: cells come row by row, and 64 rows make a word of every column.
//!
//! The words under way lie side by side, so that a row touches one stretch of memory whatever the number of columns.

use std::collections::HashMap;

use super::{MAX_INPUTS, Place, ReadError, ReadOptions, Table, cell};

/// The columns read so far. A cell is set by [`Builder::boolean`] or one of its kin, a row ended by [`Builder::end_row`].
#[derive(Debug)]
pub(super) struct Builder {
    source: String,
    names: Vec<String>,
    /// The file's column that holds the weights. Its bits stay 0 until it is dropped at the end.
    weight: Option<usize>,
    weights: Vec<u64>,
    total: u64,
    columns: Vec<Vec<u64>>,
    filling: Vec<u64>,
    /// The columns before this one are filled row by row, those from it on one after the other.
    by_row: usize,
    rows: usize,
}

impl Builder {
    /// For columns of these names, which stand on `line`: checked to be there, different, and not too many.
    pub(super) fn new(
        source: &str,
        line: usize,
        names: Vec<String>,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let place = |column: usize| Place::new(source, line, column + 1);
        let mut first = HashMap::with_capacity(names.len());
        for (column, name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err(ReadError::EmptyName { place: place(column) });
            }
            if let Some(first) = first.insert(name.as_str(), column) {
                return Err(ReadError::DuplicateName {
                    place: place(column),
                    name: name.clone(),
                    first: first + 1,
                });
            }
        }
        let weight = match &options.weight {
            Some(name) => Some(*first.get(name.as_str()).ok_or_else(|| ReadError::NoWeight {
                place: place(0),
                name: name.clone(),
                names: names.clone(),
            })?),
            None => None,
        };
        let values = names.len() - usize::from(weight.is_some());
        if values == 0 {
            return Err(ReadError::NoColumns { place: place(0) });
        }
        if values > MAX_INPUTS + 1 {
            return Err(ReadError::TooManyColumns { place: place(names.len() - 1) });
        }
        Ok(Self {
            source: source.to_owned(),
            weight,
            weights: Vec::new(),
            total: 0,
            columns: vec![Vec::new(); names.len()],
            filling: vec![0; names.len()],
            by_row: names.len(),
            names,
            rows: 0,
        })
    }

    /// Leaves the columns from `column` on to [`Builder::column`].
    pub(super) const fn fill_by_row_before(&mut self, column: usize) {
        self.by_row = column;
    }

    /// Columns of the file, weights included.
    pub(super) const fn width(&self) -> usize {
        self.names.len()
    }

    #[cfg(feature = "parquet")]
    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn weight(&self) -> Option<usize> {
        self.weight
    }

    /// Sets cell `column` of the row under way. No cell is set twice.
    pub(super) fn boolean(&mut self, column: usize, bit: bool) {
        self.filling[column] |= u64::from(bit) << (self.rows % 64);
    }

    /// Sets all cells of the row under way to the lowest bits of `cells`.
    pub(super) fn booleans(&mut self, cells: impl Iterator<Item = u8>) {
        let row = self.rows % 64;
        for (word, cell) in self.filling.iter_mut().zip(cells) {
            *word |= u64::from(cell & 1) << row;
        }
    }

    /// Sets cell `column` of the row under way to what `text` spells.
    pub(super) fn text(&mut self, line: usize, column: usize, text: &[u8]) -> Result<(), ReadError> {
        if Some(column) == self.weight {
            return self.add_weight(line, column, cell::weight(text), || cell::shown(text));
        }
        let bit = cell::boolean(text).ok_or_else(|| self.not_boolean(line, column, cell::shown(text)))?;
        self.boolean(column, bit);
        Ok(())
    }

    /// Sets cell `column` of the row under way to a number.
    pub(super) fn number(&mut self, column: usize, number: cell::Number) -> Result<(), ReadError> {
        let line = self.rows + 1;
        if Some(column) == self.weight {
            return self.add_weight(line, column, number.weight(), || number.to_string());
        }
        let bit = number.boolean().ok_or_else(|| self.not_boolean(line, column, number.to_string()))?;
        self.boolean(column, bit);
        Ok(())
    }

    /// Takes the whole of column `column` from `next`, for arrays that lie column by column.
    pub(super) fn column(
        &mut self,
        column: usize,
        rows: usize,
        mut next: impl FnMut() -> Result<cell::Number, ReadError>,
    ) -> Result<(), ReadError> {
        for row in 0..rows {
            self.rows = row;
            self.number(column, next()?)?;
            if row % 64 == 63 {
                self.columns[column].push(std::mem::take(&mut self.filling[column]));
            }
        }
        self.rows = rows;
        Ok(())
    }

    pub(super) fn end_row(&mut self) {
        self.rows += 1;
        debug_assert!(self.weight.is_none_or(|w| w >= self.by_row || self.weights.len() == self.rows));
        if self.rows.is_multiple_of(64) {
            self.end_words(self.by_row);
        }
    }

    pub(super) fn finish(mut self, next_line: usize) -> Result<Table, ReadError> {
        if self.rows == 0 {
            return Err(ReadError::NoRows { place: self.place(next_line, 0) });
        }
        if !self.rows.is_multiple_of(64) {
            self.end_words(self.columns.len());
        }
        let weights = self.weight.map(|column| {
            self.names.remove(column);
            self.columns.remove(column);
            self.weights
        });
        self.columns.iter_mut().for_each(Vec::shrink_to_fit);
        let Self { source, names, columns, rows, .. } = self;
        Ok(Table { source, names, columns, rows, weights })
    }

    pub(super) fn place(&self, line: usize, column: usize) -> Place {
        Place::new(&self.source, line, column + 1)
    }

    pub(super) fn not_boolean(&self, line: usize, column: usize, found: String) -> ReadError {
        ReadError::NotBoolean { place: self.place(line, column), found, name: self.names[column].clone() }
    }

    fn add_weight(
        &mut self,
        line: usize,
        column: usize,
        weight: Option<u64>,
        found: impl Fn() -> String,
    ) -> Result<(), ReadError> {
        let weight = weight.ok_or_else(|| ReadError::BadWeight {
            place: self.place(line, column),
            found: found(),
            name: self.names[column].clone(),
        })?;
        self.total = self
            .total
            .checked_add(weight)
            .filter(|&total| i64::try_from(total).is_ok())
            .ok_or_else(|| ReadError::WeightsTooLarge { place: self.place(line, column) })?;
        self.weights.push(weight);
        Ok(())
    }

    fn end_words(&mut self, before: usize) {
        for (column, word) in self.columns[..before].iter_mut().zip(&mut self.filling) {
            column.push(std::mem::take(word));
        }
    }
}

/// `x1`, `x2`, ... and at the end `y`: the names of a file that has none.
pub(super) fn default_names(inputs: usize) -> impl Iterator<Item = String> {
    (1..=inputs).map(|i| format!("x{i}")).chain(["y".to_owned()])
}
