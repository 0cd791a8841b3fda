//! The compiled network's benchmark: predictions beside onnxruntime's on the same file, and the checker on a large circuit.
//!
//! Results go to `lab/results/network.json`; the README's table is made from that file alone.

mod checker;
mod stages;
mod throughput;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::{bar, readme};

/// Where the committed results are.
const RESULTS: &str = "lab/results/network.json";

/// Measure compiled networks: predictions beside onnxruntime, the checker on a large circuit.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A Python that can import onnxruntime.
    #[arg(long, env = "MACCHIATO_PYTHON", default_value = "target/venv/bin/python", value_name = "PATH")]
    python: PathBuf,
    /// The file whose table is made from the results.
    #[arg(long, default_value = "README.md", value_name = "FILE")]
    readme: PathBuf,
    /// Measure nothing: make the README's table from the results.
    #[arg(long)]
    table_only: bool,
    /// Measure nothing: fail if the README's table is not the one that the results give.
    #[arg(long, conflicts_with = "table_only")]
    check: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Results {
    how_to_read: String,
    cpus: usize,
    throughput: throughput::Section,
    checker: checker::Section,
}

/// Runs what `arguments` ask for; `false` if the README's table is stale.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let path = Path::new(RESULTS);
    if !arguments.check && !arguments.table_only {
        let results = Results {
            how_to_read: "Our predictions were timed first, onnxruntime's right after in the same run, on the same points; \
                          packing rows into bits or floats is left out on both sides. Seconds are wall-clock times on this many CPUs."
                .to_owned(),
            cpus: crate::results::cpus(),
            throughput: throughput::run(&arguments.python)?,
            checker: checker::run()?,
        };
        print!("{}", bar::closing_table(results.throughput.bars.iter().chain(&results.checker.bars)));
        fs::write(path, serde_json::to_string_pretty(&results)? + "\n").context(RESULTS)?;
    }
    let text = fs::read_to_string(path).context(RESULTS)?;
    let results: Results = serde_json::from_str(&text).context(RESULTS)?;
    readme::update(&arguments.readme, "network", &table(&results), arguments.check)
}

fn table(results: &Results) -> String {
    let (fast, checked) = (&results.throughput, &results.checker);
    let mut text = String::from("| what | measured |\n|---|---|\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "| predictions by the circuit, beside onnxruntime on the compiled file ({} points, {} inputs) | {:.0} times as many |",
        fast.points, fast.inputs, fast.times_faster
    );
    let _ = writeln!(
        text,
        "| checking a network of {} inputs, {} terms, {} MB | {:.1} s |",
        checked.inputs,
        checked.terms,
        checked.bytes / 1_000_000,
        checked.seconds
    );
    text
}
