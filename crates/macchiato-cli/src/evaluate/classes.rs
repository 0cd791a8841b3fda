//! `macchiato evaluate` of a classifier: how often each class is told from each other one.

use std::fmt::Write;
use std::io;

use anyhow::{Context, bail};
use macchiato::classifier::Classifier;
use macchiato::rows::WEIGHT_UNIT;
use macchiato::words::one_line;
use serde::Serialize;

use super::Arguments;
use crate::output::json_line;
use crate::paint::Paint;
use crate::summary::count;
use crate::terminal::say;
use crate::typed::take_target;

/// A confusion table of more classes is left to `--json`.
const CLASSES_SHOWN: usize = 12;

/// The fields of `--json`.
#[derive(Debug, Serialize)]
struct Evaluation<'a> {
    rows: usize,
    accuracy: f64,
    balanced_accuracy: f64,
    classes: &'a [String],
    /// For each class, how its rows were answered.
    confusion: Vec<Vec<f64>>,
}

/// Reads, compares, prints.
pub(super) fn run(arguments: &Arguments, classifier: &Classifier) -> anyhow::Result<()> {
    if arguments.stages {
        bail!("--stages: the circuits of a classifier are measured as a whole: leave it out");
    }
    let name = arguments.target.as_deref().unwrap_or(classifier.target());
    let extra = (name, arguments.ignore_extra);
    let mut frame = arguments.options.read_for(&arguments.data, arguments.quiet, classifier, extra)?;
    let source = frame.source.clone();
    if !frame.names.iter().any(|column| column == name) {
        bail!("{source}: no column {name:?} to compare with: name the one with the labels after --target");
    }
    let answers = classifier.predict(&frame).with_context(|| source.clone())?;
    let target = take_target(&mut frame, Some(name))?;
    let classes = classifier.classes();
    let places: Vec<Option<usize>> = target.classes().iter().map(|class| classifier.class(class)).collect();
    let mut confusion = vec![vec![0u64; classes.len()]; classes.len()];
    for (row, (&code, &answer)) in target.codes().iter().zip(&answers).enumerate() {
        let Some(label) = places[code as usize] else {
            let (class, row) = (&target.classes()[code as usize], row + 1);
            bail!("{source}: row {row}: {class:?} is none of the classifier's classes in column {name:?}");
        };
        let weight = frame.weights.as_ref().map_or(WEIGHT_UNIT, |weights| weights[row]);
        confusion[label][answer as usize] += weight;
    }
    let share = |millionths: u64| millionths as f64 / WEIGHT_UNIT as f64;
    let evaluation = Evaluation {
        rows: frame.rows,
        accuracy: ratio(
            (0..classes.len()).map(|class| confusion[class][class]).sum(),
            confusion.iter().flatten().sum(),
        ),
        balanced_accuracy: balanced(&confusion),
        classes,
        confusion: confusion.iter().map(|row| row.iter().copied().map(share).collect()).collect(),
    };
    let text = if arguments.json {
        json_line(&evaluation)?
    } else {
        evaluation.lines(name, Paint::for_stream(&io::stdout()))
    };
    say(&text)
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The mean over the classes that occur of the share that is right.
fn balanced(confusion: &[Vec<u64>]) -> f64 {
    let rows = confusion.iter().enumerate().map(|(class, row)| (row[class], row.iter().sum::<u64>()));
    let recalls: Vec<f64> = rows.filter(|(_, all)| *all > 0).map(|(right, all)| ratio(right, all)).collect();
    recalls.iter().sum::<f64>() / recalls.len().max(1) as f64
}

impl Evaluation<'_> {
    fn lines(&self, target: &str, paint: Paint) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "rows                {}", count(self.rows, "row"));
        let _ = writeln!(text, "accuracy            {}", paint.bold(&format!("{:.4}", self.accuracy)));
        let _ = writeln!(text, "balanced accuracy   {:.4}", self.balanced_accuracy);
        if self.classes.len() > CLASSES_SHOWN {
            let _ = writeln!(text, "{}: --json has all counts", count(self.classes.len(), "class"));
            return text;
        }
        let head = self.classes.iter().map(|class| one_line(format!("{target} = {class}")));
        let mut table = vec![std::iter::once(String::new()).chain(head).collect::<Vec<_>>()];
        for (answer, class) in self.classes.iter().enumerate() {
            let counts = self.confusion.iter().map(|row| row[answer].to_string());
            table.push(std::iter::once(one_line(format!("answer {class}"))).chain(counts).collect());
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
        text
    }
}
