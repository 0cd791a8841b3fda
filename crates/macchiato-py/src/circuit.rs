//! `Circuit`: an XOR of ORs of ANDs, alone or as a part of a classifier, whose words it then reads in.

use std::sync::Arc;

use macchiato::bits;
use macchiato::classifier;
use macchiato::explain::{Point, Subject};
use macchiato::export::{self, ExportFormat};
use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::model::Model;
use macchiato::report;
use macchiato::stage::{Signed, Stage};
use macchiato::staged;
use macchiato::words::{Symbols, Words};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::classifier::Classifier;
use crate::errors::Raise;
use crate::explain::{self, Said, Search};
use crate::{matrix, work};

/// Stages as lists of terms, and those as lists of an input's number and whether it is 1 there.
type Terms = Vec<Vec<Vec<Signed>>>;

#[derive(Clone)]
enum Source {
    Alone(Arc<staged::Staged>),
    /// The circuit with this number.
    Of(Arc<classifier::Classifier>, usize),
}

/// A circuit.
#[pyclass(frozen, module = "macchiato._macchiato")]
#[derive(Clone)]
pub(crate) struct Circuit(Source);

impl Circuit {
    pub(crate) fn alone(circuit: staged::Staged) -> Self {
        Self(Source::Alone(Arc::new(circuit)))
    }

    pub(crate) fn of(classifier: Arc<classifier::Classifier>, number: usize) -> Self {
        Self(Source::Of(classifier, number))
    }

    pub(crate) fn get(&self) -> &staged::Staged {
        match &self.0 {
            Source::Alone(circuit) => circuit,
            Source::Of(classifier, number) => classifier.models()[*number].circuit(),
        }
    }

    /// What explanations see of it. That of a classifier is only explained with its table.
    fn subject(&self) -> PyResult<Subject<'_>> {
        match &self.0 {
            Source::Alone(circuit) => Ok(Subject::of_circuit(circuit)),
            Source::Of(..) => Err(PyValueError::new_err(
                "this circuit is a classifier's, whose inputs depend on each other: ask the classifier to explain",
            )),
        }
    }

    fn names(&self) -> Words<'_> {
        match &self.0 {
            Source::Alone(circuit) => Words::Names(&circuit.inputs),
            Source::Of(classifier, _) => classifier.words(),
        }
    }
}

fn symbols(style: &str) -> PyResult<Symbols> {
    match style {
        "unicode" => Ok(Symbols::UNICODE),
        "ascii" => Ok(Symbols::ASCII),
        "words" => Ok(Symbols::WORDS),
        other => Err(PyValueError::new_err(format!("style {other:?}: give 'unicode', 'ascii' or 'words'"))),
    }
}

/// The stage with these terms over the inputs that they read.
fn stage(terms: &[Vec<Signed>], inputs: usize) -> PyResult<Stage> {
    let mut read: Vec<usize> = terms.iter().flatten().map(|&(input, _)| input).collect();
    read.sort_unstable();
    read.dedup();
    if read.is_empty() {
        // A constant: certificates want every stage to have an input, and this one asks nothing of it.
        read.push(0);
    }
    if let Some(&input) = read.last().filter(|&&input| input >= inputs) {
        return Err(PyValueError::new_err(format!("a stage reads input {input} of {inputs}")));
    }
    let mut cover = Cover::new(Shape::new(read.len(), 1));
    for term in terms {
        let mut literals = vec![Literal::Free; read.len()];
        for &(input, positive) in term {
            let at = read.partition_point(|&other| other < input);
            let literal = if positive { Literal::Positive } else { Literal::Negative };
            if literals[at] != Literal::Free && literals[at] != literal {
                return Err(PyValueError::new_err(format!("a term asks input {input} to be 0 and 1")));
            }
            literals[at] = literal;
        }
        cover.push(&literals, &[true]);
    }
    Ok(Stage { inputs: read, cover })
}

#[pymethods]
impl Circuit {
    #[new]
    fn new(inputs: Vec<String>, target: String, stages: Terms) -> PyResult<Self> {
        let stages = stages.iter().map(|terms| stage(terms, inputs.len())).collect::<PyResult<_>>()?;
        Ok(Self::alone(staged::Staged { inputs, target, stages }))
    }

    /// The circuit of a model file; messages call it `source`.
    #[staticmethod]
    fn from_model(py: Python<'_>, file: &[u8], source: &str) -> PyResult<Self> {
        let model = Model::read(file, source).map_err(|error| error.raise(py))?;
        Ok(Self::alone(model.circuit().clone()))
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.get().inputs.clone()
    }

    #[getter]
    fn target(&self) -> String {
        self.get().target.clone()
    }

    #[getter]
    fn stages(&self) -> Terms {
        self.get().stages.iter().map(|stage| stage.terms().collect()).collect()
    }

    #[getter]
    fn support(&self) -> Vec<usize> {
        self.get().support()
    }

    #[getter]
    fn n_terms(&self) -> usize {
        self.get().terms()
    }

    #[getter]
    fn n_literals(&self) -> usize {
        self.get().literals()
    }

    fn text(&self, style: &str) -> PyResult<String> {
        Ok(self.names().circuit(self.get(), symbols(style)?))
    }

    /// The conditions of each term of each stage.
    fn conditions(&self, style: &str) -> PyResult<Vec<Vec<Vec<String>>>> {
        let (names, symbols) = (self.names(), symbols(style)?);
        let term = |term: Vec<Signed>| names.conditions(&term, symbols);
        Ok(self.get().stages.iter().map(|stage| stage.terms().map(term).collect()).collect())
    }

    /// The rule and the stages, as the report shows them.
    fn html(&self) -> String {
        report::fragment(self.get(), self.names())
    }

    /// The circuit as a whole.
    fn explain(&self, py: Python<'_>, search: Search) -> PyResult<Said> {
        explain::model(py, &self.subject()?, None, search)
    }

    /// Its answer on one row.
    fn explain_prediction(&self, py: Python<'_>, row: Vec<bool>, search: Search) -> PyResult<Said> {
        explain::prediction(py, &self.subject()?, &Point::of_bits(&row), search)
    }

    /// Where it and another disagree.
    fn explain_difference(&self, py: Python<'_>, other: PyRef<'_, Self>, search: Search) -> PyResult<Said> {
        explain::difference(py, [&self.subject()?, &other.subject()?], search)
    }

    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, bool>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (columns, rows) = matrix::columns(&x, self.get().inputs.len())?;
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let done = work::run(py, 1, None, |_| self.get().evaluate(&columns, bits::words(rows)))?;
        Ok(matrix::answers(py, &done.value, rows))
    }

    fn export<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let Some(format) = ExportFormat::from_name(format) else {
            let names = ExportFormat::ALL.map(ExportFormat::name).join(", ");
            return Err(PyValueError::new_err(format!("no format {format:?}: there are {names}")));
        };
        let mut file = Vec::new();
        let gates = staged::gates(&[self.get()])
            .map_err(|error| PyValueError::new_err(format!("the circuit: {error}")))?;
        export::write(&gates, format, &mut file).map_err(|error| error.raise(py))?;
        Ok(PyBytes::new(py, &file))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.get() == other.get()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        match &slf.get().0 {
            Source::Alone(_) => {
                let this = slf.get();
                let parts = (this.inputs(), this.target(), this.stages()).into_bound_py_any(py)?;
                (slf.get_type(), parts).into_pyobject(py)
            }
            Source::Of(classifier, number) => {
                let classifier = Classifier::from(Arc::clone(classifier)).into_bound_py_any(py)?;
                (classifier.getattr("circuit")?, (number,)).into_pyobject(py)
            }
        }
    }
}
