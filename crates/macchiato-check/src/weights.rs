//! The heart of the matter: every weight and bias of the file against the plan.
//!
//! For each neuron the plan's few weights are laid out over an empty row, the file's row is compared with it number by number,
//! and the row is emptied again: linear in the file. A number agrees only if it is the same float32, bit for bit, with one
//! exception: where 0 is wanted, -0 will do, since no sum or comparison can tell them apart. NaN and infinities agree with
//! nothing. What passes is a network all of whose weights the gates account for.

use crate::certificate::{Certificate, EXACT};
use crate::gates::Plan;
use crate::network::{Network, floats};
use crate::verdict::{Rejection, reject};

/// Compares every number of the file; gives how many there were.
pub(crate) fn compare(
    certificate: &Certificate,
    network: &Network<'_>,
    plan: &Plan,
) -> Result<u64, Rejection> {
    let mut numbers = 0;
    for (l, layer) in network.layers.iter().enumerate() {
        let mut row = vec![0f32; layer.inputs];
        for (n, (found, bias)) in layer.neurons().enumerate() {
            let gate =
                || plan.record(certificate, l, n).map_or_else(String::new, |record| format!(" of {record}"));
            let wanted = plan.bias(l, n).unwrap_or_default();
            if !same(bias, exact(wanted)) {
                let place = format!("neuron {}.{n}{}", l + 1, gate());
                return reject(place, format!("its bias is {bias}, where {wanted} must be"));
            }
            let mut inside = true;
            plan.weights(l, n, |at, weight| match row.get_mut(at) {
                Some(entry) => *entry = exact(weight),
                None => inside = false,
            });
            let differs = floats(found).zip(&row).position(|(found, &wanted)| !same(found, wanted));
            if let Some(at) = differs {
                let (found, wanted) = (floats(found).nth(at), row.get(at).copied());
                let from = if l == 0 { format!("input {at}") } else { format!("neuron {l}.{at}") };
                let why = format!(
                    "its weight on {from} is {}, where {} must be",
                    found.unwrap_or_default(),
                    wanted.unwrap_or_default()
                );
                return reject(format!("neuron {}.{n}{}", l + 1, gate()), why);
            }
            if !inside {
                return reject(
                    format!("neuron {}.{n}{}", l + 1, gate()),
                    "it reads a neuron that is not there",
                );
            }
            plan.weights(l, n, |at, _| {
                if let Some(entry) = row.get_mut(at) {
                    *entry = 0.0;
                }
            });
        }
        numbers += layer.numbers();
    }
    Ok(numbers)
}

/// The float32 of a whole number, or NaN, which agrees with nothing, if there is none.
fn exact(value: i64) -> f32 {
    if value.unsigned_abs() < EXACT { value as f32 } else { f32::NAN }
}

/// The same bits, or two zeros.
fn same(found: f32, wanted: f32) -> bool {
    let zero = |value: f32| value.to_bits() << 1 == 0;
    !wanted.is_nan() && (found.to_bits() == wanted.to_bits() || (zero(found) && zero(wanted)))
}
