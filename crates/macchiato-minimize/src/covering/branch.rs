//! Branch and bound on the Lagrangian bound: proves the fewest columns, or narrows the gap until the budget is spent.
//!
//! A node takes one row and tries its columns in turn, cheapest reduced cost first; a column that was tried is
//! forbidden in the branches after it. Every node is reduced, cut by its bound, and narrowed by reduced costs: a column
//! too dear for any smaller cover leaves, one too cheap to miss is taken. Blocks that fall apart are solved one by one.
//!
//! Near the root the branches of a node go to all cores. They share nothing, not even a smaller cover that one of them finds, so that
//! the answer is the same for every number of cores; what is given up is little, since the first cover is nearly always the
//! smallest already, and the search is there to prove it.

use super::Part;
use super::greedy;
use super::lagrangian::{self, Prices};
use super::matrix::Matrix;
use super::reduce;
use crate::budget::Budget;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// Branchings below the root that are shared among the cores: with the two to four columns of a branching row that is some
/// hundreds of parts, enough for any machine to be busy until the end.
const SHARED_DEPTH: usize = 6;

/// Improves `part`, an answer for the whole of `matrix`, until it is proven or the budget is spent.
pub(super) fn prove(matrix: &Matrix, part: &mut Part, budget: &Budget) {
    // Names inside the search are this block's numbers.
    let names: Vec<usize> = (0..matrix.columns()).map(|c| matrix.name(c)).collect();
    budget.report("branch and bound", Some(part.columns.len()), part.lower_bound);
    let search = Search { budget, spent: AtomicBool::new(false) };
    let found = search.node(matrix.clone(), part.columns.len(), 0);
    if let Some(columns) = found {
        let local = columns.iter().map(|name| names.binary_search(name).expect("a name of this block"));
        part.columns = local.collect();
    }
    if search.is_spent() {
        part.interrupted = true;
    } else {
        part.lower_bound = part.columns.len();
        part.interrupted = false;
    }
}

struct Search<'a> {
    budget: &'a Budget,
    spent: AtomicBool,
}

impl Search<'_> {
    fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }

    /// A cover of `matrix` with fewer than `limit` columns, by name: the smallest unless the budget was spent.
    fn node(&self, matrix: Matrix, limit: usize, depth: usize) -> Option<Vec<usize>> {
        if self.is_spent() || self.budget.spent() {
            self.spent.store(true, Ordering::Relaxed);
            return None;
        }
        // A row whose columns were all tried, or are all too dear, cannot be covered here any more.
        if (0..matrix.rows()).any(|row| matrix.row(row).is_empty()) {
            return None;
        }
        let reduced = reduce::reduce(&matrix, self.budget);
        drop(matrix);
        let mut chosen = reduced.chosen;
        if reduced.core.rows() == 0 {
            return (chosen.len() < limit).then_some(chosen);
        }
        if chosen.len() >= limit {
            return None;
        }
        let blocks = reduced.core.blocks();
        if blocks.len() == 1 {
            let rest = self.block(&blocks[0], limit - chosen.len(), depth)?;
            chosen.extend(rest);
            return Some(chosen);
        }
        // Bounds of the blocks still to come narrow the ones before them.
        let bounds: Vec<usize> = blocks.iter().map(|block| self.bound(block)).collect();
        let mut to_come: usize = bounds.iter().sum();
        for (block, bound) in blocks.iter().zip(bounds) {
            to_come -= bound;
            let left = limit.checked_sub(chosen.len() + to_come)?;
            chosen.extend(self.block(block, left, depth)?);
        }
        Some(chosen)
    }

    fn bound(&self, block: &Matrix) -> usize {
        let mut cover = greedy_cover(block);
        let mut prices = lagrangian::initial_prices(block);
        lagrangian::ascend(block, &mut prices, &mut cover, 60, self.budget);
        lagrangian::proven_bound(block, &prices.prices)
    }

    /// The same for one connected block without essentials.
    fn block(&self, block: &Matrix, limit: usize, depth: usize) -> Option<Vec<usize>> {
        let mut cover = greedy_cover(block);
        let mut prices = lagrangian::initial_prices(block);
        lagrangian::ascend(block, &mut prices, &mut cover, 150, self.budget);
        let bound = lagrangian::proven_bound(block, &prices.prices);
        let mut best: Option<Vec<usize>> = None;
        let mut limit = limit;
        if cover.len() < limit {
            limit = cover.len();
            best = Some(cover.iter().map(|&c| block.name(c)).collect());
        }
        if bound >= limit {
            return best;
        }
        let mut reduced = vec![0.0; block.columns()];
        lagrangian::reduced_costs(block, &prices.prices, &mut reduced);
        if let Some((fixed, narrowed)) = narrow(block, &prices, &reduced, limit) {
            // `narrow` keeps every cover below the limit, so the rest of this block is decided there.
            let smaller = limit.checked_sub(fixed.len()).and_then(|left| self.node(narrowed, left, depth));
            return smaller.map(|rest| [fixed, rest].concat()).or(best);
        }
        let row = (0..block.rows())
            .min_by_key(|&row| (block.row(row).len(), std::cmp::Reverse(weight(block, row)), row))
            .expect("a block has rows");
        let mut columns: Vec<usize> = block.row(row).iter().map(|&c| c as usize).collect();
        columns.sort_by(|&a, &b| reduced[a].total_cmp(&reduced[b]).then(a.cmp(&b)));
        let branch = |at: usize, limit: usize| {
            let column = columns[at];
            let mut covered = vec![false; block.rows()];
            block.column(column).iter().for_each(|&row| covered[row as usize] = true);
            let rest = block.restricted(|row| !covered[row], |c| !columns[..=at].contains(&c));
            let mut found = self.node(rest, limit.checked_sub(1)?, depth + 1)?;
            found.push(block.name(column));
            Some(found)
        };
        if depth < SHARED_DEPTH {
            let found: Vec<_> = (0..columns.len()).into_par_iter().map(|at| branch(at, limit)).collect();
            // The first of the smallest.
            return found.into_iter().flatten().min_by_key(Vec::len).or(best);
        }
        for at in 0..columns.len() {
            if let Some(found) = branch(at, limit) {
                limit = found.len();
                best = Some(found);
            }
            if bound >= limit || self.is_spent() {
                break;
            }
        }
        best
    }
}

fn greedy_cover(block: &Matrix) -> Vec<usize> {
    let mut cover = Vec::new();
    greedy::without_prices(block, &mut cover);
    cover
}

/// How much deciding this row decides elsewhere.
fn weight(block: &Matrix, row: usize) -> usize {
    block.row(row).iter().map(|&c| block.column(c as usize).len()).sum()
}

/// Columns that every cover with fewer than `limit` columns has (by name), and the block without them, their rows, and
/// the columns that no such cover has; `None` where the reduced costs decide nothing.
fn narrow(block: &Matrix, prices: &Prices, reduced: &[f64], limit: usize) -> Option<(Vec<usize>, Matrix)> {
    // A cover with at most `limit - 1` columns has reduced costs that add up to at most this much above the bound;
    // the margin keeps rounding on the safe side.
    let slack = limit as f64 - 1.0 - prices.value + 1e-6;
    let mut covered = vec![false; block.rows()];
    let mut out = vec![false; block.columns()];
    let mut fixed = Vec::new();
    for (column, &cost) in reduced.iter().enumerate() {
        if cost > slack {
            out[column] = true;
        } else if -cost > slack {
            out[column] = true;
            fixed.push(block.name(column));
            block.column(column).iter().for_each(|&row| covered[row as usize] = true);
        }
    }
    if !out.contains(&true) {
        return None;
    }
    let rest = block.restricted(|row| !covered[row], |column| !out[column]);
    Some((fixed, rest))
}
