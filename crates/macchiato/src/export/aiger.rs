//! AIGER 1.9, ASCII and binary, with the names as symbols: the circuit as a shared AND-inverter graph.
//!
//! Hidden characters and `%` in a symbol are spelled `%XX`, since a symbol ends with its line.

use super::aig::Aig;
use super::formula::Formula;
use super::{ExportReport, names};
use std::fmt::Write;

/// The ASCII variant, `.aag`.
pub(super) fn ascii(formula: &Formula<'_>, report: &mut ExportReport) -> String {
    let aig = build(formula, report);
    let mut out = header("aag", &aig);
    for input in 1..=aig.inputs {
        let _ = writeln!(out, "{}", 2 * input);
    }
    for output in &aig.outputs {
        let _ = writeln!(out, "{output}");
    }
    for (at, [a, b]) in aig.ands.iter().enumerate() {
        let _ = writeln!(out, "{} {a} {b}", 2 * (aig.inputs + 1 + at));
    }
    symbols(&mut out, formula);
    out
}

/// The binary variant, `.aig`.
pub(super) fn binary(formula: &Formula<'_>, report: &mut ExportReport) -> Vec<u8> {
    let aig = build(formula, report);
    let mut head = header("aig", &aig);
    for output in &aig.outputs {
        let _ = writeln!(head, "{output}");
    }
    let mut out = head.into_bytes();
    for (at, &[a, b]) in aig.ands.iter().enumerate() {
        push_delta(&mut out, 2 * (aig.inputs + 1 + at) - a);
        push_delta(&mut out, a - b);
    }
    let mut tail = String::new();
    symbols(&mut tail, formula);
    out.extend_from_slice(tail.as_bytes());
    out
}

fn build(formula: &Formula<'_>, report: &mut ExportReport) -> Aig {
    let aig = Aig::new(formula);
    report.and_gates = Some(aig.ands.len());
    report.depth = Some(aig.depth);
    aig
}

/// Variables, inputs, no latches, outputs, ANDs.
fn header(kind: &str, aig: &Aig) -> String {
    let (inputs, outputs, ands) = (aig.inputs, aig.outputs.len(), aig.ands.len());
    format!("{kind} {} {inputs} 0 {outputs} {ands}\n", inputs + ands)
}

fn symbols(out: &mut String, formula: &Formula<'_>) {
    let symbol = |name: &str| names::percent(name, |c| !names::hidden(c));
    for (i, name) in formula.inputs.iter().enumerate() {
        let _ = writeln!(out, "i{i} {}", symbol(name));
    }
    let bits = (0..formula.outputs.len()).flat_map(|o| formula.bit_names(o));
    for (o, name) in bits.enumerate() {
        let _ = writeln!(out, "o{o} {}", symbol(&name));
    }
    out.push_str("c\nmacchiato\n");
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn push_delta(out: &mut Vec<u8>, mut delta: usize) {
    while delta >= 0x80 {
        out.push((delta & 0x7f) as u8 | 0x80);
        delta >>= 7;
    }
    out.push(delta as u8);
}
