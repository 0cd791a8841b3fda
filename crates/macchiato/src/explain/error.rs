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
    /// Features that are to change and are none.
    #[error("no {unknown} that could change: there are {names}")]
    Unknown {
        /// The names that are none, in quotes.
        unknown: String,
        /// The first names there are.
        names: String,
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
    /// Two models whose answers are not the same things.
    #[error(
        "the models have no answer in common, one says {first:?} and the other {second:?}: they cannot be compared"
    )]
    Answers {
        /// The first answer of the first.
        first: String,
        /// The first answer of the second.
        second: String,
    },
    /// No value of a column passes and fails the tests that the point says.
    #[error("no value of {name:?} has these bits")]
    Bits {
        /// The column.
        name: String,
    },
    /// More tests of one column than cells can be told apart by.
    #[error(
        "more than {most} tests of {name:?} are read, which is more than explanations take: fit it with fewer cuts"
    )]
    Tests {
        /// The column.
        name: String,
        /// The most there can be.
        most: usize,
    },
    /// An answer of the solver that the circuit does not confirm: a defect of the program.
    #[error(
        "the solver found an input on which the circuit answers something else: this is a defect, please report it"
    )]
    Unverified,
}
