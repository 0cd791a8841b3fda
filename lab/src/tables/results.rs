//! The results file: what was measured with what, the verdict, then every fold on a line of its own.
//!
//! It is written after each fold, so that a run that was ended goes on where it was. No dates, no names of machines.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::ours::Ours;
use super::tree::Tree;
use super::verdict::bars;
use crate::bar::Bar;
use crate::frame::ResultsFile;
use crate::results;

/// Everything that was measured.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) how_to_read: String,
    pub(crate) cpus: usize,
    pub(crate) settings: Settings,
    /// Made from the runs whenever the file is written.
    #[serde(skip_deserializing)]
    pub(crate) bars: Vec<Bar>,
    /// All tables that there are, measured or not.
    pub(crate) tables: Vec<Shape>,
    #[serde(skip_serializing)]
    pub(crate) runs: Vec<Run>,
}

/// What all runs of a file share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Seconds that a fit of Macchiato may take.
    pub(crate) time_limit: Option<f64>,
    /// Threads of both methods.
    pub(crate) threads: usize,
    /// What the methods are made of.
    pub(crate) macchiato: String,
    pub(crate) tree: String,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) rows: usize,
    /// Without the target.
    pub(crate) columns: usize,
    /// Whether the target has more than two values, and its largest class is learned.
    pub(crate) largest_against_rest: bool,
    /// The accuracy of the best function of the columns on all rows: below 1 where equal rows have different classes.
    pub(crate) limit: f64,
}

/// Both methods on one fold of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) table: String,
    pub(crate) fold: usize,
    pub(crate) macchiato: Ours,
    pub(crate) tree: Tree,
}

impl ResultsFile for Results {
    /// Reads a results file; none is an empty one.
    fn read(path: &Path) -> Result<Self> {
        let mut results: Self = results::read(path)?.unwrap_or_default();
        results.bars = bars(&results);
        Ok(results)
    }

    /// Puts everything in order and writes it; the file is there whole or as it was.
    fn write(&mut self, path: &Path) -> Result<()> {
        self.runs.sort_by_cached_key(|run| (run.table.clone(), run.fold));
        self.bars = bars(self);
        results::write_whole(path, &results::with_lines(self, "runs", &self.runs)?)
    }
}

impl Results {
    /// Says what the figures are taken with; refuses to mix them with others.
    pub(crate) fn describe(&mut self, settings: Settings) -> Result<()> {
        ensure!(
            self.runs.is_empty() || self.settings == settings,
            "the results were taken with {:?}, this run has {settings:?}: give the same, or --again for all tables, or \
             another --out",
            self.settings
        );
        self.settings = settings;
        self.cpus = results::cpus();
        "Accuracies are the same on every machine but for fits that a time limit cut short; seconds are wall-clock times, one \
         method after the other on the same rows. Literals of a circuit are tests of a column, conditions what is left of them \
         when the tests that a term makes of one column are merged in words; positive literals of a tree are the conditions on \
         the ways to the leaves that answer with the positive class."
            .clone_into(&mut self.how_to_read);
        Ok(())
    }

    /// Whether there is a run of this fold.
    pub(crate) fn has(&self, table: &str, fold: usize) -> bool {
        self.runs.iter().any(|run| run.table == table && run.fold == fold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::example::{run, shape};

    #[test]
    fn a_file_gives_back_its_runs_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/tables.json");
        let mut results = Results {
            tables: vec![shape("a", 1.0)],
            runs: vec![run("a", 1, 0.5, 0.6), run("a", 0, 0.5, 0.5)],
            ..Results::default()
        };
        results.write(&path).unwrap();
        let back = Results::read(&path).unwrap();
        assert_eq!((&back.runs, &back.bars), (&results.runs, &results.bars));
        assert_eq!((back.runs[0].fold, &back.tables), (0, &results.tables));
        assert!(results.has("a", 1) && !results.has("a", 2) && !results.has("b", 1));
    }

    #[test]
    fn other_settings_are_not_mixed_in() {
        let settings = Settings { threads: 1, ..Settings::default() };
        let mut results = Results::default();
        results.describe(settings.clone()).unwrap();
        results.runs.push(run("a", 0, 0.5, 0.5));
        results.describe(settings.clone()).unwrap();
        assert!(results.describe(Settings { time_limit: Some(1.0), ..settings }).is_err());
    }
}
