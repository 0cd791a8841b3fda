//! Layers under way, and the signals that gates read: what [`super::compile`] and [`super::xor`] build with.
//!
//! A signal is a Boolean (or, between folds, a small integer) that neurons of one layer carry as a sum with integer
//! coefficients; reading it puts those coefficients into the reader's weights, so no layer is spent on sums.

use super::Layer;
use super::gates::{Gate, Neuron};
use std::collections::BTreeMap;

/// Neurons of one layer whose weighted sum is a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) layer: usize,
    pub(super) parts: Vec<(u32, i32)>,
}

/// Layers and gates so far.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) layers: Vec<Layer>,
    pub(super) gates: Vec<Gate>,
}

impl Builder {
    /// Adds a neuron to layer `layer` that reads `signals`, all of the layer before, with a sign.
    pub(super) fn neuron(&mut self, layer: usize, signals: &[(&Signal, i32)], bias: i32) -> Neuron {
        while self.layers.len() < layer {
            self.layers.push(Layer::empty());
        }
        let mut weights: BTreeMap<u32, i32> = BTreeMap::new();
        for (signal, times) in signals {
            debug_assert_eq!(signal.layer + 1, layer, "a gate reads the layer before it");
            for &(from, coefficient) in &signal.parts {
                *weights.entry(from).or_default() += times * coefficient;
            }
        }
        let to = &mut self.layers[layer - 1];
        to.weights.push(weights.into_iter().filter(|&(_, weight)| weight != 0).collect());
        to.biases.push(bias);
        Neuron { layer, at: to.width() - 1 }
    }

    /// A neuron that is always 0, for an output without stages whose place in the last layer, `layer`, has been reached.
    pub(super) fn zero(&mut self, layer: usize, output: usize) -> Gate {
        Gate::Zero { output, neuron: self.neuron(layer, &[], 0) }
    }
}

impl Neuron {
    pub(super) fn signal(self) -> Signal {
        Signal { layer: self.layer, parts: vec![(self.at as u32, 1)] }
    }

    pub(super) fn minus(self, other: Self) -> Signal {
        Signal { layer: self.layer, parts: vec![(self.at as u32, 1), (other.at as u32, -1)] }
    }
}
