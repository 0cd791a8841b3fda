//! What a fine-tuned network computes now: its circuit, which gates changed, and what can be certified of it.
//!
//! Takes the certificate of the network as it was compiled and the file as training left it, with the same layers and the same zeros. Each
//! gate is asked what it answers to all values of what it reads ([`macchiato_replay::find_gates`]); one that changed gets the shortest
//! gate for its answers (`recertify/shape.rs`). Of the network as it is, a record says that its outputs are above 1/2 exactly where the
//! new circuit holds, where `macchiato-replay` accepts that; compiling the new circuit gives the *snapped* network, which is exact
//! again and gets a certificate. Time: at most 2^16 assignments for each gate, and a minimization for a gate of a new shape.

mod names;
mod record;
mod rows;
mod shape;

use crate::circuit::{Circuit, CircuitError, Gate, Literal, Output, Rule, Source};
use macchiato_check::{self as check, Certificate};
use macchiato_replay::{Between, DECIDES, Decided, Now, Refusal, Unfound, check_decides, find_gates};
use names::Names;
use shape::Shape;
use std::fmt;

pub use rows::decisions;

/// What a network computes after its weights were changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Recertified {
    /// What it was certified to compute.
    pub before: Circuit,
    /// What it decides now; where gates have no answer, what they answered before.
    pub circuit: Circuit,
    /// The gates that changed.
    pub changes: Vec<Change>,
    /// Gates that are none any more: for some values their answers are not on one side of 1/2.
    pub no_gates: Vec<NoGate>,
    /// The record that the network, as it is, decides at 1/2 what the circuit says, accepted by `macchiato-replay`; or why there is none.
    pub record: Result<String, String>,
    /// No output of the network is further than this from the circuit's, on any input of 0 and 1.
    pub largest_difference: f64,
}

/// A gate that answers otherwise than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The gate of the certificate.
    pub gate: usize,
    /// What it is called.
    pub place: String,
    /// What happened to it: `` lost `age > 41.5` ``.
    pub what: String,
}

/// A gate that is no gate any more.
#[derive(Debug, Clone, PartialEq)]
pub struct NoGate {
    /// The gate of the certificate.
    pub gate: usize,
    /// What it is called.
    pub place: String,
    /// What it reads, with the values for which it has no answer.
    pub values: Vec<(String, u64)>,
    /// Its value then lies between these, whatever stands behind the values.
    pub output: (f64, f64),
    /// Inputs that give it these values, where some are known.
    pub point: Option<Vec<bool>>,
}

/// Why a network cannot be certified again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecertifyError {
    /// The files are not a certificate and a network with its layers.
    #[error("{0}")]
    Refused(Refusal),
    /// A gate that cannot be followed.
    #[error("undecided: {place} (gate {gate} of the certificate): {why}")]
    Gate {
        /// The gate of the certificate.
        gate: usize,
        /// What it is called.
        place: String,
        /// Why, and what to do.
        why: String,
    },
    /// The certificate's gates are no circuit.
    #[error(transparent)]
    Circuit(#[from] CircuitError),
}

/// Finds the circuit that a network computes now, and what can be certified of it.
///
/// ```
/// use macchiato::certify::{NetworkFormat, certify};
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::network::{CompileOptions, compile, to_onnx};
/// use macchiato::recertify::recertify;
///
/// let names = vec!["a".to_owned(), "b".to_owned()];
/// let both = Gate::new(Rule::And, vec![Literal::input(0), Literal::input(1)]);
/// let circuit = Circuit::new(names, vec![both], vec![Output::new("y", Literal::gate(0))])?;
/// let compiled = compile(&circuit, &CompileOptions::default())?;
/// let certificate = certify(&circuit, &compiled, NetworkFormat::Onnx, &to_onnx(&compiled.network), None)?;
/// // Training has made an OR of it.
/// let mut tuned = compiled.network.clone();
/// tuned.layers[0].biases = vec![0, -1];
/// let now = recertify(certificate.as_bytes(), &to_onnx(&tuned))?;
/// assert_eq!(now.changes[0].to_string(), "the output is now `a` OR `b`, where it was `a` AND `b`");
/// assert!(now.record.is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Files that do not go together, weights where the certified network has 0, and gates past the limits.
pub fn recertify(certificate: &[u8], network: &[u8]) -> Result<Recertified, RecertifyError> {
    let read = Certificate::read(certificate).map_err(Refusal::from)?;
    let names = Names::new(&read);
    let tuned = find_gates(certificate, network).map_err(|unfound| match unfound {
        Unfound::Refused(refusal) => RecertifyError::Refused(refusal),
        Unfound::Gate { gate, why } => RecertifyError::Gate { gate, place: names.of(gate), why },
    })?;
    let before = circuit(&read)?;
    let shape = |(now, gate): (&Now, &check::certificate::Gate)| match now {
        Now::Same => None,
        Now::Table { sources, answers } => Some(Shape::of_table(gate, sources, answers)),
        Now::Counts(answers) => Some(Shape::of_counts(gate, answers)),
    };
    let shapes: Vec<Option<Shape>> = tuned.gates.iter().zip(&read.gates).map(shape).collect();
    let mut changes = Vec::new();
    for (g, (gate, shape)) in read.gates.iter().zip(&shapes).enumerate() {
        if let Some(shape) = shape {
            changes.push(Change { gate: g, place: names.of(g), what: names.change(gate, shape) });
        }
    }
    let gates = record::Gates::new(&read, &tuned.gates, &shapes);
    let text = record::write(&read, &gates, network);
    let certified = text.replacen(DECIDES, "macchiato-certificate 1\n", 1);
    let circuit = circuit(&Certificate::read(certified.as_bytes()).map_err(Refusal::from)?)?;
    let record = match check_decides(text.as_bytes(), network) {
        Decided::Holds { .. } => Ok(text),
        Decided::Undecided { why } => Err(why),
        other => Err(other.to_string().trim_end().to_owned()),
    };
    let no_gate = |between: Between| NoGate {
        gate: between.gate,
        place: names.of(between.gate),
        values: between.values.iter().map(|(source, value)| (names.source(*source), *value)).collect(),
        output: between.output,
        point: between.point,
    };
    let no_gates = tuned.between.into_iter().map(no_gate).collect();
    let largest_difference = tuned.largest_difference;
    Ok(Recertified { before, circuit, changes, no_gates, record, largest_difference })
}

impl From<Refusal> for RecertifyError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The circuit of a certificate, without relays and helpers.
fn circuit(certificate: &Certificate) -> Result<Circuit, RecertifyError> {
    let certified = check::Circuit::of(certificate).map_err(Refusal::from)?;
    let literal = |operand: &check::circuit::Literal| Literal {
        source: match operand.source {
            check::certificate::Source::Input(input) => Source::Input(input),
            check::certificate::Source::Gate(gate) => Source::Gate(gate),
        },
        positive: operand.positive,
        // A certificate's points are at most 1,000.
        weight: operand.weight as u32,
    };
    let gate = |gate: &check::circuit::CircuitGate| {
        use check::certificate::Rule as Certified;
        let rule = match &gate.rule {
            Certified::And => Rule::And,
            Certified::Or => Rule::Or,
            Certified::Xor => Rule::Xor,
            Certified::Least(least) => Rule::AtLeast(*least),
            Certified::Counts(ranges) => Rule::Counts(ranges.clone()),
            Certified::Sum => Rule::Sum,
        };
        Gate::new(rule, gate.operands.iter().map(literal).collect())
    };
    let gates = certified.gates.iter().map(gate).collect();
    let named = certificate.outputs.iter().zip(&certified.outputs);
    let outputs = named.map(|(output, end)| Output::new(&output.name, literal(end))).collect();
    Ok(Circuit::new(certificate.inputs.clone(), gates, outputs)?)
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.what)
    }
}

impl fmt::Display for NoGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let at = if values.is_empty() { String::new() } else { format!(" at {}", values.join(", ")) };
        let (low, high) = self.output;
        write!(f, "{} is no gate any more:{at} its value lies between {low:.4} and {high:.4}", self.place)?;
        if let Some(point) = &self.point {
            let point: String = point.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
            write!(f, " (input {point})")?;
        }
        Ok(())
    }
}
