//! `macchiato evaluate`: how often a model is right, overall, by class and after each stage.

mod classes;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use clap::Args;
use macchiato::bits;
use macchiato::model::Model;
use macchiato::rows::WEIGHT_UNIT;
use macchiato::stage::prefixes;
use macchiato::words::one_line;
use serde::Serialize;

use crate::data::{self, DataOptions};
use crate::learned::Learned;
use crate::output::json_line;
use crate::paint::Paint;
use crate::summary::count;
use crate::terminal::say;

const AFTER_HELP: &str = "\
Examples:
  macchiato evaluate model.json test.csv              accuracy and confusion counts
  macchiato evaluate model.json test.csv --stages     accuracy after each stage
  macchiato evaluate model.json test.csv --json | jq .accuracy

Balanced accuracy is the mean of the accuracies on the rows with label 1 and with label 0.
With --weight, every row counts with its weight.";

/// Measure how often a model is right on labelled rows
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
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
    options: DataOptions,
    /// Also print the accuracy after each stage
    #[arg(long)]
    stages: bool,
    /// Pass over columns that are no inputs of the model
    #[arg(long)]
    ignore_extra: bool,
    /// Print one JSON object: `rows`, `accuracy`, `balanced_accuracy`, `confusion`, `stage_accuracy`
    #[arg(long)]
    json: bool,
    /// No progress on standard error
    #[arg(short, long)]
    quiet: bool,
}

/// The fields of `--json`.
#[derive(Debug, Serialize)]
struct Evaluation {
    rows: usize,
    accuracy: f64,
    balanced_accuracy: f64,
    confusion: Confusion,
    stage_accuracy: Vec<f64>,
}

/// Rows, or their weights, by label and answer.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(clippy::struct_field_names)] // These are their names.
struct Confusion {
    #[serde(serialize_with = "number")]
    true_positive: f64,
    #[serde(serialize_with = "number")]
    false_positive: f64,
    #[serde(serialize_with = "number")]
    true_negative: f64,
    #[serde(serialize_with = "number")]
    false_negative: f64,
}

/// Counts of rows are whole numbers; weights need not be.
// serde asks for a reference, and nothing is negative here.
#[allow(clippy::trivially_copy_pass_by_ref, clippy::cast_sign_loss)]
fn number<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 {
        serializer.serialize_u64(*value as u64)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// Reads, compares, prints.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    data::one_stdin(&arguments.model, &arguments.data)?;
    let model = match Learned::read(&arguments.model)? {
        Learned::Model(model) => model,
        Learned::Classifier(classifier) => return classes::run(arguments, &classifier),
    };
    let target = arguments.target.as_deref().unwrap_or(model.target());
    let data = arguments.options.read(&arguments.data, arguments.quiet)?;
    let labels = data.labels(&model, target)?;
    let inputs = data.inputs(&model, target, arguments.ignore_extra)?;
    let votes = Votes { labels, rows: data.table.rows, weights: data.table.weights.as_deref() };
    let evaluation = Evaluation::new(&model, &inputs, &votes);
    let text = if arguments.json {
        json_line(&evaluation)?
    } else {
        evaluation.lines(&model, arguments.stages, Paint::for_stream(&io::stdout()))
    };
    say(&text)
}

/// The labels and what they count.
struct Votes<'a> {
    labels: &'a [u64],
    rows: usize,
    weights: Option<&'a [u64]>,
}

impl Votes<'_> {
    /// Rows with `label` and `answer`, or their weight.
    fn count(&self, answers: &[u64], label: bool, answer: bool) -> f64 {
        let flip = |wanted: bool| if wanted { 0 } else { u64::MAX };
        let (label, answer) = (flip(label), flip(answer));
        let mut both: Vec<u64> =
            self.labels.iter().zip(answers).map(|(l, a)| (l ^ label) & (a ^ answer)).collect();
        if let Some(last) = both.last_mut() {
            *last &= bits::last_mask(self.rows);
        }
        match self.weights {
            None => bits::count(&both) as f64,
            Some(weights) => {
                bits::ones(&both).map(|row| weights[row]).sum::<u64>() as f64 / WEIGHT_UNIT as f64
            }
        }
    }

    fn confusion(&self, answers: &[u64]) -> Confusion {
        Confusion {
            true_positive: self.count(answers, true, true),
            false_positive: self.count(answers, false, true),
            true_negative: self.count(answers, false, false),
            false_negative: self.count(answers, true, false),
        }
    }
}

impl Confusion {
    fn accuracy(&self) -> f64 {
        let right = self.true_positive + self.true_negative;
        right / (right + self.false_positive + self.false_negative)
    }

    /// The mean over the labels that occur.
    fn balanced_accuracy(&self) -> f64 {
        let recall = |right: f64, wrong: f64| (right + wrong > 0.0).then(|| right / (right + wrong));
        let recalls = [
            recall(self.true_positive, self.false_negative),
            recall(self.true_negative, self.false_positive),
        ];
        recalls.iter().flatten().sum::<f64>() / recalls.iter().flatten().count().max(1) as f64
    }
}

impl Evaluation {
    fn new(model: &Model, inputs: &[&[u64]], votes: &Votes<'_>) -> Self {
        let words = bits::words(votes.rows);
        let last = votes.confusion(&model.predict(inputs, votes.rows));
        let after = |answers: Vec<u64>| votes.confusion(&answers).accuracy();
        let stage_accuracy = prefixes(model.stages(), inputs, words).map(after).collect();
        Self {
            rows: votes.rows,
            accuracy: last.accuracy(),
            balanced_accuracy: last.balanced_accuracy(),
            confusion: last,
            stage_accuracy,
        }
    }

    fn lines(&self, model: &Model, stages: bool, paint: Paint) -> String {
        let target = one_line(model.target());
        let Confusion { true_positive, false_positive, true_negative, false_negative } = self.confusion;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "rows                {}", count(self.rows, "row"));
        let _ = writeln!(text, "accuracy            {}", paint.bold(&format!("{:.4}", self.accuracy)));
        let _ = writeln!(text, "balanced accuracy   {:.4}", self.balanced_accuracy);
        let table = [
            [String::new(), format!("{target} = 1"), format!("{target} = 0")],
            ["answer 1".to_owned(), true_positive.to_string(), false_positive.to_string()],
            ["answer 0".to_owned(), false_negative.to_string(), true_negative.to_string()],
        ];
        let width = |c: usize| table.iter().map(|line| line[c].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(1), width(2));
        text.push('\n');
        for [name, one, zero] in &table {
            let _ = writeln!(text, "{name:<17}   {one:>first$}   {zero:>second$}");
        }
        if stages {
            text.push('\n');
            for (t, accuracy) in self.stage_accuracy.iter().enumerate() {
                let _ = writeln!(text, "{:<17}   {accuracy:.4}", format!("after stage {}", t + 1));
            }
        }
        text
    }
}
