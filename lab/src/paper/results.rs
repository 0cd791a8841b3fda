//! `paper.json`, and the partial file from which an interrupted run resumes.
//!
//! Every finished measurement goes into `paper.partial.json` at once; files appear whole or not at all. When everything that
//! was asked for is there, it replaces the same measurements of `paper.json`, and the partial file goes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::outcome::{Outcome, Piece};
use crate::results;

const HOW_TO_READ: &str = "One outcome for each configuration, method and seed. Accuracies, sizes and checks are the same on \
    every machine, except where a budget was spent and in trained networks; seconds are wall-clock times of learning on this \
    many CPUs, evaluation left out; flat calls and trained networks run on one CPU each, several at a time.";

/// All outcomes, by piece.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Results {
    pub(crate) cpus: usize,
    pub(crate) outcomes: BTreeMap<Piece, Outcome>,
}

#[derive(Serialize, Deserialize)]
struct File {
    cpus: usize,
    outcomes: Vec<Outcome>,
}

impl Results {
    /// What a file holds; nothing if it is not there.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let Some(file) = results::read::<File>(path)? else { return Ok(Self::default()) };
        let outcomes = file.outcomes.into_iter().map(|outcome| (outcome.piece(), outcome)).collect();
        Ok(Self { cpus: file.cpus, outcomes })
    }

    /// One line for each outcome.
    fn text(&self) -> Result<String> {
        let mut text = format!(
            "{{\n  \"how_to_read\": {},\n  \"cpus\": {},\n  \"outcomes\": [",
            serde_json::to_string(HOW_TO_READ)?,
            self.cpus
        );
        for (at, outcome) in self.outcomes.values().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(text, "{comma}\n    {}", serde_json::to_string(outcome)?)?;
        }
        text.push_str("\n  ]\n}\n");
        Ok(text)
    }

    fn write(&self, path: &Path) -> Result<()> {
        results::write_whole(path, &self.text()?)
    }
}

/// The results of a folder while a run adds to them.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    partial: Results,
}

impl Store {
    /// Takes up what an interrupted run left, or with `fresh` forgets it.
    pub(crate) fn open(folder: &Path, fresh: bool) -> Result<Self> {
        let path = folder.join("paper.partial.json");
        let mut partial = if fresh { Results::default() } else { Results::read(&path)? };
        partial.cpus = results::cpus();
        Ok(Self { folder: folder.to_owned(), partial })
    }

    fn partial_path(&self) -> PathBuf {
        self.folder.join("paper.partial.json")
    }

    /// Whether a piece is done, with this budget where it has one.
    pub(crate) fn has(&self, piece: Piece, budget_seconds: f64) -> bool {
        self.partial.outcomes.get(&piece).is_some_and(|outcome| {
            outcome.budget_seconds.is_none_or(|seconds| (seconds - budget_seconds).abs() < 1e-5)
        })
    }

    /// What this run and those that it resumes have measured.
    pub(crate) fn measured(&self) -> &Results {
        &self.partial
    }

    pub(crate) fn add(&mut self, outcome: Outcome) -> Result<()> {
        self.partial.outcomes.insert(outcome.piece(), outcome);
        self.partial.write(&self.partial_path())
    }

    /// Moves the pieces of a finished run into `paper.json` and gives all that is there. Pieces of another run that was
    /// interrupted stay where they are.
    pub(crate) fn finish(mut self, pieces: &[Piece]) -> Result<Results> {
        let path = self.folder.join("paper.json");
        let mut all = Results::read(&path)?;
        all.cpus = self.partial.cpus;
        all.outcomes.extend(pieces.iter().filter_map(|piece| self.partial.outcomes.remove_entry(piece)));
        all.write(&path)?;
        let partial = self.partial_path();
        if !self.partial.outcomes.is_empty() {
            self.partial.write(&partial)?;
        } else if partial.exists() {
            fs::remove_file(&partial).with_context(|| partial.display().to_string())?;
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::super::method::Method;
    use super::*;

    fn outcome(seed: u64, accuracy: f64) -> Outcome {
        Outcome::new((1, Method::Paper, seed), 0.5, vec![accuracy])
    }

    #[test]
    fn a_run_that_is_cut_short_resumes_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), false).unwrap();
        store.add(outcome(0, 0.7)).unwrap();
        store.add(outcome(1, 0.8)).unwrap();
        drop(store);
        let mut store = Store::open(folder.path(), false).unwrap();
        assert!(store.has((1, Method::Paper, 1), 30.0) && !store.has((1, Method::Paper, 2), 30.0));
        store.add(outcome(2, 0.9)).unwrap();
        let pieces = [0, 1, 2].map(|seed| (1, Method::Paper, seed));
        assert_eq!(store.finish(&pieces).unwrap().outcomes.len(), 3);
        assert!(!folder.path().join("paper.partial.json").exists(), "the next run measures anew");
        assert!(!Store::open(folder.path(), false).unwrap().has((1, Method::Paper, 0), 30.0));
        let read = Results::read(&folder.path().join("paper.json")).unwrap();
        assert_eq!(read.outcomes.values().filter_map(Outcome::last).collect::<Vec<_>>(), [0.7, 0.8, 0.9]);
    }

    #[test]
    fn a_narrow_run_replaces_its_own_outcomes_only() {
        let folder = tempfile::tempdir().unwrap();
        for outcomes in [[outcome(0, 0.7), outcome(1, 0.8)], [outcome(1, 0.6), outcome(1, 0.5)]] {
            let mut store = Store::open(folder.path(), false).unwrap();
            for outcome in outcomes {
                store.add(outcome).unwrap();
            }
            store.add(Outcome::new((11, Method::Relu, 0), 900.0, vec![1.0])).unwrap();
            store.finish(&[0, 1].map(|seed| (1, Method::Paper, seed))).unwrap();
        }
        let other = Store::open(folder.path(), false).unwrap();
        assert!(other.has((11, Method::Relu, 0), 30.0), "another run's outcomes wait for it");
        let read = Results::read(&folder.path().join("paper.json")).unwrap();
        assert_eq!(read.outcomes.values().filter_map(Outcome::last).collect::<Vec<_>>(), [0.7, 0.5]);
    }

    #[test]
    fn a_flat_call_with_another_budget_is_another_call() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), false).unwrap();
        let piece = (9, Method::FlatRows, 0);
        store.add(Outcome { budget_seconds: Some(30.0), ..Outcome::new(piece, 30.0, vec![0.5]) }).unwrap();
        assert!(store.has(piece, 30.0) && !store.has(piece, 60.0));
        assert!(!Store::open(folder.path(), true).unwrap().has(piece, 30.0), "--fresh forgets");
    }
}
