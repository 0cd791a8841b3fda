//! Why there are no rows to learn from.

use crate::frame::MAX_INPUTS;

/// Why there are no rows to learn from.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RowsError {
    /// No rows at all.
    #[error("{source_name}: no rows to learn from")]
    Empty {
        /// Where the rows came from.
        source_name: String,
    },
    /// The target is not a column.
    #[error("{source_name}: no column {target:?}; the columns are {columns}")]
    NoTarget {
        /// Where the rows came from.
        source_name: String,
        /// The name asked for.
        target: String,
        /// The names that there are.
        columns: String,
    },
    /// Nothing but the target.
    #[error("{source_name}: no inputs besides the target {target:?}")]
    NoInputs {
        /// Where the rows came from.
        source_name: String,
        /// The target.
        target: String,
    },
    /// More inputs than there are numbers for.
    #[error("{source_name}: {inputs} inputs; at most {MAX_INPUTS} fit")]
    TooManyInputs {
        /// Where the rows came from.
        source_name: String,
        /// Number of inputs.
        inputs: usize,
    },
    /// A column of another length.
    #[error("{what} has {found} words where {expected} hold the rows")]
    Length {
        /// Which column.
        what: String,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// Too few or too many names, weights or cells.
    #[error("{what}: {found}, where there should be {expected}")]
    Number {
        /// Of what.
        what: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Weights that leave nothing to count with.
    #[error("{source_name}: the weights add up to {sum}; they must be positive and below 9e12 together")]
    Weights {
        /// Where the rows came from.
        source_name: String,
        /// Their sum.
        sum: f64,
    },
    /// A column that is not 0 and 1.
    #[error(
        "{source_name}: column {column:?} is not Boolean throughout: use 0/1, true/false or yes/no in every row"
    )]
    NotBoolean {
        /// Where the rows came from.
        source_name: String,
        /// The column.
        column: String,
    },
    /// Two columns of one name: a model could not tell them apart.
    #[error("{source_name}: two columns are called {name:?}: rename one")]
    DuplicateName {
        /// Where the rows came from.
        source_name: String,
        /// The name.
        name: String,
    },
}
