//! How hard to try.

use crate::words::Symbols;

/// Limits that do not depend on the clock: the same limits give the same explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainOptions {
    /// Conflicts that the SAT solver may meet for one explanation, once each part of it has an answer; `u64::MAX` searches until
    /// everything is proven.
    pub conflicts: u64,
    /// Nodes of the decision diagram that one count may take.
    pub nodes: usize,
    /// How operators are spelled in formulas.
    pub symbols: Symbols,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        Self { conflicts: 10_000, nodes: 1 << 17, symbols: Symbols::UNICODE }
    }
}

impl ExplainOptions {
    /// Only the budget ends the search, and diagrams may be as large as memory easily holds.
    #[must_use]
    pub const fn exact(self) -> Self {
        Self { conflicts: u64::MAX, nodes: 1 << 22, ..self }
    }
}
