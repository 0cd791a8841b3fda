//! What the rows at hand say about the stages of a model: pairs seen, limits for every influence, whether the selection is certified.
//!
//! **Assumed.** The rows are drawn uniformly from the cube, and labels are a function of the inputs. What refutes this is looked for and
//! reported: rows with both labels, inputs that are not 1 about half of the time.
//!
//! **Limits.** Among uniform rows, which pairs of input i are seen depends on the points alone, and every permutation of the
//! 2^(B-1) pairs of input i comes from one of the points. So given their number n the pairs seen are a uniform choice of n out of
//! all, and the number on which a *fixed* function differs is hypergeometric with mean `n Inf_i`. Clopper and Pearson's limits, which are
//! exact for binomial numbers, hold for it too, with a hair's breadth more risk in one case ([`limits`] has the argument). Each of B
//! inputs and V stages gets the share `risk / (B V)`, so that all limits hold at once with probability at least 1 - risk. Where all
//! 2^(B-1) pairs were seen, the influence is known.
//!
//! **Which stages.** The function must be fixed before the rows are drawn. `r_1 = f` is. Later residuals were made by the training rows,
//! so training rows say nothing about them, except where every stage had rows of its own (`split`): given the earlier ones, `r_t` is fixed
//! before the rows of stage t. Fresh rows, which nothing was learned from, speak about all stages.
//!
//! **When a selection J is certified** (the interval form of `ass:thresholded-topk-gap`). If all limits hold, then `J = J*` when
//! every lower limit inside J is above tau, and
//!
//! * if J has K inputs: every lower limit inside is above every upper limit outside. Then the inputs of J are above tau and above all
//!   others, so they are the K greatest of `C*`, without ties;
//! * if J has fewer: every upper limit outside is at most tau. Then `C* = J`, and `J* = C*` since it has at most K inputs.
//!
//! With tau = 0 the second case needs all pairs of the inputs outside: no sample shows that an influence is 0. What is shown instead is
//! the threshold from which the selection would be certified.
//!
//! **Error.** With rows of their own for each stage, `thm:projected-stage-generalization` bounds the error of `H_t` by that of the best
//! table over `J_t` plus an excess. The best table errs on at most half the sum of the influences outside: in each cell it errs
//! with probability `min(p, 1 - p) <= 2 p (1 - p)`, which is the probability that two points of the cell have different values, and
//! going from one to the other by resampling one outside input after the other changes the value with probability at most
//! `Inf_j / 2` for each. With fresh rows the exact limit of [`super::holdout`] is the better statement.

mod certify;
mod limits;
mod read;

use serde::Serialize;

use super::binomial::Interval;
use super::holdout::ErrorBound;
use crate::influence::Influence;

pub use certify::{Verdict, certify};
pub use limits::limits;
pub use read::{looks_like_training, read};

/// Where the rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Origin {
    /// Nothing was learned from them.
    Fresh,
    /// The model was learned from them, or nobody knows.
    Training,
}

/// What was seen of one input.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct InputReading {
    /// Pairs seen, and those on which the residual differs.
    #[serde(flatten)]
    pub seen: Influence,
    /// Limits for its influence.
    #[serde(flatten)]
    pub limits: Interval,
    /// Whether all pairs were seen, so that the limits are the influence.
    pub census: bool,
}

/// What the rows say about one stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageReading {
    /// The stage, from 1.
    pub stage: usize,
    /// Its inputs, `J_t`.
    pub selected: Vec<usize>,
    /// One for each input of the model; none where the rows say nothing about the stage.
    pub inputs: Vec<InputReading>,
    /// Whether its selection is certified.
    pub verdict: Verdict,
    /// With rows of its own for each stage: the error of the circuit after this stage is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_at_most: Option<f64>,
}

/// What the rows say about a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reading {
    /// Where they come from.
    pub origin: Origin,
    /// How many there are.
    pub rows: usize,
    /// Distinct ones.
    pub distinct: usize,
    /// Distinct ones that occur with both labels: where there are any, labels are no function of the inputs.
    pub contradictory: usize,
    /// Inputs that are 1 too often or too seldom for uniform rows.
    pub skewed: Vec<usize>,
    /// The stages; for a model without stages chosen by influence, its function as one stage without a selection.
    pub stages: Vec<StageReading>,
    /// From fresh rows: what they show of the whole model. It holds together with the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBound>,
}

impl Reading {
    /// Whether the rows refute what is assumed of them.
    #[must_use]
    pub fn refuted(&self) -> bool {
        self.contradictory > 0 || !self.skewed.is_empty()
    }

    /// Whether every stage's selection is certified, and there is one.
    #[must_use]
    pub fn certified(&self) -> bool {
        !self.stages.is_empty() && self.stages.iter().all(|stage| stage.verdict == Verdict::Certified)
    }
}

#[cfg(test)]
mod tests;
