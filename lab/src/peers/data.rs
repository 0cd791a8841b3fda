//! What is learned: the paper's configurations, PMLB's tables, the contest's functions.
//!
//! A data set is drawn several times: by seeds, by folds of a cross-validation, or once where its files say what is
//! for training. The public data lie outside of the project; a family whose folder is not there has no data sets.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use macchiato::frame::{self, FrameOptions};
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};

use super::binarize::RawTable;
use crate::configurations::{CONFIGURATIONS, Configuration};
use crate::folds::FOLDS;

/// Data of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Family {
    /// The paper's eleven configurations of random juntas.
    Configurations,
    /// Categorical and mixed tables of PMLB, binarized.
    Tables,
    /// Functions of the IWLS 2020 contest.
    Contest,
}

impl Family {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Configurations, Self::Tables, Self::Contest];

    /// What one draw of its data sets is called.
    pub(crate) const fn draw(self) -> &'static str {
        match self {
            Self::Configurations => "seed",
            Self::Tables => "fold",
            Self::Contest => "draw",
        }
    }
}

/// Rows that can be drawn.
#[derive(Debug)]
pub(crate) struct DataSet {
    pub(crate) family: Family,
    pub(crate) name: String,
    /// How many draws there are.
    pub(crate) draws: usize,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Configuration(Configuration),
    Table(PathBuf),
    Contest { train: PathBuf, valid: PathBuf },
}

impl DataSet {
    /// The data sets of a family: none where `folder` does not have them.
    pub(crate) fn of(family: Family, seeds: usize, folder: Option<&Path>) -> Result<Vec<Self>> {
        let files = |name: &str, ending: &str| match folder {
            Some(folder) => files(&folder.join(name), ending),
            None => Ok(Vec::new()),
        };
        Ok(match family {
            Family::Configurations => CONFIGURATIONS
                .into_iter()
                .map(|configuration| Self {
                    family,
                    name: format!("c{:02}", configuration.id),
                    draws: seeds,
                    source: Source::Configuration(configuration),
                })
                .collect(),
            Family::Tables => files("tables", ".tsv")?
                .into_iter()
                .map(|(name, path)| Self { family, name, draws: FOLDS, source: Source::Table(path) })
                .collect(),
            Family::Contest => files("iwls2020", ".train.pla")?
                .into_iter()
                .map(|(name, train)| {
                    let valid = train.with_file_name(format!("{name}.valid.pla"));
                    Self { family, name, draws: 1, source: Source::Contest { train, valid } }
                })
                .collect(),
        })
    }

    /// The training and test rows of a draw.
    pub(crate) fn draw(&self, draw: usize) -> Result<(Rows, Rows)> {
        match &self.source {
            Source::Configuration(configuration) => configuration.draw(draw as u64),
            Source::Table(path) => RawTable::read(path)?.fold(draw),
            Source::Contest { train, valid } => Ok((read(train)?, read(valid)?)),
        }
    }

    /// The paper's K, where the paper has one for these rows.
    pub(crate) fn k(&self) -> Option<usize> {
        match &self.source {
            Source::Configuration(configuration) => Some(configuration.k),
            Source::Table(_) | Source::Contest { .. } => None,
        }
    }
}

/// Rows of a file of Boolean columns.
pub(crate) fn read(path: &Path) -> Result<Rows> {
    Ok(Rows::from_frame(frame::read(path, &FrameOptions::default())?, None)?)
}

/// The files of a folder by their names without `ending`, in order; none if there is no such folder.
pub(crate) fn files(folder: &Path, ending: &str) -> Result<Vec<(String, PathBuf)>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(ending));
        if let Some(name) = name {
            files.push((name.to_owned(), path.clone()));
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_without_its_folder_has_no_data_sets() {
        let empty = tempfile::tempdir().unwrap();
        for family in [Family::Tables, Family::Contest] {
            assert!(DataSet::of(family, 5, Some(empty.path())).unwrap().is_empty());
            assert!(DataSet::of(family, 5, None).unwrap().is_empty());
        }
        let all = DataSet::of(Family::Configurations, 5, None).unwrap();
        assert!(all.len() == 11 && all.iter().all(|data| data.draws == 5 && data.k().is_some()));
    }

    #[test]
    fn files_pair_up_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let contest = folder.path().join("iwls2020");
        std::fs::create_dir(&contest).unwrap();
        for (name, row) in [("ex07.train.pla", "11 1"), ("ex07.valid.pla", "00 0"), ("notes.txt", "")] {
            std::fs::write(contest.join(name), format!(".i 2\n.o 1\n.type fr\n.p 1\n{row}\n.e\n")).unwrap();
        }
        let [data] = &DataSet::of(Family::Contest, 5, Some(folder.path())).unwrap()[..] else {
            panic!("one function")
        };
        let (train, test) = data.draw(0).unwrap();
        assert_eq!((data.name.as_str(), data.draws), ("ex07", 1));
        assert_eq!((train.labels(), test.labels()), (&[1][..], &[0][..]));
    }
}
