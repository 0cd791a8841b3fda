//! Formulas in words: terms, stages and circuits over named inputs, or over bits in the words of the table that they test.
//!
//! Over bits, negations are folded into the words (`age <= 41.5`, `job != clerk`) and the tests that one product makes of one
//! column are merged (`41.5 < age <= 60`). A merged text says exactly what its literals say; tests that contradict each other
//! are left as they are.

use crate::binarize::Binarizer;
use crate::circuit::Circuit;
use crate::stage::{Signed, Stage};

/// How operators are spelled; `and` has its spaces, the others are put between spaces or before a name.
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
#[derive(Debug, Clone, Copy)]
pub enum Words<'a> {
    /// By their names.
    Names(&'a [String]),
    /// As tests of a table's columns.
    Bits(&'a Binarizer),
}

impl Words<'_> {
    /// The conditions of one product, each a text that stands for itself; none where it has no literals.
    #[must_use]
    pub fn conditions(&self, literals: &[Signed], symbols: Symbols) -> Vec<String> {
        let _ = (literals, symbols);
        todo!()
    }

    /// One product term; without literals it is 1 everywhere.
    #[must_use]
    pub fn term(&self, literals: &[Signed], symbols: Symbols) -> String {
        match self.conditions(literals, symbols) {
            none if none.is_empty() => "1".to_owned(),
            conditions => conditions.join(symbols.and),
        }
    }

    /// A stage on one line; without terms it is 0 everywhere.
    #[must_use]
    pub fn stage(&self, stage: &Stage, symbols: Symbols) -> String {
        let _ = (stage, symbols);
        todo!()
    }

    /// A circuit on one line: the XOR of its stages that have terms.
    #[must_use]
    pub fn circuit(&self, circuit: &Circuit, symbols: Symbols) -> String {
        let _ = (circuit, symbols);
        todo!()
    }
}
