//! Bagged trees: a teacher for functions of deep logic, where boosted trees of bounded depth see nothing.
//!
//! Each tree is grown to the end from rows drawn with replacement; the vote averages out what they made up (Breiman
//! 1996). Of wide samples each tree pairs only some inputs, which bounds its cost.

use rand_chacha::rand_core::Rng;

use crate::random::Stream;
use crate::wide::sample::{Sample, below};
use crate::wide::tree::{Growth, Tree};
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// How to grow a forest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bagging {
    /// Number of trees; odd, so that votes are not tied.
    pub(crate) trees: usize,
    /// Inputs that one tree pairs at most.
    pub(crate) paired_inputs: usize,
    /// Seed of the draws.
    pub(crate) seed: u64,
}

impl Default for Bagging {
    fn default() -> Self {
        Self { trees: 31, paired_inputs: 128, seed: 0 }
    }
}

/// Trees that vote.
#[derive(Debug, Clone)]
pub(crate) struct Forest {
    trees: Vec<Tree>,
}

impl Forest {
    /// Grows the trees; once the budget is spent, they stay small.
    #[must_use]
    pub(crate) fn fit(sample: &Sample, bagging: &Bagging, budget: &Budget) -> Self {
        let mut rng = Stream::Bagging.of(bagging.seed);
        let seeds: Vec<u64> = (0..bagging.trees).map(|_| rng.next_u64()).collect();
        let tree = |seed: u64| {
            let mut rng = Stream::Bag.of(seed);
            let rows: Vec<u32> = (0..sample.len()).map(|_| below(&mut rng, sample.len()) as u32).collect();
            let growth = Growth { paired_inputs: bagging.paired_inputs, seed, ..Growth::PAIRS };
            Tree::grow(&sample.subset(&rows), &growth, budget)
        };
        Self { trees: seeds.into_par_iter().map(tree).collect() }
    }

    /// For each row the votes for label 1 minus those for label 0, as a share of the trees.
    #[must_use]
    pub(crate) fn scores(&self, rows: &Sample) -> Vec<f64> {
        let score = |r: usize| {
            let ones = self.trees.iter().filter(|tree| tree.predict(rows.row(r))).count();
            2.0 * ones as f64 / self.trees.len().max(1) as f64 - 1.0
        };
        (0..rows.len()).into_par_iter().map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;

    #[test]
    fn the_vote_is_better_than_a_tree() {
        let label = |row: &[u64]| (row[0] & 0xFF) + (row[0] >> 8 & 0xFF) > 0xFF;
        let (train, test) = (random_rows(20, 800, 1, label), random_rows(20, 2000, 2, label));
        let forest = Forest::fit(&train, &Bagging::default(), &Budget::unlimited());
        let tree = Tree::grow(&train, &Growth::SINGLE, &Budget::unlimited());
        let voted =
            forest.scores(&test).iter().enumerate().filter(|(r, s)| (**s > 0.0) == test.label(*r)).count();
        let alone = (0..test.len()).filter(|&r| tree.predict(test.row(r)) == test.label(r)).count();
        assert!(voted > alone);
    }
}
