//! The minimizer's benchmark: terms, lower bounds and time against other minimizers.
//!
//! Five parts (`pla`, `factored`, `tables`, `peer`, `juntas`) and, on request, instruction counts. Each part that ran replaces its
//! section of the results file; the others keep what they had. The table of `docs/results.md` is made from that file alone.

mod draw;
mod factored;
mod instructions;
mod juntas;
mod peer;
mod pla;
mod report;
mod results;
mod spot_check;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::bar;
use crate::frame::{Benchmark, Output, ResultsFile, Text};
pub(crate) use instructions::probe;
use results::Results;

/// Measure the minimizer against Espresso: terms, proven bounds, speed, accuracy of completions.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder with the PLA benchmarks: `reference.csv` and its files, or a folder `pla` that holds them.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// A Python that can import `PyEDA`.
    #[arg(long, env = "MACCHIATO_PYTHON", default_value = "target/venv/bin/python", value_name = "PATH")]
    python: PathBuf,
    /// Berkeley ABC.
    #[arg(long, env = "MACCHIATO_ABC", default_value = "berkeley-abc", value_name = "PATH")]
    abc: PathBuf,
    /// Run one part and keep the other sections of the results.
    #[arg(long)]
    only: Option<Part>,
    /// Fewer and smaller instances, to try things out; writes nothing unless --out is given.
    #[arg(long)]
    quick: bool,
    /// Also count instructions with Valgrind.
    #[arg(long)]
    instructions: bool,
    #[command(flatten)]
    output: Output,
}

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The classical PLA files against Berkeley Espresso's results.
    Pla,
    /// Factored forms of the same files against ABC's.
    Factored,
    /// Random tables against Espresso's published means.
    Tables,
    /// The same tables side by side with `PyEDA`'s `espresso_tts`.
    Peer,
    /// Accuracy of the flat completions of sampled juntas.
    Juntas,
    /// Instruction counts only.
    Instructions,
}

impl ResultsFile for Results {}

impl Benchmark for Arguments {
    const NAME: &'static str = "minimize";
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
        self.quick.then_some("--quick")
    }

    fn defects(results: &Results) -> usize {
        results.defects()
    }
}

/// Replaces the sections of the parts that ran.
fn measure(arguments: &Arguments, results: &mut Results) -> Result<()> {
    let wanted = |part| arguments.only.is_none_or(|only| only == part);
    results.describe();
    if wanted(Part::Pla) || wanted(Part::Factored) {
        let Some(data) = &arguments.data else {
            bail!("the PLA benchmarks need --data DIR or MACCHIATO_DATA");
        };
        if wanted(Part::Pla) {
            results.pla = Some(pla::run(data, arguments.quick)?);
        }
        if wanted(Part::Factored) {
            match factored::run(data, &arguments.abc, arguments.quick)? {
                Some(section) => results.factored = Some(section),
                None => eprintln!("lab: factored skipped: no ABC; its section stays as it was"),
            }
        }
    }
    if wanted(Part::Tables) {
        results.tables = Some(tables::run(arguments.quick)?);
    }
    if wanted(Part::Peer) {
        match peer::run(&arguments.python, arguments.quick)? {
            Some(section) => results.peer = Some(section),
            None => eprintln!(
                "lab: peer skipped: {} cannot import pyeda; its section {}",
                arguments.python.display(),
                if results.peer.is_some() { "is kept from an earlier run" } else { "stays empty" }
            ),
        }
    }
    if wanted(Part::Juntas) {
        results.juntas = Some(juntas::run(arguments.quick)?);
    }
    if arguments.instructions || arguments.only == Some(Part::Instructions) {
        match instructions::run()? {
            Some(section) => results.instructions = Some(section),
            None => eprintln!("lab: instructions skipped: no valgrind; their section stays as it was"),
        }
    }
    Ok(())
}
