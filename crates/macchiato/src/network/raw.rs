//! The network as an ONNX file that starts from a table: comparisons in front of the layers of [`super::to_onnx`].
//!
//! Each column that some bit tests is an input of shape [N, 1] under its own name: numbers and Booleans as float64, where NaN is a missing
//! value, categories as text. Neighbouring tests of a column of numbers are one comparison with a row of constants; a test of a text
//! is a match with the level, where blanks around the text do not count and the words for a missing value are those of
//! [`crate::frame::MISSING`], as everywhere. The answers side by side are the bits, `x`, and from there on nodes
//! and tensors are those of the certified file. A name that a column has too ends in `_`.

mod read;

use std::collections::HashSet;

use super::Network;
use super::onnx::{FLOAT, Message, integer, model, node, nodes, tensor, tensors, value_info};

use crate::binarize::{Binarizer, Bit, Test};
use crate::frame::{Kind, MISSING, is_missing};

pub use read::{RawFile, RawFileError};

/// Codes of the format: tensor element types, attribute types.
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
        /// Bits of the binarizer.
        bits: usize,
    },
    /// A level that no file can spell: it means a missing value, or has blanks around it.
    #[error("column {column:?} has the level {level:?}, which no text of an ONNX file's input stands for")]
    Unspellable {
        /// The column.
        column: String,
        /// The level.
        level: String,
    },
}

/// The bytes of the file. The output is `y`, of shape [N, C]: the circuits, not yet the class.
///
/// ```
/// use macchiato::binarize::{BinarizeOptions, Binarizer, Labels};
/// use macchiato::circuit::{Circuit, Literal, Output};
/// use macchiato::frame::{self, Format, FrameOptions};
/// use macchiato::network::{CompileOptions, compile, to_raw_onnx};
///
/// let text = "age,job\n23,cook\n35,clerk\n48,clerk\n61,cook\n";
/// let frame = frame::read_from(text.as_bytes(), "people.csv", Format::Csv, &FrameOptions::default())?;
/// let labels = Labels { codes: &[0, 0, 1, 1], classes: 2, weights: None };
/// let binarizer = Binarizer::learn(&frame, &labels, &BinarizeOptions::default())?;
/// let circuit = Circuit::new(binarizer.names(), vec![], vec![Output::new("y", Literal::input(0))])?;
/// let file = to_raw_onnx(&compile(&circuit, &CompileOptions::default())?.network, &binarizer)?;
/// assert!(file.windows(3).any(|name| name == b"age"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Bits of another number than the network's inputs, and a level that no text spells.
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
    let Front { mut graph, constants, inputs, answers } = front;
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
    Ok(model(&graph, VERSIONS))
}

/// The comparisons so far.
#[derive(Default)]
struct Front {
    graph: Message,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    /// The names of the answers, float32, in the order of the bits.
    answers: Vec<String>,
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
