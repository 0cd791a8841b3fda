//! Guesses at the structure of a table, each to be judged by votes that it has not seen.
//!
//! A table that is only partly seen, or noisy, is predicted better by a smaller code than the largest one that fits:
//! inputs that never interact, low degree, few strong subsets, or values that neighbours share.

use super::code;

/// Which monomials a table may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// All.
    Any,
    /// Those of at most so many variables.
    Degree(u32),
    /// Those whose inputs interact pairwise: a mask of partners per input, itself included.
    Interacting(Vec<u32>),
    /// Those within these subsets.
    Within(Vec<u32>),
}

impl Shape {
    pub(super) fn allows(&self, monomial: usize) -> bool {
        let monomial = monomial as u32;
        match self {
            Self::Any => true,
            Self::Degree(most) => monomial.count_ones() <= *most,
            Self::Interacting(partners) => {
                (0..partners.len()).all(|i| monomial >> i & 1 == 0 || monomial & !partners[i] == 0)
            }
            Self::Within(sets) => sets.iter().any(|set| monomial & !set == 0),
        }
    }
}

/// Fewer squares than this are no evidence.
const SQUARES: u64 = 8;

/// Interaction graphs of the inputs, by rising threshold, without the complete one.
///
/// Inputs i and j share no monomial just if all squares (x, x + i, x + j, x + i + j) have even parity. Noise makes odd
/// squares of its own, so several shares of odd squares are tried as the threshold.
pub(super) fn interactions(differences: &[i64], s: usize) -> Vec<Shape> {
    let pairs: Vec<[usize; 2]> = (0..s).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
    let counts: Vec<(u64, u64)> = pairs.iter().map(|&pair| odd_squares(differences, pair)).collect();
    let mut shapes = Vec::new();
    for eighths in [0, 1, 2, 3] {
        let mut partners: Vec<u32> = (0..s).map(|i| 1 << i).collect();
        for (&[i, j], &(odd, squares)) in pairs.iter().zip(&counts) {
            if squares < SQUARES || odd * 8 > squares * eighths {
                partners[i] |= 1 << j;
                partners[j] |= 1 << i;
            }
        }
        let shape = Shape::Interacting(partners);
        if !shape.allows((1 << s) - 1) && !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// How many squares of two inputs have odd parity, of how many whose corners are all decided.
fn odd_squares(differences: &[i64], [i, j]: [usize; 2]) -> (u64, u64) {
    let (i, j) = (1 << i, 1 << j);
    let (mut odd, mut squares) = (0, 0);
    for x in (0..differences.len()).filter(|x| x & (i | j) == 0) {
        let corners = [x, x | i, x | j, x | i | j].map(|cell| differences[cell]);
        if !corners.contains(&0) {
            squares += 1;
            odd += u64::from(corners.iter().filter(|&&corner| corner > 0).count() % 2 == 1);
        }
    }
    (odd, squares)
}

/// Subsets of `k` inputs by risk, at most `m`: each the one whose majorities, after those before it, err least.
pub(super) fn strongest(differences: &[i64], s: usize, k: usize, m: usize) -> Vec<u32> {
    let mut left = differences.to_vec();
    let mut word = vec![false; left.len()];
    let mut family = Vec::new();
    while family.len() < m {
        let mut best = (i64::MIN, 0);
        fold(&left, (1 << s) - 1, s, s - k.min(s), &mut best);
        if family.contains(&best.1) {
            break;
        }
        family.push(best.1);
        follow_majorities(&mut left, &mut word, best.1);
    }
    family
}

/// Visits all ways to drop `drop` inputs below `below`, summing the votes over each, and keeps the subset that is left
/// with the most decided votes.
fn fold(sums: &[i64], set: u32, below: usize, drop: usize, best: &mut (i64, u32)) {
    if drop == 0 {
        let decided = sums.iter().map(|sum| sum.abs()).sum();
        if decided > best.0 {
            *best = (decided, set);
        }
        return;
    }
    for input in (drop - 1..below).rev() {
        let half = 1 << input;
        let mut folded = Vec::with_capacity(sums.len() / 2);
        for block in sums.chunks(2 * half) {
            let (low, high) = block.split_at(half);
            folded.extend(low.iter().zip(high).map(|(a, b)| a + b));
        }
        fold(&folded, set & !(1 << input), input, drop - 1, best);
    }
}

/// Flips the cells of `word` where what is `left` of the votes has a majority for 1 over the inputs outside `set`;
/// whether there were any.
pub(super) fn follow_majorities(left: &mut [i64], word: &mut [bool], set: u32) -> bool {
    let places = code::places(left.len(), set);
    let mut sums = vec![0i64; 1 << set.count_ones()];
    for (&place, &difference) in places.iter().zip(&*left) {
        sums[place] += difference;
    }
    for ((&place, difference), bit) in places.iter().zip(left).zip(word) {
        if sums[place] > 0 {
            *difference = -*difference;
            *bit ^= true;
        }
    }
    sums.iter().any(|&sum| sum > 0)
}

/// Votes that every cell also casts for its neighbours, `1 / far` of its own for each input they differ in.
pub(super) fn smooth(differences: &[i64], far: i64) -> Vec<i64> {
    // Of this size even 2^16 neighbours at full weight stay within an `i64`.
    const SIZE: i128 = 1 << 26;
    let most = i128::from(differences.iter().map(|difference| difference.abs()).max().unwrap_or(0).max(1));
    let mut votes: Vec<i64> =
        differences.iter().map(|&difference| (i128::from(difference) * SIZE / most) as i64).collect();
    let mut half = 1;
    while half < votes.len() {
        for block in votes.chunks_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (high, low) in high.iter_mut().zip(low) {
                (*low, *high) = (*low + *high / far, *high + *low / far);
            }
        }
        half *= 2;
    }
    votes
}
