//! `Model`: learned from a data frame, asked about others; its bytes are the model file.

use std::sync::Arc;

use macchiato::explain::{MonotoneError, Point, Subject, fit_monotone};
use macchiato::export::sql::{self, Dialect, Give, Query, SqlError};
use macchiato::frame::{Columns, Frame, Kind, Values};
use macchiato::model::{self, Examples};
use macchiato::network::RawNumbers;
use macchiato::report::{Report, Sample};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::circuit::Circuit;
use crate::errors::Raise;
use crate::explain::{self, Counted, Said, Search};
use crate::labelled::Labelled;
use crate::network::Network;
use crate::options::Options;
use crate::sizes::{Size, sizes};
use crate::table::{Kinds, Role, Table, Views};
use crate::{matrix, work};

/// A learned model.
#[pyclass(frozen, module = "macchiato._macchiato")]
pub(crate) struct Model(Arc<model::Model>);

impl From<Arc<model::Model>> for Model {
    fn from(model: Arc<model::Model>) -> Self {
        Self(model)
    }
}

/// Rows as a report reads them, under this name.
fn sample<'a>((frame, labels): &'a (Frame, Vec<u32>), source: &'a str) -> Sample<'a> {
    Sample { source, frame, labels, weights: None }
}

/// A frame and, where they are known, the numbers of the rows' classes.
#[derive(FromPyObject)]
struct Known<'py>(Bound<'py, PyAny>, Option<PyReadonlyArray1<'py, u32>>);

#[pymethods]
impl Model {
    /// Learns from rows with their classes; gives the model and, where Ctrl-C or the limit ended the work early, what was not done.
    #[staticmethod]
    #[pyo3(signature = (rows, validation, options, report=None))]
    fn fit(
        py: Python<'_>,
        rows: Labelled<'_>,
        validation: Option<Labelled<'_>>,
        options: Options,
        report: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Self, Option<String>)> {
        let how = options.read()?;
        let kinds = Kinds::default();
        let views = Views::of(&rows.0)?;
        let table = Table::new(&rows.0, &views, &kinds, Role::Training)?;
        let (target, weights) = (rows.target(py)?, rows.weights());
        let train = Examples { columns: &table, target: &target, weights: weights.as_deref() };
        let held = validation.as_ref();
        let held_views = held.map(|held| Views::of(&held.0)).transpose()?;
        let held_table = match (held, &held_views) {
            (Some(held), Some(views)) => Some(Table::new(&held.0, views, &kinds, Role::Asking)?),
            _ => None,
        };
        let held_target = held.map(|held| held.target(py)).transpose()?;
        let held_weights = held.and_then(Labelled::weights);
        let asked = match (&held_table, &held_target) {
            (Some(columns), Some(target)) => {
                Some(Examples { columns, target, weights: held_weights.as_deref() })
            }
            _ => None,
        };
        let monotone = options.monotone();
        let done = work::run(py, options.threads, report.as_ref(), |desk| {
            let (budget, say) = (desk.budget(options.time_limit), |words: &str| desk.say(words));
            if monotone.is_empty() {
                return Ok(model::Model::fit(&train, asked.as_ref(), &how, &budget, say)?);
            }
            fit_monotone(&train, asked.as_ref(), (&how, &monotone), &budget, &say)
        })?;
        let raised = || table.raised().or_else(|| held_table.as_ref()?.raised());
        let learned =
            done.value.map_err(|error: MonotoneError| raised().unwrap_or_else(|| error.raise(py)))?;
        let mut undone: Vec<&str> =
            learned.circuits().iter().filter_map(|circuit| circuit.trace().undone()).collect();
        undone.dedup();
        let undone = (done.interrupted || !undone.is_empty()).then(|| undone.join("; "));
        Ok((Self(Arc::new(learned.without_timings())), undone))
    }

    /// The sizes that each circuit may have.
    #[getter]
    fn sizes(&self) -> Vec<Vec<Size>> {
        self.0.circuits().iter().map(sizes).collect()
    }

    /// The same model with circuits of at most so many conditions.
    fn at(&self, conditions: usize) -> Self {
        Self(Arc::new(self.0.at(conditions)))
    }

    /// The number of each row's class.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        frame: Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let classes = self.ask(py, &frame, threads, |table| self.0.predict(table))?;
        Ok(PyArray1::from_vec(py, classes))
    }

    /// The probability of each class, a row for each row.
    fn predict_proba<'py>(
        &self,
        py: Python<'py>,
        frame: Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all = self.ask(py, &frame, threads, |table| self.0.predict_proba(table))?;
        let classes = self.0.classes().len();
        let rows = all.len() / classes.max(1);
        PyArray1::from_vec(py, all).reshape([rows, classes])
    }

    /// The bits of each row.
    fn bits<'py>(
        &self,
        py: Python<'py>,
        frame: Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let columns = self.ask(py, &frame, threads, |table| self.0.binarizer().apply(table))?;
        matrix::rows(py, &columns, frame.getattr("rows")?.extract()?)
    }

    /// For each column the share of the rows whose answer changes with it alone; weights are in millionths.
    #[pyo3(signature = (frame, threads, weights=None))]
    fn influences<'py>(
        &self,
        py: Python<'py>,
        frame: Bound<'py, PyAny>,
        threads: usize,
        weights: Option<PyReadonlyArray1<'py, u64>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let columns = self.ask(py, &frame, threads, |table| self.0.binarizer().apply(table))?;
        let weights = weights.map(|weights| weights.as_array().to_vec());
        let rows = frame.getattr("rows")?.extract()?;
        let shares = explain::influences(&Subject::of_model(&self.0), &columns, rows, weights.as_deref());
        Ok(PyArray1::from_vec(py, shares.map_err(|error| error.raise(py))?))
    }

    /// The model as a whole; `rows` are a frame and the numbers of the classes, where these are known.
    #[pyo3(signature = (search, rows=None))]
    fn explain(&self, py: Python<'_>, search: Search, rows: Option<Known<'_>>) -> PyResult<Said> {
        let counted = match rows {
            None => None,
            Some(Known(frame, classes)) => Some(Counted {
                columns: self.ask(py, &frame, 1, |table| self.0.binarizer().apply(table))?,
                labels: classes
                    .map_or_else(Vec::new, |classes| explain::labels(&self.0, &classes.as_array().to_vec())),
                rows: frame.getattr("rows")?.extract()?,
            }),
        };
        explain::model(py, &Subject::of_model(&self.0), counted.as_ref(), search)
    }

    /// Its answer on the only row of a frame; where `actionable` are given, only these columns may change for another.
    #[pyo3(signature = (frame, search, actionable=None))]
    #[allow(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made")]
    fn explain_prediction(
        &self,
        py: Python<'_>,
        frame: Bound<'_, PyAny>,
        search: Search,
        actionable: Option<Vec<String>>,
    ) -> PyResult<Said> {
        let point = self.ask(py, &frame, 1, |table| Point::of_row(&self.0, table, 0))?;
        explain::prediction(py, &Subject::of_model(&self.0), &point, actionable.as_deref(), search)
    }

    /// Its answers on all rows of a frame: explanations as JSON, and which of them is that of each row.
    #[pyo3(signature = (frame, search, actionable=None))]
    #[allow(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made")]
    fn explain_predictions(
        &self,
        py: Python<'_>,
        frame: Bound<'_, PyAny>,
        search: Search,
        actionable: Option<Vec<String>>,
    ) -> PyResult<(String, Vec<usize>)> {
        let points = self.ask(py, &frame, 1, |table| Point::of_rows(&self.0, table))?;
        explain::predictions(py, &Subject::of_model(&self.0), &points, actionable.as_deref(), search)
    }

    /// Where it and another disagree.
    fn explain_difference(&self, py: Python<'_>, other: PyRef<'_, Self>, search: Search) -> PyResult<Said> {
        explain::difference(py, [&Subject::of_model(&self.0), &Subject::of_model(&other.0)], search)
    }

    /// The page about it, made on this day, with the training rows and others.
    #[pyo3(signature = (day, train=None, test=None))]
    fn report(
        &self,
        py: Python<'_>,
        day: &str,
        train: Option<Known<'_>>,
        test: Option<Known<'_>>,
    ) -> PyResult<String> {
        let rows = |known: Option<Known<'_>>| known.map(|known| self.sampled(py, known)).transpose();
        let (train, test) = (rows(train)?, rows(test)?);
        let mut file = Vec::new();
        self.0.write(&mut file)?;
        let done = work::run(py, 1, None, |_| {
            let report = Report {
                day: Some(day),
                file: Some(&file),
                train: train.as_ref().map(|rows| sample(rows, "X")),
                test: test.as_ref().map(|rows| sample(rows, "X_test")),
                ..Report::new(&self.0)
            };
            report.html()
        })?;
        if done.interrupted {
            return Err(pyo3::exceptions::PyKeyboardInterrupt::new_err(()));
        }
        done.value.map_err(|error| error.raise(py))
    }

    #[getter]
    fn target(&self) -> String {
        self.0.target().to_owned()
    }

    /// The element type of the classes, as NumPy calls it.
    #[getter]
    fn class_type(&self) -> String {
        self.0.class_type().to_string()
    }

    /// The same model with classes of this type, or as it is where that is none that a file can name.
    fn typed(&self, class_type: &str) -> Self {
        match class_type.parse() {
            Ok(class_type) => Self(Arc::new((*self.0).clone().with_class_type(class_type))),
            Err(_) => Self(Arc::clone(&self.0)),
        }
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        self.0.classes().to_vec()
    }

    /// The columns of the training rows and their kinds.
    #[getter]
    fn columns(&self) -> Vec<(String, &'static str)> {
        let kind = |kind| match kind {
            Kind::Boolean => "boolean",
            Kind::Number => "number",
            Kind::Category => "category",
        };
        self.0.binarizer().columns().iter().map(|column| (column.name.clone(), kind(column.kind))).collect()
    }

    #[getter]
    fn bit_names(&self) -> Vec<String> {
        self.0.binarizer().names()
    }

    /// The number of the column that each bit tests.
    #[getter]
    fn bit_columns(&self) -> Vec<usize> {
        self.0.binarizer().bits().iter().map(|bit| bit.column).collect()
    }

    /// The classes that have a circuit, in the order of the circuits.
    #[getter]
    fn learned(&self) -> Vec<usize> {
        self.0.learned()
    }

    /// The circuit with this number.
    fn circuit(&self, number: usize) -> PyResult<Circuit> {
        if number >= self.0.circuits().len() {
            return Err(PyIndexError::new_err(format!("circuit {number} of {}", self.0.circuits().len())));
        }
        Ok(Circuit::of(Arc::clone(&self.0), number))
    }

    /// An ONNX file from the columns to the classes, with the layers of `network`, which reads the bits; numbers are float32 or float64.
    fn raw_onnx<'py>(
        &self,
        py: Python<'py>,
        network: PyRef<'_, Network>,
        float32: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let numbers = if float32 { RawNumbers::Float32 } else { RawNumbers::Float64 };
        Ok(PyBytes::new(py, &network.raw_onnx(py, &self.0, numbers)?))
    }

    /// One `SELECT` in an engine's SQL; `give` says what of each row: `"predictions"`, `"tests"`, or for circuit `which` `"keys"` or
    /// `"gates"`.
    #[pyo3(signature = (dialect, table, keep=None, give="predictions", which=Vec::new()))]
    #[allow(clippy::needless_pass_by_value, reason = "PyO3 hands over what it made")]
    fn to_sql(
        &self,
        py: Python<'_>,
        dialect: &str,
        table: &str,
        keep: Option<Vec<String>>,
        give: &str,
        which: Vec<usize>,
    ) -> PyResult<String> {
        let most = if give == "tests" { self.0.binarizer().bits().len() } else { self.0.circuits().len() };
        if let Some(wrong) = which.iter().find(|&&number| number >= most) {
            return Err(PyIndexError::new_err(format!("number {wrong} of {most}")));
        }
        let give = match (give, which.first()) {
            ("predictions", _) => Give::Predictions,
            ("tests", _) => Give::Tests(&which),
            ("keys", Some(&circuit)) => Give::Keys(circuit),
            ("gates", Some(&circuit)) => Give::Gates(circuit),
            _ => return Err(PyValueError::new_err(format!("nothing to give: {give:?}"))),
        };
        let query = Query { dialect: engine(dialect)?, from: table, keep: keep.as_deref(), give };
        sql::select(&self.0, &query).map_err(|error: SqlError| error.raise(py))
    }

    /// The prediction and the probabilities as expressions in an engine's SQL.
    fn sql_expressions(&self, py: Python<'_>, dialect: &str) -> PyResult<(String, Vec<String>)> {
        let made = sql::expressions(&self.0, engine(dialect)?).map_err(|error| error.raise(py))?;
        Ok((made.prediction, made.probabilities))
    }

    /// The file, in bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut file = Vec::new();
        self.0.write(&mut file)?;
        Ok(PyBytes::new(py, &file))
    }

    /// The model of a file; messages call it `source`.
    #[staticmethod]
    #[pyo3(signature = (file, source="bytes"))]
    fn from_bytes(py: Python<'_>, file: &[u8], source: &str) -> PyResult<Self> {
        let read = model::Model::read(file, source).map_err(|error| error.raise(py))?;
        Ok(Self(Arc::new(read)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.get_type().getattr("from_bytes")?;
        (read, (slf.get().to_bytes(slf.py())?,)).into_pyobject(slf.py())
    }
}

fn engine(dialect: &str) -> PyResult<Dialect> {
    Dialect::from_name(dialect).ok_or_else(|| {
        let names = Dialect::ALL.map(Dialect::name).join(", ");
        PyValueError::new_err(format!("no dialect {dialect:?}: give one of {names}"))
    })
}

impl Model {
    /// Rows with their classes, in memory that Python does not own.
    fn sampled(&self, py: Python<'_>, Known(frame, classes): Known<'_>) -> PyResult<(Frame, Vec<u32>)> {
        let Some(classes) = classes else {
            return Err(PyValueError::new_err("a report counts rows by their classes: give them too"));
        };
        let frame = self.ask(py, &frame, 1, |table| {
            let columns = (0..table.names().len())
                .map(|at| table.column(at).map(Values::into_owned))
                .collect::<Result<Vec<_>, _>>()?;
            let (names, rows) = (table.names().to_vec(), table.rows());
            Ok(Frame { source: String::new(), names, columns, rows, weights: None })
        })?;
        Ok((frame, classes.as_array().to_vec()))
    }

    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        frame: &Bound<'_, PyAny>,
        threads: usize,
        question: impl FnOnce(&Table<'_>) -> Result<T, macchiato::binarize::BinarizeError> + Send,
    ) -> PyResult<T> {
        let views = Views::of(frame)?;
        let kinds = Kinds::new(self.0.binarizer().kinds());
        let table = Table::new(frame, &views, &kinds, Role::Asking)?;
        let done = work::run(py, threads, None, |_| question(&table))?;
        if done.interrupted {
            return Err(pyo3::exceptions::PyKeyboardInterrupt::new_err(()));
        }
        done.value.map_err(|error| table.raised().unwrap_or_else(|| error.raise(py)))
    }
}
