//! What is to be certified, and which questions have an answer.

use serde::{Deserialize, Serialize};

/// Most inputs of a question.
pub const MAX_INPUTS: usize = 4096;

/// What is to be certified, and how surely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Inputs of the function, the paper's B.
    pub inputs: usize,
    /// Inputs to select at most, the paper's K.
    pub k: usize,
    /// Only influences above this count, the paper's tau: from 0 to below 1.
    pub tau: f64,
    /// Below this influence an input may be left out; needed where tau is 0, unless all points are to be asked for.
    pub smallest: Option<f64>,
    /// The probability of a wrong answer that is accepted, the paper's delta: between 0 and 1.
    pub risk: f64,
    /// Seed of the points.
    pub seed: u64,
}

/// What is wrong with a question.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// No inputs, or too many.
    #[error("{inputs} inputs: there must be at least 1 and at most {MAX_INPUTS}")]
    Inputs {
        /// Their number.
        inputs: usize,
    },
    /// K outside 1..=B.
    #[error("K is {k}: at least 1 and at most the {inputs} inputs can be selected")]
    K {
        /// The K asked for.
        k: usize,
        /// The inputs.
        inputs: usize,
    },
    /// A threshold that no influence is compared with.
    #[error("tau is {tau}: give a number from 0 to below 1")]
    Tau {
        /// The threshold.
        tau: f64,
    },
    /// A smallest influence that is not above the threshold.
    #[error("the smallest influence that matters is {smallest}: it must be above tau = {tau} and at most 1")]
    Smallest {
        /// The influence.
        smallest: f64,
        /// The threshold.
        tau: f64,
    },
    /// No smallest influence where nothing else ends the questions.
    #[error(
        "with tau = 0 no number of labels shows that one of {inputs} inputs does nothing: say which influence is the smallest that matters, such as 0.05"
    )]
    Endless {
        /// The inputs.
        inputs: usize,
    },
    /// A risk that is no probability.
    #[error("the risk is {risk}: it must be between 0 and 1")]
    Risk {
        /// The risk.
        risk: f64,
    },
}

/// Most inputs for which asking for all points is a plan.
const CENSUS_INPUTS: usize = 16;

impl Question {
    /// Checks the question.
    ///
    /// # Errors
    /// Numbers outside their range; tau = 0 without a smallest influence and more inputs than can be asked for in full.
    pub fn check(&self) -> Result<(), QuestionError> {
        let Self { inputs, k, tau, smallest, risk, .. } = *self;
        if !(1..=MAX_INPUTS).contains(&inputs) {
            return Err(QuestionError::Inputs { inputs });
        }
        if !(1..=inputs).contains(&k) {
            return Err(QuestionError::K { k, inputs });
        }
        if !(0.0..1.0).contains(&tau) {
            return Err(QuestionError::Tau { tau });
        }
        if let Some(smallest) = smallest.filter(|smallest| !(*smallest > tau && *smallest <= 1.0)) {
            return Err(QuestionError::Smallest { smallest, tau });
        }
        if tau == 0.0 && smallest.is_none() && inputs > CENSUS_INPUTS {
            return Err(QuestionError::Endless { inputs });
        }
        if !(risk > 0.0 && risk < 1.0) {
            return Err(QuestionError::Risk { risk });
        }
        Ok(())
    }
}
