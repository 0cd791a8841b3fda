//! Rows of 0 and 1 as NumPy arrays, and as bit columns.

use macchiato::bits;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::table::packed;

/// The bit columns of an array of `inputs` columns, and its number of rows.
pub(crate) fn columns(array: &PyReadonlyArray2<'_, bool>, inputs: usize) -> PyResult<(Vec<Vec<u64>>, usize)> {
    let array = array.as_array();
    if array.ncols() != inputs {
        let found = array.ncols();
        return Err(PyValueError::new_err(format!("{found} columns where the circuit has {inputs} inputs")));
    }
    let columns = array.columns().into_iter().map(|column| packed(column.iter().copied())).collect();
    Ok((columns, array.nrows()))
}

/// A bit column as an array.
pub(crate) fn answers<'py>(py: Python<'py>, column: &[u64], rows: usize) -> Bound<'py, PyArray1<bool>> {
    PyArray1::from_iter(py, (0..rows).map(|row| bits::get(column, row)))
}

/// Bit columns as an array, a row for each row.
pub(crate) fn rows<'py>(
    py: Python<'py>,
    columns: &[Vec<u64>],
    rows: usize,
) -> PyResult<Bound<'py, PyArray2<bool>>> {
    let all = (0..rows).flat_map(|row| columns.iter().map(move |column| bits::get(column, row)));
    PyArray1::from_iter(py, all).reshape([rows, columns.len()])
}
