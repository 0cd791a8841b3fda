//! What cannot be explained.

use crate::frame::Kind;

/// Why there is no explanation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// A point of another size.
    #[error("{found} input values where there are {expected} inputs")]
    Inputs {
        /// Values given.
        found: usize,
        /// Inputs of the circuit.
        expected: usize,
    },
    /// Rows of another shape.
    #[error("{found} columns where there are {expected} inputs, or one too short for {rows} rows")]
    Columns {
        /// Columns given.
        found: usize,
        /// Inputs of the circuit.
        expected: usize,
        /// Rows.
        rows: usize,
    },
    /// Two models that do not speak of the same thing.
    #[error("{name:?} is of type {first} in one model and {second} in the other: they cannot be compared")]
    Kinds {
        /// The column.
        name: String,
        /// Its type in the first model.
        first: Kind,
        /// Its type in the second model.
        second: Kind,
    },
    /// No value of a column passes and fails the tests that the point says.
    #[error("no value of {name:?} has these bits")]
    Bits {
        /// The column.
        name: String,
    },
    /// A class that is not predicted by circuits.
    #[error("a classifier of one class has no circuit to explain")]
    NoCircuit,
}
