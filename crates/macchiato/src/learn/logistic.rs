//! Logistic regression on bits: which conditions say most together, and with what weights.
//!
//! The path of the L1 penalty, from none to all conditions, by coordinate descent on the quadratic approximation of the loss (Friedman,
//! Hastie and Tibshirani, 2010): each step of the path begins where the last one ended, and a condition costs one pass over the rows in which it holds. Sums are
//! taken in a fixed order and exponentials in software, so the path is the same on every machine.

use crate::bits;
use macchiato_minimize::Budget;

/// The next penalty of the path.
const STEP: f64 = 0.82;

/// Penalties of the path at most: the last one is a two-hundredth of the first.
const STEPS: usize = 27;

/// Quadratic approximations for each penalty: a start from the last one needs few.
const APPROXIMATIONS: usize = 4;

/// Sweeps over the conditions for each approximation.
const SWEEPS: usize = 12;

/// A sweep that moves no weight by more than this is the last one.
const STILL: f64 = 1e-3;

/// Rows as lists of those in which each condition holds.
pub(super) struct Design {
    held: Vec<Vec<u32>>,
    /// What each condition costs: its share of the penalty.
    prices: Vec<f64>,
    labels: Vec<bool>,
}

/// Weights of conditions and of none.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    pub(super) conditions: Vec<f64>,
    pub(super) constant: f64,
}

impl Weights {
    /// The conditions that count.
    pub(super) fn support(&self) -> Vec<usize> {
        (0..self.conditions.len()).filter(|&at| self.conditions[at] != 0.0).collect()
    }
}

impl Design {
    pub(super) fn new<'a>(
        columns: impl Iterator<Item = &'a [u64]>,
        prices: Vec<f64>,
        labels: &[u64],
        rows: usize,
    ) -> Self {
        let held = columns.map(|column| bits::ones(column).map(|row| row as u32).collect()).collect();
        Self { held, prices, labels: (0..rows).map(|row| bits::get(labels, row)).collect() }
    }

    /// For each size the weights of the largest support of at most so many conditions along the path.
    pub(super) fn path(&self, sizes: &[usize], budget: &Budget) -> Vec<(usize, Weights)> {
        let most = sizes.last().copied().unwrap_or(0);
        let mut weights = self.none();
        let mut penalty = self.steepest(&weights);
        let mut best: Vec<Option<(usize, Weights)>> = vec![None; sizes.len()];
        for _ in 0..STEPS {
            penalty *= STEP;
            self.descend(&mut weights, None, penalty, 0.0, budget);
            let support = weights.conditions.iter().filter(|&&weight| weight != 0.0).count();
            for (size, best) in sizes.iter().zip(&mut best) {
                if support > 0 && support <= *size && best.as_ref().is_none_or(|best| support >= best.0) {
                    *best = Some((support, weights.clone()));
                }
            }
            if support > most || budget.spent() {
                break;
            }
        }
        let mut path: Vec<(usize, Weights)> = Vec::new();
        for (size, (support, weights)) in
            sizes.iter().zip(best).filter_map(|(size, best)| Some((size, best?)))
        {
            // What has as many conditions as the size before is no other one.
            if path.last().is_none_or(|(_, last)| last.support().len() < support) {
                path.push((*size, weights));
            }
        }
        path
    }

    /// The weights of some conditions alone, with a ridge that keeps them finite where the labels can be told apart.
    pub(super) fn refit(&self, start: &Weights, ridge: f64, budget: &Budget) -> Weights {
        let support = start.support();
        let mut weights = start.clone();
        for _ in 0..3 {
            self.descend(&mut weights, Some(&support), 0.0, ridge, budget);
        }
        weights
    }

    fn none(&self) -> Weights {
        let ones = self.labels.iter().filter(|&&label| label).count() as f64;
        let zeros = self.labels.len() as f64 - ones;
        let constant = libm::log((ones + 0.5) / (zeros + 0.5));
        Weights { conditions: vec![0.0; self.held.len()], constant }
    }

    /// The greatest slope of a condition that does not count: the penalty that keeps all out.
    fn steepest(&self, weights: &Weights) -> f64 {
        let p = sigmoid(weights.constant);
        let slope = |(held, price): (&Vec<u32>, &f64)| {
            held.iter().map(|&row| f64::from(u8::from(self.labels[row as usize])) - p).sum::<f64>().abs()
                / price
        };
        self.held.iter().zip(&self.prices).map(slope).fold(0.0, f64::max)
    }

    /// Coordinate descent from `weights`, among some conditions or all.
    fn descend(
        &self,
        weights: &mut Weights,
        among: Option<&[usize]>,
        penalty: f64,
        ridge: f64,
        budget: &Budget,
    ) {
        let rows = self.labels.len();
        let mut scores = vec![weights.constant; rows];
        for (held, &weight) in self.held.iter().zip(&weights.conditions).filter(|(_, weight)| **weight != 0.0)
        {
            for &row in held {
                scores[row as usize] += weight;
            }
        }
        let all: Vec<usize> = (0..self.held.len()).collect();
        let among = among.unwrap_or(&all);
        let (mut curvature, mut left) = (vec![0.0; rows], vec![0.0; rows]);
        for _ in 0..APPROXIMATIONS {
            if budget.spent() {
                return;
            }
            for (row, &score) in scores.iter().enumerate() {
                let p = sigmoid(score);
                curvature[row] = (p * (1.0 - p)).max(1e-4);
                left[row] = (f64::from(u8::from(self.labels[row])) - p) / curvature[row];
            }
            let before = left.clone();
            let total: f64 = curvature.iter().sum();
            let mut moved_most: f64 = 0.0;
            let mut open: Vec<usize> = among.to_vec();
            for sweep in 0..SWEEPS {
                let mut moved: f64 = 0.0;
                let shift =
                    left.iter().zip(&curvature).map(|(left, weight)| left * weight).sum::<f64>() / total;
                weights.constant += shift;
                for left in &mut left {
                    *left -= shift;
                }
                for &at in &open {
                    let (mut slope, mut bend) = (0.0, 0.0);
                    for &row in &self.held[at] {
                        let weight = curvature[row as usize];
                        slope += weight * left[row as usize];
                        bend += weight;
                    }
                    let old = weights.conditions[at];
                    let pull = slope + bend * old;
                    let most = penalty * self.prices[at];
                    let new = (pull - pull.clamp(-most, most)) / (bend + ridge + 1e-9);
                    let by = new - old;
                    if by.abs() > 0.0 {
                        weights.conditions[at] = new;
                        self.held[at].iter().for_each(|&row| left[row as usize] -= by);
                        moved = moved.max(by.abs());
                    }
                }
                moved_most = moved_most.max(moved);
                // After the first sweep only those that count are moved.
                if sweep == 0 {
                    open.retain(|&at| weights.conditions[at] != 0.0);
                }
                if moved < STILL {
                    break;
                }
            }
            for ((score, left), before) in scores.iter_mut().zip(&left).zip(&before) {
                *score += before - left;
            }
            if moved_most < 10.0 * STILL {
                break;
            }
        }
    }
}

/// 1 / (1 + e^-x).
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x.clamp(-30.0, 30.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;
    use rand::RngExt;

    #[test]
    fn the_conditions_that_count_come_first_and_with_their_signs() {
        let mut rng = Stream::TrainingRows.of(3);
        let rows = 2000;
        let columns: Vec<Vec<u64>> =
            (0..20).map(|_| (0..bits::words(rows)).map(|_| rng.random()).collect()).collect();
        let mut labels = vec![0u64; bits::words(rows)];
        for row in 0..rows {
            let bit = |at: usize| f64::from(u8::from(bits::get(&columns[at], row)));
            if rng.random::<f64>() < sigmoid(3.0 * bit(4) - 2.0 * bit(7) + 1.5 * bit(11) - 1.0) {
                bits::set(&mut labels, row);
            }
        }
        let mask = bits::last_mask(rows);
        let trimmed: Vec<Vec<u64>> = columns
            .into_iter()
            .map(|mut column| {
                if let Some(last) = column.last_mut() {
                    *last &= mask;
                }
                column
            })
            .collect();
        let design = Design::new(trimmed.iter().map(Vec::as_slice), vec![1.0; 20], &labels, rows);
        let path = design.path(&[1, 2, 3], &Budget::unlimited());
        let (_, three) = path.last().expect("a path");
        assert_eq!(three.support(), [4, 7, 11]);
        let refitted = design.refit(three, 0.5, &Budget::unlimited());
        for (at, wanted) in [(4, 3.0), (7, -2.0), (11, 1.5)] {
            assert!((refitted.conditions[at] - wanted).abs() < 0.5, "{refitted:?}");
        }
    }
}
