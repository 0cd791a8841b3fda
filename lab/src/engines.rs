//! Learning where the rows are: the Python package with DuckDB and Spark on rows that are made on the spot, beside xgboost.
//!
//! The programs are in `lab/engines`. They write `lab/results/engines.json`, run by run, and what is measured again takes the place of what
//! was there. The tables stand in `docs/scale.md`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use macchiato::words::thousands;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bar::{self, Bar};
use crate::frame::{Benchmark, Output, ResultsFile, Text};

/// The program, from the workspace's root.
const SCRIPT: &str = "lab/engines/engines.py";
/// The run that the others are compared with.
const OURS: &str = "duckdb";
/// What the process may have at once, in MiB.
const MOST_MEMORY: f64 = 1024.0;

/// Measure learning from more rows than memory holds, in DuckDB and Spark, beside xgboost.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Rows of the large runs, whole millions or fewer than one.
    #[arg(long, default_value_t = 20_000_000, value_name = "N")]
    rows: u64,
    /// These parts only: engines, faults, memory, growth, peers.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    parts: Vec<String>,
    /// Rows of the runs that show how the cost grows.
    #[arg(long, value_name = "N,...", default_value = "100000,1000000,10000000,100000000")]
    growth: String,
    /// Effort of the search in the sample.
    #[arg(long, default_value_t = 5, value_name = "N")]
    effort: u8,
    /// Where the rows go for the time of the run; 20 million take 2 GB, 100 million 10.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// A Python with the package and what `lab/engines/requirements.txt` names.
    #[arg(long, default_value = "python3", value_name = "PATH")]
    python: PathBuf,
    #[command(flatten)]
    output: Output,
}

/// Everything that was measured.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    how_to_read: String,
    cpus: usize,
    versions: BTreeMap<String, String>,
    /// The share of labels that are turned round.
    noise: f64,
    runs: Vec<Run>,
}

impl ResultsFile for Results {}

/// One fit, with its predictions.
#[derive(Debug, Serialize, Deserialize)]
struct Run {
    name: String,
    rows: u64,
    seconds: f64,
    cpu_seconds: f64,
    peak_mib: f64,
    /// On rows that nothing learned from.
    accuracy: f64,
    /// Rows of these on which the model is not the planted rule; of our runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    differs_from_planted: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    like: Option<Like>,
    /// What no table shows.
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// Another run on the same rows.
#[derive(Debug, Serialize, Deserialize)]
struct Like {
    run: String,
    same_model: bool,
    different_predictions: u64,
}

impl Like {
    fn is_same(&self) -> bool {
        self.same_model && self.different_predictions == 0
    }
}

impl Benchmark for Arguments {
    const NAME: &'static str = "engines";
    type Results = Results;

    fn output(&self) -> &Output {
        &self.output
    }

    fn measure(&self, results: &mut Results, path: &Path) -> Result<()> {
        let mut command = Command::new(&self.python);
        command.arg(SCRIPT).arg(path).args(["--rows", &self.rows.to_string()]);
        command.args(["--effort", &self.effort.to_string(), "--growth", &self.growth]);
        for part in &self.parts {
            command.args(["--part", part]);
        }
        if let Some(folder) = &self.folder {
            command.arg("--folder").arg(folder);
        }
        let status = command.status().with_context(|| self.python.display().to_string())?;
        ensure!(status.success(), "{SCRIPT} ended with {status}");
        *results = Results::read(path)?;
        Ok(())
    }

    fn closing(results: &Results) -> String {
        bar::closing_table(bars(results).iter())
    }

    fn text(results: &Results) -> Text {
        Text::Section { file: "docs/scale.md", tables: tables(results) }
    }

    fn defects(results: &Results) -> usize {
        results.runs.iter().filter(|run| run.like.as_ref().is_some_and(|like| !like.is_same())).count()
    }
}

fn bars(results: &Results) -> Vec<Bar> {
    let mut bars = Vec::new();
    for run in &results.runs {
        let what = |words: &str| format!("{}, {} rows: {words}", run.name, thousands(run.rows));
        if run.name == OURS {
            bars.push(Bar::at_most(what("MiB"), MOST_MEMORY, run.peak_mib));
        }
        if let Some(like) = &run.like {
            let same = f64::from(u8::from(like.is_same()));
            bars.push(Bar::at_least(what(&format!("the answers of {}", like.run)), 1.0, same));
        }
    }
    bars
}

fn tables(results: &Results) -> String {
    let versions: Vec<String> =
        results.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let mut text = format!(
        "\nMade from [lab/results/engines.json](../lab/results/engines.json), which `cargo run --release -p lab -- engines` writes: 40 mixed \
         columns, a planted rule over four of them, {} % of the labels turned round, {} CPUs, {}. Seconds are those of the processors, \
         fit, counts and predictions together: other programs ran beside. The memory is the most that all processes of a run had at once. \
         Accuracy is on 200,000 rows that nothing learned from.\n\n",
        100.0 * results.noise,
        results.cpus,
        versions.join(", "),
    );
    text.push_str("| run | rows | CPU s | MiB | accuracy | rows answered unlike the planted rule | answers |\n|---|---|---|---|---|---|---|\n");
    for run in &results.runs {
        let planted = run.differs_from_planted.map_or_else(|| "–".to_owned(), thousands);
        let like = run.like.as_ref().map_or_else(String::new, |like| {
            let what = if like.is_same() { "model and predictions of" } else { "NOT those of" };
            format!("{what} `{}`", like.run)
        });
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.0} | {:.4} | {planted} | {like} |",
            run.name,
            thousands(run.rows),
            run.cpu_seconds,
            run.peak_mib,
            run.accuracy,
        );
    }
    text + &growth(results)
}

/// What a row costs after the sample: between one size and the next the search is the same.
fn growth(results: &Results) -> String {
    let mut ours: Vec<&Run> = results.runs.iter().filter(|run| run.name == OURS).collect();
    ours.sort_by_key(|run| run.rows);
    let mut text = String::new();
    for pair in ours.windows(2) {
        let [less, more] = pair else { continue };
        let each = (more.cpu_seconds - less.cpu_seconds) / (more.rows - less.rows) as f64;
        let _ = write!(
            text,
            "{}{:.1} CPU µs from {} to {} rows",
            if text.is_empty() { "\nA further row costs " } else { ", " },
            1e6 * each,
            thousands(less.rows),
            thousands(more.rows),
        );
    }
    if !text.is_empty() {
        text.push_str(".\n");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, rows: u64, cpu_seconds: f64, different: Option<u64>) -> Run {
        let like =
            |different_predictions| Like { run: OURS.to_owned(), same_model: true, different_predictions };
        let more = Map::from_iter([("circuit".to_owned(), "y = a".into())]);
        let (name, like) = (name.to_owned(), different.map(like));
        let (seconds, peak_mib, accuracy, differs_from_planted) = (1.0, 900.0, 0.98, None);
        Run { name, rows, seconds, cpu_seconds, peak_mib, accuracy, differs_from_planted, like, more }
    }

    #[test]
    fn a_run_with_other_answers_is_a_defect_and_the_slope_leaves_out_the_search() {
        let runs = vec![
            run(OURS, 1_000_000, 70.0, None),
            run(OURS, 11_000_000, 120.0, None),
            run("spark", 11_000_000, 300.0, Some(0)),
            run("memory", 1_000_000, 80.0, Some(3)),
        ];
        let results = Results { runs, ..Results::default() };
        assert_eq!(Arguments::defects(&results), 1);
        let text = tables(&results);
        for part in [
            "A further row costs 5.0 CPU µs from 1,000,000 to 11,000,000 rows.",
            "model and predictions of `duckdb`",
            "NOT those of `duckdb`",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(bars(&results).iter().filter(|bar| !bar.met).count(), 1);
    }

    #[test]
    fn what_no_table_shows_stays_in_the_file() {
        let text = serde_json::to_string(&run(OURS, 5, 1.0, None)).expect("JSON");
        let again: Run = serde_json::from_str(&text).expect("a run");
        assert_eq!((again.more["circuit"].as_str(), again.rows), (Some("y = a"), 5));
    }
}
