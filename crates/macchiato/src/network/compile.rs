//! From a circuit to layers.
//!
//! Each gate goes into the first layer behind everything that it reads; a signal that is needed further on is relayed, once for each layer,
//! however many gates read it there (`builder.rs`). Outputs are relays in the last layer, each a neuron of its own. In the paper's form literals
//! have a layer in front.

use super::alike::alike;
use super::builder::Builder;
use super::error::CompileError;
use super::gates::{Bank, Kind, Placed, Read};
use super::options::{AndGate, CompileOptions, OrGate};
use super::{Activation, Network, xor};
use crate::circuit::{Circuit, Gate, Rule, Source};

/// A network with the gates that account for all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The network.
    pub network: Network,
    /// Every gate of it, each after what it reads.
    pub gates: Vec<Placed>,
    /// For each output its gate.
    pub outputs: Vec<usize>,
    /// The largest absolute value that a partial sum can take on the cube, in any order of summation: below 2^24 float32
    /// holds every one of them exactly.
    pub largest_partial_sum: u64,
}

/// Compiles a circuit.
///
/// ```
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::network::{CompileOptions, compile};
///
/// // Exactly two of three.
/// let gate = Gate::new(Rule::Counts(vec![(2, 2)]), (0..3).map(Literal::input).collect());
/// let names = ["a", "b", "c"].map(str::to_owned).to_vec();
/// let circuit = Circuit::new(names, vec![gate], vec![Output::new("two", Literal::gate(0))])?;
/// let compiled = compile(&circuit, &CompileOptions::default())?;
/// assert_eq!(compiled.network.widths(), [2, 1]);
/// assert_eq!(compiled.network.at(&[1, 0, 1]), 1);
/// assert_eq!(compiled.network.at(&[1, 1, 1]), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Two outputs that look the same ([`alike`]), no output at all, and sums that float32 does not hold.
pub fn compile(circuit: &Circuit, options: &CompileOptions) -> Result<Compiled, CompileError> {
    let names: Vec<&str> = circuit.outputs().iter().map(|output| output.name.as_str()).collect();
    if names.is_empty() {
        return Err(CompileError::Nothing);
    }
    if let Some((first, second)) = alike(names.iter().copied()) {
        return Err(CompileError::SameTarget {
            first: names[first].to_owned(),
            second: names[second].to_owned(),
        });
    }
    let mut builder = Builder::new(circuit);
    if options.literals {
        builder.literals();
    }
    for (g, gate) in circuit.gates().iter().enumerate() {
        place(&mut builder, g, gate, options)?;
    }
    let ends: Vec<Read> = circuit.outputs().iter().map(|output| builder.read(output.literal)).collect();
    let last = 1 + builder.layers.len();
    let mut outputs = Vec::with_capacity(ends.len());
    for (o, end) in ends.into_iter().enumerate() {
        let reads = vec![builder.at_layer(end, last - 1, circuit.gates().len() + o)?];
        outputs.push(builder.place(
            Kind::Relay,
            None,
            reads,
            Bank::of(&[(1, 0, 1)]),
            circuit.gates().len() + o,
        )?);
    }
    if let (true, Some(layer)) = (options.linear_output, builder.layers.last_mut()) {
        layer.activation = Activation::Linear;
    }
    let network = Network { inputs: circuit.inputs().len(), layers: builder.layers };
    debug_assert_eq!(network.outputs(), circuit.outputs().len());
    Ok(Compiled { network, gates: builder.gates, outputs, largest_partial_sum: builder.largest })
}

/// Compiles a gate of the circuit.
fn place(builder: &mut Builder, g: usize, gate: &Gate, options: &CompileOptions) -> Result<(), CompileError> {
    let reads: Vec<Read> = gate.literals.iter().map(|&literal| builder.read(literal)).collect();
    let whole = gate.most();
    let kind = Kind::Rule(gate.rule.clone());
    let end = match (&gate.rule, options.and, options.or) {
        (Rule::And, AndGate::Two, _) => {
            let whole = whole as i32;
            builder.place(kind, Some(g), reads, Bank::of(&[(1, 1 - whole, 1), (1, -whole, -1)]), g)?
        }
        (Rule::Or, _, OrGate::Two) => {
            builder.place(kind, Some(g), reads, Bank::of(&[(1, 0, 1), (1, -1, -1)]), g)?
        }
        (Rule::Or, _, OrGate::Deep) => {
            let none = builder.place(Kind::Nor, Some(g), reads, Bank::of(&[(-1, 1, 1)]), g)?;
            let reads = vec![Read { source: Source::Gate(none), positive: false, weight: 1 }];
            builder.place(kind, Some(g), reads, Bank::of(&[(1, 0, 1)]), g)?
        }
        (Rule::Xor, ..) => xor::build(builder, g, reads, options.xor)?,
        (rule, ..) => {
            let bank = Bank::new(whole, |count| rule.value(count, whole));
            builder.place(kind, Some(g), reads, bank, g)?
        }
    };
    builder.ends.push(end);
    Ok(())
}
