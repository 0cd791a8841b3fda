//! The model file, key by key and in its order: what `docs/model.md` documents.
//!
//! Nothing is said twice: what follows from the gates (the terms and literals of a trace entry) is left out, so that a file
//! cannot contradict itself there.

use super::FORMAT;
use super::error::Fault;
use super::gates::{GateFile, LiteralFile};
use super::object::{Object, present};
use crate::circuit::Literal;
use crate::fit::{
    AutoParams, Candidate, CutShort, DataTrace, DecidedBy, Decision, Found, PaperParams, Selection, Shape,
    StageTrace, StepSeconds, Stop,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model<M> {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) inputs: Vec<String>,
    pub(super) target: String,
    pub(super) method: Object<M>,
    pub(super) gates: Vec<Object<GateFile>>,
    pub(super) output: Object<LiteralFile>,
    pub(super) trace: Object<Trace>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) holdout: Option<Object<Holdout>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Holdout {
    pub(crate) rows: u64,
    pub(crate) wrong: u64,
    /// As text, so that no reader rounds it.
    pub(crate) confidence: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Paper {
    pub(super) name: String,
    pub(super) k: usize,
    pub(super) m: usize,
    pub(super) tau: String,
    pub(super) select: Selection,
    pub(super) split: bool,
    pub(super) seed: u64,
    pub(super) stop_when_stuck: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Auto {
    pub(super) name: String,
    /// `null` where there is no cap; but the key must be there.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) k: Option<usize>,
    pub(super) m: usize,
    pub(super) effort: u8,
    pub(super) seed: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trace {
    pub(super) data: Object<DataTrace>,
    pub(super) stop: Stop,
    pub(super) errors: usize,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) decision: Option<Object<DecisionTrace>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) seconds_for_pairs: Option<f64>,
    pub(super) stages: Vec<Object<TraceStage>>,
}

/// A [`Decision`] whose candidates are objects.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionTrace {
    pub(super) by: DecidedBy,
    pub(super) asked: usize,
    pub(super) candidates: Vec<Object<Candidate>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) cut_short: Option<CutShort>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TraceStage {
    pub(super) inputs: Vec<String>,
    pub(super) rows: usize,
    pub(super) errors_before: usize,
    pub(super) errors_after: usize,
    pub(super) error_weight_after: u64,
    pub(super) changed: bool,
    pub(super) cells: Object<Cells>,
    pub(super) lower_bound: usize,
    /// Of `paper` alone: `[differing, pairs]` for each input of the model.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) influences: Option<Vec<(u64, u64)>>,
    /// Of `auto` alone, as the next one.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) shape: Option<Shape>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) against: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) seconds: Option<Object<StepSeconds>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cells {
    pub(super) on: u64,
    pub(super) off: u64,
    pub(super) tied: u64,
}

impl<M> Model<M> {
    pub(crate) fn new(model: &super::Model, method: M) -> Self {
        let (circuit, trace) = (model.learned(), &model.trace);
        let (inputs, target) = (model.inputs(), model.target());
        let gate = |(gate, &rows): (_, &usize)| Object(GateFile::new(gate, inputs, Some(rows)));
        let output = circuit.outputs().first().map_or(Literal::gate(0), |output| output.literal);
        let pairs = microseconds(trace.seconds_for_pairs);
        Self {
            format: FORMAT.to_owned(),
            version: super::VERSIONS[super::VERSIONS.len() - 1],
            inputs: inputs.to_vec(),
            target: target.to_owned(),
            method: Object(method),
            gates: circuit.gates().iter().zip(&model.coverage).map(gate).collect(),
            output: Object(LiteralFile::new(output, inputs)),
            trace: Object(Trace {
                data: Object(trace.data.clone()),
                stop: trace.stop,
                errors: trace.errors,
                decision: trace.decision.as_ref().map(|decision| Object(DecisionTrace::new(decision))),
                seconds_for_pairs: (pairs > 0.0).then_some(pairs),
                stages: trace.stages.iter().map(|stage| Object(TraceStage::new(stage, inputs))).collect(),
            }),
            holdout: model.holdout.as_ref().map(Holdout::new),
        }
    }
}

impl Holdout {
    pub(crate) fn new(holdout: &super::Holdout) -> Object<Self> {
        let super::Holdout { rows, wrong, confidence } = *holdout;
        Object(Self { rows, wrong, confidence: confidence.to_string() })
    }

    /// What the file says, or the key that is wrong and why.
    pub(crate) fn checked(&self) -> Result<super::Holdout, (&'static str, Fault)> {
        let Self { rows, wrong, .. } = *self;
        if rows == 0 {
            return Err(("holdout.rows", Fault::None));
        }
        if wrong > rows {
            let why = "the rows that were held out";
            return Err(("holdout.wrong", Fault::Above { found: wrong, limit: rows, why }));
        }
        match self.confidence.parse() {
            Ok(confidence) => Ok(super::Holdout { rows, wrong, confidence }),
            Err(error) => Err(("holdout.confidence", Fault::Confidence(error))),
        }
    }
}

impl Paper {
    pub(super) fn new(params: &PaperParams) -> Self {
        Self {
            name: "paper".to_owned(),
            k: params.k,
            m: params.m,
            tau: params.tau.to_string(),
            select: params.selection,
            split: params.split,
            seed: params.seed,
            stop_when_stuck: params.stop_when_stuck,
        }
    }
}

impl Auto {
    pub(super) fn new(params: &AutoParams) -> Self {
        let AutoParams { k, m, effort, seed } = *params;
        Self { name: "auto".to_owned(), k, m, effort, seed }
    }
}

impl DecisionTrace {
    fn new(decision: &Decision) -> Self {
        let rounded = |candidate: &Candidate| {
            Object(Candidate { nats: candidate.nats.map(thousandths), ..candidate.clone() })
        };
        Self {
            by: decision.by,
            asked: decision.asked,
            candidates: decision.candidates.iter().map(rounded).collect(),
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
pub(super) fn thousandths(nats: f64) -> f64 {
    (nats * 1e3).round() / 1e3
}
