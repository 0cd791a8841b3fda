//! The largest partial sum: why float32 makes no rounding error, whatever the order in which a runtime adds.
//!
//! All weights are whole numbers, so every partial sum is one. The bound of a neuron is |bias| plus, over what it reads,
//! |weight| times the largest value: no partial sum in any order exceeds it. The largest value of a neuron is its bias plus
//! the positive weights times what they read at its largest, and 0 at least: that is what a `ReLU` lets through at most. Below
//! 2^24 float32 holds every whole number, so products and sums are exact. Linear in the plan's weights.

use crate::certificate::EXACT;
use crate::gates::Plan;
use crate::network::Network;
use crate::verdict::{Rejection, reject};

/// The largest bound over all neurons.
pub(crate) fn largest_partial_sum(network: &Network<'_>, plan: &Plan) -> Result<u64, Rejection> {
    let mut largest = 0;
    let mut values: Vec<u64> = network.layers.first().map(|layer| vec![1; layer.inputs]).unwrap_or_default();
    for (l, layer) in network.layers.iter().enumerate() {
        let mut next = Vec::new();
        for n in 0..layer.width {
            let bias = plan.bias(l, n).unwrap_or_default();
            // Values are below 2^24, weights at most 2 and rows shorter than 2^38: far from the limits of 64 bits.
            let (mut bound, mut value) = (bias.unsigned_abs(), bias);
            plan.weights(l, n, |at, weight| {
                let most = values.get(at).copied().unwrap_or_default();
                bound = bound.saturating_add(weight.unsigned_abs().saturating_mul(most));
                let raise = i64::try_from(most).unwrap_or(i64::MAX).saturating_mul(weight.max(0));
                value = value.saturating_add(raise);
            });
            if bound >= EXACT {
                let why =
                    format!("a partial sum can reach {bound}, where float32 is exact only below {EXACT}");
                return reject(format!("neuron {}.{n}", l + 1), why);
            }
            largest = largest.max(bound);
            next.push(u64::try_from(value).unwrap_or(0));
        }
        values = next;
    }
    Ok(largest)
}
