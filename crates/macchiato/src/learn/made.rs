//! The stages of a candidate that has some, as their learner knows them.

use crate::fit::Shape;
use crate::stage::Stage;

/// What only the learner knows about a stage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) shape: Shape,
    /// No cover of the stage's table has fewer terms.
    pub(super) lower_bound: usize,
}

/// Stages whose XOR a circuit is.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) stages: Vec<Stage>,
    pub(super) known: Vec<Known>,
}
