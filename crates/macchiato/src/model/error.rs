//! Why there is no model: nothing can be learned, or a file is none, which gets one line with the file and the path inside it.

use super::{ClassWeightError, Fault, MAX_BYTES, TargetError};
use crate::binarize::BinarizeError;
use crate::fit::ParamError;
use crate::minimize::MinimizeError;
use crate::rows::RowsError;
use std::fmt;
use std::io;

/// Why a model cannot be learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Columns that do not become bits.
    #[error(transparent)]
    Binarize(#[from] BinarizeError),
    /// A target that cannot be predicted.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A target that is no column.
    #[error("no column {target:?} to be predicted")]
    NoTarget {
        /// The name asked for.
        target: String,
    },
    /// A circuit for other rows.
    #[error(
        "the circuit must have the inputs of the rows, in their order, and one output, {target:?}, that is 0 or 1"
    )]
    Circuit {
        /// The name of the rows' target.
        target: String,
    },
    /// Weights that cannot be counted with.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Parameters that do not fit the bits.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// A defect of the minimizer.
    #[error(transparent)]
    Minimize(#[from] MinimizeError),
    /// Weights of classes that are none of this target's.
    #[error(transparent)]
    ClassWeight(#[from] ClassWeightError),
    /// A positive class that does not occur.
    #[error("no row of the target {target:?} is {positive:?}: the classes are {classes}")]
    NoPositive {
        /// The target's name.
        target: String,
        /// The class asked for.
        positive: String,
        /// The classes there are.
        classes: String,
    },
    /// A positive class where there are more than two.
    #[error("the target {target:?} has {classes} classes, and only one of two can be the positive one")]
    PositiveOfMany {
        /// The target's name.
        target: String,
        /// How many classes there are.
        classes: usize,
    },
    /// A class of the validation rows that no training row has.
    #[error("validation row {row}: no training row of the target {target:?} is {class:?}")]
    UnknownClass {
        /// The target's name.
        target: String,
        /// The row, from 0.
        row: usize,
        /// Its class.
        class: String,
    },
}

/// Why a model cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes cannot be had.
    #[error("{source_name}: {error}")]
    Io {
        /// Where the model is.
        source_name: String,
        /// What went wrong.
        error: io::Error,
    },
    /// A file beyond all reason.
    #[error("{source_name}: longer than {MAX_BYTES} bytes, which no model is")]
    TooLong {
        /// Where the model is.
        source_name: String,
    },
    /// No JSON, or a key or value that does not belong there.
    #[error("{source_name}:{line}:{column}: {}{message}", Prefix(path))]
    Json {
        /// Where the model is.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in bytes.
        column: usize,
        /// The path of the value, empty at the top.
        path: String,
        /// What the JSON reader says.
        message: String,
    },
    /// A value that no model can have.
    #[error("{source_name}: {}{fault}", Prefix(path))]
    Invalid {
        /// Where the model is.
        source_name: String,
        /// The path of the value, such as `gates[2].literals[0]`.
        path: String,
        /// What is wrong with it.
        fault: Fault,
    },
}

struct Prefix<'a>(&'a str);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "{}: ", self.0) }
    }
}
