//! Of a difference between two models: where they disagree, on how many points, and the nearest of them.

use serde::Serialize;

use super::{Condition, Count, ExplainError, ExplainOptions, Point, Subject};
use crate::minimize::Budget;

/// How two circuits differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Points on which they disagree, of all that one of them can tell apart; exactly 0 where they are proven equal.
    pub points: Count,
    /// A point on which they disagree, where one was found.
    pub example: Option<Disagreement>,
}

impl Difference {
    /// Whether they agree everywhere: proven, refuted, or not known.
    #[must_use]
    pub fn are_equal(&self) -> Option<bool> {
        if self.example.is_some() { Some(false) } else { self.points.is_zero() }
    }
}

/// A point on which two circuits disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// What the first one answers; the other one says the opposite.
    pub first: bool,
    /// The features that differ from the point of reference: a row, or 0 and the lowest values.
    pub from_reference: Vec<Condition>,
    /// No disagreement is nearer to the point of reference: proven.
    pub at_least: usize,
    /// Conditions that the point meets, and wherever they hold the two disagree: proven.
    pub region: Vec<Condition>,
}
