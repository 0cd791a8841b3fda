//! The compiled part of the Python package `macchiato`: the library behind Python objects. What a user sees, with its
//! documentation, is in `python/macchiato`; `_macchiato.pyi` beside it lists what is here.
//!
//! | module | what it is |
//! |---|---|
//! | `errors` | an exception class for each error of the library |
//! | `work` | long work apart from the interpreter: threads, Ctrl-C, messages |
//! | `table` | the columns of a data frame, one at a time |
//! | `matrix` | rows of 0 and 1 as NumPy arrays, and back |
//! | `bounds` | what rows prove, as numbers |
//! | `explain` | explanations as JSON and in words |
//! | `circuit`, `network`, `model` | the classes of these names |
//! | `minimize`, `check` | the functions of these names |
//! | `file` | files that appear whole or not at all |

#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod errors;

mod work;

mod sizes;
mod table;

mod labelled;
mod matrix;

mod network;
mod options;

mod explain;

mod bounds;

mod circuit;

mod model;

mod minimize;

mod check;

mod file;

use pyo3::prelude::*;

#[pymodule]
fn _macchiato(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(module)?;
    module.add_class::<circuit::Circuit>()?;
    module.add_class::<network::Network>()?;
    module.add_class::<model::Model>()?;
    module.add_function(wrap_pyfunction!(minimize::minimize, module)?)?;
    module.add_function(wrap_pyfunction!(bounds::error_bound, module)?)?;
    module.add_function(wrap_pyfunction!(bounds::rows_needed, module)?)?;
    module.add_function(wrap_pyfunction!(file::write_file, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(check::check_decides, module)?)?;
    module.add_function(wrap_pyfunction!(check::check_behaviour, module)?)
}
