//! What rows prove and how many a study needs, as numbers and as JSON.

use macchiato::bounds::binomial;
use macchiato::bounds::study::Study;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::Raise;

fn risk(confidence: f64) -> PyResult<f64> {
    if confidence > 0.0 && confidence < 1.0 {
        return Ok(1.0 - confidence);
    }
    Err(PyValueError::new_err(format!(
        "confidence is {confidence}: give a number between 0 and 1, such as 0.95"
    )))
}

/// The exact upper limit for an error rate.
#[pyfunction]
pub(crate) fn error_bound(wrong: u64, rows: u64, confidence: f64) -> PyResult<f64> {
    if wrong > rows {
        return Err(PyValueError::new_err(format!("{wrong} of {rows} rows cannot be wrong")));
    }
    Ok(binomial::upper_limit(wrong, rows, risk(confidence)?))
}

/// What a study needs, as JSON; `sizes` are the inputs, those of the rule, those of a stage, and the stages.
#[pyfunction]
pub(crate) fn rows_needed(
    py: Python<'_>,
    sizes: (u64, u64, u64, u64),
    gap: Option<f64>,
    error: f64,
    confidence: f64,
) -> PyResult<String> {
    let (inputs, support, width, stages) = sizes;
    let study = Study { inputs, support, width, stages, gap, delta: risk(confidence)? };
    let needed = study.needed(error).map_err(|error| error.raise(py))?;
    serde_json::to_string(&needed).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
