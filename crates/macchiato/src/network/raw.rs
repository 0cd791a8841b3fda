//! The network as an ONNX file that starts from a table: comparisons in front of the layers of [`super::to_onnx`].
//!
//! Each column that some bit tests is an input of shape [N, 1] under its own name: numbers and Booleans as float64, where NaN is a missing
//! value, categories as text, where the empty text is. Neighbouring tests of a column are one comparison with a row of
//! constants; levels become whole numbers first (`LabelEncoder`). The answers side by side are the bits, `x`, and from there on nodes
//! and tensors are those of the certified file. A name that a column has too ends in `_`.

use std::collections::HashSet;

use super::Network;
use super::onnx::{FLOAT, Message, integer, model, node, nodes, tensor, tensors, value_info};
use crate::binarize::{Binarizer, Bit, Test};
use crate::frame::Kind;

/// Codes of the format: tensor element types, attribute types.
const INT64: u64 = 7;
const STRING: u64 = 8;
const DOUBLE: u64 = 11;
const INTS: u64 = 7;
const STRINGS: u64 = 8;
/// Where `LabelEncoder` is, in a version that takes texts to whole numbers.
const ML: (&str, u64) = ("ai.onnx.ml", 2);
/// The number of a missing category; levels count from 0, and all others have the next one after the last.
const NO_VALUE: i64 = -1;

/// A classifier whose table no ONNX file can start from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RawError {
    /// The network does not read these bits.
    #[error("the network has {inputs} inputs, the table {bits} bits")]
    OtherBits {
        /// Inputs of the network.
        inputs: usize,
        /// Bits of the binarizer.
        bits: usize,
    },
    /// The empty text is a level, but stands for a missing value in the file.
    #[error(
        "column {column:?} has a level that is the empty text, which means a missing value in an ONNX file"
    )]
    EmptyLevel {
        /// The column.
        column: String,
    },
}

/// The bytes of the file. The output is `y`, of shape [N, C]: the circuits, not yet the class.
///
/// ```
/// use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
/// use macchiato::circuit::Circuit;
/// use macchiato::frame::{self, FrameOptions};
/// use macchiato::network::{CompileOptions, compile, to_raw_onnx};
/// use macchiato::table::Format;
///
/// let text = "age,job\n23,cook\n35,clerk\n48,clerk\n61,cook\n";
/// let frame = frame::read_from(text.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
/// let labels = Labels { codes: &[0, 0, 1, 1], classes: 2, weights: None };
/// let binarizer = Binarizer::learn(&frame, &labels, &BinarizeOptions::default())?;
/// let circuit = Circuit { inputs: binarizer.names(), target: "y".into(), stages: vec![] };
/// let file = to_raw_onnx(&compile(&circuit, &CompileOptions::default()).network, &binarizer)?;
/// assert!(file.windows(3).any(|name| name == b"age"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Bits of another number than the network's inputs, and a level that is the empty text.
pub fn to_raw_onnx(network: &Network, binarizer: &Binarizer) -> Result<Vec<u8>, RawError> {
    let bits = binarizer.bits();
    if bits.len() != network.inputs {
        return Err(RawError::OtherBits { inputs: network.inputs, bits: bits.len() });
    }
    let taken: HashSet<&str> = binarizer.columns().iter().map(|column| column.name.as_str()).collect();
    let named = |name: &str| {
        let mut name = name.to_owned();
        while taken.contains(name.as_str()) {
            name.push('_');
        }
        name
    };
    let mut front = Front::default();
    for tests in bits.chunk_by(|a, b| a.column == b.column) {
        front.column(binarizer, tests, named)?;
    }
    let Front { mut graph, constants, inputs, answers, categories } = front;
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let mut concat = node("Concat", &answers, &named("x"));
    concat.message(5, &integer("axis", 1));
    graph.message(1, &concat);
    nodes(&mut graph, network, named);
    graph.bytes(2, b"macchiato");
    for constant in &constants {
        graph.message(5, constant);
    }
    tensors(&mut graph, network, named);
    for input in &inputs {
        graph.message(11, input);
    }
    graph.message(12, &value_info(&named("y"), FLOAT, network.outputs() as u64));
    Ok(model(&graph, categories.then_some(ML)))
}

/// The comparisons so far.
#[derive(Default)]
struct Front {
    graph: Message,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    /// The names of the answers, float32, in the order of the bits.
    answers: Vec<String>,
    categories: bool,
}

impl Front {
    /// All tests of one column.
    fn column(
        &mut self,
        binarizer: &Binarizer,
        tests: &[Bit],
        named: impl Fn(&str) -> String,
    ) -> Result<(), RawError> {
        let at = tests[0].column;
        let column = &binarizer.columns()[at];
        // A value without a name is absent in ONNX.
        let input = if column.name.is_empty() { named(&format!("column{at}")) } else { column.name.clone() };
        if column.kind != Kind::Category {
            self.inputs.push(value_info(&input, DOUBLE, 1));
            for tests in tests.chunk_by(|a, b| operator(&a.test) == operator(&b.test)) {
                let numbers: Vec<u8> =
                    tests.iter().filter_map(|bit| number(&bit.test)).flat_map(f64::to_le_bytes).collect();
                self.compare(operator(&tests[0].test), &input, (DOUBLE, tests.len(), &numbers), &named);
            }
            return Ok(());
        }
        let mut levels: Vec<&str> = column.levels.iter().map(String::as_str).collect();
        for bit in tests {
            match &bit.test {
                Test::Is(level) if !levels.contains(&level.as_str()) => levels.push(level),
                _ => {}
            }
        }
        if levels.contains(&"") {
            return Err(RawError::EmptyLevel { column: column.name.clone() });
        }
        let others = levels.len() as i64;
        let code = |bit: &Bit| match &bit.test {
            Test::Is(level) => levels.iter().position(|known| known == level).map_or(others, |at| at as i64),
            Test::Missing => NO_VALUE,
            _ => others,
        };
        let wanted: Vec<u8> = tests.iter().map(code).flat_map(i64::to_le_bytes).collect();
        let codes = named(&format!("codes{at}"));
        self.categories = true;
        self.inputs.push(value_info(&input, STRING, 1));
        self.graph.message(1, &label_encoder(&input, &levels, &codes));
        self.compare("Equal", &codes, (INT64, tests.len(), &wanted), &named);
        Ok(())
    }

    /// One comparison of a value with `count` constants, and its answers as 0 and 1.
    fn compare(
        &mut self,
        operator: &str,
        value: &str,
        (element, count, constants): (u64, usize, &[u8]),
        named: &impl Fn(&str) -> String,
    ) {
        let number = self.answers.len();
        let [constant, answer, bits] = ["k", "t", "q"].map(|letter| named(&format!("{letter}{number}")));
        if constants.is_empty() {
            self.graph.message(1, &node(operator, &[value], &answer));
        } else {
            self.constants.push(tensor(&constant, element, &[1, count as u64], constants));
            self.graph.message(1, &node(operator, &[value, &constant], &answer));
        }
        let mut cast = node("Cast", &[&answer], &bits);
        cast.message(5, &integer("to", FLOAT.cast_signed()));
        self.graph.message(1, &cast);
        self.answers.push(bits);
    }
}

/// The operator of a test of a number or Boolean.
const fn operator(test: &Test) -> &'static str {
    match test {
        Test::True | Test::Above(_) => "Greater",
        Test::Equals(_) | Test::Is(_) | Test::Other => "Equal",
        Test::Missing => "IsNaN",
    }
}

/// What it compares with. A category's test never holds of a number.
const fn number(test: &Test) -> Option<f64> {
    match test {
        Test::True => Some(0.5),
        Test::Above(number) | Test::Equals(number) => Some(*number),
        Test::Is(_) | Test::Other => Some(f64::NAN),
        Test::Missing => None,
    }
}

/// Levels to whole numbers from 0 on, the empty text to [`NO_VALUE`], anything else to the number of levels.
fn label_encoder(input: &str, levels: &[&str], output: &str) -> Message {
    let mut keys = Message::default();
    keys.bytes(1, b"keys_strings");
    let mut values = Message::default();
    values.bytes(1, b"values_int64s");
    for (at, level) in levels.iter().enumerate() {
        keys.bytes(9, level.as_bytes());
        values.varint(8, at as u64);
    }
    keys.bytes(9, b"");
    values.varint(8, NO_VALUE.cast_unsigned());
    keys.varint(20, STRINGS);
    values.varint(20, INTS);
    let mut node = node("LabelEncoder", &[input], output);
    node.message(5, &keys);
    node.message(5, &values);
    node.message(5, &integer("default_int64", levels.len() as i64));
    node.bytes(7, ML.0.as_bytes());
    node
}
