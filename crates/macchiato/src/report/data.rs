//! What the page's script reads: the circuits, the network's weights, which neurons carry which gate, and rows to try.
//!
//! Inputs keep their numbers, so that a weight of the page is the weight of the network file. A literal is its input's number
//! plus one, or the number of its gate plus one plus the number of inputs, negative where it is negated. A neuron whose weights are those of an earlier one of its layer says so by that
//! one's place: an AND and its excess, and all hidden neurons of an XOR, differ only in their biases.

use std::collections::HashMap;

use serde::Serialize;

use super::checked::Certificate;
use super::escape;
use super::measure::Measured;
use super::view::{Shown, View, gate_key};
use crate::binarize::Test;
use crate::bits;
use crate::circuit::{Literal, Rule, Source};
use crate::frame::{Columns, Frame, Kind, NO_LEVEL, Values};
use crate::model::{ClassCircuit, Keys};
use crate::network::{Activation, Layer};
use crate::words::{self, Symbols};

/// Rows of a sample that the page offers: wrong answers first, then some from everywhere.
const ROWS: usize = 60;
/// The most values that those rows may have.
const VALUES: usize = 6000;
/// The most characters of patterns; past that the page leaves a class that the circuits do not decide to the command.
const PATTERNS: usize = 200_000;
/// The most characters in which a gate is said.
const WORDS: usize = 120;

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
    /// Key, a constant, then layer, neuron and coefficient of each part.
    gates: Vec<(&'a str, i32, Vec<i64>)>,
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
    /// Whether its gates are terms, stages and their XOR.
    staged: bool,
    gates: Vec<GateData>,
    output: i64,
}

/// A gate as it was learned.
#[derive(Serialize)]
struct GateData {
    k: String,
    rule: &'static str,
    /// The counts that it holds for, where it counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counts: Vec<(u64, u64)>,
    literals: Vec<i64>,
    /// Where they are not one each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<u32>,
    /// What it does and what it says, for a gate of no stage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<String>,
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
pub(super) fn json(view: &View<'_>) -> Result<Option<String>, std::io::Error> {
    let Some(network) = &view.network else { return Ok(None) };
    let read = view.read();
    let literal = |positive| read.iter().map(|&input| view.literal((input, positive))).collect();
    let places = Places::new(view, &read);
    let data = Data {
        target: view.model.target(),
        classes: view.model.classes().to_vec(),
        told: view.model.learned(),
        inputs: network.compiled.network.inputs,
        read: &read,
        names: literal(true),
        nots: literal(false),
        circuits: circuits(view),
        layers: network.compiled.network.layers.iter().map(layer_data).collect(),
        network: view.certificate.as_ref().map_or("", Certificate::network),
        gates: network
            .carried
            .iter()
            .map(|(key, base, parts)| {
                let part =
                    |&(layer, at, times): &(usize, usize, i32)| [layer as i64, at as i64, i64::from(times)];
                (key.as_str(), *base, parts.iter().flat_map(part).collect())
            })
            .collect(),
        columns: places.columns,
        tests: places.tests,
        cells: cells(view),
        rows: rows(view, &read, &places.used),
    };
    escape::json(&data).map(Some)
}

fn circuits<'a>(view: &View<'a>) -> Vec<CircuitData<'a>> {
    let one = |(shown, model): (&Shown<'a>, &'a ClassCircuit)| {
        let learned = model.learned();
        let first = view.first_stage(shown.number) - 1;
        let inputs = learned.inputs().len() as i64;
        let number = |literal: &Literal| {
            let number = match literal.source {
                Source::Input(input) => input as i64 + 1,
                Source::Gate(gate) => inputs + gate as i64 + 1,
            };
            if literal.positive { number } else { -number }
        };
        let staged = !shown.stages.is_empty();
        let gate = |(g, gate): (usize, &crate::circuit::Gate)| {
            let (rule, counts) = match &gate.rule {
                Rule::And => ("and", Vec::new()),
                Rule::Or => ("or", Vec::new()),
                Rule::Xor => ("xor", Vec::new()),
                Rule::AtLeast(least) => ("counts", vec![(*least, gate.most())]),
                Rule::Counts(ranges) => {
                    ("counts", ranges.iter().map(|&(from, to)| (from, to.min(gate.most()))).collect())
                }
                Rule::Sum => ("counts", vec![(1, gate.most())]),
            };
            let say = || view.words.circuit(&learned.with_output(Literal::gate(g)), Symbols::UNICODE).line();
            GateData {
                k: gate_key(shown, first, (g, gate)),
                rule,
                counts,
                literals: gate.literals.iter().map(number).collect(),
                points: if gate.has_points() {
                    gate.literals.iter().map(|l| l.weight).collect()
                } else {
                    Vec::new()
                },
                words: if staged {
                    Vec::new()
                } else {
                    vec![words::rule(gate), escape::shortened(&say(), WORDS)]
                },
            }
        };
        CircuitData {
            target: shown.target,
            staged,
            gates: learned.gates().iter().enumerate().map(gate).collect(),
            output: learned.outputs().first().map_or(0, |output| number(&output.literal)),
        }
    };
    view.circuits.iter().zip(view.model.circuits()).map(one).collect()
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
        if view.model.is_plain() {
            return places;
        }
        let binarizer = view.model.binarizer();
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
    let mut length = 0;
    let mut data = Vec::new();
    for class in view.model.circuits() {
        let (answers, patterns) = class.cells().by_cell(&Keys::of(class));
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
            let x = if view.model.is_plain() {
                let bit = |&input: &usize| Value::Bit(bits::get(&measured.columns[input], row).into());
                read.iter().map(bit).collect()
            } else {
                used.iter().map(|name| value(measured.sample.frame, name, row)).collect()
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
