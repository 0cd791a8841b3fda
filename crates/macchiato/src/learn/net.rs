//! Gates under construction, each with its values on the training rows: what candidates make circuits of.
//!
//! A value is a constant or a literal. The operations give the shortest gate for their operands, share equal gates, and cost one pass
//! over the bit columns of what they read.

use super::candidate::{Candidate, Recipe};
use super::score;
use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Output, Rule, Source};
use crate::rows::Rows;
use std::collections::HashMap;

/// A constant or a literal of weight 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Value {
    Constant(bool),
    Literal(Literal),
}

impl Value {
    /// An input.
    pub(super) const fn input(input: usize) -> Self {
        Self::Literal(Literal::input(input))
    }

    /// The same where `positive`, else its negation.
    pub(super) const fn signed(self, positive: bool) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(value == positive),
            Self::Literal(literal) => Self::Literal(literal.signed(positive)),
        }
    }
}

impl std::ops::Not for Value {
    type Output = Self;

    fn not(self) -> Self {
        self.signed(false)
    }
}

/// Gates over the inputs of some rows.
#[derive(Debug, Clone)]
pub(super) struct Net<'a> {
    rows: &'a Rows,
    gates: Vec<Gate>,
    columns: Vec<Vec<u64>>,
    known: HashMap<(Rule, Vec<Literal>), usize>,
}

impl<'a> Net<'a> {
    pub(super) fn new(rows: &'a Rows) -> Self {
        Self { rows, gates: Vec::new(), columns: Vec::new(), known: HashMap::new() }
    }

    /// The values of what a literal reads, without its sign.
    pub(super) fn column(&self, source: Source) -> &[u64] {
        match source {
            Source::Input(input) => &self.rows.columns()[input],
            Source::Gate(gate) => &self.columns[gate],
        }
    }

    /// AND of values.
    pub(super) fn and(&mut self, values: &[Value]) -> Value {
        let mut literals: Vec<Literal> = Vec::with_capacity(values.len());
        for &value in values {
            match value {
                Value::Constant(false) => return value,
                Value::Constant(true) => {}
                Value::Literal(literal) => literals.push(literal),
            }
        }
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|two| two[0].source == two[1].source) {
            return Value::Constant(false);
        }
        match literals[..] {
            [] => Value::Constant(true),
            [literal] => Value::Literal(literal),
            _ => self.gate(Rule::And, literals),
        }
    }

    /// OR of values.
    pub(super) fn or(&mut self, values: &[Value]) -> Value {
        let mut literals: Vec<Literal> = Vec::with_capacity(values.len());
        for &value in values {
            match value {
                Value::Constant(true) => return value,
                Value::Constant(false) => {}
                Value::Literal(literal) => literals.push(literal),
            }
        }
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|two| two[0].source == two[1].source) {
            return Value::Constant(true);
        }
        match literals[..] {
            [] => Value::Constant(false),
            [literal] => Value::Literal(literal),
            _ => self.gate(Rule::Or, literals),
        }
    }

    /// XOR of two values.
    pub(super) fn xor(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = match (a, b) {
            (Value::Constant(flip), other) | (other, Value::Constant(flip)) => return other.signed(!flip),
            (Value::Literal(a), Value::Literal(b)) => (a, b),
        };
        let same = a.positive == b.positive;
        if a.source == b.source {
            return Value::Constant(!same);
        }
        let mut both = [Literal { positive: true, ..a }, Literal { positive: true, ..b }];
        both.sort_unstable();
        self.gate(Rule::Xor, both.to_vec()).signed(same)
    }

    /// `one` where `test` holds, else `zero`.
    pub(super) fn mux(&mut self, test: Value, one: Value, zero: Value) -> Value {
        match (test, one, zero) {
            (Value::Constant(true), ..) => one,
            (Value::Constant(false), ..) => zero,
            _ if one == zero => one,
            _ if one == !zero => self.xor(test, zero),
            (_, Value::Constant(true), _) => self.or(&[test, zero]),
            (_, Value::Constant(false), _) => self.and(&[!test, zero]),
            (_, _, Value::Constant(true)) => self.or(&[!test, one]),
            (_, _, Value::Constant(false)) => self.and(&[test, one]),
            _ => {
                let parts = [self.and(&[test, one]), self.and(&[!test, zero])];
                self.or(&parts)
            }
        }
    }

    /// A gate of literals in their order; equal ones are shared.
    pub(super) fn gate(&mut self, rule: Rule, literals: Vec<Literal>) -> Value {
        let key = (rule, literals);
        if let Some(&at) = self.known.get(&key) {
            return Value::Literal(Literal::gate(at));
        }
        let at = self.gates.len();
        let gate = Gate::new(key.0.clone(), key.1.clone());
        self.columns.push(self.values(&gate));
        self.gates.push(gate);
        self.known.insert(key, at);
        Value::Literal(Literal::gate(at))
    }

    fn values(&self, gate: &Gate) -> Vec<u64> {
        let words = bits::words(self.rows.len());
        let flip = |literal: &Literal| if literal.positive { 0 } else { u64::MAX };
        let fold = |start: u64, join: fn(u64, u64) -> u64| {
            let mut values = vec![start; words];
            for literal in &gate.literals {
                let flip = flip(literal);
                for (value, word) in values.iter_mut().zip(self.column(literal.source)) {
                    *value = join(*value, word ^ flip);
                }
            }
            values
        };
        match gate.rule {
            Rule::And => fold(u64::MAX, |a, b| a & b),
            Rule::Or => fold(0, |a, b| a | b),
            Rule::Xor => fold(0, |a, b| a ^ b),
            _ => {
                let mut counts = vec![0u64; 64 * words];
                for literal in &gate.literals {
                    let flip = flip(literal);
                    let weight = u64::from(literal.weight);
                    for (eight, word) in counts.chunks_exact_mut(64).zip(self.column(literal.source)) {
                        let word = word ^ flip;
                        for (bit, count) in eight.iter_mut().enumerate() {
                            *count += weight * (word >> bit & 1);
                        }
                    }
                }
                let most = gate.most();
                let word = |counts: &[u64]| {
                    counts.iter().enumerate().fold(0, |word, (bit, &count)| {
                        word | u64::from(gate.rule.value(count, most) != 0) << bit
                    })
                };
                counts.chunks_exact(64).map(word).collect()
            }
        }
    }

    /// The gate of a function of up to a few values, given as the values of its cells; cell c has bit i of c for signal i.
    pub(super) fn cells(&mut self, signals: &[Value], cells: &[Value]) -> Value {
        debug_assert_eq!(cells.len(), 1 << signals.len());
        if cells.iter().all(|&cell| cell == cells[0]) {
            return cells[0];
        }
        // Two values chosen by one function of the signals may be shorter than a tree of choices.
        let other = cells.iter().copied().find(|&cell| cell != cells[0]).unwrap_or(cells[0]);
        let two = cells.iter().all(|&cell| cell == cells[0] || cell == other);
        let constant = |value: &Value| matches!(value, Value::Constant(_));
        if two && signals.len() > 1 && !(constant(&cells[0]) && constant(&other)) {
            let table: Vec<Value> = cells.iter().map(|&cell| Value::Constant(cell == other)).collect();
            let which = self.cells(signals, &table);
            return self.mux(which, other, cells[0]);
        }
        let top = (0..signals.len()).min_by_key(|&at| {
            let (zero, one) = halves(cells, at);
            cost(&zero) + cost(&one) + usize::from(!related(&zero, &one)) * 3
        });
        let top = top.unwrap_or(0);
        let (zero, one) = halves(cells, top);
        let mut rest = signals.to_vec();
        let signal = rest.remove(top);
        if zero == one {
            return self.cells(&rest, &zero);
        }
        let zero_value = self.cells(&rest, &zero);
        if zero.iter().zip(&one).all(|(&a, &b)| a == !b) {
            return self.xor(signal, zero_value);
        }
        let one_value = self.cells(&rest, &one);
        self.mux(signal, one_value, zero_value)
    }

    /// The circuit of one value. A constant is a gate of nothing.
    pub(super) fn circuit(&self, value: Value) -> Option<Circuit> {
        let mut gates = self.gates.clone();
        let literal = match value {
            Value::Literal(literal) => literal,
            Value::Constant(value) => {
                gates.push(Gate::new(if value { Rule::And } else { Rule::Or }, Vec::new()));
                Literal::gate(gates.len() - 1)
            }
        };
        let output = Output::new(self.rows.target(), literal);
        Circuit::new(self.rows.names().to_vec(), gates, vec![output]).ok()
    }

    /// Nats in which a value can be written down by somebody who knows the inputs and some other values.
    pub(super) fn description(&self, value: Value, known: &[Value]) -> f64 {
        let gate = |value: &Value| match value {
            Value::Literal(Literal { source: Source::Gate(gate), .. }) => Some(*gate),
            _ => None,
        };
        let known: Vec<usize> = known.iter().filter_map(gate).collect();
        self.circuit(value).map_or(f64::INFINITY, |circuit| score::description_given(&circuit, &known))
    }

    /// The same as a candidate, in its shortest form and scored.
    pub(super) fn candidate(&self, recipe: Recipe, value: Value) -> Option<Candidate> {
        self.circuit(value).map(|circuit| Candidate::new(recipe, &circuit, self.rows))
    }
}

/// The cells where signal `at` is 0, and where it is 1.
fn halves(cells: &[Value], at: usize) -> (Vec<Value>, Vec<Value>) {
    let (mut zero, mut one) = (Vec::new(), Vec::new());
    for (cell, &value) in cells.iter().enumerate() {
        if cell >> at & 1 == 1 { one.push(value) } else { zero.push(value) }
    }
    (zero, one)
}

/// Equal, complements, or one of them constant: then a choice between them needs no more than two gates.
fn related(zero: &[Value], one: &[Value]) -> bool {
    let constant = |cells: &[Value]| {
        matches!(cells[0], Value::Constant(_)) && cells.iter().all(|&cell| cell == cells[0])
    };
    zero == one || zero.iter().zip(one).all(|(&a, &b)| a == !b) || constant(zero) || constant(one)
}

/// A guess at the gates of a table: its changes.
fn cost(cells: &[Value]) -> usize {
    cells.windows(2).filter(|two| two[0] != two[1]).count()
}
