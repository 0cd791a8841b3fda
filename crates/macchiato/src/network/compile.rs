//! From a circuit to layers: literals, ANDs, ORs, then the XOR, each gate reading signals of the layer before.
//!
//! A signal is a Boolean (or, between folds, a small integer) that neurons of one layer carry as a sum with integer
//! coefficients; reading it puts those coefficients into the reader's weights, so no layer is spent on sums.

use super::gates::{Gate, Neuron, NormalStage};
use super::options::{AndGate, CompileOptions, OrGate};
use super::{Activation, Layer, Network, xor};
use crate::circuit::Circuit;
use crate::stage::Signed;
use std::collections::BTreeMap;

/// A network with the gates that account for all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The network.
    pub network: Network,
    /// The stages as they were compiled.
    pub stages: Vec<NormalStage>,
    /// Every gate, in the order literal, and, or, xor.
    pub gates: Vec<Gate>,
}

/// Neurons of one layer whose weighted sum is a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) layer: usize,
    pub(super) parts: Vec<(u32, i32)>,
}

/// Compiles a circuit.
///
/// ```
/// use macchiato::circuit::Circuit;
/// use macchiato::minimize::{Cover, Literal, Shape};
/// use macchiato::network::{CompileOptions, compile};
/// use macchiato::stage::Stage;
///
/// let mut cover = Cover::new(Shape::new(2, 1));
/// cover.push(&[Literal::Positive, Literal::Negative], &[true]);
/// let stage = Stage { inputs: vec![0, 2], cover };
/// let circuit = Circuit { inputs: vec!["a".into(), "b".into(), "c".into()], target: "y".into(), stages: vec![stage] };
/// let compiled = compile(&circuit, &CompileOptions::default());
/// assert_eq!(compiled.network.widths(), [6, 2, 2, 1, 1]);
/// assert_eq!(compiled.network.at(&[1, 0, 0]), 1);
/// ```
#[must_use]
pub fn compile(circuit: &Circuit, options: &CompileOptions) -> Compiled {
    let stages: Vec<NormalStage> = circuit.stages.iter().map(NormalStage::new).collect();
    let mut builder = Builder { layers: Vec::new(), gates: Vec::new() };
    if stages.is_empty() {
        builder.neuron(1, &[], 0);
        builder.gates.push(Gate::Zero);
    } else {
        let literals = builder.literals(circuit.inputs.len(), &stages, options.prune);
        let terms = builder.ands(&stages, &literals, options.and);
        let ors = builder.ors(&terms, options.or);
        xor::build(&mut builder, ors, options.xor);
    }
    if let (true, Some(last)) = (options.linear_output, builder.layers.last_mut()) {
        last.activation = Activation::Linear;
    }
    let network = Network { inputs: circuit.inputs.len(), layers: builder.layers };
    debug_assert_eq!(network.layers.last().map(Layer::width), Some(1));
    Compiled { network, stages, gates: builder.gates }
}

/// Layers and gates so far.
pub(super) struct Builder {
    layers: Vec<Layer>,
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

    /// The first layer: a neuron for each literal.
    fn literals(&mut self, inputs: usize, stages: &[NormalStage], prune: bool) -> BTreeMap<Signed, Signal> {
        let mut read: Vec<Signed> = if prune {
            stages.iter().flat_map(|stage| &stage.terms).flatten().copied().collect()
        } else {
            (0..inputs).flat_map(|input| [(input, true), (input, false)]).collect()
        };
        // By input, the positive literal first.
        read.sort_unstable_by_key(|&(input, positive)| (input, !positive));
        read.dedup();
        read.into_iter()
            .map(|(input, positive)| {
                let source = Signal { layer: 0, parts: vec![(input as u32, 1)] };
                let (sign, bias) = if positive { (1, 0) } else { (-1, 1) };
                let neuron = self.neuron(1, &[(&source, sign)], bias);
                self.gates.push(Gate::Literal { literal: (input, positive), neuron });
                ((input, positive), neuron.signal())
            })
            .collect()
    }

    /// The second layer: the product terms of each stage.
    fn ands(
        &mut self,
        stages: &[NormalStage],
        literals: &BTreeMap<Signed, Signal>,
        gate: AndGate,
    ) -> Vec<Vec<Signal>> {
        let mut signals = Vec::with_capacity(stages.len());
        for (stage, normal) in stages.iter().enumerate() {
            let mut terms = Vec::with_capacity(normal.terms.len());
            for (term, read) in normal.terms.iter().enumerate() {
                let inputs: Vec<(&Signal, i32)> =
                    read.iter().map(|literal| (&literals[literal], 1)).collect();
                let count = read.len() as i32;
                let all = self.neuron(2, &inputs, 1 - count);
                let (neurons, signal) = match gate {
                    AndGate::Narrow => (vec![all], all.signal()),
                    AndGate::Two => {
                        let excess = self.neuron(2, &inputs, -count);
                        (vec![all, excess], all.minus(excess))
                    }
                };
                self.gates.push(Gate::And { stage: stage + 1, term: term + 1, neurons });
                terms.push(signal);
            }
            signals.push(terms);
        }
        signals
    }

    /// The next layer, or two: the OR of each stage's terms.
    fn ors(&mut self, terms: &[Vec<Signal>], gate: OrGate) -> Vec<Signal> {
        let mut signals = Vec::with_capacity(terms.len());
        for (stage, terms) in terms.iter().enumerate() {
            let plus: Vec<(&Signal, i32)> = terms.iter().map(|signal| (signal, 1)).collect();
            let minus: Vec<(&Signal, i32)> = terms.iter().map(|signal| (signal, -1)).collect();
            let (neurons, signal) = match gate {
                OrGate::Two => {
                    let (any, excess) = (self.neuron(3, &plus, 0), self.neuron(3, &plus, -1));
                    ([any, excess], any.minus(excess))
                }
                OrGate::Deep => {
                    let none = self.neuron(3, &minus, 1);
                    let some = self.neuron(4, &[(&none.signal(), -1)], 1);
                    ([none, some], some.signal())
                }
            };
            self.gates.push(Gate::Or { stage: stage + 1, neurons });
            signals.push(signal);
        }
        signals
    }
}

impl Neuron {
    pub(super) fn signal(self) -> Signal {
        Signal { layer: self.layer, parts: vec![(self.at as u32, 1)] }
    }

    fn minus(self, other: Self) -> Signal {
        Signal { layer: self.layer, parts: vec![(self.at as u32, 1), (other.at as u32, -1)] }
    }
}
