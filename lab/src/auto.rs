//! The benchmark of the method `auto`: nothing set, on the paper's configurations, on targets that are hard to find, on the
//! functions of a contest.
//!
//! Four parts (`configurations`, `capped`, `search`, `contest`). Each part that ran replaces its section of the results
//! file; the others keep what they had. The README's tables are made from that file alone.

mod configurations;
mod contest;
mod report;
mod results;
mod search;
mod trial;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::configurations::chosen;
use crate::{bar, readme};
use configurations::Cap;
use results::Results;

/// Where the committed results are.
const RESULTS: &str = "lab/results/auto.json";

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
    /// The results file; `lab/results/auto.json` unless given.
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

/// Runs what `arguments` ask for; `false` if the README's tables are stale.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
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

/// Makes or checks the README's tables; `false` if they are stale.
fn table(arguments: &Arguments, results: &Results) -> Result<bool> {
    readme::update(&arguments.readme, "auto", &report::markdown(results), arguments.check)
}
