//! Explanations, each as JSON, which Python reads, and in words.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use macchiato::bits;
use macchiato::explain::{
    Data, ExplainError, ExplainOptions, Plain, Point, PredictionExplanation, Subject, Wording,
    explain_difference, explain_model, explain_prediction, explain_prediction_within, row_influences,
};
use macchiato::minimize::Budget;
use macchiato::model::Model;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::Raise;
use crate::work;

/// An explanation as JSON, and in words.
pub(crate) type Said = (String, String);

/// How long to search: until everything is proven or not, and at most this many seconds.
pub(crate) type Search = (bool, Option<f64>);

/// Rows on which influences and errors are counted as well: their bits and, where the classes are known, each circuit's labels.
pub(crate) struct Counted {
    pub(crate) columns: Vec<Vec<u64>>,
    pub(crate) labels: Vec<Vec<u64>>,
    pub(crate) rows: usize,
}

/// The rows of each circuit's class, for classes given by their numbers.
pub(crate) fn labels(model: &Model, classes: &[u32]) -> Vec<Vec<u64>> {
    let of = |class: usize| {
        let mut column = bits::Column::default();
        for &other in classes {
            column.push(other as usize == class);
        }
        column.into_words()
    };
    model.learned().into_iter().map(of).collect()
}

/// How much each column matters on rows.
pub(crate) fn influences(
    subject: &Subject<'_>,
    columns: &[Vec<u64>],
    rows: usize,
    weights: Option<&[u64]>,
) -> Result<Vec<f64>, ExplainError> {
    let data = Data { columns: &slices(columns), labels: &[], rows };
    row_influences(subject, &data, weights)
}

/// A model as a whole.
pub(crate) fn model(
    py: Python<'_>,
    subject: &Subject<'_>,
    counted: Option<&Counted>,
    search: Search,
) -> PyResult<Said> {
    said(py, search, |options, budget| {
        let explanation = match counted {
            None => explain_model(subject, None, options, budget)?,
            Some(Counted { columns, labels, rows }) => {
                let data = Data { columns: &slices(columns), labels: &slices(labels), rows: *rows };
                explain_model(subject, Some(&data), options, budget)?
            }
        };
        let text = explanation.text(counted.map(|_| "X"), &Wording::of(subject, options.symbols, &Plain));
        Ok((explanation, text))
    })
}

/// One answer; where `actionable` are given, only these features may change for another.
pub(crate) fn prediction(
    py: Python<'_>,
    subject: &Subject<'_>,
    point: &Point,
    actionable: Option<&[String]>,
    search: Search,
) -> PyResult<Said> {
    said(py, search, |options, budget| {
        let explanation = answer(subject, point, actionable, (options, budget))?;
        let text = explanation.text(&Wording::of(subject, options.symbols, &Plain));
        Ok((explanation, text))
    })
}

/// Many answers: the explanations as JSON, without what they say of single cells, and which of them is that of each row.
pub(crate) fn predictions(
    py: Python<'_>,
    subject: &Subject<'_>,
    points: &[Point],
    actionable: Option<&[String]>,
    search: Search,
) -> PyResult<(String, Vec<usize>)> {
    let (explained, which) = searched(py, search, |options, budget| {
        // Rows that no circuit tells apart have one explanation.
        let mut places = BTreeMap::new();
        let mut explained = Vec::new();
        let mut which = Vec::with_capacity(points.len());
        for point in points {
            let place = match places.entry(point.told_apart(subject)) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    explained.push(answer(subject, point, actionable, (options, budget))?);
                    *new.insert(explained.len() - 1)
                }
            };
            which.push(place);
        }
        Ok((explained, which))
    })?;
    Ok((json(&explained)?, which))
}

fn answer(
    subject: &Subject<'_>,
    point: &Point,
    actionable: Option<&[String]>,
    (options, budget): (&ExplainOptions, &Budget),
) -> Result<PredictionExplanation, ExplainError> {
    match actionable {
        Some(names) => explain_prediction_within(subject, point, names, options, budget),
        None => explain_prediction(subject, point, options, budget),
    }
}

/// Where two disagree.
pub(crate) fn difference(
    py: Python<'_>,
    [first, second]: [&Subject<'_>; 2],
    search: Search,
) -> PyResult<Said> {
    said(py, search, |options, budget| {
        let explanation = explain_difference(first, second, None, options, budget)?;
        let wording = Wording::of(first, options.symbols, &Plain);
        let text = explanation.text(["self", "other"], false, &wording);
        Ok((explanation, text))
    })
}

fn slices(columns: &[Vec<u64>]) -> Vec<&[u64]> {
    columns.iter().map(Vec::as_slice).collect()
}

fn said<T: Serialize + Send>(
    py: Python<'_>,
    search: Search,
    explain: impl FnOnce(&ExplainOptions, &Budget) -> Result<(T, String), ExplainError> + Send,
) -> PyResult<Said> {
    let (explanation, text) = searched(py, search, explain)?;
    Ok((json(&explanation)?, text))
}

fn searched<T: Send>(
    py: Python<'_>,
    (exact, time_limit): Search,
    explain: impl FnOnce(&ExplainOptions, &Budget) -> Result<T, ExplainError> + Send,
) -> PyResult<T> {
    let options = ExplainOptions::default();
    let options = if exact { options.exact() } else { options };
    let done = work::run(py, 1, None, |desk| explain(&options, &desk.budget(time_limit)))?;
    if done.interrupted {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    done.value.map_err(|error| error.raise(py))
}

fn json(explanation: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(explanation).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
