//! The columns of a Python data frame, one at a time.
//!
//! Takes the object that `python/macchiato/_tables.py` makes of a frame. A column of floats that lie in memory as the library
//! wants them is lent to it as it is; any other is converted when the library asks, and let go after: one column is in memory
//! twice, never the frame.
//!
//! Types follow the command's rules for files, so that both learn the same from the same table: numbers that are all 0 or 1 are
//! Boolean, and a column without any value is a category without levels.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;

use macchiato::bits;
use macchiato::frame::{Columns, FrameError, Kind, NO_LEVEL, Values};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The columns that can be lent as they are.
pub(crate) struct Views<'py>(Vec<Option<PyReadonlyArray1<'py, f64>>>);

impl<'py> Views<'py> {
    /// Those of `frame`.
    pub(crate) fn of(frame: &Bound<'py, PyAny>) -> PyResult<Self> {
        let count = frame.getattr("names")?.len()?;
        let view = |i: usize| frame.call_method1("view", (i,))?.extract();
        (0..count).map(view).collect::<PyResult<_>>().map(Self)
    }
}

/// The types that the training rows have, by column.
pub(crate) type Kinds = Mutex<BTreeMap<String, Kind>>;

/// What a table is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its cells decide the types of its columns.
    Training,
    /// Its columns become what they were in training.
    Asking,
}

/// A Python data frame.
pub(crate) struct Table<'a> {
    frame: Py<PyAny>,
    names: Vec<String>,
    rows: usize,
    views: Vec<Option<&'a [f64]>>,
    kinds: &'a Kinds,
    role: Role,
    /// Boolean columns whose training rows were numbers, 0 and 1: there is no other number that would be wrong.
    measures: HashSet<String>,
    raised: Mutex<Option<PyErr>>,
}

impl<'a> Table<'a> {
    /// The table over `views`, all of which are of `frame`.
    pub(crate) fn new(
        frame: &Bound<'_, PyAny>,
        views: &'a Views<'_>,
        kinds: &'a Kinds,
        role: Role,
    ) -> PyResult<Self> {
        let slice = |view: &'a Option<PyReadonlyArray1<'_, f64>>| view.as_ref()?.as_slice().ok();
        Ok(Self {
            names: frame.getattr("names")?.extract()?,
            rows: frame.getattr("rows")?.extract()?,
            views: views.0.iter().map(slice).collect(),
            kinds,
            role,
            measures: frame.getattr("measures")?.extract()?,
            raised: Mutex::new(None),
            frame: frame.clone().unbind(),
        })
    }

    /// What Python raised while it converted a column: the reason behind an error of the library.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.lock().ok()?.take()
    }

    fn expected(&self, i: usize) -> Option<Kind> {
        match self.role {
            Role::Training => None,
            Role::Asking => self.kinds.lock().ok()?.get(&self.names[i]).copied(),
        }
    }

    /// Column `i`, converted by Python.
    fn converted(&self, py: Python<'_>, i: usize) -> PyResult<Values<'static>> {
        let expected = self.expected(i).map(|kind| match kind {
            Kind::Boolean => "boolean",
            Kind::Number => "number",
            Kind::Category => "category",
        });
        let answer = self.frame.bind(py).call_method1("column", (i, expected))?;
        let (kind, values, more): (String, Bound<'_, PyAny>, Bound<'_, PyAny>) = answer.extract()?;
        match kind.as_str() {
            "number" => {
                let values: PyReadonlyArray1<'_, f64> = values.extract()?;
                let values: Vec<f64> = values.as_array().iter().copied().collect();
                self.number(i, values.into()).map_err(|error| PyTypeError::new_err(error.to_string()))
            }
            "boolean" => {
                let missing: Option<PyReadonlyArray1<'_, bool>> = more.extract()?;
                let missing = missing.map(|missing| packed(missing.as_array().iter().copied()).into());
                let values: PyReadonlyArray1<'_, bool> = values.extract()?;
                Ok(Values::Boolean { bits: packed(values.as_array().iter().copied()).into(), missing })
            }
            "category" => {
                let codes = values.cast::<PyArray1<u32>>()?.to_vec()?;
                let levels: Vec<String> = more.extract()?;
                Ok(Values::Category { codes: codes.into(), levels: levels.into() })
            }
            other => Err(PyTypeError::new_err(format!("no kind of column: {other:?}"))),
        }
    }

    /// An error of the library for one of Python's, which is kept as its reason.
    fn keep(&self, i: usize, error: PyErr) -> FrameError {
        let message = error.to_string();
        if let Ok(mut raised) = self.raised.lock() {
            *raised = Some(error);
        }
        FrameError::Foreign { column: self.names[i].clone(), message }
    }

    /// Numbers as what they are to be.
    fn number<'v>(&self, i: usize, values: Cow<'v, [f64]>) -> Result<Values<'v>, FrameError> {
        let name = &self.names[i];
        match self.expected(i) {
            None if self.role == Role::Asking => Ok(Values::Number(values)),
            None if values.iter().all(|value| value.is_nan()) => {
                Ok(Values::Category { codes: vec![NO_LEVEL; values.len()].into(), levels: Vec::new().into() })
            }
            None if values.iter().all(|&value| is_bit(value) || value.is_nan()) => Ok(above_a_half(&values)),
            Some(Kind::Boolean) if self.measures.contains(name) => {
                let values = Values::Number(values);
                values.check(name, self.rows)?;
                match values {
                    Values::Number(values) => Ok(above_a_half(&values)),
                    other => Ok(other),
                }
            }
            _ => Ok(Values::Number(values)),
        }
    }
}

impl Columns for Table<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn column(&self, i: usize) -> Result<Values<'_>, FrameError> {
        // A category is looked up by text, which Python makes.
        let view = self.views[i].filter(|_| self.expected(i) != Some(Kind::Category));
        let values = match view {
            Some(view) => self.number(i, view.into())?,
            None => Python::attach(|py| self.converted(py, i)).map_err(|error| self.keep(i, error))?,
        };
        if let (Role::Training, Ok(mut kinds)) = (self.role, self.kinds.lock()) {
            kinds.insert(self.names[i].clone(), values.kind());
        }
        Ok(values)
    }
}

/// One bit for each value.
pub(crate) fn packed(values: impl Iterator<Item = bool>) -> Vec<u64> {
    let mut column = bits::Column::default();
    values.for_each(|value| column.push(value));
    column.into_words()
}

#[allow(clippy::float_cmp, reason = "0 and 1 exactly, as a file would spell them")]
fn is_bit(value: f64) -> bool {
    value == 0.0 || value == 1.0
}

fn above_a_half(values: &[f64]) -> Values<'static> {
    let gaps = values.iter().any(|value| value.is_nan());
    let missing = gaps.then(|| packed(values.iter().map(|value| value.is_nan())).into());
    Values::Boolean { bits: packed(values.iter().map(|&value| value > 0.5)).into(), missing }
}
