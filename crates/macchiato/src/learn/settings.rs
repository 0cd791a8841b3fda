//! What a search may be switched to: for those who work on the learner, and `lab ablate`.

use super::candidate::Family;
use super::graph::GraphParams;
use super::rules::RuleParams;

/// How to search; nothing of it is part of a model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// How decision graphs are looked for.
    pub graph: GraphParams,
    /// How rules that vote are looked for.
    pub rules: RuleParams,
    /// Look for circuits of every size, even where the rule has been found.
    pub whole_front: bool,
    /// Searches that are left out.
    pub without: Vec<Family>,
    /// Nats that a condition costs its reader: one that does not explain at least this much of the rows that judge is not worth reading. 0.5 and 1 cost more
    /// than a point of accuracy on data that decided nothing (`lab ablate`); below 0.3 circuits grow long.
    pub reading: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            graph: GraphParams::default(),
            rules: RuleParams::default(),
            whole_front: false,
            without: Vec::new(),
            reading: 0.3,
        }
    }
}

impl Settings {
    /// All sizes are wanted.
    #[must_use]
    pub fn whole_front(mut self) -> Self {
        self.whole_front = true;
        self
    }
}
