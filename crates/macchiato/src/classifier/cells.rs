//! Probabilities: how often the training rows of a circuit's cell were of its class.
//!
//! The cells of a circuit are its answers, 0 and 1, or, where that describes the labels in fewer nats, its *patterns*: for
//! each stage the number of the first of its terms that holds (from 1), or 0 where none does. With n1 of a cell's n training
//! rows of the class, its probability is (n1 + a) / (n + 2a), where a is the prior of the evidence (0.02, 0.2 or 1) that
//! describes the labels best. A pattern that no training row has counts as its answer. The circuit has the last word: where
//! the frequency of a cell contradicts its answer, the probability is one half, and a 2^-20 towards the answer.

/// The counts of the training rows in the cells of one circuit.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The prior, a.
    pub(super) prior: f64,
    /// For the answers 0 and 1: training rows that are not of the class, and that are; in millionths of weight where the rows
    /// are weighted.
    pub(super) answers: [[u64; 2]; 2],
    /// The same for each pattern, in increasing order; empty where the cells are the answers.
    pub(super) patterns: Vec<(Vec<u16>, [u64; 2])>,
}
