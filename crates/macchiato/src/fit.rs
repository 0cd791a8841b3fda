//! Algorithm 1: residual, influences, selection, projection, completion, XOR, until a stopping rule says so.
//!
//! Takes rows and checked parameters, gives a circuit and a trace of every step. The same rows, parameters and seed give
//! the same circuit on any number of threads. The sample-splitting variant of Section 4.1.2 gives each stage fresh rows.
//!
//! What every learner hands over is a [`Fit`]: a circuit of gates, the stages where it was made of such, and the trace.

mod params;
mod trace;

use crate::circuit::Circuit;
use crate::draw;
use crate::influence::Neighbours;
use crate::project::ProjectedTable;
use crate::random::Stream;
use crate::residual::Residual;
use crate::rows::Rows;
use crate::select::top_k;
use crate::stage::{self, Stage};
use crate::staged::Staged;
use macchiato_minimize::{Budget, MinimizeError, Options};
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Instant;

pub use params::{CheckedParams, PaperParams, ParamError, Selection};
pub use trace::{
    Candidate, CutShort, DataTrace, DecidedBy, Decision, Found, Shape, StageTrace, StepSeconds, Stop, Trace,
};

/// A learned circuit and how it came about.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The circuit, `H_M`, with one output: the paper's as it is, that of other methods in its shortest form.
    pub circuit: Circuit,
    /// The stages whose XOR it is, as they were learned; none where it is no such circuit.
    pub stages: Vec<Stage>,
    /// What every stage saw and did.
    pub trace: Trace,
}

impl Fit {
    /// The hand-over of a learner whose circuit has no stages: decision graphs, chains, counts, points over other gates. The circuit has one
    /// output, which is no sum; the trace is [`Trace::of_circuit`]'s.
    #[must_use]
    pub(crate) const fn from_circuit(circuit: Circuit, trace: Trace) -> Self {
        Self { circuit, stages: Vec::new(), trace }
    }

    /// Number of product terms of its stages; of gates, where there are no stages.
    #[must_use]
    pub fn terms(&self) -> usize {
        if self.stages.is_empty() { self.circuit.gates().len() } else { stage::terms(&self.stages) }
    }

    /// Number of literals of its stages; of its gates, where there are no stages.
    #[must_use]
    pub fn literals(&self) -> usize {
        if self.stages.is_empty() { self.circuit.literals() } else { stage::literals(&self.stages) }
    }
}

/// Algorithm 1 on `rows`. When the budget is spent the stages so far stand, and the trace says so.
///
/// # Errors
/// Only a defect of the minimizer: its covers are verified.
pub fn fit_paper(rows: &Rows, params: &CheckedParams, budget: &Budget) -> Result<Fit, MinimizeError> {
    fit_paper_observed(rows, params, budget, |_| {})
}

/// The same, telling `observe` of every stage as it is done.
///
/// # Errors
/// Those of [`fit_paper`].
pub fn fit_paper_observed(
    rows: &Rows,
    params: &CheckedParams,
    budget: &Budget,
    mut observe: impl FnMut(&StageTrace),
) -> Result<Fit, MinimizeError> {
    let mut learner = Learner::new(rows, params.get(), budget);
    let mut stop = Stop::StageLimit;
    for t in 1..=params.get().m {
        learner.take_batch(t);
        let flow = learner.stage()?;
        if let Some(stage) = learner.trace.stages.get(t - 1) {
            observe(stage);
        }
        if let ControlFlow::Break(reason) = flow {
            stop = reason;
            break;
        }
    }
    let Learner { circuit: staged, mut trace, .. } = learner;
    let circuit = staged.gates();
    trace.finish(rows, &circuit, stop);
    Ok(Fit { circuit, stages: staged.stages, trace })
}

/// The state between stages.
struct Learner<'a> {
    rows: &'a Rows,
    params: &'a PaperParams,
    budget: &'a Budget,
    batch: Batch<'a>,
    circuit: Staged,
    /// Appendix D.7: the random selection has a generator of its own.
    random: ChaCha8Rng,
    trace: Trace,
    /// The last stage changed nothing on its rows.
    stuck: bool,
}

impl<'a> Learner<'a> {
    fn new(rows: &'a Rows, params: &'a PaperParams, budget: &'a Budget) -> Self {
        let begun = Instant::now();
        let batch = Batch::new(rows, params, 1);
        let mut trace = Trace::new(rows, batch.neighbours.distinct());
        trace.seconds_for_pairs = begun.elapsed().as_secs_f64();
        let circuit =
            Staged { inputs: rows.names().to_vec(), target: rows.target().to_owned(), stages: Vec::new() };
        let random = Stream::RandomSelection.of(params.seed);
        Self { rows, params, budget, batch, circuit, random, trace, stuck: false }
    }

    /// With sample splitting every stage but the first begins with fresh rows.
    fn take_batch(&mut self, t: usize) {
        if self.params.split && t > 1 {
            self.batch = Batch::new(self.rows, self.params, t);
            for stage in &self.circuit.stages {
                let correction = stage.on(&self.batch.rows);
                self.batch.residual.correct(&correction);
            }
        }
    }

    /// One pass of Algorithm 1's loop, or why it ends.
    fn stage(&mut self) -> Result<ControlFlow<Stop>, MinimizeError> {
        if self.stuck && self.params.selection == Selection::Influence && !self.params.split {
            self.repeat();
            return Ok(ControlFlow::Continue(()));
        }
        let batch = &mut self.batch;
        if batch.residual.is_zero() {
            return Ok(ControlFlow::Break(Stop::ResidualZero));
        }
        if self.budget.spent() {
            return Ok(ControlFlow::Break(Stop::Interrupted));
        }
        let mut clock = Clock::new();
        let influences = batch.neighbours.influences(&batch.rows, &batch.residual);
        let selected = match self.params.selection {
            Selection::Influence => top_k(&influences, self.params.k, self.params.tau),
            Selection::Random => draw::some(&mut self.random, self.rows.inputs(), self.params.k),
        };
        let select = clock.lap();
        if selected.is_empty() {
            return Ok(ControlFlow::Break(Stop::NoActiveInput));
        }
        let projected = ProjectedTable::new(&batch.rows, &batch.residual, &selected);
        let project = clock.lap();
        let minimized = projected.minimize(&minimizer_options(self.params.seed, self.budget))?;
        let minimize = clock.lap();
        let stage = Stage { inputs: selected, cover: minimized.cover };
        let errors_before = batch.residual.errors();
        let correction = stage.on(&batch.rows);
        let changed = correction.iter().any(|&word| word != 0);
        batch.residual.correct(&correction);
        self.trace.stages.push(StageTrace {
            inputs: stage.inputs.clone(),
            found: Found::Influence(influences),
            rows: batch.rows.len(),
            cells: projected.counts(),
            terms: stage.cover.terms(),
            literals: stage.cover.literals(),
            lower_bound: minimized.lower_bound,
            errors_before,
            errors_after: batch.residual.errors(),
            error_weight_after: batch.residual.error_weight(&batch.rows),
            changed,
            seconds: Some(StepSeconds { select, project, minimize, update: clock.lap() }),
        });
        self.circuit.stages.push(stage);
        // A completion that was cut short is valid, but it is not the one that the whole algorithm would have taken.
        if minimized.interrupted {
            return Ok(ControlFlow::Break(Stop::Interrupted));
        }
        self.stuck = !changed;
        if self.stuck && self.params.stop_when_stuck {
            return Ok(ControlFlow::Break(Stop::Stuck));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A stage that changed nothing leaves the same residual, and the next stage is that stage again: what Algorithm 1 would
    /// do step by step is recorded without doing it.
    fn repeat(&mut self) {
        if let (Some(stage), Some(trace)) =
            (self.circuit.stages.last().cloned(), self.trace.stages.last().cloned())
        {
            self.circuit.stages.push(stage);
            self.trace.stages.push(StageTrace { seconds: Some(StepSeconds::default()), ..trace });
        }
    }
}

fn minimizer_options(seed: u64, budget: &Budget) -> Options {
    let mut options = Options::default();
    options.seed = seed;
    options.budget = budget.clone();
    options
}

/// The rows of a stage with their pairs and residual: all of them, or the stage's share.
struct Batch<'a> {
    rows: Cow<'a, Rows>,
    neighbours: Neighbours,
    residual: Residual,
}

impl<'a> Batch<'a> {
    /// The rows of stage `t`: with sample splitting the `t`-th `floor(T / m)` of them.
    fn new(rows: &'a Rows, params: &PaperParams, t: usize) -> Self {
        let share = rows.len() / params.m;
        let rows = if params.split {
            Cow::Owned(rows.slice((t - 1) * share, t * share))
        } else {
            Cow::Borrowed(rows)
        };
        let neighbours = Neighbours::new(&rows);
        let residual = Residual::new(&rows);
        Self { rows, neighbours, residual }
    }
}

/// Seconds since the last lap.
struct Clock(Instant);

impl Clock {
    fn new() -> Self {
        Self(Instant::now())
    }

    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.0).as_secs_f64();
        self.0 = now;
        seconds
    }
}

#[cfg(test)]
mod tests;
