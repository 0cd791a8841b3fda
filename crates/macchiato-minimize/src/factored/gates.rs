//! From sums to gates: formulas of all nodes, nodes read once put where they are read, equal gates made once.

use super::extract::Network;
use super::kernel::{Form, formula};
use super::sum::Literal;
use super::{Factored, Gate, Operation, Origin, Wire};
use crate::cube::Shape;
use std::collections::HashMap;

/// The gates of a network whose outputs come first.
pub(super) fn gates(shape: Shape, network: &Network) -> Factored {
    let forms: Vec<Form> = network.sums.iter().map(|sum| formula(sum)).collect();
    let mut reads = vec![Reads::default(); network.sums.len()];
    let mut emitter = Emitter {
        inputs: shape.inputs(),
        outputs: network.outputs,
        forms,
        gates: Vec::new(),
        index: HashMap::new(),
        made: vec![None; network.sums.len()],
        alone: Vec::new(),
    };
    for form in &emitter.forms {
        emitter.count(form, &mut reads);
    }
    emitter.alone = reads.iter().map(|reads| reads.times == 1 && !reads.negated).collect();
    let outputs: Vec<Wire> = (0..network.outputs).map(|output| emitter.node(output)).collect();
    let literals = literals(&emitter.gates, &outputs);
    Factored { inputs: shape.inputs(), gates: emitter.gates, outputs, literals }
}

/// Wires that read an input or a gate that others read too; constants are for free.
fn literals(gates: &[Gate], outputs: &[Wire]) -> usize {
    let mut times = vec![0usize; gates.len()];
    let wires = || gates.iter().flat_map(|gate| &gate.wires);
    for wire in wires().chain(outputs) {
        if let Origin::Gate(gate) = wire.origin {
            times[gate] += 1;
        }
    }
    let counts = |wire: &&Wire| match wire.origin {
        Origin::Input(_) => true,
        Origin::Gate(gate) => times[gate] > 1 && !gates[gate].wires.is_empty(),
    };
    // An output that is a gate of its own is that gate's form; one that is something else reads it.
    let mut first = vec![true; gates.len()];
    let mut plain = 0;
    for wire in outputs {
        plain += usize::from(match wire.origin {
            Origin::Input(_) => true,
            Origin::Gate(gate) if gates[gate].wires.is_empty() => false,
            Origin::Gate(gate) => !(wire.positive && std::mem::take(&mut first[gate])),
        });
    }
    wires().filter(counts).count() + plain
}

#[derive(Debug, Clone, Copy, Default)]
struct Reads {
    times: usize,
    negated: bool,
}

struct Emitter {
    inputs: usize,
    outputs: usize,
    forms: Vec<Form>,
    gates: Vec<Gate>,
    index: HashMap<Gate, usize>,
    /// The wires of the sums emitted so far.
    made: Vec<Option<Wire>>,
    /// Nodes that one place alone reads, as they are.
    alone: Vec<bool>,
}

impl Emitter {
    /// The sum that a literal reads, if it is no input.
    fn sum_of(&self, literal: Literal) -> Option<usize> {
        (literal as usize / 2).checked_sub(self.inputs).map(|node| self.outputs + node)
    }

    fn count(&self, form: &Form, reads: &mut [Reads]) {
        match form {
            Form::Literal(literal) => {
                if let Some(sum) = self.sum_of(*literal) {
                    reads[sum].times += 1;
                    reads[sum].negated |= literal % 2 == 1;
                }
            }
            Form::Gate(_, parts) => parts.iter().for_each(|part| self.count(part, reads)),
        }
    }

    /// The form with the nodes that are read here alone in their places.
    fn whole(&self, form: &Form) -> Form {
        match form {
            Form::Literal(literal) => match self.sum_of(*literal) {
                Some(sum) if self.alone[sum] => self.whole(&self.forms[sum]),
                _ => form.clone(),
            },
            Form::Gate(operation, parts) => {
                Form::gate(*operation, parts.iter().map(|part| self.whole(part)).collect())
            }
        }
    }

    /// The wire of a sum, its gates made where they are not yet.
    fn node(&mut self, sum: usize) -> Wire {
        if let Some(wire) = self.made[sum] {
            return wire;
        }
        let form = self.whole(&self.forms[sum]);
        let wire = self.form(&form);
        self.made[sum] = Some(wire);
        wire
    }

    fn form(&mut self, form: &Form) -> Wire {
        match form {
            Form::Literal(literal) => {
                let positive = literal % 2 == 0;
                match self.sum_of(*literal) {
                    None => Wire { origin: Origin::Input(*literal as usize / 2), positive },
                    Some(sum) => {
                        let wire = self.node(sum);
                        Wire { positive: wire.positive == positive, ..wire }
                    }
                }
            }
            Form::Gate(operation, parts) => {
                let mut wires: Vec<Wire> = parts.iter().map(|part| self.form(part)).collect();
                wires.sort_unstable();
                wires.dedup();
                self.gate(*operation, wires)
            }
        }
    }

    fn gate(&mut self, operation: Operation, wires: Vec<Wire>) -> Wire {
        if let [wire] = wires[..] {
            return wire;
        }
        let gate = Gate { operation, wires };
        let number = *self.index.entry(gate).or_insert_with_key(|gate| {
            self.gates.push(gate.clone());
            self.gates.len() - 1
        });
        Wire { origin: Origin::Gate(number), positive: true }
    }
}
