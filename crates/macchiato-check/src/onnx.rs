//! ONNX files, in the one form that the compiler writes.
//!
//! A model with one graph: one float32 input of shape `[N, B]`, then for each layer `Gemm(previous, W, b)` with `transB = 1`
//! followed by `Relu` (the last one may be missing), and one output `[N, C]`. Names are followed as dataflow and mean nothing
//! else. Everything that could make a runtime compute something else is refused: other operators and attributes, other
//! domains and versions, functions, external data, fields that are not known here. Free text (documentation, producer,
//! metadata) is passed over. The field numbers are those of `onnx.proto`.

use crate::network::{Layer, Network, Tensor};
use crate::protobuf::{Field, Fields};
use crate::verdict::{Rejection, reject};
use std::collections::{HashMap, HashSet};

/// Versions of the file format in which an initializer needs no twin among the graph's inputs and is a constant.
const IR_VERSIONS: std::ops::RangeInclusive<u64> = 4..=13;
/// Versions of the operators in which `Gemm` and `Relu` mean what they mean here.
const OPSET_VERSIONS: std::ops::RangeInclusive<u64> = 7..=26;
/// `TensorProto.DataType.FLOAT`.
const FLOAT: u64 = 1;

/// Reads a network of `inputs` inputs and `outputs` outputs.
pub(crate) fn read(bytes: &[u8], inputs: usize, outputs: usize) -> Result<Network<'_>, Rejection> {
    // Passed over: the producer, its version, the model's domain, version and documentation, metadata.
    let [ir, graph, opset] = Fields::new(bytes).pick("the model", [1, 7, 8], &[2, 3, 4, 5, 6, 14])?;
    let (Some(ir), Some(graph), Some(opset)) = (ir, graph, opset) else {
        return reject("network", "the model lacks its ir_version, its graph or its operator set");
    };
    if !IR_VERSIONS.contains(&ir.varint()?) {
        return reject("network", "the model's ir_version is not known");
    }
    let [domain, version] = opset.message()?.pick("the operator set", [1, 2], &[])?;
    standard_domain(domain)?;
    if !OPSET_VERSIONS.contains(&version.map_or(Ok(0), |version| version.varint())?) {
        return reject("network", "the version of the operator set is not known");
    }
    Graph::read(graph.message()?)?.network(inputs, outputs)
}

/// Operators mean what is said here only in the standard's own domain.
fn standard_domain(domain: Option<Field<'_>>) -> Result<(), Rejection> {
    match text(domain)? {
        b"" | b"ai.onnx" => Ok(()),
        other => reject("network", format!("operators of another domain, {}", shown(other))),
    }
}

/// The text of a field; a field that is absent means the empty text.
fn text(field: Option<Field<'_>>) -> Result<&[u8], Rejection> {
    field.map_or(Ok(&[]), |field| field.text())
}

/// The parts of a graph, as the file has them.
#[derive(Default)]
struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    initializers: HashMap<&'a [u8], Tensor<'a>>,
    input: Option<ValueInfo<'a>>,
    output: Option<ValueInfo<'a>>,
}

struct Node<'a> {
    inputs: Vec<&'a [u8]>,
    outputs: Vec<&'a [u8]>,
    operator: &'a [u8],
    attributes: Vec<Fields<'a>>,
}

/// A name and its second dimension; the first is N, which is left open.
struct ValueInfo<'a> {
    name: &'a [u8],
    columns: u64,
}

impl<'a> Graph<'a> {
    fn read(mut message: Fields<'a>) -> Result<Self, Rejection> {
        let mut graph = Self::default();
        while let Some(field) = message.next()? {
            match field.number {
                1 => graph.nodes.push(Node::read(field.message()?)?),
                5 => {
                    let (name, tensor) = read_tensor(field.message()?)?;
                    if graph.initializers.insert(name, tensor).is_some() {
                        return reject("network", format!("two initializers are named {}", shown(name)));
                    }
                }
                11 if graph.input.is_none() => graph.input = Some(ValueInfo::read(field.message()?)?),
                12 if graph.output.is_none() => graph.output = Some(ValueInfo::read(field.message()?)?),
                // Name, documentation, metadata.
                2 | 10 | 16 => {}
                _ => return field.unknown("the graph"),
            }
        }
        Ok(graph)
    }

    /// Follows the dataflow from the input to the output.
    fn network(mut self, inputs: usize, outputs: usize) -> Result<Network<'a>, Rejection> {
        let (Some(input), Some(output)) = (self.input, self.output) else {
            return reject("network", "the graph needs one input and one output");
        };
        if input.columns != inputs as u64 {
            let why = format!("it has {} columns, the certificate {inputs} inputs", input.columns);
            return reject("network input", why);
        }
        if output.columns != outputs as u64 {
            return reject("network output", format!("it has {} columns, not {outputs}", output.columns));
        }
        // Each name is given once, or a runtime might see another graph than we do.
        let mut names: HashSet<&[u8]> = self.initializers.keys().copied().collect();
        let mut current = input.name;
        let mut layers: Vec<Layer<'a>> = Vec::new();
        if !names.insert(current) {
            return reject("network input", "an initializer has its name");
        }
        for (n, node) in self.nodes.iter().enumerate() {
            let place = || format!("network, node {}", n + 1);
            let awaits_relu = layers.last().is_some_and(|layer| layer.relu == Some(false));
            match (node.operator, node.inputs.as_slice()) {
                (b"Gemm", [data, weights, biases]) if *data == current && !awaits_relu => {
                    check_gemm(&node.attributes, &place())?;
                    let weights = self.initializers.remove(weights);
                    let (Some(weights), Some(biases)) = (weights, self.initializers.remove(biases)) else {
                        return reject(place(), "its weights or biases are no initializers, or used twice");
                    };
                    let mut layer = Layer::new(layers.len() + 1, &weights, &biases)?;
                    layer.relu = Some(false);
                    layers.push(layer);
                }
                (b"Relu", [data]) if *data == current && awaits_relu && node.attributes.is_empty() => {
                    if let Some(layer) = layers.last_mut() {
                        layer.relu = Some(true);
                    }
                }
                (operator, _) => {
                    let why = format!("{} here is not Gemm, Relu, Gemm, ... in a chain", shown(operator));
                    return reject(place(), why);
                }
            }
            match node.outputs.as_slice() {
                [name] if !name.is_empty() && names.insert(name) => current = name,
                _ => return reject(place(), "it must give one value, under a name of its own"),
            }
        }
        if layers.is_empty() || current != output.name {
            return reject("network output", "it is not what the last node gives");
        }
        match self.initializers.len() {
            0 => Ok(Network { layers }),
            unused => reject("network", format!("{unused} initializers are not used")),
        }
    }
}

impl<'a> Node<'a> {
    fn read(mut message: Fields<'a>) -> Result<Self, Rejection> {
        let mut node =
            Self { inputs: Vec::new(), outputs: Vec::new(), operator: &[], attributes: Vec::new() };
        while let Some(field) = message.next()? {
            match field.number {
                1 => node.inputs.push(field.text()?),
                2 => node.outputs.push(field.text()?),
                4 if node.operator.is_empty() => node.operator = field.text()?,
                5 => node.attributes.push(field.message()?),
                7 => standard_domain(Some(field))?,
                // Name, documentation, metadata.
                3 | 6 | 9 => {}
                _ => return field.unknown("a node"),
            }
        }
        Ok(node)
    }
}

/// `transB = 1`, and `alpha` and `beta`, where they are given, 1.
fn check_gemm(attributes: &[Fields<'_>], place: &str) -> Result<(), Rejection> {
    // The kinds of attributes: 1 is a float, 2 an integer.
    let mut seen = HashSet::new();
    for attribute in attributes {
        let [name, float, int, kind] = attribute.pick("an attribute", [1, 2, 3, 20], &[13])?;
        let (name, kind) = (text(name)?, kind.map_or(Ok(0), |kind| kind.varint())?);
        let known = match (name, kind, float, int) {
            (b"alpha" | b"beta", 1, Some(float), None) => float.float()?.to_bits() == 1f32.to_bits(),
            (b"transB", 2, None, Some(int)) => int.varint()? == 1,
            _ => false,
        };
        if !known || !seen.insert(name) {
            let why = format!("attribute {} is none of transB = 1, alpha = 1, beta = 1", shown(name));
            return reject(place, why);
        }
    }
    if seen.contains(b"transB".as_slice()) { Ok(()) } else { reject(place, "Gemm needs transB = 1") }
}

/// An initializer: float32, its bytes in the file itself, at most two dimensions.
fn read_tensor(mut message: Fields<'_>) -> Result<(&[u8], Tensor<'_>), Rejection> {
    let (mut name, mut float, mut bytes) = (None, None, None);
    let mut shape = Vec::new();
    while let Some(field) = message.next()? {
        match field.number {
            1 => match field.message() {
                Ok(packed) => shape.extend(packed.varints()?),
                Err(_) => shape.push(field.varint()?),
            },
            2 if float.is_none() => float = Some(field.varint()? == FLOAT),
            // `float_data`, if packed, and `raw_data` are the same bytes.
            4 | 9 if bytes.is_none() => bytes = Some(field.text()?),
            8 if name.is_none() => name = Some(field.text()?),
            14 if field.varint()? == 0 => {}
            // Documentation, metadata.
            12 | 16 => {}
            _ => return field.unknown("a tensor"),
        }
    }
    match (name, float, bytes) {
        (Some(name), Some(true), Some(bytes)) if shape.len() <= 2 => Ok((name, Tensor { shape, bytes })),
        _ => {
            reject("network", "an initializer needs a name, type float32, at most two dimensions, and bytes")
        }
    }
}

impl<'a> ValueInfo<'a> {
    /// A float32 tensor of shape `[N, columns]`.
    fn read(message: Fields<'a>) -> Result<Self, Rejection> {
        let message_of = |field: Option<Field<'a>>| field.map_or(Ok(Fields::new(&[])), |of| of.message());
        let [name, kind] = message.pick("an input or output", [1, 2], &[3, 4])?;
        let [tensor] = message_of(kind)?.pick("a type", [1], &[6])?;
        let [element, shape] = message_of(tensor)?.pick("a tensor's type", [1, 2], &[])?;
        let mut dimensions = Vec::new();
        let mut shape = message_of(shape)?;
        while let Some(field) = shape.next()? {
            match field.number {
                1 => dimensions.push(field.message()?.pick("a dimension", [1, 2], &[3])?),
                _ => return field.unknown("a shape"),
            }
        }
        let float = element.is_some_and(|element| element.varint() == Ok(FLOAT));
        match (text(name)?, dimensions.as_slice()) {
            (name, [[None, _], [Some(of), None]]) if float => Ok(Self { name, columns: of.varint()? }),
            _ => reject("network", "input and output must be float32 of shape [N, number], with N left open"),
        }
    }
}

/// A name for a message.
fn shown(name: &[u8]) -> String {
    crate::text::quoted(&String::from_utf8_lossy(name))
}
