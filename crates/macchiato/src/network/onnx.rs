//! The network as an ONNX file: one Gemm and one Relu for each layer, weights dense in float32.
//!
//! The messages are few, so they are written here field by field (protobuf: a tag, then a varint or a length and bytes).

use super::{Activation, Layer, Network};

/// Versions of the format and of the operators: old enough for every runtime in use.
pub(super) const VERSIONS: (u64, u64) = (8, 13);
/// Codes of the format: tensor element type float32, attribute type int.
pub(super) const FLOAT: u64 = 1;
pub(super) const INT: u64 = 2;

/// The bytes of the file. The input is `x`, float32 of shape [N, B]; the output `y`, of shape [N, C] for C outputs.
#[must_use]
pub fn to_onnx(network: &Network) -> Vec<u8> {
    let mut graph = Message::default();
    let own = |name: &str| name.to_owned();
    nodes(&mut graph, network, own);
    graph.bytes(2, b"macchiato");
    tensors(&mut graph, network, own);
    graph.message(11, &value_info("x", FLOAT, network.inputs as u64));
    graph.message(12, &value_info("y", FLOAT, network.outputs() as u64));
    model(&graph, VERSIONS)
}

/// The file of a graph, with the versions of the format and of the operators.
pub(super) fn model(graph: &Message, versions: (u64, u64)) -> Vec<u8> {
    noted(graph, versions, None)
}

/// The same with a note for people: a key, and a text.
pub(super) fn noted(graph: &Message, (format, operators): (u64, u64), note: Option<(&str, &str)>) -> Vec<u8> {
    let mut opset = Message::default();
    opset.bytes(1, b"");
    opset.varint(2, operators);
    let mut model = Message::default();
    model.varint(1, format);
    model.bytes(2, b"macchiato");
    model.message(8, &opset);
    model.message(7, graph);
    if let Some((key, text)) = note {
        let mut entry = Message::default();
        entry.bytes(1, key.as_bytes());
        entry.bytes(2, text.as_bytes());
        model.message(14, &entry);
    }
    model.into_bytes()
}

/// Adds the layers from `x` to `y`; `named` gives each name of this file its name in the graph.
pub(super) fn nodes(graph: &mut Message, network: &Network, named: impl Fn(&str) -> String) {
    let mut previous = named("x");
    for (at, layer) in network.layers.iter().enumerate() {
        let last = at + 1 == network.layers.len();
        let number = at + 1;
        let value = if last { named("y") } else { named(&format!("a{number}")) };
        let relu = layer.activation == Activation::Relu;
        let sum = if relu { named(&format!("z{number}")) } else { value.clone() };
        let (weights, biases) = (named(&format!("W{number}")), named(&format!("b{number}")));
        let mut gemm = node("Gemm", &[&previous, &weights, &biases], &sum);
        gemm.message(5, &integer("transB", 1));
        graph.message(1, &gemm);
        if relu {
            graph.message(1, &node("Relu", &[&sum], &value));
        }
        previous = value;
    }
}

/// Adds the weights and biases of the layers.
pub(super) fn tensors(graph: &mut Message, network: &Network, named: impl Fn(&str) -> String) {
    let mut width = network.inputs;
    for (at, layer) in network.layers.iter().enumerate() {
        let (rows, number) = (layer.width() as u64, at + 1);
        let weights = named(&format!("W{number}"));
        graph.message(5, &tensor(&weights, FLOAT, &[rows, width as u64], &layer.dense(width)));
        graph.message(5, &tensor(&named(&format!("b{number}")), FLOAT, &[rows], &layer.dense_biases()));
        width = layer.width();
    }
}

/// An attribute that is a number.
pub(super) fn integer(name: &str, value: i64) -> Message {
    let mut attribute = Message::default();
    attribute.bytes(1, name.as_bytes());
    attribute.varint(3, value.cast_unsigned());
    attribute.varint(20, INT);
    attribute
}

pub(super) fn node(operator: &str, inputs: &[&str], output: &str) -> Message {
    let mut node = Message::default();
    for input in inputs {
        node.bytes(1, input.as_bytes());
    }
    node.bytes(2, output.as_bytes());
    node.bytes(4, operator.as_bytes());
    node
}

pub(super) fn tensor(name: &str, element: u64, shape: &[u64], bytes: &[u8]) -> Message {
    let mut tensor = Message::default();
    for &length in shape {
        tensor.varint(1, length);
    }
    tensor.varint(2, element);
    tensor.bytes(8, name.as_bytes());
    tensor.bytes(9, bytes);
    tensor
}

/// A list of texts.
pub(super) fn text_tensor(name: &str, element: u64, texts: &[String]) -> Message {
    let mut tensor = Message::default();
    tensor.varint(1, texts.len() as u64);
    tensor.varint(2, element);
    for text in texts {
        tensor.bytes(6, text.as_bytes());
    }
    tensor.bytes(8, name.as_bytes());
    tensor
}

/// A value of shape [N, `width`].
pub(super) fn value_info(name: &str, element: u64, width: u64) -> Message {
    let mut inner = Message::default();
    inner.varint(1, width);
    info(name, element, Some(&inner))
}

/// A value of shape [N].
pub(super) fn list_info(name: &str, element: u64) -> Message {
    info(name, element, None)
}

fn info(name: &str, element: u64, inner: Option<&Message>) -> Message {
    let mut batch = Message::default();
    batch.bytes(2, b"N");
    let mut shape = Message::default();
    shape.message(1, &batch);
    if let Some(inner) = inner {
        shape.message(1, inner);
    }
    let mut tensor = Message::default();
    tensor.varint(1, element);
    tensor.message(2, &shape);
    let mut kind = Message::default();
    kind.message(1, &tensor);
    let mut info = Message::default();
    info.bytes(1, name.as_bytes());
    info.message(2, &kind);
    info
}

impl Layer {
    /// The weights as little-endian float32, neuron by neuron.
    pub(super) fn dense(&self, width: usize) -> Vec<u8> {
        let mut bytes = vec![0u8; 4 * width * self.width()];
        for (row, bytes) in self.weights.iter().zip(bytes.chunks_exact_mut((4 * width).max(1))) {
            for &(from, weight) in row {
                let at = 4 * from as usize;
                bytes[at..at + 4].copy_from_slice(&(weight as f32).to_le_bytes());
            }
        }
        bytes
    }

    pub(super) fn dense_biases(&self) -> Vec<u8> {
        self.biases.iter().flat_map(|&bias| (bias as f32).to_le_bytes()).collect()
    }
}

/// A protobuf message under construction.
#[derive(Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    fn raw_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(super) fn varint(&mut self, field: u64, value: u64) {
        self.raw_varint(field << 3);
        self.raw_varint(value);
    }

    pub(super) fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.raw_varint(field << 3 | 2);
        self.raw_varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// All fields of another message behind those of this one.
    pub(super) fn append(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn message(&mut self, field: u64, message: &Self) {
        self.bytes(field, &message.0);
    }
}
