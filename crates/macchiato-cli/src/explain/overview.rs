//! A model as a whole: its stages, what each corrected, and how much each input matters.

use std::fmt::Write;

use anyhow::Context;
use macchiato::bits;
use macchiato::classifier::{Classifier, Target};
use macchiato::explain::{
    CircuitExplanation, Data, Errors, FeatureInfluence, Matters, ModelExplanation, StageExplanation,
    explain_model,
};
use macchiato::frame::{Columns, Frame};
use macchiato::model::Model;
use macchiato::words::Symbols;

use super::words::{feature, number, percent_of, points, wrapped};
use super::{Arguments, json, subject};
use crate::data::Data as Table;
use crate::learned::Learned;
use crate::paint::Paint;
use crate::progress::Spinner;
use crate::summary::{count, percent};

/// Explains and says it.
pub(super) fn text(arguments: &Arguments, learned: &Learned, paint: Paint) -> anyhow::Result<String> {
    let (explanation, source) = match (&arguments.data, learned) {
        (None, _) => (explain(arguments, learned, None)?, None),
        (Some(path), Learned::Model(model)) => {
            let data = arguments.options.read(path, arguments.quiet)?;
            let inputs = data.inputs(model, &model.circuit().target, arguments.ignore_extra)?;
            let labels: Vec<&[u64]> = labels(&data, model).into_iter().collect();
            let rows = Data { columns: &inputs, labels: &labels, rows: data.table.rows };
            (explain(arguments, learned, Some(&rows))?, Some(data.table.source.clone()))
        }
        (Some(path), Learned::Classifier(classifier)) => {
            let extra = (classifier.target(), arguments.ignore_extra);
            let frame = arguments.options.read_for(path, arguments.quiet, classifier, extra)?;
            let inputs = classifier.binarizer().apply(&frame).with_context(|| frame.source.clone())?;
            let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
            let labels = class_labels(classifier, &frame)?;
            let labels: Vec<&[u64]> = labels.iter().map(Vec::as_slice).collect();
            let rows = Data { columns: &inputs, labels: &labels, rows: frame.rows };
            (explain(arguments, learned, Some(&rows))?, Some(frame.source.clone()))
        }
    };
    if arguments.json {
        return json(&explanation);
    }
    Ok(Lines { arguments, learned, source, paint }.of(&explanation))
}

fn explain(
    arguments: &Arguments,
    learned: &Learned,
    data: Option<&Data<'_>>,
) -> anyhow::Result<ModelExplanation> {
    let budget = arguments.budget()?;
    let _spinner = Spinner::message("counting", arguments.quiet);
    Ok(explain_model(&subject(learned), data, &arguments.options(), &budget)?)
}

/// The target's column, if the data have it.
fn labels<'a>(data: &'a Table, model: &Model) -> Option<&'a [u64]> {
    data.labels(model, &model.circuit().target).ok()
}

/// For each circuit the rows of its class, if the data have the target.
fn class_labels(classifier: &Classifier, frame: &Frame) -> anyhow::Result<Vec<Vec<u64>>> {
    let Some(at) = frame.names.iter().position(|name| name == classifier.target()) else {
        return Ok(Vec::new());
    };
    let values = frame.column(at)?;
    if (0..frame.rows).any(|row| values.is_missing(row)) {
        return Ok(Vec::new());
    }
    let target =
        Target::new(classifier.target(), &values, frame.rows).with_context(|| frame.source.clone())?;
    let of = |class: usize| {
        let mut column = bits::Column::default();
        for &code in target.codes() {
            column.push(classifier.class(&target.classes()[code as usize]) == Some(class));
        }
        column.into_words()
    };
    Ok(classifier.learned().into_iter().map(of).collect())
}

struct Lines<'a> {
    arguments: &'a Arguments,
    learned: &'a Learned,
    source: Option<String>,
    paint: Paint,
}

impl Lines<'_> {
    fn of(&self, explanation: &ModelExplanation) -> String {
        let mut text = String::new();
        if explanation.circuits.is_empty() {
            let _ = writeln!(
                text,
                "{} has one class, whatever the columns are",
                self.paint.bold(&explanation.target)
            );
        }
        for (at, circuit) in explanation.circuits.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            self.circuit(&mut text, circuit, explanation.rows);
        }
        text
    }

    fn circuit(&self, text: &mut String, circuit: &CircuitExplanation, rows: Option<usize>) {
        let target = self.paint.bold(&circuit.target);
        // The target of a classifier's circuit is an equation itself.
        let (is, holds) = match self.learned {
            Learned::Model(_) => ("=", "is 1"),
            Learned::Classifier(_) => ("if", "holds"),
        };
        let formula =
            if circuit.formula.chars().count() <= 96 { &circuit.formula } else { "the XOR of its stages" };
        let _ = writeln!(
            text,
            "{target} {is} {formula}\n{holds} on {}{}",
            points(&circuit.ones),
            self.rows(circuit.rows, rows)
        );
        for stage in &circuit.stages {
            self.stage(text, stage, rows);
        }
        self.influences(text, circuit, rows);
    }

    /// `, and on 7 of the 14 rows of data.csv`.
    fn rows(&self, number: Option<usize>, rows: Option<usize>) -> String {
        match (number, rows, &self.source) {
            (Some(number), Some(rows), Some(source)) => {
                format!(", and on {number} of the {} of {source}", count(rows, "row"))
            }
            _ => String::new(),
        }
    }

    fn stage(&self, text: &mut String, stage: &StageExplanation, rows: Option<usize>) {
        let label = self.paint.bold(&format!("stage {}", stage.stage));
        let _ = writeln!(text, "\n{label}   {}", stage.formula);
        let _ = writeln!(text, "    fires on {}{}", points(&stage.coverage), self.rows(stage.rows, rows));
        if let Some(Errors { before, after, of, training }) = stage.errors {
            let arrow = if self.arguments.options().symbols == Symbols::ASCII { "->" } else { "→" };
            let kind = if training { "training row" } else { "row" };
            let _ = writeln!(text, "    errors {before} {arrow} {after} of {}", count(of, kind));
        }
        if !stage.features.is_empty() {
            let _ = writeln!(text, "    reads {}", wrapped(&stage.features, 10));
        }
    }

    fn influences(&self, text: &mut String, circuit: &CircuitExplanation, rows: Option<usize>) {
        let what = feature(self.learned);
        let (none, some): (Vec<_>, Vec<_>) =
            circuit.features.iter().partition(|feature| feature.matters == Matters::No);
        if let Some(first) = some.first() {
            let on = if rows.is_some() { ", and of the rows," } else { "" };
            let _ = writeln!(
                text,
                "\n{}   share of the {} points{on} whose answer changes with this {what} alone",
                self.paint.bold("influence"),
                number(&first.points.of)
            );
        }
        let width = some.iter().map(|feature| feature.feature.chars().count()).max().unwrap_or(0).min(40);
        for influence in some {
            let _ = writeln!(text, "    {:<width$}   {}", influence.feature, share(influence, rows));
        }
        if !none.is_empty() {
            let names: Vec<String> = none.iter().map(|feature| feature.feature.clone()).collect();
            let label = self.paint.bold("without");
            let never = if names.len() == 1 { "never changes" } else { "never change" };
            let _ =
                writeln!(text, "\n{label}   {}\n          {never} the answer: proven", wrapped(&names, 10));
        }
    }
}

fn share(influence: &FeatureInfluence, rows: Option<usize>) -> String {
    let cube = if let (Some(share), Some(exact)) = (influence.points.share(), influence.points.exact()) {
        format!("{:>8}", percent_of(share, exact))
    } else {
        let (low, high) = influence.points.share_bounds();
        let matters = if influence.matters == Matters::Unknown { "; it may not matter at all" } else { "" };
        format!("{} to {}: not counted, too large{matters}", percent(low), percent(high))
    };
    match (influence.rows, rows) {
        (Some(number), Some(rows)) if rows > 0 => {
            format!("{cube}   {:>8}", percent(number as f64 / rows as f64))
        }
        _ => cube,
    }
}
