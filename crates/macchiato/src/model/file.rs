//! The model file, key by key and in its order: what `docs/model.md` documents.
//!
//! Nothing is said twice: what follows from the stages (the inputs, terms and literals of a trace entry) is left out, so
//! that a file cannot contradict itself there.

use super::object::Object;
use crate::fit::{DataTrace, Found, PaperParams, Selection, StageTrace, StepSeconds, Stop};
use crate::stage::Stage;
use macchiato_minimize::Literal;
use serde::{Deserialize, Serialize};

/// The value of the key `format`.
pub(super) const FORMAT: &str = "macchiato-model";

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model<M> {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) inputs: Vec<String>,
    pub(super) target: String,
    pub(super) method: Object<M>,
    pub(super) stages: Vec<Object<StageTerms>>,
    pub(super) trace: Object<Trace>,
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
pub(super) struct StageTerms {
    pub(super) inputs: Vec<String>,
    pub(super) terms: Vec<String>,
    pub(super) rows: Vec<usize>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trace {
    pub(super) data: Object<DataTrace>,
    pub(super) stop: Stop,
    pub(super) errors: usize,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) seconds_for_pairs: Option<f64>,
    pub(super) stages: Vec<Object<TraceStage>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TraceStage {
    pub(super) rows: usize,
    pub(super) errors_before: usize,
    pub(super) errors_after: usize,
    pub(super) error_weight_after: u64,
    pub(super) changed: bool,
    pub(super) cells: Object<Cells>,
    pub(super) lower_bound: usize,
    /// `[differing, pairs]` for each input of the model.
    pub(super) influences: Vec<(u64, u64)>,
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
    pub(super) fn new(model: &super::Model, method: M) -> Self {
        let (circuit, trace) = (&model.circuit, &model.trace);
        let stage = |(stage, rows): (&Stage, &Vec<usize>)| {
            Object(StageTerms {
                inputs: stage.inputs.iter().map(|&input| circuit.inputs[input].clone()).collect(),
                terms: (0..stage.cover.terms()).map(|term| spell(stage, term)).collect(),
                rows: rows.clone(),
            })
        };
        let pairs = microseconds(trace.seconds_for_pairs);
        Self {
            format: FORMAT.to_owned(),
            version: super::VERSIONS[super::VERSIONS.len() - 1],
            inputs: circuit.inputs.clone(),
            target: circuit.target.clone(),
            method: Object(method),
            stages: circuit.stages.iter().zip(&model.coverage).map(stage).collect(),
            trace: Object(Trace {
                data: Object(trace.data.clone()),
                stop: trace.stop,
                errors: trace.errors,
                seconds_for_pairs: (pairs > 0.0).then_some(pairs),
                stages: trace.stages.iter().map(|stage| Object(TraceStage::new(stage))).collect(),
            }),
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

impl TraceStage {
    fn new(stage: &StageTrace) -> Self {
        Self {
            rows: stage.rows,
            errors_before: stage.errors_before,
            errors_after: stage.errors_after,
            error_weight_after: stage.error_weight_after,
            changed: stage.changed,
            cells: Object(Cells { on: stage.cells.on, off: stage.cells.off, tied: stage.cells.tied }),
            lower_bound: stage.lower_bound,
            influences: match &stage.found {
                Found::Influence(influences) => influences.iter().map(|i| (i.differing, i.pairs)).collect(),
                Found::Evidence { .. } => Vec::new(),
            },
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

/// One character for each input of the stage, as in PLA files.
fn spell(stage: &Stage, term: usize) -> String {
    let character = |input| match stage.cover.literal(term, input) {
        Literal::Positive => '1',
        Literal::Negative => '0',
        Literal::Free => '-',
    };
    (0..stage.inputs.len()).map(character).collect()
}

/// Rounded to what a clock can tell, so that writing what was read gives the same digits.
fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
