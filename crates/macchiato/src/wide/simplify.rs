//! Fewer literals for the same rows: the EXPAND and IRREDUNDANT steps of a minimizer, on the rows of a sample.
//!
//! Paths of a tree exclude each other, and a rule is grown one literal at a time: both hold literals that no row needs. A
//! literal goes if the wider cube covers no row that the sum leaves out; cubes go if others cover their rows. What the sum
//! says of the sample stays, what it says elsewhere may change, so held-out rows judge it anew.

use super::cube::{Cube, Sop};
use super::rules::Side;
use super::sample::Sample;
use crate::bits;
use macchiato_minimize::Budget;
use rayon::prelude::*;
use std::cmp::Reverse;

/// Rows that are read at most.
const MOST_ROWS: usize = 1 << 15;

/// Literals times words of rows beyond which a sum is left as it is: nobody will read it, and it would take long.
const MOST_WORK: usize = 1 << 23;

/// The sum with literals and cubes left out that its rows do not need; none if that would take too long.
#[must_use]
pub(crate) fn simplified(sop: &Sop, sample: &Sample, budget: &Budget) -> Option<Sop> {
    let rows: Vec<u32> = (0..sample.len().min(MOST_ROWS) as u32).collect();
    if sop.literals() * bits::words(rows.len()) > MOST_WORK || budget.spent() {
        return None;
    }
    let all = Side::new(sample, rows.clone());
    let covered = union(sop.cubes.iter().map(|cube| all.matching(cube)), all.words());
    let (inside, outside): (Vec<u32>, Vec<u32>) =
        rows.into_iter().partition(|&r| bits::get(&covered, r as usize));
    let (inside, outside) = (Side::new(sample, inside), Side::new(sample, outside));
    let wider = |cube: &Cube| if budget.spent() { cube.clone() } else { expanded(cube, &inside, &outside) };
    let mut cubes: Vec<Cube> = sop.cubes.par_iter().map(wider).collect();
    cubes.sort_unstable();
    cubes.dedup();
    (!budget.spent()).then(|| Sop { cubes: irredundant(&cubes, &inside), negated: sop.negated })
}

/// The rows in any of some covers.
fn union(covers: impl Iterator<Item = impl AsRef<[u64]>>, words: usize) -> Vec<u64> {
    let mut all = vec![0u64; words];
    for cover in covers {
        all.iter_mut().zip(cover.as_ref()).for_each(|(all, cover)| *all |= cover);
    }
    all
}

/// Leaves out literals, first those that keep the most rows of the sum out, as long as no row outside comes in.
fn expanded(cube: &Cube, inside: &Side, outside: &Side) -> Cube {
    let mut cube = cube.clone();
    loop {
        let (blocked, kept_out) = (alone(&cube, outside), alone(&cube, inside));
        let free = (0..cube.len()).filter(|&at| blocked[at] == 0);
        let Some(at) = free.max_by_key(|&at| (kept_out[at], Reverse(at))) else { return cube };
        cube.remove(at);
    }
}

/// For each literal the rows that it alone keeps out of the cube.
fn alone(cube: &Cube, side: &Side) -> Vec<usize> {
    let (mut once, mut twice) = (vec![0u64; side.words()], vec![0u64; side.words()]);
    for &literal in cube {
        for ((once, twice), misses) in once.iter_mut().zip(&mut twice).zip(side.misses(literal)) {
            *twice |= *once & misses;
            *once |= misses;
        }
    }
    let rows = |&literal: &(usize, bool)| {
        side.misses(literal).zip(&twice).map(|(misses, twice)| (misses & !twice).count_ones() as usize).sum()
    };
    cube.iter().map(rows).collect()
}

/// Cubes that together cover the rows that all of them do: always the one that covers the most of those still open.
fn irredundant(cubes: &[Cube], inside: &Side) -> Vec<Cube> {
    let covers: Vec<Vec<u64>> = cubes.par_iter().map(|cube| inside.matching(cube)).collect();
    let mut open = union(covers.iter(), inside.words());
    // Counts only fall, so one that is still the greatest when it is counted again is the greatest.
    let key = |at: usize, rows: usize| (rows, Reverse(cubes[at].len()), Reverse(at));
    let mut queue: std::collections::BinaryHeap<_> =
        covers.iter().enumerate().map(|(at, cover)| key(at, bits::count(cover))).collect();
    let mut kept = Vec::new();
    while let Some((rows, _, Reverse(at))) = queue.pop() {
        let now =
            open.iter().zip(&covers[at]).map(|(open, cover)| (open & cover).count_ones() as usize).sum();
        if now == rows && rows > 0 {
            open.iter_mut().zip(&covers[at]).for_each(|(open, cover)| *open &= !cover);
            kept.push(at);
        } else if now > 0 {
            queue.push(key(at, now));
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|at| cubes[at].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;
    use crate::wide::tree::{Growth, Tree};

    #[test]
    fn a_tree_of_a_sum_of_products_becomes_that_sum() {
        let label = |row: &[u64]| row[0] & 0b111 == 0b111 || row[0] >> 3 & 0b11 == 0b01;
        let sample = random_rows(12, 4000, 1, label);
        let sop = Tree::grow(&sample, &Growth::SINGLE, &Budget::unlimited()).sop();
        let simple = simplified(&sop, &sample, &Budget::unlimited()).expect("few literals");
        let rows = (0..sample.len()).filter(|&r| simple.predict(sample.row(r)) != sample.label(r));
        assert_eq!(rows.count(), 0);
        if !simple.negated {
            assert_eq!(simple.cubes, [vec![(0, true), (1, true), (2, true)], vec![(3, true), (4, false)]]);
        }
        assert!(simple.literals() < sop.literals());
    }

    #[test]
    fn what_is_said_of_the_rows_stays() {
        for seed in 0..20 {
            let sample = random_rows(9, 150, seed, |row| (row[0] ^ row[0] >> 4).count_ones() % 3 == 1);
            for penalty in [0, 2] {
                let tree = Tree::grow(&sample, &Growth::PAIRS, &Budget::unlimited()).pruned(penalty);
                let sop = tree.sop();
                let simple = simplified(&sop, &sample, &Budget::unlimited()).expect("few literals");
                assert!((0..150).all(|r| sop.predict(sample.row(r)) == simple.predict(sample.row(r))));
                assert!(simple.literals() <= sop.literals());
            }
        }
    }

    #[test]
    fn constants_and_no_rows() {
        let sample = random_rows(3, 10, 1, |_| true);
        for cubes in [vec![], vec![vec![]]] {
            let sop = Sop { cubes, negated: false };
            assert_eq!(simplified(&sop, &sample, &Budget::unlimited()), Some(sop));
        }
        let sop = Sop { cubes: vec![vec![(0, true)]], negated: true };
        let simple = simplified(&sop, &Sample::new(3), &Budget::unlimited());
        assert_eq!(simple, Some(Sop { cubes: vec![], negated: true }));
    }
}
