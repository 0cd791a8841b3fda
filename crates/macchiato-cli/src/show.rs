//! `macchiato show`: a model as a person reads it.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::holdout::ErrorBound;
use macchiato::fit::{Decision, Shape};
use macchiato::model::{ClassCircuit, Method, Model};
use macchiato::words::Symbols;
use serde::Serialize;

use crate::clash;
use crate::data::{self, ModelDataOptions};
use crate::evidence;
use crate::formula::{Formula, Held};
use crate::output::{Output, json_line};
use crate::paint::Paint;
use crate::sizes;
use crate::summary::{count, percent, what_it_reads};
use crate::terminal::say;

const AFTER_HELP: &str = "\
Examples:
  macchiato show model.json                    the circuit, and training rows for each term
  macchiato show model.json --rows new.csv     rows of another file for each term
  macchiato show model.json --ascii            & | ! ^ instead of the mathematical signs
  macchiato show model.json --sizes            the best circuit of each size that the fit found
  macchiato show model.json --size 12          the best one of at most 12 conditions
  macchiato show model.json --size 12 --out small.json   and a model of it

A term holds on a row if every input that it names has the value that it asks for. A stage is 1
where one of its terms holds, and the answer is the exclusive or of the stages. A circuit that was
not learned in stages is printed gate by gate.";

/// Print a model's circuit so that a person can read it
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// Count the rows of these data for each term instead of the training rows
    #[arg(long, value_name = "DATA")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Write `&`, `|`, `!`, `^` for AND, OR, NOT, XOR
    #[arg(long)]
    ascii: bool,
    /// Show the best circuit of at most N conditions that the fit found, of each class where there are several
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Write the model of that size to this file; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "size")]
    out: Option<PathBuf>,
    /// List the sizes that the fit found, each with its rate on rows that it did not learn from
    #[arg(long, conflicts_with_all = ["rows", "size", "json"])]
    sizes: bool,
    /// Print one JSON object about the model instead
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Shown<'a> {
    target: &'a str,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    columns: Vec<&'a str>,
    tests: Vec<String>,
    method: &'static str,
    parameters: &'a Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
    circuits: Vec<Summary<'a>>,
}

/// One circuit.
#[derive(Serialize)]
struct Summary<'a> {
    target: &'a str,
    rows: usize,
    train_accuracy: f64,
    stop: macchiato::fit::Stop,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'a Decision>,
    formula: String,
    stages: Vec<StageSummary<'a>>,
}

#[derive(Serialize)]
struct StageSummary<'a> {
    inputs: Vec<&'a str>,
    formula: String,
    terms: Vec<TermSummary>,
    errors_before: usize,
    errors_after: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<Shape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<u64>,
}

#[derive(Serialize)]
struct TermSummary {
    formula: String,
    literals: usize,
    rows: usize,
}

/// Reads and prints.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(path) = &arguments.rows {
        data::one_stdin(&arguments.model, path)?;
    }
    let model = sized(arguments)?;
    if arguments.sizes {
        return say(&model.circuits().iter().map(sizes::lines).collect::<String>());
    }
    if arguments.out.as_deref() == Some(Path::new("-")) {
        return Ok(());
    }
    let symbols = if arguments.ascii { Symbols::ASCII } else { Symbols::UNICODE };
    let (rows, seen): (Vec<Held>, _) = match &arguments.rows {
        None => (model.circuits().iter().map(Held::of_training).collect(), None),
        Some(path) => {
            let frame = arguments.options.read(path, &model, model.target())?;
            let bits = model.binarizer().apply(&frame).with_context(|| frame.source.clone())?;
            let bits: Vec<&[u64]> = bits.iter().map(Vec::as_slice).collect();
            let held = |circuit: &ClassCircuit| {
                let rows = circuit.learned().coverage(&bits, frame.rows);
                Held { rows, hits: None }
            };
            (model.circuits().iter().map(held).collect(), Some((frame.rows, frame.source.clone())))
        }
    };
    let circuits = model.circuits().iter().zip(&rows);
    let circuits: Vec<(Formula<'_>, &Held)> =
        circuits.map(|(class, rows)| (Formula::new(&model, class, symbols), rows)).collect();
    if arguments.json {
        let total = seen.as_ref().map(|(total, _)| *total);
        return say(&json_line(&Shown::new(&model, &circuits, total))?);
    }
    let paint = Paint::for_stream(&io::stdout());
    let note = seen.map_or(String::new(), |(total, source)| {
        format!("counting the {} of {source} for each term\n", count(total, "row"))
    });
    let mut text = String::new();
    let bound = model.holdout().map(|holdout| format!("error: {}\n", ErrorBound::new(*holdout)));
    let bound = bound.unwrap_or_default();
    if let [(formula, rows)] = circuits.as_slice() {
        let head = head(&model, formula.class, paint);
        return say(&format!("{head}{bound}{note}\n{}", formula.circuit(rows, paint)));
    }
    if circuits.is_empty() {
        let (name, class) = (model.target(), &model.classes()[0]);
        let _ = writeln!(text, "{} = {class}, whatever the columns are", paint.bold(name));
    }
    text.push_str(&note);
    if !bound.is_empty() {
        let _ = write!(text, "{}, all classes together\n{bound}\n", paint.bold(model.target()));
    }
    for (c, (formula, rows)) in circuits.iter().enumerate() {
        if c > 0 {
            text.push('\n');
        }
        text.push_str(&head(&model, formula.class, paint));
        let _ = write!(text, "\n{}", formula.circuit(rows, paint));
    }
    say(&text)
}

/// The model, of the size that is wanted; it is written where that is asked for.
fn sized(arguments: &Arguments) -> anyhow::Result<Model> {
    clash::refuse(&[Some(&arguments.model)], &[("--out", arguments.out.as_deref())])?;
    let model = data::read_model(&arguments.model)?;
    if (arguments.size.is_some() || arguments.sizes)
        && model.circuits().iter().all(|circuit| circuit.alternatives().is_empty())
    {
        bail!(
            "{}: the model has circuits of one size only, since none competed when it was learned: \
             `macchiato fit --path` looks for all sizes",
            arguments.model.display()
        );
    }
    let Some(size) = arguments.size else { return Ok(model) };
    let model = model.at(size);
    if let Some(out) = arguments.out.as_deref() {
        let mut bytes = Vec::new();
        model.write(&mut bytes)?;
        Output::prepare(out)?.write(&bytes)?;
    }
    Ok(model)
}

/// A few lines about a circuit.
fn head(model: &Model, class: &ClassCircuit, paint: Paint) -> String {
    let trace = class.trace();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}, learned from {} of {} by {}",
        paint.bold(class.target()),
        count(trace.data.rows, "row"),
        what_it_reads(model),
        model.method(),
    );
    let _ = writeln!(
        text,
        "{}; right on {} of the training rows\nstopped: {}",
        class.size(),
        paint.green(&percent(trace.accuracy())),
        trace.stop.reason(),
    );
    if let Some(decision) = &trace.decision {
        let _ = writeln!(text, "decided: {}", evidence::decided(decision));
    }
    text
}

impl<'a> Shown<'a> {
    fn new(model: &'a Model, circuits: &[(Formula<'a>, &Held)], total: Option<usize>) -> Self {
        let binarizer = model.binarizer();
        let summary = |(formula, held): &(Formula<'a>, &Held)| summary(*formula, &held.rows, total);
        Self {
            target: model.target(),
            classes: model.classes(),
            positive: model.positive().map(|positive| model.classes()[positive].as_str()),
            columns: binarizer.columns().iter().map(|column| column.name.as_str()).collect(),
            tests: binarizer.names(),
            method: model.method().name(),
            parameters: model.method(),
            holdout: model.holdout().copied().map(ErrorBound::new),
            circuits: circuits.iter().map(summary).collect(),
        }
    }
}

fn summary<'a>(formula: Formula<'a>, rows: &[usize], total: Option<usize>) -> Summary<'a> {
    let class = formula.class;
    let (stages, trace) = (class.stages(), class.trace());
    let stage = |t: usize| {
        let stage = &stages[t];
        let rows = class.of_terms(rows, t);
        let term = |(p, literals): (usize, Vec<_>)| TermSummary {
            formula: formula.term(&literals),
            literals: literals.len(),
            rows: rows[p],
        };
        let (shape, against) = evidence::of_stage(&trace.stages[t]);
        StageSummary {
            inputs: stage.inputs.iter().map(|&input| class.inputs()[input].as_str()).collect(),
            formula: formula.stage(t),
            terms: stage.terms().enumerate().map(term).collect(),
            errors_before: trace.stages[t].errors_before,
            errors_after: trace.stages[t].errors_after,
            shape,
            against,
        }
    };
    Summary {
        target: class.target(),
        rows: total.unwrap_or(trace.data.rows),
        train_accuracy: trace.accuracy(),
        stop: trace.stop,
        decision: trace.decision.as_ref(),
        formula: formula.said().line(),
        stages: (0..stages.len()).map(stage).collect(),
    }
}
