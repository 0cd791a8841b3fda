//! The parts of a file of [`super::to_raw_onnx`]: the certified layers, and what stands around them: tests of a table's columns in front, and
//! behind them what makes classes and probabilities of their answers.
//!
//! Nothing of the file is believed. The layers are handed to the independent checker as a file of their own, byte for byte as they
//! stand here, so whatever it would not accept as a network it does not accept as part of one. What is seen to here is that they are
//! *all* that stands between the tests' answers and their own: one `Concat`, then a chain of layers, and no
//! name defined twice. What stands around them can only be compared with what a model has there.

use std::collections::HashSet;

use super::super::onnx::{FLOAT, Message, value_info};

/// A file that starts from a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile<'a> {
    /// Fields of the file other than its graph.
    header: Vec<Field<'a>>,
    /// What stands around the layers: nodes, tensors, inputs and outputs, in the order of the file.
    around: Vec<Field<'a>>,
    /// The name of the bits.
    bits: &'a str,
    /// The name of what the last layer gives.
    answers: &'a str,
    /// The layers: nodes and tensors, and whatever else is in the graph.
    layers: Vec<Field<'a>>,
}

/// Why a file that has tests in front cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RawFileError {
    /// A name that is defined twice could mean one thing here and another in a runtime.
    #[error("the name {name:?} is defined twice in the graph")]
    Twice {
        /// The name.
        name: String,
    },
    /// A layer reads something that stands around the layers, other than the tests' answers.
    #[error("a layer reads {name:?}, which does not belong to the layers")]
    Reads {
        /// The name.
        name: String,
    },
}

/// A field of a protobuf message: its number, and its bytes, or those of its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Field<'a> {
    number: u64,
    kind: Kind<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind<'a> {
    Varint(u64),
    Bytes(&'a [u8]),
}

/// Fields of a model, a graph and a node, by number.
const GRAPH: u64 = 7;
const NODE: u64 = 1;
const TENSOR: u64 = 5;
const INPUT: u64 = 11;
const OUTPUT: u64 = 12;

impl<'a> RawFile<'a> {
    /// Takes a file apart; none where it is not one that has tests in front of layers.
    ///
    /// # Errors
    /// A file that has, but whose parts are entangled.
    pub fn read(bytes: &'a [u8]) -> Result<Option<Self>, RawFileError> {
        Parts::read(bytes).map(Parts::separate).transpose()
    }

    /// The layers as an ONNX file of their own that reads `inputs` bits and gives `outputs` answers.
    #[must_use]
    pub fn layers(&self, inputs: usize, outputs: usize) -> Vec<u8> {
        let mut graph = Message::default();
        self.layers.iter().for_each(|field| field.write(&mut graph));
        graph.message(INPUT, &value_info(self.bits, FLOAT, inputs as u64));
        graph.message(OUTPUT, &value_info(self.answers, FLOAT, outputs as u64));
        let mut model = Message::default();
        self.header.iter().for_each(|field| field.write(&mut model));
        model.message(GRAPH, &graph);
        model.into_bytes()
    }

    /// Whether another file has the same around its layers, byte for byte, under the same versions.
    #[must_use]
    pub fn is_around_as(&self, other: &Self) -> bool {
        (&self.header, &self.around, self.bits, self.answers)
            == (&other.header, &other.around, other.bits, other.answers)
    }
}

/// A file whose first layer reads what a `Concat` puts together.
struct Parts<'a> {
    header: Vec<Field<'a>>,
    graph: Vec<Field<'a>>,
    nodes: Vec<Node<'a>>,
    /// Which node is the first layer.
    first: usize,
    /// How many nodes the layers are, side by side, each reading what the one before gives.
    layers: usize,
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut header = fields(bytes)?;
        let at = header.iter().position(|field| field.number == GRAPH)?;
        // Two would be merged into one.
        if header[at + 1..].iter().any(|field| field.number == GRAPH) {
            return None;
        }
        let graph = fields(header.remove(at).bytes()?)?;
        let nodes: Vec<Node<'a>> =
            graph.iter().filter(|field| field.number == NODE).map(Node::of).collect::<Option<_>>()?;
        let first = nodes.iter().position(|node| node.operator == "Gemm")?;
        let before = nodes.get(first.checked_sub(1)?)?;
        let joined = before.operator == "Concat" && before.outputs.first() == nodes[first].inputs.first();
        let follows = |pair: &&[Node<'a>]| {
            matches!(pair[1].operator, "Gemm" | "Relu") && pair[0].outputs.first() == pair[1].inputs.first()
        };
        let layers = 1 + nodes[first..].windows(2).take_while(follows).count();
        joined.then_some(Self { header, graph, nodes, first, layers })
    }

    fn separate(self) -> Result<RawFile<'a>, RawFileError> {
        let Self { header, graph, nodes, first, layers } = self;
        let places = first..first + layers;
        let bits = nodes[first].inputs.first().copied().unwrap_or_default();
        let layers = &nodes[places.clone()];
        let answers = layers.last().and_then(|last| last.outputs.first()).copied().unwrap_or_default();
        let outside = nodes[..first].iter().chain(&nodes[places.end..]);
        let read: HashSet<&str> = layers.iter().flat_map(|node| node.inputs.iter().copied()).collect();
        let mut defined = HashSet::new();
        let mut define = |name: &'a str| {
            if defined.insert(name) { Ok(()) } else { Err(RawFileError::Twice { name: name.to_owned() }) }
        };
        let outside: HashSet<&str> = outside.flat_map(|node| node.outputs.iter().copied()).collect();
        let mut number = 0;
        let (mut around, mut inside) = (Vec::new(), Vec::new());
        for field in graph {
            let is_around = match field.number {
                NODE => {
                    number += 1;
                    nodes[number - 1].outputs.iter().copied().try_for_each(&mut define)?;
                    !places.contains(&(number - 1))
                }
                TENSOR => {
                    let name = field.name(8);
                    define(name)?;
                    !read.contains(name)
                }
                INPUT => {
                    let name = field.name(1);
                    define(name)?;
                    if read.contains(name) {
                        return Err(RawFileError::Reads { name: name.to_owned() });
                    }
                    true
                }
                OUTPUT => true,
                _ => false,
            };
            if is_around { around.push(field) } else { inside.push(field) }
        }
        if let Some(name) = read.iter().find(|name| **name != bits && outside.contains(*name)) {
            return Err(RawFileError::Reads { name: (*name).to_owned() });
        }
        Ok(RawFile { header, around, bits, answers, layers: inside })
    }
}

struct Node<'a> {
    operator: &'a str,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
}

impl<'a> Node<'a> {
    fn of(field: &Field<'a>) -> Option<Self> {
        let mut node = Self { operator: "", inputs: Vec::new(), outputs: Vec::new() };
        for field in fields(field.bytes()?)? {
            match field.number {
                1 => node.inputs.push(field.text()?),
                2 => node.outputs.push(field.text()?),
                4 => node.operator = field.text()?,
                _ => {}
            }
        }
        Some(node)
    }
}

impl<'a> Field<'a> {
    const fn bytes(&self) -> Option<&'a [u8]> {
        match self.kind {
            Kind::Bytes(bytes) => Some(bytes),
            Kind::Varint(_) => None,
        }
    }

    fn text(&self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// The last text of this number inside.
    fn name(&self, number: u64) -> &'a str {
        let inside = self.bytes().and_then(fields).unwrap_or_default();
        inside.iter().rev().find(|field| field.number == number).and_then(Self::text).unwrap_or_default()
    }

    fn write(&self, message: &mut Message) {
        match self.kind {
            Kind::Varint(value) => message.varint(self.number, value),
            Kind::Bytes(bytes) => message.bytes(self.number, bytes),
        }
    }
}

/// The fields of a message, in order; none where it has fields of other kinds than these, which no part of such a file has.
fn fields(mut bytes: &[u8]) -> Option<Vec<Field<'_>>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes)?;
        let kind = match tag & 7 {
            0 => Kind::Varint(varint(&mut bytes)?),
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                let (inside, rest) = bytes.split_at_checked(length)?;
                bytes = rest;
                Kind::Bytes(inside)
            }
            _ => return None,
        };
        found.push(Field { number: tag >> 3, kind });
    }
    Some(found)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f).checked_shl(shift)?;
        if first < 0x80 {
            return Some(value);
        }
    }
    None
}
