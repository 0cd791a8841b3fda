//! SMT-LIB 2: a Boolean constant for each input, a definition for each gate and each output; counts are sums of integers.
//!
//! The file asserts nothing: append what is to be proven. A symbol that is not simple stands between bars; the
//! characters that bars may not hold, and the first one of a word that has a meaning of its own, are spelled `%XX`.

use super::formula::{Formula, Place};
use super::names;
use crate::circuit::{Gate, Literal, Rule, Source};
use std::fmt::Write;

/// Reserved words, and symbols of the core theory and of integers: between bars they would be the same symbols.
const RESERVED: &str = "\
    ! => = and as assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun \
    declare-sort declare-sort-parameter define-const define-fun define-fun-rec define-funs-rec define-sort distinct \
    echo exists exit false forall get-assertions get-assignment get-info get-model get-option get-proof \
    get-unsat-assumptions get-unsat-core get-value if iff implies ite lambda let match not or par pop push reset \
    reset-assertions set-info set-logic set-option true xor \
    + - * / < <= > >= div mod abs to_real to_int is_int Int Bool BINARY DECIMAL HEXADECIMAL NUMERAL STRING _";

pub(super) fn file(formula: &Formula<'_>) -> String {
    let spelled: Vec<String> = formula.inputs.iter().map(|name| spell(name)).collect();
    let outputs: Vec<String> = formula.outputs.iter().map(|output| spell(&output.name)).collect();
    let all = [spelled.as_slice(), &outputs].concat();
    let mut names: Vec<String> = formula.labels(&all, names::fresh);
    for (name, place) in names.iter_mut().zip(&formula.places) {
        if let Place::Output(o) = place {
            *name = symbol(&outputs[*o]);
        }
    }
    let inputs: Vec<String> = spelled.iter().map(|name| symbol(name)).collect();
    let writer = Writer { formula, inputs, gates: names, count: names::fresh("count", &all) };
    // Integers only where something counts: fewer provers know them.
    let logic = if formula.counts() { "QF_LIA" } else { "QF_UF" };
    let mut out = format!("; {}\n(set-logic {logic})\n", formula.title());
    for input in &writer.inputs {
        let _ = writeln!(out, "(declare-const {input} Bool)");
    }
    for (g, gate) in formula.nodes() {
        let sort = if gate.rule == Rule::Sum { "Int" } else { "Bool" };
        let _ = writeln!(out, "(define-fun {} () {sort} {})", writer.gates[g], writer.value(gate));
    }
    for (o, output) in formula.outputs.iter().enumerate() {
        if !formula.is_gate(o) {
            let sort = if formula.sum(o).is_some() { "Int" } else { "Bool" };
            let value = writer.literal(&output.literal);
            let _ = writeln!(out, "(define-fun {} () {sort} {value})", symbol(&outputs[o]));
        }
    }
    out
}

struct Writer<'a> {
    formula: &'a Formula<'a>,
    inputs: Vec<String>,
    gates: Vec<String>,
    /// The name of a count inside a definition.
    count: String,
}

impl Writer<'_> {
    fn literal(&self, literal: &Literal) -> String {
        let name = match literal.source {
            Source::Input(input) => &self.inputs[input],
            Source::Gate(gate) => &self.gates[gate],
        };
        if literal.positive { name.clone() } else { format!("(not {name})") }
    }

    fn join(&self, operator: &str, empty: &str, literals: &[Literal]) -> String {
        join(operator, empty, &literals.iter().map(|literal| self.literal(literal)).collect::<Vec<_>>(), " ")
    }

    fn value(&self, gate: &Gate) -> String {
        match &gate.rule {
            Rule::And => self.join("and", "true", &gate.literals),
            Rule::Or => {
                let products = self.formula.products(gate);
                let products: Vec<String> =
                    products.iter().map(|product| self.join("and", "true", product)).collect();
                join("or", "false", &products, "\n  ")
            }
            Rule::Xor => self.join("xor", "false", &gate.literals),
            Rule::Sum => self.sum(gate),
            Rule::AtLeast(least) => format!("(>= {} {least})", self.sum(gate)),
            Rule::Counts(ranges) => {
                let count = &self.count;
                let within = |&(from, to): &(u64, u64)| {
                    if from == to {
                        format!("(= {count} {from})")
                    } else {
                        format!("(<= {from} {count} {to})")
                    }
                };
                let any = join("or", "false", &ranges.iter().map(within).collect::<Vec<_>>(), " ");
                format!("(let (({count} {})) {any})", self.sum(gate))
            }
        }
    }

    fn sum(&self, gate: &Gate) -> String {
        let point = |literal: &Literal| {
            let Literal { positive, weight, .. } = *literal;
            let name = self.literal(&literal.signed(positive));
            if positive { format!("(ite {name} {weight} 0)") } else { format!("(ite {name} 0 {weight})") }
        };
        join("+", "0", &gate.literals.iter().map(point).collect::<Vec<_>>(), " ")
    }
}

/// Operators take two operands or more.
fn join(operator: &str, empty: &str, parts: &[String], between: &str) -> String {
    match parts {
        [] => empty.to_owned(),
        [one] => one.clone(),
        many => format!("({operator}{between}{})", many.join(between)),
    }
}

/// The name without what no symbol may hold.
fn spell(name: &str) -> String {
    let reserved = name.starts_with(['@', '.']) || RESERVED.split_ascii_whitespace().any(|word| word == name);
    let first = std::cell::Cell::new(reserved);
    names::percent(name, |c| !first.replace(false) && !names::hidden(c) && !matches!(c, '|' | '\\'))
}

fn symbol(spelled: &str) -> String {
    let simple = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
    if spelled.bytes().all(simple) && !spelled.starts_with(|c: char| c.is_ascii_digit()) {
        spelled.to_owned()
    } else {
        format!("|{spelled}|")
    }
}
