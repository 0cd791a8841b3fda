//! Graphviz: inputs, an AND for each term, an OR for each stage, the XOR. A dashed edge with a dot inverts.
//!
//! A term of one literal has no AND: the OR reads its input.

use super::formula::Formula;
use super::names;
use std::fmt::Write;

const INVERTED: &str = " [style=dashed, dir=both, arrowtail=odot]";

pub(super) fn file(formula: &Formula<'_>) -> String {
    let mut out = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  \
         edge [arrowsize=0.6];\n",
        names::function(formula.target)
    );
    for &input in &formula.support {
        let _ = writeln!(out, "  x{input} [label={}, shape=plaintext];", label(&formula.inputs[input]));
    }
    for (t, terms) in formula.stages.iter().enumerate() {
        let t = t + 1;
        let _ = writeln!(out, "  stage{t} [label=\"{}\"];", gate(terms.len(), "OR", "0"));
        for (p, term) in terms.iter().enumerate() {
            if let [literal] = term.as_slice() {
                edge(&mut out, *literal, &format!("stage{t}"));
                continue;
            }
            let reader = format!("term{t}_{}", p + 1);
            let _ = writeln!(out, "  {reader} [label=\"{}\"];", gate(term.len(), "AND", "1"));
            for &literal in term {
                edge(&mut out, literal, &reader);
            }
            let _ = writeln!(out, "  {reader} -> stage{t};");
        }
    }
    let _ = writeln!(out, "  xor [label=\"{}\"];", gate(formula.stages.len(), "XOR", "0"));
    for t in 1..=formula.stages.len() {
        let _ = writeln!(out, "  stage{t} -> xor;");
    }
    let _ = writeln!(out, "  y [label={}, shape=plaintext];\n  xor -> y;\n}}", label(formula.target));
    out
}

const fn gate(operands: usize, name: &'static str, empty: &'static str) -> &'static str {
    if operands == 0 { empty } else { name }
}

fn edge(out: &mut String, (input, positive): (usize, bool), reader: &str) {
    let _ = writeln!(out, "  x{input} -> {reader}{};", if positive { "" } else { INVERTED });
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
