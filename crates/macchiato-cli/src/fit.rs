//! `macchiato fit`: labelled rows in, a readable circuit out.

mod report;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use macchiato::fit::{CheckedParams, PaperParams, Selection, StageTrace, fit_paper_observed};
use macchiato::minimize::Budget;
use macchiato::model::{Method, Model};
use macchiato::rows::Rows;
use macchiato::select::Threshold;

use crate::data::DataOptions;
use crate::duration;
use crate::example;
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::progress::Spinner;
use report::{Report, Summary};

const AFTER_HELP: &str = "\
Examples:
  macchiato fit --example                          try it: what turns on the light?
  macchiato fit data.csv                           the last column is the target
  macchiato fit data.csv --target sold -k 8 -m 40 --out model.json
                                                   model.json appears whole or not at all
  macchiato fit data.csv --time-limit 1m --json    one JSON object instead of the report
  macchiato fit - --format csv < data.csv          from standard input

Data are 0/1, true/false or yes/no: .csv, .tsv, .pla (type fr), .npy, .npz, .parquet; the first
four also as .gz or .zst. The same rows, parameters and seed give the same model, byte for byte,
on any number of threads.

Ctrl-C (or SIGTERM) ends the fit as --time-limit does: the stages so far are a valid circuit,
which is written and called interrupted, with exit code 0. A second Ctrl-C ends the program.

Exit codes:
  0    a circuit was learned
  1    a defect of the program
  2    bad usage, bad data, or an output that cannot be written
  130  a second Ctrl-C";

/// Most inputs of a stage where nothing else is said, the paper's usual setting.
const DEFAULT_K: usize = 6;

/// Learn a Boolean rule from labelled rows
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The labelled rows; `-` is standard input
    #[arg(required_unless_present = "example")]
    data: Option<PathBuf>,
    /// Learn from embedded rows instead of a file
    #[arg(long, conflicts_with_all = ["data", "format", "weight", "target"])]
    example: bool,
    /// Column to predict [default: the last one]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    #[command(flatten)]
    options: DataOptions,
    /// How to learn
    #[arg(long, value_enum, default_value_t = MethodName::Paper)]
    method: MethodName,
    /// Inputs of a stage at most [default: 6, or all if there are fewer]
    #[arg(short)]
    k: Option<usize>,
    /// Stages at most
    #[arg(short, default_value_t = 20)]
    m: usize,
    /// Choose only inputs whose influence is above this: a decimal from 0 to below 1
    #[arg(long, value_name = "DECIMAL", default_value = "0")]
    tau: Threshold,
    /// How the inputs of a stage are chosen
    #[arg(long, value_enum, default_value_t = SelectName::Influence)]
    select: SelectName,
    /// Give every stage fresh rows: the rows, in their order, are shared among the m stages
    #[arg(long)]
    split: bool,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// End once a stage changes nothing on the training rows; otherwise it repeats until m
    #[arg(long)]
    stop_when_stuck: bool,
    /// Stop after this long with the stages so far: 500ms, 10s, 2m, 1h (reading and writing not counted)
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time_limit: Option<Duration>,
    /// Where the model goes; `-` is standard output
    #[arg(short, long, value_name = "MODEL")]
    out: Option<PathBuf>,
    /// Keep the time of every step in the model, whose bytes then differ from run to run
    #[arg(long)]
    timings: bool,
    /// Print one JSON object about the fit instead of the report
    #[arg(long)]
    json: bool,
    /// No report and no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MethodName {
    /// Algorithm 1 of the paper
    Paper,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SelectName {
    /// By empirical influence on what is left to explain
    Influence,
    /// At random
    Random,
}

/// Reads, learns, writes, and says how it went.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let output = prepare(arguments)?;
    let rows = read(arguments)?;
    let params = parameters(arguments, &rows)?;
    let interrupt = Interrupt::install()?;
    let start = Instant::now();
    let model = learn(arguments, &rows, &params, &interrupt)?;
    let elapsed = start.elapsed();

    let report_to_stderr = matches!(output, Some(Output::Stdout));
    if let Some(output) = output {
        let mut bytes = Vec::new();
        if arguments.timings { model.clone() } else { model.clone().without_timings() }.write(&mut bytes)?;
        match output {
            Output::File(_) => interrupt.shielded(|| output.write(&bytes))?,
            Output::Stdout | Output::Stream(..) => output.write(&bytes)?,
        }
    }
    if arguments.json {
        let text = serde_json::to_string(&Summary::new(&model, elapsed))? + "\n";
        return Output::Stdout.write(text.as_bytes());
    }
    if arguments.quiet {
        return Ok(());
    }
    let report = Report { model: &model, elapsed, example: arguments.example, out: arguments.out.as_deref() };
    if report_to_stderr {
        eprint!("{}", report.lines(&std::io::stderr()));
        return Ok(());
    }
    Output::Stdout.write(report.lines(&std::io::stdout()).as_bytes())
}

/// What can be refused before anything is read.
fn prepare(arguments: &Arguments) -> anyhow::Result<Option<Output>> {
    if arguments.k == Some(0) {
        bail!("K is 0: a stage needs at least one input, so give -k 1 or more");
    }
    if arguments.m == 0 {
        bail!("m is 0: at least one stage is needed, so give -m 1 or more");
    }
    let output = arguments.out.as_deref().map(Output::prepare).transpose()?;
    if arguments.json && matches!(output, Some(Output::Stdout)) {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    Ok(output)
}

fn read(arguments: &Arguments) -> anyhow::Result<Rows> {
    let table = match &arguments.data {
        Some(path) => arguments.options.read(path, arguments.quiet)?.table,
        None => example::table()?,
    };
    Ok(Rows::from_table(table, arguments.target.as_deref())?)
}

fn parameters(arguments: &Arguments, rows: &Rows) -> anyhow::Result<CheckedParams> {
    let usual = if arguments.example { example::K } else { DEFAULT_K.min(rows.inputs()) };
    let params = PaperParams {
        k: arguments.k.unwrap_or(usual),
        m: arguments.m,
        tau: arguments.tau,
        selection: match arguments.select {
            SelectName::Influence => Selection::Influence,
            SelectName::Random => Selection::Random,
        },
        split: arguments.split,
        seed: arguments.seed,
        stop_when_stuck: arguments.stop_when_stuck,
    };
    params.check(rows).with_context(|| {
        arguments.data.as_ref().map_or("--example".to_owned(), |path| path.display().to_string())
    })
}

fn learn(
    arguments: &Arguments,
    rows: &Rows,
    params: &CheckedParams,
    interrupt: &Interrupt,
) -> anyhow::Result<Model> {
    let mut budget = Budget::unlimited().with_cancel(interrupt.flag());
    if let Some(limit) = arguments.time_limit {
        budget = budget.with_time_limit(limit);
    }
    let spinner = Spinner::message("looking for neighbouring rows", arguments.quiet);
    let mut t = 0;
    let observe = |stage: &StageTrace| {
        t += 1;
        spinner.say(&format!("stage {t} of {}: {} rows wrong", arguments.m, stage.errors_after));
    };
    let fit = match arguments.method {
        MethodName::Paper => fit_paper_observed(rows, params, &budget, observe)?,
    };
    Ok(Model::new(fit, Method::Paper(params.get().clone()), rows))
}
