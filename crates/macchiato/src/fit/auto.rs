//! The method `auto`: stages chosen by evidence, as many inputs and as many stages as the data ask for.
//!
//! [`structure`] searches for linear inputs, tables and counts; [`decide`] builds candidates from them, with trees and rules
//! over many inputs where tables are not enough, and chooses one; with a cap on the inputs of a stage, [`capped`] does.

mod blocks;
mod candidates;
mod capped;
mod decide;
mod decompose;
mod describe;
mod draft;
mod explain;
mod judge;
mod params;
mod question;
mod recipe;
mod sampling;
mod split;
mod structure;

use super::Fit;
use super::trace::Stop;
use crate::rows::Rows;
use crate::staged::Staged;
use capped::capped;
use decide::decide;
use explain::Effort;
use macchiato_minimize::{Budget, MinimizeError, Options};
use params::MAX_TABLE_INPUTS;
use question::Question;

pub(crate) use candidates::{candidates, has_terms};
pub use params::{AutoParams, CheckedAutoParams};

/// Learns a circuit from `rows`; `validation` rows, where there are any, decide between candidates.
///
/// When the budget is spent the best circuit so far stands, and the trace says so. Without a deadline the same rows,
/// parameters and seed give the same circuit on every platform and number of threads.
///
/// ```
/// use macchiato::fit::{AutoParams, fit_auto};
/// use macchiato::generate::{Target, sample};
/// use macchiato::minimize::Budget;
///
/// // Three of thirty inputs, and no single one of them tells anything.
/// let target = Target::parity(30, 3, 1)?;
/// let rows = sample(&target, 200, 1)?;
/// let fit = fit_auto(&rows, None, &AutoParams::default().check(&rows)?, &Budget::unlimited())?;
/// assert_eq!(fit.circuit.support(), target.support());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Only a defect of the minimizer: its covers are verified.
pub fn fit_auto(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &CheckedAutoParams,
    budget: &Budget,
) -> Result<Fit, MinimizeError> {
    fit_auto_observed(rows, validation, params, budget, |_| {})
}

/// The same, telling `observe` in a few words what is being tried.
///
/// # Errors
/// Those of [`fit_auto`].
pub fn fit_auto_observed(
    rows: &Rows,
    validation: Option<&Rows>,
    params: &CheckedAutoParams,
    budget: &Budget,
    observe: impl Fn(&str),
) -> Result<Fit, MinimizeError> {
    let params = params.get();
    let mut options = Options::default();
    options.seed = params.seed;
    options.budget = budget.clone();
    let effort = Effort::new(params.effort, MAX_TABLE_INPUTS);
    let (effort, m, options, observe) = (&effort, params.m, &options, &observe);
    let (draft, decision) = if let Some(k) = params.k {
        capped(rows, k, effort, m, options, observe)?
    } else {
        decide(&Question { rows, validation, effort, m, options, observe })?
    };
    let staged = Staged {
        inputs: rows.names().to_vec(),
        target: rows.target().to_owned(),
        stages: draft.stages().to_vec(),
    };
    let stop = if decision.cut_short.is_some() {
        Stop::Interrupted
    } else if draft.errors() == 0 {
        Stop::ResidualZero
    } else if staged.stages.len() >= params.m {
        Stop::StageLimit
    } else {
        Stop::NoEvidence
    };
    let circuit = staged.plain().simplified();
    let trace = describe::trace(rows, (&circuit, &staged.stages), draft.known(), stop, Some(decision));
    Ok(Fit { circuit, stages: staged.stages, trace })
}

#[cfg(test)]
mod tests;
