//! Whether a certificate speaks of given circuits: the same inputs and outputs by name, the same gates.
//!
//! The checker proves what a network computes from input 0, 1, ... and what its outputs 0, 1, ... are; it takes names as
//! they come. A model file says what the names mean, so that a certificate which agrees with it in everything has the
//! model's names and, for a table, its tests.

use crate::check::{self, Certificate, circuit::CircuitGate};
use crate::circuit::{Circuit, Gate, Literal, Rule, Source};

/// Where a certificate and a model differ.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TieError {
    /// Other numbers of inputs.
    #[error("the certificate has {certified} inputs, the model {given}")]
    Inputs {
        /// The certificate's.
        certified: usize,
        /// The model's.
        given: usize,
    },
    /// An input of another name.
    #[error("input {at} is {certified:?} in the certificate and {given:?} in the model")]
    InputName {
        /// Its place, from 0.
        at: usize,
        /// The certificate's name.
        certified: String,
        /// The model's.
        given: String,
    },
    /// Other numbers of outputs.
    #[error("the certificate has {certified} outputs, the model {given} circuits")]
    Outputs {
        /// The certificate's.
        certified: usize,
        /// The model's.
        given: usize,
    },
    /// An output of another name.
    #[error("output {at} is {certified:?} in the certificate and {given:?} in the model")]
    OutputName {
        /// Its place, from 0.
        at: usize,
        /// The certificate's name.
        certified: String,
        /// The model's.
        given: String,
    },
    /// A circuit that is another.
    #[error("gate {gate} of the circuit is not the model's")]
    Gate {
        /// The first gate that differs, from 0.
        gate: usize,
    },
    /// An output that is another gate.
    #[error("output {at} is another gate than the model's")]
    Output {
        /// Its place, from 0.
        at: usize,
    },
}

/// Compares a certificate with the circuit of a model: names, gates and outputs, all in their order.
///
/// # Errors
/// The first difference.
pub fn tie(certificate: &Certificate, certified: &check::Circuit, circuit: &Circuit) -> Result<(), TieError> {
    let (names, given) = (certificate.inputs.len(), circuit.inputs().len());
    if names != given {
        return Err(TieError::Inputs { certified: names, given });
    }
    for (at, (certified, given)) in certificate.inputs.iter().zip(circuit.inputs()).enumerate() {
        if certified != given {
            return Err(TieError::InputName { at, certified: certified.clone(), given: given.clone() });
        }
    }
    let (outputs, given) = (certificate.outputs.len(), circuit.outputs().len());
    if outputs != given {
        return Err(TieError::Outputs { certified: outputs, given });
    }
    for (at, (certified, given)) in certificate.outputs.iter().zip(circuit.outputs()).enumerate() {
        if certified.name != given.name {
            return Err(TieError::OutputName {
                at,
                certified: certified.name.clone(),
                given: given.name.clone(),
            });
        }
    }
    let gates = certified.gates.len().max(circuit.gates().len());
    let same = |at: usize| match (certified.gates.get(at), circuit.gates().get(at)) {
        (Some(certified), Some(gate)) => same_gate(certified, gate),
        _ => false,
    };
    if let Some(gate) = (0..gates).find(|&at| !same(at)) {
        return Err(TieError::Gate { gate });
    }
    let outputs = certified.outputs.iter().zip(circuit.outputs());
    match outputs.enumerate().find(|(_, (certified, output))| !same_literal(certified, output.literal)) {
        Some((at, _)) => Err(TieError::Output { at }),
        None => Ok(()),
    }
}

fn same_gate(certified: &CircuitGate, gate: &Gate) -> bool {
    use check::certificate::Rule as Certified;
    let rule = match (&certified.rule, &gate.rule) {
        (Certified::And, Rule::And)
        | (Certified::Or, Rule::Or)
        | (Certified::Xor, Rule::Xor)
        | (Certified::Sum, Rule::Sum) => true,
        (Certified::Least(certified), Rule::AtLeast(given)) => certified == given,
        // Counts that no count is in.
        (Certified::Least(certified), Rule::Counts(ranges)) => ranges.is_empty() && *certified > gate.most(),
        (Certified::Counts(certified), Rule::Counts(given)) => certified == given,
        _ => false,
    };
    let literals = certified.operands.iter().zip(&gate.literals);
    rule && certified.operands.len() == gate.literals.len()
        && literals.clone().all(|(certified, literal)| same_literal(certified, *literal))
}

fn same_literal(certified: &check::circuit::Literal, literal: Literal) -> bool {
    let source = match certified.source {
        check::certificate::Source::Input(input) => Source::Input(input),
        check::certificate::Source::Gate(gate) => Source::Gate(gate),
    };
    (source, certified.positive, certified.weight)
        == (literal.source, literal.positive, u64::from(literal.weight))
}
