//! One fit of `auto` on rows of a known target, and what many of them come to.

use std::time::Instant;

use anyhow::Result;
use macchiato::circuit::Circuit;
use macchiato::fit::Fit;
use macchiato::generate::Target;
use macchiato::learn::{AutoParams, fit_auto};
use macchiato::minimize::Budget;
use macchiato::rows::{Groups, Rows};
use macchiato::stage::{self, Stage};
use serde::{Deserialize, Serialize};

use crate::accuracy::accuracy;
use crate::bar::{mean, rounded};

/// What one fit came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trial {
    pub(super) accuracy: f64,
    /// Whether the circuit reads the target's inputs and no others.
    pub(super) found_support: bool,
    /// Of the fit alone.
    pub(super) seconds: f64,
    pub(super) stages: usize,
    /// Inputs of the stage that has most.
    pub(super) widest_stage: usize,
    pub(super) terms: usize,
    pub(super) literals: usize,
}

impl Trial {
    /// Judges the circuit by `test`.
    pub(super) fn new(
        (circuit, stages): (&Circuit, &[Stage]),
        seconds: f64,
        target: &Target,
        test: &Rows,
    ) -> Self {
        Self {
            accuracy: accuracy(circuit, test),
            found_support: circuit.support() == target.support(),
            seconds,
            stages: stages.len(),
            widest_stage: stages.iter().map(|stage| stage.inputs.len()).max().unwrap_or(0),
            terms: stage::terms(stages),
            literals: stage::literals(stages),
        }
    }
}

/// Learns with nothing set but, where given, `k`; and the seconds that it took.
pub(super) fn fit(train: &Rows, k: Option<usize>) -> Result<(Fit, f64)> {
    let params = AutoParams::with(|params| params.k = k).check(train)?;
    let begin = Instant::now();
    let fit = fit_auto(train, None, &params, &Budget::unlimited())?;
    Ok((fit, begin.elapsed().as_secs_f64()))
}

/// The accuracy that rows without noise allow: a cell of the target's inputs that they show is known, any other is a coin
/// toss.
pub(super) fn limit(target: &Target, train: &Rows) -> f64 {
    let columns: Vec<&[u64]> =
        target.support().iter().map(|&input| train.columns()[input].as_slice()).collect();
    let seen = Groups::new(&columns, train.len()).len() as f64 / (1u64 << columns.len()) as f64;
    seen + (1.0 - seen) / 2.0
}

/// Over the seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Means {
    pub(crate) seeds: usize,
    pub(crate) accuracy: f64,
    pub(crate) least_accuracy: f64,
    /// Share of seeds whose circuit reads the target's inputs and no others.
    pub(crate) found_support: f64,
    pub(crate) seconds: f64,
    pub(crate) most_seconds: f64,
    pub(crate) stages: f64,
    /// Inputs of the stage that has most, over all seeds.
    pub(crate) widest_stage: usize,
    pub(crate) terms: f64,
    pub(crate) literals: f64,
}

impl Means {
    pub(super) fn of(trials: &[Trial]) -> Self {
        let mean_of = |value: fn(&Trial) -> f64| mean(trials.iter().map(value));
        Self {
            seeds: trials.len(),
            accuracy: mean_of(|trial| trial.accuracy),
            least_accuracy: trials.iter().map(|trial| trial.accuracy).fold(1.0, f64::min),
            found_support: mean_of(|trial| f64::from(u8::from(trial.found_support))),
            seconds: mean_of(|trial| trial.seconds),
            most_seconds: trials.iter().map(|trial| trial.seconds).fold(0.0, f64::max),
            stages: mean_of(|trial| trial.stages as f64),
            widest_stage: trials.iter().map(|trial| trial.widest_stage).max().unwrap_or(0),
            terms: mean_of(|trial| trial.terms as f64),
            literals: mean_of(|trial| trial.literals as f64),
        }
    }

    /// As the results file has them. Bars are asked before: one wrong row of a million must not round away.
    pub(super) fn rounded(self) -> Self {
        Self {
            seeds: self.seeds,
            accuracy: rounded(self.accuracy),
            least_accuracy: rounded(self.least_accuracy),
            found_support: rounded(self.found_support),
            seconds: rounded(self.seconds),
            most_seconds: rounded(self.most_seconds),
            stages: rounded(self.stages),
            widest_stage: self.widest_stage,
            terms: rounded(self.terms),
            literals: rounded(self.literals),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macchiato::generate::{TestRows, sample, sample_pair};
    use macchiato::minimize::{Options, Table, minimize_table};
    use macchiato::staged::Staged;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn unseen_cells_are_coin_tosses() {
        let target = Target::junta(3, 2, 0).unwrap();
        let support = target.support();
        // Five rows that show the cells 0, 0, 1, 2, 2 of the target's inputs; the third input comes in both values.
        let mut columns = vec![vec![0b10010]; 3];
        columns[support[0]] = vec![0b00100];
        columns[support[1]] = vec![0b11000];
        let rows = Rows::new(columns, vec![0], 5).unwrap();
        assert!(close(limit(&target, &rows), 0.75 + 0.125));
        assert!(close(limit(&target, &sample(&target, 8, 0).unwrap()), 1.0));
        assert!(close(limit(&target, &sample(&target, 1, 0).unwrap()), 0.25 + 0.375));
    }

    #[test]
    fn the_limit_is_the_share_of_all_points_whose_cell_is_shown_and_half_of_the_others() {
        let target = Target::junta(10, 6, 3).unwrap();
        let (train, test) = sample_pair(&target, 60, TestRows::Full, 3).unwrap();
        let cell = |rows: &Rows, row: usize| {
            target.support().iter().fold(0usize, |cell, &input| {
                cell << 1 | usize::from(macchiato::bits::get(&rows.columns()[input], row))
            })
        };
        let mut shown = [false; 64];
        (0..train.len()).for_each(|row| shown[cell(&train, row)] = true);
        let known = (0..test.len()).filter(|&row| shown[cell(&test, row)]).count() as f64 / test.len() as f64;
        assert!(close(limit(&target, &train), known + (1.0 - known) / 2.0));
    }

    #[test]
    fn a_support_is_found_when_it_is_exact() {
        let target = Target::parity(4, 2, 1).unwrap();
        let (train, test) = sample_pair(&target, 16, TestRows::Full, 1).unwrap();
        let parity_of = |inputs: &[usize]| {
            let table = Table::from_fn(inputs.len(), |x| Some(x.count_ones() % 2 == 1)).unwrap();
            let cover = minimize_table(&table, &Options::default()).unwrap().cover;
            Staged {
                inputs: train.names().to_vec(),
                target: "y".to_owned(),
                stages: vec![Stage { inputs: inputs.to_vec(), cover }],
            }
        };
        let right = Trial::new(
            (&parity_of(target.support()).gates(), &parity_of(target.support()).stages),
            0.0,
            &target,
            &test,
        );
        assert!(right.found_support && close(right.accuracy, 1.0));
        assert_eq!((right.stages, right.widest_stage, right.terms, right.literals), (1, 2, 2, 4));
        for other in [&target.support()[..1], &[0, 1, 2, 3]] {
            let wrong =
                Trial::new((&parity_of(other).gates(), &parity_of(other).stages), 0.0, &target, &test);
            assert!(!wrong.found_support && close(wrong.accuracy, 0.5), "{other:?}");
        }
    }

    #[test]
    fn shares_and_extremes() {
        let trial = |accuracy, found_support, seconds| Trial {
            accuracy,
            found_support,
            seconds,
            stages: 2,
            widest_stage: 4,
            terms: 5,
            literals: 9,
        };
        let means = Means::of(&[
            trial(1.0, true, 0.5),
            trial(0.5, false, 2.5),
            trial(1.0, true, 0.0),
            trial(0.9, true, 1.0),
        ]);
        assert!(close(means.found_support, 0.75) && close(means.least_accuracy, 0.5));
        assert!(close(means.most_seconds, 2.5) && close(means.seconds, 1.0) && close(means.accuracy, 0.85));
        assert!(close(means.terms, 5.0) && means.seeds == 4);
    }
}
