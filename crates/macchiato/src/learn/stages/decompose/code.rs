//! Monomial codes: which monomials few inputs per stage can reach, and the stages that a word of the code is made of.
//!
//! A function of some inputs is an XOR of monomials of these inputs (its algebraic normal form), so XORs of functions of
//! chosen subsets span exactly the monomials within a subset. Subsets are chosen greedily by the gain of the monomials
//! that they add; a word of the span is cut into parts by giving each of its monomials to one subset.

use super::Part;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Calls `visit` with each subset of `set`.
pub(super) fn each_subset(set: u32, mut visit: impl FnMut(usize)) {
    let mut subset = set;
    loop {
        visit(subset as usize);
        if subset == 0 {
            return;
        }
        subset = (subset - 1) & set;
    }
}

/// Subsets of `k` of `s` inputs as masks.
pub(super) fn subsets(s: usize, k: usize) -> Vec<u32> {
    (0..1u32 << s).filter(|set| set.count_ones() as usize == k).collect()
}

/// How much a decoder that splits on the highest variable first gains by each monomial, in units of 2^-16.
///
/// The polarization of an erasure channel: a variable that the monomial contains makes the bit less certain (a sum of
/// both halves), one that it lacks makes it more certain (a repetition). `erased`, in the same units, says how uncertain
/// the cells are; at 0 all monomials count alike.
pub(super) fn gains(s: usize, erased: u64) -> Vec<u64> {
    let mut unknown = vec![erased];
    for _ in 0..s {
        unknown = unknown.iter().flat_map(|&z| [(z * z) >> 16, 2 * z - ((z * z) >> 16)]).collect();
    }
    unknown.iter().map(|z| (1 << 16) - z.min(&(1 << 16))).collect()
}

/// At most `m` subsets of `k` inputs, each the one that gains most by the monomials it adds; ties from the seed.
pub(super) fn cover(s: usize, k: usize, m: usize, gains: &[u64], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let mut sets = subsets(s, k.min(s));
    sets.shuffle(rng);
    let mut missing = gains.to_vec();
    // Gains only shrink, so an old one is an upper bound.
    let mut bounds = vec![u64::MAX; sets.len()];
    let mut family = Vec::new();
    while family.len() < m {
        let (mut most, mut best) = (0, None);
        for (&set, bound) in sets.iter().zip(&mut bounds) {
            if *bound > most {
                *bound = 0;
                each_subset(set, |monomial| *bound += missing[monomial]);
                if *bound > most {
                    (most, best) = (*bound, Some(set));
                }
            }
        }
        let Some(set) = best else { break };
        each_subset(set, |monomial| missing[monomial] = 0);
        family.push(set);
    }
    family
}

/// The monomials within a subset of the family.
pub(super) fn span(s: usize, family: &[u32]) -> Vec<bool> {
    let mut span = vec![false; 1 << s];
    for &set in family {
        each_subset(set, |monomial| span[monomial] = true);
    }
    span
}

/// The Moebius transform, its own inverse: a table becomes its algebraic normal form and back.
pub(super) fn transform(table: &mut [bool]) {
    let mut half = 1;
    while half < table.len() {
        for block in table.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (high, low) in high.iter_mut().zip(low) {
                *high ^= *low;
            }
        }
        half *= 2;
    }
}

/// The cell of a table of the inputs in `set` for each of `cells` cells: their bits in the set, moved together.
pub(super) fn places(cells: usize, set: u32) -> Vec<usize> {
    let mut places = vec![0];
    let (mut input, mut bit) = (0, 1);
    while places.len() < cells {
        let inside = set >> input & 1 == 1;
        places.extend_from_within(..);
        if inside {
            let half = places.len() / 2;
            places[half..].iter_mut().for_each(|place| *place |= bit);
            bit *= 2;
        }
        input += 1;
    }
    places
}

/// The parts of a word in the span of the family: each monomial goes where it needs the fewest new inputs, the largest
/// first, so that neither parts nor their inputs are more than the word needs.
///
/// `known[cell]` is false where any value would do; a part's cell that touches no known one has no value.
pub(super) fn parts(mut word: Vec<bool>, family: &[u32], known: &[bool]) -> Vec<Part> {
    transform(&mut word);
    let mut monomials: Vec<u32> =
        (0..word.len() as u32).filter(|&monomial| word[monomial as usize]).collect();
    monomials.sort_by_key(|monomial| (std::cmp::Reverse(monomial.count_ones()), *monomial));
    let mut used = vec![0u32; family.len()];
    let mut owned = vec![Vec::new(); family.len()];
    for monomial in monomials {
        let fits = (0..family.len()).filter(|&part| monomial & !family[part] == 0);
        let owner = fits.min_by_key(|&part| (monomial & !used[part]).count_ones());
        debug_assert!(owner.is_some(), "a monomial outside the span");
        if let Some(owner) = owner {
            used[owner] |= monomial;
            owned[owner].push(monomial);
        }
    }
    let mut parts = Vec::new();
    for (set, monomials) in used.into_iter().zip(owned) {
        if monomials.is_empty() {
            continue;
        }
        let places = places(known.len(), set);
        let mut values = vec![false; 1 << set.count_ones()];
        for monomial in monomials {
            values[places[monomial as usize]] = true;
        }
        transform(&mut values);
        let mut touched = vec![false; values.len()];
        for (place, &known) in places.into_iter().zip(known) {
            touched[place] |= known;
        }
        parts.push(Part {
            inputs: (0..32).filter(|input| set >> input & 1 == 1).collect(),
            values: values
                .into_iter()
                .zip(touched)
                .map(|(value, touched)| touched.then_some(value))
                .collect(),
        });
    }
    parts
}
