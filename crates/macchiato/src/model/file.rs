//! The model file, key by key and in its order: what `docs/model.md` documents.

mod circuit;

use super::fault::Fault;
use super::object::{Object, present};
use super::{FORMAT, Method};
use crate::binarize::{Bit, Column, Test};
use crate::fit::{PaperParams, Selection};
use crate::frame::Kind;
use crate::learn::{AutoParams, Gates, Pick};
use serde::{Deserialize, Serialize};

pub(super) use circuit::{
    AlternativeFile, Cells, CellsFile, CircuitFile, DecisionTrace, TraceStage, thousandths,
};

/// All of it, with the method's parameters as `M`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File<M> {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) target: String,
    pub(super) classes: Vec<String>,
    /// Where the classes do not say it themselves.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) class_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) positive: Option<String>,
    pub(super) columns: Vec<Object<ColumnFile>>,
    pub(super) tests: Vec<Object<TestFile>>,
    pub(super) method: Object<M>,
    pub(super) circuits: Vec<Object<CircuitFile>>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) holdout: Option<Object<Holdout>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnFile {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: Kind,
    pub(super) gaps: bool,
    /// Of categories alone.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) levels: Option<Vec<String>>,
}

/// A column and one key more, or none where the test is that the value is true.
#[derive(Debug, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct TestFile {
    pub(super) column: String,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) above: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) equals: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) is: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) other: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) missing: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Holdout {
    pub(super) rows: u64,
    pub(super) wrong: u64,
    /// As text, so that no reader rounds it.
    pub(super) confidence: String,
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
    /// Which circuit of the front was taken, where it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) pick: Option<String>,
    /// Which gates it may have, where not all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) gates: Option<String>,
}

impl<'a> File<&'a Method> {
    pub(super) fn new(model: &'a super::Model) -> Self {
        let binarizer = &model.binarizer;
        let column = |column: &Column| ColumnFile {
            name: column.name.clone(),
            kind: column.kind,
            gaps: column.gaps,
            levels: (column.kind == Kind::Category).then(|| column.levels.clone()),
        };
        let test = |bit| Object(TestFile::new(bit, binarizer.columns()));
        Self {
            format: FORMAT.to_owned(),
            version: super::VERSIONS[super::VERSIONS.len() - 1],
            target: model.target.clone(),
            classes: model.classes.clone(),
            class_type: model.class_type.map(|class_type| class_type.to_string()),
            positive: model.positive.map(|positive| model.classes[positive].clone()),
            columns: binarizer.columns().iter().map(column).map(Object).collect(),
            tests: binarizer.bits().iter().map(test).collect(),
            method: Object(&model.method),
            circuits: model.circuits.iter().map(CircuitFile::new).map(Object).collect(),
            holdout: model.holdout.as_ref().map(Holdout::new),
        }
    }
}

impl TestFile {
    fn new(bit: &Bit, columns: &[Column]) -> Self {
        let mut made = Self { column: columns[bit.column].name.clone(), ..Self::default() };
        match &bit.test {
            Test::True => {}
            Test::Above(cut) => made.above = Some(*cut),
            Test::Equals(value) => made.equals = Some(*value),
            Test::Is(level) => made.is = Some(level.clone()),
            Test::Other => made.other = Some(true),
            Test::Missing => made.missing = Some(true),
        }
        made
    }

    /// The test, unless there are several or one is denied.
    pub(super) fn test(&self) -> Option<Test> {
        let Self { above, equals, is, other, missing, .. } = self;
        match (above, equals, is, other, missing) {
            (None, None, None, None, None) => Some(Test::True),
            (Some(cut), None, None, None, None) => Some(Test::Above(*cut)),
            (None, Some(value), None, None, None) => Some(Test::Equals(*value)),
            (None, None, Some(level), None, None) => Some(Test::Is(level.clone())),
            (None, None, None, Some(true), None) => Some(Test::Other),
            (None, None, None, None, Some(true)) => Some(Test::Missing),
            _ => None,
        }
    }
}

impl Holdout {
    pub(super) fn new(holdout: &super::Holdout) -> Object<Self> {
        let super::Holdout { rows, wrong, confidence } = *holdout;
        Object(Self { rows, wrong, confidence: confidence.to_string() })
    }

    /// What the file says, or the key that is wrong and why.
    pub(super) fn checked(&self) -> Result<super::Holdout, (&'static str, Fault)> {
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
        let AutoParams { k, m, effort, seed, pick, gates } = *params;
        let pick = (pick != Pick::default()).then(|| pick.to_string());
        let gates = (gates != Gates::default()).then(|| gates.to_string());
        Self { name: "auto".to_owned(), k, m, effort, seed, pick, gates }
    }
}
