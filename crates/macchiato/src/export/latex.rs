//! The formula for a paper: an `align*` environment of amsmath, an equation for each stage and one for their XOR.
//!
//! Names of one letter, with or without a number, are set as symbols, others as text. The stages are calligraphic, so
//! that no input looks like one of them.

use super::formula::{Formula, Term};
use super::names;
use std::fmt::Write;

/// Characters of a line, about, after which a sum goes on to the next.
const WIDTH: usize = 90;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs: Vec<String> = formula.inputs.iter().map(|name| symbol(name)).collect();
    let mut out = String::from("% \\usepackage{amsmath}\n\\begin{align*}\n");
    for (t, terms) in formula.stages.iter().enumerate() {
        let products: Vec<String> = terms.iter().map(|term| product(term, &inputs)).collect();
        let _ = writeln!(out, "  \\mathcal{{F}}_{{{}}} ={{}}& {} \\\\", t + 1, lines(&products, "\\lor"));
    }
    let stages: Vec<String> = (1..=formula.stages.len()).map(|t| format!("\\mathcal{{F}}_{{{t}}}")).collect();
    let _ = writeln!(out, "  {} ={{}}& {}", symbol(formula.target), lines(&stages, "\\oplus"));
    out.push_str("\\end{align*}\n");
    out
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

fn product(term: &Term, inputs: &[String]) -> String {
    let literal = |&(input, positive): &(usize, bool)| {
        if positive { inputs[input].clone() } else { format!("\\overline{{{}}}", inputs[input]) }
    };
    match term.as_slice() {
        [] => "1".to_owned(),
        literals => literals.iter().map(literal).collect::<Vec<_>>().join(" \\, "),
    }
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
