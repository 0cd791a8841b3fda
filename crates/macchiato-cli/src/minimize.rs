//! `macchiato minimize`: a PLA file in, the smallest PLA file that agrees with it out, or gates of several levels.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use macchiato::export::ExportFormat;
use macchiato::minimize::pla::{self, Pla};
use macchiato::minimize::{Budget, Engine, Minimized, Options, factor, minimize_pla};

use crate::clash;
use crate::duration;
use crate::factored;
use crate::interrupt::Interrupt;
use crate::memory::{Limited, MemoryOptions};
use crate::output::{Output, json_line};
use crate::progress::Spinner;
use crate::summary::Summary;
use crate::terminal::{remark, say};

const EXAMPLE: &str = include_str!("seven_segments.pla");

const AFTER_HELP: &str = "\
Examples:
  macchiato minimize --example               try it: a seven-segment decoder
  macchiato minimize a.pla                   result to stdout, summary to stderr
  macchiato minimize a.pla --out b.pla       b.pla appears whole or not at all
  macchiato minimize a.pla --exact --time-limit 1m
                                             the minimum, or the gap after a minute
  macchiato minimize a.pla --factored --out a.blif
                                             gates of several levels; .aig, .v and others too
  macchiato minimize - --json < a.pla        one JSON object instead of the result

The result is verified against the input before it is written.

Ctrl-C (or SIGTERM) ends the minimization as --time-limit does: the best cover so
far, which is valid, is written and called interrupted, with exit code 0.
A second Ctrl-C ends the program at once.

Exit codes:
  0    a valid cover was written
  1    a defect of the program
  2    bad usage, a bad file, or an output that cannot be written
  130  a second Ctrl-C";

/// Minimize a two-level logic function given as a Berkeley PLA file (a drop-in for `espresso`)
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The PLA file, of type f, fd, fr or fdr; `-` is standard input
    #[arg(value_name = "IN.pla", required_unless_present = "example")]
    input: Option<PathBuf>,
    /// Minimize an embedded example instead of a file
    #[arg(long, conflicts_with = "input")]
    example: bool,
    /// Where the result goes; `-` is standard output, which is also the default without --json
    #[arg(short, long, value_name = "OUT.pla")]
    out: Option<PathBuf>,
    /// Write gates of several levels, with shared parts, instead of a PLA
    #[arg(long)]
    factored: bool,
    /// The format of --factored; where not given, that of the ending of --out, or BLIF
    #[arg(long, value_name = "FORMAT", requires = "factored", value_parser = PossibleValuesParser::new(ExportFormat::ALL.map(ExportFormat::name)))]
    to: Option<String>,
    /// Search until the minimum is proven
    #[arg(long)]
    exact: bool,
    /// Stop after this long with the best cover so far: 500ms, 10s, 2m, 1h (reading and writing not counted)
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time_limit: Option<Duration>,
    /// The algorithm
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// How long to go on improving: 1 is Espresso's loop once, 9 for those who can wait
    #[arg(long, value_name = "1..9", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=9), conflicts_with = "exact")]
    effort: u8,
    /// Seed of the random choices: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    memory: MemoryOptions,
    /// Print one JSON object about the result to standard output; the result itself only goes to --out
    #[arg(long)]
    json: bool,
    /// No summary and no progress on standard error
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EngineName {
    /// The one that fits the file
    Auto,
    /// All primes, then a cover: up to 16 inputs
    Primes,
    /// Expand against OFF rows, cover the ON rows: any width
    Rows,
    /// The Espresso loop: several outputs, any PLA type
    Espresso,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Auto => Self::Auto,
            EngineName::Primes => Self::Primes,
            EngineName::Rows => Self::Rows,
            EngineName::Espresso => Self::Espresso,
        }
    }
}

/// Reads, minimizes, writes, and says how it went.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    clash::refuse(&[arguments.input.as_deref()], &[("--out", arguments.out.as_deref())])?;
    let output = destination(arguments)?;
    let out = arguments.out.as_deref().filter(|out| *out != Path::new("-"));
    let format = arguments.factored.then(|| factored::format(arguments.to.as_deref(), out)).transpose()?;
    let pla = match &arguments.input {
        Some(path) => read(path, arguments.memory.limit())?,
        None => pla::read(EXAMPLE.as_bytes(), "seven_segments.pla")?,
    };
    let interrupt = Interrupt::install()?;
    let start = Instant::now();
    let budget = budget(arguments, &interrupt);
    let answer = minimize(arguments, &pla, &budget)?;
    let gates = match format {
        Some(format) => {
            Some((format, factor(&answer.cover, &budget).with_context(|| pla.file().to_owned())?))
        }
        None => None,
    };
    let factored = gates.as_ref().map(|(_, factored)| factored);
    let summary = Summary::new(&answer, factored, start.elapsed());

    if let Some(output) = output {
        let mut text = Vec::new();
        match &gates {
            Some((format, factored)) => text = factored::file(factored, &pla, *format)?,
            None => pla::write(&mut text, &answer.cover, pla.input_names(), pla.output_names())?,
        }
        match output {
            Output::File(_) => interrupt.shielded(|| output.write(&text))?,
            Output::Stdout | Output::Stream(..) => output.write(&text)?,
        }
    }
    if arguments.json {
        let text = json_line(&summary)?;
        say(&text)?;
    }
    if !arguments.quiet && !arguments.json {
        remark(&summary.lines(&pla));
    }
    Ok(())
}

/// Where the PLA goes: with `--json` nowhere, unless `--out` names a place other than standard output.
fn destination(arguments: &Arguments) -> anyhow::Result<Option<Output>> {
    let output = match &arguments.out {
        Some(path) => Some(Output::prepare(path)?),
        None if arguments.json => None,
        None => Some(Output::Stdout),
    };
    if arguments.json && matches!(output, Some(Output::Stdout)) {
        anyhow::bail!("--json and --out - both want standard output: name a file after --out");
    }
    Ok(output)
}

/// The file, or standard input for `-`.
pub(crate) fn read(path: &Path, limit: u64) -> anyhow::Result<Pla> {
    if path == Path::new("-") {
        return Ok(pla::read(BufReader::new(Limited::new(io::stdin().lock(), limit)), "<stdin>")?);
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    Ok(pla::read(BufReader::with_capacity(1 << 16, Limited::new(file, limit)), &name)?)
}

fn budget(arguments: &Arguments, interrupt: &Interrupt) -> Budget {
    let budget = Budget::unlimited().with_cancel(interrupt.flag());
    match arguments.time_limit {
        Some(limit) => budget.with_time_limit(limit),
        None => budget,
    }
}

fn minimize(arguments: &Arguments, pla: &Pla, budget: &Budget) -> anyhow::Result<Minimized> {
    let (_spinner, budget) = Spinner::start(budget.clone(), arguments.quiet);
    let mut options = Options::default();
    options.engine = arguments.engine.into();
    options.exact = arguments.exact;
    options.effort = arguments.effort;
    options.seed = arguments.seed;
    options.budget = budget;
    minimize_pla(pla, &options).with_context(|| pla.file().to_owned())
}
