//! A network of the same layers with other weights, as training leaves them, as an ONNX file.

use super::Network;
use super::onnx::{FLOAT, Message, VERSIONS, model, nodes, tensor, value_info};

/// Weights, a row for each neuron, and biases of a layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TunedLayer {
    /// Neuron by neuron.
    pub weights: Vec<f32>,
    /// One for each neuron.
    pub biases: Vec<f32>,
}

/// Layers that are not those of the network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TunedError {
    /// Another number of layers.
    #[error("there are {given} layers of weights, and the network has {layers}")]
    Layers {
        /// Of the network.
        layers: usize,
        /// Given.
        given: usize,
    },
    /// A layer of another shape.
    #[error(
        "layer {layer} is given {weights} weights and {biases} biases, and has {inputs} inputs and {width} neurons"
    )]
    Shape {
        /// From 1.
        layer: usize,
        /// What its neurons read.
        inputs: usize,
        /// Its neurons.
        width: usize,
        /// Given.
        weights: usize,
        /// Given.
        biases: usize,
    },
}

/// The bytes of a file as [`super::to_onnx`] writes it, with these weights.
///
/// # Errors
/// Layers of other shapes than the network's.
pub fn to_tuned_onnx(network: &Network, layers: &[TunedLayer]) -> Result<Vec<u8>, TunedError> {
    if layers.len() != network.layers.len() {
        return Err(TunedError::Layers { layers: network.layers.len(), given: layers.len() });
    }
    let mut graph = Message::default();
    let own = |name: &str| name.to_owned();
    nodes(&mut graph, network, own);
    graph.bytes(2, b"macchiato");
    let mut inputs = network.inputs;
    for (at, (layer, TunedLayer { weights, biases })) in network.layers.iter().zip(layers).enumerate() {
        let (number, width) = (at + 1, layer.width());
        if weights.len() != width * inputs || biases.len() != width {
            let (weights, biases) = (weights.len(), biases.len());
            return Err(TunedError::Shape { layer: number, inputs, width, weights, biases });
        }
        let bytes =
            |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let shape = [width as u64, inputs as u64];
        graph.message(5, &tensor(&format!("W{number}"), FLOAT, &shape, &bytes(weights)));
        graph.message(5, &tensor(&format!("b{number}"), FLOAT, &shape[..1], &bytes(biases)));
        inputs = width;
    }
    graph.message(11, &value_info("x", FLOAT, network.inputs as u64));
    graph.message(12, &value_info("y", FLOAT, network.outputs() as u64));
    Ok(model(&graph, VERSIONS))
}
