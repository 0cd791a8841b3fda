//! The circuit that a certificate speaks of: its gates without relays and helpers, over inputs and gates alone.
//!
//! Relays are what they relay. Helpers are put together again by three identities, and there are no others:
//!
//! * `nor` and then a negation is an OR: `not (none of A)` is `some of A`;
//! * a parity of parities is the parity of all that they read, because addition does not care for brackets;
//! * a fold is as odd as its count, so a parity may read it in place of what it counts.
//!
//! A helper is read once, by the gate or helper that needs it, so that the circuit is no larger than the certificate.

use crate::certificate::{Certificate, Gate, Kind, Rule, Source};

/// An input or a gate of the circuit, maybe negated, with its points.
pub use crate::certificate::Operand as Literal;
use crate::verdict::{Rejection, reject};

/// The certified circuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    /// Number of inputs.
    pub inputs: usize,
    /// The gates, each after what it reads.
    pub gates: Vec<CircuitGate>,
    /// For each output what it is.
    pub outputs: Vec<Literal>,
}

/// A gate of the circuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CircuitGate {
    /// For which counts it holds.
    pub rule: Rule,
    /// What it counts.
    pub operands: Vec<Literal>,
}

/// What a signal of the network stands for.
#[derive(Debug, Clone)]
enum Meaning {
    /// A literal of the circuit.
    Literal(Source, bool),
    /// Nothing of this holds; taken by its reader.
    Nor(Option<Vec<Literal>>),
    /// As odd as the number of these that hold; taken by its reader.
    Parity(Option<Vec<Literal>>),
}

impl Rule {
    /// The gate's value where the count is `count`, and `whole` if everything holds.
    #[must_use]
    pub fn value(&self, count: u64, whole: u64) -> u64 {
        u64::from(match self {
            Self::And => count == whole,
            Self::Or => count >= 1,
            Self::Xor => count % 2 == 1,
            Self::Least(least) => count >= *least,
            Self::Counts(ranges) => ranges.iter().any(|&(from, to)| (from..=to).contains(&count)),
            Self::Sum => return count,
        })
    }
}

impl Circuit {
    /// Puts the circuit together.
    ///
    /// # Errors
    /// A gate that reads a helper which is not for it, or an output that is none of the circuit's.
    pub fn of(certificate: &Certificate) -> Result<Self, Rejection> {
        let mut circuit = Self { inputs: certificate.inputs.len(), gates: Vec::new(), outputs: Vec::new() };
        let mut meanings: Vec<Meaning> = Vec::new();
        for (g, gate) in certificate.gates.iter().enumerate() {
            let place = || format!("gate {g} (line {})", gate.line);
            let meaning = circuit.meaning(gate, &mut meanings).or_else(|why| reject(place(), why))?;
            meanings.push(meaning);
        }
        for (o, output) in certificate.outputs.iter().enumerate() {
            match meanings.get(output.gate) {
                Some(&Meaning::Literal(source, positive)) => {
                    circuit.outputs.push(Literal { source, positive, weight: 1 });
                }
                _ => return reject(format!("output {o}"), format!("gate {} is a helper", output.gate)),
            }
        }
        Ok(circuit)
    }

    fn meaning(&mut self, gate: &Gate, meanings: &mut [Meaning]) -> Result<Meaning, String> {
        let parity = matches!(gate.kind, Kind::Fold | Kind::Rule(Rule::Xor));
        let mut operands: Vec<Literal> = Vec::new();
        for operand in &gate.operands {
            let (weight, alone) = (operand.weight, gate.operands.len() == 1);
            let meaning = match operand.source {
                Source::Input(_) => &mut Meaning::Literal(operand.source, true),
                // Operands are earlier gates.
                Source::Gate(earlier) => {
                    meanings.get_mut(earlier).ok_or("it reads a gate that is not there")?
                }
            };
            let taken = match meaning {
                Meaning::Literal(source, positive) => {
                    let positive = *positive == operand.positive;
                    if self.is_sum(*source) && (gate.kind != Kind::Relay || !positive) {
                        return Err("it reads a sum, which only an output may be, and as it is".to_owned());
                    }
                    operands.push(Literal { source: *source, positive, weight });
                    continue;
                }
                Meaning::Nor(of) if gate.kind == Kind::Rule(Rule::Or) && alone && !operand.positive => {
                    of.take()
                }
                Meaning::Parity(of) if parity && operand.positive && weight == 1 => of.take(),
                _ => return Err("it reads a helper that is not for it".to_owned()),
            };
            operands.extend(taken.ok_or("it reads a helper that another gate has read")?);
        }
        if parity && operands.iter().any(|operand| operand.weight != 1) {
            return Err("a parity counts single points".to_owned());
        }
        Ok(match &gate.kind {
            Kind::Rule(rule) => {
                self.gates.push(CircuitGate { rule: rule.clone(), operands });
                Meaning::Literal(Source::Gate(self.gates.len() - 1), true)
            }
            Kind::Relay => match operands.as_slice() {
                &[Literal { source, positive, weight: 1 }] => Meaning::Literal(source, positive),
                _ => return Err("a relay reads one signal, with weight 1".to_owned()),
            },
            Kind::Nor => Meaning::Nor(Some(operands)),
            Kind::Fold => Meaning::Parity(Some(operands)),
        })
    }

    fn is_sum(&self, source: Source) -> bool {
        matches!(source, Source::Gate(gate) if self.gates.get(gate).is_some_and(|gate| gate.rule == Rule::Sum))
    }

    /// The outputs at a point, by the meaning of the circuit alone.
    #[must_use]
    pub fn at(&self, x: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        let value = |values: &[u64], source: Source, positive: bool| {
            let value = match source {
                Source::Input(input) => u64::from(x(input)),
                Source::Gate(gate) => values.get(gate).copied().unwrap_or_default(),
            };
            // Only what is 0 or 1 is ever negated (see `gates`).
            if positive { value } else { 1u64.saturating_sub(value) }
        };
        for gate in &self.gates {
            let whole = gate.operands.iter().map(|operand| operand.weight).sum();
            let of = |literal: &Literal| literal.weight * value(&values, literal.source, literal.positive);
            let count = gate.operands.iter().map(of).sum();
            values.push(gate.rule.value(count, whole));
        }
        self.outputs.iter().map(|output| value(&values, output.source, output.positive)).collect()
    }
}
