//! Both fits of one fold, one process after the other.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde::de::DeserializeOwned;

use super::ours::Ours;
use super::table::Table;
use super::tree::Tree;
use crate::npy;
use crate::peers::process::{GRACE, SCRIPT, apart};

/// What the fits are run with.
#[derive(Debug)]
pub(crate) struct Fits {
    pub(crate) python: PathBuf,
    /// Seconds that a fit of Macchiato may take.
    pub(crate) limit: Option<f64>,
    pub(crate) threads: usize,
}

impl Fits {
    /// Macchiato's figures and the tree's.
    pub(crate) fn measure(&self, table: &Table, fold: usize) -> Result<(Ours, Tree)> {
        let folder = tempfile::tempdir()?;
        Ok((self.ours(table, fold, folder.path())?, self.tree(table, fold, folder.path())?))
    }

    fn ours(&self, table: &Table, fold: usize, folder: &Path) -> Result<Ours> {
        let mut command = Command::new(std::env::current_exe()?);
        let seconds = self.limit.unwrap_or(0.0).to_string();
        command.args(["tables", "--be"]).arg(&table.path).args([&fold.to_string(), &seconds]);
        let most = match self.limit {
            Some(limit) => 2 * Duration::try_from_secs_f64(limit)? + GRACE,
            None => Duration::MAX,
        };
        self.answer(&mut command, most, folder).context("Macchiato")
    }

    fn tree(&self, table: &Table, fold: usize, folder: &Path) -> Result<Tree> {
        let (train, test) = (folder.join("train.npy"), folder.join("test.npy"));
        let numbers = table.numbers(fold)?;
        for (path, numbers) in [(&train, numbers.0), (&test, numbers.1)] {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            npy::write_array(path, "<f8", &[numbers.len() / table.width(), table.width()], &bytes)?;
        }
        let mut command = Command::new(&self.python);
        // Seed 0, no time limit.
        command.args([SCRIPT, "refit", "tree"]).args([&train, &test]).args(["0", "0"]);
        self.answer(&mut command, Duration::MAX, folder).map(Tree::rounded).context("decision tree")
    }

    fn answer<T: DeserializeOwned>(&self, command: &mut Command, most: Duration, folder: &Path) -> Result<T> {
        apart(command, self.threads, most, folder)?.answer().map_err(|fault| anyhow!("{fault}"))
    }
}
