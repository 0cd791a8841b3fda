//! `macchiato bounds error`: how often a model errs at most, by rows that it has never seen.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::holdout::{ErrorBound, at_most_percent, rows_at_rate, rows_without_error};
use macchiato::bounds::trace::looks_like_training;
use macchiato::model::{Confidence, Holdout};
use macchiato::rows::WEIGHT_UNIT;
use serde::Serialize;

use crate::data::{self, Labelled, ModelDataOptions};

const AFTER_HELP: &str = "\
Examples:
  macchiato bounds error --wrong 12 --of 1000             12 of 1000 fresh rows were wrong
  macchiato bounds error model.json fresh.csv             count them
  macchiato bounds error --wrong 0 --of 100 --below 0.01  and how many rows would show 1 %?

The bound is exact (Clopper and Pearson) and holds for any model, any distribution and noisy labels,
as long as the rows are independent draws of what the model will meet, and nothing was learned or
chosen by looking at them. `fit --holdout` takes care of that by itself.";

/// Bound how often a model errs, by fresh rows
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    #[arg(requires = "data", required_unless_present = "of", conflicts_with_all = ["wrong", "of"])]
    model: Option<PathBuf>,
    /// Labelled rows that the model has never seen; `-` is standard input
    data: Option<PathBuf>,
    /// Rows that were wrong, instead of a model and rows
    #[arg(long, value_name = "N", requires = "of")]
    wrong: Option<u64>,
    /// Rows that were looked at
    #[arg(long, value_name = "N", requires = "wrong")]
    of: Option<u64>,
    /// How sure the bound is
    #[arg(long, value_name = "DECIMAL", default_value_t)]
    confidence: Confidence,
    /// Also say how many rows would show that the error is at most this
    #[arg(long, value_name = "SHARE")]
    below: Option<f64>,
    /// Column with the labels [default: the model's target]
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    bound: ErrorBound,
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<Below>,
}

#[derive(Serialize)]
struct Below {
    error: f64,
    /// Rows without an error that show it.
    rows_without_error: Option<u64>,
    /// Rows that show it if errors stay as frequent as they were; none if they are too frequent.
    rows_at_this_rate: Option<u64>,
}

/// Counts, bounds, prints.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(below) = arguments.below.filter(|below| !(*below > 0.0 && *below < 1.0)) {
        bail!("--below {below}: give a share between 0 and 1, such as 0.01");
    }
    let holdout = match (&arguments.model, &arguments.data, arguments.wrong, arguments.of) {
        (Some(model), Some(data), ..) => arguments.count(model, data)?,
        (_, _, Some(wrong), Some(rows)) => {
            if rows == 0 {
                bail!("--of 0: without rows nothing is known");
            }
            if wrong > rows {
                bail!("--wrong {wrong} is more than --of {rows}");
            }
            Holdout { rows, wrong, confidence: arguments.confidence }
        }
        _ => bail!("give a model and rows, or --wrong and --of"),
    };
    let below = arguments.below.map(|error| Below {
        error,
        rows_without_error: rows_without_error(error, arguments.confidence),
        rows_at_this_rate: rows_at_rate((holdout.wrong, holdout.rows), error, arguments.confidence),
    });
    let answer = Answer { bound: ErrorBound::new(holdout), below };
    super::answer(arguments.json, &answer, || answer.lines())
}

impl Arguments {
    /// The rows of `data` that the model at `model` gets wrong.
    fn count(&self, model: &Path, data: &Path) -> anyhow::Result<Holdout> {
        data::one_stdin(model, data)?;
        let model = data::read_model(model)?;
        let target = self.target.as_deref().unwrap_or(model.target());
        let Labelled { frame, labels, .. } = self.options.read_labelled(data, &model, (target, false))?;
        let source = frame.source.clone();
        for (c, circuit) in model.circuits().iter().enumerate() {
            let rows = model.rows(c, &frame, &labels, frame.weights.as_deref());
            if looks_like_training(circuit, &rows.with_context(|| source.clone())?) {
                bail!(
                    "{source}: these are the rows that the model was learned from, or look like them: only rows that it has never seen bound its error"
                );
            }
        }
        let answers = model.predict(&frame).with_context(|| source.clone())?;
        // A class that the model has never seen is always wrong.
        let wrong = answers.iter().zip(&labels).map(|(&answer, &label)| label != Some(answer));
        let weights = &frame.weights;
        let mut holdout = Holdout { rows: 0, wrong: 0, confidence: self.confidence };
        for (row, wrong) in wrong.enumerate() {
            let weight = weights.as_ref().map_or(WEIGHT_UNIT, |weights| weights[row]);
            if !weight.is_multiple_of(WEIGHT_UNIT) {
                bail!(
                    "{source}: row {} has the weight {}, which is no number of rows: only whole weights can be counted",
                    row + 1,
                    weight as f64 / WEIGHT_UNIT as f64
                );
            }
            holdout.rows += weight / WEIGHT_UNIT;
            holdout.wrong += u64::from(wrong) * (weight / WEIGHT_UNIT);
        }
        if holdout.rows == 0 {
            bail!("{source}: no rows: without rows nothing is known");
        }
        Ok(holdout)
    }
}

impl Answer {
    fn lines(&self) -> String {
        let mut text = format!("{}\n", self.bound);
        let Some(below) = &self.below else { return text };
        // Writing to a string cannot fail.
        let _ = write!(text, "to show at most {}: ", at_most_percent(below.error));
        let _ = match below.rows_without_error {
            Some(rows) => write!(text, "{rows} rows without an error"),
            None => write!(text, "more rows without an error than anybody has"),
        };
        let _ = match below.rows_at_this_rate {
            Some(rows) => writeln!(text, ", or about {rows} with errors as frequent as here"),
            None => writeln!(text, "; with errors as frequent as here, no number"),
        };
        text
    }
}
