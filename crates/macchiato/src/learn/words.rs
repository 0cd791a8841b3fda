//! Words: inputs that together write two numbers, and what comparing multiples of the numbers tells.
//!
//! Inputs that come in two halves, or in turn, may be the bits of two numbers A and B. Whether `A >= B` tells more about the labels than
//! inputs do is a question to the rows; where it does, `u A >= v B` for small u and v become signals that a graph may test, as it tests inputs. Quotients,
//! remainders and proportions are made of such. Only the order of inputs suggests what is a word.
//!
//! A comparison reads bit by bit from the highest on and keeps s = u A - v B of what it has read. From v on nothing that follows makes the sum
//! negative, and down from -u nothing makes it positive, so there are u + v - 1 states between, whatever the number of bits.

use super::net::{Net, Value};
use super::score::Evidence;
use crate::bits;
use crate::rows::Rows;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of the shortest word: shorter ones are tables.
const SHORTEST: usize = 4;

/// Multiples u and v without common divisor are looked at up to this product.
const PRODUCT: u32 = 16;

/// Nats by which a comparison has to tell more than inputs do: well above what the luckiest of all that are tried gains by chance.
const TELLS: f64 = 12.0;

/// States times bits up to which a comparison is written out for bits that no row shows.
const WRITTEN_OUT: usize = 64;

/// Of a comparison that is not written out, bits are read until fewer than one in so many rows is undecided.
const FEW: usize = 256;

/// Two words, highest bits first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    bits: Vec<[usize; 2]>,
    /// The second number is that of the negated bits: then `A >= B` is the carry of a sum.
    negated: bool,
}

/// `u A >= v B`, with odd u and v: the bits that it reads, highest first, where shifted words have gaps.
#[derive(Debug, Clone)]
struct Comparison {
    u: i32,
    v: i32,
    bits: Vec<[Option<usize>; 2]>,
    negated: bool,
}

impl Comparison {
    /// Powers of two are shifts, which need no states.
    fn new(words: &Words, u: u32, v: u32) -> Self {
        let shift = |word: usize, up: u32, down: u32| {
            let (up, down) = (up as usize, down as usize);
            let bits = words.bits.iter().map(move |bit| Some(bit[word]));
            let gap = std::iter::repeat_n(None, down);
            gap.chain(bits).chain(std::iter::repeat_n(None, up))
        };
        let (zeros_u, zeros_v) = (u.trailing_zeros(), v.trailing_zeros());
        let bits = shift(0, zeros_u, zeros_v).zip(shift(1, zeros_v, zeros_u)).map(|(a, b)| [a, b]).collect();
        let odd = |factor: u32, zeros: u32| (factor >> zeros).cast_signed();
        Self { u: odd(u, zeros_u), v: odd(v, zeros_v), bits, negated: words.negated }
    }

    /// What is known of the answer in a state.
    const fn answer(&self, state: i32) -> Option<bool> {
        if state >= self.v {
            Some(true)
        } else if state <= -self.u {
            Some(false)
        } else {
            None
        }
    }

    /// The likelier answer in a state if nothing more is read.
    const fn guess(&self, state: i32) -> bool {
        2 * state + self.u >= self.v
    }

    const fn next(&self, state: i32, [a, b]: [bool; 2]) -> i32 {
        2 * state + self.u * a as i32 - self.v * b as i32
    }

    /// The bits of both numbers at one place.
    fn pair(&self, place: usize, rows: &Rows, row: usize) -> [bool; 2] {
        let bit = |input: usize| bits::get(&rows.columns()[input], row);
        let [a, b] = self.bits[place];
        [a.is_some_and(bit), b.is_some_and(|b| bit(b) != self.negated)]
    }

    /// The rows on which it holds, and how many rows are undecided before each bit.
    fn column(&self, rows: &Rows) -> (Vec<u64>, Vec<usize>) {
        let mut held = vec![0u64; bits::words(rows.len())];
        let mut undecided = vec![0; self.bits.len()];
        for row in 0..rows.len() {
            let (mut state, mut place) = (0, 0);
            while place < self.bits.len() && self.answer(state).is_none() {
                undecided[place] += 1;
                state = self.next(state, self.pair(place, rows, row));
                place += 1;
            }
            if state >= 0 {
                bits::set(&mut held, row);
            }
        }
        (held, undecided)
    }

    /// As gates: for every state after so many bits the answer, from the last bits up.
    fn gates(&self, whole: bool, rows: &Rows, net: &mut Net<'_>) -> Value {
        let states = (self.u + self.v - 1).unsigned_abs() as usize;
        let length = if states * self.bits.len() <= WRITTEN_OUT {
            self.bits.len()
        } else {
            let few = |&left: &usize| if whole { left == 0 } else { left * FEW < rows.len() };
            self.column(rows).1.iter().position(few).unwrap_or(self.bits.len())
        };
        let mut reached: Vec<BTreeSet<i32>> = vec![BTreeSet::from([0])];
        for place in 0..length {
            let next = reached[place]
                .iter()
                .flat_map(|&state| (0..4).map(move |cell| self.next(state, self.known(place, cell))));
            reached.push(next.filter(|&state| self.answer(state).is_none()).collect());
        }
        let end = |state: i32| if length == self.bits.len() { state >= 0 } else { self.guess(state) };
        let mut after: BTreeMap<i32, Value> =
            reached[length].iter().map(|&state| (state, Value::Constant(end(state)))).collect();
        for place in (0..length).rev() {
            let [a, b] = self.bits[place].map(|input| input.map_or(Value::Constant(false), Value::input));
            let b = if self.bits[place][1].is_some() { b.signed(!self.negated) } else { b };
            let mut values = BTreeMap::new();
            for &state in &reached[place] {
                let cells: Vec<Value> = (0..4)
                    .map(|cell| {
                        let next = self.next(state, self.known(place, cell));
                        self.answer(next).map_or_else(|| after[&next], Value::Constant)
                    })
                    .collect();
                values.insert(state, net.cells(&[a, b], &cells));
            }
            after = values;
        }
        after[&0]
    }

    /// The bits of a cell; those of a gap are 0.
    fn known(&self, place: usize, cell: usize) -> [bool; 2] {
        let [a, b] = self.bits[place];
        [a.is_some() && cell & 1 == 1, b.is_some() && cell >> 1 == 1]
    }
}

/// The signals that comparisons of words are, as gates of `net`; to the last bit that some row shows if `whole`.
pub(super) fn signals(words: &Words, whole: bool, rows: &Rows, net: &mut Net<'_>) -> Vec<Value> {
    let signal = |(u, v): (u32, u32)| Comparison::new(words, u, v).gates(whole, rows, net);
    multiples().into_iter().map(signal).filter(|value| matches!(value, Value::Literal(_))).collect()
}

/// The words whose comparison tells most, where it tells enough.
pub(super) fn find(rows: &Rows, evidence: &Evidence) -> Option<Words> {
    let mut best: Option<(f64, Words, Option<usize>)> = None;
    for words in candidates(rows.inputs()) {
        let held = Comparison::new(&words, 1, 1).column(rows).0;
        // An input may hide the number from the labels: then their XOR shows it.
        let flips = (0..rows.inputs()).map(Some);
        for flip in std::iter::once(None).chain(flips) {
            let labels = flipped(rows, flip);
            let gain = cells(&[&held], &labels, rows.len(), evidence);
            if gain > best.as_ref().map_or(TELLS, |best| best.0) {
                let highest = words.bits[0].map(|input| rows.columns()[input].as_slice());
                let gain = gain - cells(&highest, &labels, rows.len(), evidence);
                if gain > best.as_ref().map_or(TELLS, |best| best.0) {
                    best = Some((gain, words.clone(), flip));
                }
            }
        }
    }
    let (_, words, flip) = best?;
    // With some input it must tell more than any two inputs do.
    let labels = flipped(rows, flip);
    let held = Comparison::new(&words, 1, 1).column(rows).0;
    let of_two = |a: &[u64], b: &[u64]| cells(&[a, b], &labels, rows.len(), evidence);
    let columns = rows.columns();
    let with_input = columns.iter().map(|column| of_two(&held, column)).fold(f64::NEG_INFINITY, f64::max);
    let of_inputs = (0..columns.len())
        .into_par_iter()
        .map(|at| columns[..at].iter().map(|b| of_two(&columns[at], b)).fold(f64::NEG_INFINITY, f64::max))
        .reduce(|| f64::NEG_INFINITY, f64::max);
    (with_input > of_inputs + TELLS).then_some(words)
}

/// Halves and turns of the inputs, from either end, plain and with the second number negated.
fn candidates(inputs: usize) -> Vec<Words> {
    let half = inputs / 2;
    if half < SHORTEST {
        return Vec::new();
    }
    let mut found: Vec<Words> = Vec::new();
    // Of an odd number the first or the last input belongs to neither.
    for first in 0..=inputs % 2 {
        let halves = (0..half).map(|bit| [first + bit, first + half + bit]).collect::<Vec<_>>();
        let turns = (0..half).map(|bit| [first + 2 * bit, first + 2 * bit + 1]).collect::<Vec<_>>();
        for bits in [halves, turns] {
            let reversed = bits.iter().rev().copied().collect::<Vec<_>>();
            for bits in [bits, reversed] {
                for negated in [false, true] {
                    found.push(Words { bits: bits.clone(), negated });
                }
            }
        }
    }
    found
}

/// All pairs of multiples, small ones first.
fn multiples() -> Vec<(u32, u32)> {
    let divisor = |mut a: u32, mut b: u32| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let pairs = (1..=PRODUCT).flat_map(|u| (1..=PRODUCT / u).map(move |v| (u, v)));
    let mut all: Vec<(u32, u32)> = pairs.filter(|&(u, v)| divisor(u, v) == 1).collect();
    all.sort_by_key(|&(u, v)| (u * v, u));
    all
}

fn flipped(rows: &Rows, input: Option<usize>) -> Vec<u64> {
    let mut labels = rows.labels().to_vec();
    if let Some(input) = input {
        labels.iter_mut().zip(&rows.columns()[input]).for_each(|(label, bit)| *label ^= bit);
    }
    labels
}

/// Nats that the cells of one or two columns tell of labels.
fn cells(columns: &[&[u64]], labels: &[u64], rows: usize, evidence: &Evidence) -> f64 {
    let zero = vec![0; labels.len()];
    let (a, b) = (columns[0], columns.get(1).copied().unwrap_or(&zero));
    let mut counts = [[0u32; 2]; 4];
    for ((a, b), label) in a.iter().zip(b).zip(labels) {
        for (cell, count) in [a & b, a & !b, !a & b].into_iter().zip(&mut counts) {
            let ones = (cell & label).count_ones();
            *count = [count[0] + cell.count_ones() - ones, count[1] + ones];
        }
    }
    let ones = bits::count(labels) as u32;
    let all = [rows as u32 - ones, ones];
    let sum = |label: usize| counts.iter().map(|count| count[label]).sum::<u32>();
    counts[3] = [all[0] - sum(0), all[1] - sum(1)];
    counts.iter().map(|&[zeros, ones]| evidence.cell(zeros, ones)).sum::<f64>()
        - evidence.cell(all[0], all[1])
}
