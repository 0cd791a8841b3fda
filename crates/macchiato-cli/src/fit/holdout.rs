//! `fit --holdout`: rows put aside before the fit, and what they say of the model after it.

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::holdout::Split;
use macchiato::model::Confidence;

/// Options for a bound on the error.
#[derive(Debug, Args)]
pub(super) struct HoldoutOptions {
    /// Put this share of the rows aside, learn from the rest, and bound the error on further rows
    #[arg(long, value_name = "SHARE")]
    holdout: Option<f64>,
    /// How sure the bound is [default: 0.95]
    #[arg(long, value_name = "DECIMAL", requires = "holdout")]
    confidence: Option<Confidence>,
}

impl HoldoutOptions {
    /// What can be refused before anything is read.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        match self.holdout {
            Some(share) if !(share > 0.0 && share < 1.0) => {
                bail!(
                    "--holdout {share}: give the share of the rows to put aside, between 0 and 1, such as 0.2"
                )
            }
            _ => Ok(()),
        }
    }

    pub(super) fn confidence(&self) -> Confidence {
        self.confidence.unwrap_or_default()
    }

    /// Which of the rows are put aside, where some are to be.
    pub(super) fn split(
        &self,
        (rows, weights): (usize, Option<&[u64]>),
        seed: u64,
        source: &str,
    ) -> anyhow::Result<Option<Split>> {
        let split = |share| Split::new(rows, weights, share, seed).with_context(|| source.to_owned());
        self.holdout.map(split).transpose()
    }
}
