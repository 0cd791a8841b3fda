//! Why there is no classifier: nothing can be learned, or a file is none.

use std::fmt;
use std::io;

use super::{TargetError, VERSIONS};
use crate::binarize::BinarizeError;
use crate::fit::ParamError;
use crate::frame::Kind;
use crate::minimize::MinimizeError;
use crate::model::{Fault, MAX_BYTES};
use crate::rows::RowsError;

/// Why a classifier cannot be learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Columns that do not become bits.
    #[error(transparent)]
    Binarize(#[from] BinarizeError),
    /// A target that cannot be predicted.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// Weights that cannot be counted with.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// Parameters that do not fit the bits.
    #[error(transparent)]
    Params(#[from] ParamError),
    /// A defect of the minimizer.
    #[error(transparent)]
    Minimize(#[from] MinimizeError),
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

/// Why a classifier cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClassifierError {
    /// The bytes cannot be had.
    #[error("{source_name}: {error}")]
    Io {
        /// Where the classifier is.
        source_name: String,
        /// What went wrong.
        error: io::Error,
    },
    /// A file beyond all reason.
    #[error("{source_name}: longer than {MAX_BYTES} bytes, which no classifier is")]
    TooLong {
        /// Where the classifier is.
        source_name: String,
    },
    /// No JSON, or a key or value that does not belong there.
    #[error("{source_name}:{line}:{column}: {}{message}", Prefix(path))]
    Json {
        /// Where the classifier is.
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
    /// A value that no classifier can have.
    #[error("{source_name}: {}{fault}", Prefix(path))]
    Invalid {
        /// Where the classifier is.
        source_name: String,
        /// The path of the value, such as `models[2].gates[0].literals[0]`.
        path: String,
        /// What is wrong with it.
        fault: ClassifierFault,
    },
}

struct Prefix<'a>(&'a str);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "{}: ", self.0) }
    }
}

/// What is wrong with a value of a classifier file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassifierFault {
    /// What a model can have wrong as well.
    #[error(transparent)]
    Model(#[from] Fault),
    /// Another kind of file.
    #[error("{found:?} is not {:?}: this is no classifier", super::FORMAT)]
    Format {
        /// What the file calls itself.
        found: String,
    },
    /// A version from the future.
    #[error("{found} is unknown: this program reads {}", VERSIONS[0])]
    Version {
        /// The version.
        found: u64,
    },
    /// Classes or levels out of order.
    #[error("{name:?} is out of order: numbers come first, by value, then texts")]
    Order {
        /// The first one that is too late.
        name: String,
    },
    /// A positive class that is none.
    #[error("{name:?} is none of the classes")]
    NoClass {
        /// Its name.
        name: String,
    },
    /// Two classes, and none of them is the positive one.
    #[error("missing: one of two classes is the positive one")]
    NoPositive,
    /// A positive class where there are not two.
    #[error("there is a positive class only where there are two, not {classes}")]
    Positive {
        /// Number of classes.
        classes: usize,
    },
    /// A category without levels.
    #[error("missing: categories have levels")]
    NoLevels,
    /// Levels of something else.
    #[error("only categories have levels, and this is a {kind} column")]
    Levels {
        /// What it is.
        kind: Kind,
    },
    /// A bit of a column that there is not.
    #[error("{name:?} is no column of this classifier")]
    NoColumn {
        /// The name.
        name: String,
    },
    /// A bit that tests several things, or denies one.
    #[error("a bit has at most one test: above, equals, is, or one of other and missing, which are true")]
    Test,
    /// A test that its column cannot have.
    #[error("a {kind} column has no such test")]
    Unfit {
        /// What it is.
        kind: Kind,
    },
    /// Bits out of order.
    #[error(
        "this bit is out of order, or occurs twice: bits follow the columns, and in a column equals, above, is, other, missing"
    )]
    BitOrder,
    /// A model over other inputs.
    #[error("these are not the names of the bits")]
    Inputs,
    /// A model of another class.
    #[error("{found:?} is not {expected:?}, what this circuit predicts")]
    Target {
        /// What it says.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// Models that were learned differently.
    #[error("differs from the method of the first model")]
    Method,
    /// Models of which some are weighted.
    #[error("differs from the first model, which was learned from the same rows")]
    Weighted,
    /// A prior that the evidence does not have.
    #[error("the priors are 0.02, 0.2 and 1")]
    Prior,
    /// Counts past all bounds.
    #[error("the counts add up to more than there can be")]
    TooMany,
    /// Patterns out of order.
    #[error("this pattern is out of order, or occurs twice")]
    PatternOrder,
    /// Patterns that do not add up.
    #[error("the patterns do not add up to the answers")]
    Sums,
}
