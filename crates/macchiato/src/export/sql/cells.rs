//! Classes and probabilities: the patterns of a circuit's cells looked up, and of several classes the first greatest.

use super::circuits::{Bit, Circuits, all};
use super::layers::Value;
use crate::model::{ClassCircuit, Keys, Model};
use std::fmt::Write as _;

/// Floats that are added side by side: their order counts, so a long sum is a chain of names.
const CHAINED: usize = 50;

/// The class, and the probability of the positive one or of each.
pub(super) fn predictions(model: &Model, circuits: &mut Circuits<'_>) -> (Value, Vec<Value>) {
    let dialect = circuits.dialect();
    let classes: Vec<String> = model.classes().iter().map(|class| dialect.text(class)).collect();
    let tests = super::read(&model.circuits().iter().collect::<Vec<_>>());
    let refused = circuits.refused(&tests);
    let refused = if refused.sql == "0" { refused } else { circuits.layers.name(refused) };
    let unless = |value: Value| {
        if refused.sql == "0" {
            return value;
        }
        let sql = format!("CASE WHEN {} = 1 THEN NULL ELSE {} END", refused.sql, value.sql);
        Value::of(sql, 2, [&refused, &value])
    };
    let answers: Vec<Bit> = model.circuits().iter().map(|class| circuits.answer(class)).collect();
    let mut probabilities = Vec::new();
    for (class, answer) in model.circuits().iter().zip(&answers) {
        let value = probability(class, answer, circuits);
        probabilities.push(circuits.layers.limited(value));
    }
    match (model.positive(), answers.as_slice()) {
        (Some(positive), [answer]) => {
            let (yes, no) = (&classes[positive], &classes[1 - positive]);
            let class = answer.holds.within(&format!("CASE WHEN {{}} THEN {yes} ELSE {no} END"));
            (unless(class), probabilities.into_iter().map(unless).collect())
        }
        (_, []) => {
            let class = classes.first().cloned().unwrap_or_else(|| "NULL".to_owned());
            (Value::constant(class), vec![Value::constant(dialect.number(1.0))])
        }
        _ => {
            let (class, shares) = greatest(&classes, probabilities, circuits);
            (unless(class), shares.into_iter().map(unless).collect())
        }
    }
}

/// The shares of the probabilities in their sum, and the class of the first greatest.
fn greatest(
    classes: &[String],
    probabilities: Vec<Value>,
    circuits: &mut Circuits<'_>,
) -> (Value, Vec<Value>) {
    let probabilities: Vec<Value> =
        probabilities.into_iter().map(|probability| circuits.layers.name(probability)).collect();
    let mut total: Option<Value> = None;
    for few in probabilities.chunks(CHAINED) {
        let parts: Vec<Value> = total.into_iter().chain(few.iter().cloned()).collect();
        let texts: Vec<&str> = parts.iter().map(|part| part.sql.as_str()).collect();
        let chain = Value::of(format!("({})", texts.join(" + ")), parts.len(), &parts);
        total = Some(circuits.layers.name(chain));
    }
    let total = total.unwrap_or_default();
    let share = |probability: &Value| {
        Value::of(format!("{} / {}", probability.sql, total.sql), 1, [probability, &total])
    };
    let shares: Vec<Value> = probabilities
        .iter()
        .map(share)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|value| circuits.layers.name(value))
        .collect();
    let mut best = shares.clone();
    while best.len() > 1 {
        let function = circuits.dialect().greatest();
        let of = |few: &[Value]| {
            let texts: Vec<&str> = few.iter().map(|share| share.sql.as_str()).collect();
            if few.len() == 1 {
                few[0].clone()
            } else {
                Value::of(format!("{function}({})", texts.join(", ")), 1, few)
            }
        };
        best = best.chunks(CHAINED).map(of).collect();
    }
    let best = best.pop().unwrap_or_default();
    let best = circuits.layers.name(best);
    let mut sql = format!("CASE {}", best.sql);
    for (share, class) in shares.iter().zip(classes) {
        let _ = write!(sql, " WHEN {} THEN {class}", share.sql);
    }
    sql.push_str(" END");
    let class = Value::of(sql, 2, shares.iter().chain([&best]));
    (circuits.layers.limited(class), shares)
}

/// A circuit's probability of its class.
fn probability(class: &ClassCircuit, answer: &Bit, circuits: &mut Circuits<'_>) -> Value {
    let dialect = circuits.dialect();
    let of = Keys::of(class);
    let ([no, yes], patterns) = class.cells().by_cell(&of);
    let (no, yes) = (dialect.number(no), dialect.number(yes));
    let by_answer = answer.holds.within(&format!("CASE WHEN {{}} THEN {yes} ELSE {no} END"));
    if patterns.is_empty() {
        return by_answer;
    }
    let keys = keys(class, circuits);
    let known: Vec<(&[u16], String)> =
        patterns.into_iter().map(|(pattern, probability)| (pattern, dialect.number(probability))).collect();
    let looked_up = Value::of(look_up(&keys, &known), keys.len() + 1, &keys);
    let sql = format!("COALESCE({}, {})", looked_up.sql, by_answer.sql);
    Value::of(sql, 1, [&looked_up, &by_answer])
}

/// Each place of the patterns that a circuit's cells have.
pub(super) fn keys(class: &ClassCircuit, circuits: &mut Circuits<'_>) -> Vec<Value> {
    let keys = match Keys::of(class) {
        Keys::Nothing => Vec::new(),
        Keys::Count(circuit, gate, _) => {
            let gates = circuits.gates(circuit);
            vec![circuits.count(gate, &gates)]
        }
        Keys::Stages(stages) => {
            let mut keys = Vec::new();
            for stage in stages {
                let (mut sql, mut terms) = (String::from("CASE"), Vec::new());
                for (t, term) in stage.terms().enumerate() {
                    let literals: Vec<(Bit, bool)> =
                        term.iter().map(|&(input, positive)| (circuits.test(input), positive)).collect();
                    let holds = all(&literals).holds;
                    let _ = write!(sql, " WHEN {} THEN {}", holds.sql, t + 1);
                    terms.push(holds);
                }
                if terms.is_empty() {
                    keys.push(Value::constant("0"));
                } else {
                    keys.push(Value::of(sql + " ELSE 0 END", 2, &terms));
                }
            }
            keys
        }
    };
    keys.into_iter().map(|key| circuits.layers.name(key)).collect()
}

/// The value of the pattern that the keys are; NULL where it is not known. Patterns ascend.
fn look_up(keys: &[Value], known: &[(&[u16], String)]) -> String {
    let Some((key, rest)) = keys.split_first() else {
        return known.first().map_or_else(|| "NULL".to_owned(), |(_, value)| value.clone());
    };
    let mut sql = format!("CASE {}", key.sql);
    for few in known.chunk_by(|a, b| a.0[0] == b.0[0]) {
        let inner: Vec<(&[u16], String)> =
            few.iter().map(|(pattern, value)| (&pattern[1..], value.clone())).collect();
        let _ = write!(sql, " WHEN {} THEN {}", few[0].0[0], look_up(rest, &inner));
    }
    sql + " END"
}
