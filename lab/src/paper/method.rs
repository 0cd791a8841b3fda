//! What is compared, in the order in which it is measured.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A method of the paper's Section 5, or one of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Method {
    /// Algorithm 1, inputs by influence.
    #[value(name = "algorithm-1")]
    #[serde(rename = "algorithm-1")]
    Paper,
    /// Algorithm 1, inputs at random (Appendix D.7).
    RandomK,
    /// The exact `ReLU` network of Algorithm 1's circuit.
    Network,
    /// The method `auto`, free to choose K.
    Auto,
    /// The method `auto` with the paper's K.
    AutoK,
    /// The most that any learner can expect on these rows.
    Limit,
    /// One call of the Espresso engine on all rows and inputs.
    FlatEspresso,
    /// One call of the row engine on all rows and inputs.
    FlatRows,
    /// A trained `ReLU` network (needs the feature `mlp`).
    Relu,
    /// A trained sigmoid network (needs the feature `mlp`).
    Sigmoid,
}

impl Method {
    pub(crate) const ALL: [Self; 10] = [
        Self::Paper,
        Self::RandomK,
        Self::Network,
        Self::Auto,
        Self::AutoK,
        Self::Limit,
        Self::FlatEspresso,
        Self::FlatRows,
        Self::Relu,
        Self::Sigmoid,
    ];

    /// As on the page.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Paper => "Algorithm 1",
            Self::RandomK => "random K",
            Self::Network => "exact ReLU",
            Self::Auto => "`auto`",
            Self::AutoK => "`auto`, paper's K",
            Self::Limit => "limit",
            Self::FlatEspresso => "flat, Espresso engine",
            Self::FlatRows => "flat, row engine",
            Self::Relu => "trained ReLU",
            Self::Sigmoid => "trained sigmoid",
        }
    }

    /// Trained by gradient descent.
    pub(crate) const fn is_trained(self) -> bool {
        matches!(self, Self::Relu | Self::Sigmoid)
    }

    /// Uses one core: several of these run at a time, each in a process of its own.
    pub(crate) const fn takes_one_core(self) -> bool {
        matches!(self, Self::FlatEspresso | Self::FlatRows) || self.is_trained()
    }

    /// Whether this build can measure it.
    pub(crate) const fn is_built(self) -> bool {
        cfg!(feature = "mlp") || !self.is_trained()
    }
}
