//! What can be wrong with a value of a model file.

use super::{ClassTypeError, ConfidenceError, FORMAT, Method, VERSIONS};
use crate::circuit::CircuitError;
use crate::fit::ParamError;
use crate::frame::Kind;
use crate::learn::{GatesError, PickError};
use crate::select::ThresholdError;
use std::fmt;

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
    /// A pick that nobody knows.
    #[error("{0}")]
    Pick(#[from] PickError),
    /// Gates that nobody knows.
    #[error("{0}")]
    Gates(#[from] GatesError),
    /// A confidence that is no decimal between 0 and 1.
    #[error("{0}")]
    Confidence(#[from] ConfidenceError),
    /// A type of classes that there is not.
    #[error("{0}")]
    ClassType(#[from] ClassTypeError),
    /// A type that some class cannot have.
    #[error("some class is none of this type")]
    ClassTypeUnfit,
    /// A type that the classes say themselves.
    #[error("the classes say this themselves: leave it out")]
    ClassTypeSaid,
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
    /// Circuits of other sizes where nothing says by how many rows they were judged.
    #[error("circuits of other sizes belong to a decision, and the trace has none")]
    NoDecision,
    /// Circuits of other sizes out of order.
    #[error("this circuit has no more conditions than the one before: the shortest comes first")]
    AlternativeOrder,
    /// Seconds that no clock shows.
    #[error("seconds are neither negative nor more than a billion")]
    Seconds,
    /// Classes or levels out of order.
    #[error("{name:?} is out of order: numbers come first, by value, then texts")]
    LevelOrder {
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
    /// A test of a column that there is not.
    #[error("{name:?} is no column of this model")]
    NoColumn {
        /// The name.
        name: String,
    },
    /// A test of several things, or a denied one.
    #[error("a test asks one thing at most: above, equals, is, or one of other and missing, which are true")]
    Test,
    /// A test that its column cannot have.
    #[error("a {kind} column has no such test")]
    Unfit {
        /// What it is.
        kind: Kind,
    },
    /// Tests out of order.
    #[error(
        "this test is out of order, or occurs twice: tests follow the columns, and in a column equals, above, is, other, missing"
    )]
    TestOrder,
    /// Circuits of which some are weighted.
    #[error("differs from the first circuit, which was learned from the same rows")]
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

fn list(items: &[impl fmt::Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
