//! The steps against their definitions, point by point, on small covers of two outputs.

use super::all_primes::all_primes;
use super::compatible::compatible;
use super::complement::complement;
use super::essential::essential;
use super::point::{Point, descend};
use super::tautology::covered;
use super::{expand, reduce};
use crate::budget::Budget;
use crate::cover::Cover;
use crate::cube::{Literal, Shape};
use proptest::prelude::*;

const INPUTS: usize = 4;
const OUTPUTS: usize = 2;
const SHAPE: Shape = Shape::new(INPUTS, OUTPUTS);

/// The points (output, x) of a cover, one bit each.
fn points(cover: &Cover) -> u32 {
    (0..cover.terms()).fold(0, |points, term| points | points_of(cover.cube(term)))
}

fn points_of(cube: &[u64]) -> u32 {
    let inside = |x: usize| {
        (0..INPUTS).all(|i| {
            let (zero, one) = SHAPE.admits(cube, i);
            if x >> i & 1 == 1 { one } else { zero }
        })
    };
    let mut points = 0;
    for output in SHAPE.asserted(cube) {
        for x in (0..1 << INPUTS).filter(|&x| inside(x)) {
            points |= 1 << (output << INPUTS | x);
        }
    }
    points
}

fn any_cover(terms: usize) -> impl Strategy<Value = Cover> {
    let literal = prop_oneof![Just(Literal::Negative), Just(Literal::Positive), Just(Literal::Free)];
    let term = (proptest::collection::vec(literal, INPUTS), 1u8..4);
    proptest::collection::vec(term, 0..terms).prop_map(|terms| {
        let mut cover = Cover::new(SHAPE);
        for (literals, outputs) in terms {
            cover.push(&literals, &[outputs & 1 == 1, outputs & 2 == 2]);
        }
        cover
    })
}

/// Every cube there is.
fn all_cubes() -> Vec<Vec<u64>> {
    let mut cubes = Cover::new(SHAPE);
    for code in 0..3usize.pow(INPUTS as u32) {
        let literals: Vec<Literal> = (0..INPUTS as u32)
            .map(|i| [Literal::Negative, Literal::Positive, Literal::Free][code / 3usize.pow(i) % 3])
            .collect();
        for outputs in 1..4 {
            cubes.push(&literals, &[outputs & 1 == 1, outputs & 2 == 2]);
        }
    }
    cubes.cubes().map(<[u64]>::to_vec).collect()
}

proptest! {
    #[test]
    fn the_complement_is_everything_else(on in any_cover(8), dont_care in any_cover(3)) {
        let off = complement(&on, &dont_care, usize::MAX >> 8, &Budget::unlimited()).expect("no cap");
        prop_assert_eq!(points(&off), !(points(&on) | points(&dont_care)));
    }

    #[test]
    fn covered_means_every_point(cube in any_cover(2), first in any_cover(6), second in any_cover(3)) {
        for part in cube.cubes() {
            let inside = points_of(part) & !(points(&first) | points(&second)) == 0;
            prop_assert_eq!(covered(part, &first, None, &second), inside);
        }
    }

    #[test]
    fn all_primes_are_those_of_the_definition(on in any_cover(6), dont_care in any_cover(2)) {
        let found = all_primes(&on, &dont_care, 100_000, &Budget::unlimited()).expect("no cap");
        let whole = points(&on) | points(&dont_care);
        let implicants: Vec<Vec<u64>> =
            all_cubes().into_iter().filter(|cube| points_of(cube) & !whole == 0).collect();
        let wider = |cube: &Vec<u64>| {
            implicants.iter().any(|wide| wide != cube && points_of(cube) & !points_of(wide) == 0)
        };
        let mut primes: Vec<&[u64]> =
            implicants.iter().filter(|cube| !wider(cube)).map(Vec::as_slice).collect();
        primes.sort_unstable();
        let found: Vec<&[u64]> = found.cubes().collect();
        prop_assert_eq!(found, primes);
    }

    #[test]
    fn essentials_are_the_primes_with_a_point_of_their_own(on in any_cover(6), dont_care in any_cover(2)) {
        let all = all_primes(&on, &dont_care, 100_000, &Budget::unlimited()).expect("no cap");
        let flags = essential(&all, &dont_care, || false);
        let required = points(&on) & !points(&dont_care);
        for (term, flag) in flags.into_iter().enumerate() {
            let others = points(&all.filtered(|other| other != term));
            prop_assert_eq!(flag, points_of(all.cube(term)) & required & !others != 0);
        }
    }

    #[test]
    fn expand_gives_primes_that_cover_the_same(on in any_cover(8), dont_care in any_cover(3)) {
        let off = complement(&on, &dont_care, usize::MAX >> 8, &Budget::unlimited()).expect("no cap");
        for raise in [expand::Raise::InputsFirst, expand::Raise::OutputsFirst] {
            let primes = expand::expand(&on, &off, &expand::order(&on), raise, || false);
            prop_assert_eq!(points(&on) & !points(&primes), 0);
            prop_assert_eq!(points(&primes) & points(&off), 0);
            let all = all_primes(&on, &dont_care, 100_000, &Budget::unlimited()).expect("no cap");
            for prime in primes.cubes() {
                prop_assert!(all.cubes().any(|cube| cube == prime));
            }
        }
    }

    #[test]
    fn reduce_shrinks_and_still_covers(on in any_cover(8), dont_care in any_cover(3)) {
        let reduced = reduce::reduce(&on, &dont_care, &reduce::order(&on), || false);
        let required = points(&on) & !points(&dont_care);
        prop_assert_eq!(required & !points(&reduced), 0);
        prop_assert_eq!(points(&reduced) & !points(&on), 0);
        prop_assert!(reduced.terms() <= on.terms());
    }

    #[test]
    fn points_descend_to_primes_among_their_own(on in any_cover(6), dont_care in any_cover(2)) {
        let off = complement(&on, &dont_care, usize::MAX >> 8, &Budget::unlimited()).expect("no cap");
        let all = all_primes(&on, &dont_care, 100_000, &Budget::unlimited()).expect("no cap");
        for (bit, point) in every_point() {
            let found = descend(&point, &off, &dont_care, &mut 0);
            prop_assert_eq!(found.is_none(), points(&off) >> bit & 1 == 1);
            let Some((lower, _)) = found else { continue };
            let holds = |point: &Point, prime: &[u64]| points_of(prime) & points_of(&point.cube(SHAPE)) != 0;
            for prime in all.cubes().filter(|prime| holds(&lower, prime)) {
                prop_assert!(holds(&point, prime));
            }
        }
    }

    #[test]
    fn compatible_sets_are_the_traces_of_primes(on in any_cover(6), dont_care in any_cover(2)) {
        let off = complement(&on, &dont_care, usize::MAX >> 8, &Budget::unlimited()).expect("no cap");
        let all = all_primes(&on, &dont_care, 100_000, &Budget::unlimited()).expect("no cap");
        let mut chosen: Vec<_> = every_point()
            .into_iter()
            .filter(|(bit, _)| points(&dont_care) >> bit & 1 == 0)
            .filter_map(|(_, point)| descend(&point, &off, &dont_care, &mut 0))
            .collect();
        chosen.sort_by(|a, b| a.0.cmp(&b.0));
        chosen.dedup_by(|a, b| a.0 == b.0);
        let trace = |prime: &[u64]| -> Vec<u32> {
            let inside = |at: &u32| points_of(prime) & points_of(&chosen[*at as usize].0.cube(SHAPE)) != 0;
            (0..chosen.len() as u32).filter(inside).collect()
        };
        let traces: Vec<Vec<u32>> = all.cubes().map(trace).filter(|trace| !trace.is_empty()).collect();
        let part = |a: &[u32], b: &[u32]| a.iter().all(|at| b.contains(at));
        let mut maximal: Vec<Vec<u32>> =
            traces.iter().filter(|a| !traces.iter().any(|b| b != *a && part(a, b))).cloned().collect();
        maximal.sort();
        maximal.dedup();
        let found = compatible(SHAPE, &chosen, 1 << 20, || false).expect("no deadline");
        prop_assert!(found.counts.iter().all(|&counts| counts));
        let mut sets = found.sets;
        sets.sort();
        prop_assert_eq!(sets, maximal);
    }
}

/// Every point of every output, with its bit among `points`.
fn every_point() -> Vec<(usize, Point)> {
    let point = |bit: usize| Point { output: bit >> INPUTS, inputs: vec![(bit % (1 << INPUTS)) as u64] };
    (0..OUTPUTS << INPUTS).map(|bit| (bit, point(bit))).collect()
}
