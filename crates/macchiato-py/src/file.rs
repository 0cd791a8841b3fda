//! Files that appear whole or not at all, as the command writes them.

use std::io;
use std::path::PathBuf;

use macchiato::file;
use pyo3::prelude::*;

/// Writes the whole of `data` to `path`, or raises an `OSError` and leaves what was there.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, data: &[u8]) -> PyResult<()> {
    let written = py.detach(|| file::write(&path, data));
    Ok(written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?)
}
