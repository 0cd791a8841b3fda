//! The circuit as functions of a programming language: C, Rust and Python differ only in their [`Dialect`].
//!
//! A function for each gate, which reads the inputs `x` and the gates `g` before it; a long OR is cut into several. So neither an
//! expression nor a function grows until compilers take too long for it. What calls them is [`Program::calls`], in order.

use super::formula::{Formula, Place, bits, parity};
use super::names;
use crate::circuit::{Gate, Literal, Rule, Source};
use std::fmt::Write;

/// The most terms of one function.
const LONGEST: usize = 100;

/// How a language spells the functions.
pub(super) trait Dialect {
    /// What opens and closes a comment.
    const COMMENT: [&'static str; 2];
    const NOT: &'static str;
    const AND: &'static str;
    const OR: &'static str;
    const XOR: &'static str;
    const ZERO: &'static str;
    const ONE: &'static str;
    /// What ends a function, and what parts it from the next.
    const CLOSE: &'static str;

    /// The name of a gate's function.
    fn function(&self, label: &str) -> String;
    /// What opens a function that reads `x` or not and `g` or not; for a sum, of how many bits.
    fn open(&self, name: &str, reads: [bool; 2], sum: Option<usize>) -> String;
    /// Calls it.
    fn call(&self, name: &str, reads: [bool; 2]) -> String;
    /// An identifier for element i of `x` or `g`.
    fn bind(&self, name: &str, array: char, i: usize) -> String;
    /// Begins `value`.
    fn first(&self, product: &str) -> String;
    /// Adds to `value` by OR, or where it says so by XOR.
    fn next(&self, product: &str, xor: bool) -> String;
    /// Begins `count` of so many bits with 0.
    fn zero(&self, bits: usize) -> String;
    /// Adds the points of a literal to it.
    fn add(&self, name: &str, positive: bool, weight: u32, bits: usize) -> String;
    /// Whether it is at least this.
    fn at_least(&self, least: u64, bits: usize) -> String;
    /// Whether it is from the first to the second.
    fn within(&self, from: u64, to: u64, bits: usize) -> String;
    /// Gives a value back.
    fn result(&self, value: &str) -> String;
    /// An output that is input or gate i, maybe negated.
    fn output(&self, array: char, i: usize, positive: bool) -> String;
}

/// The functions of the gates and how they are called.
pub(super) struct Program {
    pub(super) functions: String,
    /// What gives `g` its values, from 0 on.
    pub(super) calls: Vec<String>,
    pub(super) outputs: Vec<Answer>,
    /// Whether calls or outputs read `x`.
    pub(super) reads_x: bool,
}

/// What an output is.
pub(super) enum Answer {
    /// A bit.
    Bit(String),
    /// A call that gives a sum of so many bits.
    Sum(String, usize),
}

impl Answer {
    pub(super) const fn bits(&self) -> usize {
        match self {
            Self::Bit(_) => 1,
            Self::Sum(_, bits) => *bits,
        }
    }
}

pub(super) fn program<D: Dialect>(formula: &Formula<'_>, dialect: &D) -> Program {
    let mut writer = Writer::new(formula, dialect);
    let mut calls = Vec::new();
    let mut sums = vec![None; formula.gates.len()];
    for (g, gate) in formula.nodes() {
        let call = writer.gate(g, gate);
        if gate.rule == Rule::Sum {
            sums[g] = Some((call, bits(gate)));
        } else {
            calls.push(call);
        }
    }
    let mut answers = Vec::new();
    for output in formula.outputs {
        let positive = output.literal.positive;
        answers.push(match output.literal.source {
            Source::Input(input) => {
                writer.reads_x = true;
                Answer::Bit(dialect.output('x', input, positive))
            }
            Source::Gate(gate) => match sums[gate].clone() {
                Some((call, bits)) => Answer::Sum(call, bits),
                None => Answer::Bit(dialect.output('g', writer.slots[gate], positive)),
            },
        });
    }
    Program { functions: writer.functions, calls, outputs: answers, reads_x: writer.reads_x }
}

struct Writer<'a, D> {
    formula: &'a Formula<'a>,
    dialect: &'a D,
    identifiers: Vec<String>,
    labels: Vec<String>,
    /// Where in `g` each gate is.
    slots: Vec<usize>,
    functions: String,
    reads_x: bool,
}

impl<'a, D: Dialect> Writer<'a, D> {
    fn new(formula: &'a Formula<'a>, dialect: &'a D) -> Self {
        let identifiers = names::identifiers(formula.inputs);
        let mut labels = formula.labels(&identifiers, names::fresh_identifier);
        let output = names::fresh_identifier("output", &identifiers);
        let (mut slots, mut next) = (vec![0; formula.gates.len()], 0);
        for (g, gate) in formula.nodes() {
            if let Place::Output(o) = formula.places[g] {
                labels[g] =
                    if formula.outputs.len() == 1 { output.clone() } else { format!("{output}{}", o + 1) };
            }
            if gate.rule != Rule::Sum {
                slots[g] = next;
                next += 1;
            }
        }
        Self { formula, dialect, identifiers, labels, slots, functions: String::new(), reads_x: false }
    }

    /// Writes the functions of a gate and gives the call.
    fn gate(&mut self, g: usize, gate: &Gate) -> String {
        let products = match gate.rule {
            Rule::Or => self.formula.products(gate),
            _ => vec![gate.literals.clone()],
        };
        let mut calls = Vec::new();
        let parts = if products.is_empty() { vec![&[][..]] } else { products.chunks(LONGEST).collect() };
        for (part, products) in parts.into_iter().enumerate() {
            let label = &self.labels[g];
            let label = if part == 0 { label.clone() } else { format!("{label}_{}", part + 1) };
            let name = self.dialect.function(&label);
            let mut sources: Vec<Source> = products.iter().flatten().map(|literal| literal.source).collect();
            sources.sort_unstable();
            sources.dedup();
            let any =
                |wanted: bool| sources.iter().any(|source| matches!(source, Source::Input(_)) == wanted);
            let reads = [any(true), any(false)];
            self.reads_x |= reads[0];
            let sum = (gate.rule == Rule::Sum).then(|| bits(gate));
            let open = self.dialect.open(&name, reads, sum);
            self.functions.push_str(&open);
            for source in sources {
                self.bind(source);
            }
            let value = self.value(gate, products);
            self.line(&self.dialect.result(&value));
            self.functions.push_str(D::CLOSE);
            calls.push(self.dialect.call(&name, reads));
        }
        calls.join(D::OR)
    }

    fn line(&mut self, statement: &str) {
        if !statement.is_empty() {
            let _ = writeln!(self.functions, "    {statement}");
        }
    }

    fn bind(&mut self, source: Source) {
        let binding = match source {
            Source::Input(input) => {
                let [open, close] = D::COMMENT;
                let name = names::comment(&self.formula.inputs[input]);
                format!("{} {open}{name}{close}", self.dialect.bind(&self.identifiers[input], 'x', input))
            }
            Source::Gate(gate) => {
                self.dialect.bind(&self.labels[gate], 'g', self.slots[gate]).trim_end().to_owned()
            }
        };
        self.line(&binding);
    }

    fn name(&self, source: Source) -> &str {
        match source {
            Source::Input(input) => &self.identifiers[input],
            Source::Gate(gate) => &self.labels[gate],
        }
    }

    fn product(&self, literals: &[Literal]) -> String {
        let literal = |literal: &Literal| {
            format!("{}{}", if literal.positive { "" } else { D::NOT }, self.name(literal.source))
        };
        match literals {
            [] => D::ONE.to_owned(),
            _ => literals.iter().map(literal).collect::<Vec<_>>().join(D::AND),
        }
    }

    /// The statements that give a value, and the value.
    fn value(&mut self, gate: &Gate, products: &[Vec<Literal>]) -> String {
        match &gate.rule {
            Rule::And => self.product(&gate.literals),
            Rule::Or => {
                let parts: Vec<String> = products.iter().map(|product| self.product(product)).collect();
                self.accumulated(&parts, false)
            }
            Rule::Xor => {
                let (literals, inverted) = parity(&gate.literals);
                let mut parts: Vec<String> =
                    literals.iter().map(|literal| self.name(literal.source).to_owned()).collect();
                if inverted {
                    parts.push(D::ONE.to_owned());
                }
                if parts.is_empty() || parts.len() > LONGEST {
                    self.accumulated(&parts, true)
                } else {
                    parts.join(D::XOR)
                }
            }
            Rule::Sum | Rule::AtLeast(_) | Rule::Counts(_) => self.count(gate),
        }
    }

    fn accumulated(&mut self, parts: &[String], xor: bool) -> String {
        match parts {
            [] => D::ZERO.to_owned(),
            [one] => one.clone(),
            [first, rest @ ..] => {
                self.line(&self.dialect.first(first));
                for part in rest {
                    self.line(&self.dialect.next(part, xor));
                }
                "value".to_owned()
            }
        }
    }

    fn count(&mut self, gate: &Gate) -> String {
        let width = bits(gate);
        // The count of a sum of nothing would never change.
        if gate.literals.is_empty() && gate.rule == Rule::Sum {
            self.line(&self.dialect.zero(width).replace("let mut ", "let "));
            return "count".to_owned();
        }
        self.line(&self.dialect.zero(width));
        for literal in &gate.literals {
            let add = self.dialect.add(self.name(literal.source), literal.positive, literal.weight, width);
            self.line(&add);
        }
        match &gate.rule {
            Rule::AtLeast(least) => self.dialect.at_least(*least, width),
            Rule::Counts(ranges) => {
                let within = |&(from, to): &(u64, u64)| self.dialect.within(from, to, width);
                ranges.iter().map(within).collect::<Vec<_>>().join(D::OR)
            }
            _ => "count".to_owned(),
        }
    }
}
