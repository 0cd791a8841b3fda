//! Rows to learn from, as Python gives them.

use macchiato::frame::Values;
use macchiato::model::Target;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::Raise;

/// Rows with their classes: a frame, the target's name, the code of each row's class, the classes, and weights in millionths.
#[derive(FromPyObject)]
pub(crate) struct Labelled<'py>(
    pub(crate) Bound<'py, PyAny>,
    String,
    PyReadonlyArray1<'py, u32>,
    Vec<String>,
    Option<PyReadonlyArray1<'py, u64>>,
);

impl Labelled<'_> {
    pub(crate) fn target(&self, py: Python<'_>) -> PyResult<Target> {
        let codes: Vec<u32> = self.2.as_array().iter().copied().collect();
        let rows = codes.len();
        let values = Values::Category { codes: codes.into(), levels: self.3.clone().into() };
        Target::new(&self.1, &values, rows).map_err(|error| error.raise(py))
    }

    pub(crate) fn weights(&self) -> Option<Vec<u64>> {
        self.4.as_ref().map(|weights| weights.as_array().iter().copied().collect())
    }
}
