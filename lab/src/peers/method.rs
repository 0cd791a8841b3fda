//! The methods side by side: ours, and those that a user would pick instead.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A method, in the order of the results page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Method {
    /// `fit_auto` with its defaults: what the others are compared with.
    Macchiato,
    /// Algorithm 1 as in the paper, on the paper's configurations.
    Paper,
    /// scikit-learn's decision tree.
    Tree,
    /// scikit-learn's random forest.
    Forest,
    /// scikit-learn's histogram gradient boosting.
    Boosted,
    /// xgboost.
    Xgboost,
    /// wittgenstein's RIPPER.
    Ripper,
    /// imodels' FIGS.
    Figs,
    /// `PyEDA`'s Espresso on all rows and inputs at once.
    Espresso,
}

impl Method {
    /// All of them.
    pub(crate) const ALL: [Self; 9] = [
        Self::Macchiato,
        Self::Paper,
        Self::Tree,
        Self::Forest,
        Self::Boosted,
        Self::Xgboost,
        Self::Ripper,
        Self::Figs,
        Self::Espresso,
    ];

    /// Its name in results and for the Python program.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Macchiato => "macchiato",
            Self::Paper => "paper",
            Self::Tree => "tree",
            Self::Forest => "forest",
            Self::Boosted => "boosted",
            Self::Xgboost => "xgboost",
            Self::Ripper => "ripper",
            Self::Figs => "figs",
            Self::Espresso => "espresso",
        }
    }

    /// Its name for readers.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Macchiato => "Macchiato",
            Self::Paper => "Macchiato, Algorithm 1",
            Self::Tree => "decision tree",
            Self::Forest => "random forest",
            Self::Boosted => "boosted trees",
            Self::Xgboost => "xgboost",
            Self::Ripper => "RIPPER",
            Self::Figs => "FIGS",
            Self::Espresso => "flat Espresso",
        }
    }

    /// Whether it is Rust, in this program.
    pub(crate) const fn is_ours(self) -> bool {
        matches!(self, Self::Macchiato | Self::Paper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_everywhere() {
        for method in Method::ALL {
            assert_eq!(serde_json::to_string(&method).unwrap(), format!("\"{}\"", method.name()));
            assert_eq!(Method::from_str(method.name(), false), Ok(method));
        }
        let script = include_str!("../../peers/methods.py");
        for method in Method::ALL.into_iter().filter(|method| !method.is_ours()) {
            assert!(script.contains(&format!("    \"{}\": ", method.name())), "{method:?}");
        }
    }
}
