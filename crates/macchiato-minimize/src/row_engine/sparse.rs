//! A set of few rows among many: only the words that are not 0, so that a pass costs what the set holds.
//!
//! The edge of a term (rows that one literal alone stops) is such a set: expand asks about it for every literal.

/// A bit set as its words that are not 0, each with its place: short where few rows are left of many.
#[derive(Debug, Clone)]
pub(super) struct Sparse(Vec<(u32, u64)>);

impl FromIterator<(u32, u64)> for Sparse {
    fn from_iter<I: IntoIterator<Item = (u32, u64)>>(words: I) -> Self {
        Self(words.into_iter().filter(|(_, bits)| *bits != 0).collect())
    }
}

impl Sparse {
    pub(super) fn new(words: impl IntoIterator<Item = u64>) -> Self {
        (0..).zip(words).collect()
    }

    /// The words that are not 0, in order.
    pub(super) fn iter(&self) -> std::slice::Iter<'_, (u32, u64)> {
        self.0.iter()
    }

    /// Number of words, the cost of a pass.
    pub(super) const fn words(&self) -> usize {
        self.0.len()
    }

    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
    }
}
