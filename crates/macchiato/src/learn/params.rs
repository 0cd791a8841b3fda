//! Parameters of the method `auto`: written down unchecked, used only after a check against the rows.

use super::gates::Gates;
use super::pick::Pick;
use crate::fit::ParamError;
use crate::rows::Rows;

/// Inputs of a table at most: as many as the table engine of the minimizer takes.
pub(super) const MAX_TABLE_INPUTS: usize = 16;

/// What `auto` is asked to do; [`AutoParams::check`] makes it usable.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AutoParams {
    /// A circuit of stages with at most so many inputs each, as the paper's are; without it, circuits of every shape compete.
    pub k: Option<usize>,
    /// Stages at most, of circuits that have such.
    pub m: usize,
    /// How much to try, from 1 to 9.
    pub effort: u8,
    /// Seed of the random choices.
    pub seed: u64,
    /// Which circuit of the front of accuracy against size is wanted.
    pub pick: Pick,
    /// Which gates it may have.
    pub gates: Gates,
}

impl Default for AutoParams {
    fn default() -> Self {
        Self { k: None, m: 20, effort: 5, seed: 0, pick: Pick::Score, gates: Gates::ALL }
    }
}

/// Parameters that fit the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedAutoParams(AutoParams);

impl AutoParams {
    /// The usual parameters but for some.
    ///
    /// ```
    /// use macchiato::learn::AutoParams;
    ///
    /// let quick = AutoParams::with(|params| params.effort = 1);
    /// assert_eq!(quick.effort, 1);
    /// ```
    #[must_use]
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut params = Self::default();
        change(&mut params);
        params
    }

    /// Checks the parameters against the rows they are to be used on.
    ///
    /// # Errors
    /// k outside 1..=16 or above B, m = 0, effort outside 1..=9.
    pub fn check(self, rows: &Rows) -> Result<CheckedAutoParams, ParamError> {
        self.check_inputs(rows.inputs())
    }

    pub(crate) fn check_inputs(self, inputs: usize) -> Result<CheckedAutoParams, ParamError> {
        if let Some(k) = self.k {
            if k == 0 || k > inputs {
                return Err(ParamError::K { k, inputs });
            }
            if k > MAX_TABLE_INPUTS {
                return Err(ParamError::TableInputs { k, most: MAX_TABLE_INPUTS });
            }
        }
        if self.m == 0 {
            return Err(ParamError::M);
        }
        if !(1..=9).contains(&self.effort) {
            return Err(ParamError::Effort { effort: self.effort });
        }
        Ok(CheckedAutoParams(self))
    }
}

impl CheckedAutoParams {
    /// The parameters.
    #[must_use]
    pub const fn get(&self) -> &AutoParams {
        &self.0
    }
}
