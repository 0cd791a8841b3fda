//! The XOR of each output's stages: flat, by folding the sum like a triangle, or in rounds of small flat XORs.
//!
//! All outputs take the same layers. The one with the most stages says how many: a fold that is higher than its sum needs
//! keeps the parity all the same, and a flat XOR of one input is that input, so outputs with fewer stages keep pace.

use super::builder::{Builder, Signal};
use super::gates::{Gate, Neuron, XorInput};
use super::options::XorGate;
use std::ops::Range;

/// How one output's XOR is built, the same for all of them.
#[derive(Clone, Copy)]
enum Plan {
    Flat,
    /// The first fold's height, a power of two.
    Folds(u32),
    /// So many inputs of a flat XOR, in so many rounds.
    Rounds(usize, usize),
}

impl Plan {
    /// The plan for at most `most` stages.
    fn new(gate: XorGate, most: usize) -> Self {
        let gate = if widest_flat(gate, most) >= FLAT_LIMIT { XorGate::Triangle } else { gate };
        match gate {
            XorGate::Triangle if most > 1 => Self::Folds((most as u32).next_power_of_two() / 2),
            XorGate::Depth(depth) => {
                let arity = arity(depth, most);
                let mut left = most.div_ceil(arity);
                let mut rounds = 1;
                while left > 1 {
                    left = left.div_ceil(arity);
                    rounds += 1;
                }
                Self::Rounds(arity, rounds)
            }
            XorGate::Flat | XorGate::Triangle => Self::Flat,
        }
    }

    /// Layers of neurons.
    const fn layers(self) -> usize {
        2 * match self {
            Self::Flat => 1,
            Self::Folds(height) => height.trailing_zeros() as usize + 1,
            Self::Rounds(_, rounds) => rounds,
        }
    }
}

/// The partial sums of a flat XOR of r inputs go up to r^2, and must stay below 2^24: from here on the triangle takes over.
const FLAT_LIMIT: usize = 1 << 12;

/// Inputs of the widest flat XOR.
fn widest_flat(gate: XorGate, most: usize) -> usize {
    match gate {
        XorGate::Flat => most,
        XorGate::Depth(depth) => arity(depth, most).min(most),
        XorGate::Triangle => 0,
    }
}

/// Inputs of each XOR when `depth` rounds of them take `most` inputs.
fn arity(depth: usize, most: usize) -> usize {
    root(most, depth.max(1)).max(2)
}

/// Builds the XOR of the stages' signals for each output; output o is neuron o of the last layer. There is at least one stage.
pub(super) fn build(builder: &mut Builder, stages: &[Signal], outputs: &[Range<usize>], gate: XorGate) {
    let most = outputs.iter().map(Range::len).max().unwrap_or(0);
    let plan = Plan::new(gate, most);
    let last = stages[0].layer + plan.layers();
    let mut xors = Xors { builder, made: 0 };
    let mut zeros = Vec::new();
    for (output, range) in outputs.iter().enumerate() {
        let inputs: Vec<(XorInput, Signal)> =
            range.clone().map(|at| (XorInput::Stage(at + 1), stages[at].clone())).collect();
        match plan {
            // In its place among the neurons now, after all XORs among the gates.
            _ if inputs.is_empty() => zeros.push(xors.builder.zero(last, output)),
            Plan::Flat => drop(xors.flat(&inputs)),
            Plan::Folds(height) => xors.folds(inputs, height),
            Plan::Rounds(arity, rounds) => xors.rounds(inputs, arity, rounds),
        }
    }
    builder.gates.append(&mut zeros);
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

/// The XORs so far.
struct Xors<'a> {
    builder: &'a mut Builder,
    made: usize,
}

impl Xors<'_> {
    /// Each step folds the integers from 0 to 2h onto those from 0 to h, keeping their parity, until 0 and 1 are left.
    fn folds(&mut self, mut inputs: Vec<(XorInput, Signal)>, mut height: u32) {
        while height >= 1 {
            let layer = inputs[0].1.layer + 1;
            let read: Vec<(&Signal, i32)> = inputs.iter().map(|(_, signal)| (signal, 1)).collect();
            let sum = self.builder.neuron(layer, &read, 0);
            let above = self.builder.neuron(layer, &read, -height.cast_signed());
            let output = self.builder.neuron(layer + 1, &[(&sum.signal(), 1), (&above.signal(), -2)], 0);
            let names = inputs.iter().map(|(name, _)| *name).collect();
            inputs =
                vec![self.push(Gate::Fold { height, inputs: names, hidden: [sum, above], output }, output)];
            height /= 2;
        }
    }

    /// Rounds of flat XORs of at most `arity` inputs.
    fn rounds(&mut self, mut inputs: Vec<(XorInput, Signal)>, arity: usize, rounds: usize) {
        for _ in 0..rounds {
            inputs = inputs.chunks(arity).map(|group| self.flat(group)).collect();
        }
        debug_assert_eq!(inputs.len(), 1);
    }

    /// The paper's XOR module: one hidden neuron for each input, then the alternating sum.
    fn flat(&mut self, inputs: &[(XorInput, Signal)]) -> (XorInput, Signal) {
        let layer = inputs[0].1.layer + 1;
        let read: Vec<(&Signal, i32)> = inputs.iter().map(|(_, signal)| (signal, 1)).collect();
        let hidden: Vec<Neuron> =
            (0..inputs.len() as i32).map(|k| self.builder.neuron(layer, &read, -k)).collect();
        let signals: Vec<Signal> = hidden.iter().map(|neuron| neuron.signal()).collect();
        let alternating = |k: usize| match k {
            0 => 1,
            k if k % 2 == 1 => -2,
            _ => 2,
        };
        let weighted: Vec<(&Signal, i32)> =
            signals.iter().enumerate().map(|(k, signal)| (signal, alternating(k))).collect();
        let output = self.builder.neuron(layer + 1, &weighted, 0);
        let names = inputs.iter().map(|(name, _)| *name).collect();
        self.push(Gate::Xor { inputs: names, hidden, output }, output)
    }

    fn push(&mut self, gate: Gate, output: Neuron) -> (XorInput, Signal) {
        self.builder.gates.push(gate);
        self.made += 1;
        (XorInput::Xor(self.made), output.signal())
    }
}
