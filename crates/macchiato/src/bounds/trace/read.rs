//! Reading a model against rows: which stages they speak about, and what they say.

use super::certify::{Limits, Rule};
use super::limits::limits;
use super::{InputReading, Origin, Reading, StageReading, Verdict};
use crate::bits;
use crate::bounds::accuracy::{Plan, excess};
use crate::bounds::binomial::{self, Interval};
use crate::bounds::holdout::{ErrorBound, judge_circuit};
use crate::fit::{Found, PaperParams, Selection};
use crate::influence::{Influence, Neighbours};
use crate::model::{ClassCircuit, Confidence, Holdout, Method};
use crate::residual::Residual;
use crate::rows::Rows;
use crate::stage::Stage;

/// With which probability uniform rows would be called skewed.
const SKEWED: f64 = 1e-6;

/// Whether the rows have all the numbers that the model has of its training rows, down to those on which each gate holds: then they are
/// hardly fresh.
#[must_use]
pub fn looks_like_training(circuit: &ClassCircuit, rows: &Rows) -> bool {
    let data = &circuit.trace().data;
    if data.rows != rows.len() || data.positive != bits::count(rows.labels()) {
        return false;
    }
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let same = circuit.learned().coverage(&columns, rows.len()) == circuit.coverage();
    !circuit.circuit().support().is_empty() && same && data.distinct == rows.distinct().count
}

/// What `rows`, with the inputs of the model in its order, say about it.
///
/// ```
/// use macchiato::bounds::trace::{Origin, Verdict, read};
/// use macchiato::fit::PaperParams;
/// use macchiato::generate::{Target, sample};
/// use macchiato::minimize::Budget;
/// use macchiato::model::{Confidence, Method, Model};
///
/// let target = Target::junta(8, 2, 3)?;
/// let rows = sample(&target, 256, 3)?; // All points: nothing is left to chance.
/// let method = Method::Paper(PaperParams::new(2, 1));
/// let model = Model::of_rows(&rows, &method, &Budget::unlimited())?;
/// let reading = read((&model.circuits()[0], model.method()), &rows, Origin::Training, Confidence::default());
/// assert_eq!(reading.stages[0].verdict, Verdict::Certified);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the rows have another number of inputs than the model.
#[must_use]
pub fn read(
    (class, method): (&ClassCircuit, &Method),
    rows: &Rows,
    origin: Origin,
    confidence: Confidence,
) -> Reading {
    assert_eq!(rows.inputs(), class.inputs().len(), "inputs of the rows and of the circuit");
    let reader = Reader { class, method, rows, origin, risk: confidence.risk(), limits };
    reader.read(confidence)
}

/// All that a reading depends on.
pub(super) struct Reader<'a> {
    pub(super) class: &'a ClassCircuit,
    pub(super) method: &'a Method,
    pub(super) rows: &'a Rows,
    pub(super) origin: Origin,
    pub(super) risk: f64,
    pub(super) limits: Limits,
}

/// What was seen of each input in each stage that the rows speak about, and how many rows each stage had.
struct Seen {
    stages: Vec<Vec<Influence>>,
    /// Every stage had rows of its own.
    own_rows: bool,
}

impl Reader<'_> {
    fn read(&self, confidence: Confidence) -> Reading {
        let distinct = self.rows.distinct();
        let selection = match self.method {
            Method::Paper(params) if params.selection == Selection::Influence => Some(params),
            _ => None,
        };
        let stages = if selection.is_some() { self.class.stages().len() } else { 0 };
        let seen = self.seen(stages);
        // Where an error is stated as well, each statement gets half of the risk.
        let stated = self.origin == Origin::Fresh || seen.own_rows;
        let risk = if stated { self.risk / 2.0 } else { self.risk };
        let each = risk / (self.rows.inputs() * seen.stages.len().max(1)) as f64;
        let mut reading = Reading {
            origin: self.origin,
            rows: self.rows.len(),
            distinct: distinct.count,
            contradictory: distinct.contradictory,
            skewed: skewed(self.rows),
            stages: Vec::new(),
            error: (self.origin == Origin::Fresh).then(|| {
                let judged = judge_circuit(self.class.circuit(), self.rows, confidence);
                let Holdout { rows, wrong, .. } = judged;
                ErrorBound { holdout: judged, error_at_most: binomial::upper_limit(wrong, rows, risk) }
            }),
        };
        let refuted = reading.refuted();
        for stage in 0..stages.max(1) {
            let selected = self.class.trace().stages.get(stage).filter(|_| selection.is_some());
            let selected = selected.map_or_else(Vec::new, |stage| stage.inputs.clone());
            let inputs = seen.stages.get(stage).map_or_else(Vec::new, |seen| self.limits(seen, each));
            let verdict = match selection {
                None => Verdict::NoSelection,
                Some(_) if stage >= stages => Verdict::NoSelection,
                Some(_) if refuted => Verdict::Refuted,
                Some(_) if inputs.is_empty() => Verdict::NeedsFreshRows,
                Some(params) => {
                    let rule = Rule { selected: &selected, k: params.k, tau: value(params) };
                    let share = if seen.own_rows { distinct.count / params.m } else { distinct.count };
                    rule.verdict(&inputs, each, share, self.cube())
                }
            };
            let error_at_most = match selection {
                Some(params) if seen.own_rows && !refuted => {
                    error(&inputs, &selected, params, self.rows.len(), risk)
                }
                _ => None,
            };
            reading.stages.push(StageReading { stage: stage + 1, selected, inputs, verdict, error_at_most });
        }
        reading
    }

    /// 2^B.
    fn cube(&self) -> f64 {
        2f64.powi(i32::try_from(self.rows.inputs()).unwrap_or(i32::MAX))
    }

    pub(super) fn limits(&self, seen: &[Influence], risk: f64) -> Vec<InputReading> {
        let edges = self.cube() / 2.0;
        let one = |&seen: &Influence| {
            let census = seen.pairs as f64 >= edges;
            let point = Interval { low: seen.value(), high: seen.value() };
            let limits = if census { point } else { (self.limits)(seen.differing, seen.pairs, risk) };
            InputReading { seen, limits, census }
        };
        seen.iter().map(one).collect()
    }

    /// The influences of the residuals that were fixed before the rows.
    fn seen(&self, stages: usize) -> Seen {
        let learned = self.class.stages();
        if let (Origin::Training, Method::Paper(params)) = (self.origin, self.method)
            && params.split
            && let Some(stages) = self.batches(params)
        {
            return Seen { stages, own_rows: true };
        }
        let speak = if self.origin == Origin::Fresh { stages.max(1) } else { 1 };
        let neighbours = Neighbours::new(self.rows);
        let stages = (0..speak).map(|t| neighbours.influences(self.rows, &residual(learned, t, self.rows)));
        Seen { stages: stages.collect(), own_rows: false }
    }

    /// What each stage saw in its own rows, if these are the rows that it had.
    fn batches(&self, params: &PaperParams) -> Option<Vec<Vec<Influence>>> {
        let share = self.rows.len() / params.m;
        if share == 0 {
            return None;
        }
        let of = |t: usize| {
            let rows = self.rows.slice(t * share, (t + 1) * share);
            let seen = Neighbours::new(&rows).influences(&rows, &residual(self.class.stages(), t, &rows));
            matches!(&self.class.trace().stages[t].found, Found::Influence(then) if *then == seen)
                .then_some(seen)
        };
        let stages = self.class.stages().len();
        (0..stages).map(of).collect::<Option<Vec<_>>>().filter(|stages| !stages.is_empty())
    }
}

/// The residual after the first `stages` stages.
fn residual(learned: &[Stage], stages: usize, rows: &Rows) -> Residual {
    let mut residual = Residual::new(rows);
    for stage in &learned[..stages] {
        residual.correct(&stage.on(rows));
    }
    residual
}

/// The threshold as a number.
fn value(params: &PaperParams) -> f64 {
    params.tau.to_string().parse().unwrap_or(0.0)
}

/// The error of the circuit after a stage with rows of its own, at most.
fn error(
    inputs: &[InputReading],
    selected: &[usize],
    params: &PaperParams,
    rows: usize,
    risk: f64,
) -> Option<f64> {
    let outside = inputs.iter().enumerate().filter(|(input, _)| selected.binary_search(input).is_err());
    let best: f64 = outside.map(|(_, input)| input.limits.high / 2.0).sum();
    let plan =
        Plan { inputs: inputs.len() as u64, width: params.k as u64, stages: params.m as u64, delta: risk };
    let excess = excess(&plan, rows as u64).ok()?.sharper;
    Some((best.min(0.5) + excess).min(1.0))
}

/// The inputs that are 1 too often or too seldom for uniform rows.
fn skewed(rows: &Rows) -> Vec<usize> {
    let risk = SKEWED / rows.inputs() as f64;
    let unlikely = |ones: usize| {
        let limits = binomial::interval(ones as u64, rows.len() as u64, risk);
        limits.low > 0.5 || limits.high < 0.5
    };
    (0..rows.inputs()).filter(|&input| unlikely(bits::count(&rows.columns()[input]))).collect()
}
