//! The Lagrangian bound by subgradient steps, with greedy covers along the way.
//!
//! Give each row a price; a column's reduced cost is 1 minus the prices of its rows. The prices plus the negative
//! reduced costs bound every cover from below. Steps move the prices towards rows that the bound's own choice leaves
//! uncovered; the reduced costs near the best prices guide the greedy primal. Afterwards parts of the best cover are torn out at random
//! and completed again. Prices of the best bound are rounded to integers and the bound is taken from those: proven.

use super::Part;
use super::greedy::{self, Guide};
use super::matrix::Matrix;
use crate::budget::Budget;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Fixed-point unit of the proven bound.
const UNIT: i64 = 1 << 20;

/// Step lengths are halved after this many steps without a better bound, down to the smallest.
const STEPS: usize = 600;
const PATIENCE: usize = 10;
const SMALLEST_SCALE: f64 = 0.004;
const GUIDING_SCALE: f64 = 0.1;
const DEFLECTION: f64 = 0.6;

/// Prices of the rows, with the bound that they prove.
#[derive(Debug, Clone)]
pub(super) struct Prices {
    pub(super) prices: Vec<f64>,
    /// The bound in floats: a guide, not a proof.
    pub(super) value: f64,
}

/// Solves one block without branching.
pub(super) fn solve(matrix: &Matrix, rng: &mut ChaCha8Rng, budget: &Budget) -> Part {
    let mut best = Vec::new();
    greedy::without_prices(matrix, &mut best);
    let mut prices = initial_prices(matrix);
    ascend(matrix, &mut prices, &mut best, STEPS, budget);
    let mut lower_bound = proven_bound(matrix, &prices.prices).min(best.len());
    let mut interrupted = budget.spent();
    if lower_bound < best.len() && !interrupted {
        tear_and_mend(matrix, &prices, &mut best, lower_bound, rng, budget);
        interrupted = budget.spent();
        lower_bound = lower_bound.min(best.len());
    }
    Part { columns: best, lower_bound, interrupted }
}

/// Each row's share of its widest column.
pub(super) fn initial_prices(matrix: &Matrix) -> Prices {
    let share = |row: usize| {
        let widest = matrix.row(row).iter().map(|&c| matrix.column(c as usize).len()).max();
        1.0 / widest.unwrap_or(1) as f64
    };
    Prices { prices: (0..matrix.rows()).map(share).collect(), value: f64::NEG_INFINITY }
}

/// Up to `steps` subgradient steps from `prices`, which become the best found; greedy covers replace `best` if smaller.
pub(super) fn ascend(
    matrix: &Matrix,
    prices: &mut Prices,
    best: &mut Vec<usize>,
    steps: usize,
    budget: &Budget,
) {
    let mut now = prices.prices.clone();
    let mut reduced = vec![0.0; matrix.columns()];
    let mut slope = vec![0.0f64; matrix.rows()];
    let mut direction = vec![0.0f64; matrix.rows()];
    let mut scale = 1.0;
    let mut since_better = 0;
    for step in 0..steps {
        let value = reduced_costs(matrix, &now, &mut reduced);
        since_better = if value > prices.value + 1e-4 * prices.value.abs() { 0 } else { since_better + 1 };
        if value > prices.value {
            prices.value = value;
            prices.prices.copy_from_slice(&now);
        }
        // Early prices are too rough to guide anyone.
        if (scale < GUIDING_SCALE && step % 16 == 15) || step + 1 == steps {
            try_greedy(matrix, &now, &reduced, best);
        }
        // A bound within rounding of the next integer is as good as that integer.
        if (prices.value - 1e-9).ceil() >= best.len() as f64 || (step % 16 == 0 && budget.spent()) {
            break;
        }
        if since_better >= PATIENCE {
            scale *= 0.5;
            since_better = 0;
            if scale < SMALLEST_SCALE {
                reduced_costs(matrix, &prices.prices, &mut reduced);
                try_greedy(matrix, &prices.prices, &reduced, best);
                break;
            }
            now.copy_from_slice(&prices.prices);
            reduced_costs(matrix, &now, &mut reduced);
            direction.fill(0.0);
        }
        slope.fill(1.0);
        for (column, _) in reduced.iter().enumerate().filter(|(_, cost)| **cost < 0.0) {
            matrix.column(column).iter().for_each(|&row| slope[row as usize] -= 1.0);
        }
        // Part of the last direction damps the zigzag of bare subgradients.
        let mut norm = 0.0;
        for ((d, &s), &price) in direction.iter_mut().zip(&slope).zip(&now) {
            *d = s + DEFLECTION * *d;
            norm += if price <= 0.0 && *d < 0.0 { 0.0 } else { *d * *d };
        }
        if norm == 0.0 {
            break;
        }
        let length = scale * (best.len() as f64 - value).max(0.5) / norm;
        for (price, &d) in now.iter_mut().zip(&direction) {
            *price = (*price + length * d).max(0.0);
        }
    }
}

fn try_greedy(matrix: &Matrix, prices: &[f64], reduced_cost: &[f64], best: &mut Vec<usize>) {
    let mut cover = Vec::new();
    greedy::complete(matrix, &Guide { prices, reduced_cost }, &mut cover);
    if cover.len() < best.len() {
        *best = cover;
    }
}

/// Fills in the reduced costs and returns the bound.
pub(super) fn reduced_costs(matrix: &Matrix, prices: &[f64], reduced: &mut [f64]) -> f64 {
    let mut value: f64 = prices.iter().sum();
    for (column, cost) in reduced.iter_mut().enumerate() {
        let paid: f64 = matrix.column(column).iter().map(|&row| prices[row as usize]).sum();
        *cost = 1.0 - paid;
        if *cost < 0.0 {
            value += *cost;
        }
    }
    value
}

/// The bound of the prices rounded down to multiples of 1 / [`UNIT`], in integers.
pub(super) fn proven_bound(matrix: &Matrix, prices: &[f64]) -> usize {
    // Any non-negative integers prove a bound; these are close to the best prices.
    let prices: Vec<i64> = prices.iter().map(|price| (price * UNIT as f64) as i64).collect();
    let mut value: i64 = prices.iter().sum();
    for column in 0..matrix.columns() {
        let paid: i64 = matrix.column(column).iter().map(|&row| prices[row as usize]).sum();
        value += (UNIT - paid).min(0);
    }
    usize::try_from((value + UNIT - 1).div_euclid(UNIT)).unwrap_or(0)
}

/// Tears random parts out of the best cover and completes them again, as long as that pays.
fn tear_and_mend(
    matrix: &Matrix,
    prices: &Prices,
    best: &mut Vec<usize>,
    lower_bound: usize,
    rng: &mut ChaCha8Rng,
    budget: &Budget,
) {
    let mut reduced = vec![0.0; matrix.columns()];
    reduced_costs(matrix, &prices.prices, &mut reduced);
    let mut noisy = reduced.clone();
    let mut current = best.clone();
    // Small blocks can afford more tries than large ones.
    let tears = (100_000 / matrix.entries().max(1)).clamp(16, 200);
    let mut failures = 0;
    while failures < tears && best.len() > lower_bound && !budget.spent() {
        let mut trial = tear(matrix, &current, rng);
        for (noisy, cost) in noisy.iter_mut().zip(&reduced) {
            *noisy = cost + 0.05 * rng.random::<f64>();
        }
        greedy::complete(matrix, &Guide { prices: &prices.prices, reduced_cost: &noisy }, &mut trial);
        failures += 1;
        if trial.len() <= current.len() {
            current = trial;
        }
        if current.len() < best.len() {
            best.clone_from(&current);
            failures = 0;
        }
    }
}

/// The cover without the columns around a random row: those that meet a column of one of the rows close to it.
fn tear(matrix: &Matrix, cover: &[usize], rng: &mut ChaCha8Rng) -> Vec<usize> {
    let size = 8 + rng.random_range(0..=cover.len() / 3);
    let mut torn = vec![false; matrix.columns()];
    let mut chosen = vec![false; matrix.columns()];
    for &column in cover {
        chosen[column] = true;
    }
    let mut seen = vec![false; matrix.rows()];
    let first = rng.random_range(0..matrix.rows());
    seen[first] = true;
    let (mut queue, mut at, mut count) = (vec![first], 0, 0);
    while at < queue.len() && count < size {
        for &column in matrix.row(queue[at]) {
            let column = column as usize;
            if chosen[column] && !std::mem::replace(&mut torn[column], true) {
                count += 1;
            }
            for &row in matrix.column(column) {
                if !std::mem::replace(&mut seen[row as usize], true) {
                    queue.push(row as usize);
                }
            }
        }
        at += 1;
    }
    cover.iter().copied().filter(|&column| !torn[column]).collect()
}
