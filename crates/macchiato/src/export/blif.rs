//! BLIF, the Berkeley Logic Interchange Format: a node of rows for each AND and OR, a chain of XORs, adders for counts.
//!
//! Long lists continue after a backslash, as the format has it. A sum is one output for each bit.

use super::adders::{self, Logic};
use super::formula::{Formula, Place, parity};
use super::names;
use crate::circuit::{Gate, Literal, Rule, Source};
use std::fmt::Write;

/// The length past which a list continues on the next line.
const WIDTH: usize = 100;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs: Vec<String> = formula.inputs.iter().map(|name| names::word(name)).collect();
    let spell = |o: usize| formula.bit_names(o).iter().map(|name| names::word(name)).collect();
    let outputs: Vec<Vec<String>> = (0..formula.outputs.len()).map(spell).collect();
    let all = [inputs.as_slice(), &outputs.concat()].concat();
    let mut gates = formula.labels(&all, names::fresh);
    for (gate, place) in gates.iter_mut().zip(&formula.places) {
        if let Place::Output(o) = place {
            outputs[*o][0].clone_into(gate);
        }
    }
    let (xor, net) = (names::fresh("xor", &all), names::fresh("net", &all));
    let mut out = format!("# {}\n", formula.title());
    let _ = writeln!(out, ".model {}", formula.function());
    list(&mut out, ".inputs", &inputs);
    list(&mut out, ".outputs", &outputs.concat());
    let mut writer = Writer { formula, out, inputs, gates, xor, xors: 1, net, nets: 0 };
    for (g, gate) in formula.nodes() {
        writer.gate(g, gate, &outputs);
    }
    for (o, output) in formula.outputs.iter().enumerate() {
        if !formula.is_gate(o) && formula.sum(o).is_none() {
            writer.node(&[vec![output.literal]], &outputs[o][0]);
        }
    }
    writer.out.push_str(".end\n");
    writer.out
}

struct Writer<'a> {
    formula: &'a Formula<'a>,
    out: String,
    inputs: Vec<String>,
    /// The names of the gates.
    gates: Vec<String>,
    xor: String,
    xors: usize,
    net: String,
    nets: usize,
}

/// A name, and whether it is not inverted.
type Signal = (String, bool);

impl Writer<'_> {
    fn gate(&mut self, g: usize, gate: &Gate, outputs: &[Vec<String>]) {
        let name = self.gates[g].clone();
        match &gate.rule {
            Rule::And => self.node(std::slice::from_ref(&gate.literals), &name),
            Rule::Or => self.node(&self.formula.products(gate), &name),
            Rule::Xor => self.parity(&gate.literals, &name),
            Rule::AtLeast(_) | Rule::Counts(_) => {
                let value = adders::holds(self, gate);
                self.rows(&[value], &name, &["1"]);
            }
            Rule::Sum => {
                let count = adders::count(self, gate);
                let read = (0..outputs.len()).filter(|&o| self.formula.sum(o) == Some(g));
                for names in read.map(|o| &outputs[o]) {
                    for (bit, name) in count.iter().zip(names) {
                        self.rows(std::slice::from_ref(bit), name, &["1"]);
                    }
                }
            }
        }
    }

    /// Two at a time; the names of the steps go on from XOR to XOR.
    fn parity(&mut self, literals: &[Literal], name: &str) {
        let (literals, inverted) = parity(literals);
        let Some((&first, rest)) = literals.split_first() else {
            return self.node(&[], name);
        };
        let mut so_far = (self.name(first.source).to_owned(), !inverted);
        for (at, &literal) in rest.iter().enumerate() {
            self.xors += 1;
            let sum =
                if at + 1 == rest.len() { name.to_owned() } else { format!("{}{}", self.xor, self.xors) };
            let operand = (self.name(literal.source).to_owned(), true);
            self.rows(&[so_far, operand], &sum, &["10", "01"]);
            so_far = (sum, true);
        }
        if rest.is_empty() {
            self.rows(&[so_far], name, &["1"]);
        }
    }

    fn name(&self, source: Source) -> &str {
        match source {
            Source::Input(input) => &self.inputs[input],
            Source::Gate(gate) => &self.gates[gate],
        }
    }

    /// An OR of products over what they read.
    fn node(&mut self, products: &[Vec<Literal>], name: &str) {
        // ABC stops at a row of dashes beside others: a constant product is all of the node.
        let one = products.iter().find(|product| product.is_empty());
        let products = one.map_or(products, std::slice::from_ref);
        let mut support: Vec<Source> = products.iter().flatten().map(|literal| literal.source).collect();
        support.sort_unstable();
        support.dedup();
        let mut header: Vec<String> = support.iter().map(|&source| self.name(source).to_owned()).collect();
        header.push(name.to_owned());
        list(&mut self.out, ".names", &header);
        for product in products {
            let mut row = vec!['-'; support.len()];
            for literal in product {
                let at = support.partition_point(|&source| source < literal.source);
                row[at] = if literal.positive { '1' } else { '0' };
            }
            self.out.extend(row);
            self.out.push_str(if support.is_empty() { "1\n" } else { " 1\n" });
        }
    }

    /// A node by its rows over signals, of which an inverted one has the digits the other way round.
    fn rows(&mut self, signals: &[Signal], name: &str, rows: &[&str]) {
        let mut header: Vec<String> = signals.iter().map(|(name, _)| name.clone()).collect();
        header.push(name.to_owned());
        list(&mut self.out, ".names", &header);
        for row in rows {
            for (digit, (_, positive)) in row.chars().zip(signals) {
                self.out.push(match digit {
                    '0' if !positive => '1',
                    '1' if !positive => '0',
                    digit => digit,
                });
            }
            self.out.push_str(" 1\n");
        }
    }

    fn net(&mut self, signals: &[Signal], rows: &[&str]) -> Signal {
        self.nets += 1;
        let name = format!("{}{}", self.net, self.nets);
        self.rows(signals, &name, rows);
        (name, true)
    }
}

impl Logic for Writer<'_> {
    type Signal = Signal;

    fn literal(&mut self, literal: Literal) -> Signal {
        (self.name(literal.source).to_owned(), literal.positive)
    }

    fn constant(&mut self, value: bool) -> Signal {
        // A node without rows is constant 0.
        let (name, positive) = self.net(&[], &[]);
        (name, positive ^ value)
    }

    fn not(&mut self, (name, positive): Signal) -> Signal {
        (name, !positive)
    }

    fn and(&mut self, a: Signal, b: Signal) -> Signal {
        self.net(&[a, b], &["11"])
    }

    fn or(&mut self, a: Signal, b: Signal) -> Signal {
        self.net(&[a, b], &["1-", "-1"])
    }

    fn half(&mut self, a: Signal, b: Signal) -> [Signal; 2] {
        let signals = [a, b];
        [self.net(&signals, &["10", "01"]), self.net(&signals, &["11"])]
    }

    fn full(&mut self, a: Signal, b: Signal, c: Signal) -> [Signal; 2] {
        let signals = [a, b, c];
        [self.net(&signals, &["100", "010", "001", "111"]), self.net(&signals, &["11-", "1-1", "-11"])]
    }
}

fn list(out: &mut String, keyword: &str, words: &[String]) {
    out.push_str(keyword);
    let mut column = keyword.len();
    for word in words {
        if column + 1 + word.len() > WIDTH {
            out.push_str(" \\\n");
            column = 0;
        }
        let _ = write!(out, " {word}");
        column += 1 + word.len();
    }
    out.push('\n');
}
