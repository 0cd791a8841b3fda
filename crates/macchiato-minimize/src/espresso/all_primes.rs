//! All primes of a function of several outputs, by splitting on inputs and joining the halves.
//!
//! A prime of the whole either keeps a literal on the split input (a prime of that half) or has none (an intersection of
//! a prime of each half). Without input literals left, the one prime asserts every output that some cube does. The
//! number of primes can be exponential: past a cap, or past the budget, there is no answer.

use super::list::{Count, Split, most_binate};
use crate::budget::Budget;
use crate::cover::Cover;
use crate::cube::{Shape, contains};

/// Every prime of the union of the two covers, or `None` past the cap.
pub(super) fn all_primes(on: &Cover, dont_care: &Cover, cap: usize, budget: &Budget) -> Option<Cover> {
    let mut cubes: Vec<Vec<u64>> = on.cubes().chain(dont_care.cubes()).map(<[u64]>::to_vec).collect();
    cubes.sort_unstable();
    cubes.dedup();
    let mut recursion = Recursion { shape: on.shape(), cap, work_left: WORK_PER_PRIME * cap, budget };
    let mut primes = recursion.run(cubes)?;
    primes.sort_unstable();
    Some(Cover::from_words(on.shape(), primes.concat()))
}

/// Pairs of cubes compared for each prime allowed.
const WORK_PER_PRIME: usize = 2_000;

struct Recursion<'a> {
    shape: Shape,
    cap: usize,
    /// Pairs of cubes that may still be compared.
    work_left: usize,
    budget: &'a Budget,
}

impl Recursion<'_> {
    fn run(&mut self, cubes: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        self.poll()?;
        let cubes = self.maximal(cubes)?;
        let Some(i) = self.split_input(&cubes) else {
            return Some(self.joined_outputs(&cubes));
        };
        let zero = self.run(self.cofactor(&cubes, i, false))?;
        let one = self.run(self.cofactor(&cubes, i, true))?;
        self.join(&zero, &one, i)
    }

    /// No input literal is left: the one prime asserts every output that some cube does.
    fn joined_outputs(&self, cubes: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let mut joined = cubes.to_vec();
        joined.truncate(1);
        if let Some(prime) = joined.first_mut() {
            for cube in &cubes[1..] {
                prime.iter_mut().zip(cube).for_each(|(to, from)| *to |= from);
            }
            debug_assert_eq!(self.shape.literals(prime), 0);
        }
        joined
    }

    /// The most frequent input, binate ones first; `None` if no cube has a literal.
    fn split_input(&self, cubes: &[Vec<u64>]) -> Option<usize> {
        let words = self.shape.input_words();
        let mut counts = vec![Count::default(); 64 * words];
        for cube in cubes {
            for (i, count) in counts.iter_mut().enumerate() {
                let (word, bit) = (i / 64, i % 64);
                count.positive += u32::from(cube[word] >> bit & 1 == 0);
                count.negative += u32::from(cube[words + word] >> bit & 1 == 0);
            }
        }
        if let Split::Binate(i) = most_binate(&counts) {
            return Some(i);
        }
        let total = |i: usize| counts[i].negative + counts[i].positive;
        (0..64 * words).filter(|&i| total(i) > 0).max_by_key(|&i| (total(i), std::cmp::Reverse(i)))
    }

    fn cofactor(&self, cubes: &[Vec<u64>], i: usize, value: bool) -> Vec<Vec<u64>> {
        let words = self.shape.input_words();
        let (word, bit) = (i / 64, 1u64 << (i % 64));
        let plane = if value { words + word } else { word };
        let inside = cubes.iter().filter(|cube| cube[plane] & bit != 0);
        inside
            .map(|cube| {
                let mut cube = cube.clone();
                cube[word] |= bit;
                cube[words + word] |= bit;
                cube
            })
            .collect()
    }

    fn join(&mut self, zero: &[Vec<u64>], one: &[Vec<u64>], i: usize) -> Option<Vec<Vec<u64>>> {
        self.pay(zero.len() * one.len())?;
        let mut both = Vec::new();
        for a in zero {
            self.poll()?;
            for b in one {
                if self.shape.meet(a, b) {
                    both.push(a.iter().zip(b).map(|(a, b)| a & b).collect::<Vec<u64>>());
                }
            }
        }
        let both = self.maximal(both)?;
        self.pay(both.len() * (zero.len() + one.len()))?;
        let words = self.shape.input_words();
        let (word, bit) = (i / 64, 1u64 << (i % 64));
        let mut primes = Vec::with_capacity(both.len());
        for (half, plane) in [(zero, words + word), (one, word)] {
            for cube in half {
                self.poll()?;
                if both.iter().any(|wide| contains(wide, cube)) {
                    continue;
                }
                let mut cube = cube.clone();
                cube[plane] &= !bit;
                primes.push(cube);
            }
        }
        primes.extend(both);
        (primes.len() <= self.cap).then_some(primes)
    }

    /// The cubes that no other one contains.
    fn maximal(&mut self, mut cubes: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let size = |cube: &Vec<u64>| cube.iter().map(|word| word.count_ones()).sum::<u32>();
        cubes.sort_unstable();
        cubes.dedup();
        cubes.sort_by_cached_key(|cube| std::cmp::Reverse(size(cube)));
        let mut kept: Vec<Vec<u64>> = Vec::new();
        for cube in cubes {
            self.pay(kept.len())?;
            self.poll()?;
            if !kept.iter().any(|wide| contains(wide, &cube)) {
                kept.push(cube);
            }
        }
        Some(kept)
    }

    /// One list can be a million cubes long: it is not compared with another before the clock is looked at.
    fn poll(&self) -> Option<()> {
        (!self.budget.spent()).then_some(())
    }

    fn pay(&mut self, work: usize) -> Option<()> {
        self.work_left = self.work_left.checked_sub(work)?;
        Some(())
    }
}
