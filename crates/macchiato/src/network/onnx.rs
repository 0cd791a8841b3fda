//! The network as an ONNX file: one Gemm and one Relu for each layer, weights dense in float32.
//!
//! The messages are few, so they are written here field by field (protobuf: a tag, then a varint or a length and bytes).

use super::{Activation, Layer, Network};

/// Version of the format and of the operators: old enough for every runtime in use.
const IR_VERSION: u64 = 8;
const OPSET: u64 = 13;
/// Codes of the format: tensor element type float32, attribute type int.
const FLOAT: u64 = 1;
const INT: u64 = 2;

/// The bytes of the file. The input is `x`, float32 of shape [N, B]; the output `y`, of shape [N, C] for C outputs.
#[must_use]
pub fn to_onnx(network: &Network) -> Vec<u8> {
    let mut graph = Message::default();
    let mut previous = "x".to_owned();
    for (at, layer) in network.layers.iter().enumerate() {
        let last = at + 1 == network.layers.len();
        let number = at + 1;
        let (sum, value) = (format!("z{number}"), if last { "y".to_owned() } else { format!("a{number}") });
        let relu = layer.activation == Activation::Relu;
        let sum = if relu { sum } else { value.clone() };
        graph.message(1, &gemm(&previous, number, &sum));
        if relu {
            graph.message(1, &node("Relu", &[&sum], &value));
        }
        previous = value;
    }
    graph.bytes(2, b"macchiato");
    let mut width = network.inputs;
    for (at, layer) in network.layers.iter().enumerate() {
        weights(&mut graph, layer, width, at + 1);
        width = layer.width();
    }
    graph.message(11, &value_info("x", network.inputs as u64));
    graph.message(12, &value_info("y", network.outputs() as u64));
    let mut opset = Message::default();
    opset.bytes(1, b"");
    opset.varint(2, OPSET);
    let mut model = Message::default();
    model.varint(1, IR_VERSION);
    model.bytes(2, b"macchiato");
    model.message(8, &opset);
    model.message(7, &graph);
    model.0
}

fn gemm(input: &str, number: usize, output: &str) -> Message {
    let mut node = node("Gemm", &[input, &format!("W{number}"), &format!("b{number}")], output);
    let mut transposed = Message::default();
    transposed.bytes(1, b"transB");
    transposed.varint(3, 1);
    transposed.varint(20, INT);
    node.message(5, &transposed);
    node
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Message {
    let mut node = Message::default();
    for input in inputs {
        node.bytes(1, input.as_bytes());
    }
    node.bytes(2, output.as_bytes());
    node.bytes(4, operator.as_bytes());
    node
}

/// Adds the tensors `W{number}` and `b{number}`.
fn weights(graph: &mut Message, layer: &Layer, width: usize, number: usize) {
    let mut tensor = Message::default();
    tensor.varint(1, layer.width() as u64);
    tensor.varint(1, width as u64);
    tensor.varint(2, FLOAT);
    tensor.bytes(8, format!("W{number}").as_bytes());
    tensor.bytes(9, &layer.dense(width));
    graph.message(5, &tensor);
    let mut tensor = Message::default();
    tensor.varint(1, layer.width() as u64);
    tensor.varint(2, FLOAT);
    tensor.bytes(8, format!("b{number}").as_bytes());
    tensor.bytes(9, &layer.dense_biases());
    graph.message(5, &tensor);
}

fn value_info(name: &str, width: u64) -> Message {
    let mut batch = Message::default();
    batch.bytes(2, b"N");
    let mut inner = Message::default();
    inner.varint(1, width);
    let mut shape = Message::default();
    shape.message(1, &batch);
    shape.message(1, &inner);
    let mut tensor = Message::default();
    tensor.varint(1, FLOAT);
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
struct Message(Vec<u8>);

impl Message {
    fn raw_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn varint(&mut self, field: u64, value: u64) {
        self.raw_varint(field << 3);
        self.raw_varint(value);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.raw_varint(field << 3 | 2);
        self.raw_varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn message(&mut self, field: u64, message: &Self) {
        self.bytes(field, &message.0);
    }
}
