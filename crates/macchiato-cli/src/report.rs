//! `macchiato report`: a model as one page that a person looks at.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use macchiato::certify::Training;
use macchiato::model::Model;
use macchiato::report::{Report, Sample};
use serde::Serialize;

use crate::clash;
use crate::compile::TrainingFile;
use crate::data::{self, Labelled, ModelDataOptions};
use crate::day;
use crate::output::{Output, json_line};
use crate::progress::Spinner;
use crate::terminal::{remark, say};

const AFTER_HELP: &str = "\
Examples:
  macchiato report model.json --out report.html
  macchiato report model.json --rows train.csv --test test.csv --out report.html

The page is one file that opens in any browser and loads nothing. It shows the rule in words, how often
it is right, each stage with its Karnaugh map, the circuit as gates, the compiled network neuron by
neuron, how much each input matters, and the checker's verdict. In it, inputs can be changed and rows
picked, and the network's weights are compared with the circuit on all inputs that the circuit reads, or
on a million random ones.

With --rows, the training rows, the page also counts confusions, says which cells of a table no row has
seen, and, for a model, replays the certificate's training claims where the file is .csv, .tsv or .pla.";

/// Make a page that shows a model: one HTML file that needs nothing else
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The training rows, labelled
    #[arg(long, value_name = "DATA")]
    rows: Option<PathBuf>,
    /// Labelled rows that the model was not learned from
    #[arg(long, value_name = "DATA")]
    test: Option<PathBuf>,
    /// Where the page goes; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Column with the labels [default: the model's target]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Print one JSON object: the file and its bytes
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    out: &'a Path,
    bytes: usize,
}

/// Reads, computes, writes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.json && arguments.out == Path::new("-") {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    for path in [&arguments.rows, &arguments.test].into_iter().flatten() {
        data::one_stdin(&arguments.model, path)?;
    }
    if let (Some(rows), Some(test)) = (&arguments.rows, &arguments.test)
        && rows == Path::new("-")
        && test == Path::new("-")
    {
        bail!("--rows and --test cannot both be standard input: name a file for one of them");
    }
    let inputs = [Some(arguments.model.as_path()), arguments.rows.as_deref(), arguments.test.as_deref()];
    clash::refuse(&inputs, &[("--out", Some(&arguments.out))])?;
    let out = Output::prepare(&arguments.out)?;
    let model = data::read_model(&arguments.model)?;
    let mut file = Vec::new();
    // What was read is written in the same bytes.
    model.write(&mut file)?;
    let read = |path: &Option<PathBuf>, second| {
        path.as_deref().map(|path| Rows::read(path, &model, arguments, second)).transpose()
    };
    let (train, test) = (read(&arguments.rows, false)?, read(&arguments.test, true)?);
    let training = arguments.replayed(&model)?;
    let spinner = Spinner::message("making the report", arguments.options.data.quiet);
    let source = arguments.model.file_name().map(|name| name.to_string_lossy().into_owned());
    let today = day::today();
    let claims: Option<Training<'_>> = training.as_ref().map(|training| training.claims(&model));
    let page = Report {
        day: Some(&today),
        model: &model,
        source: source.as_deref().filter(|name| *name != "-"),
        file: Some(&file),
        train: train.as_ref().map(Rows::sample),
        test: test.as_ref().map(Rows::sample),
        replay: claims.as_ref(),
    }
    .html()?;
    drop(spinner);
    out.deliver(page.as_bytes())?;
    if arguments.json {
        let line = json_line(&Summary { out: &arguments.out, bytes: page.len() })?;
        return say(&line);
    }
    if !arguments.options.data.quiet {
        remark(&format!("report       {}, {} bytes\n", arguments.out.display(), page.len()));
    }
    Ok(())
}

impl Arguments {
    /// The training file, where the certificate's claims about it can be replayed.
    fn replayed(&self, model: &Model) -> anyhow::Result<Option<TrainingFile>> {
        let Some(path) = &self.rows else { return Ok(None) };
        let (format, weight) = self.options.data.parts();
        let renamed = self.target.as_ref().is_some_and(|target| *target != model.target());
        if format.is_some() || renamed || !TrainingFile::can_be_replayed(path, model, weight) {
            return Ok(None);
        }
        TrainingFile::read(path, model, weight, self.options.data.max_bytes()).map(Some)
    }
}

/// Labelled rows, and what the page calls them.
struct Rows {
    name: String,
    labelled: Labelled,
    labels: Vec<u32>,
}

impl Rows {
    fn read(path: &Path, model: &Model, arguments: &Arguments, second: bool) -> anyhow::Result<Self> {
        let name = match path.file_name() {
            Some(name) if path != Path::new("-") => name.to_string_lossy().into_owned(),
            _ => "standard input".to_owned(),
        };
        let target = arguments.target.as_deref().unwrap_or(model.target());
        let labelled = arguments.options.read_labelled(path, model, (target, second))?;
        let labels = labelled.known()?;
        Ok(Self { name, labelled, labels })
    }

    fn sample(&self) -> Sample<'_> {
        let frame = &self.labelled.frame;
        Sample { source: &self.name, frame, labels: &self.labels, weights: frame.weights.as_deref() }
    }
}
