//! Graphviz: inputs, gates with their rules, outputs. A dashed edge with a dot inverts; an edge with a number gives so many points.
//!
//! An AND of one literal inside an OR is not drawn: the OR reads its input.

use super::formula::Formula;
use super::names;
use crate::circuit::{Gate, Literal, Source};
use crate::words;
use std::fmt::Write;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let mut out = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  \
         edge [arrowsize=0.6];\n",
        formula.function()
    );
    for &input in &formula.support {
        let _ = writeln!(out, "  x{input} [label={}, shape=plaintext];", label(&formula.inputs[input]));
    }
    let names = formula.labels(&[], names::fresh);
    for (g, gate) in formula.nodes() {
        node(&mut out, &names[g], gate);
        for &literal in &gate.literals {
            match formula.inside(literal) {
                Some(&[one]) => edge(&mut out, one, &names, &names[g], ""),
                Some(product) => {
                    if let Source::Gate(term) = literal.source {
                        node(&mut out, &names[term], &formula.gates[term]);
                        for &literal in product {
                            edge(&mut out, literal, &names, &names[term], "");
                        }
                    }
                    edge(&mut out, literal, &names, &names[g], "");
                }
                None if gate.has_points() => {
                    edge(&mut out, literal, &names, &names[g], &format!("label=\"{}\"", literal.weight));
                }
                None => edge(&mut out, literal, &names, &names[g], ""),
            }
        }
    }
    for (o, output) in formula.outputs.iter().enumerate() {
        let name = if formula.outputs.len() == 1 { "y".to_owned() } else { format!("y{o}") };
        let _ = writeln!(out, "  {name} [label={}, shape=plaintext];", label(&output.name));
        edge(&mut out, output.literal, &names, &name, "");
    }
    out.push_str("}\n");
    out
}

fn node(out: &mut String, name: &str, gate: &Gate) {
    let words = words::rule(gate);
    let words = gate.name().map_or(words.clone(), |role| format!("{role}: {words}"));
    let _ = writeln!(out, "  {name} [label={}];", label(&words));
}

fn edge(out: &mut String, literal: Literal, names: &[String], reader: &str, points: &str) {
    let source = match literal.source {
        Source::Input(input) => format!("x{input}"),
        Source::Gate(gate) => names[gate].clone(),
    };
    let inverted = if literal.positive { "" } else { "style=dashed, dir=both, arrowtail=odot" };
    let attributes =
        [inverted, points].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let attributes = if attributes.is_empty() { attributes } else { format!(" [{attributes}]") };
    let _ = writeln!(out, "  {source} -> {reader}{attributes};");
}

/// A quoted label: Graphviz reads backslashes and entities in it.
fn label(name: &str) -> String {
    let mut out = String::from("\"");
    for c in names::visible(name).chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
