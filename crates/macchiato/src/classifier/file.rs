//! The classifier file, key by key and in its order: what `docs/classifier.md` documents.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::binarize::{Bit, Test};
use crate::frame::Kind;
use crate::model::Method;
use crate::model::file as model;
use crate::model::object::{Object, present};

/// What is written.
#[derive(Serialize)]
pub(super) struct Classifier<'a> {
    format: &'static str,
    version: u64,
    target: &'a str,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    columns: Vec<Column>,
    bits: Vec<BitTest>,
    models: Vec<model::Model<&'a Method>>,
    cells: Vec<Cells>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<Object<model::Holdout>>,
}

/// What is read; each model from its own bytes, so that all of [`crate::model`]'s checks are made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Read<'a> {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    pub(super) target: String,
    pub(super) classes: Vec<String>,
    #[serde(default, deserialize_with = "present")]
    pub(super) positive: Option<String>,
    pub(super) columns: Vec<Object<Column>>,
    pub(super) bits: Vec<Object<BitTest>>,
    #[serde(borrow)]
    pub(super) models: Vec<&'a RawValue>,
    pub(super) cells: Vec<Object<Cells>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) holdout: Option<Object<model::Holdout>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: Kind,
    pub(super) gaps: bool,
    /// Of categories alone.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) levels: Option<Vec<String>>,
}

/// A column and one key more, or none where the test is that the value is true.
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct BitTest {
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

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cells {
    pub(super) prior: f64,
    pub(super) answers: [[u64; 2]; 2],
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "present")]
    pub(super) patterns: Option<Vec<(Vec<u16>, [u64; 2])>>,
}

impl<'a> Classifier<'a> {
    pub(super) fn new(classifier: &'a super::Classifier) -> Self {
        let binarizer = &classifier.binarizer;
        let column = |column: &crate::binarize::Column| Column {
            name: column.name.clone(),
            kind: column.kind,
            gaps: column.gaps,
            levels: (column.kind == Kind::Category).then(|| column.levels.clone()),
        };
        let cells = |cells: &super::Cells| Cells {
            prior: cells.prior,
            answers: cells.answers,
            patterns: (!cells.patterns.is_empty()).then(|| cells.patterns.clone()),
        };
        Self {
            format: super::FORMAT,
            version: super::VERSIONS[super::VERSIONS.len() - 1],
            target: &classifier.target,
            classes: &classifier.classes,
            positive: classifier.positive.map(|positive| classifier.classes[positive].as_str()),
            columns: binarizer.columns().iter().map(column).collect(),
            bits: binarizer.bits().iter().map(|bit| BitTest::new(bit, binarizer.columns())).collect(),
            models: classifier.models.iter().map(|model| model::Model::new(model, model.method())).collect(),
            cells: classifier.cells.iter().map(cells).collect(),
            holdout: classifier.holdout.as_ref().map(model::Holdout::new),
        }
    }
}

impl BitTest {
    fn new(bit: &Bit, columns: &[crate::binarize::Column]) -> Self {
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
