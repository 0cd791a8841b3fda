//! Scorecards: points for conditions, and an answer from a score on. A condition is an input, or an AND of a few that boosted trees suggest.
//!
//! Which conditions: the supports along the path of a penalized logistic regression ([`super::logistic`]), one for each of a few sizes. Their
//! weights, fitted again, are scaled so that the largest is 1, 2, 3, ... points and rounded; then single points are moved while that
//! lowers the loss. Of the scales the one is taken whose loss and points together take the fewest nats. The loss is that of a logistic curve over the score,
//! so a round of moves costs one pass over the rows for each condition.

use super::candidate::{Candidate, Family, Recipe};
use super::logistic::{Design, Weights, sigmoid};
use super::net::{Net, Value};
use super::score::whole;
use crate::bits;
use crate::circuit::Rule;
use crate::random::Stream;
use crate::rows::Rows;
use macchiato_minimize::Budget;
use rand::seq::index;
use rayon::prelude::*;

/// Conditions of a scorecard: what a person reads, and a little more.
const CARDS: [usize; 12] = [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 40];

/// Most points of a condition.
const POINTS: [u32; 5] = [1, 2, 3, 5, 9];

/// Curvature added to each condition: half a row keeps weights finite.
const RIDGE: f64 = 0.5;

/// Nats that a move by one point has to gain: less is chance, and takes most of the time.
const WORTH_A_MOVE: f64 = 0.1;

/// Rounds of moves by one point.
const ROUNDS: usize = 4;

/// Rows times conditions that are read: more rows hardly move the weights.
const MOST_CELLS: usize = 1 << 22;

/// Rows that are read however many conditions there are.
const FEWEST_ROWS: usize = 1 << 12;

/// An AND of inputs, or an input.
pub(super) type Conditions = Vec<(usize, bool)>;

/// Scorecards of several sizes.
pub(super) fn scorecards(rows: &Rows, seed: u64, budget: &Budget) -> Vec<Candidate> {
    let some = some(rows, seed);
    let deck: Vec<Conditions> = (0..rows.inputs()).map(|input| vec![(input, true)]).collect();
    cards(
        rows,
        some.as_ref().unwrap_or(rows),
        &deck,
        (&|size| Recipe::new(Family::Scorecard, size), &CARDS),
        budget,
    )
}

/// The rows that points are fitted to, where there are too many.
pub(super) fn some(rows: &Rows, seed: u64) -> Option<Rows> {
    let most = (MOST_CELLS / rows.inputs().max(1)).max(FEWEST_ROWS);
    (rows.len() > most).then(|| {
        let mut picked: Vec<usize> = index::sample(&mut Stream::Scores.of(seed), rows.len(), most).into_vec();
        picked.sort_unstable();
        rows.pick(&picked)
    })
}

/// Cards over a deck of conditions, fitted to some of the rows.
pub(super) fn cards(
    rows: &Rows,
    some: &Rows,
    deck: &[Conditions],
    (recipe, sizes): (&dyn Fn(usize) -> Recipe, &[usize]),
    budget: &Budget,
) -> Vec<Candidate> {
    let columns: Vec<Vec<u64>> = deck.iter().map(|conditions| and(some, conditions)).collect();
    let dealt = dealt(&columns, some, deck, (sizes, RIDGE), budget);
    let candidate = |(size, card): &OfSize| card.candidate(rows, deck, recipe(*size));
    dealt.iter().filter_map(candidate).collect()
}

/// The cards of each size.
pub(super) fn dealt(
    columns: &[Vec<u64>],
    some: &Rows,
    deck: &[Conditions],
    (sizes, ridge): (&[usize], f64),
    budget: &Budget,
) -> Vec<OfSize> {
    // A longer condition is more to read.
    let prices = deck.iter().map(|conditions| libm::sqrt(conditions.len() as f64)).collect();
    let design = Design::new(columns.iter().map(Vec::as_slice), prices, some.labels(), some.len());
    let path = design.path(sizes, budget);
    let card = |(size, weights): &(usize, Weights)| {
        Some((*size, Card::round(columns, some, &design.refit(weights, ridge, budget))?))
    };
    path.par_iter().filter_map(card).collect()
}

/// Which rows each of some conditions holds on.
pub(super) fn held(columns: &[Vec<u64>], conditions: &[usize], rows: &Rows) -> Vec<Vec<bool>> {
    let column = |&at: &usize| (0..rows.len()).map(|row| bits::get(&columns[at], row)).collect();
    conditions.iter().map(column).collect()
}

pub(super) fn labels(rows: &Rows) -> Vec<bool> {
    (0..rows.len()).map(|row| bits::get(rows.labels(), row)).collect()
}

/// Where all conditions hold.
pub(super) fn and(rows: &Rows, conditions: &[(usize, bool)]) -> Vec<u64> {
    let mut all = vec![u64::MAX; bits::words(rows.len())];
    for &(input, positive) in conditions {
        let flip = if positive { 0 } else { u64::MAX };
        all.iter_mut().zip(&rows.columns()[input]).for_each(|(all, word)| *all &= word ^ flip);
    }
    bits::trim(&mut all, rows.len());
    all
}

/// A card with the size of its recipe.
pub(super) type OfSize = (usize, Card);

/// Points of conditions; negative ones count where the condition does not hold.
#[derive(Debug, Clone)]
pub(super) struct Card {
    pub(super) conditions: Vec<usize>,
    pub(super) points: Vec<i32>,
    /// Points of a weight of 1.
    pub(super) scale: f64,
    least: u64,
    /// Nats of the labels and of the points.
    nats: f64,
}

impl Card {
    /// All of a deck's conditions with these points.
    pub(super) fn of_all(points: Vec<i32>, scale: f64) -> Self {
        Self { conditions: (0..points.len()).collect(), points, scale, least: 0, nats: 0.0 }
    }

    /// The best of several scales.
    fn round(columns: &[Vec<u64>], rows: &Rows, weights: &Weights) -> Option<Self> {
        let conditions = weights.support();
        let largest = conditions.iter().map(|&at| weights.conditions[at].abs()).fold(0.0, f64::max);
        if largest <= 0.0 {
            return None;
        }
        let (labels, held) = (labels(rows), held(columns, &conditions, rows));
        let cards = POINTS.iter().map(|&most| {
            let scale = f64::from(most) / largest;
            let points = conditions.iter().map(|&at| libm::round(weights.conditions[at] * scale) as i32);
            let (conditions, points) = (conditions.clone(), points.collect());
            let mut card = Self { conditions, points, scale, least: 0, nats: 0.0 };
            card.settle(&held, &labels, most as i32);
            card.nats += card.points.iter().map(|points| whole(points.unsigned_abs() as usize)).sum::<f64>();
            card
        });
        cards
            .filter(|card| card.points.iter().any(|&points| points != 0))
            .reduce(|a, b| if b.nats < a.nats { b } else { a })
    }

    /// As gates: each condition an AND, and one gate that adds their points up.
    pub(super) fn candidate(&self, rows: &Rows, deck: &[Conditions], recipe: Recipe) -> Option<Candidate> {
        let mut net = Net::new(rows);
        let mut literals = Vec::with_capacity(self.points.len());
        for (&at, &points) in self.conditions.iter().zip(&self.points).filter(|(_, points)| **points != 0) {
            let values: Vec<Value> =
                deck[at].iter().map(|&(input, positive)| Value::input(input).signed(positive)).collect();
            if let Value::Literal(literal) = net.and(&values) {
                literals.push(literal.signed(points > 0).times(points.unsigned_abs()));
            }
        }
        let value = net.gate(Rule::AtLeast(self.least), literals);
        net.candidate(recipe, value)
    }

    /// Moves single points while that takes fewer nats, and finds the score that decides.
    pub(super) fn settle(&mut self, held: &[Vec<bool>], labels: &[bool], most: i32) {
        let mut sums = vec![0i32; labels.len()];
        for (held, &points) in held.iter().zip(&self.points) {
            sums.iter_mut().zip(held).for_each(|(sum, &held)| *sum += value(points, held));
        }
        let mut now = Curve::fit(&self.cells(&self.split(&sums, None, labels), [0, 0]), None);
        let mut known = now.known(self.top());
        for _ in 0..ROUNDS {
            let mut moved = false;
            for (at, held) in held.iter().enumerate() {
                // Rows by sum, condition and label say what every move would give.
                let mut split = self.split(&sums, Some(held), labels);
                for by in [1, -1] {
                    let (old, new) = (self.points[at], self.points[at] + by);
                    if new.abs() > most {
                        continue;
                    }
                    let change = [value(new, false) - value(old, false), value(new, true) - value(old, true)];
                    if known.promise(&split, change) >= now.nats - WORTH_A_MOVE {
                        continue;
                    }
                    self.points[at] = new;
                    let curve = Curve::fit(&self.cells(&split, change), Some(&now));
                    if curve.nats < now.nats - WORTH_A_MOVE {
                        for (sum, &held) in sums.iter_mut().zip(held) {
                            *sum += change[usize::from(held)];
                        }
                        split = self.split(&sums, Some(held), labels);
                        (now, moved) = (curve, true);
                        known = now.known(self.top());
                    } else {
                        self.points[at] = old;
                    }
                }
            }
            if !moved {
                break;
            }
        }
        (self.least, self.nats) = (now.least, now.nats);
    }

    /// Most points of a row.
    fn top(&self) -> usize {
        self.points.iter().map(|points| points.unsigned_abs() as usize).sum()
    }

    /// Rows by sum, condition and label; without a condition it does not hold.
    fn split(&self, sums: &[i32], held: Option<&Vec<bool>>, labels: &[bool]) -> Vec<[[u32; 2]; 2]> {
        let mut split = vec![[[0u32; 2]; 2]; self.top() + 1];
        for (row, (&sum, &label)) in sums.iter().zip(labels).enumerate() {
            let held = held.is_some_and(|held| held[row]);
            // Sums of points are never negative.
            split[sum.unsigned_abs() as usize][usize::from(held)][usize::from(label)] += 1;
        }
        split
    }

    /// Rows by sum and label, where each row's sum changes by what its condition says.
    fn cells(&self, split: &[[[u32; 2]; 2]], change: [i32; 2]) -> Vec<[u32; 2]> {
        let mut cells = vec![[0u32; 2]; self.top() + 1];
        for (sum, by_held) in split.iter().enumerate() {
            for (rows, &by) in by_held.iter().zip(&change).filter(|(rows, _)| **rows != [0, 0]) {
                let cell = &mut cells[sum.saturating_add_signed(by as isize)];
                *cell = [cell[0] + rows[0], cell[1] + rows[1]];
            }
        }
        cells
    }
}

/// Points of a row.
const fn value(points: i32, held: bool) -> i32 {
    if held == (points > 0) { points.abs() } else { 0 }
}

/// Where a logistic curve over the score crosses one half, and the loss under it.
struct Curve {
    least: u64,
    nats: f64,
    slope: f64,
    constant: f64,
    /// The score at which the curve's constant is taken.
    middle: f64,
}

/// A curve at every score, so that moves are compared without a logarithm.
struct Known {
    /// The probability of label 1, and the logarithms of those of 0 and 1.
    scores: Vec<(f64, [f64; 2])>,
    middle: f64,
}

impl Known {
    /// About the least loss that a curve has after a move: that under this curve, less what a step of Newton's method promises. Twice of it, so that
    /// a move is left out only where it is plainly of no use.
    fn promise(&self, split: &[[[u32; 2]; 2]], change: [i32; 2]) -> f64 {
        let (mut nats, mut newton) = (0.0, Newton::new(0.0));
        for (sum, by_held) in split.iter().enumerate() {
            for (&[zeros, ones], &by) in by_held.iter().zip(&change).filter(|(rows, _)| **rows != [0, 0]) {
                let sum = sum.saturating_add_signed(by as isize);
                let (p, logs) = self.scores[sum.min(self.scores.len() - 1)];
                let (zeros, ones) = (f64::from(zeros), f64::from(ones));
                nats -= zeros * logs[0] + ones * logs[1];
                newton.add([zeros, ones], p, sum as f64 - self.middle);
            }
        }
        newton.step().map_or(f64::NEG_INFINITY, |step| nats - step[0] * newton.g0 - step[1] * newton.g1)
    }
}

/// Slope and curvature of the likelihood of a curve's constant and slope; the ridge of half a row keeps both finite.
struct Newton {
    g0: f64,
    g1: f64,
    h00: f64,
    h01: f64,
    h11: f64,
}

impl Newton {
    const fn new(slope: f64) -> Self {
        Self { g0: 0.0, g1: -RIDGE * slope * 0.01, h00: 1e-6, h01: 0.0, h11: 0.01 * RIDGE }
    }

    /// Rows at `x` from the middle, whose label is 1 with the probability `p`.
    fn add(&mut self, [zeros, ones]: [f64; 2], p: f64, x: f64) {
        let n = zeros + ones;
        let (g, h) = (ones - n * p, n * (p * (1.0 - p)).max(1e-6));
        self.g0 += g;
        self.g1 += g * x;
        self.h00 += h;
        self.h01 += h * x;
        self.h11 += h * x * x;
    }

    /// To where both slopes would vanish.
    fn step(&self) -> Option<[f64; 2]> {
        let determinant = self.h00 * self.h11 - self.h01 * self.h01;
        (determinant > 1e-12).then(|| {
            let constant = self.h11 * self.g0 - self.h01 * self.g1;
            [constant / determinant, (self.h00 * self.g1 - self.h01 * self.g0) / determinant]
        })
    }
}

impl Curve {
    /// Its values up to a score and one beyond, where a move may lead.
    fn known(&self, top: usize) -> Known {
        let score = |sum: usize| {
            let p = sigmoid(self.constant + self.slope * (sum as f64 - self.middle));
            (p, [libm::log(1.0 - p), libm::log(p)])
        };
        Known { scores: (0..top + 2).map(score).collect(), middle: self.middle }
    }

    /// The curve that fits best, looked for from the one before on, where there is one.
    fn fit(cells: &[[u32; 2]], before: Option<&Self>) -> Self {
        let all = cells
            .iter()
            .fold([0.0; 2], |all, cell| [all[0] + f64::from(cell[0]), all[1] + f64::from(cell[1])]);
        let middle = cells.len() as f64 / 2.0;
        let flat = (0.0, libm::log((all[1] + 0.5) / (all[0] + 0.5)));
        let (mut slope, mut constant) = before.map_or(flat, |before| (before.slope, before.constant));
        for _ in 0..12 {
            let mut newton = Newton::new(slope);
            for (sum, cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != [0, 0]) {
                let x = sum as f64 - middle;
                newton.add(cell.map(f64::from), sigmoid(constant + slope * x), x);
            }
            let Some(step) = newton.step() else { break };
            // A step that would leave the curve's reach is shortened.
            let long = step[0].abs().max(step[1].abs() * middle.max(1.0)) / 4.0;
            let share = if long > 1.0 { 1.0 / long } else { 1.0 };
            constant += share * step[0];
            slope += share * step[1];
            if step[0].abs() + step[1].abs() < 1e-6 {
                break;
            }
        }
        let nats = cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| **cell != [0, 0])
            .map(|(sum, &[zeros, ones])| {
                let p = sigmoid(constant + slope * (sum as f64 - middle));
                -(f64::from(ones) * libm::log(p) + f64::from(zeros) * libm::log(1.0 - p))
            })
            .sum::<f64>();
        let least = (0..cells.len()).find(|&sum| constant + slope * (sum as f64 - middle) > 0.0);
        // Points count for label 1, so a curve that falls says that they do not tell.
        let nats = if slope < 0.0 { f64::INFINITY } else { nats };
        Self { least: least.unwrap_or(cells.len()) as u64, nats, slope, constant, middle }
    }
}
