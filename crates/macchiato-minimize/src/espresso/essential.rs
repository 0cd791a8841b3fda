//! ESSENTIAL: the primes that every cover of primes must have, because some of their ON points lie in no other prime.
//!
//! A point of a prime c lies in another prime exactly if it lies in c's consensus with some neighbour: take every other
//! cube of ON and don't-care within distance one, and ask whether what it can reach inside c covers c.

use super::list::List;
use super::tautology::{around, tautology};
use crate::cover::Cover;
use crate::cube::{Shape, contains};

/// Which terms of `cover`, a cover of primes, are essential.
pub(super) fn essential(cover: &Cover, dont_care: &Cover, spent: impl Fn() -> bool) -> Vec<bool> {
    let mut essential = vec![false; cover.terms()];
    for (term, flag) in essential.iter_mut().enumerate() {
        if spent() {
            break;
        }
        *flag = is_essential(cover, term, dont_care);
    }
    essential
}

fn is_essential(cover: &Cover, term: usize, dont_care: &Cover) -> bool {
    let shape = cover.shape();
    let prime = cover.cube(term);
    let mut reached = Cover::new(shape);
    let others = cover.cubes().enumerate().filter(|&(at, _)| at != term).map(|(_, cube)| cube);
    for cube in others.chain(dont_care.cubes()) {
        // A don't-care cube that holds the whole prime leaves nothing to be essential for.
        if contains(cube, prime) {
            return false;
        }
        consensus(shape, prime, cube, &mut reached);
    }
    // The outputs that fewest reach are looked at first: there the prime is most likely to be alone.
    let around = around(prime, &reached, None, dont_care);
    let mut lists: Vec<List> = shape.asserted(prime).map(|output| around.list(output)).collect();
    lists.sort_by_key(List::len);
    !lists.iter().all(tautology)
}

/// Adds the consensus terms of the prime and the part of `cube` outside it: the cubes, as wide as the two allow, that
/// reach from outside into the prime.
fn consensus(shape: Shape, prime: &[u64], cube: &[u64], reached: &mut Cover) {
    let apart = shape.input_distance(prime, cube);
    let share_outputs = shape.outputs_meet(prime, cube);
    match (apart, share_outputs) {
        // Across the one input on which they contradict each other.
        (1, true) => {
            let mut term: Vec<u64> = prime.iter().zip(cube).map(|(a, b)| a & b).collect();
            let words = shape.input_words();
            for w in 0..words {
                let crossing = !(term[w] | term[words + w]);
                term[w] |= crossing;
                term[words + w] |= crossing;
            }
            reached.push_words(&term);
        }
        // Across the outputs: the same inputs, more outputs.
        (0, false) => {
            let mut term: Vec<u64> = prime.iter().zip(cube).map(|(a, b)| a & b).collect();
            let outputs: Vec<u64> =
                shape.output_part(prime).iter().zip(shape.output_part(cube)).map(|(a, b)| a | b).collect();
            shape.output_part_mut(&mut term).copy_from_slice(&outputs);
            reached.push_words(&term);
        }
        // They meet: the cube sticks out of the prime along some input, or along some output.
        (0, true) => {
            let term: Vec<u64> = prime.iter().zip(cube).map(|(a, b)| a & b).collect();
            if !contains(prime, cube) {
                reached.push_words(&term);
            }
            let joined: Vec<u64> =
                shape.output_part(prime).iter().zip(shape.output_part(cube)).map(|(a, b)| a | b).collect();
            if joined != shape.output_part(prime) {
                // With the cube's further outputs, the shared inputs belong to another prime on *all* of the outputs.
                let mut wide = term;
                shape.output_part_mut(&mut wide).copy_from_slice(&joined);
                reached.push_words(&wide);
            }
        }
        _ => {}
    }
}
