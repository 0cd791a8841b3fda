//! Raw tables with defaults only: Macchiato's classifier beside scikit-learn's decision tree.
//!
//! Both learn the same folds of PMLB's tables, each in a process of its own, one after the other: Macchiato from the typed
//! columns as its reader gives them, the tree from the same columns as numbers. The folds are those of `lab peers`. Results
//! and page are written after every fold, and folds that they have are not run again, so that a run that was ended goes on
//! where it was.

#[cfg(test)]
mod example;
mod fold;
mod ours;
mod report;
mod results;
pub(crate) mod table;
mod tree;
mod verdict;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;

use crate::duration::duration;
use crate::folds::FOLDS;
use crate::frame::{self, Benchmark, Output, ResultsFile, Text};
use crate::page;
use crate::peers::data::{Family, files};
use crate::peers::environment::Environment;
use crate::peers::method::Method;
use crate::peers::progress::{Progress, Step};
use fold::Fits;
use results::{Results, Run, Settings};
use table::Table;

/// Measure the classifier on raw tables, with defaults only, beside scikit-learn's decision tree.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// These tables only, such as car or monk1.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    tables: Vec<String>,
    /// Measure again what the results have of these tables.
    #[arg(long)]
    again: bool,
    /// Seconds that a fit of Macchiato may take; without it there is no limit.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// Threads of both methods.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// The folder with the public data: `tables/*.tsv`.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The Python that makes the virtual environment, 3.11 or newer.
    #[arg(long, default_value = "python3", value_name = "PATH")]
    python: PathBuf,
    /// The virtual environment, the same as that of `lab peers`.
    #[arg(long, default_value = "target/peers-venv", value_name = "FOLDER")]
    venv: PathBuf,
    #[command(flatten)]
    output: Output,
    /// Be the process of one of our fits: the table, the fold, the time limit or 0.
    #[arg(long, hide = true, num_args = 3)]
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
    const NAME: &'static str = "tables";
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
    let limit = arguments.time_limit;
    ensure!(limit.is_none_or(|limit| limit > 0.0), "--time-limit: a fit needs some time");
    let tables = tables(arguments, results)?;
    let environment = Environment::prepare(&arguments.python, &arguments.venv)?;
    let version =
        |method| environment.probe(method).map_err(|why| anyhow!("{} cannot run: {why}", method.title()));
    if arguments.again {
        results.runs.retain(|run| !tables.iter().any(|table| table.name == run.table));
    }
    results.describe(Settings {
        time_limit: limit,
        threads: arguments.threads.max(1),
        macchiato: version(Method::Macchiato)?,
        tree: version(Method::Tree)?,
    })?;
    let plan = plan(&tables, results);
    let fits = Fits { python: environment.python, limit, threads: arguments.threads.max(1) };
    eprintln!("tables: {} folds to measure, {} at hand", plan.len(), results.runs.len());
    let (begun, mut progress) = (Instant::now(), Progress::default());
    for (done, &(table, fold)) in plan.iter().enumerate() {
        let name = format!("{} fold {fold}", table.name);
        let started = Instant::now();
        let (macchiato, tree) = fits.measure(table, fold).with_context(|| name.clone())?;
        progress.took(step(table), started.elapsed());
        let figures = format!("macchiato {:.3}, tree {:.3}", macchiato.accuracy, tree.accuracy);
        results.runs.push(Run { table: table.name.clone(), fold, macchiato, tree });
        results.write(path)?;
        page::write(path, &report::markdown(results))?;
        let left: Vec<Step> = plan[done + 1..].iter().map(|(table, _)| step(table)).collect();
        eprintln!(
            "tables: {} of {}: {name}: {figures}; {} so far, about {} left",
            done + 1,
            plan.len(),
            duration(begun.elapsed().as_secs_f64()),
            progress.left(&left).map_or("?".to_owned(), duration)
        );
    }
    Ok(())
}

/// A table for the estimate of the time that is left, which both methods share.
fn step(table: &Table) -> Step {
    (Family::Tables, table.name.clone(), Method::Macchiato)
}

/// The tables asked for; the results learn the sizes of all that there are.
fn tables(arguments: &Arguments, results: &mut Results) -> Result<Vec<Table>> {
    let folder = arguments.data.as_ref().context("no --data and no MACCHIATO_DATA: where are the tables?")?;
    let folder = folder.join("tables");
    let files = files(&folder, ".tsv")?;
    ensure!(!files.is_empty(), "{}: no .tsv files", folder.display());
    for name in &arguments.tables {
        ensure!(files.iter().any(|(known, _)| known == name), "no table is called {name:?}");
    }
    let mut tables = Vec::new();
    results.tables.clear();
    for (_, path) in files {
        let table = Table::read(&path)?;
        results.tables.push(table.shape());
        if arguments.tables.is_empty() || arguments.tables.contains(&table.name) {
            tables.push(table);
        }
    }
    Ok(tables)
}

/// The folds that the results lack: first folds first, so that the time left is soon known.
fn plan<'a>(tables: &'a [Table], results: &Results) -> Vec<(&'a Table, usize)> {
    let all = (0..FOLDS).flat_map(|fold| tables.iter().map(move |table| (table, fold)));
    all.filter(|(table, fold)| !results.has(&table.name, *fold)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_what_the_results_lack() {
        let folder = tempfile::tempdir().unwrap();
        let tables = ["a", "b"].map(|name| {
            let path = folder.path().join(format!("{name}.tsv"));
            std::fs::write(&path, "x\ttarget\n0\t0\n1\t1\n").unwrap();
            Table::read(&path).unwrap()
        });
        let mut results = Results::default();
        assert_eq!(plan(&tables, &results).len(), 2 * FOLDS);
        results.runs.push(example::run("a", 0, 0.5, 0.5));
        let plan: Vec<(&str, usize)> =
            plan(&tables, &results).iter().map(|(table, fold)| (table.name.as_str(), *fold)).collect();
        assert_eq!((plan.len(), &plan[..3]), (2 * FOLDS - 1, &[("b", 0), ("a", 1), ("b", 1)][..]));
    }
}
