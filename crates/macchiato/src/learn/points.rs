//! Counts and points: rules by how many of some literals hold, or by the sum of their whole weights.
//!
//! The search climbs by steps of one point. A set of weights is worth the evidence of its sums, each a cell, less which literals (ln C(B, l)), signs and
//! weights. Of every input one histogram by sum, bit and label says what all of its moves would give, so a round costs one pass over the rows
//! for each input. Then weights are doubled and climbed again, which finds finer proportions. A gate answers at the sums where most labels are 1,
//! or from a threshold on, whichever is worth more.

use super::candidate::{Candidate, Family, Recipe, best_of_each};
use super::net::Net;
use super::score::{Evidence, choose, whole};
use crate::bits;
use crate::circuit::{Literal, Rule};
use crate::rows::Rows;
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// The prior of sums: between pure and noisy.
const PRIOR: f64 = 0.3;

/// Points of a literal at most.
const MOST_POINTS: i32 = 16;

/// Literals at most: no reader counts more.
const MOST_LITERALS: usize = 200;

/// Inputs that are looked at, those first that alone say most.
const MOST_INPUTS: usize = 256;

/// What a move gains beside the best of its round to be made in the same one.
const WORTHY: f64 = 0.5;

/// Moves of a round beside the best.
const MOST_MOVES: usize = 15;

/// Counts of literals, and points.
pub(super) fn points(rows: &Rows, budget: &Budget) -> Vec<Candidate> {
    let evidence = Evidence::new(rows.len(), PRIOR);
    let signs = signs(rows);
    let mut order: Vec<usize> = (0..rows.inputs()).collect();
    order.sort_by(|&a, &b| signs[b].abs().total_cmp(&signs[a].abs()).then(a.cmp(&b)));
    order.truncate(MOST_INPUTS);
    let start = |weight: &dyn Fn(usize) -> i32| -> Vec<i32> {
        let mut weights = vec![0; rows.inputs()];
        order.iter().take(MOST_LITERALS).for_each(|&input| weights[input] = weight(input));
        weights
    };
    let sign = |input: usize| if signs[input] < 0.0 { -1 } else { 1 };
    let mut starts = vec![
        start(&|_| 0),
        // Three standard deviations: those that chance does not explain.
        start(&|input| if signs[input].abs() > 3.0 { sign(input) } else { 0 }),
    ];
    // Of more inputs than are counted, no rule counts all.
    if rows.inputs() <= MOST_LITERALS {
        starts.extend([start(&|_| 1), start(&|input| sign(input))]);
    }
    let found: Vec<Vec<Candidate>> = starts
        .into_par_iter()
        .map(|weights| {
            let mut found = Vec::new();
            let mut climb = Climb::new(rows, &order, weights, &evidence);
            let mut most = 1;
            loop {
                climb.run(most, budget);
                found.extend(climb.candidates(
                    if most == 1 { Family::Count } else { Family::Points },
                    most.unsigned_abs() as usize,
                ));
                most *= 2;
                if most > MOST_POINTS || budget.spent() || climb.weights.iter().all(|&weight| weight == 0) {
                    break;
                }
                climb.double();
            }
            found
        })
        .collect();
    best_of_each(found.into_iter().flatten().collect())
}

/// For each input how many standard deviations it agrees with the labels more than chance does.
fn signs(rows: &Rows) -> Vec<f64> {
    let (all, ones) = (rows.len() as f64, bits::count(rows.labels()) as f64);
    let one = |column: &Vec<u64>| {
        let held = bits::count(column) as f64;
        let both: u32 = column.iter().zip(rows.labels()).map(|(a, b)| (a & b).count_ones()).sum();
        let variance = held * (all - held) / all * (ones / all) * (1.0 - ones / all);
        if variance > 0.0 { (f64::from(both) - held * ones / all) / libm::sqrt(variance) } else { 0.0 }
    };
    rows.columns().iter().map(one).collect()
}

/// Weights on their way up; a negative one is the weight of the input's negation, so sums are never negative.
struct Climb<'a> {
    rows: &'a Rows,
    order: &'a [usize],
    evidence: &'a Evidence,
    /// Nats that name each number of literals.
    choices: Vec<f64>,
    weights: Vec<i32>,
    /// Twice the sum of each row, and its label.
    keys: Vec<u32>,
}

/// Rows by sum and label, from the least sum on.
struct Histogram {
    low: usize,
    cells: Vec<[u32; 2]>,
}

impl Histogram {
    fn at(&self, sum: i64) -> [u32; 2] {
        let at = usize::try_from(sum - self.low as i64).ok();
        at.and_then(|at| self.cells.get(at)).copied().unwrap_or_default()
    }
}

/// What a weight may become.
#[derive(Debug, Clone, Copy)]
struct Move {
    gain: f64,
    input: usize,
    to: i32,
}

impl<'a> Climb<'a> {
    fn new(rows: &'a Rows, order: &'a [usize], weights: Vec<i32>, evidence: &'a Evidence) -> Self {
        let most = rows.inputs().min(MOST_LITERALS + 1);
        let choices = (0..=most).map(|literals| choose(rows.inputs(), literals)).collect();
        let mut keys: Vec<u32> =
            (0..rows.len()).map(|row| u32::from(bits::get(rows.labels(), row))).collect();
        for (input, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0) {
            for (row, key) in keys.iter_mut().enumerate() {
                let bit = bits::get(&rows.columns()[input], row);
                *key = key.wrapping_add_signed(2 * value(weight, bit));
            }
        }
        Self { rows, order, evidence, choices, weights, keys }
    }

    fn double(&mut self) {
        self.weights.iter_mut().for_each(|weight| *weight *= 2);
        self.keys.iter_mut().for_each(|key| *key += *key >> 1 << 1);
    }

    fn literals(&self) -> usize {
        self.weights.iter().filter(|&&weight| weight != 0).count()
    }

    /// Nats of so many literals with these points.
    fn price(&self, literals: usize, points: f64) -> f64 {
        self.choices[literals] + literals as f64 * std::f64::consts::LN_2 + points
    }

    /// Steps of one point while they gain.
    fn run(&mut self, most: i32, budget: &Budget) {
        let limit = 4 * self.order.len().min(MOST_LITERALS) + 8;
        for _ in 0..limit {
            if budget.spent() {
                return;
            }
            let all = self.histogram();
            let now = self.worth(&all);
            let mut moves: Vec<Move> =
                self.order.par_iter().filter_map(|&input| self.best(input, most, &all, now)).collect();
            moves.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.input.cmp(&b.input)));
            let Some(&first) = moves.first() else { return };
            self.make(first);
            // Most of the others gain as much after it; a round costs a pass over the rows for each input.
            let worthy = moves.iter().skip(1).take_while(|promised| promised.gain >= WORTHY * first.gain);
            for promised in worthy.take(MOST_MOVES) {
                let all = self.histogram();
                let again = self.best(promised.input, most, &all, self.worth(&all));
                if let Some(again) = again.filter(|again| again.gain >= WORTHY * first.gain) {
                    self.make(again);
                }
            }
        }
    }

    /// The evidence of the sums as they are, prices paid.
    fn worth(&self, all: &Histogram) -> f64 {
        let points = self.weights.iter().map(|&weight| cost(weight)).sum();
        let cells: f64 = all.cells.iter().map(|cell| self.evidence.cell(cell[0], cell[1])).sum();
        cells - self.price(self.literals(), points)
    }

    /// The move of an input that gains most: one point up or down, gone, or turned around.
    fn best(&self, input: usize, most: i32, all: &Histogram, now: f64) -> Option<Move> {
        let weight = self.weights[input];
        let literals = self.literals();
        let points: f64 = self.weights.iter().map(|&weight| cost(weight)).sum();
        let held = self.held(input, all);
        let mut best: Option<Move> = None;
        for to in [weight + 1, weight - 1, 0, -weight] {
            if to == weight || to.abs() > most || (literals >= MOST_LITERALS && weight == 0) {
                continue;
            }
            let literals = literals + usize::from(to != 0) - usize::from(weight != 0);
            let price = self.price(literals, points - cost(weight) + cost(to));
            let moved = [false, true].map(|bit| i64::from(value(to, bit) - value(weight, bit)));
            let gain = self.moved(all, &held, moved) - price - now;
            if gain > best.map_or(1e-6, |best| best.gain) {
                best = Some(Move { gain, input, to });
            }
        }
        best
    }

    fn make(&mut self, Move { input, to, .. }: Move) {
        let from = std::mem::replace(&mut self.weights[input], to);
        let moved = [false, true].map(|bit| 2 * (value(to, bit) - value(from, bit)));
        for (row, key) in self.keys.iter_mut().enumerate() {
            let bit = bits::get(&self.rows.columns()[input], row);
            *key = key.wrapping_add_signed(moved[usize::from(bit)]);
        }
    }

    /// All rows by sum and label.
    fn histogram(&self) -> Histogram {
        let range = self.keys.iter().fold((u32::MAX, 0), |(low, top), &key| (low.min(key), top.max(key)));
        let low = range.0.min(range.1) as usize / 2;
        let mut cells = vec![[0; 2]; range.1 as usize / 2 - low + 1];
        for &key in &self.keys {
            cells[key as usize / 2 - low][key as usize % 2] += 1;
        }
        Histogram { low, cells }
    }

    /// The rows in which an input holds, among all of them.
    fn held(&self, input: usize, all: &Histogram) -> Histogram {
        let mut cells = vec![[0; 2]; all.cells.len()];
        for row in bits::ones(&self.rows.columns()[input]) {
            let key = self.keys[row] as usize;
            cells[key / 2 - all.low][key % 2] += 1;
        }
        Histogram { low: all.low, cells }
    }

    /// The evidence of the sums, each row's moved by what its bit says.
    fn moved(&self, all: &Histogram, held: &Histogram, moved: [i64; 2]) -> f64 {
        let (low, top) = (all.low as i64, (all.low + all.cells.len()) as i64);
        let sums = low + moved[0].min(moved[1])..top + moved[0].max(moved[1]);
        sums.map(|sum| {
            let (from, with) = (sum - moved[0], held.at(sum - moved[1]));
            let (every, without) = (all.at(from), held.at(from));
            let cell = [every[0] - without[0] + with[0], every[1] - without[1] + with[1]];
            if cell == [0; 2] { 0.0 } else { self.evidence.cell(cell[0], cell[1]) }
        })
        .sum()
    }

    /// Gates of these weights: a threshold, and the sums where most labels are 1.
    fn candidates(&self, family: Family, most: usize) -> Vec<Candidate> {
        let top = self.weights.iter().map(|weight| weight.unsigned_abs() as usize).sum::<usize>() + 1;
        let all = self.histogram();
        let cells: Vec<[u32; 2]> = (0..top).map(|sum| all.at(sum as i64)).collect();
        let literals: Vec<Literal> = (0..self.weights.len())
            .filter(|&input| self.weights[input] != 0)
            .map(|input| {
                let weight = self.weights[input];
                Literal::input(input).signed(weight > 0).times(weight.unsigned_abs())
            })
            .collect();
        if literals.is_empty() {
            return Vec::new();
        }
        let mut rules = vec![(Rule::AtLeast(threshold(&cells, self.evidence)))];
        let ranges = ranges(&cells);
        if ranges.len() > 1 || ranges.first().is_some_and(|range| range.1 + 1 < top as u64) {
            rules.push(Rule::Counts(ranges));
        }
        if most == 1 {
            // A sum that no row has is as good as any; a parity may be what all others say.
            rules.push(Rule::Xor);
        }
        let make = |rule: Rule| {
            let mut net = Net::new(self.rows);
            let (odd, ones) = (rule == Rule::Xor, !odd_is_one(&cells));
            let value = net.gate(rule, literals.clone());
            net.candidate(Recipe::new(family, most), if odd { value.signed(!ones) } else { value })
        };
        rules.into_iter().filter_map(make).collect()
    }
}

/// Whether odd sums are more often 1 than even ones.
fn odd_is_one(cells: &[[u32; 2]]) -> bool {
    let right = |(sum, cell): (usize, &[u32; 2])| i64::from(cell[sum % 2]) - i64::from(cell[1 - sum % 2]);
    cells.iter().enumerate().map(right).sum::<i64>() >= 0
}

/// Points of a row: those of the input where the weight is positive, of its negation where it is not.
const fn value(weight: i32, bit: bool) -> i32 {
    if bit == (weight > 0) { weight.abs() } else { 0 }
}

/// Nats of a weight.
fn cost(weight: i32) -> f64 {
    if weight == 0 { 0.0 } else { whole(weight.unsigned_abs() as usize - 1) }
}

/// The threshold whose two cells are worth most, more ones above than below.
fn threshold(cells: &[[u32; 2]], evidence: &Evidence) -> u64 {
    let all = cells.iter().fold([0; 2], |sum, cell| [sum[0] + cell[0], sum[1] + cell[1]]);
    let mut below = [0u32; 2];
    let mut best = (f64::NEG_INFINITY, 0);
    for (sum, cell) in cells.iter().enumerate() {
        let above = [all[0] - below[0], all[1] - below[1]];
        let ordered = u64::from(above[1]) * u64::from(below[0]) >= u64::from(above[0]) * u64::from(below[1]);
        let worth = evidence.cell(below[0], below[1]) + evidence.cell(above[0], above[1]);
        if ordered && worth > best.0 {
            best = (worth, sum as u64);
        }
        below = [below[0] + cell[0], below[1] + cell[1]];
    }
    best.1
}

/// The sums where most labels are 1; one that no row has goes with the one before.
fn ranges(cells: &[[u32; 2]]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    let mut answer = cells.iter().find(|cell| cell[0] + cell[1] > 0).is_some_and(|cell| cell[1] > cell[0]);
    for (sum, &[zeros, ones]) in cells.iter().enumerate() {
        if zeros + ones > 0 {
            answer = ones > zeros;
        }
        if answer {
            match ranges.last_mut() {
                Some((_, to)) if *to + 1 == sum as u64 => *to = sum as u64,
                _ => ranges.push((sum as u64, sum as u64)),
            }
        }
    }
    ranges
}
