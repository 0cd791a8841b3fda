//! The stages that training speaks of, as gates of the certified circuit; and an output as a whole, where it speaks of no stages.
//!
//! A stage is a gate, and all that it reads, directly or through other gates, must be inputs of the stage. The output must be the XOR of
//! its stages and of nothing else, or 0 without any: then rows that the stages explain are rows that the network explains.

use crate::rows::bit;
use crate::training::Claim;
use macchiato_check::certificate::{Rule, Source};
use macchiato_check::circuit::Literal;
use macchiato_check::{Circuit, Rejection, reject};

/// The gates behind each stage.
pub(crate) struct Stages<'a> {
    circuit: &'a Circuit,
    /// For each stage the gates that it needs, in order, itself last.
    needs: Vec<Vec<usize>>,
}

impl<'a> Stages<'a> {
    /// The stages that are claimed.
    pub(crate) fn of(circuit: &'a Circuit, claims: &[Claim], output: usize) -> Result<Self, Rejection> {
        let mut needs = Vec::new();
        for (t, claim) in claims.iter().enumerate() {
            let place = || format!("stage {} (line {})", t + 1, claim.line);
            let (gates, inputs) = reached(circuit, claim.gate);
            if let Some(input) = inputs.iter().find(|input| claim.inputs.binary_search(input).is_err()) {
                return reject(
                    place(),
                    format!("gate {} reads input {input}, which is none of its inputs", claim.gate),
                );
            }
            needs.push(gates);
        }
        let mut claimed: Vec<Source> = claims.iter().map(|claim| Source::Gate(claim.gate)).collect();
        let gate = match circuit.outputs.get(output) {
            Some(&Literal { source: Source::Gate(gate), positive: true, .. }) => circuit.gates.get(gate),
            _ => None,
        };
        let mut read: Vec<Source> = match gate {
            Some(gate) if gate.rule == Rule::Xor && gate.operands.iter().all(|operand| operand.positive) => {
                gate.operands.iter().map(|operand| operand.source).collect()
            }
            Some(gate) if gate.operands.is_empty() && gate.rule == Rule::Or => Vec::new(),
            _ => return reject("training", "the output is no XOR of stages"),
        };
        claimed.sort_unstable();
        read.sort_unstable();
        if claimed != read {
            return reject("training", "the output is the XOR of other gates than the stages");
        }
        Ok(Self { circuit, needs })
    }

    /// Number of inputs of the circuit.
    pub(crate) fn inputs(&self) -> usize {
        self.circuit.inputs
    }

    /// The value of a stage at a point.
    pub(crate) fn at(&self, stage: usize, point: &[u64]) -> bool {
        last(self.circuit, self.needs.get(stage).map_or(&[][..], Vec::as_slice), point)
    }
}

/// An output as a whole, whatever its shape.
pub(crate) struct Whole<'a> {
    circuit: &'a Circuit,
    output: &'a Literal,
    /// The gates that it needs, in order, its own last.
    needs: Vec<usize>,
}

impl<'a> Whole<'a> {
    pub(crate) fn of(circuit: &'a Circuit, output: usize) -> Result<Self, Rejection> {
        let Some(output) = circuit.outputs.get(output) else {
            return reject("training", "there is no such output");
        };
        let needs = match output.source {
            Source::Gate(gate) => reached(circuit, gate).0,
            Source::Input(_) => Vec::new(),
        };
        Ok(Self { circuit, output, needs })
    }

    /// Its value at a point.
    pub(crate) fn at(&self, point: &[u64]) -> bool {
        let value = match self.output.source {
            Source::Gate(_) => last(self.circuit, &self.needs, point),
            Source::Input(input) => bit(point, input),
        };
        value == self.output.positive
    }
}

/// The value of the last of some gates, which are all that it needs, in order.
fn last(circuit: &Circuit, needs: &[usize], point: &[u64]) -> bool {
    let mut values: Vec<(usize, u64)> = Vec::new();
    for &g in needs {
        let Some(gate) = circuit.gates.get(g) else { continue };
        let whole = gate.operands.iter().map(|operand| operand.weight).sum();
        let mut count = 0;
        for operand in &gate.operands {
            let value = match operand.source {
                Source::Input(input) => u64::from(bit(point, input)),
                Source::Gate(of) => {
                    let at = values.binary_search_by_key(&of, |&(gate, _)| gate);
                    at.ok().and_then(|at| values.get(at)).map_or(0, |&(_, value)| value)
                }
            };
            count += operand.weight * if operand.positive { value } else { 1u64.saturating_sub(value) };
        }
        values.push((g, gate.rule.value(count, whole)));
    }
    values.last().is_some_and(|&(_, value)| value != 0)
}

/// The gates that a gate needs, itself among them, and the inputs that these read, both in increasing order.
fn reached(circuit: &Circuit, gate: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut gates, mut inputs, mut open) = (Vec::new(), Vec::new(), vec![gate]);
    let mut seen = vec![false; circuit.gates.len()];
    while let Some(gate) = open.pop() {
        match seen.get_mut(gate) {
            Some(seen @ false) => *seen = true,
            _ => continue,
        }
        gates.push(gate);
        for operand in circuit.gates.get(gate).into_iter().flat_map(|gate| &gate.operands) {
            match operand.source {
                Source::Input(input) => inputs.push(input),
                Source::Gate(gate) => open.push(gate),
            }
        }
    }
    gates.sort_unstable();
    inputs.sort_unstable();
    inputs.dedup();
    (gates, inputs)
}
