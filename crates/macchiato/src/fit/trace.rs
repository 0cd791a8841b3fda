//! What a fit saw and did, stage by stage: part of every model.

use crate::bits;
use crate::circuit::Circuit;
use crate::influence::Influence;
use crate::project::CellCounts;
use crate::rows::{Distinct, Rows};
use serde::{Deserialize, Serialize};

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    /// Every training row is explained.
    ResidualZero,
    /// No input's influence exceeds tau.
    NoActiveInput,
    /// m stages were fitted.
    StageLimit,
    /// A stage changed nothing, and the parameters say to end there.
    Stuck,
    /// No further stage has evidence for it.
    NoEvidence,
    /// The deadline passed or the run was cancelled: the stages so far stand.
    Interrupted,
}

impl Stop {
    /// The reason in words.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::ResidualZero => "every training row is explained",
            Self::NoActiveInput => "no input's influence exceeds tau",
            Self::StageLimit => "the stage limit was reached",
            Self::Stuck => "a stage changed nothing",
            Self::NoEvidence => "no further stage has evidence for it",
            Self::Interrupted => "it was interrupted",
        }
    }
}

/// The training rows as the fit saw them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataTrace {
    /// Rows, the paper's T.
    pub rows: usize,
    /// Distinct rows.
    pub distinct: usize,
    /// Distinct rows that occur with both labels.
    pub contradictory: usize,
    /// Of these, the ones whose labels tie; they are in no pair.
    pub tied: usize,
    /// Rows with label 1.
    pub positive: usize,
    /// Whether the rows are weighted.
    pub weighted: bool,
}

/// Seconds of each step of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepSeconds {
    /// Influences and selection.
    pub select: f64,
    /// The majority table.
    pub project: f64,
    /// The completion.
    pub minimize: f64,
    /// The residual's update.
    pub update: f64,
}

/// What a stage of the method `auto` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shape {
    /// A table over few inputs, minimized.
    Table,
    /// A function of how many of its inputs are 1, minimized.
    Count,
    /// Few terms over many inputs.
    Wide,
    /// The same answer everywhere.
    Constant,
}

/// How a stage was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Algorithm 1: the influence of every input on the stage's residual.
    Influence(Vec<Influence>),
    /// By evidence.
    Evidence {
        /// What it is.
        shape: Shape,
        /// Cells whose strict majority the stage does not follow; a table that was re-fitted to the end has none.
        against: u64,
    },
}

/// What decided between the candidates of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DecidedBy {
    /// The shortest description of the labels.
    Evidence,
    /// Accuracy on training rows that were held out; the winner was then learned again from all of them, unless that was
    /// [cut short](Decision::cut_short).
    HeldOut,
    /// Accuracy on the validation rows.
    Validation,
}

/// What a fit that was cut short left undone: the step it was in, and those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CutShort {
    /// The search for tables: the model is the best of what was found by then and of a small tree.
    Search,
    /// The comparison of candidates: the model is the best of those that were tried.
    Comparison,
    /// Learning the winner again from all rows: the model is the winner as it was learned from some of them.
    LearningAgain,
}

impl CutShort {
    /// What was not done, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Search => "the search for tables was not finished, and the candidates were hardly compared",
            Self::Comparison => "not all candidates were tried",
            Self::LearningAgain => {
                "the best candidate was not learned again from all rows, and stands as it was compared"
            }
        }
    }
}

/// One way to explain the rows, beside others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// What it is, in a word or two.
    pub name: String,
    /// Conditions that a person reads: literals on inputs.
    pub conditions: usize,
    /// Nats that describe the labels with it, where they were counted; rounded to thousandths.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nats: Option<f64>,
    /// Rows right among those held out or among the validation rows, where they were asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub right: Option<usize>,
}

/// Which candidates there were, and why one of them is the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What decided.
    pub by: DecidedBy,
    /// Rows that were asked: held out, or of the validation file; 0 where evidence decided.
    pub asked: usize,
    /// The candidates; the first one won.
    pub candidates: Vec<Candidate>,
    /// What was not done, where the deadline passed or the run was cancelled.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cut_short: Option<CutShort>,
}

impl Decision {
    /// Rows that were asked, and on how many of them the one that won was right.
    pub(crate) fn of_the_winner(&self) -> (usize, Option<usize>) {
        (self.asked, self.candidates.first().and_then(|winner| winner.right))
    }
}

/// One stage.
#[derive(Debug, Clone, PartialEq)]
pub struct StageTrace {
    /// `J_t`.
    pub inputs: Vec<usize>,
    /// How it was found.
    pub found: Found,
    /// Rows that the stage saw.
    pub rows: usize,
    /// ON, OFF and tied cells of its table: of the residual that the stages before it leave, or by evidence, that all other
    /// stages leave.
    pub cells: CellCounts,
    /// Terms of its cover.
    pub terms: usize,
    /// Literals of its cover.
    pub literals: usize,
    /// No completion of its table has fewer terms: proven.
    pub lower_bound: usize,
    /// Rows in error before the stage.
    pub errors_before: usize,
    /// Rows in error after it.
    pub errors_after: usize,
    /// Their weight, in millionths.
    pub error_weight_after: u64,
    /// Whether the stage's answer is 1 on any of its rows.
    pub changed: bool,
    /// Time, where it is kept: two runs differ in nothing else.
    pub seconds: Option<StepSeconds>,
}

/// All of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The rows.
    pub data: DataTrace,
    /// The stages.
    pub stages: Vec<StageTrace>,
    /// Why the loop ended.
    pub stop: Stop,
    /// Training rows in error at the end.
    pub errors: usize,
    /// What decided between candidates, where there were any.
    pub decision: Option<Decision>,
    /// Seconds spent on finding the neighbour pairs.
    pub seconds_for_pairs: f64,
}

impl Trace {
    /// The share of rows that the more frequent label gets right.
    #[must_use]
    pub fn majority(&self) -> f64 {
        let DataTrace { rows, positive, .. } = self.data;
        positive.max(rows - positive) as f64 / rows.max(1) as f64
    }

    /// Rows in error before a stage, from 0: what the stages before leave. Before the first, of all rows those that the more frequent label
    /// gets wrong, as nobody without a rule would answer otherwise.
    #[must_use]
    pub fn errors_before(&self, stage: usize) -> usize {
        let DataTrace { rows, positive, .. } = self.data;
        match self.stages.get(stage) {
            Some(first) if stage == 0 && first.rows == rows => positive.min(rows - positive),
            Some(stage) => stage.errors_before,
            None => self.errors,
        }
    }

    pub(crate) fn new(rows: &Rows, distinct: &Distinct) -> Self {
        let data = DataTrace {
            rows: rows.len(),
            distinct: distinct.count,
            contradictory: distinct.contradictory,
            tied: distinct.tied,
            positive: bits::count(rows.labels()),
            weighted: rows.weights().is_some(),
        };
        Self {
            data,
            stages: Vec::new(),
            stop: Stop::StageLimit,
            errors: 0,
            decision: None,
            seconds_for_pairs: 0.0,
        }
    }

    /// The trace of a circuit that has no stages, fitted to these rows.
    ///
    /// # Panics
    /// If the circuit has no output, or other inputs than the rows.
    pub(crate) fn of_circuit(rows: &Rows, circuit: &Circuit, stop: Stop, decision: Option<Decision>) -> Self {
        let mut trace = Self { decision, ..Self::new(rows, &rows.distinct()) };
        trace.finish(rows, circuit, stop);
        trace
    }

    /// The trace of another circuit without stages that the same fit found on the same rows.
    pub(crate) fn of_another(&self, rows: &Rows, circuit: &Circuit) -> Self {
        let mut trace = self.of_so_many_errors(0);
        trace.finish(rows, circuit, self.stop);
        self.of_so_many_errors(trace.errors)
    }

    /// The same of a circuit whose errors are known.
    pub(crate) fn of_so_many_errors(&self, errors: usize) -> Self {
        let stop = match (self.stop, errors) {
            (Stop::Interrupted, _) => Stop::Interrupted,
            (_, 0) => Stop::ResidualZero,
            _ => Stop::NoEvidence,
        };
        let (data, stages) = (self.data.clone(), Vec::new());
        Self { data, stages, stop, errors, decision: None, seconds_for_pairs: 0.0 }
    }

    pub(crate) fn finish(&mut self, rows: &Rows, circuit: &Circuit, stop: Stop) {
        self.stop = stop;
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let mut wrong = circuit.evaluate(&columns, bits::words(rows.len())).swap_remove(0);
        wrong.iter_mut().zip(rows.labels()).for_each(|(answer, label)| *answer ^= label);
        bits::trim(&mut wrong, rows.len());
        self.errors = bits::count(&wrong);
    }

    /// What a fit that was interrupted did not do, in words; none where it was not.
    #[must_use]
    pub fn undone(&self) -> Option<&'static str> {
        let cut_short = self.decision.as_ref().and_then(|decision| decision.cut_short);
        let words = cut_short.map_or("further stages were not fitted", CutShort::words);
        (self.stop == Stop::Interrupted).then_some(words)
    }

    /// Training accuracy at the end.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        1.0 - self.errors as f64 / self.data.rows as f64
    }

    /// Seconds over all steps, where they are kept.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        let step = |s: &StepSeconds| s.select + s.project + s.minimize + s.update;
        self.seconds_for_pairs
            + self.stages.iter().filter_map(|stage| stage.seconds.as_ref()).map(step).sum::<f64>()
    }
}
