//! A circuit of a model file, key by key: its gates, its trace and its cells.
//!
//! Nothing is said twice: what follows from the gates (the terms and literals of a trace entry) is left out, so that a file
//! cannot contradict itself there.

use crate::circuit::Literal;
use crate::fit::{
    Candidate, CutShort, DataTrace, DecidedBy, Decision, Found, Shape, StageTrace, StepSeconds, Stop,
};
use crate::model::gates::{GateFile, LiteralFile};
use crate::model::object::{Object, present};
use crate::model::{Alternative, ClassCircuit};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct CircuitFile {
    pub(in crate::model) gates: Vec<Object<GateFile>>,
    pub(in crate::model) output: Object<LiteralFile>,
    pub(in crate::model) trace: Object<Trace>,
    pub(in crate::model) cells: Object<CellsFile>,
    /// The front, where circuits competed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(in crate::model) alternatives: Vec<Object<AlternativeFile>>,
}

/// A circuit of another size: a candidate's record, and what of a circuit is its own.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct AlternativeFile {
    pub(in crate::model) found: Object<Candidate>,
    pub(in crate::model) gates: Vec<Object<GateFile>>,
    pub(in crate::model) output: Object<LiteralFile>,
    pub(in crate::model) errors: usize,
    pub(in crate::model) cells: Object<CellsFile>,
}

/// Training rows in the cells of the circuit.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct CellsFile {
    pub(in crate::model) prior: f64,
    pub(in crate::model) answers: [[u64; 2]; 2],
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(in crate::model) patterns: Option<Vec<(Vec<u16>, [u64; 2])>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct Trace {
    pub(in crate::model) data: Object<DataTrace>,
    pub(in crate::model) stop: Stop,
    pub(in crate::model) errors: usize,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(in crate::model) decision: Option<Object<DecisionTrace>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(in crate::model) seconds_for_pairs: Option<f64>,
    pub(in crate::model) stages: Vec<Object<TraceStage>>,
}

/// A [`Decision`] whose candidates are objects.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct DecisionTrace {
    pub(in crate::model) by: DecidedBy,
    pub(in crate::model) asked: usize,
    pub(in crate::model) candidates: Vec<Object<Candidate>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(in crate::model) cut_short: Option<CutShort>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct TraceStage {
    pub(in crate::model) inputs: Vec<String>,
    pub(in crate::model) rows: usize,
    pub(in crate::model) errors_before: usize,
    pub(in crate::model) errors_after: usize,
    pub(in crate::model) error_weight_after: u64,
    pub(in crate::model) changed: bool,
    pub(in crate::model) cells: Object<Cells>,
    pub(in crate::model) lower_bound: usize,
    /// Of `paper` alone: `[differing, pairs]` for each input of the model.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(in crate::model) influences: Option<Vec<(u64, u64)>>,
    /// Of `auto` alone, as the next one.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(in crate::model) shape: Option<Shape>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(in crate::model) against: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(in crate::model) seconds: Option<Object<StepSeconds>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct Cells {
    pub(in crate::model) on: u64,
    pub(in crate::model) off: u64,
    pub(in crate::model) tied: u64,
}

impl CircuitFile {
    pub(super) fn new(class: &ClassCircuit) -> Self {
        let (trace, inputs) = (class.trace(), class.inputs());
        let pairs = microseconds(trace.seconds_for_pairs);
        let (gates, output) = gates(class);
        Self {
            gates,
            output,
            trace: Object(Trace {
                data: Object(trace.data.clone()),
                stop: trace.stop,
                errors: trace.errors,
                decision: trace.decision.as_ref().map(|decision| Object(DecisionTrace::new(decision))),
                seconds_for_pairs: (pairs > 0.0).then_some(pairs),
                stages: trace.stages.iter().map(|stage| Object(TraceStage::new(stage, inputs))).collect(),
            }),
            cells: Object(CellsFile::new(class)),
            alternatives: class.alternatives().iter().map(AlternativeFile::new).map(Object).collect(),
        }
    }
}

/// The gates as they were learned, with the rows that each holds on, and the output.
fn gates(class: &ClassCircuit) -> (Vec<Object<GateFile>>, Object<LiteralFile>) {
    let (circuit, inputs) = (class.learned(), class.inputs());
    let gate = |(gate, &rows): (_, &usize)| Object(GateFile::new(gate, inputs, Some(rows)));
    let output = circuit.outputs().first().map_or(Literal::gate(0), |output| output.literal);
    let gates = circuit.gates().iter().zip(class.coverage()).map(gate).collect();
    (gates, Object(LiteralFile::new(output, inputs)))
}

impl AlternativeFile {
    fn new(alternative: &Alternative) -> Self {
        let class = alternative.circuit();
        let (gates, output) = gates(class);
        let (errors, cells) = (class.trace().errors, Object(CellsFile::new(class)));
        Self { found: Object(rounded(alternative.found())), gates, output, errors, cells }
    }
}

impl CellsFile {
    fn new(class: &ClassCircuit) -> Self {
        let cells = class.cells();
        let patterns = (!cells.patterns.is_empty()).then(|| cells.patterns.clone());
        Self { prior: cells.prior, answers: cells.answers, patterns }
    }
}

fn rounded(candidate: &Candidate) -> Candidate {
    Candidate { nats: candidate.nats.map(thousandths), ..candidate.clone() }
}

impl DecisionTrace {
    fn new(decision: &Decision) -> Self {
        Self {
            by: decision.by,
            asked: decision.asked,
            candidates: decision.candidates.iter().map(rounded).map(Object).collect(),
            cut_short: decision.cut_short,
        }
    }
}

impl TraceStage {
    fn new(stage: &StageTrace, inputs: &[String]) -> Self {
        let (influences, shape, against) = match &stage.found {
            Found::Influence(influences) => {
                (Some(influences.iter().map(|i| (i.differing, i.pairs)).collect()), None, None)
            }
            Found::Evidence { shape, against } => (None, Some(*shape), Some(*against)),
        };
        Self {
            inputs: stage.inputs.iter().map(|&input| inputs[input].clone()).collect(),
            rows: stage.rows,
            errors_before: stage.errors_before,
            errors_after: stage.errors_after,
            error_weight_after: stage.error_weight_after,
            changed: stage.changed,
            cells: Object(Cells { on: stage.cells.on, off: stage.cells.off, tied: stage.cells.tied }),
            lower_bound: stage.lower_bound,
            influences,
            shape,
            against,
            seconds: stage.seconds.map(|s| {
                Object(StepSeconds {
                    select: microseconds(s.select),
                    project: microseconds(s.project),
                    minimize: microseconds(s.minimize),
                    update: microseconds(s.update),
                })
            }),
        }
    }
}

/// Rounded to what a clock can tell, so that writing what was read gives the same digits.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// The same for nats.
pub(in crate::model) fn thousandths(nats: f64) -> f64 {
    (nats * 1e3).round() / 1e3
}
