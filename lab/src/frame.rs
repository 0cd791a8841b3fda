//! The frame of a benchmark: its results file, what a run does with it, and the text that is made from it alone.
//!
//! A run takes up the results, measures, says which bars are met, and writes results and text. `--table-only` makes the text again,
//! `--check` only looks whether it is the one that the results give. With `--out` a run has results of its own, and the page keeps the tables
//! of the committed ones.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{marked, page, results};

/// The page whose tables are made from results.
const RESULTS: &str = "docs/results.md";

/// The arguments that every benchmark has.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// The results file, if it is not the committed one in `lab/results`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Measure nothing: make the tables or the page from the results.
    #[arg(long)]
    table_only: bool,
    /// Measure nothing: fail if tables or page are not the ones that the results give.
    #[arg(long, conflicts_with = "table_only")]
    check: bool,
}

/// What is made from results.
pub(crate) enum Text {
    /// Tables between the benchmark's markers in `docs/results.md`.
    Tables(String),
    /// The same in another document.
    Section { file: &'static str, tables: String },
    /// A page beside the results file.
    Page(String),
}

/// A file of results.
pub(crate) trait ResultsFile: Default + Serialize + DeserializeOwned {
    /// What a file holds; nothing yet where there is none.
    fn read(path: &Path) -> Result<Self> {
        Ok(results::read(path)?.unwrap_or_default())
    }

    /// Writes it, whole or not at all.
    fn write(&mut self, path: &Path) -> Result<()> {
        results::write(self, path)
    }
}

/// A benchmark, which its arguments describe.
pub(crate) trait Benchmark {
    /// The command, the name of its results file, and that in the page's markers.
    const NAME: &'static str;
    type Results: ResultsFile;

    /// Its shared arguments.
    fn output(&self) -> &Output;

    /// Measures what is asked for; other results stay as they are. A benchmark that takes long writes them to `path` as it goes.
    fn measure(&self, results: &mut Self::Results, path: &Path) -> Result<()>;

    /// What a run ends with: every bar, and whether it is met.
    fn closing(results: &Self::Results) -> String;

    fn text(results: &Self::Results) -> Text;

    /// The flag that makes a run a trial, which writes nothing unless `--out` is given.
    fn trial(&self) -> Option<&'static str> {
        None
    }

    /// Results that are wrong, not merely short of a bar.
    fn defects(_: &Self::Results) -> usize {
        0
    }
}

/// Runs a benchmark; `false` if a result is wrong or a text is stale.
pub(crate) fn run<B: Benchmark>(benchmark: &B) -> Result<bool> {
    let output = benchmark.output();
    let committed = PathBuf::from(format!("lab/results/{}.json", B::NAME));
    let path = output.out.as_ref().unwrap_or(&committed);
    if output.check || output.table_only {
        path.try_exists()?
            .then_some(())
            .with_context(|| format!("{}: there is no such file", path.display()))?;
        let results = B::Results::read(path)?;
        return write_text::<B>(&results, path, output.check);
    }
    let mut results = B::Results::read(path)?;
    benchmark.measure(&mut results, path)?;
    print!("{}", B::closing(&results));
    match (benchmark.trial(), &output.out) {
        (Some(flag), None) => eprintln!("lab: {flag}: nothing was written"),
        (_, own) => {
            results.write(path)?;
            if own.is_none() || matches!(B::text(&results), Text::Page(_)) {
                write_text::<B>(&results, path, false)?;
            }
        }
    }
    let defects = B::defects(&results);
    if defects > 0 {
        eprintln!("lab: {defects} wrong results: see the bars that were not met");
    }
    Ok(defects == 0)
}

/// Writes the text, or with `check` looks whether it is there; `false` if it is not.
fn write_text<B: Benchmark>(results: &B::Results, path: &Path, check: bool) -> Result<bool> {
    match B::text(results) {
        Text::Tables(tables) => marked::update(Path::new(RESULTS), B::NAME, &tables, check),
        Text::Section { file, tables } => marked::update(Path::new(file), B::NAME, &tables, check),
        Text::Page(text) if check => page::is_fresh(path, &text, B::NAME),
        Text::Page(text) => page::write(path, &text).map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, Serialize, Deserialize)]
    struct Runs {
        figures: Vec<usize>,
    }

    impl ResultsFile for Runs {}

    /// Adds one figure to those that there are.
    struct Counting {
        output: Output,
        trial: bool,
    }

    impl Counting {
        fn new(path: &Path) -> Self {
            let output = Output { out: Some(path.to_owned()), table_only: false, check: false };
            Self { output, trial: false }
        }
    }

    impl Benchmark for Counting {
        const NAME: &'static str = "counting";
        type Results = Runs;

        fn output(&self) -> &Output {
            &self.output
        }

        fn measure(&self, results: &mut Runs, _: &Path) -> Result<()> {
            results.figures.push(results.figures.len());
            Ok(())
        }

        fn closing(_: &Runs) -> String {
            String::new()
        }

        fn text(results: &Runs) -> Text {
            Text::Page(format!("{:?}\n", results.figures))
        }

        fn trial(&self) -> Option<&'static str> {
            self.trial.then_some("--trial")
        }

        fn defects(results: &Runs) -> usize {
            usize::from(results.figures.len() > 2)
        }
    }

    #[test]
    fn results_are_taken_up_and_a_page_that_was_edited_is_stale() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counting.json");
        let mut benchmark = Counting::new(&path);
        assert!(run(&benchmark).unwrap() && run(&benchmark).unwrap());
        let page = path.with_extension("md");
        assert_eq!(std::fs::read_to_string(&page).unwrap(), "[0, 1]\n");
        benchmark.output.check = true;
        assert!(run(&benchmark).unwrap());
        std::fs::write(&page, "[2]\n").unwrap();
        assert!(!run(&benchmark).unwrap());
        (benchmark.output.check, benchmark.output.table_only) = (false, true);
        assert!(run(&benchmark).unwrap());
        assert_eq!(std::fs::read_to_string(&page).unwrap(), "[0, 1]\n", "nothing is measured");
        benchmark.output.table_only = false;
        assert!(!run(&benchmark).unwrap(), "the third one is wrong");
    }

    #[test]
    fn there_is_nothing_to_check_without_results_and_a_trial_writes_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut benchmark = Counting::new(&folder.path().join("counting.json"));
        benchmark.output.check = true;
        assert!(run(&benchmark).is_err());
        (benchmark.output.check, benchmark.output.out, benchmark.trial) = (false, None, true);
        assert!(run(&benchmark).unwrap());
        assert!(!Path::new("lab/results/counting.json").exists());
    }
}
