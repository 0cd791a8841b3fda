//! What the gates of a certificate or record answer: from the values of what they read, and on all points of the cube.

use crate::reach::{Column, Reach};
use macchiato_check::certificate::{Gate, Kind, Neuron, Operand, Rule, Source};
use std::sync::Arc;

/// What a gate answers where its count is `count`, and `whole` if everything holds. A fold stands for the number that its bank gives, which
/// must be as odd as its count: none where it is not.
pub(crate) fn answer(gate: &Gate, count: u64, whole: u64) -> Option<u64> {
    match &gate.kind {
        Kind::Rule(rule) => Some(rule.value(count, whole)),
        Kind::Relay => Some(count),
        Kind::Nor => Some(u64::from(count == 0)),
        Kind::Fold => {
            let count = i128::from(count);
            let response = |neuron: &Neuron| {
                let sum = i128::from(neuron.slope) * count + i128::from(neuron.offset);
                i128::from(neuron.coefficient) * sum.max(0)
            };
            let value = i128::from(gate.base) + gate.neurons.iter().map(response).sum::<i128>();
            u64::try_from(value).ok().filter(|value| i128::from(value % 2) == count % 2)
        }
    }
}

/// The points a literal of a value counts.
pub(crate) const fn points(operand: &Operand, value: u64) -> u64 {
    operand.weight * if operand.positive { value } else { 1u64.saturating_sub(value) }
}

/// The signals that a gate reads, each once, in the order in which they come.
pub(crate) fn sources(gate: &Gate) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for operand in &gate.operands {
        if !sources.contains(&operand.source) {
            sources.push(operand.source);
        }
    }
    sources
}

/// The literals of a gate with their points.
pub(crate) fn literals(gate: &Gate) -> Vec<(Source, bool, u64)> {
    gate.operands.iter().map(|operand| (operand.source, operand.positive, operand.weight)).collect()
}

/// Where a gate answers 1, or an odd number, on all points of the cube.
pub(crate) fn column(reach: &Reach, gate: &Gate) -> Arc<Column> {
    let nowhere = || vec![0; reach.everywhere().len()];
    match (&gate.kind, gate.operands.as_slice()) {
        (Kind::Relay | Kind::Fold, &[Operand { source, positive: true, .. }]) => {
            reach.column(source).map_or_else(|| Arc::new(reach.everywhere()), Arc::clone)
        }
        // Signals that count further have columns of their parity, so that parities are all that may be counted of them.
        (Kind::Fold | Kind::Rule(Rule::Xor), _) => {
            Arc::new(word_by_word(reach, gate, nowhere(), |a, b| a ^ b))
        }
        // Most gates, so they are not counted.
        (Kind::Rule(Rule::And), _) => Arc::new(word_by_word(reach, gate, reach.everywhere(), |a, b| a & b)),
        (Kind::Rule(Rule::Or), _) => Arc::new(word_by_word(reach, gate, nowhere(), |a, b| a | b)),
        _ => {
            let whole = gate.operands.iter().map(|operand| operand.weight).sum();
            Arc::new(reach.counting(&literals(gate), |count| answer(gate, count, whole) == Some(1)))
        }
    }
}

/// The columns of a gate's literals, put together.
fn word_by_word(reach: &Reach, gate: &Gate, mut column: Column, join: impl Fn(u64, u64) -> u64) -> Column {
    for operand in &gate.operands {
        let flip = if operand.positive { 0 } else { u64::MAX };
        let read = reach.column(operand.source).map_or(&[][..], |column| column.as_slice());
        column.iter_mut().zip(read).for_each(|(word, read)| *word = join(*word, read ^ flip));
    }
    column.iter_mut().zip(reach.everywhere()).for_each(|(word, all)| *word &= all);
    column
}
