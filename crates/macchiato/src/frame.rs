//! Tables: typed columns, Boolean, numbers and categories, with gaps. The step before [`crate::binarize`].
//!
//! [`read`] takes the format from the file's ending and streams the rows into columns, once: nothing is allocated by a number that a file
//! claims. [`write_to`] gives what [`read`] takes back.
//!
//! | ending | rows | names |
//! |---|---|---|
//! | `.csv`, `.tsv` | one a line | the header line |
//! | `.pla` | `.type fr` with one output: one minterm a row | `.ilb`, `.ob` |
//! | `.npy` | a 2-D array of Boolean, integer or float type | `x1`, `x2`, ..., `y` |
//! | `.npz` | the arrays `X` and `y`, or one 2-D array | `x1`, `x2`, ..., `y` |
//! | `.parquet` | Boolean, integer, float or text columns (feature `parquet`) | the schema's |
//!
//! `.gz` or `.zst` may follow the first four. Repeated and contradictory rows are kept: they are the learner's business.
//!
//! [`Columns`] is what a table must be able to do: hand out one column at a time. A data frame of another library implements
//! it without copying more than it must; [`Frame`] is the one that owns its columns, and that [`read`] makes from a file.
//!
//! The type of a column follows from all of its cells ([`Kind`]), or from [`FrameOptions::types`]:
//!
//! | type | every cell that is there |
//! |---|---|
//! | Boolean | 0/1, true/false, yes/no, t/f, y/n in any case |
//! | number | a finite decimal number |
//! | category | any text |
//!
//! A cell that is empty or one of [`MISSING`] is a gap. A float that is NaN and a null of a Parquet file are gaps, too.
//! Costs one bit for a Boolean cell, 8 bytes for a number, 4 for a category and each level's text once.

mod builder;
mod cell;
mod compression;
mod csv;
mod error;
mod format;
mod growing;
mod heading;
mod npy;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
mod pla;
mod read;
mod read_error;
mod room;
mod values;
mod write;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

pub use compression::Compression;
pub use error::FrameError;
pub use format::Format;
pub use read_error::{Place, ReadError};
pub use values::{Kind, NO_LEVEL, Values};
pub(crate) use values::{by_number_or_text, shown};
pub use write::{WriteError, write_to};

/// The most columns a table may have besides its target: inputs are numbered by 16 bits.
pub const MAX_INPUTS: usize = 65_535;

/// The weight of a row that counts once: weights are in millionths.
pub const WEIGHT_UNIT: u64 = 1_000_000;

/// The words that mean that a cell has no value, besides the empty cell.
pub const MISSING: [&str; 7] = ["NA", "N/A", "NaN", "nan", "null", "None", "?"];

/// Whether a text, without the blanks around it, means that there is no value.
pub(crate) fn is_missing(text: &str) -> bool {
    text.is_empty() || MISSING.contains(&text)
}

/// The truth that a text spells: 0/1, true/false, yes/no, t/f, y/n in any case.
pub(crate) fn truth(text: &str) -> Option<bool> {
    cell::boolean(text.as_bytes())
}

/// A table of typed columns, one at a time.
///
/// [`crate::binarize`] asks for each column once, from one thread, in increasing order, and lets go of it before it asks for
/// the next: what [`Columns::column`] has to convert needs room for one column only.
pub trait Columns {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// The names of the columns, in order and all different.
    fn names(&self) -> &[String];

    /// The values of column `i`, one for each row.
    ///
    /// # Errors
    /// A column that cannot be had: of a type that there is none for here, or one that changed its length.
    fn column(&self, i: usize) -> Result<Values<'_>, FrameError>;
}

/// A table that owns its columns.
///
/// ```
/// use macchiato::frame::{self, Columns, Format, FrameOptions, Kind};
/// ///
/// let text = "age,job,smoker\n41,clerk,no\n,cook,yes\n38.5,?,no\n";
/// let frame = frame::read_from(text.as_bytes(), "data.csv", Format::Csv, &FrameOptions::default())?;
/// let kinds: Vec<Kind> = frame.columns.iter().map(|column| column.kind()).collect();
/// assert_eq!(kinds, [Kind::Number, Kind::Category, Kind::Boolean]);
/// assert!(frame.columns[0].is_missing(1) && frame.columns[1].is_missing(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Where it came from, for messages.
    pub source: String,
    /// Column names; `x1`, `x2`, ... and `y` where the file has none.
    pub names: Vec<String>,
    /// One for each name.
    pub columns: Vec<Values<'static>>,
    /// Number of rows.
    pub rows: usize,
    /// Weight of each row in millionths, where given; they add up to at most [`i64::MAX`].
    pub weights: Option<Vec<u64>>,
}

/// How to read a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameOptions {
    /// The format, whatever the file's ending says; `.gz` and `.zst` count all the same.
    pub format: Option<Format>,
    /// The column that holds the row weights: decimals from 0 on. It becomes [`Frame::weights`].
    pub weight: Option<String>,
    /// Columns whose type is known, by name; a cell that does not fit is an error then. Names without a column are passed over.
    pub types: BTreeMap<String, Kind>,
    /// The type of the last column, where `types` does not name it. A target is a category whatever its cells look like.
    pub last: Option<Kind>,
    /// The most bytes that the columns may take, where there shall be a limit: compressed files unfold to any size.
    pub max_bytes: Option<u64>,
}

/// Reads the file at `path`. PLA files have Boolean columns.
///
/// # Errors
/// The first fault, as [`ReadError`] lists them.
///
/// ```no_run
/// use macchiato::frame::{self, FrameOptions};
///
/// let frame = frame::read("adult.csv.gz".as_ref(), &FrameOptions::default())?;
/// println!("{} rows of {} columns", frame.rows, frame.names.len());
/// # Ok::<(), macchiato::frame::ReadError>(())
/// ```
pub fn read(path: &Path, options: &FrameOptions) -> Result<Frame, ReadError> {
    read::file(path, options)
}

/// Reads a stream, such as standard input, from front to back; messages call it `source`.
///
/// # Errors
/// The first fault; [`Format::Npz`] and [`Format::Parquet`] need a file.
pub fn read_from(
    reader: impl Read,
    source: &str,
    format: Format,
    options: &FrameOptions,
) -> Result<Frame, ReadError> {
    read::stream(reader, source, format, options)
}

impl Frame {
    /// The column `name`, taken out of the frame; none if there is no such column.
    pub fn take(&mut self, name: &str) -> Option<Values<'static>> {
        let at = self.names.iter().position(|column| column == name)?;
        self.names.remove(at);
        Some(self.columns.remove(at))
    }

    /// The rows with these numbers, in this order.
    ///
    /// # Panics
    /// If one reaches past the last row.
    #[must_use]
    pub fn pick(&self, rows: &[usize]) -> Self {
        Self {
            source: self.source.clone(),
            names: self.names.clone(),
            columns: self.columns.iter().map(|column| column.pick(rows)).collect(),
            rows: rows.len(),
            weights: self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]).collect()),
        }
    }
}

impl Columns for Frame {
    fn rows(&self) -> usize {
        self.rows
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn column(&self, i: usize) -> Result<Values<'_>, FrameError> {
        Ok(self.columns[i].borrowed())
    }
}

#[cfg(test)]
mod tests;
