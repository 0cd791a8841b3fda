//! The two parts of a file of [`super::to_raw_onnx`]: the tests of a table's columns, and the layers behind them.
//!
//! Nothing of the file is believed. The layers are handed to the independent checker as a file of their own, byte for byte as they
//! stand here, so whatever it would not accept as a network it does not accept as part of one. What is seen to here is that they are
//! *all* that stands between the tests' answers and the outputs: one `Concat`, then layers to the end of the graph, and no
//! name defined twice. The tests can only be compared with those that a model has.

use std::collections::HashSet;

use super::super::onnx::{FLOAT, Message, value_info};

/// A file that starts from a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile<'a> {
    /// Fields of the file other than its graph.
    header: Vec<Field<'a>>,
    /// What comes before the layers: nodes, tensors and inputs, in the order of the file.
    front: Vec<Field<'a>>,
    /// The name of the bits.
    bits: &'a str,
    /// The layers: nodes and tensors, the outputs, and whatever else is in the graph.
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
    /// A layer reads something of the tests other than their answers.
    #[error("a layer reads {name:?}, which belongs to the tests in front")]
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

impl<'a> RawFile<'a> {
    /// Takes a file apart; none where it is not one that has tests in front of layers.
    ///
    /// # Errors
    /// A file that has, but whose parts are entangled.
    pub fn read(bytes: &'a [u8]) -> Result<Option<Self>, RawFileError> {
        Parts::read(bytes).map(Parts::separate).transpose()
    }

    /// The layers as an ONNX file of their own that reads `inputs` bits.
    #[must_use]
    pub fn layers(&self, inputs: usize) -> Vec<u8> {
        let mut graph = Message::default();
        self.layers.iter().for_each(|field| field.write(&mut graph));
        graph.message(INPUT, &value_info(self.bits, FLOAT, inputs as u64));
        let mut model = Message::default();
        self.header.iter().for_each(|field| field.write(&mut model));
        model.message(GRAPH, &graph);
        model.into_bytes()
    }

    /// Whether another file has the same tests in front, byte for byte, under the same versions.
    #[must_use]
    pub fn has_the_tests_of(&self, other: &Self) -> bool {
        (&self.header, &self.front, self.bits) == (&other.header, &other.front, other.bits)
    }
}

/// A file whose first layer reads what a `Concat` puts together.
struct Parts<'a> {
    header: Vec<Field<'a>>,
    graph: Vec<Field<'a>>,
    nodes: Vec<Node<'a>>,
    /// Which node is the first layer.
    first: usize,
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
        joined.then_some(Self { header, graph, nodes, first })
    }

    fn separate(self) -> Result<RawFile<'a>, RawFileError> {
        let Self { header, graph, nodes, first } = self;
        let bits = nodes[first].inputs.first().copied().unwrap_or_default();
        let (tests, layers) = nodes.split_at(first);
        let read: HashSet<&str> = layers.iter().flat_map(|node| node.inputs.iter().copied()).collect();
        let mut defined = HashSet::new();
        let mut define = |name: &'a str| {
            if defined.insert(name) { Ok(()) } else { Err(RawFileError::Twice { name: name.to_owned() }) }
        };
        let before: HashSet<&str> = tests.iter().flat_map(|node| node.outputs.iter().copied()).collect();
        let mut number = 0;
        let (mut front, mut behind) = (Vec::new(), Vec::new());
        for field in graph {
            let is_front = match field.number {
                NODE => {
                    number += 1;
                    nodes[number - 1].outputs.iter().copied().try_for_each(&mut define)?;
                    number <= first
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
                _ => false,
            };
            if is_front { front.push(field) } else { behind.push(field) }
        }
        if let Some(name) = read.iter().find(|name| **name != bits && before.contains(*name)) {
            return Err(RawFileError::Reads { name: (*name).to_owned() });
        }
        Ok(RawFile { header, front, bits, layers: behind })
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
