//! `macchiato show` of a classifier: the rule of each class in the words of the table.

use std::fmt::Write;
use std::io;

use anyhow::Context;
use macchiato::bounds::holdout::ErrorBound;
use macchiato::classifier::Classifier;
use macchiato::words::Symbols;
use serde::Serialize;

use super::{Arguments, Summary, error, head, summary};
use crate::formula::Formula;
use crate::output::json_line;
use crate::paint::Paint;
use crate::summary::count;
use crate::terminal::say;

/// The fields of `--json`.
#[derive(Serialize)]
struct Shown<'a> {
    target: &'a str,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    columns: Vec<&'a str>,
    bits: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
    models: Vec<Summary<'a>>,
}

/// Reads and prints.
pub(super) fn run(arguments: &Arguments, classifier: &Classifier) -> anyhow::Result<()> {
    let symbols = if arguments.ascii { Symbols::ASCII } else { Symbols::UNICODE };
    let models = classifier.models();
    let (rows, seen): (Vec<Vec<usize>>, _) = match &arguments.rows {
        None => (models.iter().map(|model| model.coverage().to_vec()).collect(), None),
        Some(path) => {
            let extra = (classifier.target(), arguments.ignore_extra);
            let frame = arguments.options.read_for(path, arguments.quiet, classifier, extra)?;
            let bits = classifier.binarizer().apply(&frame).with_context(|| frame.source.clone())?;
            let bits: Vec<&[u64]> = bits.iter().map(Vec::as_slice).collect();
            let held = |model: &macchiato::model::Model| model.learned().coverage(&bits, frame.rows);
            (models.iter().map(held).collect(), Some((frame.rows, frame.source.clone())))
        }
    };
    if arguments.json {
        let one = |(model, rows): (_, &Vec<usize>)| {
            let formula = Formula::of_class(classifier, model, symbols);
            let total = seen.as_ref().map_or(formula.model.trace().data.rows, |(total, _)| *total);
            summary(formula, rows, total)
        };
        let binarizer = classifier.binarizer();
        let shown = Shown {
            target: classifier.target(),
            classes: classifier.classes(),
            positive: classifier.positive().map(|positive| classifier.classes()[positive].as_str()),
            columns: binarizer.columns().iter().map(|column| column.name.as_str()).collect(),
            bits: binarizer.names(),
            holdout: classifier.holdout().copied().map(ErrorBound::new),
            models: models.iter().zip(&rows).map(one).collect(),
        };
        return say(&json_line(&shown)?);
    }
    let paint = Paint::for_stream(&io::stdout());
    let mut text = String::new();
    if models.is_empty() {
        let (name, class) = (classifier.target(), &classifier.classes()[0]);
        let _ = writeln!(text, "{} = {class}, whatever the columns are", paint.bold(name));
    }
    if let Some((total, source)) = &seen {
        let _ = writeln!(text, "counting the {} of {source} for each term", count(*total, "row"));
    }
    let bound = error(classifier.holdout());
    if !bound.is_empty() {
        let _ = write!(text, "{}, all classes together\n{bound}\n", paint.bold(classifier.target()));
    }
    for (m, (model, rows)) in models.iter().zip(&rows).enumerate() {
        if m > 0 {
            text.push('\n');
        }
        text.push_str(&head(model, paint));
        let _ = write!(text, "\n{}", Formula::of_class(classifier, model, symbols).circuit(rows, paint));
    }
    say(&text)
}
