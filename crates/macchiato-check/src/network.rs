//! The network as its file holds it: layers of weights and biases, borrowed from the file's bytes.
//!
//! Both readers make it. A weight is never copied: a matrix is a slice of the file, row after row, four bytes little endian
//! for each number. What is checked here is that shapes fit together, so that everything later may rely on
//! `weights.len() == 4 * width * inputs`.

use crate::verdict::{Rejection, reject};

/// A chain of affine layers.
#[derive(Debug)]
pub struct Network<'a> {
    /// The layers, first to last.
    pub layers: Vec<Layer<'a>>,
}

/// `x -> W x + b`, and then maybe a `ReLU`.
#[derive(Debug)]
pub struct Layer<'a> {
    /// Values that each neuron reads.
    pub inputs: usize,
    /// Neurons.
    pub width: usize,
    weights: &'a [u8],
    biases: &'a [u8],
    /// Whether a `ReLU` follows; unknown in a safetensors file, which holds no activations.
    pub relu: Option<bool>,
}

/// An array of float32 in the file.
#[derive(Debug, Clone)]
pub(crate) struct Tensor<'a> {
    pub(crate) shape: Vec<u64>,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Layer<'a> {
    /// A layer with `W` of shape `[width, inputs]` and `b` of shape `[width]`.
    pub(crate) fn new(number: usize, weights: &Tensor<'a>, biases: &Tensor<'a>) -> Result<Self, Rejection> {
        let place = || format!("layer {number}");
        let (&[width, inputs], &[b]) = (weights.shape.as_slice(), biases.shape.as_slice()) else {
            return reject(place(), "the weights must have two dimensions and the biases one");
        };
        if b != width || width == 0 || inputs == 0 {
            return reject(place(), format!("{b} biases for weights of shape {width} by {inputs}"));
        }
        let size = |numbers: Option<u64>| numbers.and_then(|n| usize::try_from(n.checked_mul(4)?).ok());
        if size(width.checked_mul(inputs)) != Some(weights.bytes.len())
            || size(Some(b)) != Some(biases.bytes.len())
        {
            return reject(place(), "the file holds another number of bytes than the shapes need");
        }
        // Both are at most the file's length, as just shown.
        let (width, inputs) = (biases.bytes.len() / 4, weights.bytes.len() / biases.bytes.len());
        Ok(Self { inputs, width, weights: weights.bytes, biases: biases.bytes, relu: None })
    }

    /// One neuron's weights, as bytes, and its bias.
    #[must_use]
    pub fn neuron(&self, at: usize) -> Option<(&'a [u8], f32)> {
        let (row, bias) = (4 * self.inputs, self.biases.as_chunks::<4>().0.get(at)?);
        Some((self.weights.get(at * row..)?.get(..row)?, f32::from_le_bytes(*bias)))
    }
}

/// The float32 numbers in some bytes.
pub fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four))
}
