//! The formula for a paper: an `align*` environment of amsmath, an equation for each gate and each output.
//!
//! Names of one letter, with or without a number, are set as symbols, others as text. Gates are calligraphic, F for the paper's
//! stages and G for others, so that no input looks like one of them. A count stands in an Iverson bracket.

use super::formula::{Formula, Place};
use super::names;
use crate::circuit::{Gate, Literal, Rule, Source};
use std::fmt::Write;

/// Characters of a line, about, after which a sum goes on to the next.
const WIDTH: usize = 90;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let writer = Writer::new(formula);
    let mut equations = Vec::new();
    for (g, gate) in formula.nodes() {
        let left = match formula.places[g] {
            Place::Output(o) => symbol(&formula.outputs[o].name),
            _ => writer.gates[g].clone(),
        };
        equations.push(format!("  {left} ={{}}& {}", writer.value(gate)));
    }
    for (o, output) in formula.outputs.iter().enumerate() {
        if !formula.is_gate(o) {
            equations.push(format!("  {} ={{}}& {}", symbol(&output.name), writer.literal(&output.literal)));
        }
    }
    format!("% \\usepackage{{amsmath}}\n\\begin{{align*}}\n{}\n\\end{{align*}}\n", equations.join(" \\\\\n"))
}

struct Writer<'a> {
    formula: &'a Formula<'a>,
    inputs: Vec<String>,
    gates: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(formula: &'a Formula<'a>) -> Self {
        let inputs = formula.inputs.iter().map(|name| symbol(name)).collect();
        // `stage3`, where that role is the gate's alone, is the paper's F_3; any other gate goes by its number.
        let name = |(g, label): (usize, String)| match label.strip_prefix("stage") {
            Some(number) => format!("\\mathcal{{F}}_{{{number}}}"),
            None => format!("\\mathcal{{G}}_{{{g}}}"),
        };
        let gates = formula.labels(&[], names::fresh).into_iter().enumerate().map(name).collect();
        Self { formula, inputs, gates }
    }

    fn literal(&self, literal: &Literal) -> String {
        let name = match literal.source {
            Source::Input(input) => &self.inputs[input],
            Source::Gate(gate) => &self.gates[gate],
        };
        if literal.positive { name.clone() } else { format!("\\overline{{{name}}}") }
    }

    fn product(&self, literals: &[Literal]) -> String {
        match literals {
            [] => "1".to_owned(),
            _ => literals.iter().map(|literal| self.literal(literal)).collect::<Vec<_>>().join(" \\, "),
        }
    }

    fn value(&self, gate: &Gate) -> String {
        match &gate.rule {
            Rule::And => self.product(&gate.literals),
            Rule::Or => {
                let products = self.formula.products(gate);
                lines(&products.iter().map(|product| self.product(product)).collect::<Vec<_>>(), "\\lor")
            }
            Rule::Xor => lines(&gate.literals.iter().map(|l| self.literal(l)).collect::<Vec<_>>(), "\\oplus"),
            Rule::Sum => self.sum(gate),
            // An Iverson bracket: 1 where what it says is so.
            Rule::AtLeast(least) => format!("[\\, {} \\ge {least} \\,]", self.sum(gate)),
            Rule::Counts(ranges) => {
                let range = |&(from, to): &(u64, u64)| {
                    if from == to { from.to_string() } else { format!("{from}, \\dots, {to}") }
                };
                let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(", ");
                format!("[\\, {} \\in \\{{{ranges}\\}} \\,]", self.sum(gate))
            }
        }
    }

    fn sum(&self, gate: &Gate) -> String {
        let point = |literal: &Literal| match literal.weight {
            1 => self.literal(literal),
            weight => format!("{weight} \\, {}", self.literal(literal)),
        };
        lines(&gate.literals.iter().map(point).collect::<Vec<_>>(), "+")
    }
}

/// The parts with the operator between them, on as many lines as they need.
fn lines(parts: &[String], operator: &str) -> String {
    let Some((first, rest)) = parts.split_first() else { return "0".to_owned() };
    let (mut out, mut column) = (first.clone(), first.len());
    for part in rest {
        if column + part.len() > WIDTH {
            out.push_str(" \\\\\n    & {}");
            column = 0;
        }
        let _ = write!(out, " {operator} {part}");
        column += operator.len() + part.len();
    }
    out
}

fn symbol(name: &str) -> String {
    let (letter, number) = name.split_at(usize::from(name.starts_with(|c: char| c.is_ascii_alphabetic())));
    match (letter, number) {
        ("", _) => text(name),
        (letter, "") => letter.to_owned(),
        (letter, number) if number.bytes().all(|b| b.is_ascii_digit()) => format!("{letter}_{{{number}}}"),
        _ => text(name),
    }
}

fn text(name: &str) -> String {
    let mut out = String::from("\\text{");
    for c in names::visible(name).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            // Two would join into a dash.
            '-' => out.push_str("{-}"),
            // An ordinary blank would swallow its neighbours.
            ' ' => out.push_str("\\ "),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('}');
    out
}
