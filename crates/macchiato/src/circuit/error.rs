//! Why there is no such circuit, and where.

use super::gate::Source;
use std::fmt;

/// Why there is no such circuit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CircuitError {
    /// A literal of something that is not there, or not before the gate.
    #[error("{place} reads {source_name}, which is not there before it")]
    NotBefore {
        /// Where.
        place: Place,
        /// What it reads.
        source_name: Source,
    },
    /// Points that are not from 1 to 1,000, or more than one in an XOR.
    #[error("{place} has a literal of {weight} points: give 1 to 1000, and 1 in an XOR")]
    Weight {
        /// Where.
        place: Place,
        /// The points.
        weight: u32,
    },
    /// Counts that float32 cannot hold.
    #[error("{place} counts up to {most}, where 2^24 is too much")]
    TooMany {
        /// Where.
        place: Place,
        /// The largest count.
        most: u64,
    },
    /// Ranges of counts that overlap, touch or descend.
    #[error("{place} has ranges of counts that do not ascend with gaps between them")]
    Ranges {
        /// Where.
        place: Place,
    },
    /// No circuit where one is needed.
    #[error("there is no circuit")]
    Nothing,
    /// A circuit beside others that reads other inputs than the first one.
    #[error("circuit {circuit} ({target:?}) has other inputs than the first one")]
    OtherInputs {
        /// Its place, from 0.
        circuit: usize,
        /// Its first output.
        target: String,
    },
    /// A sum that a gate reads, or an output negates.
    #[error("{place} reads gate {sum}, a sum, which only a positive output may be")]
    ReadsSum {
        /// Where.
        place: Place,
        /// The sum.
        sum: usize,
    },
}

impl CircuitError {
    /// The gate or output that it is about, where it is about one.
    #[must_use]
    pub const fn place(&self) -> Option<Place> {
        match self {
            Self::NotBefore { place, .. }
            | Self::Weight { place, .. }
            | Self::TooMany { place, .. }
            | Self::Ranges { place }
            | Self::ReadsSum { place, .. } => Some(*place),
            Self::Nothing | Self::OtherInputs { .. } => None,
        }
    }
}

/// A gate or an output, in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A gate, from 0.
    Gate(usize),
    /// An output, from 0.
    Output(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gate(gate) => write!(f, "gate {gate}"),
            Self::Output(output) => write!(f, "output {output}"),
        }
    }
}
