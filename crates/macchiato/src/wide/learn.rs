//! Trees and rules as sums of products, each grown from the rows alone.
//!
//! Every way has a number, so that the same can be done on other rows: trees of single inputs, trees whose nodes may test two, and rules of either label,
//! each as it was learned and, where that leaves something out, simplified.

use super::cube::Sop;
use super::rules::{Induction, induce};
use super::sample::Sample;
use super::simplify::simplified;
use super::tree::{Growth, Tree};
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// Prices of a leaf, in errors: from every row explained to the few that matter.
const PENALTIES: [u64; 7] = [0, 1, 2, 4, 8, 16, 32];

/// Rules as (of label 0, new rows that each must cover).
const RULES: [(bool, usize); 6] = [(false, 1), (false, 3), (false, 8), (true, 1), (true, 3), (true, 8)];

/// Pairs of inputs cost their square for every row: as many inputs as 6400 rows of 512 inputs have.
const PAIR_WORK: usize = 6400 * 512 * 512;

/// Terms at most: a longer sum has no reader, and comparing all its terms with each other takes longer than learning them.
const MOST_TERMS: usize = 2000;

/// A tree of single inputs, pruned by each price; numbers from 0 on.
pub(crate) fn trees(sample: &Sample, budget: &Budget) -> Vec<(usize, Sop)> {
    pruned(sample, &Growth::SINGLE, 0, budget)
}

/// Trees of pairs and rules, with the numbers after those of [`trees`].
pub(crate) fn pairs_and_rules(sample: &Sample, seed: u64, budget: &Budget) -> Vec<(usize, Sop)> {
    let rules = || {
        let rules = RULES.into_par_iter().enumerate().flat_map_iter(|(at, (negated, least_rows))| {
            let induction = Induction { negated, least_rows, seed, ..Induction::default() };
            both(sample, 2 * PENALTIES.len() + at, induce(sample, &induction, budget), budget)
        });
        rules.collect::<Vec<_>>()
    };
    let paired_inputs = (PAIR_WORK / sample.len().max(1)).isqrt().max(16);
    let growth = Growth { paired_inputs, ..Growth::PAIRS };
    let (mut found, rules) = rayon::join(|| pruned(sample, &growth, PENALTIES.len(), budget), rules);
    found.extend(rules);
    found
}

fn pruned(sample: &Sample, growth: &Growth, first: usize, budget: &Budget) -> Vec<(usize, Sop)> {
    let tree = Tree::grow(sample, growth, budget);
    let one = |(at, penalty): (usize, u64)| both(sample, first + at, tree.pruned(penalty).sop(), budget);
    PENALTIES.into_iter().enumerate().flat_map(one).collect()
}

/// A sum of products as it was learned, and simplified where that leaves something out; none where it is too long.
fn both(
    sample: &Sample,
    number: usize,
    sop: Sop,
    budget: &Budget,
) -> impl Iterator<Item = (usize, Sop)> + use<> {
    let sop = Some(sop).filter(|sop| sop.cubes.len() <= MOST_TERMS);
    let fewer = sop
        .as_ref()
        .and_then(|sop| simplified(sop, sample, budget).filter(|fewer| fewer.literals() < sop.literals()));
    let learned = sop.map(|sop| (2 * number, sop));
    learned.into_iter().chain(fewer.map(|fewer| (2 * number + 1, fewer)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;

    #[test]
    fn the_same_seed_gives_the_same_cubes_and_every_way_its_own_number() {
        let train = random_rows(24, 400, 5, |row| row[0].count_ones() > 12);
        let learned = || pairs_and_rules(&train, 7, &Budget::unlimited());
        assert_eq!(learned(), learned());
        let mut numbers: Vec<usize> =
            trees(&train, &Budget::unlimited()).into_iter().chain(learned()).map(|way| way.0).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all);
    }

    #[test]
    fn samples_of_few_rows_and_spent_budgets_have_answers() {
        let spent = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
        for rows in 0..8 {
            let sample = random_rows(3, rows, 6, |row| row[0] & 1 == 1);
            for budget in [&Budget::unlimited(), &spent] {
                assert!(trees(&sample, budget).len() >= 7);
                assert!(pairs_and_rules(&sample, 0, budget).len() >= 13);
            }
        }
    }
}
