//! The results file: what was measured where, ratios first, then every run on a line of its own.
//!
//! It is written after each draw of a data set, so that a run that was ended goes on where it was. No dates, no names of
//! machines.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::data::Family;
use super::method::Method;
use super::outcome::{Measured, Outcome};
use super::ratios::{Ratio, ratios};
use crate::frame::ResultsFile;
use crate::results;

/// Everything that was measured.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) how_to_read: String,
    pub(crate) cpus: usize,
    pub(crate) settings: Settings,
    pub(crate) methods: Vec<Library>,
    /// Families whose data were not there when they were asked for.
    pub(crate) skipped: Vec<Family>,
    pub(crate) data: Vec<Shape>,
    /// Made from the runs whenever the file is written.
    #[serde(skip_deserializing)]
    pub(crate) ratios: Vec<Ratio>,
    #[serde(skip_serializing)]
    pub(crate) runs: Vec<Run>,
}

/// What all runs of a file share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Seconds that a fit may take.
    pub(crate) budget: f64,
    /// Threads of every method.
    pub(crate) threads: usize,
}

/// What a method is made of, or why it was not there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Library {
    pub(crate) method: Method,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<String>,
}

/// The size of a data set's first draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) family: Family,
    pub(crate) name: String,
    pub(crate) inputs: usize,
    pub(crate) rows: usize,
    pub(crate) test_rows: usize,
}

/// One method on one draw of a data set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) family: Family,
    pub(crate) data: String,
    pub(crate) draw: usize,
    pub(crate) method: Method,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

impl Run {
    /// The figures, where there are any.
    pub(crate) const fn measured(&self) -> Option<&Measured> {
        self.outcome.measured()
    }
}

impl ResultsFile for Results {
    /// Reads a results file; none is an empty one.
    fn read(path: &Path) -> Result<Self> {
        let mut results: Self = results::read(path)?.unwrap_or_default();
        results.ratios = ratios(&results.runs);
        Ok(results)
    }

    /// Puts everything in order and writes it; the file is there whole or as it was.
    fn write(&mut self, path: &Path) -> Result<()> {
        let key = |run: &Run| (run.family, run.data.clone(), run.draw, run.method);
        self.runs.sort_by_cached_key(key);
        self.data.sort_by_cached_key(|shape| (shape.family, shape.name.clone()));
        self.methods.sort_by_key(|library| library.method);
        self.ratios = ratios(&self.runs);
        results::write_whole(path, &results::with_lines(self, "runs", &self.runs)?)
    }
}

impl Results {
    /// Says what the figures are taken with; refuses to mix them with others.
    pub(crate) fn describe(&mut self, settings: Settings) -> Result<()> {
        ensure!(
            self.runs.is_empty() || self.settings == settings,
            "the results were taken with --budget {} --threads {}: give the same, or another --out, or remove them",
            self.settings.budget,
            self.settings.threads
        );
        self.settings = settings;
        self.cpus = crate::results::cpus();
        "A ratio is the peer's figure over Macchiato's, a difference is Macchiato's accuracy less the peer's; both over draws \
         that both finished, means over data sets, geometric for ratios. Accuracies are the same on every machine but for \
         fits that a time limit cut short; seconds are wall-clock times, every method in turn on the same rows."
            .clone_into(&mut self.how_to_read);
        Ok(())
    }

    /// Whether there is a run of this kind.
    pub(crate) fn has(&self, family: Family, data: &str, draw: usize, method: Method) -> bool {
        let is_it =
            |run: &Run| (run.family, run.draw, run.method) == (family, draw, method) && run.data == data;
        self.runs.iter().any(is_it)
    }

    /// Keeps what a method is made of, in place of what was known of it. Runs of another version are dropped.
    pub(crate) fn note(&mut self, library: Library) {
        let old = self.methods.iter().position(|old| old.method == library.method);
        if let Some(old) = old.map(|old| self.methods.remove(old))
            && old.version.is_some()
            && library.version.is_some()
            && old.version != library.version
        {
            self.runs.retain(|run| run.method != library.method);
        }
        self.methods.push(library);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(data: &str, draw: usize, outcome: Outcome) -> Run {
        Run { family: Family::Tables, data: data.to_owned(), draw, method: Method::Tree, outcome }
    }

    fn library(version: Option<&str>) -> Library {
        let missing = version.is_none().then(|| "no such package".to_owned());
        Library { method: Method::Tree, version: version.map(str::to_owned), missing }
    }

    #[test]
    fn a_file_gives_back_its_runs_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/peers.json");
        let figures = Measured {
            accuracy: 0.5,
            fit_seconds: 1e-9,
            predict_seconds: 2.0,
            rules: 1,
            literals: 0,
            interrupted: true,
        };
        let mut results = Results {
            runs: vec![run("b", 1, Outcome::Measured(figures)), run("a", 2, Outcome::TimeLimit)],
            methods: vec![library(Some("scikit-learn 1"))],
            ..Results::default()
        };
        results.write(&path).unwrap();
        let back = Results::read(&path).unwrap();
        assert_eq!((back.runs.len(), &back.runs), (2, &results.runs));
        assert_eq!(back.runs[0].data, "a");
        assert!(
            back.has(Family::Tables, "b", 1, Method::Tree) && !back.has(Family::Tables, "b", 0, Method::Tree)
        );
        assert!(Results::read(&folder.path().join("none.json")).unwrap().runs.is_empty());
    }

    #[test]
    fn other_settings_are_not_mixed_in() {
        let settings = Settings { budget: 60.0, threads: 1 };
        let mut results = Results::default();
        results.describe(settings).unwrap();
        results.runs.push(run("a", 0, Outcome::TimeLimit));
        results.describe(settings).unwrap();
        assert!(results.describe(Settings { budget: 5.0, ..settings }).is_err());
    }

    #[test]
    fn another_version_is_measured_again_and_a_lost_one_is_not_dropped() {
        let mut results = Results { runs: vec![run("a", 0, Outcome::TimeLimit)], ..Results::default() };
        results.note(library(Some("scikit-learn 1")));
        results.note(library(None));
        assert_eq!((results.runs.len(), results.methods.len()), (1, 1));
        results.note(library(Some("scikit-learn 1")));
        results.note(library(Some("scikit-learn 2")));
        assert_eq!((results.runs.len(), results.methods.len()), (0, 1));
    }
}
