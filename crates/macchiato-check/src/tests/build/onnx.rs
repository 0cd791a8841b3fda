//! ONNX files, message by message.

use super::{Layer, bytes_of};

/// A Protocol Buffers message under construction.
#[derive(Default, Clone)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    pub(crate) fn varint(mut self, field: u64, value: u64) -> Self {
        put(&mut self.0, field << 3);
        put(&mut self.0, value);
        self
    }

    pub(crate) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        put(&mut self.0, field << 3 | 2);
        put(&mut self.0, value.len() as u64);
        self.0.extend(value);
        self
    }

    pub(crate) fn float(mut self, field: u64, value: f32) -> Self {
        put(&mut self.0, field << 3 | 5);
        self.0.extend(value.to_le_bytes());
        self
    }
}

fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        bytes.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

pub(crate) fn value_info(name: &str, columns: usize) -> Vec<u8> {
    let n = Message::default().bytes(2, b"N").0;
    let c = Message::default().varint(1, columns as u64).0;
    let shape = Message::default().bytes(1, &n).bytes(1, &c).0;
    let tensor = Message::default().varint(1, 1).bytes(2, &shape).0;
    let kind = Message::default().bytes(1, &tensor).0;
    Message::default().bytes(1, name.as_bytes()).bytes(2, &kind).0
}

pub(crate) fn tensor(name: &str, shape: &[usize], numbers: &[f32]) -> Message {
    let message = shape.iter().fold(Message::default(), |message, &dim| message.varint(1, dim as u64));
    message.varint(2, 1).bytes(8, name.as_bytes()).bytes(9, &bytes_of(numbers))
}

pub(crate) fn trans_b() -> Message {
    Message::default().bytes(1, b"transB").varint(3, 1).varint(20, 2)
}

/// The nodes and initializers of a graph, to be tampered with.
#[derive(Clone)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Message>,
    pub(crate) initializers: Vec<Message>,
    pub(crate) input: Vec<u8>,
    pub(crate) output: Vec<u8>,
}

pub(crate) fn graph(inputs: usize, layers: &[Layer]) -> Graph {
    let mut graph = Graph {
        nodes: Vec::new(),
        initializers: Vec::new(),
        input: value_info("x", inputs),
        output: value_info("y", layers.last().map_or(0, |layer| layer.rows.len())),
    };
    let mut current = "x".to_owned();
    for (l, layer) in layers.iter().enumerate().map(|(l, layer)| (l + 1, layer)) {
        let last = l == layers.len();
        let (w, b) = (format!("W{l}"), format!("b{l}"));
        let z = if last && !layer.relu { "y".to_owned() } else { format!("z{l}") };
        let node =
            Message::default().bytes(1, current.as_bytes()).bytes(1, w.as_bytes()).bytes(1, b.as_bytes());
        graph.nodes.push(node.bytes(2, z.as_bytes()).bytes(4, b"Gemm").bytes(5, &trans_b().0));
        current.clone_from(&z);
        if layer.relu {
            current = if last { "y".to_owned() } else { format!("a{l}") };
            let node = Message::default().bytes(1, z.as_bytes()).bytes(2, current.as_bytes());
            graph.nodes.push(node.bytes(4, b"Relu"));
        }
        let (out, into) = (layer.rows.len(), layer.rows[0].len());
        graph.initializers.push(tensor(&w, &[out, into], &layer.rows.concat()));
        graph.initializers.push(tensor(&b, &[out], &layer.biases));
    }
    graph
}

impl Graph {
    pub(crate) fn message(&self) -> Message {
        let mut message = Message::default().bytes(2, b"macchiato");
        for node in &self.nodes {
            message = message.bytes(1, &node.0);
        }
        for initializer in &self.initializers {
            message = message.bytes(5, &initializer.0);
        }
        message.bytes(11, &self.input).bytes(12, &self.output)
    }
}

pub(crate) fn opset(version: u64) -> Vec<u8> {
    Message::default().bytes(1, b"").varint(2, version).0
}

pub(crate) fn model(graph: &Message) -> Message {
    Message::default().varint(1, 8).bytes(2, b"tests").bytes(7, &graph.0).bytes(8, &opset(17))
}
