//! Algorithm 2: a ReLU network that computes a circuit exactly on the Boolean cube.
//!
//! Takes a circuit, gives layers of integer weights and, for every gate, the neurons that realize it. With the paper's gates
//! the widths are (2B, 2P, 2M, M, 1) for P product terms and M stages; the alternatives of Appendix F.3 trade depth for
//! width. Several circuits over the same inputs share their literals and have an output each. Every weight is a small integer and so is every partial sum, which makes float32 exact in any order of summation.

mod alike;
mod builder;
mod compile;
mod evaluate;
mod gates;
mod onnx;
mod options;
mod raw;
mod safetensors;
mod xor;

pub use alike::alike;
pub use compile::{CompileError, Compiled, compile, compile_several};
pub use evaluate::Number;
pub use gates::{Gate, Neuron, NormalStage, XorInput};
pub use onnx::to_onnx;
pub use options::{AndGate, CompileOptions, GateError, OrGate, XorGate};
pub use raw::{RawError, RawFile, RawFileError, to_raw_onnx};
pub use safetensors::to_safetensors;

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

    /// The largest absolute value that a partial sum can take on the cube, in any order of summation: below 2^24 float32
    /// holds every one of them exactly.
    #[must_use]
    pub fn largest_partial_sum(&self) -> u64 {
        let mut largest = 0u64;
        let mut reach = vec![1i64; self.inputs];
        for layer in &self.layers {
            let mut next = Vec::with_capacity(layer.width());
            for (row, &bias) in layer.weights.iter().zip(&layer.biases) {
                let at = |&(from, weight): &(u32, i32)| i64::from(weight) * reach[from as usize];
                let bound = i64::from(bias).abs() + row.iter().map(|entry| at(entry).abs()).sum::<i64>();
                largest = largest.max(bound.unsigned_abs());
                let up: i64 = i64::from(bias) + row.iter().map(|entry| at(entry).max(0)).sum::<i64>();
                next.push(up.max(0));
            }
            reach = next;
        }
        largest
    }
}

#[cfg(test)]
pub(crate) mod tests;
