//! `Circuit`: gates over named inputs, alone or as a part of a model, whose words it then reads in. Where it is an XOR of ORs of ANDs
//! it has these as stages.

use std::sync::Arc;

use macchiato::bits;
use macchiato::circuit::{self, Gate, Output, Rule};
use macchiato::explain::{Point, Subject};
use macchiato::export::{self, ExportFormat};
use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::model::{self, Method};
use macchiato::report;
use macchiato::stage::{self, Signed, Stage};
use macchiato::staged::Staged;
use macchiato::words::{Symbols, Words};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::errors::Raise;
use crate::explain::{self, Said, Search};
use crate::model::Model;
use crate::{matrix, work};

/// Stages as lists of terms, and those as lists of an input's number and whether it is 1 there.
type Terms = Vec<Vec<Vec<Signed>>>;

/// `input` or `gate`, its number from 0, whether it is positive, and its points.
type LiteralParts = (String, usize, bool, u32);

/// The rule, the counts that it holds for where it counts, and the literals.
type GateParts = (String, Vec<(u64, u64)>, Vec<LiteralParts>);

#[derive(Clone)]
enum Source {
    Alone(Arc<(circuit::Circuit, Vec<Stage>)>),
    /// The circuit with this number.
    Of(Arc<model::Model>, usize),
}

/// A circuit.
#[pyclass(frozen, module = "macchiato._macchiato")]
#[derive(Clone)]
pub(crate) struct Circuit(Source);

impl Circuit {
    pub(crate) fn alone(circuit: circuit::Circuit, stages: Vec<Stage>) -> Self {
        Self(Source::Alone(Arc::new((circuit, stages))))
    }

    pub(crate) fn of_stages(staged: Staged) -> Self {
        Self::alone(staged.gates(), staged.stages)
    }

    pub(crate) fn of(model: Arc<model::Model>, number: usize) -> Self {
        Self(Source::Of(model, number))
    }

    pub(crate) fn get(&self) -> &circuit::Circuit {
        match &self.0 {
            Source::Alone(alone) => &alone.0,
            Source::Of(model, number) => model.circuits()[*number].circuit(),
        }
    }

    /// Whether its gates may be those of other circuits, too: what is written down and what the paper's method learns stays as it is.
    pub(crate) fn may_share(&self) -> bool {
        match &self.0 {
            Source::Alone(_) => false,
            Source::Of(model, _) => matches!(model.method(), Method::Auto(_)),
        }
    }

    fn learned(&self) -> &[Stage] {
        match &self.0 {
            Source::Alone(alone) => &alone.1,
            Source::Of(model, number) => model.circuits()[*number].stages(),
        }
    }

    /// What explanations see of it. That of a model is only explained with its table, unless each column is its own test.
    fn subject(&self) -> PyResult<Subject<'_>> {
        match &self.0 {
            Source::Alone(alone) => Ok(Subject::of_stages(&alone.0, &alone.1)),
            Source::Of(model, _) if model.is_plain() => Ok(Subject::of_model(model)),
            Source::Of(..) => Err(PyValueError::new_err(
                "this circuit is a classifier's, whose inputs depend on each other: ask the classifier to explain",
            )),
        }
    }

    fn names(&self) -> Words<'_> {
        match &self.0 {
            Source::Alone(alone) => Words::Names(alone.0.inputs()),
            Source::Of(model, _) => model.words(),
        }
    }
}

fn literal_parts(literal: circuit::Literal) -> LiteralParts {
    let (source, number) = match literal.source {
        circuit::Source::Input(input) => ("input", input),
        circuit::Source::Gate(gate) => ("gate", gate),
    };
    (source.to_owned(), number, literal.positive, literal.weight)
}

fn literal_of((source, number, positive, points): &LiteralParts) -> PyResult<circuit::Literal> {
    let literal = match source.as_str() {
        "input" => circuit::Literal::input(*number),
        "gate" => circuit::Literal::gate(*number),
        other => {
            return Err(PyValueError::new_err(format!("a literal reads 'input' or 'gate', not {other:?}")));
        }
    };
    Ok(literal.signed(*positive).times(*points))
}

fn gate_parts(gate: &Gate) -> GateParts {
    let (rule, counts) = match &gate.rule {
        Rule::And => ("and", Vec::new()),
        Rule::Or => ("or", Vec::new()),
        Rule::Xor => ("xor", Vec::new()),
        Rule::AtLeast(least) => ("counts", vec![(*least, gate.most().max(*least))]),
        Rule::Counts(ranges) => ("counts", ranges.clone()),
        _ => ("sum", Vec::new()),
    };
    (rule.to_owned(), counts, gate.literals.iter().map(|&literal| literal_parts(literal)).collect())
}

fn gate_of((rule, counts, literals): &GateParts) -> PyResult<Gate> {
    let literals: Vec<circuit::Literal> = literals.iter().map(literal_of).collect::<PyResult<_>>()?;
    let mut gate = Gate::new(Rule::And, literals);
    let counted = rule == "counts";
    if counted == counts.is_empty() && counted {
        return Err(PyValueError::new_err("a gate of the rule 'counts' needs counts"));
    }
    gate.rule = match (rule.as_str(), counts.as_slice()) {
        ("and", []) => Rule::And,
        ("or", []) => Rule::Or,
        ("xor", []) => Rule::Xor,
        ("sum", []) => Rule::Sum,
        ("counts", &[(least, to)]) if to >= gate.most() => Rule::AtLeast(least),
        ("counts", ranges) => Rule::Counts(ranges.to_vec()),
        _ => {
            let message =
                format!("no rule {rule:?} with these counts: give 'and', 'or', 'xor', 'counts' or 'sum'");
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(gate)
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
fn stage_of(terms: &[Vec<Signed>], inputs: usize) -> PyResult<Stage> {
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
        let stages = stages.iter().map(|terms| stage_of(terms, inputs.len())).collect::<PyResult<_>>()?;
        Ok(Self::of_stages(Staged { inputs, target, stages }))
    }

    /// The circuit of these gates, whose output is this literal.
    #[staticmethod]
    fn from_gates(
        inputs: Vec<String>,
        target: String,
        gates: Vec<GateParts>,
        output: LiteralParts,
    ) -> PyResult<Self> {
        let gates = gates.iter().map(gate_of).collect::<PyResult<Vec<_>>>()?;
        let outputs = vec![Output::new(target, literal_of(&output)?.times(1))];
        let made = circuit::Circuit::new(inputs, gates, outputs);
        Ok(Self::alone(made.map_err(|error| PyValueError::new_err(error.to_string()))?, Vec::new()))
    }

    /// The only circuit of a model file; messages call it `source`.
    #[staticmethod]
    fn from_model(py: Python<'_>, file: &[u8], source: &str) -> PyResult<Self> {
        let model = model::Model::read(file, source).map_err(|error| error.raise(py))?;
        match model.circuits().len() {
            1 => Ok(Self::of(Arc::new(model), 0)),
            circuits => Err(PyValueError::new_err(format!(
                "{source}: a model of {circuits} circuits: read it with MacchiatoClassifier.load"
            ))),
        }
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.get().inputs().to_vec()
    }

    #[getter]
    fn target(&self) -> String {
        self.get().outputs().first().map_or(String::new(), |output| output.name.clone())
    }

    #[getter]
    fn stages(&self) -> Terms {
        self.learned().iter().map(|stage| stage.terms().collect()).collect()
    }

    #[getter]
    fn gates(&self) -> Vec<GateParts> {
        self.get().gates().iter().map(gate_parts).collect()
    }

    #[getter]
    fn output(&self) -> LiteralParts {
        literal_parts(
            self.get().outputs().first().map_or(circuit::Literal::input(0), |output| output.literal),
        )
    }

    #[getter]
    fn support(&self) -> Vec<usize> {
        self.get().shortened().support()
    }

    #[getter]
    fn n_terms(&self) -> usize {
        let stages = self.learned();
        if stages.is_empty() { self.get().gates().len() } else { stage::terms(stages) }
    }

    #[getter]
    fn n_literals(&self) -> usize {
        let stages = self.learned();
        if stages.is_empty() { self.get().literals() } else { stage::literals(stages) }
    }

    fn text(&self, style: &str) -> PyResult<String> {
        Ok(self.names().circuit(self.get(), symbols(style)?).line())
    }

    /// What is computed and how, on one line.
    fn equation(&self) -> String {
        let said = self.names().circuit(self.get(), Symbols::UNICODE);
        let target = self.target();
        let Source::Of(model, number) = &self.0 else {
            // The target may be an equation itself.
            return format!("{target} {} {}", if target.contains(" = ") { "if" } else { "=" }, said.line());
        };
        let gates: Vec<String> = said.gates.iter().map(|(name, text)| format!("{name} = {text}")).collect();
        let equation = model.equation(&model.circuits()[*number], &said, &target);
        if gates.is_empty() { equation } else { format!("{equation}, where {}", gates.join(", ")) }
    }

    /// The model that it is a part of.
    fn model(&self) -> Option<Model> {
        match &self.0 {
            Source::Alone(_) => None,
            Source::Of(model, _) => Some(Model::from(Arc::clone(model))),
        }
    }

    /// The conditions of each term of each stage.
    fn conditions(&self, style: &str) -> PyResult<Vec<Vec<Vec<String>>>> {
        let (names, symbols) = (self.names(), symbols(style)?);
        let term = |term: Vec<Signed>| names.conditions(&term, symbols);
        Ok(self.learned().iter().map(|stage| stage.terms().map(term).collect()).collect())
    }

    /// The rule and the stages, as the report shows them.
    fn html(&self) -> String {
        report::fragment(self.get(), self.learned(), self.names())
    }

    /// The circuit as a whole.
    fn explain(&self, py: Python<'_>, search: Search) -> PyResult<Said> {
        explain::model(py, &self.subject()?, None, search)
    }

    /// Its answer on one row.
    fn explain_prediction(&self, py: Python<'_>, row: Vec<bool>, search: Search) -> PyResult<Said> {
        explain::prediction(py, &self.subject()?, &Point::of_bits(&row), None, search)
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
        let (columns, rows) = matrix::columns(&x, self.get().inputs().len())?;
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let done =
            work::run(py, 1, None, |_| self.get().evaluate(&columns, bits::words(rows)).swap_remove(0))?;
        Ok(matrix::answers(py, &done.value, rows))
    }

    fn export<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let Some(format) = ExportFormat::from_name(format) else {
            let names = ExportFormat::ALL.map(ExportFormat::name).join(", ");
            return Err(PyValueError::new_err(format!("no format {format:?}: there are {names}")));
        };
        let mut file = Vec::new();
        export::write(self.get(), format, &mut file).map_err(|error| error.raise(py))?;
        Ok(PyBytes::new(py, &file))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.get() == other.get() && self.learned() == other.learned()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        match &slf.get().0 {
            Source::Alone(_) => {
                let this = slf.get();
                let (inputs, target, stages) = (this.inputs(), this.target(), this.stages());
                if stages.is_empty() {
                    let parts = (inputs, target, this.gates(), this.output()).into_bound_py_any(py)?;
                    return (slf.get_type().getattr("from_gates")?, parts).into_pyobject(py);
                }
                (slf.get_type(), (inputs, target, stages).into_bound_py_any(py)?).into_pyobject(py)
            }
            Source::Of(model, number) => {
                let model = Model::from(Arc::clone(model)).into_bound_py_any(py)?;
                (model.getattr("circuit")?, (number,)).into_pyobject(py)
            }
        }
    }
}
