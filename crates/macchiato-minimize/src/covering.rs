//! The unate covering problem: fewest columns that hit every row, fewest literals second.
//!
//! Every engine ends here: rows are ON points (or regions of them), columns are candidate terms. Reductions (essential
//! columns, row and column dominance) leave a core; its independent blocks are solved one by one with a Lagrangian
//! bound and a greedy primal, and in exact mode by branch and bound on that bound. The bound is evaluated in integers,
//! so it is proven whatever the floats did on the way. Last, terms that tie are swapped for ones with fewer literals.
//!
//! Costs a few hundred passes over the entries; the same seed gives the same choice.

mod branch;
mod greedy;
mod lagrangian;
mod matrix;
mod polish;
mod reduce;

use crate::budget::Budget;
use matrix::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Rows to be covered and the columns that cover them.
#[derive(Debug, Clone)]
pub(crate) struct Covering {
    rows: usize,
    /// Column j covers `entries[starts[j]..starts[j + 1]]`, in increasing order.
    starts: Vec<usize>,
    entries: Vec<u32>,
    literals: Vec<u32>,
}

/// How hard to try.
#[derive(Debug, Clone)]
pub(crate) struct Effort {
    /// Branch and bound until proven.
    pub(crate) exact: bool,
    pub(crate) seed: u64,
    pub(crate) budget: Budget,
}

/// Columns that cover every row.
#[derive(Debug, Clone)]
pub(crate) struct Solution {
    /// Chosen columns, in increasing order.
    pub(crate) columns: Vec<usize>,
    /// No choice among the given columns is smaller: proven.
    pub(crate) lower_bound: usize,
    /// The budget was spent first.
    pub(crate) interrupted: bool,
}

impl Covering {
    pub(crate) fn new(rows: usize) -> Self {
        Self { rows, starts: vec![0], entries: Vec::new(), literals: Vec::new() }
    }

    /// Adds a column that covers `rows` (increasing) and costs `literals` where terms tie.
    pub(crate) fn push_column(&mut self, rows: impl IntoIterator<Item = u32>, literals: usize) {
        self.entries.extend(rows);
        self.starts.push(self.entries.len());
        self.literals.push(literals as u32);
    }

    /// The best choice found. Rows that no column covers are ignored.
    pub(crate) fn solve(&self, effort: &Effort) -> Solution {
        let full = Matrix::new(self.rows, &self.starts, &self.entries, &self.literals);
        let mut rng = ChaCha8Rng::seed_from_u64(effort.seed);
        let reduced = reduce::reduce(&full, &effort.budget);
        let mut columns = reduced.chosen;
        let mut lower_bound = columns.len();
        let mut interrupted = false;
        let blocks = reduced.core.blocks();
        for block in &blocks {
            let mut part = lagrangian::solve(block, &mut rng, &effort.budget);
            if effort.exact && part.lower_bound < part.columns.len() {
                branch::prove(block, &mut part, &effort.budget);
            }
            lower_bound += part.lower_bound;
            interrupted |= part.interrupted;
            columns.extend(part.columns.iter().map(|&c| block.name(c)));
            effort.budget.report("covering", None, lower_bound);
        }
        polish::fewer_literals(&full, &mut columns, &effort.budget);
        columns.sort_unstable();
        Solution { columns, lower_bound, interrupted }
    }
}

/// An answer for one block, in the block's own column numbers.
#[derive(Debug, Clone)]
struct Part {
    columns: Vec<usize>,
    lower_bound: usize,
    interrupted: bool,
}

#[cfg(test)]
mod tests;
