//! The complement of a cover, output by output: Shannon expansion on the most binate input, halves merged where they
//! agree. Its size can be exponential, so it stops at a cap.

use super::list::List;
use super::tautology;
use crate::budget::Budget;
use crate::cover::Cover;
use crate::cube::{Shape, contains};
use std::collections::HashMap;

/// The complement was given up: too many cubes, or the budget was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Everything that neither cover holds, with one cube for each distinct input part.
pub(super) fn complement(
    first: &Cover,
    second: &Cover,
    cap: usize,
    budget: &Budget,
) -> Result<Cover, TooLarge> {
    let shape = first.shape();
    let universe = shape.universe();
    let mut index: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut all = Cover::new(shape);
    let around = tautology::around(&universe, first, None, second);
    for output in 0..shape.outputs() {
        let mut recursion = Recursion { shape, cap, budget, made: 0 };
        for part in recursion.run(&around.list(output))? {
            if let Some(&at) = index.get(&part) {
                shape.set_output(all.cube_mut(at), output, true);
                continue;
            }
            if all.terms() >= cap {
                return Err(TooLarge);
            }
            index.insert(part.clone(), all.terms());
            let mut cube = part;
            cube.resize(shape.words(), 0);
            shape.set_output(&mut cube, output, true);
            all.push_words(&cube);
        }
    }
    Ok(all)
}

struct Recursion<'a> {
    shape: Shape,
    cap: usize,
    budget: &'a Budget,
    made: usize,
}

impl Recursion<'_> {
    /// The complement of a list, as input parts.
    fn run(&mut self, list: &List) -> Result<Vec<Vec<u64>>, TooLarge> {
        if self.made > 64 * self.cap || self.budget.spent() {
            return Err(TooLarge);
        }
        if list.len() == 0 {
            return Ok(vec![vec![u64::MAX; 2 * list.words()]]);
        }
        if list.has_universal() {
            return Ok(Vec::new());
        }
        if list.len() == 1 {
            return Ok(opposite_literals(list.cube(0), list.words()));
        }
        let i = list.any_split(&list.signs());
        let zero = self.run(&list.cofactor(i, false))?;
        let one = self.run(&list.cofactor(i, true))?;
        let merged = self.merge(zero, one, i);
        self.made += merged.len();
        if merged.len() > self.cap {
            return Err(TooLarge);
        }
        Ok(merged)
    }

    /// The halves at `x_i = 0` and `x_i = 1` in one list: a cube that the other half contains needs no literal.
    fn merge(&self, mut zero: Vec<Vec<u64>>, mut one: Vec<Vec<u64>>, i: usize) -> Vec<Vec<u64>> {
        zero.sort_unstable();
        one.sort_unstable();
        let lift = zero.len() * one.len() <= LIFT_CAP;
        let in_both = |cube: &Vec<u64>, other: &[Vec<u64>]| match other.binary_search(cube) {
            Ok(_) => true,
            Err(_) => lift && other.iter().any(|wide| contains(wide, cube)),
        };
        let free_zero: Vec<bool> = zero.iter().map(|cube| in_both(cube, &one)).collect();
        let free_one: Vec<bool> = one.iter().map(|cube| in_both(cube, &zero)).collect();
        let mut merged = Vec::with_capacity(zero.len() + one.len());
        let (word, bit) = (i / 64, 1u64 << (i % 64));
        let words = self.shape.input_words();
        for (cube, free) in zero.iter().zip(free_zero) {
            let mut cube = cube.clone();
            if !free {
                cube[words + word] &= !bit;
            }
            merged.push(cube);
        }
        for (cube, free) in one.into_iter().zip(free_one) {
            // Cubes of both halves were taken from the first.
            if free && zero.binary_search(&cube).is_ok() {
                continue;
            }
            let mut cube = cube;
            if !free {
                cube[word] &= !bit;
            }
            merged.push(cube);
        }
        merged
    }
}

/// Pairs of cubes up to which containment between halves is looked for.
const LIFT_CAP: usize = 1 << 20;

/// De Morgan: one cube for each literal.
fn opposite_literals(cube: &[u64], words: usize) -> Vec<Vec<u64>> {
    let mut opposites = Vec::new();
    for w in 0..words {
        let mut bits = !(cube[w] & cube[words + w]);
        while bits != 0 {
            let bit = bits & bits.wrapping_neg();
            bits ^= bit;
            let mut opposite = vec![u64::MAX; 2 * words];
            let admitted = if cube[w] & bit != 0 { w } else { words + w };
            opposite[admitted] &= !bit;
            opposites.push(opposite);
        }
    }
    opposites
}
