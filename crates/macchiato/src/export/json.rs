//! The circuit as data: inputs, gates in order, outputs. A literal names an input, or a gate by its number from 0; it is positive and has
//! one point unless it says otherwise. All gates are there, as they are, with their roles.

use super::formula::Formula;
use super::names;
use crate::circuit::{Gate, Literal, Output, Role, Rule, Source};
use std::fmt::Write;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs: Vec<String> = formula.inputs.iter().map(|name| names::quoted(name)).collect();
    let gates: Vec<String> = formula.circuit.gates().iter().map(|g| gate(g, formula.inputs)).collect();
    let outputs: Vec<String> = formula.outputs.iter().map(|o| output(o, formula.inputs)).collect();
    let mut out = String::from("{\n  \"format\": \"macchiato-circuit\",\n  \"version\": 2,\n");
    let _ = write!(
        out,
        "  \"inputs\": {},\n  \"gates\": {},\n  \"outputs\": {}\n}}\n",
        list(&inputs),
        list(&gates),
        list(&outputs)
    );
    out
}

fn list(items: &[String]) -> String {
    if items.is_empty() { "[]".to_owned() } else { format!("[\n    {}\n  ]", items.join(",\n    ")) }
}

fn gate(gate: &Gate, inputs: &[String]) -> String {
    let rule = match &gate.rule {
        Rule::And => "\"and\"".to_owned(),
        Rule::Or => "\"or\"".to_owned(),
        Rule::Xor => "\"xor\"".to_owned(),
        Rule::Sum => "\"sum\"".to_owned(),
        Rule::AtLeast(least) => format!("\"at least\", \"least\": {least}"),
        Rule::Counts(ranges) => {
            let ranges: Vec<String> = ranges.iter().map(|(from, to)| format!("[{from}, {to}]")).collect();
            format!("\"counts\", \"counts\": [{}]", ranges.join(", "))
        }
    };
    let literals: Vec<String> = gate.literals.iter().map(|l| format!("{{{}}}", literal(l, inputs))).collect();
    let role = match &gate.role {
        Role::None => String::new(),
        Role::Stage(stage) => format!(", \"role\": {{\"stage\": {stage}}}"),
        Role::Term { stage, term } => format!(", \"role\": {{\"stage\": {stage}, \"term\": {term}}}"),
        Role::Output(output) => format!(", \"role\": {{\"output\": {output}}}"),
        Role::Named(name) => format!(", \"role\": {{\"name\": {}}}", names::quoted(name)),
    };
    format!("{{\"rule\": {rule}, \"literals\": [{}]{role}}}", literals.join(", "))
}

fn output(output: &Output, inputs: &[String]) -> String {
    format!("{{\"name\": {}, {}}}", names::quoted(&output.name), literal(&output.literal.times(1), inputs))
}

fn literal(literal: &Literal, inputs: &[String]) -> String {
    let mut out = match literal.source {
        Source::Input(input) => format!("\"input\": {}", names::quoted(&inputs[input])),
        Source::Gate(gate) => format!("\"gate\": {gate}"),
    };
    if !literal.positive {
        out.push_str(", \"negated\": true");
    }
    if literal.weight != 1 {
        let _ = write!(out, ", \"points\": {}", literal.weight);
    }
    out
}
