//! `macchiato show`: a model as a person reads it.

mod classes;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use clap::Args;
use macchiato::bounds::holdout::ErrorBound;
use macchiato::fit::{Decision, Shape};
use macchiato::model::{Holdout, Method, Model};
use macchiato::words::Symbols;
use serde::Serialize;

use crate::data::{self, DataOptions};
use crate::evidence;
use crate::formula::Formula;
use crate::learned::Learned;
use crate::output::json_line;
use crate::paint::Paint;
use crate::summary::{count, percent};
use crate::terminal::say;

const AFTER_HELP: &str = "\
Examples:
  macchiato show model.json                    the circuit, and training rows for each term
  macchiato show model.json --rows new.csv     rows of another file for each term
  macchiato show model.json --ascii            & | ! ^ instead of the mathematical signs

A term holds on a row if every input that it names has the value that it asks for. A stage is 1
where one of its terms holds, and the answer is the exclusive or of the stages. A circuit that was
not learned in stages is printed gate by gate.";

/// Print a model's circuit so that a person can read it
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// Count the rows of these data for each term instead of the training rows
    #[arg(long, value_name = "DATA")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    options: DataOptions,
    /// Pass over columns of the data that are no inputs of the model
    #[arg(long)]
    ignore_extra: bool,
    /// Write `&`, `|`, `!`, `^` for AND, OR, NOT, XOR
    #[arg(long)]
    ascii: bool,
    /// Print one JSON object about the model instead
    #[arg(long)]
    json: bool,
    /// No progress on standard error
    #[arg(short, long)]
    quiet: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    target: &'a str,
    inputs: &'a [String],
    rows: usize,
    method: &'static str,
    parameters: &'a Method,
    train_accuracy: f64,
    stop: macchiato::fit::Stop,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'a Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
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
    let model = match Learned::read(&arguments.model)? {
        Learned::Model(model) => model,
        Learned::Classifier(classifier) => return classes::run(arguments, &classifier),
    };
    let symbols = if arguments.ascii { Symbols::ASCII } else { Symbols::UNICODE };
    let formula = Formula::of_model(&model, symbols);
    let (rows, seen) = match &arguments.rows {
        None => (model.coverage().to_vec(), None),
        Some(path) => {
            let data = arguments.options.read(path, arguments.quiet)?;
            let inputs = data.inputs(&model, model.target(), arguments.ignore_extra)?;
            let rows = model.learned().coverage(&inputs, data.table.rows);
            (rows, Some((data.table.rows, data.table.source)))
        }
    };
    let text = if arguments.json {
        let total = seen.map_or(model.trace().data.rows, |(total, _)| total);
        json_line(&summary(formula, &rows, total))?
    } else {
        let paint = Paint::for_stream(&io::stdout());
        let note = seen.map_or(String::new(), |(total, source)| {
            format!("counting the {} of {source} for each term\n", count(total, "row"))
        });
        format!("{}{note}\n{}", head(&model, paint), formula.circuit(&rows, paint))
    };
    say(&text)
}

/// A few lines about the whole.
fn head(model: &Model, paint: Paint) -> String {
    let trace = model.trace();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}, learned from {} of {} by {}",
        paint.bold(model.target()),
        count(trace.data.rows, "row"),
        count(model.inputs().len(), "input"),
        model.method(),
    );
    let _ = writeln!(
        text,
        "{}; right on {} of the training rows\nstopped: {}",
        model.size(),
        paint.green(&percent(trace.accuracy())),
        trace.stop.reason(),
    );
    if let Some(decision) = &trace.decision {
        let _ = writeln!(text, "decided: {}", evidence::decided(decision));
    }
    text.push_str(&error(model.holdout()));
    text
}

/// What held-out rows said, where there were any.
fn error(holdout: Option<&Holdout>) -> String {
    holdout.map_or(String::new(), |holdout| format!("error: {}\n", ErrorBound::new(*holdout)))
}

fn summary<'a>(formula: Formula<'a>, rows: &[usize], total: usize) -> Summary<'a> {
    let model = formula.model;
    let (stages, trace) = (model.stages(), model.trace());
    let stage = |t: usize| {
        let stage = &stages[t];
        let rows = model.of_terms(rows, t);
        let term = |(p, literals): (usize, Vec<_>)| TermSummary {
            formula: formula.term(&literals),
            literals: literals.len(),
            rows: rows[p],
        };
        let (shape, against) = evidence::of_stage(&trace.stages[t]);
        StageSummary {
            inputs: stage.inputs.iter().map(|&input| model.inputs()[input].as_str()).collect(),
            formula: formula.stage(t),
            terms: stage.terms().enumerate().map(term).collect(),
            errors_before: trace.stages[t].errors_before,
            errors_after: trace.stages[t].errors_after,
            shape,
            against,
        }
    };
    Summary {
        target: model.target(),
        inputs: model.inputs(),
        rows: total,
        method: model.method().name(),
        parameters: model.method(),
        train_accuracy: trace.accuracy(),
        stop: trace.stop,
        decision: trace.decision.as_ref(),
        holdout: model.holdout().copied().map(ErrorBound::new),
        formula: formula.said().line(),
        stages: (0..stages.len()).map(stage).collect(),
    }
}
