//! Parameters of Algorithm 1: written down unchecked, used only after a check against the rows.

use crate::rows::Rows;
use crate::select::Threshold;

/// How a stage's inputs are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Selection {
    /// By empirical influence on the residual: Algorithm 1.
    #[default]
    Influence,
    /// At random: the ablation of Appendix D.7.
    Random,
}

/// What Algorithm 1 is asked to do; [`PaperParams::check`] makes it usable.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PaperParams {
    /// Inputs of a stage at most, the paper's K.
    pub k: usize,
    /// Stages at most, the paper's m.
    pub m: usize,
    /// Threshold on influences, the paper's tau.
    pub tau: Threshold,
    /// How inputs are chosen.
    pub selection: Selection,
    /// Fresh rows for every stage: Section 4.1.2.
    pub split: bool,
    /// Seed of the random selection and of the minimizer's restarts.
    pub seed: u64,
    /// End once a stage changes nothing on the training rows, which the paper's procedure would repeat until m.
    pub stop_when_stuck: bool,
}

impl Default for PaperParams {
    /// The paper's usual setting: K = 6, m = 20, tau = 0.
    fn default() -> Self {
        Self {
            k: 6,
            m: 20,
            tau: Threshold::default(),
            selection: Selection::Influence,
            split: false,
            seed: 0,
            stop_when_stuck: false,
        }
    }
}

impl PaperParams {
    /// The usual setting with so many inputs of a stage and stages at most.
    #[must_use]
    pub fn new(k: usize, m: usize) -> Self {
        Self { k, m, ..Self::default() }
    }
}

/// Parameters that fit the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedParams(PaperParams);

/// What is wrong with the parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParamError {
    /// K outside 1..=B.
    #[error("K is {k}: a stage needs at least 1 and at most the {inputs} inputs that the rows have")]
    K {
        /// The K asked for.
        k: usize,
        /// Inputs of the rows.
        inputs: usize,
    },
    /// No stages.
    #[error("m is 0: at least one stage is needed")]
    M,
    /// More stages than rows to share among them.
    #[error("--split shares {rows} rows among {m} stages: give at least {m} rows or fewer stages")]
    Split {
        /// Stages asked for.
        m: usize,
        /// Rows at hand.
        rows: usize,
    },
    /// A cap that no table can use.
    #[error(
        "K is {k}: with a cap every stage is a table, and tables have at most {most} inputs; give -k {most} or less, or no -k"
    )]
    TableInputs {
        /// The K asked for.
        k: usize,
        /// The most that a table has.
        most: usize,
    },
    /// No such effort.
    #[error("effort is {effort}: it goes from 1 (quick) to 9 (thorough)")]
    Effort {
        /// The effort asked for.
        effort: u8,
    },
}

impl PaperParams {
    /// Checks the parameters against the rows they are to be used on.
    ///
    /// # Errors
    /// K outside 1..=B, m = 0, or sample splitting with fewer rows than stages.
    pub fn check(self, rows: &Rows) -> Result<CheckedParams, ParamError> {
        if self.k == 0 || self.k > rows.inputs() {
            return Err(ParamError::K { k: self.k, inputs: rows.inputs() });
        }
        if self.m == 0 {
            return Err(ParamError::M);
        }
        if self.split && rows.len() < self.m {
            return Err(ParamError::Split { m: self.m, rows: rows.len() });
        }
        Ok(CheckedParams(self))
    }
}

impl CheckedParams {
    /// The parameters.
    #[must_use]
    pub const fn get(&self) -> &PaperParams {
        &self.0
    }
}
