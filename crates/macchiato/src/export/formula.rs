//! The circuit as every format writes it: names checked, gates cleaned, and for each gate the place where it is written.
//!
//! Cleaning keeps every value: no AND or OR reads a literal twice or with both signs, and a gate that its rule makes constant is an AND
//! (1) or an OR (0) of nothing. A gate that no output needs is not written; an AND that one OR alone reads is written inside it; a gate
//! that one output alone reads goes by that output's name. Time and memory are linear in the literals.

use super::{ExportError, ExportReport, names};
use crate::circuit::{Circuit, Gate, Literal, Output, Role, Rule, Source};
use std::collections::{HashMap, HashSet};

/// A circuit that can be written.
pub(super) struct Formula<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) inputs: &'a [String],
    pub(super) outputs: &'a [Output],
    /// The cleaned gates, by the circuit's numbers.
    pub(super) gates: Vec<Gate>,
    pub(super) places: Vec<Place>,
    /// The inputs that what is written reads, in increasing order.
    pub(super) support: Vec<usize>,
}

/// Where a gate is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nowhere: no output needs it.
    Nowhere,
    /// In the OR that alone reads it.
    Inside,
    /// As this output, which alone reads it.
    Output(usize),
    /// Under a name of its own.
    Own,
}

impl<'a> Formula<'a> {
    pub(super) fn new(circuit: &'a Circuit) -> Result<Self, ExportError> {
        let (inputs, outputs) = (circuit.inputs(), circuit.outputs());
        if inputs.is_empty() {
            return Err(ExportError::NoInputs);
        }
        if outputs.is_empty() {
            return Err(ExportError::NoOutputs);
        }
        let gates: Vec<Gate> = circuit.gates().iter().map(clean).collect();
        let places = places(&gates, outputs);
        let written = gates.iter().zip(&places).filter(|(_, place)| **place != Place::Nowhere);
        let literals = written.flat_map(|(gate, _)| gate.literals.iter().copied());
        let read = literals.chain(outputs.iter().map(|output| output.literal));
        let mut support: Vec<usize> = read.filter_map(input).collect();
        support.sort_unstable();
        support.dedup();
        let formula = Self { circuit, inputs, outputs, gates, places, support };
        let mut seen = HashSet::new();
        let bits = (0..outputs.len()).flat_map(|o| formula.bit_names(o));
        if let Some(name) = inputs.iter().cloned().chain(bits).find(|name| !seen.insert(name.clone())) {
            return Err(ExportError::RepeatedName { name });
        }
        Ok(formula)
    }

    pub(super) fn report(&self) -> ExportReport {
        ExportReport {
            inputs: self.inputs.len(),
            outputs: self.outputs.len(),
            gates: self.places.iter().filter(|place| **place != Place::Nowhere).count(),
            literals: self.written().map(|gate| gate.literals.len()).sum(),
            and_gates: None,
            depth: None,
            bytes: 0,
        }
    }

    fn written(&self) -> impl Iterator<Item = &Gate> {
        self.gates
            .iter()
            .zip(&self.places)
            .filter(|(_, place)| **place != Place::Nowhere)
            .map(|(gate, _)| gate)
    }

    /// The gates that are written as themselves, with their numbers.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (usize, &Gate)> {
        let itself = |place: Place| matches!(place, Place::Own | Place::Output(_));
        self.gates.iter().enumerate().filter(move |&(g, _)| itself(self.places[g]))
    }

    /// Whether some gate counts, rather than being an AND, OR or XOR.
    pub(super) fn counts(&self) -> bool {
        self.written().any(|gate| is_count(&gate.rule))
    }

    /// The literals of the AND that is written where this literal stands, if it is one.
    pub(super) fn inside(&self, literal: Literal) -> Option<&[Literal]> {
        match literal.source {
            Source::Gate(gate) if self.places[gate] == Place::Inside => Some(&self.gates[gate].literals),
            _ => None,
        }
    }

    /// The literals of each product of an OR: those of an AND inside it, or one.
    pub(super) fn products(&self, gate: &Gate) -> Vec<Vec<Literal>> {
        let product = |&literal: &Literal| self.inside(literal).map_or_else(|| vec![literal], <[_]>::to_vec);
        gate.literals.iter().map(product).collect()
    }

    /// Whether the output is written where its gate is.
    pub(super) fn is_gate(&self, output: usize) -> bool {
        matches!(self.outputs[output].literal.source, Source::Gate(g) if self.places[g] == Place::Output(output))
    }

    /// The sum that an output is, if it is one.
    pub(super) fn sum(&self, output: usize) -> Option<usize> {
        match self.outputs[output].literal.source {
            Source::Gate(gate) if self.gates[gate].rule == Rule::Sum => Some(gate),
            _ => None,
        }
    }

    /// The name of an output, or one name for each bit of a sum, the lowest first.
    pub(super) fn bit_names(&self, output: usize) -> Vec<String> {
        let name = &self.outputs[output].name;
        match self.sum(output) {
            None => vec![name.clone()],
            Some(sum) => (0..bits(&self.gates[sum])).map(|bit| format!("{name}[{bit}]")).collect(),
        }
    }

    /// A name for each gate that stands alone, none of which a name in `taken` begins with.
    pub(super) fn labels(&self, taken: &[String], fresh: fn(&str, &[String]) -> String) -> Vec<String> {
        let [stage, term, gate] = ["stage", "term", "gate"].map(|stem| fresh(stem, taken));
        let by_role = |g: usize| match self.gates[g].role {
            Role::Stage(number) => Some(format!("{stage}{number}")),
            Role::Term { stage, term: number } => Some(format!("{term}{stage}_{number}")),
            _ => None,
        };
        // Nothing keeps two gates from one role.
        let mut often: HashMap<String, usize> = HashMap::new();
        for label in (0..self.gates.len()).filter_map(by_role) {
            *often.entry(label).or_default() += 1;
        }
        let label = |g: usize| by_role(g).filter(|label| often[label] == 1).unwrap_or(format!("{gate}{g}"));
        (0..self.gates.len()).map(label).collect()
    }

    /// What the file is about, for its first line.
    pub(super) fn title(&self) -> String {
        let names: Vec<String> = self.outputs.iter().map(|output| names::comment(&output.name)).collect();
        format!("{}: {}", names.join(", "), self.shape())
    }

    /// What kind of circuit it is.
    pub(super) fn shape(&self) -> &'static str {
        let paper = |gate: &Gate| matches!(gate.role, Role::Stage(_) | Role::Term { .. } | Role::Output(_));
        if self.written().all(paper) { "an XOR of sums of products" } else { "a circuit of gates" }
    }

    /// The name of what the file defines.
    pub(super) fn function(&self) -> String {
        match self.outputs {
            [output] => names::function(&output.name),
            _ => "predict".to_owned(),
        }
    }
}

/// Whether a gate of this rule adds numbers up.
pub(super) const fn is_count(rule: &Rule) -> bool {
    !matches!(rule, Rule::And | Rule::Or | Rule::Xor)
}

/// The bits of a gate's largest count, at least one.
pub(super) fn bits(gate: &Gate) -> usize {
    (u64::BITS - gate.most().leading_zeros()).max(1) as usize
}

/// The same parity by positive literals, and whether it is inverted.
pub(super) fn parity(literals: &[Literal]) -> (Vec<Literal>, bool) {
    let inverted = literals.iter().filter(|literal| !literal.positive).count() % 2 == 1;
    (literals.iter().map(|&literal| Literal { positive: true, ..literal }).collect(), inverted)
}

const fn input(literal: Literal) -> Option<usize> {
    match literal.source {
        Source::Input(input) => Some(input),
        Source::Gate(_) => None,
    }
}

/// The same values by fewer literals.
fn clean(gate: &Gate) -> Gate {
    let constant = |value: bool| if value { (Rule::And, vec![]) } else { (Rule::Or, vec![]) };
    let most = gate.most();
    let (rule, literals) = match &gate.rule {
        Rule::And | Rule::Or => {
            let mut seen = HashSet::new();
            let plain = gate.literals.iter().map(|&literal| literal.times(1));
            let literals: Vec<Literal> = plain.filter(|&literal| seen.insert(literal)).collect();
            if literals.iter().any(|&literal| seen.contains(&!literal)) {
                constant(gate.rule == Rule::Or)
            } else {
                (gate.rule.clone(), literals)
            }
        }
        Rule::AtLeast(0) => constant(true),
        Rule::AtLeast(least) if *least > most => constant(false),
        Rule::Counts(ranges) => {
            let reached = ranges.iter().filter(|(from, _)| *from <= most);
            let ranges: Vec<(u64, u64)> = reached.map(|&(from, to)| (from, to.min(most))).collect();
            match ranges.as_slice() {
                [] => constant(false),
                [(0, to)] if *to == most => constant(true),
                _ => (Rule::Counts(ranges), gate.literals.clone()),
            }
        }
        rule => (rule.clone(), gate.literals.clone()),
    };
    Gate { rule, literals, role: gate.role.clone() }
}

fn places(gates: &[Gate], outputs: &[Output]) -> Vec<Place> {
    let mut readers = vec![0usize; gates.len()];
    let mut places = vec![Place::Nowhere; gates.len()];
    for (o, output) in outputs.iter().enumerate() {
        if let Source::Gate(gate) = output.literal.source {
            readers[gate] += 1;
            places[gate] = if output.literal.positive { Place::Output(o) } else { Place::Own };
        }
    }
    // Readers come after what they read, so each gate's readers are known when it is met.
    for g in (0..gates.len()).rev() {
        if readers[g] > 1 {
            places[g] = Place::Own;
        }
        if readers[g] == 0 {
            continue;
        }
        for literal in &gates[g].literals {
            if let Source::Gate(read) = literal.source {
                readers[read] += 1;
                let inside = gates[g].rule == Rule::Or && gates[read].rule == Rule::And && literal.positive;
                places[read] = if inside && readers[read] == 1 { Place::Inside } else { Place::Own };
            }
        }
    }
    places
}
