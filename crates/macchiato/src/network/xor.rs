//! The XOR of the stages: flat, by folding the sum like a triangle, or in rounds of small flat XORs.

use super::compile::{Builder, Signal};
use super::gates::{Gate, Neuron, XorInput};
use super::options::XorGate;

/// Builds the XOR of the stages' signals; its output is the last layer's only neuron.
pub(super) fn build(builder: &mut Builder, stages: Vec<Signal>, gate: XorGate) {
    let inputs: Vec<(XorInput, Signal)> =
        stages.into_iter().enumerate().map(|(at, signal)| (XorInput::Stage(at + 1), signal)).collect();
    match gate {
        XorGate::Triangle if inputs.len() > 1 => fold(builder, inputs),
        XorGate::Depth(depth) => rounds(builder, inputs, depth.max(1)),
        XorGate::Flat | XorGate::Triangle => {
            flat(builder, &inputs);
        }
    }
}

/// Each step folds the integers from 0 to 2h onto those from 0 to h, keeping their parity, until 0 and 1 are left.
fn fold(builder: &mut Builder, mut inputs: Vec<(XorInput, Signal)>) {
    let mut height = (inputs.len() as u32).next_power_of_two() / 2;
    let mut step = 1;
    while height >= 1 {
        let layer = inputs[0].1.layer + 1;
        let read: Vec<(&Signal, i32)> = inputs.iter().map(|(_, signal)| (signal, 1)).collect();
        let sum = builder.neuron(layer, &read, 0);
        let above = builder.neuron(layer, &read, -height.cast_signed());
        let output = builder.neuron(layer + 1, &[(&sum.signal(), 1), (&above.signal(), -2)], 0);
        builder.gates.push(Gate::Fold {
            height,
            inputs: inputs.iter().map(|(name, _)| *name).collect(),
            hidden: [sum, above],
            output,
        });
        inputs = vec![(XorInput::Xor(step), output.signal())];
        step += 1;
        height /= 2;
    }
}

/// At most `depth` rounds, each of flat XORs of at most the `depth`-th root of all inputs, rounded up.
fn rounds(builder: &mut Builder, mut inputs: Vec<(XorInput, Signal)>, depth: usize) {
    let arity = root(inputs.len(), depth).max(2);
    let mut made = 0;
    loop {
        let mut next = Vec::new();
        for group in inputs.chunks(arity) {
            let output = flat(builder, group);
            made += 1;
            next.push((XorInput::Xor(made), output.signal()));
        }
        if next.len() == 1 {
            return;
        }
        inputs = next;
    }
}

/// The smallest q with q^depth at least `count`.
fn root(count: usize, depth: usize) -> usize {
    let reaches = |q: usize| {
        let mut power = 1usize;
        (0..depth).any(|_| {
            power = power.saturating_mul(q);
            power >= count
        })
    };
    (1..=count).find(|&q| reaches(q)).unwrap_or(1)
}

/// The paper's XOR module: one hidden neuron for each input, then the alternating sum.
fn flat(builder: &mut Builder, inputs: &[(XorInput, Signal)]) -> Neuron {
    let layer = inputs[0].1.layer + 1;
    let read: Vec<(&Signal, i32)> = inputs.iter().map(|(_, signal)| (signal, 1)).collect();
    let hidden: Vec<Neuron> = (0..inputs.len() as i32).map(|k| builder.neuron(layer, &read, -k)).collect();
    let signals: Vec<Signal> = hidden.iter().map(|neuron| neuron.signal()).collect();
    let alternating = |k: usize| match k {
        0 => 1,
        k if k % 2 == 1 => -2,
        _ => 2,
    };
    let weighted: Vec<(&Signal, i32)> =
        signals.iter().enumerate().map(|(k, signal)| (signal, alternating(k))).collect();
    let output = builder.neuron(layer + 1, &weighted, 0);
    builder.gates.push(Gate::Xor { inputs: inputs.iter().map(|(name, _)| *name).collect(), hidden, output });
    output
}
