//! Decision trees over bits whose nodes may test two inputs at once, and the cubes of their leaves.
//!
//! A comparator or a carry chain looks at two inputs a bit position: a tree of single inputs spends two levels (and
//! three quarters of its rows) on each, a test such as `a & !b` one level and the rows it decides. Tests of pairs are far more
//! numerous, so each test pays the bits that it takes to name it before its information gain counts (`split`).
//! Growing goes on until leaves are pure; `pruned` then takes back what does not pay for its leaves.
//!
//! Cost: a level of single tests is about a pass over the sample, one of pair tests inputs^2 / 128 passes.

mod split;

use crate::wide::cube::{Cube, Sop, product};
use crate::wide::sample::Sample;
use macchiato_minimize::Budget;
use split::Splitter;
pub(crate) use split::Test;

/// What a tree may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Growth {
    /// Tests of pairs are tried among this many inputs, drawn anew for each tree if there are more; 0 for none.
    pub(crate) paired_inputs: usize,
    /// A path whose condition takes more cubes than this tests single inputs only.
    pub(crate) path_cubes: usize,
    /// Seed of the draw.
    pub(crate) seed: u64,
}

impl Growth {
    /// Single inputs only.
    pub(crate) const SINGLE: Self = Self { paired_inputs: 0, path_cubes: 0, seed: 0 };
    /// Pairs of all inputs.
    pub(crate) const PAIRS: Self = Self { paired_inputs: usize::MAX, path_cubes: 256, seed: 0 };
}

/// A decision tree.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    /// The root comes first, every node before its children.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// Rows of the sample that reach the node, with label 0 and with label 1.
    counts: [usize; 2],
    /// The test and where to go when it fails and when it holds; none for a leaf.
    split: Option<(Test, [usize; 2])>,
}

impl Node {
    const fn label(&self) -> bool {
        self.counts[1] > self.counts[0]
    }

    fn errors(&self) -> u64 {
        self.counts[0].min(self.counts[1]) as u64
    }
}

impl Tree {
    /// Grows a tree until no test tells the rows of a leaf apart, or the budget is spent.
    #[must_use]
    pub(crate) fn grow(sample: &Sample, growth: &Growth, budget: &Budget) -> Self {
        let (ones, zeros): (Vec<u32>, Vec<u32>) =
            (0..sample.len() as u32).partition(|&r| sample.label(r as usize));
        let mut splitter = Splitter::new(sample, growth);
        let mut nodes = Vec::new();
        // Depth first with a stack of its own: a tree over wide rows can be as deep as it has rows.
        let mut open = vec![(None, zeros, ones, vec![Cube::new()])];
        while let Some((parent, zeros, ones, path)) = open.pop() {
            let at = nodes.len();
            nodes.push(Node { counts: [zeros.len(), ones.len()], split: None });
            if let Some((parent, side)) = parent {
                let parent: &mut Node = &mut nodes[parent];
                if let Some((_, children)) = &mut parent.split {
                    children[usize::from(side)] = at;
                }
            }
            if zeros.is_empty() || ones.is_empty() || budget.spent() {
                continue;
            }
            let Some(test) = splitter.best(&zeros, &ones, path.len() <= growth.path_cubes) else { continue };
            nodes[at].split = Some((test, [0, 0]));
            let part = |rows: Vec<u32>| -> (Vec<u32>, Vec<u32>) {
                rows.into_iter().partition(|&r| test.holds(sample.row(r as usize)))
            };
            let ((zeros_in, zeros_out), (ones_in, ones_out)) = (part(zeros), part(ones));
            // Only the pair tests' limit looks at paths.
            let tracked = growth.paired_inputs > 0;
            let path_of = |side| if tracked { product(&path, &test.cubes(side)) } else { Vec::new() };
            open.push((Some((at, true)), zeros_in, ones_in, path_of(true)));
            open.push((Some((at, false)), zeros_out, ones_out, path_of(false)));
        }
        Self { nodes }
    }

    #[cfg(test)]
    /// The label that the tree gives to a row.
    #[must_use]
    pub(crate) fn predict(&self, row: &[u64]) -> bool {
        let mut at = 0;
        while let Some((test, children)) = self.nodes[at].split {
            at = children[usize::from(test.holds(row))];
        }
        self.nodes[at].label()
    }

    /// The subtree with the fewest errors on the sample it was grown from when each leaf costs as much as `penalty`
    /// errors (cost-complexity pruning).
    #[must_use]
    pub(crate) fn pruned(&self, penalty: u64) -> Self {
        let mut tree = self.clone();
        let mut costs = vec![0; tree.nodes.len()];
        for (at, node) in tree.nodes.iter_mut().enumerate().rev() {
            costs[at] = node.errors() + penalty;
            if let Some((_, [fails, holds])) = node.split {
                if costs[fails] + costs[holds] < costs[at] {
                    costs[at] = costs[fails] + costs[holds];
                } else {
                    node.split = None;
                }
            }
        }
        tree
    }

    /// The tree as a sum of products: the paths to its leaves of the label that takes fewer cubes.
    #[must_use]
    pub(crate) fn sop(&self) -> Sop {
        let mut cubes = [Vec::new(), Vec::new()];
        let mut open = vec![(0, vec![Cube::new()])];
        while let Some((at, path)) = open.pop() {
            let node = &self.nodes[at];
            match node.split {
                None => cubes[usize::from(node.label())].extend(path),
                Some((test, children)) => {
                    for side in [true, false] {
                        open.push((children[usize::from(side)], product(&path, &test.cubes(side))));
                    }
                }
            }
        }
        let [zeros, ones] = cubes;
        let negated = zeros.len() < ones.len();
        Sop { cubes: if negated { zeros } else { ones }, negated }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;

    /// The bits of a number interleaved with those of another: is the one greater?
    fn greater(row: &[u64]) -> bool {
        let bit = |i: usize| row[0] >> i & 1;
        (0..10).rev().map(|k| (bit(2 * k), bit(2 * k + 1))).find(|(a, b)| a != b).is_some_and(|(a, _)| a == 1)
    }

    #[test]
    fn pairs_learn_a_comparator_that_single_inputs_do_not() {
        let (train, test) = (random_rows(20, 2000, 1, greater), random_rows(20, 2000, 2, greater));
        let single = Tree::grow(&train, &Growth::SINGLE, &Budget::unlimited());
        let pairs = Tree::grow(&train, &Growth::PAIRS, &Budget::unlimited());
        let wrong = |tree: &Tree| (0..2000).filter(|&r| tree.predict(test.row(r)) != test.label(r)).count();
        assert!(2 * wrong(&pairs) < wrong(&single));
    }

    #[test]
    fn the_sop_is_the_tree() {
        let train = random_rows(20, 600, 3, |row| (row[0] ^ row[0] >> 7).count_ones() % 3 == 1);
        let test = random_rows(20, 1000, 4, |_| false);
        for growth in [Growth::SINGLE, Growth::PAIRS, Growth { paired_inputs: 8, ..Growth::PAIRS }] {
            for penalty in [0, 1, 3] {
                let tree = Tree::grow(&train, &growth, &Budget::unlimited()).pruned(penalty);
                let sop = tree.sop();
                assert!((0..test.len()).all(|r| tree.predict(test.row(r)) == sop.predict(test.row(r))));
            }
        }
    }

    #[test]
    fn unpruned_trees_fit_their_rows_and_heavy_penalties_leave_a_constant() {
        let train = random_rows(30, 500, 5, greater);
        let tree = Tree::grow(&train, &Growth::SINGLE, &Budget::unlimited());
        assert!((0..train.len()).all(|r| tree.predict(train.row(r)) == train.label(r)));
        assert!(tree.pruned(1000).sop().cubes.len() <= 1);
    }

    #[test]
    fn no_rows_give_the_constant_zero() {
        let sop = Tree::grow(&Sample::new(3), &Growth::PAIRS, &Budget::unlimited()).sop();
        assert!(!sop.predict(&[0b101]));
    }
}
