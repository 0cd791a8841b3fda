//! `macchiato evaluate`: how often a model is right, overall, by class and after each stage.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bits;
use macchiato::bounds::holdout::ErrorBound;
use macchiato::model::{Confidence, Holdout, Model};
use macchiato::rows::WEIGHT_UNIT;
use macchiato::stage::prefixes;
use macchiato::words::one_line;
use serde::Serialize;

use crate::data::{self, Labelled, ModelDataOptions};
use crate::output::json_line;
use crate::paint::Paint;
use crate::summary::count;
use crate::terminal::say;

const AFTER_HELP: &str = "\
Examples:
  macchiato evaluate model.json test.csv              accuracy and confusion counts
  macchiato evaluate model.json test.csv --stages     accuracy after each stage
  macchiato evaluate model.json test.csv --json | jq .accuracy

The interval holds the accuracy on further rows of the same kind with 95 % confidence, if these were not used for the fit.
Balanced accuracy is the mean over the classes of the share of their rows that is right.
With --weight, every row counts with its weight.";

/// A confusion table of more classes is left to `--json`.
const CLASSES_SHOWN: usize = 12;

/// Beyond, the columns of the table are called by their classes alone.
const NAMED: usize = 4;

/// Measure how often a model is right on labelled rows
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The labelled rows: .csv, .tsv, .pla, .npy, .npz or .parquet; `-` is standard input
    data: PathBuf,
    /// Column with the labels [default: the model's target]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Also print the accuracy after each stage
    #[arg(long)]
    stages: bool,
    /// Print one JSON object: `rows`, `accuracy`, `accuracy_interval`, `majority`, `majority_accuracy`, `balanced_accuracy`, `classes`, `confusion`, `stage_accuracy`
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Debug, Serialize)]
struct Evaluation<'a> {
    rows: usize,
    accuracy: f64,
    /// The limits between which the true accuracy lies with 95 % confidence, where the rows have no weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy_interval: Option<[f64; 2]>,
    /// The most frequent class of these rows, and what always answering it gets right.
    majority: &'a str,
    majority_accuracy: f64,
    balanced_accuracy: f64,
    classes: &'a [String],
    /// For each class, how its rows were answered: rows, or their weights.
    confusion: Vec<Vec<Count>>,
    /// Of one circuit, after each of its stages.
    #[serde(skip_serializing_if = "Option::is_none")]
    stage_accuracy: Option<Vec<f64>>,
    #[serde(skip)]
    positive: Option<usize>,
}

/// Rows, or their weight in millionths. Counts of rows are whole numbers; weights need not be.
#[derive(Debug, Clone, Copy)]
struct Count(u64);

impl Count {
    fn share(self) -> f64 {
        self.0 as f64 / WEIGHT_UNIT as f64
    }
}

impl Serialize for Count {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(WEIGHT_UNIT) {
            serializer.serialize_u64(self.0 / WEIGHT_UNIT)
        } else {
            serializer.serialize_f64(self.share())
        }
    }
}

/// Reads, compares, prints.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    data::one_stdin(&arguments.model, &arguments.data)?;
    let model = data::read_model(&arguments.model)?;
    if arguments.stages && model.circuits().len() != 1 {
        bail!("--stages: the circuits of several classes are measured as a whole: leave it out");
    }
    let name = arguments.target.as_deref().unwrap_or(model.target());
    let labelled = arguments.options.read_labelled(&arguments.data, &model, (name, false))?;
    let labels = labelled.known()?;
    let Labelled { frame, .. } = &labelled;
    let source = || frame.source.clone();
    let answers = model.predict(frame).with_context(source)?;
    let weight = |row: usize| frame.weights.as_ref().map_or(WEIGHT_UNIT, |weights| weights[row]);
    let classes = model.classes();
    let mut confusion = vec![vec![0u64; classes.len()]; classes.len()];
    for (row, (&label, &answer)) in labels.iter().zip(&answers).enumerate() {
        confusion[label as usize][answer as usize] += weight(row);
    }
    let right = (0..classes.len()).map(|class| confusion[class][class]).sum();
    let all = confusion.iter().flatten().sum();
    let stage_accuracy = match (model.circuits(), model.positive()) {
        ([circuit], Some(positive)) if arguments.stages || arguments.json => {
            let inputs = model.binarizer().apply(frame).with_context(source)?;
            let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
            let after = |answers: Vec<u64>| {
                let is_right = |&row: &usize| bits::get(&answers, row) == (labels[row] as usize == positive);
                ratio((0..frame.rows).filter(is_right).map(weight).sum(), all)
            };
            Some(prefixes(circuit.stages(), &inputs, bits::words(frame.rows)).map(after).collect())
        }
        _ => None,
    };
    let of_class = |class: usize| confusion.get(class).map_or(0, |row: &Vec<u64>| row.iter().sum::<u64>());
    let majority = (0..classes.len()).rev().max_by_key(|&class| of_class(class)).unwrap_or(0);
    let evaluation = Evaluation {
        rows: frame.rows,
        accuracy: ratio(right, all),
        accuracy_interval: frame.weights.is_none().then(|| interval(right / WEIGHT_UNIT, all / WEIGHT_UNIT)),
        majority: classes.get(majority).map_or("", String::as_str),
        majority_accuracy: ratio(of_class(majority), all),
        balanced_accuracy: balanced(&confusion),
        classes,
        confusion: confusion.iter().map(|row| row.iter().copied().map(Count).collect()).collect(),
        stage_accuracy,
        positive: model.positive(),
    };
    let text = if arguments.json {
        json_line(&evaluation)?
    } else {
        evaluation.lines((&model, name), arguments.stages, Paint::for_stream(&io::stdout()))
    };
    say(&text)
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The exact limits of Clopper and Pearson for a share: each is missed with 2.5 % probability at most.
fn interval(right: u64, rows: u64) -> [f64; 2] {
    let confidence: Confidence = "0.975".parse().unwrap_or_default();
    let at_most = |wrong: u64| ErrorBound::new(Holdout { rows, wrong, confidence }).error_at_most;
    [1.0 - at_most(rows - right), at_most(right)]
}

/// The mean over the classes that occur of the share that is right.
fn balanced(confusion: &[Vec<u64>]) -> f64 {
    let rows = confusion.iter().enumerate().map(|(class, row)| (row[class], row.iter().sum::<u64>()));
    let recalls: Vec<f64> = rows.filter(|(_, all)| *all > 0).map(|(right, all)| ratio(right, all)).collect();
    recalls.iter().sum::<f64>() / recalls.len().max(1) as f64
}

impl Evaluation<'_> {
    fn lines(&self, (model, target): (&Model, &str), stages: bool, paint: Paint) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "rows                {}", count(self.rows, "row"));
        let limits =
            self.accuracy_interval.map(|[from, to]| format!("   95 % confidence: {from:.4} to {to:.4}"));
        let accuracy = paint.bold(&format!("{:.4}", self.accuracy));
        let _ = writeln!(text, "accuracy            {accuracy}{}", limits.unwrap_or_default());
        let always = one_line(format!("always {}", self.majority));
        let _ = writeln!(text, "without a rule      {:.4}   {always}", self.majority_accuracy);
        let _ = writeln!(text, "balanced accuracy   {:.4}", self.balanced_accuracy);
        if self.classes.len() > CLASSES_SHOWN {
            let _ = writeln!(text, "{}: --json has all counts", count(self.classes.len(), "class"));
            return text;
        }
        // Of two classes the positive one comes first.
        let mut order: Vec<usize> = (0..model.classes().len()).collect();
        if self.positive == Some(1) {
            order.reverse();
        }
        // The columns of many classes fit on a line only under short names.
        let few = self.classes.len() <= NAMED;
        let head = |&class: &usize| {
            let name = &self.classes[class];
            one_line(if few { format!("{target} = {name}") } else { name.clone() })
        };
        let corner = if few { String::new() } else { one_line(format!("{target}:")) };
        let mut table = vec![std::iter::once(corner).chain(order.iter().map(head)).collect::<Vec<_>>()];
        for &answer in &order {
            let name = one_line(format!("answer {}", self.classes[answer]));
            let counts = order.iter().map(|&class| self.confusion[class][answer].share().to_string());
            table.push(std::iter::once(name).chain(counts).collect());
        }
        let width = |c: usize| table.iter().map(|line| line[c].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
        text.push('\n');
        for line in &table {
            let _ = write!(text, "{:<first$}", line[0], first = widths[0].max(17));
            for (cell, width) in line.iter().zip(&widths).skip(1) {
                let _ = write!(text, "   {cell:>width$}");
            }
            text.push('\n');
        }
        if stages {
            text.push('\n');
            for (t, accuracy) in self.stage_accuracy.iter().flatten().enumerate() {
                let _ = writeln!(text, "{:<17}   {accuracy:.4}", format!("after stage {}", t + 1));
            }
        }
        text
    }
}
