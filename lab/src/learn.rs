//! The learner's benchmark: Algorithm 1 on the paper's eleven configurations, its speed, its cost as rows grow.
//!
//! Three parts (`accuracy`, `speed`, `scaling`). Each part that ran replaces its section of the results file; the others
//! keep what they had. The README's tables are made from that file alone.

mod accuracy;
mod large;
mod peer;
mod report;
mod results;
mod scaling;
mod speed;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::configurations::chosen;
use crate::{bar, readme};
use results::Results;

/// Where the committed results are.
const RESULTS: &str = "lab/results/learn.json";

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
    /// The results file; `lab/results/learn.json` unless given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The file whose tables are made from the results.
    #[arg(long, default_value = "README.md", value_name = "FILE")]
    readme: PathBuf,
    /// Measure nothing: make the README's tables from the results.
    #[arg(long)]
    table_only: bool,
    /// Measure nothing: fail if the README's tables are not the ones that the results give.
    #[arg(long, conflicts_with = "table_only")]
    check: bool,
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

/// Runs what `arguments` ask for; `false` if the README's tables are stale.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if let Some(way) = arguments.large {
        return large::be(way).map(|()| true);
    }
    let path = arguments.out.as_deref().unwrap_or(Path::new(RESULTS));
    if arguments.check || arguments.table_only {
        let results = crate::results::read::<Results>(path)?
            .with_context(|| format!("{}: there is no such file", path.display()))?;
        return table(arguments, &results);
    }
    let mut results = crate::results::read::<Results>(path)?.unwrap_or_default();
    measure(arguments, &mut results)?;
    print!("{}", bar::closing_table(results.bars()));
    if !arguments.configs.is_empty() && arguments.out.is_none() {
        eprintln!("lab: --configs: nothing was written");
        return Ok(true);
    }
    crate::results::write(&results, path)?;
    if arguments.out.is_none() {
        table(arguments, &results)?;
    }
    Ok(true)
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

/// Makes or checks the README's tables; `false` if they are stale.
fn table(arguments: &Arguments, results: &Results) -> Result<bool> {
    readme::update(&arguments.readme, "learn", &report::markdown(results), arguments.check)
}
