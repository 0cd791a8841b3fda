//! What a user would pick instead: trees, forests, boosted trees, rule learners and flat Espresso beside Macchiato.
//!
//! Every method runs in a process of its own, one after the other, on the same rows of the paper's configurations, of
//! PMLB's tables and of the IWLS 2020 contest. Draws that the results file has are not run again, so that a run that was
//! ended goes on where it was.

mod binarize;
pub(crate) mod data;
pub(crate) mod environment;
pub(crate) mod method;
mod ours;
pub(crate) mod outcome;
pub(crate) mod process;
pub(crate) mod progress;
mod race;
mod ratios;
mod report;
mod results;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;

use crate::frame::{self, Benchmark, Output, Text};
use data::{DataSet, Family};
use environment::Environment;
use method::Method;
use race::{Race, plan};
use results::{Library, Results, Run, Settings};

/// Measure what a user would pick instead: scikit-learn, xgboost, RIPPER, FIGS, flat Espresso, on the same rows.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Seeds of each configuration.
    #[arg(long, default_value_t = 5, value_name = "N")]
    seeds: usize,
    /// Seconds that a fit may take.
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS")]
    budget: f64,
    /// Threads of every method, ours too.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// Data of one kind only.
    #[arg(long)]
    only: Option<Family>,
    /// These data sets only, such as c01, car or ex00.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    items: Vec<String>,
    /// These methods only.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    methods: Vec<Method>,
    /// Measure again what the results have of these data and methods.
    #[arg(long)]
    again: bool,
    /// The folder with the public data: `tables/*.tsv` and `iwls2020/*.pla`.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The Python that makes the virtual environment, 3.11 or newer.
    #[arg(long, default_value = "python3", value_name = "PATH")]
    python: PathBuf,
    /// The virtual environment.
    #[arg(long, default_value = "target/peers-venv", value_name = "FOLDER")]
    venv: PathBuf,
    #[command(flatten)]
    output: Output,
    /// Be the process of one of our methods.
    #[arg(long, hide = true, num_args = 6)]
    be: Vec<String>,
}

/// Runs what `arguments` ask for; `false` if the page is stale.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if !arguments.be.is_empty() {
        return ours::be(&arguments.be).map(|()| true);
    }
    frame::run(arguments)
}

impl Benchmark for Arguments {
    const NAME: &'static str = "peers";
    type Results = Results;

    fn output(&self) -> &Output {
        &self.output
    }

    fn measure(&self, results: &mut Results, path: &Path) -> Result<()> {
        measure(self, results, path)
    }

    fn closing(results: &Results) -> String {
        report::closing_table(results)
    }

    fn text(results: &Results) -> Text {
        Text::Page(report::markdown(results))
    }
}

fn measure(arguments: &Arguments, results: &mut Results, path: &Path) -> Result<()> {
    let settings = Settings { budget: arguments.budget, threads: arguments.threads.max(1) };
    ensure!(settings.budget > 0.0, "--budget {}: a fit needs some time", settings.budget);
    let data = data_sets(arguments, results)?;
    let chosen = |method: &Method| arguments.methods.is_empty() || arguments.methods.contains(method);
    let methods: Vec<Method> = Method::ALL.into_iter().filter(chosen).collect();
    if arguments.again {
        let again = |run: &Run| {
            methods.contains(&run.method)
                && data.iter().any(|data| (data.family, &data.name) == (run.family, &run.data))
        };
        results.runs.retain(|run| !again(run));
    }
    results.describe(settings)?;
    let environment = Environment::prepare(&arguments.python, &arguments.venv)?;
    let mut there = Vec::new();
    for &method in &methods {
        match environment.probe(method) {
            Ok(version) => {
                results.note(Library { method, version: Some(version), missing: None });
                there.push(method);
            }
            Err(why) => {
                eprintln!("peers: {} is NOT INSTALLED and left out: {why}", method.title());
                results.note(Library { method, version: None, missing: Some(why) });
            }
        }
    }
    let race = Race { python: environment.python, settings, out: path.to_owned() };
    race.run(plan(&data, &there, results), results)
}

/// The data sets asked for; families without data are noted.
fn data_sets(arguments: &Arguments, results: &mut Results) -> Result<Vec<DataSet>> {
    let mut chosen = Vec::new();
    for family in Family::ALL {
        if arguments.only.is_some_and(|only| only != family) {
            continue;
        }
        let all = DataSet::of(family, arguments.seeds, arguments.data.as_deref())?;
        results.skipped.retain(|skipped| *skipped != family);
        if all.is_empty() {
            eprintln!("peers: {family:?} SKIPPED: MACCHIATO_DATA has no folder with them");
            results.skipped.push(family);
        }
        chosen.extend(all);
    }
    if !arguments.items.is_empty() {
        for item in &arguments.items {
            ensure!(chosen.iter().any(|data| data.name == *item), "no data set is called {item:?}");
        }
        chosen.retain(|data| arguments.items.contains(&data.name));
    }
    Ok(chosen)
}
