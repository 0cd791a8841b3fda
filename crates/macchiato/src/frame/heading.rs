//! The names of a table's columns, and the weights of its rows as far as they are read.

use std::collections::HashMap;

use super::cell::{self, Number};
use super::{MAX_INPUTS, Place, ReadError};

/// Names that are there, different and not too many; one of them may be that of the weights.
#[derive(Debug)]
pub(crate) struct Heading {
    pub(crate) source: String,
    pub(crate) names: Vec<String>,
    /// The file's column that holds the weights.
    pub(crate) weight: Option<usize>,
    pub(crate) weights: Vec<u64>,
    total: u64,
}

impl Heading {
    /// For columns of these names, which stand on `line`; `weight` names that of the weights.
    pub(crate) fn new(
        source: &str,
        line: usize,
        names: Vec<String>,
        weight: Option<&str>,
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
        let weight = match weight {
            Some(name) => Some(*first.get(name).ok_or_else(|| ReadError::NoWeight {
                place: place(0),
                name: name.to_owned(),
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
        Ok(Self { source: source.to_owned(), names, weight, weights: Vec::new(), total: 0 })
    }

    /// Bytes that the names take.
    pub(crate) fn bytes(&self) -> u64 {
        self.names.iter().map(|name| (size_of::<String>() + name.len()) as u64).sum()
    }

    pub(crate) fn place(&self, line: usize, column: usize) -> Place {
        Place::new(&self.source, line, column + 1)
    }

    /// The next row's weight, as text.
    pub(crate) fn add_text(&mut self, line: usize, column: usize, text: &[u8]) -> Result<(), ReadError> {
        self.add_weight(line, column, cell::weight(text), || cell::shown(text))
    }

    /// The next row's weight, as a number.
    pub(crate) fn add_number(&mut self, line: usize, column: usize, number: Number) -> Result<(), ReadError> {
        self.add_weight(line, column, number.weight(), || number.to_string())
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
}
