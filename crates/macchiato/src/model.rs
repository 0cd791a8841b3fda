//! A model: a circuit, the parameters that it was learned with, and the trace of how; and its file, `docs/model.md`.
//!
//! The file is JSON with a version that a person can read. Reading checks everything that the file says and names the
//! first thing that is wrong by its path. Writing what was read gives the same bytes again; without times
//! ([`Model::without_timings`]) the same rows, parameters and seed give the same bytes on every machine.

mod check;
mod error;
pub(crate) mod file;
mod holdout;
pub(crate) mod layout;
mod method;
pub(crate) mod object;
pub(crate) mod read;

use crate::bits;
use crate::circuit::Circuit;
use crate::fit::{Fit, Trace};
use crate::rows::Rows;
use crate::staged::{Staged, StagedError, gates};
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
    circuit: Staged,
    method: Method,
    coverage: Vec<Vec<usize>>,
    trace: Trace,
    holdout: Option<Holdout>,
}

impl Model {
    /// The gates of its circuit in their shortest form, as [`Model::gates_of`].
    ///
    /// # Errors
    /// Terms of more literals than a gate can count.
    pub fn gates(&self) -> Result<Circuit, StagedError> {
        Self::gates_of(std::slice::from_ref(self))
    }

    /// The circuits of these models side by side, an output for each, in their shortest form: a rule that only counts is one gate. Circuits of
    /// the paper's method stay the paper's.
    ///
    /// # Errors
    /// No model, other inputs than the first one's, terms of more literals than a gate can count.
    pub fn gates_of(models: &[Self]) -> Result<Circuit, StagedError> {
        let stages = Self::stages_of(models)?;
        let auto = models.iter().all(|model| matches!(model.method, Method::Auto(_)));
        Ok(if auto { stages.simplified() } else { stages })
    }

    /// The same, stage by stage as they were learned.
    ///
    /// # Errors
    /// As [`Model::gates_of`].
    pub fn stages_of(models: &[Self]) -> Result<Circuit, StagedError> {
        let circuits: Vec<&Staged> = models.iter().map(Self::circuit).collect();
        gates(&circuits)
    }

    /// The model of a fit to `rows`.
    ///
    /// # Panics
    /// If `rows` have fewer inputs than those of the fit.
    #[must_use]
    pub fn new(fit: Fit, method: Method, rows: &Rows) -> Self {
        let Fit { circuit, trace } = fit;
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let coverage = circuit.stages.iter().map(|stage| stage.coverage(&columns, rows.len())).collect();
        Self { circuit, method, coverage, trace, holdout: None }
    }

    /// The circuit, `H_M`.
    #[must_use]
    pub const fn circuit(&self) -> &Staged {
        &self.circuit
    }

    /// How it was learned.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// Training rows on which each term of each stage holds.
    #[must_use]
    pub fn coverage(&self) -> &[Vec<usize>] {
        &self.coverage
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
        let mut answers = self.circuit.evaluate(columns, bits::words(rows));
        if let Some(last) = answers.last_mut() {
            *last &= bits::last_mask(rows);
        }
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
