//! Why columns do not become bits.

use crate::frame::MAX_INPUTS;
use crate::frame::{FrameError, Kind};

/// Why columns do not become bits. Rows count from 0, as data frames count them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BinarizeError {
    /// A column that cannot be used.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// No rows to learn from.
    #[error("no rows to learn from")]
    NoRows,
    /// No columns.
    #[error("no columns besides the target: add at least one")]
    NoColumns,
    /// More columns than bits can be numbered.
    #[error("{found} columns: at most {MAX_INPUTS} fit")]
    TooManyColumns {
        /// Number of columns.
        found: usize,
    },
    /// Two columns of one name.
    #[error("two columns are called {name:?}: rename one")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Not one label for each row.
    #[error("{found} {what} for {rows} rows")]
    Length {
        /// What there should be one of for each row.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// Number of rows.
        rows: usize,
    },
    /// A label that is no class.
    #[error("row {row}: class {code} of {classes}")]
    Class {
        /// The row.
        row: usize,
        /// Its class.
        code: u32,
        /// Number of classes.
        classes: usize,
    },
    /// A column to leave out that is none.
    #[error("no column {name:?} to exclude: there are {names}")]
    NoneToExclude {
        /// The name asked for.
        name: String,
        /// The first names there are.
        names: String,
    },
    /// Nothing is left to learn from.
    #[error("every column is excluded: leave at least one to learn from")]
    AllExcluded,
    /// A column that the training rows had.
    #[error("no column {name:?}, which the training rows had")]
    NoColumn {
        /// Its name.
        name: String,
    },
    /// A column of another type.
    #[error("column {name:?} holds {found} values where the training rows had {expected} values: convert it")]
    WrongKind {
        /// The column's name.
        name: String,
        /// Its type.
        found: Kind,
        /// Its type in the training rows.
        expected: Kind,
    },
    /// A number in a Boolean column.
    #[error("column {name:?}, row {row}: {found} is not Boolean, as the training rows were: use 0 and 1")]
    NotBoolean {
        /// The column's name.
        name: String,
        /// The row.
        row: usize,
        /// The number.
        found: f64,
    },
}
