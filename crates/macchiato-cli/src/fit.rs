//! `macchiato fit`: labelled rows in, a readable circuit out.

mod classes;
mod front;
mod holdout;
mod method;
mod report;
mod typed;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::holdout::judge;
use macchiato::rows::Rows;

use crate::clash;
use crate::data::{Data, DataOptions};
use crate::duration;
use crate::example;
use crate::interrupt::Interrupt;
use crate::output::{Output, json_line};
use crate::terminal::{remark, say};
use crate::typed::{AnyData, Known, Typed};
use holdout::HoldoutOptions;
use method::{AutoOptions, MethodName, PaperOptions};
use report::{Report, Summary};
use typed::TypedOptions;

const AFTER_HELP: &str = "\
Examples:
  macchiato fit --example                          try it: what turns on the light?
  macchiato fit data.csv                           the last column is the target
  macchiato fit data.csv --target sold --out model.json
                                                   model.json appears whole or not at all
  macchiato fit adult.csv --target income --positive '>50K' --category zip
                                                   numbers, names and gaps; zip codes are no numbers
  macchiato fit data.csv --validation more.csv     let other rows decide between candidates
  macchiato fit data.csv --holdout 0.2             also say how often it errs on further rows, at most
  macchiato fit data.csv -k 4 -m 10                stages of at most 4 inputs, at most 10 of them
  macchiato fit data.csv --method paper -k 8       Algorithm 1 of the paper, to the letter
  macchiato fit data.csv --time-limit 1m --json    one JSON object instead of the report
  macchiato fit - --format csv < data.csv          from standard input

Data are .csv, .tsv, .pla (type fr), .npy, .npz or .parquet; the first four also as .gz or .zst.
Where all columns are 0/1, true/false or yes/no, the model is a circuit over them. Otherwise it is
a classifier: numbers are cut, names looked up, and a target of more than two values has one
circuit for each. The Python package learns classifiers alone; --binarize auto learns the same one
from a table of bits. Empty cells, NA, N/A, NaN, nan, null, None and ? are gaps. The same rows,
parameters and seed give the same model, byte for byte, on any number of threads.

Ctrl-C (or SIGTERM) ends the fit as --time-limit does: the stages so far are a valid circuit,
which is written and called interrupted, with exit code 0. A second Ctrl-C ends the program.

Exit codes:
  0    a circuit was learned
  1    a defect of the program
  2    bad usage, bad data, or an output that cannot be written
  130  a second Ctrl-C";

/// Learn a Boolean rule from labelled rows
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The labelled rows; `-` is standard input
    #[arg(required_unless_present = "example")]
    data: Option<PathBuf>,
    /// Learn from embedded rows instead of a file
    #[arg(long, conflicts_with_all = ["data", "format", "weight", "target", "positive", "binarize", "category"])]
    example: bool,
    /// Column to predict [default: the last one]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    #[command(flatten)]
    options: DataOptions,
    /// How to learn
    #[arg(long, value_enum, default_value_t = MethodName::Auto)]
    method: MethodName,
    /// Inputs of a stage at most [default: what the data ask for; with --method paper 6]
    #[arg(short)]
    k: Option<usize>,
    /// Stages at most
    #[arg(short, default_value_t = 20)]
    m: usize,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Stop after this long with the stages so far: 500ms, 10s, 2m, 1h (reading and writing not counted)
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time_limit: Option<Duration>,
    /// Where the model goes; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    out: Option<PathBuf>,
    /// Print one JSON object about the fit instead of the report
    #[arg(long)]
    json: bool,
    /// No report and no progress
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten, next_help_heading = "Options for a bound on the error")]
    holdout: HoldoutOptions,
    #[command(flatten, next_help_heading = "Options of tables that are not just 0 and 1")]
    typed: TypedOptions,
    #[command(flatten, next_help_heading = "Options of --method auto")]
    auto: AutoOptions,
    #[command(flatten, next_help_heading = "Options of --method paper")]
    paper: PaperOptions,
}

/// Reads, learns, writes, and says how it went.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let output = prepare(arguments)?;
    let (rows, validation) = match read(arguments)? {
        Source::Bits(rows, validation) => (rows, validation),
        Source::Typed(_) if arguments.auto.wanted().is_some() => {
            bail!(
                "--pick and --path need a table of 0 and 1: leave them out, or turn the columns into bits first"
            )
        }
        Source::Typed(typed) => return typed::run(arguments, typed, output),
    };
    let source = arguments.data.as_ref().map_or("--example".to_owned(), |path| path.display().to_string());
    let split = arguments.holdout.split((rows.len(), rows.weights()), arguments.seed, &source)?;
    let (rows, held) = match split.map(|split| split.rows(&rows)) {
        Some((train, held)) => (train, Some(held)),
        None => (rows, None),
    };
    let params = arguments.parameters(&rows).with_context(|| source.clone())?;
    let interrupt = Interrupt::install()?;
    let start = Instant::now();
    let limits = (arguments.time_limit, arguments.quiet);
    let pick = (arguments.auto.wanted(), arguments.auto.path);
    let (mut model, front) = params.learn(&rows, validation.as_ref(), &interrupt, limits, pick)?;
    let elapsed = start.elapsed();
    if let Some(held) = held {
        let holdout = judge(model.circuit(), &held, arguments.holdout.confidence());
        model = model.with_holdout(holdout);
    }

    let report_to_stderr = matches!(output, Some(Output::Stdout));
    if let Some(output) = output {
        let mut bytes = Vec::new();
        if arguments.paper.timings { model.clone() } else { model.clone().without_timings() }
            .write(&mut bytes)?;
        match output {
            Output::File(_) => interrupt.shielded(|| output.write(&bytes))?,
            Output::Stdout | Output::Stream(..) => output.write(&bytes)?,
        }
    }
    if arguments.json {
        let text = json_line(&Summary::new(&model, elapsed))?;
        return say(&text);
    }
    if arguments.quiet {
        return Ok(());
    }
    let report = Report { model: &model, elapsed, example: arguments.example, out: arguments.out.as_deref() };
    let path = front.filter(|_| arguments.auto.path).map(|front| front::lines(&front)).unwrap_or_default();
    if report_to_stderr {
        remark(&(report.lines(&std::io::stderr()) + &path));
        return Ok(());
    }
    say(&(report.lines(&std::io::stdout()) + &path))
}

/// What can be refused before anything is read.
fn prepare(arguments: &Arguments) -> anyhow::Result<Option<Output>> {
    arguments.refuse_foreign()?;
    if arguments.k == Some(0) {
        bail!("K is 0: a stage needs at least one input, so give -k 1 or more");
    }
    if arguments.m == 0 {
        bail!("m is 0: at least one stage is needed, so give -m 1 or more");
    }
    arguments.holdout.check()?;
    let inputs = [arguments.data.as_deref(), arguments.auto.validation.as_deref()];
    clash::refuse(&inputs, &[("--out", arguments.out.as_deref())])?;
    let output = arguments.out.as_deref().map(Output::prepare).transpose()?;
    if arguments.json && matches!(output, Some(Output::Stdout)) {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    Ok(output)
}

/// What there is to learn from.
enum Source {
    /// The training rows, and those that decide between candidates.
    Bits(Rows, Option<Rows>),
    /// A table that must become bits first.
    Typed(Typed),
}

fn read(arguments: &Arguments) -> anyhow::Result<Source> {
    let (options, quiet) = (&arguments.options, arguments.quiet);
    let standard_input = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if standard_input(&arguments.data) && standard_input(&arguments.auto.validation) {
        bail!("the data and the validation rows cannot both be standard input: name a file for one of them");
    }
    let data = match &arguments.data {
        Some(path) => {
            let types = arguments.typed.types();
            let known = Known { types, target: arguments.target.as_deref() };
            match options.read_any(path, quiet, &known, arguments.typed.asked())? {
                AnyData::Bits(data) => data,
                AnyData::Typed(typed) => return Ok(Source::Typed(typed)),
            }
        }
        None => Data::with_names(example::table()?),
    };
    let named = data.named;
    let rows = Rows::from_table(data.table, arguments.target.as_deref())?;
    let validation = match &arguments.auto.validation {
        Some(path) => Some(options.read_beside(path, quiet)?.rows_like(&rows, named)?),
        None => None,
    };
    Ok(Source::Bits(rows, validation))
}
