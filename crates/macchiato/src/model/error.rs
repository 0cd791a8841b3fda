//! Why a file is no model: one line with the file and the path inside it.

use super::{ConfidenceError, FORMAT, MAX_BYTES, Method, VERSIONS};
use crate::circuit::CircuitError;
use crate::fit::ParamError;
use crate::select::ThresholdError;
use std::fmt;
use std::io;

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

/// What is wrong with a value of a model file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Another kind of file.
    #[error("{found:?} is not {:?}: this is no model", FORMAT)]
    Format {
        /// What the file calls itself.
        found: String,
    },
    /// A version from the future.
    #[error("{found} is unknown: this program reads {}", list(&VERSIONS))]
    Version {
        /// The version.
        found: u64,
    },
    /// A method that this program does not have.
    #[error("{found:?} is unknown: the methods are {}", list(&Method::NAMES))]
    Method {
        /// Its name.
        found: String,
    },
    /// Parameters that do not fit the data they were used on.
    #[error("{0}")]
    Params(#[from] ParamError),
    /// A threshold that is no decimal below 1.
    #[error("{0}")]
    Threshold(#[from] ThresholdError),
    /// A confidence that is no decimal between 0 and 1.
    #[error("{0}")]
    Confidence(#[from] ConfidenceError),
    /// A name that occurs twice.
    #[error("{name:?} occurs twice")]
    Repeated {
        /// The name, or the term.
        name: String,
    },
    /// A literal or stage of an input that the model does not have.
    #[error("{name:?} is no input of this model")]
    UnknownInput {
        /// The name.
        name: String,
    },
    /// Inputs of a stage out of order.
    #[error("{name:?} is out of order: a stage lists its inputs in the order of the model's inputs")]
    Order {
        /// The first name that is too late.
        name: String,
    },
    /// A key of a rule that is missing, or of another rule.
    #[error("{}", if *given { "this rule has no such key" } else { "missing: this rule has it" })]
    RuleKey {
        /// Whether it is there.
        given: bool,
    },
    /// A gate whose value is a number.
    #[error("a model answers 0 or 1: a sum is no gate of one")]
    Sum,
    /// A literal of nothing, or of two things.
    #[error("a literal has either an input or a gate")]
    LiteralKey,
    /// A role that is none.
    #[error("a role is a stage, a term of a stage, an output or a name")]
    Role,
    /// Gates that no circuit has.
    #[error("{0}")]
    Circuit(#[from] CircuitError),
    /// Gates of another shape than the trace's stages.
    #[error(
        "this is not what the stages of the trace have here: terms of their inputs, their OR, and in the end the XOR of all"
    )]
    NotStages,
    /// A gate that does not say on how many training rows it holds.
    #[error("missing: a gate of a model says on how many training rows it holds")]
    MissingRows,
    /// An output with points.
    #[error("an output has no points")]
    OutputPoints,
    /// A list that must be as long as another one.
    #[error("{found} entries where there must be one for each of the {expected} {of}")]
    Length {
        /// Entries found.
        found: usize,
        /// Entries there must be.
        expected: usize,
        /// What they stand for.
        of: &'static str,
    },
    /// A number that is too great.
    #[error("{found} is more than {limit}, {why}")]
    Above {
        /// The number.
        found: u64,
        /// The greatest it can be.
        limit: u64,
        /// What the limit is.
        why: &'static str,
    },
    /// A number that must equal another one.
    #[error("{found} differs from {expected}, {why}")]
    Differs {
        /// The number.
        found: u64,
        /// What it must be.
        expected: u64,
        /// What that is.
        why: &'static str,
    },
    /// An empty list or a zero count.
    #[error("there must be at least one")]
    None,
    /// A key that models of this method must have.
    #[error("missing: models of the method {method} have it")]
    Missing {
        /// The method's name.
        method: &'static str,
    },
    /// A key or value that models of this method cannot have.
    #[error("models of the method {method} have no such thing")]
    Foreign {
        /// The method's name.
        method: &'static str,
    },
    /// A stage that is called constant and is not.
    #[error("this stage has literals, so it is not constant")]
    NotConstant,
    /// A fit that is said to have been cut short and to have ended otherwise.
    #[error("only an interrupted fit is cut short")]
    NotInterrupted,
    /// Nats that no description has.
    #[error("nats are neither negative nor more than a trillion")]
    Nats,
    /// Seconds that no clock shows.
    #[error("seconds are neither negative nor more than a billion")]
    Seconds,
}

fn list(items: &[impl fmt::Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
