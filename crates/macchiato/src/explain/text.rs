//! Explanations in words, for a terminal or a notebook.

mod difference;
mod numbers;
mod overview;
mod prediction;

use super::{Difference, ModelExplanation, PredictionExplanation, Subject};
use crate::words::{Symbols, Words, one_line};

/// How a text sets off what matters; without more it does not.
pub trait Emphasis {
    /// What to look at first.
    fn bold(&self, text: &str) -> String {
        text.to_owned()
    }

    /// What can be passed over.
    fn dim(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// Nothing is set off.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Emphasis for Plain {}

/// How explanations of one subject are worded.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    /// Whether the features are the columns of a table; otherwise they are inputs.
    table: bool,
    symbols: Symbols,
    emphasis: &'a dyn Emphasis,
}

impl<'a> Wording<'a> {
    /// The words for `subject`; `symbols` are those of the explanation's formulas.
    #[must_use]
    pub const fn of(subject: &Subject<'_>, symbols: Symbols, emphasis: &'a dyn Emphasis) -> Self {
        Self { table: matches!(subject.words(), Words::Bits(_)), symbols, emphasis }
    }

    const fn feature(&self) -> &'static str {
        if self.table { "column" } else { "input" }
    }

    fn arrow(&self) -> &'static str {
        if self.symbols == Symbols::ASCII { "->" } else { "→" }
    }

    fn bold(&self, text: &str) -> String {
        self.emphasis.bold(&one_line(text))
    }

    fn dim(&self, text: &str) -> String {
        self.emphasis.dim(&one_line(text))
    }
}

impl ModelExplanation {
    /// The explanation in words; `source` is what the rows are called that it was also counted on.
    #[must_use]
    pub fn text(&self, source: Option<&str>, wording: &Wording<'_>) -> String {
        overview::Lines { source, wording }.of(self)
    }
}

impl PredictionExplanation {
    /// The explanation in words.
    #[must_use]
    pub fn text(&self, wording: &Wording<'_>) -> String {
        prediction::text(self, wording)
    }
}

impl Difference {
    /// The comparison in words; `names` are those of the two, and `near` says whether a row was the point of reference.
    #[must_use]
    pub fn text(&self, names: [&str; 2], near: bool, wording: &Wording<'_>) -> String {
        difference::text(self, names, near, wording)
    }
}
