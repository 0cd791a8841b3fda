//! Options about the columns of a table: which class is positive, where numbers are cut, what is a name.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::{Args, ValueEnum};
use macchiato::binarize::{BinarizeOptions, Cuts};
use macchiato::frame::{Frame, Kind};

use crate::data::quoted;

/// Cuts of a column with `--binarize quantile`.
const QUANTILES: usize = 16;

/// Options that tables of 0 and 1 do not need.
#[derive(Debug, Args)]
pub(super) struct TypedOptions {
    /// The positive one of two classes [default: the last, by number or by text]
    #[arg(long, value_name = "VALUE")]
    pub(super) positive: Option<String>,
    /// Where numbers are cut [default: auto]
    #[arg(long, value_enum)]
    binarize: Option<CutsName>,
    /// Columns whose values are names, whatever they look like: postal codes, numbered kinds
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    category: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CutsName {
    /// Where classes change, and at quantiles
    Auto,
    /// At quantiles alone
    Quantile,
    /// Where classes change alone
    Evidence,
}

impl TypedOptions {
    /// What they say of the columns' types.
    pub(super) fn types(&self) -> BTreeMap<String, Kind> {
        self.category.iter().map(|name| (name.clone(), Kind::Category)).collect()
    }

    /// How the tests are chosen.
    pub(super) fn binarize(&self) -> BinarizeOptions {
        let cuts = match self.binarize {
            None | Some(CutsName::Auto) => Cuts::Auto,
            Some(CutsName::Quantile) => Cuts::Quantile(QUANTILES),
            Some(CutsName::Evidence) => Cuts::Evidence,
        };
        cuts.into()
    }

    pub(super) fn check(&self, frame: &Frame) -> anyhow::Result<()> {
        match self.category.iter().find(|name| !frame.names.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let names: Vec<&str> = frame.names.iter().map(String::as_str).collect();
                bail!("{}: no column {name:?} to be a category: there are {}", frame.source, quoted(&names))
            }
        }
    }
}
