//! Tests and gates as expressions.
//!
//! A bit is a condition that is true where it is 1, and false or unknown where it is 0; as a number it is a `CASE`, never unknown. Few
//! literals are joined by AND and OR, many are counted.

use super::SqlError;
use super::dialect::Dialect;
use super::layers::{Layers, Value, sum};
use super::tests_of_columns::{clean, condition, refused};
use crate::circuit::{Circuit, Gate, Literal, Rule, Source};
use crate::model::{ClassCircuit, Model};

/// The most literals that are joined by AND or OR.
const JOINED: usize = 16;

/// The most counts that are listed after IN.
const LISTED: u64 = 256;

/// The most tests that are columns of a nested SELECT; of more, each is written where it is read.
const TESTS: usize = 800;

/// 0 or 1.
#[derive(Debug, Clone)]
pub(super) struct Bit {
    /// True where it is 1.
    pub(super) holds: Value,
    /// The number.
    pub(super) value: Value,
}

impl Bit {
    fn of(holds: Value) -> Self {
        let value = holds.within("CASE WHEN {} THEN 1 ELSE 0 END");
        Self { holds, value }
    }

    /// By a name, where there are names.
    fn named(self, layers: &mut Layers) -> Self {
        let value = layers.name(self.value.clone());
        self.or(value)
    }

    /// By a name, where it is high and there are names.
    fn limited(self, layers: &mut Layers) -> Self {
        let value = layers.limited(self.value.clone());
        self.or(value)
    }

    /// The same, or what stands for it now.
    fn or(self, value: Value) -> Self {
        if value.sql == self.value.sql { self } else { Self { holds: value.within("{} = 1"), value } }
    }

    /// The condition that it is 1, or that it is 0.
    pub(super) fn is(&self, positive: bool) -> Value {
        if positive { self.holds.clone() } else { self.value.within("{} = 0") }
    }

    fn points(&self, literal: &Literal) -> Value {
        let value = if literal.positive { self.value.clone() } else { self.value.within("(1 - {})") };
        if literal.weight == 1 { value } else { value.within(&format!("{} * {{}}", literal.weight)) }
    }
}

/// What is known of a model's columns, tests and gates.
pub(super) struct Circuits<'a> {
    model: &'a Model,
    pub(super) layers: &'a mut Layers,
    names: Vec<String>,
    columns: Vec<Option<Value>>,
    tests: Vec<Option<Bit>>,
    few: bool,
}

impl<'a> Circuits<'a> {
    pub(super) fn new(model: &'a Model, layers: &'a mut Layers) -> Result<Self, SqlError> {
        let (binarizer, dialect) = (model.binarizer(), layers.dialect);
        let read = super::read(&model.circuits().iter().collect::<Vec<_>>());
        check_names(model, dialect, &read)?;
        // Names that the engine cannot have matter where they are read.
        let columns = binarizer.columns().iter();
        let names: Vec<_> = columns.map(|column| dialect.identifier(&column.name)).collect();
        for &test in &read {
            names[binarizer.bits()[test].column].clone()?;
        }
        Ok(Self {
            names: names.into_iter().map(Result::unwrap_or_default).collect(),
            columns: vec![None; binarizer.columns().len()],
            tests: vec![None; binarizer.bits().len()],
            few: read.len() <= TESTS,
            model,
            layers,
        })
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.layers.dialect
    }

    fn column(&mut self, at: usize) -> Value {
        if let Some(value) = &self.columns[at] {
            return value.clone();
        }
        let column = &self.model.binarizer().columns()[at];
        let cleaned = Value::constant(clean(self.dialect(), column, &self.names[at]));
        let value = self.layers.name(cleaned);
        self.columns[at].insert(value).clone()
    }

    /// A test of the model.
    pub(super) fn test(&mut self, test: usize) -> Bit {
        if let Some(bit) = &self.tests[test] {
            return bit.clone();
        }
        let bit = &self.model.binarizer().bits()[test];
        let value = self.column(bit.column);
        let column = &self.model.binarizer().columns()[bit.column];
        let made = Bit::of(condition(self.dialect(), column, &bit.test, &value));
        let made = if self.few { made.named(self.layers) } else { made };
        self.tests[test].insert(made).clone()
    }

    /// 1 where `predict` refuses a row, which has a column of these tests that it cannot have.
    pub(super) fn refused(&mut self, tests: &[usize]) -> Value {
        let mut columns: Vec<usize> =
            tests.iter().map(|&test| self.model.binarizer().bits()[test].column).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut all = Vec::new();
        for at in columns {
            let value = self.column(at);
            let column = &self.model.binarizer().columns()[at];
            if let Some(sql) = refused(self.dialect(), column, &self.names[at], &value) {
                // What reads the column itself is a column of the first layer.
                let reads_itself = self.dialect().is_no_number(&self.names[at]).is_some();
                let bit = if reads_itself && self.layers.is_nested() {
                    let cleaned = Value::constant(clean(self.dialect(), column, &self.names[at]));
                    let sql = refused(self.dialect(), column, &self.names[at], &cleaned).unwrap_or_default();
                    Bit::of(Value::constant(sql)).named(self.layers)
                } else {
                    Bit::of(Value::of(sql, 3, [&value]))
                };
                all.push(bit);
            }
        }
        if all.is_empty() {
            return Value::constant("0");
        }
        any(&all.into_iter().map(|bit| (bit, true)).collect::<Vec<_>>()).value
    }

    /// The answer of a circuit.
    pub(super) fn answer(&mut self, class: &ClassCircuit) -> Bit {
        let circuit = class.circuit();
        let gates = self.gates(circuit);
        let output = circuit.outputs()[0].literal;
        let bit = match output.source {
            Source::Input(input) => self.test(input),
            Source::Gate(gate) => gates[gate].clone(),
        };
        let bit = if output.positive { bit } else { Bit::of(bit.is(false)) };
        bit.named(self.layers)
    }

    /// The gates of a circuit; one that is a sum is its count's condition to be above 0, which no model has.
    pub(super) fn gates(&mut self, circuit: &Circuit) -> Vec<Bit> {
        let readers = circuit.readers();
        let mut gates: Vec<Bit> = Vec::with_capacity(circuit.gates().len());
        for (gate, &readers) in circuit.gates().iter().zip(&readers) {
            let bit = self.gate(gate, &gates);
            let bit = if readers > 1 { bit.named(self.layers) } else { bit.limited(self.layers) };
            gates.push(bit);
        }
        gates
    }

    fn literals(&mut self, gate: &Gate, gates: &[Bit]) -> Vec<(Bit, bool)> {
        let bit = |literal: &Literal| match literal.source {
            Source::Input(input) => (self.test(input), literal.positive),
            Source::Gate(gate) => (gates[gate].clone(), literal.positive),
        };
        gate.literals.iter().map(bit).collect()
    }

    /// The weighted count of a gate's literals.
    pub(super) fn count(&mut self, gate: &Gate, gates: &[Bit]) -> Value {
        let bits = self.literals(gate, gates);
        sum(bits.iter().zip(&gate.literals).map(|((bit, _), literal)| bit.points(literal)).collect())
    }

    fn gate(&mut self, gate: &Gate, gates: &[Bit]) -> Bit {
        match &gate.rule {
            Rule::And => {
                let literals = self.literals(gate, gates);
                all(&literals)
            }
            Rule::Or => {
                let literals = self.literals(gate, gates);
                any(&literals)
            }
            Rule::Xor => Bit::of(self.count(gate, gates).within("{} % 2 = 1")),
            Rule::AtLeast(least) => Bit::of(self.count(gate, gates).within(&format!("{{}} >= {least}"))),
            Rule::Sum => Bit::of(self.count(gate, gates).within("{} > 0")),
            Rule::Counts(ranges) => {
                let most = gate.most();
                let within =
                    ranges.iter().map(|&(from, to)| (from, to.min(most))).filter(|(from, to)| from <= to);
                let ranges: Vec<(u64, u64)> = within.collect();
                let listed: u64 = ranges.iter().map(|(from, to)| to - from + 1).sum();
                let count = self.count(gate, gates);
                if ranges.is_empty() {
                    Bit::of(Value::constant("1 = 0"))
                } else if let [(from, to)] = ranges.as_slice() {
                    Bit::of(count.within(&format!("{{}} BETWEEN {from} AND {to}")))
                } else if listed <= LISTED {
                    let list: Vec<String> = ranges
                        .iter()
                        .flat_map(|&(from, to)| from..=to)
                        .map(|count| count.to_string())
                        .collect();
                    Bit::of(count.within(&format!("{{}} IN ({})", list.join(", "))))
                } else {
                    // The count is asked for each range: by its name, where there are names.
                    let count = self.layers.name(count);
                    let within = |&(from, to): &(u64, u64)| {
                        (Bit::of(count.within(&format!("{{}} BETWEEN {from} AND {to}"))), true)
                    };
                    let bits: Vec<(Bit, bool)> = ranges.iter().map(within).collect();
                    any(&bits)
                }
            }
        }
    }
}

/// Whether all are as they say.
pub(super) fn all(literals: &[(Bit, bool)]) -> Bit {
    if literals.is_empty() {
        return Bit::of(Value::constant("1 = 1"));
    }
    if literals.len() <= JOINED {
        return Bit::of(joined(literals, " AND ", ["", ""]));
    }
    Bit::of(sum(values(literals)).within(&format!("{{}} = {}", literals.len())))
}

fn any(literals: &[(Bit, bool)]) -> Bit {
    match literals {
        [] => Bit::of(Value::constant("1 = 0")),
        [(one, positive)] => Bit::of(one.is(*positive)),
        few if few.len() <= JOINED => Bit::of(joined(few, " OR ", ["(", ")"])),
        many => Bit::of(sum(values(many)).within("{} > 0")),
    }
}

fn joined(literals: &[(Bit, bool)], by: &str, [open, close]: [&str; 2]) -> Value {
    let conditions: Vec<Value> = literals.iter().map(|(bit, positive)| bit.is(*positive)).collect();
    let texts: Vec<&str> = conditions.iter().map(|condition| condition.sql.as_str()).collect();
    Value::of(format!("{open}{}{close}", texts.join(by)), texts.len(), &conditions)
}

fn values(literals: &[(Bit, bool)]) -> Vec<Value> {
    let literal = |(bit, positive): &(Bit, bool)| bit.points(&Literal::input(0).signed(*positive));
    literals.iter().map(literal).collect()
}

/// An engine that folds case must be able to find every column that is read.
fn check_names(model: &Model, dialect: Dialect, read: &[usize]) -> Result<(), SqlError> {
    if !dialect.folds_case() {
        return Ok(());
    }
    let columns = model.binarizer().columns();
    for &test in read {
        let at = model.binarizer().bits()[test].column;
        let name = columns[at].name.to_lowercase();
        let other =
            columns.iter().enumerate().find(|(i, other)| *i != at && other.name.to_lowercase() == name);
        if let Some((_, other)) = other {
            let (first, second) = (columns[at].name.clone(), other.name.clone());
            return Err(SqlError::SameName { dialect: dialect.engine(), first, second });
        }
    }
    Ok(())
}
