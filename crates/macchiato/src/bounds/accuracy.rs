//! How many rows make the table over the selected inputs right, for the learner whose stages see fresh rows
//! (`fit_paper` with `split`): stage t of m sees only its `T_0 = floor(T / m)` rows.
//!
//! Assumed throughout: rows are drawn independently from one distribution (any one where a function does not say
//! "uniform"), labels are a function of the inputs, and the learner is the sample-splitting one. The method that uses
//! all rows in every stage is not covered.

use super::binomial::ln_choose;
use super::counting::{self, ln_juntas};
use super::error::{BoundsError, share};
use super::whole::{part, whole};
use serde::Serialize;
use std::f64::consts::LN_2;

/// The learner and the confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Inputs there are, B.
    pub inputs: u64,
    /// Inputs of a stage at most, K; for a junta residual, S.
    pub width: u64,
    /// Stages that share the rows, m.
    pub stages: u64,
    /// Probability with which the promise may fail, `delta_gen`.
    pub delta: f64,
}

/// A number by the paper's constants, and a smaller one for the same promise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Both<T> {
    /// With the constants of the paper's proof.
    pub paper: T,
    /// What a closer look at the same proof gives.
    pub sharper: T,
}

impl Plan {
    fn check(&self) -> Result<(), BoundsError> {
        share("delta", self.delta)?;
        if self.stages == 0 {
            return Err(BoundsError::NoStages);
        }
        counting::check(self.inputs, self.width)
    }

    /// `ln(m / delta)`.
    fn ln_stages(&self) -> f64 {
        libm::log(self.stages as f64 / self.delta)
    }

    /// Rows of one stage.
    fn share_of(&self, rows: u64) -> Result<f64, BoundsError> {
        if rows < self.stages {
            return Err(BoundsError::Rows { rows, stages: self.stages });
        }
        Ok((rows / self.stages) as f64)
    }

    fn all(&self, share: f64) -> Result<u64, BoundsError> {
        whole(whole(share)?.max(1) as f64 * self.stages as f64)
    }
}

/// How much worse than the best table over its own inputs any stage is, with probability at least `1 - delta`.
///
/// `thm:projected-stage-generalization`. Constants: Hoeffding for each function of at most K inputs, in two directions, and the
/// union over `|G_{<=K}| = |J_{B,K}|` functions and m stages make every observed error rate right within
/// `eta = sqrt((ln |J_{B,K}| + ln(2m / delta)) / (2 T_0))`; the table with the fewest errors is then within `2 eta` of the best.
/// Sharper: the class holds all complements, whose error rates deviate in the other direction, so that one direction is enough
/// and `2m` becomes `m`.
///
/// With recovered inputs (`thm:recovery-to-accuracy`) the best table over them is the oracle's, and the same number bounds
/// the error of the circuit: at most `alpha_t + 2 eta`, with probability at least `1 - delta_inf - delta`.
///
/// # Errors
/// A plan that is none, or fewer rows than stages.
///
/// ```
/// use macchiato::bounds::accuracy::{Plan, excess, rows_for_excess};
///
/// let plan = Plan { inputs: 40, width: 5, stages: 3, delta: 0.05 };
/// let rows = rows_for_excess(&plan, 0.1)?.paper;
/// let bought = excess(&plan, rows)?.paper;
/// assert!(bought <= 0.1 && bought > 0.0999);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn excess(plan: &Plan, rows: u64) -> Result<Both<f64>, BoundsError> {
    plan.check()?;
    let share = plan.share_of(rows)?;
    let one_direction = ln_events(plan)?;
    let bought = |ln_events: f64| (2.0 * ln_events / share).sqrt().min(1.0);
    Ok(Both { paper: bought(one_direction + LN_2), sharper: bought(one_direction) })
}

/// The inverse of [`excess`]: the rows with which every stage is within `excess` of its best table.
///
/// # Errors
/// A plan that is none, an `excess` outside (0, 1), or an answer above 10^18.
pub fn rows_for_excess(plan: &Plan, excess: f64) -> Result<Both<u64>, BoundsError> {
    plan.check()?;
    share("the excess error", excess)?;
    let one_direction = ln_events(plan)?;
    let rows = |ln_events: f64| plan.all(2.0 * ln_events / (excess * excess));
    Ok(Both { paper: rows(one_direction + LN_2)?, sharper: rows(one_direction)? })
}

/// `ln |J_{B,K}| + ln(m / delta)`: what the union bound pays in one direction.
fn ln_events(plan: &Plan) -> Result<f64, BoundsError> {
    Ok(ln_juntas(plan.inputs, plan.width)? + plan.ln_stages())
}

/// Bounds on the error of every completed stage whose residual needs at most S recovered inputs, from the paper's to the
/// sharpest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct JuntaResidual<T> {
    /// `2 sqrt((ln |J_{B,S}| + ln(2m / delta)) / (2 T_0))`: the proof's constants.
    pub paper: T,
    /// No error on its rows: `1 - exp(-(ln |J_{B,S}| + ln(m / delta)) / T_0)`.
    pub realizable: T,
    /// And its inputs are known: `1 - exp(-(2^S ln 2 + ln(m / delta)) / T_0)`.
    pub known_inputs: T,
    /// And rows are uniform: it errs on cells only that no row showed.
    pub unseen_cells: T,
}

/// `thm:junta-residual-accuracy`: how often the circuit errs after a stage whose residual depends only on its at most S
/// (`plan.width`) selected inputs, with probability at least `1 - delta_inf - delta`, where `delta_inf` is the probability that the
/// inputs are not recovered (`ass:stagewise-influence-accuracy`, `ass:thresholded-topk-gap`).
///
/// - `paper`: the excess of [`excess`] over a best table that makes no error.
/// - `realizable`: such a residual leaves a table over the right inputs without an error on the stage's rows, and the majority
///   finds one. A function with error above e survives `T_0` rows with probability below `(1 - e)^T_0`, so that none of
///   `|J_{B,S}|` in m stages does, but for `delta`, once `e = 1 - exp(-(ln |J_{B,S}| + ln(m / delta)) / T_0)`.
/// - `known_inputs`: the inputs to be recovered are fixed by the earlier rows. Where they are recovered, the stage is one of
///   the `2^(2^S)` tables over those inputs, and only these must be excluded.
/// - `unseen_cells`: the stage is right on every cell that one of its rows shows. Under the uniform distribution a cell
///   weighs `2^-S`, and u given cells are all missed with probability `(1 - u 2^-S)^T_0`; u or more cells are missed with
///   probability at most `C(2^S, u)` times that. Where this is at most `delta / m` the error is at most `(u - 1) 2^-S`. With
///   `u = 1` it is 0: the stage is the residual itself. Fewer than S inputs are a special case: join any others.
///
/// The first three hold for any distribution.
///
/// # Errors
/// A plan that is none, or fewer rows than stages.
///
/// ```
/// use macchiato::bounds::accuracy::{Plan, junta_error};
///
/// let plan = Plan { inputs: 40, width: 5, stages: 1, delta: 0.05 };
/// let error = junta_error(&plan, 1000)?;
/// assert!(error.paper > 0.2 && error.realizable < 0.05 && error.known_inputs < 0.03);
/// assert_eq!(error.unseen_cells, 0.0);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn junta_error(plan: &Plan, rows: u64) -> Result<JuntaResidual<f64>, BoundsError> {
    plan.check()?;
    let share = plan.share_of(rows)?;
    Ok(JuntaResidual {
        paper: excess(plan, rows)?.paper,
        realizable: -libm::expm1(-ln_events(plan)? / share),
        known_inputs: -libm::expm1(-(ln_tables(plan) + plan.ln_stages()) / share),
        unseen_cells: unseen_error(plan, share),
    })
}

/// The inverse of [`junta_error`]: the rows with which the error is at most `error`.
///
/// # Errors
/// A plan that is none, an `error` outside (0, 1), or an answer above 10^18.
pub fn rows_for_junta_error(plan: &Plan, error: f64) -> Result<JuntaResidual<u64>, BoundsError> {
    plan.check()?;
    share("the error", error)?;
    let surviving = |ln_events: f64| plan.all(ln_events / -libm::log1p(-error));
    let known_inputs = surviving(ln_tables(plan) + plan.ln_stages())?;
    let unseen_cells = match unseen_share(plan, error) {
        Some(share) => plan.all(share)?.min(known_inputs),
        None => known_inputs,
    };
    Ok(JuntaResidual {
        paper: rows_for_excess(plan, error)?.paper,
        realizable: surviving(ln_events(plan)?)?,
        known_inputs,
        unseen_cells,
    })
}

/// `ln 2^(2^S)`.
fn ln_tables(plan: &Plan) -> f64 {
    libm::exp2(plan.width as f64) * LN_2
}

/// Inputs of a stage up to which its cells are counted one by one; with more, no study shows most of them.
const COUNTED_WIDTH: u64 = 50;

/// Rows of a stage that leave at most a share `error` of its cells unseen.
fn unseen_share(plan: &Plan, error: f64) -> Option<f64> {
    if plan.width > COUNTED_WIDTH {
        return None;
    }
    let cells = libm::exp2(plan.width as f64);
    // The fewest cells that would be too many.
    let many = (error * cells).floor() + 1.0;
    if many >= cells {
        return Some(1.0);
    }
    let ln_sets = ln_choose(part(cells), part(many));
    // More than the arithmetic errs, so that the promise stays true.
    Some((ln_sets + plan.ln_stages() + 1e-9) / -libm::log1p(-many / cells) * (1.0 + 1e-12))
}

/// The greatest share of a stage's cells that its rows leave unseen.
fn unseen_error(plan: &Plan, share: f64) -> f64 {
    if plan.width > COUNTED_WIDTH {
        return 1.0;
    }
    let all = 1u64 << plan.width;
    let cells = all as f64;
    let missed = |u: u64| {
        if u == all {
            f64::NEG_INFINITY
        } else {
            ln_choose(all, u) + share * libm::log1p(-(u as f64) / cells)
        }
    };
    let level = -plan.ln_stages() - 1e-9;
    // `missed` is concave and 0 at u = 0: once low enough, it stays so.
    let (mut low, mut high) = (1, all);
    while low < high {
        let middle = low + (high - low) / 2;
        if missed(middle) <= level { high = middle } else { low = middle + 1 }
    }
    (high - 1) as f64 / cells
}

#[cfg(test)]
mod tests;
