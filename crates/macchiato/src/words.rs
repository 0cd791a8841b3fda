//! Formulas in words: terms, stages and circuits over named inputs, or over bits in the words of the table that they test.
//!
//! Over bits, negations are folded into the words (`age <= 41.5`, `job != clerk`) and the tests that one product makes of one
//! column are merged (`41.5 < age <= 60`). A merged text says exactly what its literals say. Where the training rows have gaps,
//! a value that is not above a cut may be missing, and the text says so: `(age <= 41.5 or missing)`. Tests that contradict each
//! other are left as they are.

mod gates;
mod merge;
mod numbers;

use std::fmt::Display;

use crate::binarize::Binarizer;
use crate::circuit::{Gate, Rule};
use crate::stage::{Signed, Stage};

pub use gates::Said;

/// How operators are spelled; `and` has its spaces, `not` stands before a name, the others between spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbols {
    /// Between the literals of a product.
    pub and: &'static str,
    /// Between the products of a stage.
    pub or: &'static str,
    /// Before a name.
    pub not: &'static str,
    /// Between stages.
    pub xor: &'static str,
}

impl Symbols {
    /// `∧ ∨ ¬ ⊕`.
    pub const UNICODE: Self = Self { and: " ∧ ", or: "∨", not: "¬", xor: "⊕" };
    /// `& | ! ^`.
    pub const ASCII: Self = Self { and: " & ", or: "|", not: "!", xor: "^" };
    /// `AND OR NOT XOR`.
    pub const WORDS: Self = Self { and: " AND ", or: "OR", not: "NOT ", xor: "XOR" };
}

/// What the inputs of a circuit are called.
///
/// ```
/// use macchiato::words::{Symbols, Words};
///
/// let names = ["a".to_owned(), "b".to_owned()];
/// assert_eq!(Words::Names(&names).term(&[(0, true), (1, false)], Symbols::WORDS), "a AND NOT b");
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Words<'a> {
    /// By their names.
    Names(&'a [String]),
    /// As tests of a table's columns.
    Bits(&'a Binarizer),
}

impl Words<'_> {
    /// The conditions of one product, each a text that stands for itself; none where it has no literals.
    ///
    /// # Panics
    /// If a literal is of an input that there is not.
    #[must_use]
    pub fn conditions(&self, literals: &[Signed], symbols: Symbols) -> Vec<String> {
        let conditions: Vec<String> = match self {
            Self::Names(names) => literals
                .iter()
                .map(|&(input, positive)| {
                    format!("{}{}", if positive { "" } else { symbols.not }, names[input])
                })
                .collect(),
            Self::Bits(binarizer) => merge::conditions(binarizer, literals, symbols),
        };
        conditions.into_iter().map(one_line).collect()
    }

    /// One product term; without literals it is 1 everywhere.
    ///
    /// # Panics
    /// If a literal is of an input that there is not.
    #[must_use]
    pub fn term(&self, literals: &[Signed], symbols: Symbols) -> String {
        match self.conditions(literals, symbols) {
            none if none.is_empty() => "1".to_owned(),
            conditions => conditions.join(symbols.and),
        }
    }

    /// A stage on one line; without terms it is 0 everywhere.
    ///
    /// # Panics
    /// If the stage reads an input that there is not.
    #[must_use]
    pub fn stage(&self, stage: &Stage, symbols: Symbols) -> String {
        let terms: Vec<Vec<Signed>> = stage.terms().collect();
        let alone = terms.len() == 1;
        let bracketed = |term: &Vec<Signed>| match self.conditions(term, symbols).len() {
            0 | 1 => self.term(term, symbols),
            _ if alone => self.term(term, symbols),
            _ => format!("({})", self.term(term, symbols)),
        };
        match terms.as_slice() {
            [] => "0".to_owned(),
            _ => terms.iter().map(bracketed).collect::<Vec<_>>().join(&format!(" {} ", symbols.or)),
        }
    }
}

/// What a gate does, in a few words: `AND`, `at least 3 of 7`, `exactly 2 of 6`, `at least 12 of 30 points`.
#[must_use]
pub fn rule(gate: &Gate) -> String {
    let points = gate.has_points();
    let unit = if points { " points" } else { "" };
    match &gate.rule {
        Rule::And if gate.literals.is_empty() => "1".to_owned(),
        Rule::Or | Rule::Xor if gate.literals.is_empty() => "0".to_owned(),
        Rule::And => "AND".to_owned(),
        Rule::Or => "OR".to_owned(),
        Rule::Xor => "XOR".to_owned(),
        Rule::Counts(ranges) if ranges.is_empty() => "0".to_owned(),
        Rule::Sum if points => "points".to_owned(),
        Rule::Sum => "count".to_owned(),
        rule => format!("{} of {}{unit}", many(rule).unwrap_or_default(), gate.most()),
    }
}

/// Which counts a gate asks for: `at least 3`, `exactly 2`, `at most 1`, `0, 3 to 5 or 8`. None for other rules.
fn many(rule: &Rule) -> Option<String> {
    match rule {
        Rule::AtLeast(least) => Some(format!("at least {least}")),
        Rule::Counts(ranges) => Some(match ranges.as_slice() {
            &[(from, to)] if from == to => format!("exactly {from}"),
            &[(0, to)] => format!("at most {to}"),
            ranges => numbers(ranges),
        }),
        _ => None,
    }
}

/// `2`, `2 or 4`, `0, 3 to 5 or 8`.
fn numbers(ranges: &[(u64, u64)]) -> String {
    let range =
        |&(from, to): &(u64, u64)| if from == to { from.to_string() } else { format!("{from} to {to}") };
    match ranges {
        [] => "none".to_owned(),
        [only] => range(only),
        [before @ .., last] => {
            let before: Vec<String> = before.iter().map(range).collect();
            format!("{} or {}", before.join(", "), range(last))
        }
    }
}

/// `text` with line ends spelled out: a name that has one must not begin a line of its own in a text for people.
#[must_use]
pub fn one_line(text: impl Into<String>) -> String {
    let text = text.into();
    if !text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        return text;
    }
    let spell = |c: char| match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\u{85}' | '\u{2028}' | '\u{2029}' => format!("\\u{{{:x}}}", u32::from(c)),
        _ => c.to_string(),
    };
    text.chars().map(spell).collect()
}

/// `1 row`, `2 rows`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A whole number with separated thousands: `12,345`.
#[must_use]
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `97.5 %`; 100 % only where nothing is missing.
#[must_use]
pub fn percent(share: f64) -> String {
    let shown = if share < 1.0 { (100.0 * share).min(99.9) } else { 100.0 };
    format!("{shown:.1} %")
}

#[cfg(test)]
mod tests;
