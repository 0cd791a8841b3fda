//! "How many rows do I need?": one question about a study, and its inverse.
//!
//! The study: a rule that needs at most S of B inputs is to be learned with at most a given error, but for a probability
//! delta. Two answers, for two kinds of data. *Ordinary rows*: any learner that returns a rule of at most S inputs without an
//! error on them. *Pairs and rows*: the paper's learner with fresh rows for each stage, which first needs paired samples to find
//! the inputs (half of delta) and then rows to fill in the table (the other half).

use super::accuracy::{
    Both, JuntaResidual, Plan, excess, junta_error, rows_for_excess, rows_for_junta_error,
};
use super::error::BoundsError;
use super::recovery::{Bought, Class, Pairs, epsilon_bought, pairs_needed, pairs_to_see};
use serde::Serialize;

/// What is planned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Study {
    /// Inputs there are, B.
    pub inputs: u64,
    /// Inputs that the rule needs at most, S.
    pub support: u64,
    /// Inputs of a stage at most, K, at least S.
    pub width: u64,
    /// Stages that share the rows, m.
    pub stages: u64,
    /// How accurately influences must be known, `epsilon_inf`: the gap of `ass:thresholded-topk-gap`. Without one, the least
    /// influence that an input of such a rule can have under the uniform distribution, `2^(1-S)`, with `tau = 0`.
    pub gap: Option<f64>,
    /// Probability with which the promise may fail.
    pub delta: f64,
}

/// The paired samples of a study.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairsNeeded {
    /// The accuracy that they give.
    pub epsilon: f64,
    /// For `|J_{B,S}|` in two directions: `thm:junta-influence-recovery`.
    pub paper: Pairs,
    /// For `|J_{B-1,S-1}|` in one.
    pub sharper: Pairs,
    /// Only to see every relevant input once, where `tau = 0` and no more than K are relevant.
    pub to_see: u64,
}

/// What a study needs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Needed {
    /// Ordinary rows: any rule of at most S inputs without an error on that many has the error asked for at most.
    pub consistent: u64,
    /// Paired samples, for the paper's learner.
    pub pairs: PairsNeeded,
    /// Rows beside the pairs, where each residual needs at most S recovered inputs: `thm:junta-residual-accuracy`.
    pub junta: JuntaResidual<u64>,
    /// Rows with which each stage is that close to the best table over its own K inputs, whatever the rule:
    /// `thm:projected-stage-generalization`; over recovered inputs, `thm:recovery-to-accuracy`.
    pub excess: Both<u64>,
}

/// What rows buy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RowsBuy {
    /// The error of any rule of at most S inputs that makes none on the rows.
    pub consistent: f64,
    /// The error of the paper's learner with recovered inputs.
    pub junta: JuntaResidual<f64>,
    /// Its excess over the best table.
    pub excess: Both<f64>,
}

/// What paired samples buy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairsBuy {
    /// The accuracy of all influences of all S-juntas, counted as the paper does.
    pub paper: Bought,
    /// The same by derivatives.
    pub sharper: Bought,
}

impl Study {
    /// The rows and pairs that bring the error to at most `error`.
    ///
    /// # Errors
    /// A study that is none, or numbers above 10^18.
    ///
    /// ```
    /// use macchiato::bounds::study::Study;
    ///
    /// let study = Study { inputs: 40, support: 5, width: 5, stages: 1, gap: None, delta: 0.05 };
    /// let needed = study.needed(0.05)?;
    /// assert!(needed.consistent < 900 && needed.junta.paper > 25_000);
    /// # Ok::<(), macchiato::bounds::BoundsError>(())
    /// ```
    pub fn needed(&self, error: f64) -> Result<Needed, BoundsError> {
        self.check()?;
        let epsilon = self.epsilon();
        let half = self.delta / 2.0;
        Ok(Needed {
            consistent: rows_for_junta_error(&self.all_rows(), error)?.realizable,
            pairs: PairsNeeded {
                epsilon,
                paper: pairs_needed(&Class::juntas(self.inputs, self.support)?, epsilon, half)?,
                sharper: pairs_needed(&Class::junta_derivatives(self.inputs, self.support)?, epsilon, half)?,
                to_see: pairs_to_see(self.inputs, self.support, epsilon, self.stages, half)?,
            },
            junta: rows_for_junta_error(&self.shared_rows(self.support), error)?,
            excess: rows_for_excess(&self.shared_rows(self.width), error)?,
        })
    }

    /// The errors that `rows` rows buy.
    ///
    /// # Errors
    /// A study that is none, or fewer rows than stages.
    pub fn rows_buy(&self, rows: u64) -> Result<RowsBuy, BoundsError> {
        self.check()?;
        Ok(RowsBuy {
            consistent: junta_error(&self.all_rows(), rows)?.realizable,
            junta: junta_error(&self.shared_rows(self.support), rows)?,
            excess: excess(&self.shared_rows(self.width), rows)?,
        })
    }

    /// The accuracy of influences that `pairs` paired samples buy.
    ///
    /// # Errors
    /// A study that is none.
    pub fn pairs_buy(&self, pairs: u64) -> Result<PairsBuy, BoundsError> {
        self.check()?;
        let half = self.delta / 2.0;
        Ok(PairsBuy {
            paper: epsilon_bought(&Class::juntas(self.inputs, self.support)?, pairs, half)?,
            sharper: epsilon_bought(&Class::junta_derivatives(self.inputs, self.support)?, pairs, half)?,
        })
    }

    fn check(&self) -> Result<(), BoundsError> {
        if self.width < self.support {
            return Err(BoundsError::Width { width: self.width, support: self.support });
        }
        Ok(())
    }

    fn epsilon(&self) -> f64 {
        // The separation is strict, and an accuracy of 1 would be none.
        self.gap.unwrap_or_else(|| libm::exp2(1.0 - self.support as f64) * (1.0 - 1e-9))
    }

    fn all_rows(&self) -> Plan {
        Plan { inputs: self.inputs, width: self.support, stages: 1, delta: self.delta }
    }

    fn shared_rows(&self, width: u64) -> Plan {
        Plan { inputs: self.inputs, width, stages: self.stages, delta: self.delta / 2.0 }
    }
}

#[cfg(test)]
mod tests;
