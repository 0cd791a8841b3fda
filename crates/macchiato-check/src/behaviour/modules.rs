//! Gate by gate: all values that a gate's neurons can take, from all values that its inputs can.
//!
//! A signal's *options* are pairs of the Boolean it means and the numbers that its neurons then hold; those of a network input
//! are (0, 0) and (1, 1). A gate adds the contributions of its signals one after the other and keeps the distinct pairs of Boolean and sums:
//! for the compiled gates these collapse to a few counts, so wide gates cost little. Combinations that no point of the cube reaches are
//! followed too, so a gate that is right on all of them is right, and one that is not leaves the question open. Every sum must be exact in
//! float32, in every order ([`Sum::is_exact`]); then it is exact in float64 as well, and is taken there.

use super::float32::{Range, Sum};
use super::{Sparse, SparseNeuron};
use crate::gates::{Module, Operation, Plan, Signal};
use std::collections::BTreeSet;

/// A Boolean, and the bits of the float64 numbers that come with it.
type Choice = (bool, Vec<u64>);

/// The most options of a signal or states of a sum, and the most steps altogether.
const MOST_STATES: usize = 1 << 16;
const MOST_STEPS: usize = 1 << 30;

/// Why a gate is not followed further.
const ROUNDED: &str = "float32 may round its sums, depending on the order in which they are taken";

/// Whether each output is its circuit's value; or why that could not be shown.
pub(super) fn decide(network: &Sparse, plan: &Plan) -> Result<(), String> {
    let mut options: Vec<BTreeSet<Choice>> = Vec::new();
    let inputs = plan.signals.len().saturating_sub(plan.modules.len());
    let number = |value: f64| vec![value.to_bits()];
    options.resize(inputs, BTreeSet::from([(false, number(0.0)), (true, number(1.0))]));
    let mut steps = 0;
    for (m, module) in plan.modules.iter().enumerate() {
        let made = follow(network, plan, module, &options, &mut steps)
            .map_err(|why| format!("gate {}: {why}", m + 1))?;
        options.push(made);
    }
    let right = |(value, output): &Choice| *output == number(f64::from(u8::from(*value)));
    let wrong = |&signal: &usize| !options.get(signal).is_some_and(|made| made.iter().all(right));
    match plan.outputs.iter().position(wrong) {
        None => Ok(()),
        Some(o) => {
            let output =
                if plan.outputs.len() == 1 { "the output".to_owned() } else { format!("output {o}") };
            Err(format!("{output} is not 0 or 1 for all values that the last gate's inputs might take"))
        }
    }
}

/// The options of the signal that a module makes.
fn follow(
    network: &Sparse,
    plan: &Plan,
    module: &Module,
    options: &[BTreeSet<Choice>],
    steps: &mut usize,
) -> Result<BTreeSet<Choice>, String> {
    let neuron = |layer: usize, index: usize| network.layers.get(layer.checked_sub(1)?)?.neurons.get(index);
    let first: Option<Vec<&SparseNeuron>> =
        module.first.iter().map(|&index| neuron(module.layer, index)).collect();
    let first = first.ok_or("a neuron is missing")?;
    let signals: Vec<&Signal> = module.reads.iter().filter_map(|&read| plan.signals.get(read)).collect();
    let mut own: Vec<usize> =
        signals.iter().flat_map(|signal| [Some(signal.plus), signal.minus]).flatten().collect();
    own.sort_unstable();
    if first.iter().flat_map(|neuron| &neuron.weights).any(|(from, _)| own.binary_search(from).is_err()) {
        return Err("its neurons read others than the gate's inputs".to_owned());
    }

    for neuron in &first {
        let mut sum = Sum::new(neuron.bias);
        for (signal, &read) in signals.iter().zip(&module.reads) {
            let given = options.get(read).ok_or("an input is missing")?;
            for (k, part) in [Some(signal.plus), signal.minus].into_iter().flatten().enumerate() {
                let held = |(_, held): &Choice| held.get(k).copied().map(f64::from_bits);
                sum.add_any(neuron.weight(part), given.iter().filter_map(held));
            }
        }
        if !sum.is_exact() {
            return Err(ROUNDED.to_owned());
        }
    }

    let biases: Vec<u64> = first.iter().map(|neuron| (neuron.bias + 0.0).to_bits()).collect();
    let mut states = BTreeSet::from([(module.operation == Operation::And, biases)]);
    for (signal, &read) in signals.iter().zip(&module.reads) {
        let given = options.get(read).ok_or("an input is missing")?;
        let contributions: BTreeSet<Choice> =
            given.iter().map(|option| contribution(&first, signal, option)).collect();
        let mut next = BTreeSet::new();
        *steps += states.len() * contributions.len() * first.len().max(1);
        if *steps > MOST_STEPS {
            return Err("there are too many values to follow".to_owned());
        }
        for (state, sums) in &states {
            for (value, added) in &contributions {
                let state = match module.operation {
                    Operation::Copy => *value,
                    Operation::Not => !value,
                    Operation::And => state & value,
                    Operation::Or => state | value,
                    Operation::Xor => state ^ value,
                };
                next.insert((state, sums.iter().zip(added).map(|(&a, &b)| sum(a, b)).collect()));
            }
            if next.len() > MOST_STATES {
                return Err("there are too many values to follow".to_owned());
            }
        }
        states = next;
    }

    let relu = |layer: usize| {
        layer.checked_sub(1).and_then(|l| network.layers.get(l)).is_some_and(|layer| layer.relu)
    };
    let second = match module.second {
        None => None,
        Some(index) => Some(neuron(module.layer + 1, index).ok_or("a neuron is missing")?),
    };
    let finish = |(value, sums): Choice| {
        let held: Vec<u64> = sums.into_iter().map(|sum| activate(sum, relu(module.layer))).collect();
        let Some(second) = second else { return Ok((value, held)) };
        let mut total = Sum::new(second.bias);
        for &(from, weight) in &second.weights {
            let at = module.first.iter().position(|&index| index == from);
            let Some(&bits) = at.and_then(|at| held.get(at)) else {
                return Err("its last neuron reads others than the gate's first".to_owned());
            };
            total.add(weight, Range::exactly(f64::from_bits(bits)));
        }
        let total = total.value().number().ok_or(ROUNDED)?;
        Ok((value, vec![activate(total.to_bits(), relu(module.layer + 1))]))
    };
    states.into_iter().map(finish).collect()
}

/// What a signal with one of its options adds to each of the neurons.
fn contribution(neurons: &[&SparseNeuron], signal: &Signal, (value, held): &Choice) -> Choice {
    let add = |neuron: &&SparseNeuron| {
        let parts = [Some(signal.plus), signal.minus].into_iter().flatten();
        let terms = parts.zip(held).map(|(part, &bits)| neuron.weight(part) * f64::from_bits(bits));
        // Adding 0 makes -0 a 0, so that equal numbers have equal bits.
        (terms.sum::<f64>() + 0.0).to_bits()
    };
    (*value, neurons.iter().map(add).collect())
}

fn sum(a: u64, b: u64) -> u64 {
    (f64::from_bits(a) + f64::from_bits(b) + 0.0).to_bits()
}

fn activate(bits: u64, relu: bool) -> u64 {
    let value = f64::from_bits(bits);
    // Not `max`, which may give -0 for 0.
    if relu && value <= 0.0 { 0.0f64.to_bits() } else { bits }
}
