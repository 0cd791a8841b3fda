//! The compiled network's benchmark: predictions beside onnxruntime's on the same file, and the checker on a large circuit.
//!
//! Results go to `lab/results/network.json`; the table of `docs/results.md` is made from that file alone.

mod checker;
mod stages;
mod throughput;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::bar;
use crate::frame::{Benchmark, Output, ResultsFile, Text};

/// Measure compiled networks: predictions beside onnxruntime, the checker on a large circuit.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A Python that can import onnxruntime.
    #[arg(long, env = "MACCHIATO_PYTHON", default_value = "target/venv/bin/python", value_name = "PATH")]
    python: PathBuf,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    how_to_read: String,
    cpus: usize,
    throughput: throughput::Section,
    checker: checker::Section,
}

impl ResultsFile for Results {}

impl Benchmark for Arguments {
    const NAME: &'static str = "network";
    type Results = Results;

    fn output(&self) -> &Output {
        &self.output
    }

    fn measure(&self, results: &mut Results, _: &Path) -> Result<()> {
        "Our predictions were timed first, onnxruntime's right after in the same run, on the same points; \
         packing rows into bits or floats is left out on both sides. Seconds are wall-clock times on this many CPUs."
            .clone_into(&mut results.how_to_read);
        results.cpus = crate::results::cpus();
        results.throughput = throughput::run(&self.python)?;
        results.checker = checker::run()?;
        Ok(())
    }

    fn closing(results: &Results) -> String {
        bar::closing_table(results.throughput.bars.iter().chain(&results.checker.bars))
    }

    fn text(results: &Results) -> Text {
        Text::Tables(table(results))
    }
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
