//! Of one prediction: the terms that fired, the least that forces the answer, and the nearest input with another one.

use serde::Serialize;

use super::{ExplainError, ExplainOptions, Point, Subject};
use crate::classifier::Classifier;
use crate::minimize::Budget;

/// Why a circuit gives one input its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PredictionExplanation {
    /// What is predicted.
    pub target: String,
    /// The answer.
    pub answer: bool,
    /// What each stage says, and how the answer comes about.
    pub stages: Vec<StageAnswer>,
    /// Values that alone force the answer.
    pub reason: Reason,
    /// The nearest input with the other answer.
    pub counterfactual: Counterfactual,
}

/// Why a classifier gives one row its class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassExplanation {
    /// What is predicted.
    pub target: String,
    /// The class.
    pub class: String,
    /// The circuits, in the order of [`Classifier::models`], and what each says of the row.
    pub circuits: Vec<CircuitAnswer>,
    /// Values that alone force the class.
    pub reason: Reason,
    /// The nearest row of another class.
    pub counterfactual: Counterfactual,
}

/// What the circuit of one class says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CircuitAnswer {
    /// The class.
    pub class: String,
    /// Whether its circuit is 1.
    pub answer: bool,
    /// What each of its stages says.
    pub stages: Vec<StageAnswer>,
}

/// One stage at one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageAnswer {
    /// Its number, from 1.
    pub stage: usize,
    /// Whether some term holds.
    pub fires: bool,
    /// The terms that hold.
    pub terms: Vec<TermAnswer>,
    /// The answer so far: the exclusive or of the stages up to this one.
    pub after: bool,
}

/// A term that holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermAnswer {
    /// Its number in the stage, from 1.
    pub term: usize,
    /// The term in words.
    pub formula: String,
}

/// Conditions that the input meets and that alone force the answer, whatever else is: an abductive explanation. Proven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// One for each feature of the set; none where the answer is always the same.
    pub conditions: Vec<Condition>,
    /// Whether no condition can be left out: proven.
    pub minimal: bool,
    /// No set of fewer features does: proven.
    pub at_least: usize,
}

impl Reason {
    /// Whether no set of fewer features forces the answer: proven.
    #[must_use]
    pub fn is_smallest(&self) -> bool {
        self.at_least == self.conditions.len()
    }
}

/// What a reason asks of one feature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// The input or column.
    pub feature: String,
    /// Its value in the row.
    pub value: String,
    /// What is asked, as weak as can be: `x1 = 1`, `age > 41.5`.
    pub text: String,
}

/// The nearest input with another answer: the fewest features that have to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Counterfactual {
    /// One was found.
    Found {
        /// The features that change; all others stay as they are.
        changes: Vec<Change>,
        /// The answer or class then.
        becomes: String,
        /// No input with another answer has fewer changes: proven.
        at_least: usize,
    },
    /// There is no input with another answer: proven.
    Impossible,
    /// None was found within the limits.
    Unknown {
        /// No input with another answer has fewer changes: proven.
        at_least: usize,
    },
}

impl Counterfactual {
    /// Whether no input with another answer is nearer: proven. Also where there is none.
    #[must_use]
    pub fn is_nearest(&self) -> bool {
        match self {
            Self::Found { changes, at_least, .. } => changes.len() == *at_least,
            Self::Impossible => true,
            Self::Unknown { .. } => false,
        }
    }
}

/// One feature that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The input or column.
    pub feature: String,
    /// Its value in the row.
    pub from: String,
    /// What it has to be instead; every such value does, together with the other changes: `x1 = 0`, `age <= 41.5`.
    pub to: String,
}
