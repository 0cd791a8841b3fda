//! The text of a record `decides`: the certificate's lines with other gates, about another file.

use super::shape::Shape;
use crate::certify::{digest, quoted};
use macchiato_check::Certificate;
use macchiato_check::certificate::{Format, Gate, Kind, Operand, Rule, Source};
use macchiato_replay::{DECIDES, Now};
use std::fmt::Write as _;

/// The gates of the record, each after what it reads, and the places of the certificate's gates among them.
pub(super) struct Gates {
    pub(super) gates: Vec<Gate>,
    pub(super) places: Vec<usize>,
}

impl Gates {
    /// Changed gates in their new shape. Helpers that a changed gate reads are no longer put together with it, so they are gates.
    pub(super) fn new(certificate: &Certificate, now: &[Now], shapes: &[Option<Shape>]) -> Self {
        let changed = |g: usize| now.get(g).is_some_and(|now| *now != Now::Same);
        let mut alone = vec![false; certificate.gates.len()];
        for (g, gate) in certificate.gates.iter().enumerate().filter(|(g, _)| changed(*g)) {
            alone[g] = true;
            for operand in &gate.operands {
                if let Source::Gate(read) = operand.source {
                    alone[read] = true;
                }
            }
        }
        let mut made = Self { gates: Vec::new(), places: Vec::new() };
        for (g, gate) in certificate.gates.iter().enumerate() {
            let kind = match &gate.kind {
                Kind::Nor if alone[g] => Kind::Rule(Rule::Counts(vec![(0, 0)])),
                // Gates that read numbers past 1 do not change: this one is 0 or 1.
                Kind::Fold if alone[g] => Kind::Rule(Rule::Xor),
                kind => kind.clone(),
            };
            let mut gate = Gate { kind, operands: made.moved(&gate.operands), ..gate.clone() };
            match shapes.get(g).and_then(Option::as_ref) {
                None => {}
                Some(Shape::Rule(rule, operands)) => {
                    gate.operands = made.moved(operands);
                    let relay = matches!((rule, gate.operands.as_slice()), (Rule::And, [_]));
                    let relays = gate.kind == Kind::Relay && relay;
                    gate.kind = if relays { Kind::Relay } else { Kind::Rule(rule.clone()) };
                }
                Some(Shape::Terms(terms)) => {
                    let mut ends = Vec::new();
                    for term in terms {
                        let term = made.moved(term);
                        if let [only] = term.as_slice() {
                            ends.push(*only);
                            continue;
                        }
                        ends.push(Operand {
                            source: Source::Gate(made.gates.len()),
                            positive: true,
                            weight: 1,
                        });
                        let formula = Gate { base: 0, neurons: Vec::new(), operands: term, ..gate.clone() };
                        made.gates.push(Gate { kind: Kind::Rule(Rule::And), ..formula });
                    }
                    gate.operands = ends;
                    gate.kind = Kind::Rule(Rule::Or);
                }
            }
            made.places.push(made.gates.len());
            made.gates.push(gate);
        }
        made
    }

    fn moved(&self, operands: &[Operand]) -> Vec<Operand> {
        let moved = |operand: &Operand| match operand.source {
            Source::Gate(gate) => Operand { source: Source::Gate(self.places[gate]), ..*operand },
            Source::Input(_) => *operand,
        };
        operands.iter().map(moved).collect()
    }
}

/// The record about `network`.
pub(super) fn write(certificate: &Certificate, gates: &Gates, network: &[u8]) -> String {
    let mut text = DECIDES.to_owned();
    let format = match certificate.format {
        Format::Onnx => "onnx",
        Format::Safetensors => "safetensors",
    };
    let _ = writeln!(text, "network {format} sha256 {} bytes {}", digest(network), network.len());
    let _ = writeln!(text, "inputs {}", certificate.inputs.len());
    for (at, name) in certificate.inputs.iter().enumerate() {
        let _ = writeln!(text, "input {at} {}", quoted(name));
    }
    let _ = writeln!(text, "layers {}", certificate.layers.len());
    for (at, layer) in certificate.layers.iter().enumerate() {
        let _ =
            writeln!(text, "layer {} {} {}", at + 1, layer.width, if layer.relu { "relu" } else { "linear" });
    }
    let _ = writeln!(text, "gates {}", gates.gates.len());
    for (at, gate) in gates.gates.iter().enumerate() {
        write_gate(&mut text, at, gate);
    }
    let _ = writeln!(text, "outputs {}", certificate.outputs.len());
    for (at, output) in certificate.outputs.iter().enumerate() {
        let (name, gate) = (quoted(&output.name), gates.places[output.gate]);
        let _ = writeln!(text, "output {at} {name} gate {gate} most {}", output.most);
    }
    text.push_str("end\n");
    text
}

fn write_gate(text: &mut String, at: usize, gate: &Gate) {
    let rule = match &gate.kind {
        Kind::Relay => "relay".to_owned(),
        Kind::Nor => "nor".to_owned(),
        Kind::Fold => "fold".to_owned(),
        Kind::Rule(Rule::And) => "and".to_owned(),
        Kind::Rule(Rule::Or) => "or".to_owned(),
        Kind::Rule(Rule::Xor) => "xor".to_owned(),
        Kind::Rule(Rule::Sum) => "sum".to_owned(),
        Kind::Rule(Rule::Least(least)) => format!("least {least}"),
        Kind::Rule(Rule::Counts(ranges)) => {
            let ranges: Vec<String> = ranges.iter().map(|(from, to)| format!("{from}-{to}")).collect();
            format!("counts {}", ranges.join(","))
        }
    };
    let _ = write!(text, "gate {at} {rule}");
    for Operand { source, positive, weight } in &gate.operands {
        let points = if *weight == 1 { String::new() } else { format!("{weight}*") };
        let (kind, number) = match source {
            Source::Input(input) => ('x', input),
            Source::Gate(gate) => ('g', gate),
        };
        let _ = write!(text, " {points}{}{kind}{number}", if *positive { '+' } else { '-' });
    }
    let _ = write!(text, " : {} {}", gate.layer, gate.base);
    for neuron in &gate.neurons {
        let _ = write!(text, " | {} {} {} {}", neuron.at, neuron.slope, neuron.offset, neuron.coefficient);
    }
    text.push('\n');
}
