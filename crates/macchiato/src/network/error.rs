//! Why a circuit has no network.

use crate::circuit::CircuitError;

/// Circuits that have no exact network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// Circuits that do not go together.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
    /// There is no output.
    #[error("the circuit has no output")]
    Nothing,
    /// Two outputs have the same name for a reader, so that nobody could tell them apart.
    #[error(
        "outputs {first:?} and {second:?} look the same, since blanks, invisible characters and compatible forms do not \
         tell names apart: rename one"
    )]
    SameTarget {
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// A gate whose neurons add up to more than float32 holds exactly.
    #[error(
        "gate {gate} changes its answer so often that its sums reach {sum}, where float32 is exact only below 2^24"
    )]
    TooWide {
        /// The gate of the circuit, or the output where it is past all gates.
        gate: usize,
        /// What its sums reach.
        sum: u64,
    },
}
