//! `macchiato fit`: labelled rows in, a readable circuit out.

mod engine;
mod holdout;
mod method;
mod report;
mod typed;
mod wanted;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::holdout::judge;
use macchiato::explain::{MonotoneError, fit_monotone};
use macchiato::frame::{Frame, Values};
use macchiato::minimize::Budget;
use macchiato::model::{Examples, FitError, FitOptions, Model, Target};

use crate::clash;
use crate::data::{Data, DataOptions, Known, take_target};
use crate::duration;
use crate::example;
use crate::formula::Held;
use crate::interrupt::Interrupt;
use crate::output::{Output, json_line};
use crate::progress::Spinner;
use crate::sizes;
use crate::terminal::{remark, say};
use engine::EngineOptions;
use holdout::HoldoutOptions;
use method::{AutoOptions, MethodName, PaperOptions};
use report::{Report, Summary};
use typed::TypedOptions;
use wanted::WantedOptions;

const AFTER_HELP: &str = "\
Examples:
  macchiato fit --example                          try it: what turns on the light?
  macchiato fit data.csv                           the last column is the target
  macchiato fit data.csv --target sold --out model.json
                                                   model.json appears whole or not at all
  macchiato fit adult.csv --target income --positive '>50K' --category zip
                                                   numbers, names and gaps; zip codes are no numbers
  macchiato fit fraud.csv --class-weight balanced  a rare class weighs as much as a frequent one
  macchiato fit loans.csv --exclude sex,race       columns that the rule may not read
  macchiato fit loans.csv --monotone income=+1     a higher income never turns the positive answer down
  macchiato fit data.csv --validation more.csv     let other rows decide between candidates
  macchiato fit data.csv --holdout 0.2             also say how often it errs on further rows, at most
  macchiato fit data.csv -k 4 -m 10                stages of at most 4 inputs, at most 10 of them
  macchiato fit data.csv --method paper -k 8       Algorithm 1 of the paper, to the letter
  macchiato fit data.csv --time-limit 1m --json    one JSON object instead of the report
  macchiato fit - --format csv < data.csv          from standard input
  macchiato fit 'data/*.parquet' --engine duckdb --target sold --key id --out model.json
                                                   more rows than memory holds

Data are .csv, .tsv, .pla (type fr), .npy, .npz or .parquet; the first four also as .gz or .zst.
Columns of 0/1, true/false or yes/no are taken as they are, numbers are cut, names looked up, and a
target of more than two values has one circuit for each. Empty cells, NA, N/A, NaN, nan, null, None
and ? are gaps. The same rows, parameters and seed give the same model, byte for byte, on any number
of threads, here and in Python.

With --engine the Python package learns (pip install 'macchiato[duckdb]'; MACCHIATO_ENGINE_PYTHON
names its Python): a sample is searched, and every count comes from all rows. It refuses by name the
options that need the rows in memory, and Ctrl-C then ends it without a model.

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
    #[command(flatten, next_help_heading = "Options of more rows than memory holds")]
    engine: EngineOptions,
    #[command(flatten, next_help_heading = "Options for a bound on the error")]
    holdout: HoldoutOptions,
    #[command(flatten, next_help_heading = "Options of tables that are not just 0 and 1")]
    typed: TypedOptions,
    #[command(flatten, next_help_heading = "Options about what the rule is to be")]
    wanted: WantedOptions,
    #[command(flatten, next_help_heading = "Options of --method auto")]
    auto: AutoOptions,
    #[command(flatten, next_help_heading = "Options of --method paper")]
    paper: PaperOptions,
}

/// Learns where the rows are, or here.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match arguments.engine.engine {
        Some(_) => engine::run().map(ExitCode::from),
        None => learn(arguments).map(|()| ExitCode::SUCCESS),
    }
}

/// Reads, learns, writes, and says how it went.
fn learn(arguments: &Arguments) -> anyhow::Result<()> {
    let output = prepare(arguments)?;
    let Rows { mut train, validation } = read(arguments)?;
    let weights = train.frame.weights.as_deref();
    let split = arguments.holdout.split((train.frame.rows, weights), arguments.seed, &train.frame.source)?;
    let held = split.map(|split| {
        let (frame, held) = split.frame(&train.frame);
        let held = Labelled { frame: held, target: train.target.pick(split.held()) };
        train = Labelled { frame, target: train.target.pick(split.train()) };
        held
    });
    let mut options = FitOptions::by(arguments.method());
    options.binarize = arguments.typed.binarize();
    options.positive.clone_from(&arguments.typed.positive);
    options.binarize.exclude.clone_from(&arguments.wanted.exclude);
    options.class_weight.clone_from(&arguments.wanted.class_weight);
    options.whole_front = arguments.auto.path;
    let interrupt = Interrupt::install()?;
    let start = Instant::now();
    let mut budget = Budget::unlimited().with_cancel(interrupt.flag());
    if let Some(limit) = arguments.time_limit {
        budget = budget.with_time_limit(limit);
    }
    let spinner = Spinner::message("looking at the rows", arguments.options.quiet);
    let observe = |words: &str| spinner.say(words);
    let asked = validation.as_ref().map(Labelled::examples);
    let (rows, monotone) = (train.examples(), &arguments.wanted.monotone);
    let learned = if monotone.is_empty() {
        Model::fit(&rows, asked.as_ref(), &options, &budget, observe).map_err(Into::into)
    } else {
        fit_monotone(&rows, asked.as_ref(), (&options, monotone), &budget, &observe)
    };
    let mut model = match learned {
        Ok(model) => model,
        // `main` must recognize a defect.
        Err(MonotoneError::Fit(FitError::Minimize(error))) => return Err(error.into()),
        Err(error) => return Err(error).with_context(|| train.frame.source.clone()),
    };
    drop(spinner);
    let elapsed = start.elapsed();
    if let Some(Labelled { frame, target }) = &held {
        let holdout = judge(&model, frame, target, arguments.holdout.confidence());
        model = model.with_holdout(holdout.with_context(|| frame.source.clone())?);
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
    let right = train.right(&model)?;
    if arguments.json {
        let text = json_line(&Summary::new(&model, right, elapsed))?;
        return say(&text);
    }
    if arguments.options.quiet {
        return Ok(());
    }
    let (example, out) = (arguments.example, arguments.out.as_deref());
    let held = train.held(&model)?;
    let report = Report { model: &model, target: &train.target, right, held, elapsed, example, out };
    let path = model.circuits().iter().filter(|_| arguments.auto.path).map(sizes::lines).collect::<String>();
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
struct Rows {
    train: Labelled,
    /// Rows that decide between candidates.
    validation: Option<Labelled>,
}

/// A table and its target.
struct Labelled {
    frame: Frame,
    target: Target,
}

impl Labelled {
    fn examples(&self) -> Examples<'_, Frame> {
        Examples { columns: &self.frame, target: &self.target, weights: self.frame.weights.as_deref() }
    }

    /// For each circuit, the rows that its gates hold on, and those of its class among them; without weights.
    fn held(&self, model: &Model) -> anyhow::Result<Vec<Held>> {
        if self.frame.weights.is_some() {
            return Ok(model.circuits().iter().map(Held::of_training).collect());
        }
        let places: Vec<Option<u32>> =
            self.target.classes().iter().map(|class| model.class(class).map(|place| place as u32)).collect();
        let classes: Vec<Option<u32>> =
            self.target.codes().iter().map(|&code| places[code as usize]).collect();
        let circuits = model.circuits().iter().enumerate();
        let held =
            circuits.map(|(c, class)| Ok(Held::of_rows(class, &model.rows(c, &self.frame, &classes, None)?)));
        held.collect::<Result<_, FitError>>().with_context(|| self.frame.source.clone())
    }

    /// How many rows of weight above 0 the model gets right, and how many there are.
    fn right(&self, model: &Model) -> anyhow::Result<(usize, usize)> {
        let predicted = model.predict(&self.frame).with_context(|| self.frame.source.clone())?;
        let counts = |row: &usize| self.frame.weights.as_ref().is_none_or(|weights| weights[*row] > 0);
        let rows: Vec<usize> = (0..self.frame.rows).filter(counts).collect();
        let classes = self.target.classes();
        let places: Vec<Option<usize>> = classes.iter().map(|class| model.class(class)).collect();
        let is_right =
            |&&row: &&usize| places[self.target.codes()[row] as usize] == Some(predicted[row] as usize);
        Ok((rows.iter().filter(is_right).count(), rows.len()))
    }
}

fn read(arguments: &Arguments) -> anyhow::Result<Rows> {
    let options = &arguments.options;
    let standard_input = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if standard_input(&arguments.data) && standard_input(&arguments.auto.validation) {
        bail!("the data and the validation rows cannot both be standard input: name a file for one of them");
    }
    let mut data = match &arguments.data {
        Some(path) => {
            let types = arguments.typed.types();
            options.read(path, &Known { types, target: arguments.target.as_deref(), second: false })?
        }
        None => Data { frame: example::frame()?, named: true },
    };
    arguments.typed.check(&data.frame)?;
    let target = take_target(&mut data.frame, arguments.target.as_deref())?;
    let validation = match &arguments.auto.validation {
        Some(path) => {
            let names = data.frame.names.iter().cloned();
            let kinds = names.zip(data.frame.columns.iter().map(Values::kind));
            let known = Known { types: kinds.collect(), target: Some(target.name()), second: true };
            let mut second = options.read(path, &known)?;
            second.check_like(&data, target.name())?;
            let target = take_target(&mut second.frame, Some(target.name()))?;
            Some(Labelled { frame: second.frame, target })
        }
        None => None,
    };
    Ok(Rows { train: Labelled { frame: data.frame, target }, validation })
}
