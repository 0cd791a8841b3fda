//! Algorithm 2: a ReLU network that computes a circuit exactly on the Boolean cube.
//!
//! Takes a circuit, gives layers of integer weights and, for every gate, the neurons that realize it. A paper's circuit has in the paper's form
//! the widths (2B, 2P, 2M, M, 1) for P product terms and M stages; the alternatives of Appendix F.3 trade depth for width. Every weight is a
//! whole number and so is every partial sum, which makes float32 exact in any order of summation.

mod alike;
mod builder;
mod compile;
mod error;
mod evaluate;
mod gates;
mod onnx;
mod options;
mod raw;
mod safetensors;
mod tuned;
mod xor;

pub use alike::alike;
pub use compile::{Compiled, compile};
pub use error::CompileError;
pub use evaluate::Number;
pub use gates::{Bank, Kind, Neuron, Placed, Read};
pub use onnx::to_onnx;
pub use options::{AndGate, CompileOptions, GateError, OrGate, XorGate};
pub use raw::{RawError, RawFile, RawFileError, RawNumbers, to_raw_onnx};
pub use safetensors::to_safetensors;
pub use tuned::{TunedError, TunedLayer, to_tuned_onnx};

/// What a layer does after its weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// max(0, z).
    Relu,
    /// z itself: only the last layer may.
    Linear,
}

/// One layer: integer weights on the layer before, sparse, and biases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// For each neuron its weights as (neuron of the layer before, weight), by increasing neuron, none of them 0.
    pub weights: Vec<Vec<(u32, i32)>>,
    /// One bias for each neuron.
    pub biases: Vec<i32>,
    /// What follows.
    pub activation: Activation,
}

/// A feed-forward network over `inputs` inputs. Each neuron of the last layer is an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// Number of inputs, B.
    pub inputs: usize,
    /// The layers, first to last.
    pub layers: Vec<Layer>,
}

impl Layer {
    /// A layer without neurons.
    fn empty() -> Self {
        Self { weights: Vec::new(), biases: Vec::new(), activation: Activation::Relu }
    }

    /// Number of neurons.
    #[must_use]
    pub fn width(&self) -> usize {
        self.biases.len()
    }
}

impl Network {
    /// Widths of the layers.
    #[must_use]
    pub fn widths(&self) -> Vec<usize> {
        self.layers.iter().map(Layer::width).collect()
    }

    /// Number of outputs: the width of the last layer.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, Layer::width)
    }
}

#[cfg(test)]
pub(crate) mod tests;
