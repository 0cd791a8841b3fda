//! A model: a circuit, the parameters that it was learned with, and the trace of how; and its file, `docs/model.md`.
//!
//! The file is JSON with a version that a person can read. Reading checks everything that the file says and names the
//! first thing that is wrong by its path. Writing what was read gives the same bytes again; without times
//! ([`Model::without_timings`]) the same rows, parameters and seed give the same bytes on every machine.

mod check;
mod error;
pub(crate) mod file;
pub(crate) mod gates;
mod holdout;
pub(crate) mod layout;
mod method;
pub(crate) mod object;
pub(crate) mod read;

use crate::bits;
use crate::circuit::{Circuit, CircuitError};
use crate::fit::{Fit, Trace};
use crate::rows::Rows;
use crate::stage::{self, Stage};
use crate::staged::Staged;
use crate::words::count;
use std::io::{self, Read, Write};

pub use error::{Fault, ModelError};
pub use holdout::{Confidence, ConfidenceError, Holdout};
pub use method::Method;

/// The value of the key `format`.
const FORMAT: &str = "macchiato-model";

/// The versions of the file that [`Model::read`] knows; [`Model::write`] writes the last one.
pub const VERSIONS: [u64; 1] = [1];

/// The longest file that is read, in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

/// A learned circuit with all that is known about it.
///
/// ```
/// use macchiato::fit::{PaperParams, fit_paper};
/// use macchiato::minimize::Budget;
/// use macchiato::model::{Method, Model};
/// use macchiato::rows::Rows;
///
/// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b0110], 4)?;
/// let params = PaperParams { k: 2, ..PaperParams::default() };
/// let fit = fit_paper(&rows, &params.clone().check(&rows)?, &Budget::unlimited())?;
/// let model = Model::new(fit, Method::Paper(params), &rows).without_timings();
///
/// let mut file = Vec::new();
/// model.write(&mut file)?;
/// assert_eq!(Model::read(file.as_slice(), "xor.json")?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// With one output, which is no sum.
    circuit: Circuit,
    stages: Vec<Stage>,
    method: Method,
    /// For each gate of [`Model::learned`].
    coverage: Vec<usize>,
    trace: Trace,
    holdout: Option<Holdout>,
}

impl Model {
    /// The model of a fit to `rows`.
    ///
    /// # Panics
    /// If `rows` have fewer inputs than those of the fit.
    #[must_use]
    pub fn new(fit: Fit, method: Method, rows: &Rows) -> Self {
        let Fit { circuit, stages, trace } = fit;
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let mut model = Self { circuit, stages, method, coverage: Vec::new(), trace, holdout: None };
        model.coverage = model.learned().coverage(&columns, rows.len());
        model
    }

    /// The circuit, `H_M`, as it is used: that of the paper's method as it is, others in their shortest form.
    #[must_use]
    pub const fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The stages whose XOR the circuit is, as they were learned; none where it was not learned in stages.
    #[must_use]
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The circuit as it was learned: stage by stage and term for term, where there are stages.
    #[must_use]
    pub fn learned(&self) -> Circuit {
        if self.is_staged() { self.staged().plain() } else { self.circuit.clone() }
    }

    fn is_staged(&self) -> bool {
        !self.stages.is_empty() || matches!(self.method, Method::Paper(_))
    }

    fn staged(&self) -> Staged {
        let (inputs, target) = (self.inputs().to_vec(), self.target().to_owned());
        Staged { inputs, target, stages: self.stages.clone() }
    }

    /// Names of the inputs.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        self.circuit.inputs()
    }

    /// The inputs that its gates or its stages read, in increasing order.
    #[must_use]
    pub fn support(&self) -> Vec<usize> {
        let terms = self.stages.iter().flat_map(Stage::terms).flatten().map(|(input, _)| input);
        let mut read: Vec<usize> = self.circuit.shortened().support().into_iter().chain(terms).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// Number of product terms of its stages; of gates, where there are no stages.
    #[must_use]
    pub fn terms(&self) -> usize {
        if self.is_staged() { stage::terms(&self.stages) } else { self.circuit.gates().len() }
    }

    /// Number of literals of its stages; of its gates, where there are no stages.
    #[must_use]
    pub fn literals(&self) -> usize {
        if self.is_staged() { stage::literals(&self.stages) } else { self.circuit.literals() }
    }

    /// How large it is, in words: `2 stages, 5 terms, 9 literals`, or `3 gates, 9 literals`.
    #[must_use]
    pub fn size(&self) -> String {
        let (terms, literals) = (self.terms(), count(self.literals(), "literal"));
        if self.is_staged() {
            format!("{}, {}, {literals}", count(self.stages.len(), "stage"), count(terms, "term"))
        } else {
            format!("{}, {literals}", count(terms, "gate"))
        }
    }

    /// Name of what is predicted.
    #[must_use]
    pub fn target(&self) -> &str {
        self.circuit.outputs().first().map_or("", |output| &output.name)
    }

    /// The circuits of these models side by side, an output for each. Equal gates of several circuits are shared, but for the paper's method.
    ///
    /// # Errors
    /// No model, or other inputs than the first one's.
    pub fn circuit_of(models: &[Self]) -> Result<Circuit, CircuitError> {
        let circuits: Vec<&Circuit> = models.iter().map(Self::circuit).collect();
        let all = Circuit::beside(&circuits)?;
        let paper = models.iter().any(|model| matches!(model.method, Method::Paper(_)));
        Ok(if paper || models.len() == 1 { all } else { all.shortened() })
    }

    /// The same with the stages of those that have some as the paper writes them.
    ///
    /// # Errors
    /// As [`Model::circuit_of`].
    pub fn stages_of(models: &[Self]) -> Result<Circuit, CircuitError> {
        let stages =
            |model: &Self| if model.is_staged() { model.staged().gates() } else { model.circuit.clone() };
        let circuits: Vec<Circuit> = models.iter().map(stages).collect();
        Circuit::beside(&circuits.iter().collect::<Vec<_>>())
    }

    /// How it was learned.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// Training rows on which each gate of [`Model::learned`] holds.
    #[must_use]
    pub fn coverage(&self) -> &[usize] {
        &self.coverage
    }

    /// The part of such counts, one for each gate of [`Model::learned`], that is about the terms of a stage.
    ///
    /// # Panics
    /// If there are fewer stages or counts.
    #[must_use]
    pub fn of_terms<'a>(&self, counts: &'a [usize], stage: usize) -> &'a [usize] {
        let before: usize = self.stages[..stage].iter().map(|stage| stage.cover.terms() + 1).sum();
        &counts[before..before + self.stages[stage].cover.terms()]
    }

    /// What every stage saw and did.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What rows said that were put aside before the fit, where there were any.
    #[must_use]
    pub const fn holdout(&self) -> Option<&Holdout> {
        self.holdout.as_ref()
    }

    /// The same model, with what held-out rows said of it.
    #[must_use]
    pub fn with_holdout(self, holdout: Holdout) -> Self {
        Self { holdout: Some(holdout), ..self }
    }

    /// The model without the times of its steps, in which two runs on the same rows differ.
    #[must_use]
    pub fn without_timings(mut self) -> Self {
        self.trace.seconds_for_pairs = 0.0;
        for stage in &mut self.trace.stages {
            stage.seconds = None;
        }
        self
    }

    /// The circuit's answers on bit columns, one column for each of its inputs; bits past the last row are 0.
    ///
    /// # Panics
    /// If there are fewer columns than inputs, or one is too short for the rows.
    #[must_use]
    pub fn predict(&self, columns: &[&[u64]], rows: usize) -> Vec<u64> {
        let mut answers = self.circuit.evaluate(columns, bits::words(rows)).swap_remove(0);
        bits::trim(&mut answers, rows);
        answers
    }

    /// Reads a model and checks all of it; `source` names it in messages.
    ///
    /// # Errors
    /// What cannot be read, is no JSON, or says something that no model can say.
    pub fn read(reader: impl Read, source: &str) -> Result<Self, ModelError> {
        read::read(reader, source)
    }

    /// Writes the model in the latest version.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut writer: impl Write) -> io::Result<()> {
        let compact = serde_json::to_string(&file::Model::new(self, &self.method))?;
        writer.write_all(layout::lay_out(&compact).as_bytes())?;
        writer.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests;
