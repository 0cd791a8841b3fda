//! The circuit as data. A term is an object that names the inputs it reads with the value that each must have; a stage
//! is a list of terms, 1 where some term holds; the circuit is the XOR of its stages.

use super::formula::{Formula, Term};
use super::names;
use std::fmt::Write;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs: Vec<String> =
        formula.inputs.iter().map(|name| format!("    {}", names::quoted(name))).collect();
    let mut out = String::from("{\n  \"format\": \"macchiato-circuit\",\n  \"version\": 1,\n");
    let _ = write!(out, "  \"target\": {},\n  \"inputs\": [\n", names::quoted(formula.target));
    let _ = write!(out, "{}\n  ],\n  \"xor\": [", inputs.join(",\n"));
    let stage = |terms: &Vec<Term>| {
        let terms: Vec<String> =
            terms.iter().map(|term| format!("\n      {}", spell(term, formula.inputs))).collect();
        let close = if terms.is_empty() { "" } else { "\n    " };
        format!("\n    {{\"or\": [{}{close}]}}", terms.join(","))
    };
    let stages: Vec<String> = formula.stages.iter().map(stage).collect();
    let close = if stages.is_empty() { "" } else { "\n  " };
    let _ = writeln!(out, "{}{close}]\n}}", stages.join(","));
    out
}

fn spell(term: &Term, inputs: &[String]) -> String {
    let literal =
        |&(input, positive): &(usize, bool)| format!("{}: {positive}", names::quoted(&inputs[input]));
    format!("{{{}}}", term.iter().map(literal).collect::<Vec<_>>().join(", "))
}
