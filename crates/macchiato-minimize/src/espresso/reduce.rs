//! REDUCE: each cube shrinks to the smallest that still covers what no other cube does, so that EXPAND can go elsewhere.
//!
//! That smallest cube is the supercube of the complement of the others within the cube, found by the unate recursive
//! paradigm without building the complement. Cubes are reduced in turn, each against the others as they are by then.

use super::list::{Around, FREE, List, Split, full_table};
use super::tautology::tautology;
use crate::cover::Cover;
use crate::primes::LOW;

/// Reduces the cubes of `cover` one after the other in the given order; `fixed` covers for free. Stops early, with a
/// valid cover, when `spent` says so.
pub(super) fn reduce(cover: &Cover, fixed: &Cover, order: &[usize], spent: impl Fn() -> bool) -> Cover {
    let mut reduced = cover.clone();
    let mut gone = vec![false; cover.terms()];
    for &term in order {
        if spent() {
            break;
        }
        match smallest(&reduced, term, fixed, &gone) {
            Some(cube) => reduced.cube_mut(term).copy_from_slice(&cube),
            None => gone[term] = true,
        }
    }
    reduced.filtered(|term| !gone[term])
}

/// The smallest cube that covers what only `term` covers; `None` if that is nothing.
pub(super) fn smallest(cover: &Cover, term: usize, fixed: &Cover, gone: &[bool]) -> Option<Vec<u64>> {
    let shape = cover.shape();
    let cube = cover.cube(term);
    let planes = 2 * shape.input_words();
    let mut hull = vec![0u64; shape.words()];
    let mut around = Around::new(shape, cube);
    around.add(cover, |at| (at != term && !gone[at]).then_some(FREE));
    around.add(fixed, |_| Some(FREE));
    for output in shape.asserted(cube) {
        if let Some(needed) = complement_hull(&around.list(output)) {
            shape.set_output(&mut hull, output, true);
            hull.iter_mut()
                .zip(needed.iter().zip(&cube[..planes]))
                .for_each(|(to, (hull, cube))| *to |= hull & cube);
        }
    }
    let needed = shape.asserted(&hull).next().is_some();
    needed.then_some(hull)
}

/// The supercube of everything that the list leaves uncovered; `None` if it is a tautology.
pub(super) fn complement_hull(list: &List) -> Option<Vec<u64>> {
    let words = list.words();
    let universe = || vec![u64::MAX; 2 * words];
    if list.len() == 0 {
        return Some(universe());
    }
    if list.has_universal() {
        return None;
    }
    let signs = list.signs();
    if let Some(active) = signs.few_inputs() {
        return table_hull(!list.truth_table(&active) & full_table(active.len()), &active, universe());
    }
    let Split::Binate(i) = list.split(&signs) else {
        return Some(unate_hull(list, universe()));
    };
    let (word, bit) = (i / 64, 1u64 << (i % 64));
    let zero = complement_hull(&list.cofactor(i, false));
    let one = list.cofactor(i, true);
    let Some(mut hull) = zero else {
        let mut hull = complement_hull(&one)?;
        hull[word] &= !bit;
        return Some(hull);
    };
    if hull.iter().all(|&word| word == u64::MAX) {
        // Nothing but the literal of i is open.
        if tautology(&one) {
            hull[words + word] &= !bit;
        }
        return Some(hull);
    }
    match complement_hull(&one) {
        None => hull[words + word] &= !bit,
        Some(other) => hull.iter_mut().zip(other).for_each(|(to, from)| *to |= from),
    }
    Some(hull)
}

/// In a unate list only a cube of one literal keeps that literal's side covered.
fn unate_hull(list: &List, mut hull: Vec<u64>) -> Vec<u64> {
    let words = list.words();
    for at in (0..list.len()).filter(|&at| list.literals(at) == 1) {
        let cube = list.cube(at);
        for w in 0..2 * words {
            // The literal's own plane is the one it admits and the other plane lacks.
            let other = if w < words { w + words } else { w - words };
            hull[w] &= !(cube[w] & !cube[other]);
        }
    }
    hull
}

fn table_hull(open: u64, active: &[usize], mut hull: Vec<u64>) -> Option<Vec<u64>> {
    if open == 0 {
        return None;
    }
    let words = hull.len() / 2;
    for (position, &i) in active.iter().enumerate() {
        let (word, bit) = (i / 64, 1u64 << (i % 64));
        if open & LOW[position] == 0 {
            hull[word] &= !bit;
        }
        if open & !LOW[position] == 0 {
            hull[words + word] &= !bit;
        }
    }
    Some(hull)
}

/// Berkeley's order: the largest cube first, then those closest to it.
pub(super) fn order(cover: &Cover) -> Vec<usize> {
    let shape = cover.shape();
    let literals: Vec<usize> = cover.cubes().map(|cube| shape.literals(cube)).collect();
    let mut order: Vec<usize> = (0..cover.terms()).collect();
    let Some(&largest) = order.iter().min_by_key(|&&term| (literals[term], term)) else {
        return order;
    };
    let distance = |term: usize| {
        let (a, b) = (cover.cube(largest), cover.cube(term));
        shape.input_distance(a, b) + usize::from(!shape.outputs_meet(a, b))
    };
    order.sort_by_key(|&term| (distance(term), literals[term], term));
    order
}
