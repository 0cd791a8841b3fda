//! The minimizer's benchmark: terms, lower bounds and time against other minimizers.
//!
//! Four parts (`pla`, `tables`, `peer`, `juntas`) and, on request, instruction counts. Each part that ran replaces its
//! section of the results file; the others keep what they had. The README's table is made from that file alone.

mod draw;
mod instructions;
mod juntas;
mod peer;
mod pla;
mod report;
mod results;
mod spot_check;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::{bar, readme};
pub(crate) use instructions::probe;
use results::Results;

/// Where the committed results are.
const RESULTS: &str = "lab/results/minimize.json";

/// Measure the minimizer against Espresso: terms, proven bounds, speed, accuracy of completions.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Arguments {
    /// Folder with the PLA benchmarks: `reference.csv` and its files, or a folder `pla` that holds them.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// A Python that can import `PyEDA`.
    #[arg(long, env = "MACCHIATO_PYTHON", default_value = "target/venv/bin/python", value_name = "PATH")]
    python: PathBuf,
    /// Run one part and keep the other sections of the results.
    #[arg(long)]
    only: Option<Part>,
    /// Fewer and smaller instances, to try things out; writes nothing unless --out is given.
    #[arg(long)]
    quick: bool,
    /// Also count instructions with Valgrind.
    #[arg(long)]
    instructions: bool,
    /// The results file; `lab/results/minimize.json` unless given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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

/// A part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The classical PLA files against Berkeley Espresso's results.
    Pla,
    /// Random tables against Espresso's published means.
    Tables,
    /// The same tables side by side with `PyEDA`'s `espresso_tts`.
    Peer,
    /// Accuracy of the flat completions of sampled juntas.
    Juntas,
    /// Instruction counts only.
    Instructions,
}

/// Runs what `arguments` ask for; `false` if a result is wrong or the README's table is stale.
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
    if arguments.quick && arguments.out.is_none() {
        eprintln!("lab: --quick: nothing was written");
    } else {
        crate::results::write(&results, path)?;
        table(arguments, &results)?;
    }
    let defects = results.defects();
    if defects > 0 {
        eprintln!("lab: {defects} wrong results: see the bars that were not met");
    }
    Ok(defects == 0)
}

/// Replaces the sections of the parts that ran.
fn measure(arguments: &Arguments, results: &mut Results) -> Result<()> {
    let wanted = |part| arguments.only.is_none_or(|only| only == part);
    results.describe();
    if wanted(Part::Pla) {
        let Some(data) = &arguments.data else {
            bail!("the PLA benchmarks need --data DIR or MACCHIATO_DATA");
        };
        results.pla = Some(pla::run(data, arguments.quick)?);
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

/// Makes or checks the README's table; `false` if it is stale.
fn table(arguments: &Arguments, results: &Results) -> Result<bool> {
    readme::update(&arguments.readme, "minimize", &report::markdown(results), arguments.check)
}
