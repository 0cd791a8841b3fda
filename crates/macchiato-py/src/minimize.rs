//! Two-level minimization of cubes in NumPy arrays: 0, 1, and 2 where an input is free.

use macchiato::minimize::{self as minimizer, Cover, Engine, Function, Literal, Shape};
use macchiato::stage::Stage;
use macchiato::staged::Staged;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::circuit::Circuit;
use crate::errors::Raise;
use crate::work;

/// The circuit, the proven lower bound of terms, the engine, whether time or Ctrl-C ended it early, whether it was Ctrl-C, and
/// notes.
type Answer = (Circuit, usize, &'static str, bool, bool, Vec<String>);

/// How to minimize: the entries of a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    names: Vec<String>,
    target: String,
    exact: bool,
    engine: String,
    seed: u64,
    threads: usize,
    time_limit: Option<f64>,
}

/// The smallest OR of ANDs that is 1 on `on` and 0 on `off`; without `off`, 0 on all that neither `on` nor `dont_care` holds.
#[pyfunction]
pub(crate) fn minimize(
    py: Python<'_>,
    on: PyReadonlyArray2<'_, u8>,
    off: Option<PyReadonlyArray2<'_, u8>>,
    dont_care: Option<PyReadonlyArray2<'_, u8>>,
    options: Options,
) -> PyResult<Answer> {
    let on = cover(&on)?;
    let off = off.as_ref().map(cover).transpose()?;
    let dont_care = dont_care.as_ref().map(cover).transpose()?;
    let function = match (off, dont_care) {
        (Some(off), None) => Function::on_off(on, off),
        (Some(off), Some(dont_care)) => Function::on_dont_care_off(on, dont_care, off),
        (None, Some(dont_care)) => Function::on_dont_care(on, dont_care),
        (None, None) => {
            let nothing = Cover::new(on.shape());
            Function::on_dont_care(on, nothing)
        }
    };
    let function = function.map_err(|error| error.raise(py))?;
    let engine = [Engine::Auto, Engine::Primes, Engine::Rows, Engine::Espresso];
    let Some(engine) = engine.into_iter().find(|engine| engine.name() == options.engine) else {
        return Err(PyValueError::new_err("engine: give 'auto', 'primes', 'rows' or 'espresso'"));
    };
    let mut how = minimizer::Options::default();
    (how.engine, how.exact, how.seed) = (engine, options.exact, options.seed);
    let done = work::run(py, options.threads, None, |desk| {
        how.budget = desk.budget(options.time_limit);
        minimizer::minimize_function(&function, &how)
    })?;
    let answer = done.value.map_err(|error| error.raise(py))?;
    let (bound, engine, early) = (answer.lower_bound, answer.engine.name(), answer.interrupted);
    let notes = answer.notes.iter().map(ToString::to_string).collect();
    let stage = Stage { inputs: (0..options.names.len()).collect(), cover: answer.cover };
    let circuit = Staged { inputs: options.names, target: options.target, stages: vec![stage] };
    Ok((Circuit::of_stages(circuit), bound, engine, early, done.interrupted, notes))
}

fn cover(cubes: &PyReadonlyArray2<'_, u8>) -> PyResult<Cover> {
    let cubes = cubes.as_array();
    let mut cover = Cover::new(Shape::new(cubes.ncols(), 1));
    for cube in cubes.rows() {
        let literal = |&value: &u8| match value {
            0 => Ok(Literal::Negative),
            1 => Ok(Literal::Positive),
            2 => Ok(Literal::Free),
            other => Err(PyValueError::new_err(format!("{other} in a cube"))),
        };
        let literals: Vec<Literal> = cube.iter().map(literal).collect::<PyResult<_>>()?;
        cover.push(&literals, &[true]);
    }
    Ok(cover)
}
