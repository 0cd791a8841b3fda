//! From circuits to layers: literals, ANDs, ORs, then the XOR, each gate reading signals of the layer before.
//!
//! Several circuits stand side by side: they share the literals, and their XORs take the same number of layers, so that all of
//! them end in the last one.

use super::alike::alike;
use super::builder::{Builder, Signal};
use super::gates::{Gate, NormalStage};
use super::options::{AndGate, CompileOptions, OrGate};
use super::{Activation, Network, xor};
use crate::circuit::Circuit;
use crate::stage::Signed;
use std::collections::BTreeMap;
use std::ops::Range;

/// A network with the gates that account for all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The network.
    pub network: Network,
    /// The stages as they were compiled.
    pub stages: Vec<NormalStage>,
    /// For each output the stages whose XOR it is, as places in `stages`: first to last without a gap.
    pub outputs: Vec<Range<usize>>,
    /// Every gate, in the order literal, and, or, xor, zero.
    pub gates: Vec<Gate>,
}

/// Circuits that do not fit into one network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no circuit.
    #[error("there is no circuit to compile")]
    Nothing,
    /// A circuit reads other inputs than the first one.
    #[error("circuit {circuit} ({target:?}) has other inputs than the first one")]
    OtherInputs {
        /// Its place, from 0.
        circuit: usize,
        /// Its target.
        target: String,
    },
    /// Two circuits predict what has the same name for a reader, so that nobody could tell their outputs apart.
    #[error(
        "outputs {first:?} and {second:?} look the same, since blanks, invisible characters and compatible forms do not \
         tell names apart: rename one"
    )]
    SameTarget {
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
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
    side_by_side(&[circuit], options)
}

/// Compiles circuits over the same inputs into one network with an output for each, in their order.
///
/// Of one circuit it is the network of [`compile`]. A circuit without stages becomes a neuron that is always 0.
///
/// ```
/// use macchiato::circuit::Circuit;
/// use macchiato::minimize::{Cover, Literal, Shape};
/// use macchiato::network::{CompileOptions, compile_several};
/// use macchiato::stage::Stage;
///
/// let circuit = |target: &str, literal: Literal| {
///     let mut cover = Cover::new(Shape::new(1, 1));
///     cover.push(&[literal], &[true]);
///     Circuit { inputs: vec!["a".into()], target: target.into(), stages: vec![Stage { inputs: vec![0], cover }] }
/// };
/// let (yes, no) = (circuit("yes", Literal::Positive), circuit("no", Literal::Negative));
/// let compiled = compile_several(&[&yes, &no], &CompileOptions::default())?;
/// assert_eq!(compiled.network.outputs_at(&[1]), [1, 0]);
/// assert_eq!(compiled.network.outputs_at(&[0]), [0, 1]);
/// # Ok::<(), macchiato::network::CompileError>(())
/// ```
///
/// # Errors
/// No circuit at all, circuits over other inputs, or two targets that look the same ([`alike`]).
pub fn compile_several(circuits: &[&Circuit], options: &CompileOptions) -> Result<Compiled, CompileError> {
    let first = circuits.first().ok_or(CompileError::Nothing)?;
    if let Some(circuit) = circuits.iter().position(|circuit| circuit.inputs != first.inputs) {
        return Err(CompileError::OtherInputs { circuit, target: circuits[circuit].target.clone() });
    }
    if let Some((first, second)) = alike(circuits.iter().map(|circuit| circuit.target.as_str())) {
        let name = |at: usize| circuits[at].target.clone();
        return Err(CompileError::SameTarget { first: name(first), second: name(second) });
    }
    Ok(side_by_side(circuits, options))
}

/// At least one circuit, all over the same inputs.
fn side_by_side(circuits: &[&Circuit], options: &CompileOptions) -> Compiled {
    let inputs = circuits[0].inputs.len();
    let mut stages: Vec<NormalStage> = Vec::new();
    let mut outputs = Vec::with_capacity(circuits.len());
    for circuit in circuits {
        let from = stages.len();
        stages.extend(circuit.stages.iter().map(NormalStage::new));
        outputs.push(from..stages.len());
    }
    let mut builder = Builder::default();
    if stages.is_empty() {
        for output in 0..outputs.len() {
            let zero = builder.zero(1, output);
            builder.gates.push(zero);
        }
    } else {
        let literals = builder.literals(inputs, &stages, options.prune);
        let terms = builder.ands(&stages, &literals, options.and);
        let ors = builder.ors(&terms, options.or);
        xor::build(&mut builder, &ors, &outputs, options.xor);
    }
    if let (true, Some(last)) = (options.linear_output, builder.layers.last_mut()) {
        last.activation = Activation::Linear;
    }
    let network = Network { inputs, layers: builder.layers };
    debug_assert_eq!(network.outputs(), circuits.len());
    Compiled { network, stages, outputs, gates: builder.gates }
}

impl Builder {
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
