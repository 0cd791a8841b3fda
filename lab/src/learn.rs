//! The learner's benchmark: Algorithm 1 on the paper's eleven configurations, its speed, its cost as rows grow.
//!
//! Three parts (`accuracy`, `speed`, `scaling`). Each part that ran replaces its section of the results file; the others
//! keep what they had. The tables of `docs/results.md` are made from that file alone.

mod accuracy;
mod large;
mod peer;
mod report;
mod results;
mod scaling;
mod speed;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::bar;
use crate::configurations::chosen;
use crate::frame::{self, Benchmark, Output, ResultsFile, Text};
use results::Results;

/// Measure Algorithm 1: accuracy beside the paper's, speed beside `NumPy` and `PyEDA`, cost per row and stage.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Targets and samples of each configuration.
    #[arg(long, default_value_t = 20, value_name = "N")]
    seeds: u64,
    /// Configurations of the accuracy part, to try things out; writes nothing unless --out is given.
    #[arg(long, value_delimiter = ',', value_name = "1,2,...")]
    configs: Vec<usize>,
    /// Run one part and keep the other sections of the results.
    #[arg(long)]
    only: Option<Part>,
    /// A Python that can import `NumPy` and `PyEDA`.
    #[arg(long, env = "MACCHIATO_PYTHON", default_value = "target/venv/bin/python", value_name = "PATH")]
    python: PathBuf,
    #[command(flatten)]
    output: Output,
    /// Be the process whose memory is measured.
    #[arg(long, hide = true)]
    large: Option<large::Way>,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Test accuracy at stages 1, 5 and 20 beside the paper's.
    Accuracy,
    /// Seconds of the largest configurations, of ten million rows, and of a `NumPy` + `PyEDA` implementation.
    Speed,
    /// Cost per row and stage as rows grow.
    Scaling,
}

/// Runs what `arguments` ask for; `false` if the page's tables are stale.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if let Some(way) = arguments.large {
        return large::be(way).map(|()| true);
    }
    frame::run(arguments)
}

impl ResultsFile for Results {}

impl Benchmark for Arguments {
    const NAME: &'static str = "learn";
    type Results = Results;

    fn output(&self) -> &Output {
        &self.output
    }

    fn measure(&self, results: &mut Results, _: &Path) -> Result<()> {
        measure(self, results)
    }

    fn closing(results: &Results) -> String {
        bar::closing_table(results.bars())
    }

    fn text(results: &Results) -> Text {
        Text::Tables(report::markdown(results))
    }

    fn trial(&self) -> Option<&'static str> {
        (!self.configs.is_empty()).then_some("--configs")
    }
}

/// Replaces the sections of the parts that ran.
fn measure(arguments: &Arguments, results: &mut Results) -> Result<()> {
    let wanted = |part| arguments.only.is_none_or(|only| only == part);
    results.describe();
    if wanted(Part::Accuracy) {
        results.accuracy = Some(accuracy::run(&chosen(&arguments.configs)?, arguments.seeds)?);
    }
    if wanted(Part::Speed) {
        results.speed = Some(speed::run()?);
        match peer::run(&arguments.python)? {
            Some(section) => results.peer = Some(section),
            None => eprintln!(
                "lab: peer skipped: {} cannot import numpy and pyeda; its section {}",
                arguments.python.display(),
                if results.peer.is_some() { "is kept from an earlier run" } else { "stays empty" }
            ),
        }
    }
    if wanted(Part::Scaling) {
        results.scaling = Some(scaling::run()?);
    }
    Ok(())
}
