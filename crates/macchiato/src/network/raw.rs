//! A classifier as an ONNX file: a table's columns in, classes and probabilities out, around the layers of [`super::to_onnx`].
//!
//! Each column that some bit tests is an input of shape [N, 1] under its own name: numbers and Booleans as float64, where NaN is a missing
//! value, categories as text. Neighbouring tests of a column of numbers are one comparison with a row of constants; a test of a text
//! is a match with the level, where blanks around the text do not count and the words for a missing value are those of
//! [`crate::frame::MISSING`], as everywhere. The answers side by side are the bits, `x`, and from there to `y` nodes
//! and tensors are those of the certified file, which the file's metadata says under the key `certified`. Behind `y` stands what
//! [`crate::model::Model::predict_proba`] does with the circuits' answers. A name that a column has too ends in `_`.

mod decide;
mod read;

use std::collections::HashSet;

use super::onnx::{FLOAT, Message, integer, node, nodes, noted, tensor, tensors, value_info};
use super::{CompileError, Network};

use crate::binarize::{Binarizer, Bit, Test};
use crate::frame::{Kind, MISSING, is_missing};
use crate::model::Model;
use decide::Decision;

pub use read::{RawFile, RawFileError};

/// Codes of the format: tensor element types, attribute types.
const INT64: u64 = 7;
const TEXT: u64 = 8;
const DOUBLE: u64 = 11;
const STRING: u64 = 3;
/// The first versions of format and operators that can match texts (`RegexFullMatch`).
const VERSIONS: (u64, u64) = (9, 20);

/// A classifier whose table no ONNX file can start from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RawError {
    /// The network does not read these bits.
    #[error("the network has {inputs} inputs, the table {bits} bits")]
    OtherBits {
        /// Inputs of the network.
        inputs: usize,
        /// Bits of the model.
        bits: usize,
    },
    /// The network is that of other circuits.
    #[error("the network has {outputs} outputs, the model {circuits} circuits")]
    OtherCircuits {
        /// Outputs of the network.
        outputs: usize,
        /// Circuits of the model.
        circuits: usize,
    },
    /// Patterns whose places no network can count.
    #[error("probabilities: {0}")]
    Counts(CompileError),
    /// A level that no file can spell: it means a missing value, or has blanks around it.
    #[error("column {column:?} has the level {level:?}, which no text of an ONNX file's input stands for")]
    Unspellable {
        /// The column.
        column: String,
        /// The level.
        level: String,
    },
}

/// The element type of the columns that are numbers or Booleans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RawNumbers {
    /// As models compare them.
    #[default]
    Float64,
    /// For tables that are float32: compared as the float64 of the same value.
    Float32,
}

/// What the file says of its certified part.
const CERTIFIED: (&str, &str) = (
    "certified",
    "the nodes from x to y are those of the certified network, bit for bit; tests in front, classes behind",
);

/// The bytes of the file. Its outputs are those of scikit-learn's classifiers in ONNX: `label`, of shape `[N]`, is [`Model::predict`] (whole
/// numbers, also for Booleans; floats; or texts, by [`Model::class_type`]), and `probabilities`, [N, classes] in float64, is
/// [`Model::predict_proba`] with the classes in the order of scikit-learn's `classes_`.
///
/// ```
/// use macchiato::frame::{self, Format, FrameOptions};
/// use macchiato::minimize::Budget;
/// use macchiato::model::{FitOptions, Model};
/// use macchiato::network::{CompileOptions, RawNumbers, compile, to_raw_onnx};
///
/// let text = "age,job,old\n23,cook,no\n35,clerk,no\n48,clerk,yes\n61,cook,yes\n".repeat(4);
/// let text = text.replace("\nage,job,old", "");
/// let frame = frame::read_from(text.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
/// let model = Model::of_frame(frame, None, &FitOptions::default(), &Budget::unlimited())?;
/// let network = compile(&model.circuit()?, &CompileOptions::default())?.network;
/// let file = to_raw_onnx(&network, &model, RawNumbers::Float64)?;
/// assert!(file.windows(3).any(|name| name == b"age"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A network that is not the model's by its numbers of inputs and outputs, and a level that no text spells.
pub fn to_raw_onnx(network: &Network, model: &Model, numbers: RawNumbers) -> Result<Vec<u8>, RawError> {
    let binarizer = model.binarizer();
    let bits = binarizer.bits();
    if bits.len() != network.inputs {
        return Err(RawError::OtherBits { inputs: network.inputs, bits: bits.len() });
    }
    let (outputs, circuits) = (network.outputs(), model.circuits().len());
    // A single class has a network that is always 1, and no circuit.
    if outputs != circuits.max(1) {
        return Err(RawError::OtherCircuits { outputs, circuits });
    }
    let taken: HashSet<&str> = binarizer.columns().iter().map(|column| column.name.as_str()).collect();
    let named = |name: &str| {
        let mut name = name.to_owned();
        while taken.contains(name.as_str()) {
            name.push('_');
        }
        name
    };
    let mut front = Front { numbers, ..Front::default() };
    for tests in bits.chunk_by(|a, b| a.column == b.column) {
        front.column(binarizer, tests, named)?;
    }
    let Front { mut graph, constants, inputs, answers, .. } = front;
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let mut concat = node("Concat", &answers, &named("x"));
    concat.message(5, &integer("axis", 1));
    graph.message(1, &concat);
    nodes(&mut graph, network, named);
    let decision = Decision::of(model, &named)?;
    graph.append(&decision.graph);
    graph.bytes(2, b"macchiato");
    for constant in &constants {
        graph.message(5, constant);
    }
    tensors(&mut graph, network, named);
    graph.append(&decision.constants);
    for input in &inputs {
        graph.message(11, input);
    }
    for output in &decision.outputs {
        graph.message(12, output);
    }
    Ok(noted(&graph, VERSIONS, Some(CERTIFIED)))
}

/// The comparisons so far.
#[derive(Default)]
struct Front {
    graph: Message,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    /// The names of the answers, float32, in the order of the bits.
    answers: Vec<String>,
    numbers: RawNumbers,
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
            let input = self.number(&input, at, &named);
            for tests in tests.chunk_by(|a, b| operator(&a.test) == operator(&b.test)) {
                let numbers: Vec<u8> =
                    tests.iter().filter_map(|bit| number(&bit.test)).flat_map(f64::to_le_bytes).collect();
                self.compare(operator(&tests[0].test), &input, (DOUBLE, tests.len(), &numbers), &named);
            }
            return Ok(());
        }
        self.inputs.push(value_info(&input, TEXT, 1));
        let mut levels: Vec<&str> = column.levels.iter().map(String::as_str).collect();
        for bit in tests {
            match &bit.test {
                Test::Is(level) if !levels.contains(&level.as_str()) => levels.push(level),
                _ => {}
            }
        }
        let unspellable = |level: &&&str| level.trim_ascii() != **level || is_missing(level);
        if let Some(level) = levels.iter().find(unspellable) {
            return Err(RawError::Unspellable { column: column.name.clone(), level: (*level).to_owned() });
        }
        for bit in tests {
            match &bit.test {
                Test::Is(level) => self.matches(&input, &[level], true, &named),
                Test::Missing => self.matches(&input, &missing(), true, &named),
                // Anything but the levels and a missing value.
                _ => self.matches(&input, &[levels.as_slice(), &missing()].concat(), false, &named),
            }
        }
        Ok(())
    }

    /// An input that is a number, and what it is called as a float64.
    fn number(&mut self, input: &str, at: usize, named: &impl Fn(&str) -> String) -> String {
        if self.numbers == RawNumbers::Float64 {
            self.inputs.push(value_info(input, DOUBLE, 1));
            return input.to_owned();
        }
        self.inputs.push(value_info(input, FLOAT, 1));
        let double = named(&format!("d{at}"));
        let mut cast = node("Cast", &[input], &double);
        cast.message(5, &integer("to", DOUBLE.cast_signed()));
        self.graph.message(1, &cast);
        double
    }

    /// Whether a text is one of these, or none of them.
    fn matches(&mut self, value: &str, texts: &[&str], one: bool, named: &impl Fn(&str) -> String) {
        let number = self.answers.len();
        let [found, answer] = ["m", "t"].map(|letter| named(&format!("{letter}{number}")));
        let mut regex = node("RegexFullMatch", &[value], if one { &answer } else { &found });
        let mut attribute = Message::default();
        attribute.bytes(1, b"pattern");
        attribute.bytes(4, pattern(texts).as_bytes());
        attribute.varint(20, STRING);
        regex.message(5, &attribute);
        self.graph.message(1, &regex);
        if !one {
            self.graph.message(1, &node("Not", &[&found], &answer));
        }
        self.cast(&answer, named);
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
        let [constant, answer] = ["k", "t"].map(|letter| named(&format!("{letter}{number}")));
        if constants.is_empty() {
            self.graph.message(1, &node(operator, &[value], &answer));
        } else {
            self.constants.push(tensor(&constant, element, &[1, count as u64], constants));
            self.graph.message(1, &node(operator, &[value, &constant], &answer));
        }
        self.cast(&answer, named);
    }

    /// A Boolean as 0 or 1, which is one more answer, or several side by side.
    fn cast(&mut self, answer: &str, named: &impl Fn(&str) -> String) {
        let bits = named(&format!("q{}", self.answers.len()));
        let mut cast = node("Cast", &[answer], &bits);
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

/// The texts of a missing value.
fn missing() -> Vec<&'static str> {
    [""].into_iter().chain(MISSING).collect()
}

/// A regular expression for these texts with blanks around them. Whatever is no letter or digit is spelled by its code.
fn pattern(texts: &[&str]) -> String {
    const BLANKS: &str = r"[\x{9}\x{a}\x{c}\x{d}\x{20}]*";
    let spelled = |text: &&str| -> String {
        let one = |symbol: char| match symbol {
            'a'..='z' | 'A'..='Z' | '0'..='9' => symbol.to_string(),
            _ => format!(r"\x{{{:x}}}", u32::from(symbol)),
        };
        text.chars().map(one).collect()
    };
    let texts: Vec<String> = texts.iter().map(spelled).collect();
    format!("{BLANKS}(?:{}){BLANKS}", texts.join("|"))
}
