//! What is said about a classifier: its rules for a person, one JSON object for a program.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use macchiato::bounds::holdout::ErrorBound;
use macchiato::classifier::{Classifier, Target};
use macchiato::fit::Stop;
use macchiato::model::{Method, Model};
use macchiato::words::{Symbols, one_line};
use serde::Serialize;

use super::report::{self, NAMES_SHOWN, TERMS_SHOWN};
use crate::evidence;
use crate::formula::Formula;
use crate::paint::Paint;
use crate::summary::{count, percent};

/// The fields of `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    columns: usize,
    bits: usize,
    rows: usize,
    target: &'a str,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    train_accuracy: f64,
    interrupted: bool,
    seconds: f64,
    terms: usize,
    literals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
    /// As without a classifier, one for each circuit.
    models: Vec<report::Summary<'a>>,
}

impl<'a> Summary<'a> {
    pub(super) fn new(classifier: &'a Classifier, target: &Target, right: usize, elapsed: Duration) -> Self {
        let models = classifier.models();
        let rows = target.codes().len();
        Self {
            columns: classifier.binarizer().columns().len(),
            bits: classifier.binarizer().bits().len(),
            rows,
            target: classifier.target(),
            classes: classifier.classes(),
            positive: classifier.positive().map(|positive| classifier.classes()[positive].as_str()),
            train_accuracy: right as f64 / rows as f64,
            interrupted: models.iter().any(is_interrupted),
            seconds: elapsed.as_secs_f64(),
            terms: models.iter().map(Model::terms).sum(),
            literals: models.iter().map(Model::literals).sum(),
            holdout: classifier.holdout().copied().map(ErrorBound::new),
            models: models.iter().map(|model| report::Summary::new(model, elapsed)).collect(),
        }
    }
}

fn is_interrupted(model: &Model) -> bool {
    model.trace().stop == Stop::Interrupted
}

/// The report for a person.
pub(super) struct Report<'a> {
    pub(super) classifier: &'a Classifier,
    pub(super) target: &'a Target,
    pub(super) method: &'a Method,
    pub(super) weighted: bool,
    /// Training rows that are predicted as they are.
    pub(super) right: usize,
    pub(super) elapsed: Duration,
    pub(super) out: Option<&'a Path>,
}

impl Report<'_> {
    /// All of it, for `stream`.
    pub(super) fn lines(&self, stream: &impl IsTerminal) -> String {
        let paint = Paint::for_stream(stream);
        format!("{}\n{}\n{}", self.data(), self.rules(paint), self.closing(paint))
    }

    fn data(&self) -> String {
        let binarizer = self.classifier.binarizer();
        let codes = self.target.codes();
        let mut counts = vec![0usize; self.target.classes().len()];
        for &code in codes {
            counts[code as usize] += 1;
        }
        let (name, classes) = (self.target.name(), self.classifier.classes());
        let share = |class: usize| {
            format!("{} ({})", counts[class], percent(counts[class] as f64 / codes.len() as f64))
        };
        let spread = match (self.classifier.positive(), classes.len()) {
            (Some(positive), _) => format!("{name} is {} on {}", classes[positive], share(positive)),
            (None, 1) => format!("{name} is {} on all of them", classes[0]),
            (None, many) => {
                let largest = (0..many).rev().max_by_key(|&class| counts[class]).unwrap_or(0);
                format!("{name} has {many} classes, the largest {} on {}", classes[largest], share(largest))
            }
        };
        let spread = one_line(spread);
        format!(
            "rows      {}{} of {}, seen as {}; {spread}\nmethod    {}\n",
            codes.len(),
            if self.weighted { " weighted" } else { "" },
            count(binarizer.columns().len(), "column"),
            count(binarizer.bits().len(), "bit"),
            self.method,
        )
    }

    fn rules(&self, paint: Paint) -> String {
        let models = self.classifier.models();
        if models.is_empty() {
            let (name, class) = (self.target.name(), &self.classifier.classes()[0]);
            return format!("{}, whatever the columns are\n", paint.bold(&format!("{name} = {class}")));
        }
        let terms: usize = models.iter().map(Model::terms).sum();
        if terms <= TERMS_SHOWN {
            let circuit = |model: &Model| {
                let formula = Formula::of_class(self.classifier, model, Symbols::UNICODE);
                formula.circuit(model.coverage(), paint)
            };
            return models.iter().map(circuit).collect::<Vec<_>>().join("\n");
        }
        let mut text = String::new();
        for model in models {
            let _ = writeln!(
                text,
                "{}   {}, {} wrong",
                paint.bold(model.target()),
                model.size(),
                count(model.trace().errors, "row"),
            );
        }
        let place = self.out.map_or("MODEL".to_owned(), |path| path.display().to_string());
        let keep = if self.out.is_some() { "" } else { " after --out MODEL" };
        let _ = writeln!(text, "\n{}: `macchiato show {place}`{keep} prints them", count(terms, "term"));
        text
    }

    fn closing(&self, paint: Paint) -> String {
        let rows = self.target.codes().len();
        let accuracy = paint.green(&percent(self.right as f64 / rows as f64));
        let mut text = format!("right     {accuracy} of the training rows ({} of {rows})\n", self.right);
        text.push_str(&report::error(self.classifier.holdout()));
        text.push_str(&self.unused());
        let models = self.classifier.models();
        let seconds = self.elapsed.as_secs_f64();
        if let [model] = models {
            if let Some(decision) = &model.trace().decision {
                let _ = writeln!(text, "decided   {}", evidence::decided(decision));
            }
            let stages = report::steps(model);
            let reason = model.trace().stop.reason();
            let _ = writeln!(text, "stopped   after {stages}, {seconds:.3} s: {reason}");
        } else {
            let _ = writeln!(text, "stopped   after {}, {seconds:.3} s", count(models.len(), "circuit"));
        }
        if models.iter().any(is_interrupted) {
            text.push_str(
                "          it was interrupted: the rules are valid; more time might make them better\n",
            );
            let mut undone: Vec<&str> = models.iter().filter_map(|model| model.trace().undone()).collect();
            undone.dedup();
            for undone in undone {
                let _ = writeln!(text, "          {undone}");
            }
        }
        if let Some(path) = self.out {
            let _ = writeln!(text, "model     {}", path.display());
        }
        text
    }

    /// Which columns the circuits do without.
    fn unused(&self) -> String {
        let binarizer = self.classifier.binarizer();
        let mut read = vec![false; binarizer.columns().len()];
        for input in self.classifier.models().iter().flat_map(Model::support) {
            read[binarizer.bits()[input].column] = true;
        }
        let columns = binarizer.columns().iter().zip(&read);
        let unused: Vec<&str> =
            columns.filter(|(_, read)| !**read).map(|(column, _)| column.name.as_str()).collect();
        match unused.len() {
            0 => String::new(),
            few @ 1..=NAMES_SHOWN => format!("unused    {}: {}\n", count(few, "column"), unused.join(", ")),
            many => format!("unused    {}\n", count(many, "column")),
        }
    }
}
