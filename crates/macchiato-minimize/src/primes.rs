//! All prime implicants of a truth table that cover some ON cell, enumerated bit-parallel.
//!
//! For a set D of freed inputs let `T_D` hold the points whose subcube along D is free of OFF cells. Freeing one more
//! input i is `T_{D+i} = T_D & flip_i(T_D)`, and the primes along D are the points of `T_D` that no further input can
//! join: `T_D & !OR_i flip_i(T_D)`. `T_D` does not depend on the freed inputs, so each level keeps half the bits, 3^q
//! bits over all D; branches in which no ON cell is left are cut. Inputs are freed from the highest to the lowest, so
//! that the inputs below the last freed one keep their positions.

use crate::budget::Budget;
use crate::table::Table;

/// A prime: the inputs it has a literal on, and their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Prime {
    /// Bit i: input i has a literal.
    pub(crate) care: u32,
    /// Bit i: that literal is positive; 0 where there is none.
    pub(crate) value: u32,
}

impl Prime {
    pub(crate) const fn literals(self) -> usize {
        self.care.count_ones() as usize
    }
}

/// Why the enumeration ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// More primes than the cap.
    Cap,
    /// The budget was spent.
    Budget,
}

/// Bits of a word at which input i < 6 is 0.
pub(crate) const LOW: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// Every prime of `table` that contains an ON cell, or why there are too many.
pub(crate) fn enumerate(table: &Table, cap: usize, budget: &Budget) -> Result<Vec<Prime>, Cut> {
    let inputs = table.inputs();
    let bits = 1usize << inputs;
    let valid = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    let implicant: Vec<u64> = table.off().iter().map(|word| !word & valid).collect();
    let mut search = Search {
        primes: Vec::new(),
        cap,
        budget,
        levels: vec![Level::default(); inputs + 1],
        blocked: Vec::new(),
        kept: (0..inputs as u32).collect(),
    };
    search.levels[0] = Level { implicant, on: table.on().to_vec() };
    search.descend(0, inputs, 0)?;
    Ok(search.primes)
}

#[derive(Debug, Clone, Default)]
struct Level {
    /// `T_D` over the inputs that are not freed.
    implicant: Vec<u64>,
    /// Points whose subcube along D holds an ON cell.
    on: Vec<u64>,
}

struct Search<'a> {
    primes: Vec<Prime>,
    cap: usize,
    budget: &'a Budget,
    /// One level for each number of freed inputs.
    levels: Vec<Level>,
    blocked: Vec<u64>,
    /// The inputs that are not freed, by position.
    kept: Vec<u32>,
}

impl Search<'_> {
    /// Collects the primes of level `depth`, then frees each input below `below` in turn.
    fn descend(&mut self, depth: usize, below: usize, freed: u32) -> Result<(), Cut> {
        self.collect(depth, freed)?;
        for i in (0..below).rev() {
            let (upper, lower) = self.levels.split_at_mut(depth + 1);
            let alive = free_input(&upper[depth], i, self.kept.len(), &mut lower[0]);
            if alive {
                let input = self.kept.remove(i);
                self.descend(depth + 1, i, freed | 1 << input)?;
                self.kept.insert(i, input);
            }
        }
        Ok(())
    }

    /// The points of level `depth` that no kept input can join.
    fn collect(&mut self, depth: usize, freed: u32) -> Result<(), Cut> {
        let Level { implicant, on } = &self.levels[depth];
        self.blocked.clear();
        self.blocked.resize(implicant.len(), 0);
        for i in 0..self.kept.len() {
            or_flipped(implicant, i, &mut self.blocked);
        }
        let all = ((1u64 << (self.kept.len() + freed.count_ones() as usize)) - 1) as u32;
        for (w, word) in implicant.iter().enumerate() {
            let mut left = word & on[w] & !self.blocked[w];
            while left != 0 {
                let point = 64 * w as u32 + left.trailing_zeros();
                left &= left - 1;
                let value = self.kept.iter().enumerate().fold(0, |v, (at, &i)| v | (point >> at & 1) << i);
                self.primes.push(Prime { care: all & !freed, value });
            }
        }
        if self.primes.len() > self.cap {
            return Err(Cut::Cap);
        }
        if depth <= 4 && self.budget.spent() {
            return Err(Cut::Budget);
        }
        Ok(())
    }
}

/// ORs `table` with input `i` flipped into `into`.
fn or_flipped(table: &[u64], i: usize, into: &mut [u64]) {
    if i < 6 {
        let shift = 1 << i;
        for (to, &word) in into.iter_mut().zip(table) {
            *to |= (word & LOW[i]) << shift | word >> shift & LOW[i];
        }
    } else {
        let half = 1 << (i - 6);
        for (to, from) in into.chunks_exact_mut(2 * half).zip(table.chunks_exact(2 * half)) {
            let (to0, to1) = to.split_at_mut(half);
            let (from0, from1) = from.split_at(half);
            to0.iter_mut().zip(from1).for_each(|(to, from)| *to |= from);
            to1.iter_mut().zip(from0).for_each(|(to, from)| *to |= from);
        }
    }
}

/// Frees the input at position `i` of `inputs`: ANDs the halves of the implicants, ORs those of the ON points. Whether
/// an implicant with an ON point is left.
fn free_input(from: &Level, i: usize, inputs: usize, to: &mut Level) -> bool {
    merge_halves(&from.implicant, i, inputs, &mut to.implicant, |a, b| a & b);
    merge_halves(&from.on, i, inputs, &mut to.on, |a, b| a | b);
    to.implicant.iter().zip(&to.on).any(|(implicant, on)| implicant & on != 0)
}

fn merge_halves(from: &[u64], i: usize, inputs: usize, to: &mut Vec<u64>, merge: impl Fn(u64, u64) -> u64) {
    to.clear();
    if i >= 6 {
        let half = 1 << (i - 6);
        for pair in from.chunks_exact(2 * half) {
            to.extend(pair[..half].iter().zip(&pair[half..]).map(|(&a, &b)| merge(a, b)));
        }
    } else if inputs <= 6 {
        to.push(squeeze(merge(from[0], from[0] >> (1 << i)), i));
    } else {
        let one = |word: u64| squeeze(merge(word, word >> (1 << i)), i);
        to.extend(from.chunks_exact(2).map(|pair| one(pair[0]) | one(pair[1]) << 32));
    }
}

/// The 32 bits of `word` at which input `i` is 0, moved together.
fn squeeze(word: u64, i: usize) -> u64 {
    let mut x = word & LOW[i];
    for j in i..5 {
        let keep = LOW[j + 1];
        x = (x | x >> (1 << j)) & keep;
    }
    x
}

#[cfg(test)]
mod tests;
