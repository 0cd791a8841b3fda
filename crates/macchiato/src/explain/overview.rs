//! Of the model: its stages, what each corrected, and how much every input matters.

use serde::Serialize;

use super::{Count, ExplainError, ExplainOptions, Subject};
use crate::minimize::Budget;

/// Rows as bit columns, one for each input of the circuit.
#[derive(Debug, Clone, Copy)]
pub struct Data<'a> {
    /// The columns.
    pub columns: &'a [&'a [u64]],
    /// The labels, where they are known.
    pub labels: Option<&'a [u64]>,
    /// Number of rows.
    pub rows: usize,
}

/// What a circuit does, as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelExplanation {
    /// What is predicted.
    pub target: String,
    /// The whole formula.
    pub formula: String,
    /// Points on which the answer is 1, of all that the circuit can tell apart.
    pub ones: Count,
    /// Rows that were looked at, where there are any.
    pub rows: Option<usize>,
    /// The stages, in order.
    pub stages: Vec<StageExplanation>,
    /// The inputs or columns, the most influential first; those without influence last.
    pub features: Vec<FeatureInfluence>,
}

/// One stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageExplanation {
    /// Its number, from 1.
    pub stage: usize,
    /// Its formula.
    pub formula: String,
    /// Points on which it fires.
    pub coverage: Count,
    /// Rows on which it fires, where there are rows.
    pub rows: Option<usize>,
    /// What it corrected, where that is known: of the rows if they have labels, otherwise of the training rows.
    pub errors: Option<Errors>,
    /// The inputs or columns that it reads, the most influential on the final answer first.
    pub features: Vec<String>,
}

/// Rows in error before and after a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Errors {
    /// Before it.
    pub before: usize,
    /// After it.
    pub after: usize,
    /// Of so many rows.
    pub of: usize,
    /// Whether these are the training rows, as the trace has it.
    pub training: bool,
}

/// How much one input or column matters for the final answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureInfluence {
    /// Its name.
    pub feature: String,
    /// Values of it that the circuit tells apart; 1 where no stage reads it.
    pub values: usize,
    /// Points at which another value of it, and nothing else, changes the answer.
    pub points: Count,
    /// Rows of which the same is true, where there are rows.
    pub rows: Option<usize>,
    /// Whether it matters at all.
    pub matters: Matters,
    /// The stages that read it, from 1.
    pub stages: Vec<usize>,
}

/// Whether a feature can change the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Matters {
    /// Somewhere it does: proven.
    Yes,
    /// It never does: proven.
    No,
    /// Neither was proven within the limits.
    Unknown,
}
