//! What a search may be switched to: for those who work on the learner, and `lab ablate`.

use super::graph::GraphParams;

/// How to search; nothing of it is part of a model.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Settings {
    /// How decision graphs are looked for.
    pub graph: GraphParams,
    /// Look for circuits of every size, even where the rule has been found.
    pub whole_front: bool,
}

impl Settings {
    /// All sizes are wanted.
    #[must_use]
    pub fn whole_front(mut self) -> Self {
        self.whole_front = true;
        self
    }
}
