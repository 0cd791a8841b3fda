//! Raw tables as bits: the lab's own simple binarization, the same bits for every method.
//!
//! A column of whole numbers or words with at most 30 values is one-hot; any other column of numbers gets at most 8 cuts, at
//! quantiles. Both are fitted on training rows only. The target is the largest class against the rest. PMLB writes
//! measured columns with a decimal point and coded ones without, which is what tells them apart here.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use macchiato::bits::Column;
use macchiato::rows::Rows;

use crate::folds::{by_frequency, folds, parts};

/// Values of a one-hot column at most.
pub(crate) const MAX_VALUES: usize = 30;
/// Cuts of a column of numbers at most.
pub(crate) const CUTS: usize = 8;

/// A table as its file has it, column by column, and the label of each row.
#[derive(Debug)]
pub(crate) struct RawTable {
    columns: Vec<Vec<String>>,
    labels: Vec<bool>,
}

/// How one column becomes bits.
#[derive(Debug, PartialEq)]
enum Encoding {
    /// One bit for each value: whether it is there.
    Values(Vec<String>),
    /// One bit for each cut: whether the number is above it. What is no number is above nothing.
    Cuts(Vec<f64>),
}

impl RawTable {
    /// Reads a tab-separated file whose last column is `target`.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        ensure!(names.last() == Some(&"target"), "the last column is not called target");
        let mut columns = vec![Vec::new(); names.len()];
        for (line, cells) in lines.enumerate() {
            let cells: Vec<&str> = cells.split('\t').collect();
            let (found, expected) = (cells.len(), names.len());
            ensure!(found == expected, "line {}: {found} cells where the header has {expected}", line + 2);
            columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell.to_owned()));
        }
        let target = columns.pop().unwrap_or_default();
        let cells: Vec<&str> = target.iter().map(String::as_str).collect();
        let largest = by_frequency(&cells).into_iter().next().context("no rows")?;
        Ok(Self { columns, labels: cells.iter().map(|class| *class == largest).collect() })
    }

    /// Training and test rows of one part of the cross-validation, as bits.
    pub(crate) fn fold(&self, fold: usize) -> Result<(Rows, Rows)> {
        let (train, test) = parts(&folds(&self.labels), fold);
        let column = |column: &Vec<String>| {
            let cells: Vec<&str> = train.iter().map(|&row| column[row].as_str()).collect();
            Encoding::fit(&cells)
        };
        let encodings: Vec<Encoding> = self.columns.iter().map(column).collect();
        Ok((self.encode(&encodings, &train)?, self.encode(&encodings, &test)?))
    }

    fn encode(&self, encodings: &[Encoding], rows: &[usize]) -> Result<Rows> {
        let mut columns = Vec::new();
        for (encoding, column) in encodings.iter().zip(&self.columns) {
            let mut bits = vec![Column::default(); encoding.bits()];
            for &row in rows {
                encoding.push(&column[row], &mut bits);
            }
            columns.extend(bits.into_iter().map(Column::into_words));
        }
        let mut labels = Column::default();
        for &row in rows {
            labels.push(self.labels[row]);
        }
        Ok(Rows::new(columns, labels.into_words(), rows.len())?)
    }
}

impl Encoding {
    fn fit(cells: &[&str]) -> Self {
        let mut values = by_frequency(cells);
        let numbers: Option<Vec<f64>> = cells.iter().map(|cell| number(cell)).collect();
        let whole = !values.iter().any(|value| value.contains(['.', 'e', 'E']));
        match numbers {
            Some(numbers) if !whole || values.len() > MAX_VALUES => Self::Cuts(cuts(numbers)),
            _ => {
                values.truncate(MAX_VALUES);
                values.sort_unstable();
                // Of two values one bit says everything, of one value none is needed.
                if values.len() <= 2 {
                    values.remove(0);
                }
                Self::Values(values.into_iter().map(str::to_owned).collect())
            }
        }
    }

    fn bits(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Cuts(cuts) => cuts.len(),
        }
    }

    fn push(&self, cell: &str, bits: &mut [Column]) {
        match self {
            Self::Values(values) => {
                bits.iter_mut().zip(values).for_each(|(bits, value)| bits.push(value == cell));
            }
            Self::Cuts(cuts) => {
                let above = |cut: f64| number(cell).is_some_and(|x| x > cut);
                bits.iter_mut().zip(cuts).for_each(|(bits, &cut)| bits.push(above(cut)));
            }
        }
    }
}

fn number(cell: &str) -> Option<f64> {
    cell.trim().parse().ok().filter(|x: &f64| x.is_finite())
}

/// Increasing cuts, each with numbers at or below it and numbers above it: between all values where there are few, else at
/// quantiles.
fn cuts(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    let mut cuts = numbers.clone();
    cuts.dedup();
    if cuts.len() > CUTS + 1 {
        cuts = (1..=CUTS).map(|i| numbers[i * numbers.len() / (CUTS + 1)]).collect();
        cuts.dedup();
    }
    cuts.retain(|cut| numbers.last().is_some_and(|largest| cut < largest));
    cuts
}

#[cfg(test)]
mod tests;
