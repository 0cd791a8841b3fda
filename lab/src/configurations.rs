//! The paper's eleven configurations and its figures for them, over seeds 0 to 19: the table of configurations of
//! Appendix D.2, the tables of accuracies and of run times of Section 5.

use anyhow::{Result, ensure};
use macchiato::fit::{Fit, PaperParams, Selection, fit_paper};
use macchiato::generate::{Target, TestRows, sample_pair};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;

/// Stages of every fit at most, the paper's m.
pub(crate) const STAGES: usize = 20;

/// A mean and a sample deviation over the seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Published(pub(crate) f64, pub(crate) f64);

/// A random junta, rows drawn from it, and what the paper reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Configuration {
    /// The paper's number for it.
    pub(crate) id: usize,
    /// Inputs that the target depends on, S.
    pub(crate) support: usize,
    /// All inputs, B.
    pub(crate) inputs: usize,
    /// Training rows, T.
    pub(crate) rows: usize,
    /// Test rows; `None` for all 2^B.
    pub(crate) test_rows: Option<usize>,
    /// Inputs of a stage at most, K.
    pub(crate) k: usize,
    /// Test accuracy after stages 1, 5 and 20, inputs selected by influence.
    pub(crate) influence: [Published; 3],
    /// Test accuracy after stage 20, inputs selected at random.
    pub(crate) random: Published,
    /// Seconds of the twenty stages, on another machine.
    pub(crate) seconds: Published,
}

const SAMPLED: Option<usize> = Some(131_072);

type Sizes = (usize, usize, usize, usize, Option<usize>, usize);

const fn row(sizes: Sizes, accuracy: [(f64, f64); 4], seconds: (f64, f64)) -> Configuration {
    let (id, support, inputs, rows, test_rows, k) = sizes;
    let [one, five, twenty, random] = accuracy;
    Configuration {
        id,
        support,
        inputs,
        rows,
        test_rows,
        k,
        influence: [Published(one.0, one.1), Published(five.0, five.1), Published(twenty.0, twenty.1)],
        random: Published(random.0, random.1),
        seconds: Published(seconds.0, seconds.1),
    }
}

/// Number, S, B, T, test rows, K; accuracy at stages 1, 5 and 20 and at stage 20 of random-K; seconds.
#[rustfmt::skip]
pub(crate) const CONFIGURATIONS: [Configuration; 11] = [
    row((1, 8, 12, 1000, None, 6), [(0.708, 0.021), (0.823, 0.027), (0.842, 0.032), (0.606, 0.039)], (0.42, 0.04)),
    row((2, 6, 12, 1000, None, 4), [(0.731, 0.053), (0.844, 0.038), (0.848, 0.043), (0.677, 0.126)], (0.34, 0.02)),
    row((3, 8, 15, 4000, None, 6), [(0.704, 0.018), (0.821, 0.017), (0.838, 0.027), (0.595, 0.118)], (1.62, 0.19)),
    row((4, 8, 20, 4000, SAMPLED, 6), [(0.693, 0.026), (0.763, 0.048), (0.763, 0.049), (0.536, 0.032)], (1.79, 0.13)),
    row((5, 8, 23, 4000, SAMPLED, 6), [(0.606, 0.049), (0.607, 0.051), (0.607, 0.051), (0.528, 0.030)], (1.07, 0.19)),
    row((6, 8, 12, 500, None, 6), [(0.687, 0.028), (0.790, 0.029), (0.798, 0.026), (0.567, 0.033)], (0.22, 0.02)),
    row((7, 8, 15, 500, None, 6), [(0.671, 0.029), (0.689, 0.034), (0.691, 0.035), (0.521, 0.018)], (0.22, 0.08)),
    row((8, 8, 15, 1000, None, 8), [(0.993, 0.005), (0.993, 0.005), (0.993, 0.005), (0.538, 0.016)], (0.24, 0.07)),
    row((9, 15, 20, 32_768, SAMPLED, 10), [(0.550, 0.003), (0.585, 0.003), (0.606, 0.006), (0.509, 0.004)], (25.93, 1.10)),
    row((10, 8, 20, 1 << 20, SAMPLED, 6), [(0.723, 0.010), (0.843, 0.008), (0.918, 0.014), (0.666, 0.033)], (830.84, 69.02)),
    row((11, 10, 21, 1 << 21, SAMPLED, 8), [(0.708, 0.003), (0.827, 0.003), (0.904, 0.011), (0.632, 0.013)], (1570.23, 141.92)),
];

impl Configuration {
    /// The target of a seed.
    pub(crate) fn target(&self, seed: u64) -> Result<Target> {
        Ok(Target::junta(self.inputs, self.support, seed)?)
    }

    /// The training and test rows of a seed.
    pub(crate) fn draw(&self, seed: u64) -> Result<(Rows, Rows)> {
        let test = self.test_rows.map_or(TestRows::Full, TestRows::Rows);
        Ok(sample_pair(&self.target(seed)?, self.rows, test, seed)?)
    }

    /// Algorithm 1 on training rows of this configuration.
    pub(crate) fn fit(&self, train: &Rows, selection: Selection, seed: u64) -> Result<Fit> {
        let mut params = PaperParams::new(self.k, STAGES);
        (params.selection, params.seed) = (selection, seed);
        Ok(fit_paper(train, &params.check(train)?, &Budget::unlimited())?)
    }
}

/// The configurations with these numbers; all of them without any.
pub(crate) fn chosen(ids: &[usize]) -> Result<Vec<Configuration>> {
    for id in ids {
        let known = CONFIGURATIONS.iter().any(|configuration| configuration.id == *id);
        ensure!(known, "configuration {id}: they go from 1 to {}", CONFIGURATIONS.len());
    }
    let wanted = |id| ids.is_empty() || ids.contains(&id);
    Ok(CONFIGURATIONS.into_iter().filter(|configuration| wanted(configuration.id)).collect())
}
