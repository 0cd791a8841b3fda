//! The benchmark of the method `auto`: nothing set, on the paper's configurations, on targets that are hard to find, on the
//! functions of a contest.
//!
//! Four parts (`configurations`, `capped`, `search`, `contest`). Each part that ran replaces its section of the results
//! file; the others keep what they had. The tables of `docs/results.md` are made from that file alone.

mod configurations;
mod contest;
mod report;
mod results;
mod search;
mod trial;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::bar;
use crate::configurations::chosen;
use crate::frame::{Benchmark, Output, ResultsFile, Text};
use configurations::Cap;
use results::Results;

/// Measure the method `auto`: accuracy beside the paper's and the rows' limit, inputs found, a contest's functions.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Targets and samples of each configuration and of each search.
    #[arg(long, default_value_t = 20, value_name = "N")]
    seeds: u64,
    /// Configurations of the first two parts, to try things out; writes nothing unless --out is given.
    #[arg(long, value_delimiter = ',', value_name = "1,2,...")]
    configs: Vec<usize>,
    /// Run one part and keep the other sections of the results.
    #[arg(long)]
    only: Option<Part>,
    /// Folder with the contest's functions, `exNN.train.pla` and `exNN.valid.pla`, or a folder `iwls2020` that holds them.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The paper's configurations, nothing set.
    Configurations,
    /// The same with the paper's K.
    Capped,
    /// Targets whose inputs are hard to find: many inputs, noise, parities, an XOR of two functions.
    Search,
    /// Functions of the IWLS 2020 contest, validation rows.
    Contest,
}

impl ResultsFile for Results {}

impl Benchmark for Arguments {
    const NAME: &'static str = "auto";
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
    let configurations = chosen(&arguments.configs)?;
    results.describe();
    if wanted(Part::Configurations) {
        results.configurations = Some(configurations::run(&configurations, arguments.seeds, Cap::Free)?);
    }
    if wanted(Part::Capped) {
        results.capped = Some(configurations::run(&configurations, arguments.seeds, Cap::Paper)?);
    }
    if wanted(Part::Search) {
        results.search = Some(search::run(arguments.seeds)?);
    }
    if wanted(Part::Contest) {
        match contest::run(arguments.data.as_deref())? {
            Some(section) => results.contest = Some(section),
            None => eprintln!(
                "lab: contest skipped: no exNN.train.pla with an exNN.valid.pla in {}; its section {}",
                arguments.data.as_ref().map_or_else(
                    || "any folder: give --data DIR or MACCHIATO_DATA".to_owned(),
                    |data| data.display().to_string()
                ),
                if results.contest.is_some() { "is kept from an earlier run" } else { "stays empty" }
            ),
        }
    }
    Ok(())
}
