//! Evidence: how well labels are described by cells, rows that a model does not tell apart.
//!
//! A cell with n0 rows of label 0 and n1 of label 1 has the Beta-binomial marginal likelihood B(n0 + a, n1 + a) / B(a, a), the
//! probability of its labels in a given order when the cell's rate is unknown; with C classes it is the Dirichlet-multinomial, of which
//! this is the case C = 2. The evidence of a set of cells is the sum of the logarithms. It weighs fit against size by itself: a small
//! prior a expects cells of one label, a = 1 expects anything.
//!
//! | | priors | numbers | cost of a cell |
//! |---|---|---|---|
//! | [`Evidence`] | the best of [`PRIORS`] | fixed point: sums do not depend on their order | look-ups |
//! | [`OnePrior`] | one | `f64`, in a fixed order | look-ups |
//! | [`of_cell`] | one | `f64`, of counts and of weights | six logarithms of Γ |
//!
//! Logarithms are computed in software, so the same rows have the same evidence on every machine and number of threads.

use std::array;

/// Nats in units of 2^-20.
pub(crate) type Nats = i64;

/// One nat.
pub(crate) const NAT: f64 = (1u64 << 20) as f64;

/// The priors: almost pure cells, noisy cells, any rate.
pub(crate) const PRIORS: [f64; LANES] = [0.02, 0.2, 1.0];

pub(crate) const LANES: usize = 3;

/// The same quantity under each prior.
pub(crate) type Lanes = [Nats; LANES];

/// ln of the Beta-binomial of a cell, whose counts need not be whole.
pub(crate) fn of_cell([zeros, ones]: [f64; 2], prior: f64) -> f64 {
    let rising = |n: f64, a: f64| libm::lgamma(n + a) - libm::lgamma(a);
    rising(zeros, prior) + rising(ones, prior) - rising(zeros + ones, 2.0 * prior)
}

/// ln C(n, k).
pub(crate) fn choose(n: usize, k: usize) -> f64 {
    let k = k.min(n.saturating_sub(k));
    (0..k).map(|i| libm::log((n - i) as f64) - libm::log((i + 1) as f64)).sum()
}

/// Nats that it takes to name one of `choices`.
pub(crate) fn one_of(choices: usize) -> Nats {
    fixed(libm::log(choices.max(1) as f64))
}

/// `ln (Γ(n + start) / Γ(start))` for each n up to the number of rows.
fn rising(rows: usize, start: f64) -> Vec<f64> {
    let logarithms = (0..rows).scan(0.0, |sum, n| {
        *sum += libm::log(start + n as f64);
        Some(*sum)
    });
    std::iter::once(0.0).chain(logarithms).collect()
}

#[allow(clippy::cast_possible_truncation)] // At most 2^26 rows of a few nats each.
fn fixed(nats: f64) -> Nats {
    libm::round(nats * NAT) as Nats
}

/// Logarithms for cells of two classes under one prior.
#[derive(Debug, Clone)]
pub(crate) struct OnePrior {
    one: Vec<f64>,
    both: Vec<f64>,
}

impl OnePrior {
    /// For up to `rows` rows in a cell.
    pub(crate) fn new(rows: usize, prior: f64) -> Self {
        Self { one: rising(rows, prior), both: rising(rows, 2.0 * prior) }
    }

    /// Evidence of a cell.
    #[inline]
    pub(crate) fn cell(&self, zeros: u32, ones: u32) -> f64 {
        self.one[zeros as usize] + self.one[ones as usize] - self.both[(zeros + ones) as usize]
    }
}

/// Logarithms of all that counts up to the number of rows need.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    /// For the rows of one class in a cell.
    one: Vec<Lanes>,
    /// For all rows of a cell.
    all: Vec<Lanes>,
    classes: usize,
    /// `ln C(B, k)` for each k.
    choices: Vec<Nats>,
}

impl Evidence {
    /// For up to `rows` rows of so many classes.
    pub(crate) fn of_classes(rows: usize, classes: usize) -> Self {
        let lanes = |scale: f64| {
            let tables = PRIORS.map(|prior| rising(rows, scale * prior));
            (0..=rows).map(|n| array::from_fn(|lane| fixed(tables[lane][n]))).collect()
        };
        Self { one: lanes(1.0), all: lanes(classes as f64), classes, choices: vec![0] }
    }

    /// For up to `rows` rows of two classes, and sets of `inputs` inputs that have to be named.
    pub(crate) fn new(rows: usize, inputs: usize) -> Self {
        let choices = (0..inputs).scan(0.0, |sum, k| {
            *sum += libm::log((inputs - k) as f64) - libm::log((k + 1) as f64);
            Some(fixed(*sum))
        });
        Self { choices: std::iter::once(0).chain(choices).collect(), ..Self::of_classes(rows, 2) }
    }

    /// The evidence of a cell of two classes under each prior.
    #[inline]
    pub(crate) fn cell(&self, zeros: u32, ones: u32) -> Lanes {
        let (a, b) = (self.one[zeros as usize], self.one[ones as usize]);
        let both = self.all[(zeros + ones) as usize];
        array::from_fn(|lane| a[lane] + b[lane] - both[lane])
    }

    /// Nats that it takes to name `k` of the inputs.
    pub(crate) fn choice(&self, k: usize) -> Nats {
        self.choices[k]
    }

    /// Evidence of one cell alone: that nothing matters.
    pub(crate) fn constant(&self, zeros: usize, ones: usize) -> Nats {
        best(self.cell(zeros as u32, ones as u32))
    }

    /// Evidence of the set of `k` inputs with these counts in its cells.
    pub(crate) fn of_cells(&self, cells: impl Iterator<Item = [u32; 2]>, k: usize) -> Nats {
        let sum = cells.fold([0; LANES], |sum, [zeros, ones]| add(sum, self.cell(zeros, ones)));
        best(sum) - self.choice(k)
    }

    /// A cell without rows, of any number of classes.
    pub(crate) fn empty(&self) -> Cell {
        Cell { counts: vec![0; self.classes], rows: 0, sum: [0; LANES] }
    }

    /// The cell of rows of these classes.
    pub(crate) fn cell_of(&self, classes: &[u32]) -> Cell {
        let mut cell = self.empty();
        for &class in classes {
            cell.add(self, class);
        }
        cell
    }

    /// Evidence of cells of any number of classes, side by side.
    pub(crate) fn beside(&self, cells: &[&Cell]) -> Nats {
        let lane =
            |lane: usize| cells.iter().map(|cell| cell.sum[lane] - self.all[cell.rows as usize][lane]).sum();
        best(array::from_fn(lane))
    }
}

/// The rows of one cell, class by class, as they come and go.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    counts: Vec<u32>,
    rows: u32,
    /// Sum over the classes of their part.
    sum: Lanes,
}

impl Cell {
    pub(crate) fn add(&mut self, evidence: &Evidence, class: u32) {
        let count = &mut self.counts[class as usize];
        let (before, after) = (evidence.one[*count as usize], evidence.one[*count as usize + 1]);
        *count += 1;
        self.rows += 1;
        self.sum = array::from_fn(|lane| self.sum[lane] + after[lane] - before[lane]);
    }

    pub(crate) fn remove(&mut self, evidence: &Evidence, class: u32) {
        let count = &mut self.counts[class as usize];
        let (before, after) = (evidence.one[*count as usize], evidence.one[*count as usize - 1]);
        *count -= 1;
        self.rows -= 1;
        self.sum = array::from_fn(|lane| self.sum[lane] + after[lane] - before[lane]);
    }
}

/// A row that is alone in its cell is a coin toss, whatever the prior.
pub(crate) const ALONE: Nats = -726_817;

#[inline]
pub(crate) fn add(a: Lanes, b: Lanes) -> Lanes {
    array::from_fn(|lane| a[lane] + b[lane])
}

#[inline]
pub(crate) fn best(lanes: Lanes) -> Nats {
    lanes.into_iter().max().unwrap_or(0)
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
        let exact = (1.0f64 / 504.0).ln(); // 3! 5! / 9!
        let fixed = Evidence::new(9, 3).cell(3, 5)[2] as f64 / NAT;
        for (nats, error) in
            [(fixed, 1e-5), (OnePrior::new(9, 1.0).cell(3, 5), 1e-9), (of_cell([3.0, 5.0], 1.0), 1e-9)]
        {
            assert!((nats - exact).abs() < error, "{nats} {exact}");
        }
    }

    #[test]
    fn every_form_says_the_same_of_two_classes() {
        let evidence = Evidence::new(40, 3);
        for (zeros, ones) in [(0, 0), (1, 0), (7, 2), (0, 40), (20, 20)] {
            let classes = [vec![0; zeros as usize], vec![1; ones as usize]].concat();
            assert_eq!(evidence.beside(&[&evidence.cell_of(&classes)]), best(evidence.cell(zeros, ones)));
            for (lane, prior) in evidence.cell(zeros, ones).into_iter().zip(PRIORS) {
                let one = OnePrior::new(40, prior).cell(zeros, ones);
                assert!((lane as f64 / NAT - one).abs() < 1e-5);
                assert!((of_cell([f64::from(zeros), f64::from(ones)], prior) - one).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn rows_that_leave_a_cell_leave_nothing_behind() {
        let evidence = Evidence::of_classes(6, 3);
        let mut cell = evidence.cell_of(&[0, 2, 2]);
        for class in [1, 2] {
            cell.add(&evidence, class);
        }
        for class in [2, 1] {
            cell.remove(&evidence, class);
        }
        assert_eq!(cell.sum, evidence.cell_of(&[0, 2, 2]).sum);
        assert!(evidence.beside(&[&evidence.cell_of(&[2, 2, 2])]) > evidence.beside(&[&cell]));
    }

    #[test]
    fn naming_inputs_costs_the_binomial() {
        let evidence = Evidence::new(1, 10);
        assert!((evidence.choice(3) as f64 / NAT - 120f64.ln()).abs() < 1e-5);
        assert!((choose(10, 7) - 120f64.ln()).abs() < 1e-9);
        assert_eq!(evidence.choice(10), 0);
    }
}
