//! A network file evaluated in float32, in the plain order of summation, by code that neither the compiler nor the checker has.
//!
//! It follows what a runtime does with a file that the checker accepts: ONNX by names from node to node, safetensors by the
//! numbers of its tensors. It is lenient, since only accepted files come here: what it does not understand is `None`.

use std::collections::HashMap;

/// What a network does, layer after layer.
pub struct Network {
    layers: Vec<Layer>,
}

struct Layer {
    weights: Vec<f32>,
    biases: Vec<f32>,
    relu: bool,
}

impl Network {
    /// Reads either format. A safetensors file has no activations: a `ReLU` follows every layer, the last one where `last_relu`.
    #[must_use]
    pub fn read(bytes: &[u8], onnx: bool, last_relu: bool) -> Option<Self> {
        let layers = if onnx { onnx_layers(bytes)? } else { safetensors_layers(bytes, last_relu)? };
        Some(Self { layers })
    }

    /// The outputs at a point.
    #[must_use]
    pub fn at(&self, point: &[bool]) -> Vec<f32> {
        let mut values: Vec<f32> = point.iter().map(|&bit| f32::from(u8::from(bit))).collect();
        for Layer { weights, biases, relu } in &self.layers {
            let sum = |(row, bias): (&[f32], &f32)| {
                let sum = row.iter().zip(&values).fold(0.0, |sum, (weight, value)| sum + weight * value);
                if *relu { (sum + bias).max(0.0) } else { sum + bias }
            };
            values = weights.chunks_exact(values.len().max(1)).zip(biases).map(sum).collect();
        }
        values
    }
}

/// The nodes of the graph in order, each of which reads what the one before it wrote.
fn onnx_layers(bytes: &[u8]) -> Option<Vec<Layer>> {
    let graph = field(bytes, 7)?;
    let tensors: HashMap<&[u8], Vec<f32>> = fields(graph)?
        .into_iter()
        .filter(|(number, _)| *number == 5)
        .map(|(_, tensor)| {
            let data = field(tensor, 9).or_else(|| field(tensor, 4)).unwrap_or_default();
            (field(tensor, 8).unwrap_or_default(), floats(data))
        })
        .collect();
    let nodes: Vec<&[u8]> =
        fields(graph)?.into_iter().filter(|(number, _)| *number == 1).map(|(_, node)| node).collect();
    let mut value = field(field(graph, 11)?, 1)?;
    let output = field(field(graph, 12)?, 1)?;
    let mut layers: Vec<Layer> = Vec::new();
    while value != output {
        let reads = |node: &&&[u8]| {
            fields(node)
                .is_some_and(|fields| fields.iter().find(|(number, _)| *number == 1) == Some(&(1, value)))
        };
        let node = nodes.iter().find(reads)?;
        let inputs: Vec<&[u8]> =
            fields(node)?.into_iter().filter(|(number, _)| *number == 1).map(|(_, name)| name).collect();
        match field(node, 4)? {
            b"Gemm" => layers.push(Layer {
                weights: tensors.get(inputs.get(1)?)?.clone(),
                biases: tensors.get(inputs.get(2)?)?.clone(),
                relu: false,
            }),
            b"Relu" => layers.last_mut()?.relu = true,
            _ => return None,
        }
        value = field(node, 2)?;
        // A circle would go round for ever; a chain has at most two nodes a layer.
        if layers.len() > nodes.len() {
            return None;
        }
    }
    Some(layers)
}

fn safetensors_layers(bytes: &[u8], last_relu: bool) -> Option<Vec<Layer>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let (header, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let header: serde_json::Value = serde_json::from_slice(header).ok()?;
    let tensor = |name: String| {
        let offsets = header.get(name)?.get("data_offsets")?;
        let at = |end: usize| usize::try_from(offsets.get(end)?.as_u64()?).ok();
        Some(floats(data.get(at(0)?..at(1)?)?))
    };
    let layer = |number: usize| {
        let number = 2 * number;
        let (weights, biases) = (tensor(format!("{number}.weight"))?, tensor(format!("{number}.bias"))?);
        Some(Layer { weights, biases, relu: true })
    };
    let mut layers: Vec<Layer> = (0..).map_while(layer).collect();
    layers.last_mut()?.relu = last_relu;
    Some(layers)
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)).collect()
}

/// The last field of this number that has bytes.
fn field(message: &[u8], number: u64) -> Option<&[u8]> {
    fields(message)?.into_iter().rev().find(|(found, _)| *found == number).map(|(_, bytes)| bytes)
}

/// The fields of a message that have bytes, in order.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes)?;
        match tag & 7 {
            0 => _ = varint(&mut bytes)?,
            1 => bytes = bytes.get(8..)?,
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                let (inside, rest) = bytes.split_at_checked(length)?;
                found.push((tag >> 3, inside));
                bytes = rest;
            }
            5 => bytes = bytes.get(4..)?,
            _ => return None,
        }
    }
    Some(found)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f).checked_shl(shift).unwrap_or_default();
        if first < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Network;

    /// What the checker accepted, evaluated at one point by hand: the target of these files is in the certificate beside them.
    #[test]
    fn both_formats_give_zeros_and_ones() {
        let onnx = include_bytes!("../../testdata/certificates/one-flat.onnx");
        let safetensors = include_bytes!("../../testdata/certificates/one-triangle.safetensors");
        let (a, b) = (Network::read(onnx, true, true), Network::read(safetensors, false, true));
        let (a, b) = (a.expect("ONNX"), b.expect("safetensors"));
        let inputs = a.layers[0].weights.len() / a.layers[0].biases.len();
        let mut ones = 0;
        for number in 0..1 << inputs {
            let point: Vec<bool> = (0..inputs).map(|i| number >> i & 1 == 1).collect();
            // Two compilations of one circuit.
            assert_eq!(a.at(&point), b.at(&point));
            ones += usize::from(a.at(&point) == [1.0]);
        }
        assert!(ones > 0 && ones < 1 << inputs, "{ones} points of 2^{inputs} are 1");
    }
}
