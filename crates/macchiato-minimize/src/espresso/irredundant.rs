//! IRREDUNDANT: the fewest cubes of a pool that still cover what must be covered.
//!
//! The ON-set falls into regions in each of which the same pool cubes are enough: the recursion splits on binate inputs
//! until what is left is unate, and there only cubes without literals reach the last corner. Each region is a row of a
//! covering problem whose columns are the pool's cubes, so the answer is the smallest cover *within the pool*; if the
//! pool holds every prime, its lower bound is one on all covers.

use super::list::{Around, FREE, List, Split};
use super::tautology::covered;
use crate::budget::Budget;
use crate::cover::Cover;
use crate::covering::{Covering, Effort};
use std::collections::BTreeSet;

/// The chosen terms of the pool and a bound on every choice from it.
pub(super) struct Irredundant {
    pub(super) cover: Cover,
    pub(super) lower_bound: usize,
}

/// The smallest choice from `pool` that covers `on` together with `fixed`; `None` if there are too many regions or the
/// budget was spent on the way.
pub(super) fn irredundant(
    on: &Cover,
    pool: &Cover,
    fixed: &Cover,
    cap: usize,
    effort: &Effort,
) -> Option<Irredundant> {
    let rows = regions(on, pool, fixed, cap, &effort.budget)?;
    let shape = pool.shape();
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); pool.terms()];
    for (row, tags) in rows.iter().enumerate() {
        for &tag in tags {
            columns[tag as usize].push(row as u32);
        }
    }
    let mut covering = Covering::new(rows.len());
    for (column, cube) in columns.iter().zip(pool.cubes()) {
        covering.push_column(column.iter().copied(), shape.literals(cube));
    }
    let solution = covering.solve(effort);
    let mut chosen = vec![false; pool.terms()];
    solution.columns.iter().for_each(|&column| chosen[column] = true);
    Some(Irredundant { cover: pool.filtered(|term| chosen[term]), lower_bound: solution.lower_bound })
}

/// Removes cubes one by one that the others cover, the ones with most literals first: what is left to do when there are
/// too many regions.
pub(super) fn drop_redundant(cover: &Cover, fixed: &Cover, budget: &Budget) -> Cover {
    let shape = cover.shape();
    let mut order: Vec<usize> = (0..cover.terms()).collect();
    order.sort_by_key(|&term| (std::cmp::Reverse(shape.literals(cover.cube(term))), term));
    let mut kept = cover.clone();
    let mut alive = vec![true; cover.terms()];
    for term in order {
        if budget.spent() {
            break;
        }
        let cube = cover.cube(term).to_vec();
        if covered(&cube, &kept, Some(term), fixed) {
            alive[term] = false;
            // A cube that asserts nothing covers nothing.
            shape.output_part_mut(kept.cube_mut(term)).fill(0);
        }
    }
    cover.filtered(|term| alive[term])
}

/// The sets of pool cubes of which one is needed, deduplicated, in order.
fn regions(
    on: &Cover,
    pool: &Cover,
    fixed: &Cover,
    cap: usize,
    budget: &Budget,
) -> Option<BTreeSet<Vec<u32>>> {
    let mut search = Regions { rows: BTreeSet::new(), cap, visited: 0, budget };
    for cube in on.cubes() {
        let mut around = Around::new(on.shape(), cube);
        around.add(fixed, |_| Some(FREE));
        around.add(pool, |at| Some(at as u32));
        for output in on.shape().asserted(cube) {
            search.split(&around.list(output))?;
        }
    }
    Some(search.rows)
}

struct Regions<'a> {
    rows: BTreeSet<Vec<u32>>,
    cap: usize,
    visited: usize,
    budget: &'a Budget,
}

impl Regions<'_> {
    fn split(&mut self, list: &List) -> Option<()> {
        self.visited += 1;
        if self.visited > self.cap || (self.visited.is_multiple_of(256) && self.budget.spent()) {
            return None;
        }
        let universal: Vec<u32> =
            (0..list.len()).filter(|&at| list.is_universal(at)).map(|at| list.tag(at)).collect();
        if universal.contains(&FREE) {
            return Some(());
        }
        let signs = list.signs();
        if let Some(rest) = list.without_unate(&signs) {
            return self.split(&rest);
        }
        match list.split(&signs) {
            Split::Unate => {
                debug_assert!(!universal.is_empty(), "the pool covers the ON-set");
                self.rows.insert(universal);
            }
            Split::Binate(i) => {
                self.split(&list.cofactor(i, false))?;
                self.split(&list.cofactor(i, true))?;
            }
        }
        Some(())
    }
}
