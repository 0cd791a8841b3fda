//! One table: its typed columns, what is to be predicted, and its folds.
//!
//! A target of two values is learned as it is. Of more, the largest class is learned against the rest, as class 1. The folds
//! share out the largest class evenly, as those of `lab peers` do, so that both see the same rows.

use std::path::Path;

use anyhow::{Context, Result};
use macchiato::bits;
use macchiato::frame::{self, Frame, FrameOptions, Kind, Values};
use macchiato::model::Target;

use crate::folds::{by_frequency, folds, parts};

/// The column to be predicted.
const TARGET: &str = "target";

/// A table and its folds.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    frame: Frame,
    /// What each row is; the last class is the positive one, as it is by default.
    classes: Values<'static>,
    folds: Vec<usize>,
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
        let made = Self::new(name.unwrap_or_default(), frame);
        made.with_context(|| path.display().to_string())
    }

    fn new(name: String, mut frame: Frame) -> Result<Self> {
        let values = frame.take(TARGET).context("no column is called target")?;
        let target = Target::new(TARGET, &values, frame.rows)?;
        let cells: Vec<&str> =
            target.codes().iter().map(|&code| target.classes()[code as usize].as_str()).collect();
        let largest = by_frequency(&cells).into_iter().next().context("no rows")?;
        let is_largest: Vec<bool> = cells.iter().map(|class| *class == largest).collect();
        let folds = folds(&is_largest);
        let classes = if target.classes().len() > 2 { boolean(&is_largest) } else { values };
        Ok(Self { name, frame, classes, folds })
    }

    pub(crate) fn rows(&self) -> usize {
        self.frame.rows
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
}

/// Which of two classes each row is.
fn boolean(rows: &[bool]) -> Values<'static> {
    let mut column = bits::Column::default();
    for &row in rows {
        column.push(row);
    }
    Values::Boolean { bits: column.into_words().into(), missing: None }
}

#[cfg(test)]
mod tests;
