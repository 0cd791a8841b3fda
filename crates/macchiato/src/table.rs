//! Named Boolean columns, as files hold them: the step before [`crate::rows::Rows`].
//!
//! [`read`] takes the format from the file's ending and streams the rows into bit columns: memory is one bit for each
//! cell, and nothing is allocated by a number that a file claims. [`write_to`] gives what [`read`] takes back.
//!
//! | ending | rows | names |
//! |---|---|---|
//! | `.csv`, `.tsv` | one a line: 0/1, true/false, yes/no, t/f, y/n in any case | the header line |
//! | `.pla` | `.type fr` with one output: one minterm a row | `.ilb`, `.ob` |
//! | `.npy` | a 2-D array of 0 and 1, of Boolean, integer or float type | `x1`, `x2`, ..., `y` |
//! | `.npz` | the arrays `X` and `y`, or one 2-D array | `x1`, `x2`, ..., `y` |
//! | `.parquet` | Boolean, integer, float or text columns (feature `parquet`) | the schema's |
//!
//! `.gz` or `.zst` may follow the first four. Repeated and contradictory rows are kept: they are the learner's business.

mod builder;
pub(crate) mod cell;
mod compression;
pub(crate) mod csv;
mod error;
mod format;
pub(crate) mod heading;
pub(crate) mod npy;
pub(crate) mod npz;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
mod pla;
pub(crate) mod room;
pub(crate) mod sink;
mod write;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use builder::Builder;

pub use compression::Compression;
pub use error::{Place, ReadError};
pub use format::Format;
pub use write::{WriteError, write_to};
pub(crate) use write::{quoted, write_weight};

/// The most columns a table may have besides its target: inputs are numbered by 16 bits.
pub const MAX_INPUTS: usize = 65_535;

/// The weight of a row that counts once: weights are in millionths.
pub const WEIGHT_UNIT: u64 = 1_000_000;

/// Bytes read at once: a row of a CSV file with the most columns fits in, which keeps it on the fast path.
const BUFFER: usize = 1 << 18;

/// A table of Boolean columns with names, in file order, and optional row weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Where it came from, for messages.
    pub source: String,
    /// Column names; `x1`, `x2`, ... and `y` where the file has none.
    pub names: Vec<String>,
    /// One bit column for each name ([`crate::bits`]).
    pub columns: Vec<Vec<u64>>,
    /// Number of rows.
    pub rows: usize,
    /// Weight of each row in millionths, where given; they add up to at most [`i64::MAX`].
    pub weights: Option<Vec<u64>>,
}

/// How to read a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, whatever the file's ending says; `.gz` and `.zst` count all the same.
    pub format: Option<Format>,
    /// The column that holds the row weights: decimals from 0 on. It becomes [`Table::weights`].
    pub weight: Option<String>,
    /// The most bytes that the columns may take, where there shall be a limit: compressed files unfold to any size.
    pub max_bytes: Option<u64>,
}

/// Reads the file at `path`.
///
/// # Errors
/// The first fault, as [`ReadError`] lists them.
///
/// ```no_run
/// use macchiato::table::{self, ReadOptions};
///
/// let table = table::read("votes.csv.gz".as_ref(), &ReadOptions::default())?;
/// println!("{} rows of {} columns", table.rows, table.names.len());
/// # Ok::<(), table::ReadError>(())
/// ```
pub fn read(path: &Path, options: &ReadOptions) -> Result<Table, ReadError> {
    let source = path.display().to_string();
    let (format, compression, file) = open(path, options.format)?;
    let start = |line, names| Builder::new(&source, line, names, options);
    match format {
        Format::Npz => npz::read(file, &source, options.weight.as_deref(), start),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(file, &source, start),
        _ => read_from(compression.reader(file), &source, format, options),
    }
}

/// Opens the file at `path`, of the format that it is said to be of or that its ending names.
pub(crate) fn open(path: &Path, format: Option<Format>) -> Result<(Format, Compression, File), ReadError> {
    let source = path.display().to_string();
    let (format, compression) = match format {
        Some(format) => (format, Compression::from_path(path)),
        None => Format::from_path(path)?,
    };
    if !format.streams() && compression != Compression::None {
        return Err(ReadError::Compressed { file: source, format });
    }
    #[cfg(not(feature = "parquet"))]
    if format == Format::Parquet {
        return Err(ReadError::ParquetMissing { file: source });
    }
    match File::open(path) {
        Ok(file) => Ok((format, compression, file)),
        Err(reason) => Err(ReadError::Io { place: Place::start(&source), reason }),
    }
}

/// Reads a table from a stream, such as standard input; messages call it `source`.
///
/// # Errors
/// The first fault; [`Format::Npz`] and [`Format::Parquet`] need a file.
///
/// ```
/// use macchiato::table::{self, Format, ReadOptions};
///
/// let text = "smoker,old,risk\nyes,0,1\nmaybe,1,0\n";
/// let error = table::read_from(text.as_bytes(), "data.csv", Format::Csv, &ReadOptions::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"data.csv:3:1: "maybe" is not Boolean in column "smoker": use 0/1, true/false or yes/no"#
/// );
/// ```
pub fn read_from(
    reader: impl Read,
    source: &str,
    format: Format,
    options: &ReadOptions,
) -> Result<Table, ReadError> {
    let mut reader = buffered(reader, source)?;
    let start = |line, names| Builder::new(source, line, names, options);
    match format {
        Format::Csv => csv::read(&mut reader, source, b',', start),
        Format::Tsv => csv::read(&mut reader, source, b'\t', start),
        Format::Pla => pla::read(&mut reader, source, options),
        Format::Npy => npy::read(&mut reader, source, start),
        Format::Npz | Format::Parquet => Err(ReadError::NotStreamable { file: source.to_owned(), format }),
    }
}

/// The bytes of a stream after a byte order mark.
pub(crate) fn buffered(reader: impl Read, source: &str) -> Result<BufReader<impl Read>, ReadError> {
    match without_mark(reader) {
        Ok(reader) => Ok(BufReader::with_capacity(BUFFER, reader)),
        Err(reason) => Err(ReadError::io(Place::start(source), reason)),
    }
}

/// Passes over a byte order mark, which editors on Windows put before the first line.
fn without_mark(mut reader: impl Read) -> io::Result<impl Read> {
    let mut start = Vec::new();
    reader.by_ref().take(3).read_to_end(&mut start)?;
    if start == b"\xef\xbb\xbf" {
        start.clear();
    }
    Ok(Cursor::new(start).chain(reader))
}

#[cfg(test)]
mod tests;
