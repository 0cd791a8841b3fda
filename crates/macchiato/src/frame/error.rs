//! Why a column of a data frame cannot be used: its name, the row, and what to do.

/// Why a column cannot be used. Rows count from 0, as data frames count them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// A column of another length than the frame.
    #[error("column {column:?} has {found} entries where {expected} hold the rows")]
    Length {
        /// The column's name.
        column: String,
        /// Entries that it has.
        found: usize,
        /// Entries that it should have.
        expected: usize,
    },
    /// An infinite number.
    #[error(
        "column {column:?}, row {row}: the number is infinite: make it finite, or NaN where it is missing"
    )]
    Infinite {
        /// The column's name.
        column: String,
        /// The row.
        row: usize,
    },
    /// The code of a category without a level.
    #[error("column {column:?}, row {row}: the code {code} has no level: there are {levels}")]
    Code {
        /// The column's name.
        column: String,
        /// The row.
        row: usize,
        /// The code.
        code: u32,
        /// Number of levels.
        levels: usize,
    },
    /// What the owner of the columns says.
    #[error("column {column:?}: {message}")]
    Foreign {
        /// The column's name.
        column: String,
        /// What is wrong with it.
        message: String,
    },
}
