//! A network of any weights, without its zeros: what its neurons read, and what float32 may give at a point.

use crate::float32::{ANYTHING, Range, Sum};
use macchiato_check::network::{Network, floats};
use macchiato_check::{Certificate, Rejection, reject};

/// The weights other than 0, as float64.
pub(crate) struct Sparse {
    pub(crate) layers: Vec<SparseLayer>,
}

pub(crate) struct SparseLayer {
    pub(crate) relu: bool,
    pub(crate) neurons: Vec<SparseNeuron>,
}

pub(crate) struct SparseNeuron {
    pub(crate) bias: f64,
    pub(crate) weights: Vec<(usize, f64)>,
}

impl Sparse {
    pub(crate) fn new(network: &Network<'_>, certificate: &Certificate) -> Result<Self, Rejection> {
        let mut layers = Vec::new();
        for (l, (layer, claim)) in network.layers.iter().zip(&certificate.layers).enumerate() {
            let mut neurons = Vec::new();
            for (n, (row, bias)) in (0..layer.width).filter_map(|n| layer.neuron(n)).enumerate() {
                if !bias.is_finite() || floats(row).any(|weight| !weight.is_finite()) {
                    return reject(
                        format!("neuron {}.{n}", l + 1),
                        "a weight or bias is infinite or not a number",
                    );
                }
                let weights =
                    floats(row).map(f64::from).enumerate().filter(|(_, weight)| *weight != 0.0).collect();
                neurons.push(SparseNeuron { bias: f64::from(bias), weights });
            }
            layers.push(SparseLayer { relu: claim.relu, neurons });
        }
        Ok(Self { layers })
    }

    /// What float32 may give as outputs at a point.
    pub(crate) fn at(&self, point: &[bool]) -> Vec<Range> {
        let mut values: Vec<Range> =
            point.iter().map(|&bit| Range::exactly(f64::from(u8::from(bit)))).collect();
        for layer in &self.layers {
            // A dense product also multiplies what is not read by 0, and 0 times infinity is not a number.
            if values.iter().any(|value| value.is_anything()) {
                return vec![ANYTHING; self.layers.last().map_or(0, |layer| layer.neurons.len())];
            }
            let value = |neuron: &SparseNeuron| {
                let mut sum = Sum::new(neuron.bias);
                for &(from, weight) in &neuron.weights {
                    if let Some(&value) = values.get(from) {
                        sum.add(weight, value);
                    }
                }
                if layer.relu { sum.value().relu() } else { sum.value() }
            };
            values = layer.neurons.iter().map(value).collect();
        }
        values
    }
}

impl SparseNeuron {
    /// The weight on an input or neuron of the layer before.
    pub(crate) fn weight(&self, from: usize) -> f64 {
        // They ascend by what they read.
        let at = self.weights.binary_search_by_key(&from, |&(from, _)| from);
        at.ok().and_then(|at| self.weights.get(at)).map_or(0.0, |&(_, weight)| weight)
    }
}
