//! Gate by gate: all values that a gate's neurons can take, from all values that its inputs can.
//!
//! A signal's *options* are pairs of the number it means and the numbers that its neurons then hold; those of a network input
//! are (0, 0) and (1, 1). A gate adds the contributions of its signals one after the other and keeps the distinct pairs of count and sums:
//! for the compiled gates these collapse to a few counts, so wide gates cost little. Combinations that no point of the cube reaches are
//! followed too, so a gate that is right on all of them is right, and one that is not leaves the question open. Every sum must be exact in
//! float32, in every order ([`Sum::is_exact`]); then it is exact in float64 as well, and is taken there.

use crate::float32::Sum;
use crate::sparse::{Sparse, SparseNeuron};
use macchiato_check::Certificate;
use macchiato_check::certificate::{Gate, Kind, Operand, Source};
use std::collections::{BTreeMap, BTreeSet};

/// What a signal means, and the bits of the float64 numbers that its neurons then hold.
type Choice = (u64, Vec<u64>);

/// A signal: its neurons in their layer, from 0 for the inputs, and all that it can be.
struct Signal {
    layer: usize,
    neurons: Vec<usize>,
    options: BTreeSet<Choice>,
}

/// The most options of a signal or states of a sum, and the most steps altogether.
const MOST_STATES: usize = 1 << 16;
const MOST_STEPS: usize = 1 << 30;

/// Whether each output is its circuit's value; or why that could not be shown.
pub(super) fn decide(network: &Sparse, certificate: &Certificate) -> Result<(), String> {
    let number = |value: f64| vec![value.to_bits()];
    let both = BTreeSet::from([(0, number(0.0)), (1, number(1.0))]);
    let input = |input| Signal { layer: 0, neurons: vec![input], options: both.clone() };
    let inputs: Vec<Signal> = (0..certificate.inputs.len()).map(input).collect();
    let mut made: Vec<Signal> = Vec::new();
    let mut steps = 0;
    for (g, gate) in certificate.gates.iter().enumerate() {
        // A signal that is read twice is the same signal: its neurons' weights are there once.
        let mut reads: BTreeMap<Source, (&Signal, Vec<&Operand>)> = BTreeMap::new();
        for operand in &gate.operands {
            let signal = match operand.source {
                Source::Input(input) => inputs.get(input),
                Source::Gate(gate) => made.get(gate),
            };
            let signal = signal.ok_or("a signal is missing")?;
            reads.entry(operand.source).or_insert((signal, Vec::new())).1.push(operand);
        }
        let reads: Vec<(Vec<&Operand>, &Signal)> =
            reads.into_values().map(|(signal, of)| (of, signal)).collect();
        let signal = follow(network, gate, &reads, &mut steps).map_err(|why| format!("gate {g}: {why}"))?;
        made.push(signal);
    }
    let last = network.layers.len();
    // Values are below 2^24.
    let right = |(value, output): &Choice| *output == number(*value as f64);
    for (o, output) in certificate.outputs.iter().enumerate() {
        let signal = made.get(output.gate).filter(|signal| signal.layer == last && signal.neurons == [o]);
        if !signal.is_some_and(|signal| signal.options.iter().all(right)) {
            return Err(format!("output {o} is not the circuit's for all values that its gate might read"));
        }
    }
    Ok(())
}

/// The signal that a gate makes.
fn follow(
    network: &Sparse,
    gate: &Gate,
    reads: &[(Vec<&Operand>, &Signal)],
    steps: &mut usize,
) -> Result<Signal, String> {
    let layer =
        gate.layer.checked_sub(1).and_then(|l| network.layers.get(l)).ok_or("its layer is missing")?;
    let neurons: Option<Vec<&SparseNeuron>> = gate.neurons.iter().map(|n| layer.neurons.get(n.at)).collect();
    let neurons = neurons.ok_or("a neuron is missing")?;
    let mut own: Vec<usize> = reads.iter().flat_map(|(_, signal)| signal.neurons.iter().copied()).collect();
    own.sort_unstable();
    // Nothing else has looked at this certificate: a neuron that stands for two signals would be added twice.
    if !own.is_sorted_by(|a, b| a < b) || reads.iter().any(|(_, signal)| signal.layer + 1 != gate.layer) {
        return Err("it reads signals that share a neuron, or do not lie in the layer before".to_owned());
    }
    if neurons.iter().flat_map(|neuron| &neuron.weights).any(|(from, _)| own.binary_search(from).is_err()) {
        return Err("its neurons read others than the gate's inputs".to_owned());
    }
    for neuron in &neurons {
        let mut sum = Sum::new(neuron.bias);
        for (_, signal) in reads {
            for (k, &part) in signal.neurons.iter().enumerate() {
                let held = |(_, held): &Choice| held.get(k).copied().map(f64::from_bits);
                sum.add_any(neuron.weight(part), signal.options.iter().filter_map(held));
            }
        }
        if !sum.is_exact() {
            return Err(
                "float32 may round its sums, depending on the order in which they are taken".to_owned()
            );
        }
    }

    let biases: Vec<u64> = neurons.iter().map(|neuron| (neuron.bias + 0.0).to_bits()).collect();
    let mut states: BTreeSet<Choice> = BTreeSet::from([(0, biases)]);
    for (operands, signal) in reads {
        let contributions: BTreeSet<Choice> =
            signal.options.iter().map(|option| contribution(&neurons, operands, signal, option)).collect();
        let mut next = BTreeSet::new();
        *steps += states.len() * contributions.len() * neurons.len().max(1);
        for (count, sums) in &states {
            for (points, added) in &contributions {
                next.insert((count + points, sums.iter().zip(added).map(|(&a, &b)| sum(a, b)).collect()));
            }
            if *steps > MOST_STEPS || next.len() > MOST_STATES {
                return Err("there are too many values to follow".to_owned());
            }
        }
        states = next;
    }
    let whole = gate.operands.iter().map(|operand| operand.weight).sum();
    let finish = |(count, sums): Choice| {
        let value = match &gate.kind {
            Kind::Rule(rule) => rule.value(count, whole),
            Kind::Relay => count,
            Kind::Nor => u64::from(count == 0),
            Kind::Fold => count % 2,
        };
        (value, sums.into_iter().map(|sum| activate(sum, layer.relu)).collect())
    };
    let neurons = gate.neurons.iter().map(|neuron| neuron.at).collect();
    Ok(Signal { layer: gate.layer, neurons, options: states.into_iter().map(finish).collect() })
}

/// What a signal with one of its options adds to the count and to each of the neurons.
fn contribution(
    neurons: &[&SparseNeuron],
    operands: &[&Operand],
    signal: &Signal,
    (value, held): &Choice,
) -> Choice {
    let add = |neuron: &&SparseNeuron| {
        let terms =
            signal.neurons.iter().zip(held).map(|(&part, &bits)| neuron.weight(part) * f64::from_bits(bits));
        // Adding 0 makes -0 a 0, so that equal numbers have equal bits.
        (terms.sum::<f64>() + 0.0).to_bits()
    };
    let points = |operand: &&Operand| {
        operand.weight * if operand.positive { *value } else { 1u64.saturating_sub(*value) }
    };
    (operands.iter().map(points).sum(), neurons.iter().map(add).collect())
}

fn sum(a: u64, b: u64) -> u64 {
    (f64::from_bits(a) + f64::from_bits(b) + 0.0).to_bits()
}

fn activate(bits: u64, relu: bool) -> u64 {
    let value = f64::from_bits(bits);
    // Not `max`, which may give -0 for 0.
    if relu && value <= 0.0 { 0.0f64.to_bits() } else { bits }
}
