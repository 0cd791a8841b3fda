//! placeholder
use crate::stage::Signed;
use macchiato_minimize::{Budget, Options, Rows as CellRows, minimize_rows};

/// An OR of terms, or its complement.
#[derive(Debug, Clone)]
pub struct Sop {
    pub complement: bool,
    pub terms: Vec<Vec<Signed>>,
}

/// Learners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    Tree,
}
impl Learner {
    pub const FIRST: Learner = Learner::Tree;
    pub const OTHERS: [Learner; 0] = [];
    pub fn name(self) -> &'static str {
        "tree"
    }
}

/// learn
pub fn learn(
    learner: Learner,
    columns: &[&[u64]],
    labels: &[u64],
    rows: usize,
    seed: u64,
    budget: &Budget,
) -> Sop {
    let _ = (learner, columns, labels, rows, seed, budget);
    Sop { complement: false, terms: Vec::new() }
}
