//! A gate in a few words, for drawings: `AND`, `at least 3 of 7`, `exactly 2 of 6`, `at least 12 of 30 points`.
//!
//! The one place where exports say what a gate does.

use crate::circuit::{Gate, Role, Rule};

/// What the gate does.
pub(crate) fn rule(gate: &Gate) -> String {
    let most = gate.most();
    let unit = if has_points(gate) { " points" } else { "" };
    match &gate.rule {
        Rule::And if gate.literals.is_empty() => "1".to_owned(),
        Rule::Or | Rule::Xor if gate.literals.is_empty() => "0".to_owned(),
        Rule::And => "AND".to_owned(),
        Rule::Or => "OR".to_owned(),
        Rule::Xor => "XOR".to_owned(),
        Rule::AtLeast(least) => format!("at least {least} of {most}{unit}"),
        Rule::Counts(ranges) => match ranges.as_slice() {
            [] => "0".to_owned(),
            [(0, to)] => format!("at most {to} of {most}{unit}"),
            [(from, to)] if from == to => format!("exactly {from} of {most}{unit}"),
            ranges => {
                let range = |&(from, to): &(u64, u64)| {
                    if from == to { from.to_string() } else { format!("{from} to {to}") }
                };
                let ranges: Vec<String> = ranges.iter().map(range).collect();
                format!("{} of {most}{unit}", ranges.join(" or "))
            }
        },
        Rule::Sum if has_points(gate) => "points".to_owned(),
        Rule::Sum => "count".to_owned(),
    }
}

/// What people call the gate, where that is a word.
pub(crate) fn role(gate: &Gate) -> Option<&str> {
    match &gate.role {
        Role::Named(name) => Some(name),
        _ => None,
    }
}

/// Whether its literals have other points than one each.
pub(crate) fn has_points(gate: &Gate) -> bool {
    gate.literals.iter().any(|literal| literal.weight != 1)
}
