//! Formulas in words: terms, stages and circuits over named inputs, or over bits in the words of the table that they test.
//!
//! Over bits, negations are folded into the words (`age <= 41.5`, `job != clerk`) and the tests that one product makes of one
//! column are merged (`41.5 < age <= 60`). A merged text says exactly what its literals say. Where the training rows have gaps,
//! a value that is not above a cut may be missing, and the text says so: `(age <= 41.5 or missing)`. Tests that contradict each
//! other are left as they are.

mod merge;

use crate::binarize::{Binarizer, Test};
use crate::circuit::Circuit;
use crate::stage::{Signed, Stage};

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
        match self {
            Self::Names(names) => literals
                .iter()
                .map(|&(input, positive)| {
                    format!("{}{}", if positive { "" } else { symbols.not }, names[input])
                })
                .collect(),
            Self::Bits(binarizer) => merge::conditions(binarizer, literals, symbols),
        }
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

    /// A circuit on one line: the XOR of its stages that have terms, 0 where there is none.
    ///
    /// # Panics
    /// If the circuit reads an input that there is not.
    #[must_use]
    pub fn circuit(&self, circuit: &Circuit, symbols: Symbols) -> String {
        let stages: Vec<&Stage> = circuit.stages.iter().filter(|stage| !stage.cover.is_empty()).collect();
        let alone = stages.len() == 1;
        // A name stands for itself; a comparison beside another operator would be hard to read.
        let is_name = |&(input, _): &Signed| match self {
            Self::Names(_) => true,
            Self::Bits(binarizer) => binarizer.bits()[input].test == Test::True,
        };
        let simple =
            |stage: &Stage| stage.cover.literals() < 2 && stage.terms().all(|term| term.iter().all(is_name));
        let bracketed = |stage: &&Stage| match self.stage(stage, symbols) {
            text if alone || simple(stage) => text,
            text => format!("({text})"),
        };
        match stages.as_slice() {
            [] => "0".to_owned(),
            _ => stages.iter().map(bracketed).collect::<Vec<_>>().join(&format!(" {} ", symbols.xor)),
        }
    }
}

#[cfg(test)]
mod tests;
