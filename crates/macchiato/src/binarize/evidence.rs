//! How well classes are described by cutting rows in two: the evidence of `select`, for any number of classes.
//!
//! A cell with some rows of each class has the Dirichlet-multinomial marginal likelihood, with the best of the same few priors;
//! for two classes it is the Beta-binomial. All of it is in fixed point, so that it is the same on every machine.

/// Nats in units of 2^-20.
pub(super) type Nats = i64;

const NAT: f64 = (1u64 << 20) as f64;
const LANES: usize = 3;
/// Almost pure cells, noisy cells, any rate.
const PRIORS: [f64; LANES] = [0.02, 0.2, 1.0];

type Lanes = [Nats; LANES];

/// Logarithms of all that counts up to the number of rows need.
#[derive(Debug)]
pub(super) struct Evidence {
    /// `ln (Γ(n + a) / Γ(a))` for each n.
    rising: Vec<Lanes>,
    /// `ln (Γ(n + Ca) / Γ(Ca))` for C classes.
    rising_all: Vec<Lanes>,
    classes: usize,
}

/// The rows of one cell, class by class, with their evidence.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    counts: Vec<u32>,
    rows: u32,
    /// Sum over the classes of their part.
    sum: Lanes,
}

impl Evidence {
    pub(super) fn new(rows: usize, classes: usize) -> Self {
        let rising = |scale: f64| {
            let mut sums = [0.0f64; LANES];
            let mut table = vec![[0; LANES]];
            for n in 0..rows {
                for (sum, prior) in sums.iter_mut().zip(PRIORS) {
                    *sum += libm::log(scale * prior + n as f64);
                }
                table.push(sums.map(|nats| libm::round(nats * NAT) as Nats));
            }
            table
        };
        Self { rising: rising(1.0), rising_all: rising(classes as f64), classes }
    }

    pub(super) fn empty(&self) -> Cell {
        Cell { counts: vec![0; self.classes], rows: 0, sum: [0; LANES] }
    }

    /// The cell of these classes.
    pub(super) fn cell(&self, classes: &[u32]) -> Cell {
        let mut cell = self.empty();
        for &class in classes {
            cell.add(self, class);
        }
        cell
    }

    /// Evidence of cells that lie side by side.
    pub(super) fn of(&self, cells: &[&Cell]) -> Nats {
        let lane = |lane: usize| {
            cells.iter().map(|cell| cell.sum[lane] - self.rising_all[cell.rows as usize][lane]).sum()
        };
        (0..LANES).map(lane).max().unwrap_or(0)
    }

    /// Nats that it takes to name one of `choices`.
    pub(super) fn choice(choices: usize) -> Nats {
        libm::round(libm::log(choices.max(1) as f64) * NAT) as Nats
    }
}

impl Cell {
    pub(super) fn add(&mut self, evidence: &Evidence, class: u32) {
        let count = &mut self.counts[class as usize];
        let (before, after) = (evidence.rising[*count as usize], evidence.rising[*count as usize + 1]);
        *count += 1;
        self.rows += 1;
        self.sum = std::array::from_fn(|lane| self.sum[lane] + after[lane] - before[lane]);
    }

    pub(super) fn remove(&mut self, evidence: &Evidence, class: u32) {
        let count = &mut self.counts[class as usize];
        let (before, after) = (evidence.rising[*count as usize], evidence.rising[*count as usize - 1]);
        *count -= 1;
        self.rows -= 1;
        self.sum = std::array::from_fn(|lane| self.sum[lane] + after[lane] - before[lane]);
    }
}
