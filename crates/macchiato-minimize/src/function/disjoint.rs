//! Do two covers have a point of some output in common, and in which two cubes?
//!
//! Takes ON and OFF covers of one shape, gives a pair of cubes that meet, or none. Comparing every cube with every other
//! is hopeless for millions of rows, so full minterms are joined by a sorted key, and whatever has free inputs is split
//! on one input after another (a cube without that literal goes both ways) until few pairs are left. Small covers are
//! compared directly; then the pair is the first in (ON, OFF) order. No hash map and no seed: the same covers give the
//! same pair. Cost: `n log n` for minterms; never more than a small factor above all pairs for cubes.

use crate::cover::Cover;
use crate::cube::Shape;

/// Below this many pairs, comparing them all is the fastest.
const FEW_PAIRS: usize = 4096;
/// Cubes of each list that are looked at to choose the input to split on.
const SAMPLE: usize = 64;

/// Indices of an ON cube and an OFF cube that share a point of some output.
pub(crate) fn meeting_pair(on: &Cover, off: &Cover) -> Option<(usize, usize)> {
    debug_assert_eq!(on.shape(), off.shape());
    let join = Join { shape: on.shape(), on, off };
    if on.terms().saturating_mul(off.terms()) <= FEW_PAIRS {
        return join.all_pairs(&indices(on), &indices(off));
    }
    let (on_points, on_cubes) = join.minterms_and_cubes(on);
    let (off_points, off_cubes) = join.minterms_and_cubes(off);
    join.minterms(&on_points, &off_points)
        .or_else(|| join.split(indices(on), off_cubes))
        .or_else(|| join.split(on_cubes, off_points))
}

fn indices(cover: &Cover) -> Vec<usize> {
    (0..cover.terms()).collect()
}

struct Join<'a> {
    shape: Shape,
    on: &'a Cover,
    off: &'a Cover,
}

/// A list of cubes cut by one input: without it, with it, and the cubes that have no such literal in both.
struct Halves {
    zero: Vec<usize>,
    one: Vec<usize>,
}

impl Join<'_> {
    fn all_pairs(&self, on: &[usize], off: &[usize]) -> Option<(usize, usize)> {
        on.iter().find_map(|&i| {
            let cube = self.on.cube(i);
            off.iter().find(|&&j| self.shape.meet(cube, self.off.cube(j))).map(|&j| (i, j))
        })
    }

    fn minterms_and_cubes(&self, cover: &Cover) -> (Vec<usize>, Vec<usize>) {
        indices(cover).into_iter().partition(|&i| self.shape.literals(cover.cube(i)) == self.shape.inputs())
    }

    /// Minterms meet where they are the same point: sort both lists by a key of the point and walk them together.
    fn minterms(&self, on: &[usize], off: &[usize]) -> Option<(usize, usize)> {
        let on = self.keyed(self.on, on);
        let off = self.keyed(self.off, off);
        let mut best: Option<(usize, usize)> = None;
        let mut left = off.as_slice();
        for run in on.chunk_by(|a, b| a.0 == b.0) {
            let key = run[0].0;
            left = &left[left.partition_point(|entry| entry.0 < key)..];
            let same = &left[..left.partition_point(|entry| entry.0 == key)];
            let on: Vec<usize> = run.iter().map(|entry| entry.1).collect();
            let off: Vec<usize> = same.iter().map(|entry| entry.1).collect();
            if self.outputs_may_meet(&on, &off) {
                best = [best, self.all_pairs(&on, &off)].into_iter().flatten().min();
            }
        }
        best
    }

    /// (key of the point, index), sorted. Equal points have equal keys; the few others that do are told apart later.
    fn keyed(&self, cover: &Cover, terms: &[usize]) -> Vec<(u64, usize)> {
        let zeros = self.shape.input_words();
        let key = |cube: &[u64]| {
            cube[zeros..2 * zeros]
                .iter()
                .fold(0u64, |key, &word| (key ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
        };
        let mut keyed: Vec<_> = terms.iter().map(|&i| (key(cover.cube(i)), i)).collect();
        keyed.sort_unstable();
        keyed
    }

    /// False only when no ON cube shares an output with any OFF cube: repeated rows, one for each output, end here.
    fn outputs_may_meet(&self, on: &[usize], off: &[usize]) -> bool {
        let union = |cover: &Cover, terms: &[usize]| {
            let mut union = vec![0u64; self.shape.output_words()];
            for &i in terms {
                for (all, word) in union.iter_mut().zip(self.shape.output_part(cover.cube(i))) {
                    *all |= word;
                }
            }
            union
        };
        !on.is_empty()
            && !off.is_empty()
            && union(self.on, on).iter().zip(&union(self.off, off)).any(|(a, b)| a & b != 0)
    }

    /// Cuts both lists by one input after another until few pairs are left, or no input tells them apart.
    fn split(&self, on: Vec<usize>, off: Vec<usize>) -> Option<(usize, usize)> {
        let mut stack = vec![(on, off, 0)];
        while let Some((on, off, first)) = stack.pop() {
            if !self.outputs_may_meet(&on, &off) {
                continue;
            }
            let pairs = on.len().saturating_mul(off.len());
            let input =
                if pairs > FEW_PAIRS { self.telling_input(&sample(&on), &sample(&off), first) } else { None };
            let Some(input) = input else {
                if let Some(pair) = self.all_pairs(&on, &off) {
                    return Some(pair);
                }
                continue;
            };
            let (a, b) = (self.halves(self.on, &on, input), self.halves(self.off, &off, input));
            // Each half has fewer pairs, or the sample misled us and comparing is no worse than going on.
            let left = a.zero.len() * b.zero.len() + a.one.len() * b.one.len();
            if left >= pairs {
                if let Some(pair) = self.all_pairs(&on, &off) {
                    return Some(pair);
                }
                continue;
            }
            stack.push((a.one, b.one, input + 1));
            stack.push((a.zero, b.zero, input + 1));
        }
        None
    }

    fn halves(&self, cover: &Cover, terms: &[usize], input: usize) -> Halves {
        let admits = |i: usize| self.shape.admits(cover.cube(i), input);
        Halves {
            zero: terms.iter().copied().filter(|&i| admits(i).0).collect(),
            one: terms.iter().copied().filter(|&i| admits(i).1).collect(),
        }
    }

    /// The input that leaves the fewest pairs, or the first from `first` on that leaves about half of them.
    fn telling_input(&self, on: &[usize], off: &[usize], first: usize) -> Option<usize> {
        let pairs = on.len() * off.len();
        let count = |cover: &Cover, terms: &[usize], input: usize| {
            terms.iter().fold((0, 0), |(zero, one), &i| {
                let admits = self.shape.admits(cover.cube(i), input);
                (zero + usize::from(admits.0), one + usize::from(admits.1))
            })
        };
        let inputs = self.shape.inputs();
        // A gain below one pair in fifty does not pay for the copies of free cubes.
        let mut best = (pairs - pairs.div_ceil(50), None);
        for input in (0..inputs).map(|i| (first + i) % inputs) {
            let (a, b) = (count(self.on, on, input), count(self.off, off, input));
            let left = a.0 * b.0 + a.1 * b.1;
            if left < best.0 {
                best = (left, Some(input));
            }
            if 5 * left <= 3 * pairs {
                break;
            }
        }
        best.1
    }
}

fn sample(terms: &[usize]) -> Vec<usize> {
    terms.iter().copied().step_by(terms.len().div_ceil(SAMPLE).max(1)).collect()
}

#[cfg(test)]
mod tests;
