//! One table: its typed columns, what is to be predicted, and its folds.
//!
//! A target of two values is learned as it is. Of more, the largest class is learned against the rest, as class 1. The folds
//! share out the largest class evenly, as those of `lab peers` do, so that both see the same rows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use macchiato::bits;
use macchiato::frame::{self, Frame, FrameOptions, Kind, Values};
use macchiato::model::Target;

use super::results::Shape;
use crate::folds::{by_frequency, folds, parts};

/// The column to be predicted.
const TARGET: &str = "target";

/// A table and its folds.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    frame: Frame,
    /// What each row is; the last class is the positive one, as it is by default.
    classes: Values<'static>,
    positive: Vec<bool>,
    folds: Vec<usize>,
    largest_against_rest: bool,
}

/// Some rows of a table.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) frame: Frame,
    pub(crate) target: Target,
}

impl Table {
    /// Reads a file with a column `target`; the table is called as the file is.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let mut options = FrameOptions::default();
        options.last = Some(Kind::Category);
        let frame = frame::read(path, &options)?;
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let made = Self::new(name.unwrap_or_default(), path.to_owned(), frame);
        made.with_context(|| path.display().to_string())
    }

    fn new(name: String, path: PathBuf, mut frame: Frame) -> Result<Self> {
        let values = frame.take(TARGET).context("no column is called target")?;
        let target = Target::new(TARGET, &values, frame.rows)?;
        let cells: Vec<&str> =
            target.codes().iter().map(|&code| target.classes()[code as usize].as_str()).collect();
        let largest = by_frequency(&cells).into_iter().next().context("no rows")?;
        let is_largest: Vec<bool> = cells.iter().map(|class| *class == largest).collect();
        let folds = folds(&is_largest);
        let largest_against_rest = target.classes().len() > 2;
        let (classes, positive) = if largest_against_rest {
            (boolean(&is_largest), is_largest)
        } else {
            let last = target.classes().len() as u32 - 1;
            let positive = target.codes().iter().map(|&code| code == last).collect();
            (values, positive)
        };
        Ok(Self { name, path, frame, classes, positive, folds, largest_against_rest })
    }

    /// Its size, and how far any rule can get on it.
    pub(crate) fn rows(&self) -> usize {
        self.frame.rows
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape {
            name: self.name.clone(),
            rows: self.frame.rows,
            columns: self.frame.columns.len(),
            largest_against_rest: self.largest_against_rest,
            limit: self.limit(),
        }
    }

    /// The training and the test rows of a fold.
    pub(crate) fn fold(&self, fold: usize) -> Result<(Part, Part)> {
        let (train, test) = parts(&self.folds, fold);
        Ok((self.part(&train)?, self.part(&test)?))
    }

    fn part(&self, rows: &[usize]) -> Result<Part> {
        let frame = Frame {
            source: self.name.clone(),
            names: self.frame.names.clone(),
            columns: self.frame.columns.iter().map(|column| column.pick(rows)).collect(),
            rows: rows.len(),
            weights: None,
        };
        let target = Target::new(TARGET, &self.classes.pick(rows), rows.len())?;
        Ok(Part { frame, target })
    }

    /// The training and the test rows of a fold as numbers, row by row, 1 last where the class is the positive one.
    pub(crate) fn numbers(&self, fold: usize) -> Result<(Vec<f64>, Vec<f64>)> {
        let (train, test) = parts(&self.folds, fold);
        Ok((self.numbers_of(&train)?, self.numbers_of(&test)?))
    }

    fn numbers_of(&self, rows: &[usize]) -> Result<Vec<f64>> {
        let mut numbers = Vec::with_capacity(rows.len() * self.width());
        for &row in rows {
            for (name, column) in self.frame.names.iter().zip(&self.frame.columns) {
                numbers.push(number(column, row).with_context(|| format!("column {name:?}"))?);
            }
            numbers.push(f64::from(u8::from(self.positive[row])));
        }
        Ok(numbers)
    }

    /// Numbers in a row of [`Table::numbers`].
    pub(crate) fn width(&self) -> usize {
        self.frame.columns.len() + 1
    }

    /// The accuracy of the best function of the columns: rows that are the same in all of them must have one answer.
    fn limit(&self) -> f64 {
        let mut cells: BTreeMap<Vec<u64>, [usize; 2]> = BTreeMap::new();
        for row in 0..self.frame.rows {
            let key = self.frame.columns.iter().map(|column| key(column, row)).collect();
            cells.entry(key).or_default()[usize::from(self.positive[row])] += 1;
        }
        let right: usize = cells.values().map(|&[zeros, ones]| zeros.max(ones)).sum();
        right as f64 / self.frame.rows as f64
    }
}

/// Which of two classes each row is.
fn boolean(rows: &[bool]) -> Values<'static> {
    let mut column = bits::Column::default();
    for &row in rows {
        column.push(row);
    }
    Values::Boolean { bits: column.into_words().into(), missing: None }
}

/// A value as the file has it; a gap is NaN, which scikit-learn's tree takes.
fn number(column: &Values<'_>, row: usize) -> Result<f64> {
    Ok(match column {
        Values::Boolean { .. } if column.is_missing(row) => f64::NAN,
        Values::Boolean { bits, .. } => f64::from(u8::from(bits::get(bits, row))),
        Values::Number(values) => values[row],
        Values::Category { .. } => bail!("it has words, and a decision tree takes numbers"),
    })
}

/// Equal for equal values.
fn key(column: &Values<'_>, row: usize) -> u64 {
    match column {
        _ if column.is_missing(row) => u64::MAX,
        Values::Boolean { bits, .. } => bits::get(bits, row).into(),
        // 0 and -0 are one value.
        Values::Number(values) => (values[row] + 0.0).to_bits(),
        Values::Category { codes, .. } => codes[row].into(),
    }
}

#[cfg(test)]
mod tests;
