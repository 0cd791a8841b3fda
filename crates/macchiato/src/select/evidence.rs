//! The evidence of a set of inputs: how well the labels are described cell by cell.
//!
//! Each observed cell of the projected table, with n0 rows of label 0 and n1 of label 1, has the Beta-binomial marginal
//! likelihood B(n0 + a, n1 + a) / B(a, a), the probability of its labels in a given order when the cell's rate is unknown.
//! The evidence of a set J is the sum of the logarithms, with the best of a few priors a, less ln C(B, |J|) for naming J.
//! It weighs fit against size by itself: a small a expects cells of one label, a = 1 expects anything.
//!
//! All of it is in fixed point. Sums of integers do not depend on their order, and the logarithms are computed in software,
//! so the same rows have the same evidence on every machine and number of threads.

/// Nats in units of 2^-20.
pub type Nats = i64;

/// One nat.
pub const NAT: f64 = (1u64 << 20) as f64;

/// The priors: almost pure cells, noisy cells, any rate.
const PRIORS: [f64; LANES] = [0.02, 0.2, 1.0];

pub(crate) const LANES: usize = 3;

/// The same quantity under each prior.
pub(crate) type Lanes = [Nats; LANES];

/// Logarithms of all that counts up to the number of rows need.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// `ln (Γ(n + a) / Γ(a))` for each n.
    rising: Vec<Lanes>,
    /// `ln (Γ(n + 2a) / Γ(2a))`.
    rising_both: Vec<Lanes>,
    /// `ln C(B, k)` for each k.
    choices: Vec<Nats>,
}

impl Evidence {
    /// For up to `rows` rows of `inputs` inputs.
    #[must_use]
    pub fn new(rows: usize, inputs: usize) -> Self {
        let rising = |scale: f64| {
            let mut sums = [0.0f64; LANES];
            let mut table = vec![[0; LANES]];
            for n in 0..rows {
                for (sum, prior) in sums.iter_mut().zip(PRIORS) {
                    *sum += libm::log(scale * prior + n as f64);
                }
                table.push(sums.map(fixed));
            }
            table
        };
        let mut choices = vec![0];
        let mut sum = 0.0;
        for k in 0..inputs {
            sum += libm::log((inputs - k) as f64) - libm::log((k + 1) as f64);
            choices.push(fixed(sum));
        }
        Self { rising: rising(1.0), rising_both: rising(2.0), choices }
    }

    /// The cell's evidence under each prior.
    #[inline]
    pub(crate) fn cell(&self, zeros: u32, ones: u32) -> Lanes {
        let (a, b) = (self.rising[zeros as usize], self.rising[ones as usize]);
        let both = self.rising_both[(zeros + ones) as usize];
        std::array::from_fn(|lane| a[lane] + b[lane] - both[lane])
    }

    /// Nats that it takes to name `k` of the inputs.
    #[must_use]
    pub fn choice(&self, k: usize) -> Nats {
        self.choices[k]
    }

    /// Evidence of one cell alone: that nothing matters.
    #[must_use]
    pub fn constant(&self, zeros: usize, ones: usize) -> Nats {
        best(self.cell(zeros as u32, ones as u32))
    }

    /// Evidence of the set with these counts in its cells.
    #[must_use]
    pub fn of_cells(&self, cells: impl Iterator<Item = [u32; 2]>, k: usize) -> Nats {
        let sum = cells.fold([0; LANES], |sum, [zeros, ones]| add(sum, self.cell(zeros, ones)));
        best(sum) - self.choice(k)
    }
}

/// A row that is alone in its cell is a coin toss, whatever the prior.
pub(crate) const ALONE: Nats = -726_817;

#[inline]
pub(crate) fn add(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

#[inline]
pub(crate) fn best(lanes: Lanes) -> Nats {
    lanes.into_iter().max().unwrap_or(0)
}

#[allow(clippy::cast_possible_truncation)] // At most 2^26 rows of a few nats each.
fn fixed(nats: f64) -> Nats {
    libm::round(nats * NAT) as Nats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_alone_is_a_coin_toss() {
        let evidence = Evidence::new(4, 3);
        for lane in evidence.cell(1, 0).into_iter().chain(evidence.cell(0, 1)) {
            assert!((lane - ALONE).abs() <= 2, "{lane}");
        }
    }

    #[test]
    fn the_uniform_prior_counts_orders() {
        // Under a = 1 a cell of n0 and n1 rows has probability n0! n1! / (n0 + n1 + 1)!.
        let evidence = Evidence::new(9, 3);
        let exact = (1.0f64 / 504.0).ln(); // 3! 5! / 9!
        assert!((evidence.cell(3, 5)[2] as f64 / NAT - exact).abs() < 1e-5);
    }

    #[test]
    fn naming_inputs_costs_the_binomial() {
        let evidence = Evidence::new(1, 10);
        assert!((evidence.choice(3) as f64 / NAT - 120f64.ln()).abs() < 1e-5);
        assert_eq!(evidence.choice(10), 0);
    }
}
