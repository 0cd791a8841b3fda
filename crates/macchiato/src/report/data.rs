//! What the page's script reads: the circuits, the network's weights, which neurons carry which gate, and rows to try.
//!
//! Inputs keep their numbers, so that a weight of the page is the weight of the network file. A literal is its input's number
//! plus one, negative where it is negated. A neuron whose weights are those of an earlier one of its layer says so by that
//! one's place: an AND and its excess, and all hidden neurons of an XOR, differ only in their biases.

use std::collections::HashMap;

use serde::Serialize;

use super::checked::Certificate;
use super::escape;
use super::measure::Measured;
use super::view::View;
use super::{Inputs, Learned};
use crate::binarize::Test;
use crate::bits;
use crate::frame::{Columns, Frame, Kind, NO_LEVEL, Values};
use crate::network::{Activation, Layer};
use crate::staged::Staged;

/// Rows of a sample that the page offers: wrong answers first, then some from everywhere.
const ROWS: usize = 60;
/// The most values that those rows may have.
const VALUES: usize = 6000;
/// The most characters of patterns; past that the page leaves a class that the circuits do not decide to the command.
const PATTERNS: usize = 200_000;

#[derive(Serialize)]
struct Data<'a> {
    target: &'a str,
    classes: Vec<String>,
    /// The class of each circuit.
    told: Vec<usize>,
    inputs: usize,
    read: &'a [usize],
    names: Vec<String>,
    nots: Vec<String>,
    circuits: Vec<CircuitData<'a>>,
    layers: Vec<LayerData>,
    /// The SHA-256 of the network's file, as its certificate names it.
    network: &'a str,
    /// Key, then layer, neuron and coefficient of each part.
    gates: Vec<(&'a str, Vec<i64>)>,
    /// The columns whose tests are read; none for a model.
    columns: Vec<ColumnData<'a>>,
    /// For each input read, the place of its column and the test.
    tests: Vec<(usize, &'static str, Option<Value>)>,
    cells: Option<Vec<CellsData>>,
    rows: Vec<RowData>,
}

#[derive(Serialize)]
struct CircuitData<'a> {
    target: &'a str,
    stages: Vec<Vec<Vec<i64>>>,
}

#[derive(Serialize)]
struct LayerData {
    relu: bool,
    bias: Vec<i32>,
    weights: Vec<Weights>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Weights {
    /// Neuron and weight, in turn.
    Own(Vec<i64>),
    /// Those of an earlier neuron of the layer.
    Same(usize),
}

#[derive(Serialize)]
struct ColumnData<'a> {
    name: &'a str,
    kind: Kind,
    gaps: bool,
    levels: &'a [String],
}

#[derive(Serialize)]
struct CellsData {
    answers: [f64; 2],
    patterns: Vec<(String, f64)>,
}

#[derive(Serialize)]
struct RowData {
    test: bool,
    row: usize,
    label: u32,
    answer: u32,
    x: Vec<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Bit(u8),
    Truth(bool),
    Number(f64),
    Text(String),
    Missing,
}

/// The JSON, safe inside a `script` element; none where there is no circuit.
pub(super) fn json(view: &View<'_>) -> Result<Option<String>, serde_json::Error> {
    let Some(network) = &view.network else { return Ok(None) };
    let read = view.read();
    let literal = |positive| read.iter().map(|&input| view.literal((input, positive))).collect();
    let places = Places::new(view, &read);
    let data = Data {
        target: view.target(),
        classes: view.learned.classes(),
        told: view.learned.told(),
        inputs: network.compiled.network.inputs,
        read: &read,
        names: literal(true),
        nots: literal(false),
        circuits: view.circuits.iter().map(|circuit| circuit_data(circuit)).collect(),
        layers: network.compiled.network.layers.iter().map(layer_data).collect(),
        network: view.certificate.as_ref().map_or("", Certificate::network),
        gates: network
            .carried
            .iter()
            .map(|(key, parts)| {
                let part =
                    |&(layer, at, times): &(usize, usize, i32)| [layer as i64, at as i64, i64::from(times)];
                (key.as_str(), parts.iter().flat_map(part).collect())
            })
            .collect(),
        columns: places.columns,
        tests: places.tests,
        cells: cells(view),
        rows: rows(view, &read, &places.used),
    };
    escape::json(&data).map(Some)
}

fn circuit_data(circuit: &Staged) -> CircuitData<'_> {
    let literal = |(input, positive): (usize, bool)| (input as i64 + 1) * if positive { 1 } else { -1 };
    let stage = |stage: &crate::stage::Stage| {
        stage.terms().map(|term| term.into_iter().map(literal).collect()).collect()
    };
    CircuitData { target: &circuit.target, stages: circuit.stages.iter().map(stage).collect() }
}

fn layer_data(layer: &Layer) -> LayerData {
    let mut known: HashMap<&[(u32, i32)], usize> = HashMap::new();
    let weights = layer.weights.iter().enumerate().map(|(at, weights)| {
        if let Some(&earlier) = known.get(weights.as_slice()) {
            return Weights::Same(earlier);
        }
        known.insert(weights, at);
        Weights::Own(
            weights.iter().flat_map(|&(from, weight)| [i64::from(from), i64::from(weight)]).collect(),
        )
    });
    LayerData {
        weights: weights.collect(),
        relu: layer.activation == Activation::Relu,
        bias: layer.biases.clone(),
    }
}

/// The columns behind the inputs that are read.
struct Places<'a> {
    columns: Vec<ColumnData<'a>>,
    tests: Vec<(usize, &'static str, Option<Value>)>,
    /// The columns' names.
    used: Vec<&'a str>,
}

impl<'a> Places<'a> {
    fn new(view: &View<'a>, read: &[usize]) -> Self {
        let mut places = Self { columns: Vec::new(), tests: Vec::new(), used: Vec::new() };
        let Learned::Classifier(classifier) = view.learned else { return places };
        let binarizer = classifier.binarizer();
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for &input in read {
            let bit = &binarizer.bits()[input];
            let at = *numbers.entry(bit.column).or_insert_with(|| {
                let column = &binarizer.columns()[bit.column];
                places.used.push(&column.name);
                places.columns.push(ColumnData {
                    name: &column.name,
                    kind: column.kind,
                    gaps: column.gaps,
                    levels: &column.levels,
                });
                places.columns.len() - 1
            });
            places.tests.push(match &bit.test {
                Test::True => (at, "true", None),
                Test::Above(cut) => (at, "above", Some(Value::Number(*cut))),
                Test::Equals(value) => (at, "equals", Some(Value::Number(*value))),
                Test::Is(level) => (at, "is", Some(Value::Text(level.clone()))),
                Test::Other => (at, "other", None),
                Test::Missing => (at, "missing", None),
            });
        }
        places
    }
}

fn cells(view: &View<'_>) -> Option<Vec<CellsData>> {
    let Learned::Classifier(classifier) = view.learned else { return None };
    let mut length = 0;
    let mut data = Vec::new();
    for cells in classifier.cells() {
        let (answers, patterns) = cells.by_cell();
        let mut spelled = Vec::with_capacity(patterns.len());
        for (pattern, probability) in patterns {
            let pattern: Vec<String> = pattern.iter().map(ToString::to_string).collect();
            let pattern = pattern.join(".");
            length += pattern.len() + 24;
            spelled.push((pattern, probability));
        }
        data.push(CellsData { answers, patterns: spelled });
    }
    (length <= PATTERNS).then_some(data)
}

fn rows(view: &View<'_>, read: &[usize], used: &[&str]) -> Vec<RowData> {
    let mut rows = Vec::new();
    let width = if used.is_empty() { read.len() } else { used.len() };
    let most = ROWS.min(VALUES / width.max(1));
    for (test, measured) in [(false, &view.train), (true, &view.test)] {
        let Some(measured) = measured else { continue };
        for row in chosen(measured, most) {
            let x = match measured.sample.inputs {
                Inputs::Bits(columns) => {
                    read.iter().map(|&input| Value::Bit(bits::get(columns[input], row).into())).collect()
                }
                Inputs::Table(frame) => used.iter().map(|name| value(frame, name, row)).collect(),
            };
            rows.push(RowData {
                test,
                row: row + 1,
                label: measured.sample.labels[row],
                answer: measured.answers[row],
                x,
            });
        }
    }
    rows
}

/// Up to half of them answered wrong, the rest spread over all rows; in order.
fn chosen(measured: &Measured<'_>, most: usize) -> Vec<usize> {
    let wrong = |row: &usize| measured.sample.labels[*row] != measured.answers[*row];
    let mut rows: Vec<usize> = (0..measured.rows).filter(wrong).take(most / 2).collect();
    let others = most - rows.len();
    rows.extend(
        (0..others.min(measured.rows)).map(|at| at * measured.rows / others.min(measured.rows).max(1)),
    );
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn value(frame: &Frame, name: &str, row: usize) -> Value {
    let column = frame.names.iter().position(|other| other == name).and_then(|at| frame.column(at).ok());
    match column {
        Some(values) if values.is_missing(row) => Value::Missing,
        Some(Values::Boolean { bits, .. }) => Value::Truth(bits::get(&bits, row)),
        Some(Values::Number(numbers)) => Value::Number(numbers[row]),
        Some(Values::Category { codes, levels }) if codes[row] != NO_LEVEL => {
            Value::Text(levels[codes[row] as usize].clone())
        }
        _ => Value::Missing,
    }
}
