//! Circuits of stages: tables chosen by evidence, as many inputs and as many stages as the data ask for, and sums of products.
//!
//! [`structure`] searches for linear inputs, tables and counts; [`Searched`] builds candidates from them, with trees and rules
//! over many inputs where tables are not enough; with a cap on the inputs of a stage, [`capped`] does.

mod blocks;
mod candidates;
mod capped;
mod decompose;
mod describe;
mod draft;
mod explain;
mod recipe;
mod sampling;
mod structure;

use super::params::{AutoParams, MAX_TABLE_INPUTS};
use crate::fit::{Fit, Stop};
use crate::rows::Rows;
use crate::staged::Staged;
use explain::Effort;
use macchiato_minimize::{Budget, MinimizeError, Options};

pub(super) use candidates::{Searched, trees};
pub(super) use describe::trace;
pub(super) use structure::Structure;

/// The circuit with at most `k` inputs in every stage.
pub(super) fn fit_capped(
    rows: &Rows,
    k: usize,
    params: &AutoParams,
    budget: &Budget,
    observe: &dyn Fn(&str),
) -> Result<Fit, MinimizeError> {
    let mut options = Options::default();
    options.seed = params.seed;
    options.budget = budget.clone();
    let effort = Effort::new(params.effort, MAX_TABLE_INPUTS);
    let (draft, decision) = capped::capped(rows, k, &effort, params.m, &options, observe)?;
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
    let circuit = params.gates.shortest(&staged.plain());
    let trace = trace(rows, (&circuit, &staged.stages), draft.known(), stop, Some(decision));
    Ok(Fit { circuit, stages: staged.stages, trace })
}
