//! Every way in which a table can be bad: where, what, and what to do about it, in one line.

use std::{fmt, io};

use macchiato_minimize::pla::PlaError;

use super::room::spelled;
use super::{Format, MAX_INPUTS};

/// A place in a file. Lines count from 1, and so do columns, which are *fields* of the line, not bytes (in PLA files, whose
/// fields are single characters, they are bytes). A row that quoted line breaks cut over several lines is named by its
/// first; in files without lines, the line is the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// The field of that line.
    pub column: usize,
}

impl Place {
    pub(crate) fn new(file: &str, line: usize, column: usize) -> Self {
        Self { file: file.to_owned(), line, column }
    }

    pub(crate) fn start(file: &str) -> Self {
        Self::new(file, 1, 1)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file itself cannot be opened or read.
    #[error("{place}: cannot be read: {reason}")]
    Io {
        /// How far reading came.
        place: Place,
        /// What the system says.
        reason: io::Error,
    },
    /// The file, or the compressed data in it, stops in the middle.
    #[error("{place}: the file ends early: it was cut off, so get it again")]
    EndsEarly {
        /// How far reading came.
        place: Place,
    },
    /// An ending that names no format.
    #[error(
        "{file}: the ending names no known format: use .csv, .tsv, .pla, .npy (also with .gz or .zst), .npz or .parquet"
    )]
    UnknownEnding {
        /// The file's name.
        file: String,
    },
    /// `.npz.gz` and the like.
    #[error("{file}: {format} files are not read through gzip or zstd: decompress it first")]
    Compressed {
        /// The file's name.
        file: String,
        /// Its format.
        format: Format,
    },
    /// A format that is read back and forth, from a stream.
    #[error("{file}: {format} cannot be read from a stream: save it and name the file")]
    NotStreamable {
        /// The stream's name.
        file: String,
        /// Its format.
        format: Format,
    },
    /// Parquet, in a build without it.
    #[error("{file}: Parquet files need the `parquet` feature: build with `--features parquet`")]
    ParquetMissing {
        /// The file's name.
        file: String,
    },
    /// More cells than the memory that they may take.
    #[error(
        "{file}: its rows take more than {} of memory: allow more (--max-memory), or give fewer rows or columns",
        spelled(*.limit)
    )]
    TooLarge {
        /// The file's name.
        file: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Nothing in the file.
    #[error("{place}: the file is empty: expected {expected}")]
    Empty {
        /// Its start.
        place: Place,
        /// What it should begin with.
        expected: &'static str,
    },
    /// Columns but no rows.
    #[error("{place}: there are no rows: add at least one")]
    NoRows {
        /// Where the first should be.
        place: Place,
    },
    /// No columns, or none besides the weights.
    #[error("{place}: there are no columns of values: add at least one")]
    NoColumns {
        /// Where they should be.
        place: Place,
    },
    /// More columns than [`MAX_INPUTS`] and the target.
    #[error("{place}: too many columns: at most {MAX_INPUTS} and a target are read, so remove some")]
    TooManyColumns {
        /// The first column too many, or the start.
        place: Place,
    },
    /// A column without a name.
    #[error("{place}: this column has no name: name it, or remove it (pandas: `to_csv(index=False)`)")]
    EmptyName {
        /// Where the name should be.
        place: Place,
    },
    /// Two columns of one name.
    #[error("{place}: column {first} is named {name:?} too: rename one of the two")]
    DuplicateName {
        /// The second one.
        place: Place,
        /// Their name.
        name: String,
        /// The first one's number, from 1.
        first: usize,
    },
    /// A first line of values where names are expected.
    #[error("{place}: the first line holds values, not names: put a header line before it")]
    MissingHeader {
        /// The first line.
        place: Place,
    },
    /// A name that is not UTF-8.
    #[error("{place}: this name is not UTF-8 text: save the file as UTF-8")]
    NotText {
        /// Where it stands.
        place: Place,
    },
    /// A cell that is neither true nor false.
    #[error("{place}: {found:?} is not Boolean in column {name:?}: use 0/1, true/false or yes/no")]
    NotBoolean {
        /// Where it stands.
        place: Place,
        /// What stands there.
        found: String,
        /// The column's name.
        name: String,
    },
    /// A cell that is no number in a column of numbers.
    #[error("{place}: {found:?} is no number in column {name:?}: correct it, or leave the cell empty")]
    NotNumber {
        /// Where it stands.
        place: Place,
        /// What stands there.
        found: String,
        /// The column's name.
        name: String,
    },
    /// A number past all bounds.
    #[error("{place}: {found:?} is not finite in column {name:?}: remove the row, or leave the cell empty")]
    NotFinite {
        /// Where it stands.
        place: Place,
        /// What stands there.
        found: String,
        /// The column's name.
        name: String,
    },
    /// A cell that is not UTF-8.
    #[error("{place}: this cell is not UTF-8 text in column {name:?}: save the file as UTF-8")]
    CellNotText {
        /// Where it stands.
        place: Place,
        /// The column's name.
        name: String,
    },
    /// A row that is not as long as the header.
    #[error("{place}: this row has {found} cells where the header names {expected}: {}", too(*.found, *.expected))]
    RowLength {
        /// The first cell that is missing or too many.
        place: Place,
        /// Cells in the row.
        found: usize,
        /// Columns of the table.
        expected: usize,
    },
    /// A row that does not end.
    #[error("{place}: this row is longer than {max} bytes: is a quote left open?")]
    RowTooLong {
        /// Where it begins.
        place: Place,
        /// The most bytes read.
        max: usize,
    },
    /// A quote that is still open at the end of the file.
    #[error("{place}: a quote opens in this row and never closes: close it")]
    OpenQuote {
        /// Where the row begins.
        place: Place,
    },
    /// The weights' column is not there.
    #[error("{place}: no column is named {name:?}, which should hold the weights: {}", known(.names))]
    NoWeight {
        /// Where the names are.
        place: Place,
        /// The name asked for.
        name: String,
        /// The names there are.
        names: Vec<String>,
    },
    /// A weight that is none.
    #[error(
        "{place}: {found:?} is no weight in column {name:?}: use a number from 0 on with at most 6 decimals"
    )]
    BadWeight {
        /// Where it stands.
        place: Place,
        /// What stands there.
        found: String,
        /// The column's name.
        name: String,
    },
    /// Weights whose sum in millionths is past [`i64::MAX`].
    #[error("{place}: the weights up to here add up to more than 9 trillion: divide them all by a constant")]
    WeightsTooLarge {
        /// Where the sum is too large.
        place: Place,
    },
    /// A fault that every PLA file can have.
    #[error(transparent)]
    Pla(#[from] PlaError),
    /// A PLA file of another type than `fr`.
    #[error("{place}: rows need labels, so the type must be fr, not {found}: put `.type fr` before the rows")]
    PlaType {
        /// Where the type is, or the first row.
        place: Place,
        /// The type, `fd` where none is given.
        found: &'static str,
    },
    /// A PLA file with another number of outputs than one.
    #[error("{place}: the file has {found} outputs: exactly one is learned, so write one file for each")]
    PlaOutputs {
        /// Where the number is.
        place: Place,
        /// The number.
        found: usize,
    },
    /// A PLA row with a free input.
    #[error("{place}: row has free inputs; expand it or minimize it with `macchiato minimize`")]
    FreeInputs {
        /// Where the first free input is.
        place: Place,
    },
    /// A PLA row that says neither ON nor OFF.
    #[error("{place}: `{found}` is no label: write `1` for ON or `0` for OFF, or remove the row")]
    NoLabel {
        /// Where it stands.
        place: Place,
        /// The character.
        found: char,
    },
    /// Not a `NumPy` array.
    #[error("{file}: this is no NumPy array: save it with `numpy.save`")]
    NotNpy {
        /// The file's name, with the array's where there are several.
        file: String,
    },
    /// A header that does not describe an array.
    #[error("{file}: the array's header is damaged at {found:?}: save it again with `numpy.save`")]
    NpyHeader {
        /// The file's name.
        file: String,
        /// What is not understood.
        found: String,
    },
    /// An element type that holds no Boolean values.
    #[error("{file}: arrays of {found:?} are not read: convert it with `astype(\"uint8\")`")]
    NpyType {
        /// The file's name.
        file: String,
        /// The type as the file spells it.
        found: String,
    },
    /// An array that is not two-dimensional.
    #[error("{file}: the array's shape is {found}: expected {expected}")]
    NpyShape {
        /// The file's name.
        file: String,
        /// The shape as the file spells it.
        found: String,
        /// What is expected.
        expected: &'static str,
    },
    /// Arrays of different lengths.
    #[error("{file}: the array {name:?} has {found} rows where X has {expected}: save them again together")]
    NpzRows {
        /// The file's name.
        file: String,
        /// The array's name.
        name: String,
        /// Its length.
        found: usize,
        /// The length of `X`.
        expected: usize,
    },
    /// An archive without the arrays that are looked for.
    #[error("{file}: expected the arrays X and y, or a single one: {}", known(.found))]
    NpzArrays {
        /// The file's name.
        file: String,
        /// The arrays there are.
        found: Vec<String>,
    },
    /// An archive that cannot be taken apart.
    #[error("{file}: this archive is damaged or ends early: {reason}")]
    BadArchive {
        /// The file's name.
        file: String,
        /// What its reader says.
        reason: String,
    },
    /// A Parquet file that cannot be taken apart.
    #[error("{file}: this Parquet file is damaged or ends early: {reason}")]
    BadParquet {
        /// The file's name.
        file: String,
        /// What its reader says.
        reason: String,
    },
    /// A Parquet column of a type that holds no Boolean values.
    #[error("{place}: column {name:?} is of type {found}: convert it to Boolean, numbers or text")]
    ParquetType {
        /// The column.
        place: Place,
        /// Its name.
        name: String,
        /// Its type.
        found: String,
    },
}

impl ReadError {
    /// What the system reported at `place`; a stream that stops short is named as such.
    pub(crate) fn io(place: Place, reason: io::Error) -> Self {
        match reason.kind() {
            io::ErrorKind::UnexpectedEof => Self::EndsEarly { place },
            _ => Self::Io { place, reason },
        }
    }
}

const fn too(found: usize, expected: usize) -> &'static str {
    if found < expected { "complete it" } else { "shorten it" }
}

/// The first names there are, so that a slip of the pen shows.
fn known(names: &[String]) -> String {
    const GLANCE: usize = 8;
    let dots = if names.len() > GLANCE { ", ..." } else { "" };
    let names: Vec<_> = names.iter().take(GLANCE).map(|name| format!("{name:?}")).collect();
    if names.is_empty() { "there are none".into() } else { format!("there are {}{dots}", names.join(", ")) }
}
