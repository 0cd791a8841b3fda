//! `macchiato bounds model`: what rows say about the stages of a model.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::holdout::{ErrorBound, at_most_percent};
use macchiato::bounds::trace::{
    InputReading, Origin, Reading, StageReading, Verdict, looks_like_training, read,
};
use macchiato::model::{ClassCircuit, Confidence, Method, Model};
use macchiato::words::one_line;
use serde::Serialize;

use crate::data::{self, Labelled, ModelDataOptions};
use crate::paint::Paint;
use crate::summary::count;

/// More inputs of a stage are only counted.
const INPUTS_SHOWN: usize = 12;

const AFTER_HELP: &str = "\
Examples:
  macchiato bounds model model.json --rows train.csv           what the training rows prove
  macchiato bounds model model.json --rows fresh.csv --fresh   what rows prove that it has never seen

For every stage and input: pairs of rows that differ in that input alone, how many of them differ in
what the stage had to explain, and limits for the input's influence, all of which hold at once with
the confidence asked for. A stage is certified if they show that its inputs are the ones that all
2^B rows would select. The training rows speak about the first stage alone, since they made what the
later ones had to explain; with `fit --split` every stage had rows of its own, and all are read.

It is assumed that rows are drawn uniformly and that labels are a function of the inputs.";

/// Say which stages of a model are certified by rows
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// Labelled rows with the inputs of the model; `-` is standard input
    #[arg(long, value_name = "DATA")]
    rows: PathBuf,
    /// The model has never seen these rows
    #[arg(long)]
    fresh: bool,
    /// How sure all limits together are
    #[arg(long, value_name = "DECIMAL", default_value_t)]
    confidence: Confidence,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Answer<'a> {
    confidence: Confidence,
    certified: bool,
    names: &'a [String],
    #[serde(flatten)]
    reading: &'a Reading,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
}

/// Reads and prints.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    data::one_stdin(&arguments.model, &arguments.rows)?;
    let model = data::read_model(&arguments.model)?;
    let (Some(circuit), true) = (model.circuits().first(), model.is_plain()) else {
        bail!(
            "{}: its tests of columns depend on each other, so that rows are not uniform over them: `macchiato bounds error` bounds its error",
            arguments.model.display()
        );
    };
    let labelled = arguments.options.read_labelled(&arguments.rows, &model, (model.target(), false))?;
    labelled.known()?;
    let Labelled { frame, labels, .. } = &labelled;
    let rows =
        model.rows(0, frame, labels, frame.weights.as_deref()).with_context(|| frame.source.clone())?;
    if arguments.fresh && looks_like_training(circuit, &rows) {
        bail!(
            "{}: these are the rows that the model was learned from, or look like them: leave --fresh out",
            frame.source
        );
    }
    let origin = if arguments.fresh { Origin::Fresh } else { Origin::Training };
    let reading = read((circuit, model.method()), &rows, origin, arguments.confidence);
    let answer = Answer {
        confidence: arguments.confidence,
        certified: reading.certified(),
        names: circuit.inputs(),
        reading: &reading,
        holdout: model.holdout().copied().map(ErrorBound::new),
    };
    super::answer(arguments.json, &answer, || {
        answer.lines((&model, circuit), Paint::for_stream(&io::stdout()))
    })
}

impl Answer<'_> {
    fn lines(&self, (model, circuit): (&Model, &ClassCircuit), paint: Paint) -> String {
        let reading = self.reading;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "rows         {}, {} distinct; {}",
            reading.rows,
            reading.distinct,
            match reading.origin {
                Origin::Fresh => "said to be new to the model",
                _ => "taken as those that it was learned from (--fresh if not)",
            }
        );
        let _ = writeln!(
            text,
            "limits       of all inputs at once, with {} confidence, if rows are uniform and labels a function",
            self.confidence.percent()
        );
        self.refutation(&mut text);
        for stage in &reading.stages {
            text.push('\n');
            self.stage(&mut text, stage, (model, circuit), paint);
        }
        text.push('\n');
        if let Some(error) = &reading.error {
            let _ = writeln!(text, "error        {error}");
        }
        if let Some(holdout) = &self.holdout {
            let _ = writeln!(text, "error        {holdout}, says the model");
        }
        if reading.error.is_some() || self.holdout.is_some() {
            text.push_str("             and so does every network of it whose certificate is accepted\n");
        }
        text
    }

    fn refutation(&self, text: &mut String) {
        let reading = self.reading;
        if reading.contradictory > 0 {
            let _ = writeln!(
                text,
                "refuted      {} with both labels: they are no function of these inputs",
                count(reading.contradictory, "distinct row"),
            );
        }
        if !reading.skewed.is_empty() {
            let names: Vec<&str> = reading.skewed.iter().map(|&input| self.names[input].as_str()).collect();
            let _ = writeln!(text, "refuted      rows are not uniform: see {}", data::quoted(&names));
        }
    }

    fn stage(
        &self,
        text: &mut String,
        stage: &StageReading,
        (model, circuit): (&Model, &ClassCircuit),
        paint: Paint,
    ) {
        let name = |&input: &usize| self.names[input].as_str();
        let heading = if stage.verdict == Verdict::NoSelection {
            format!("influences of {}", circuit.target())
        } else {
            let selected: Vec<&str> = stage.selected.iter().map(name).collect();
            format!("stage {:<6} {}", stage.stage, selected.join(", "))
        };
        let _ = writeln!(text, "{}", paint.bold(&heading));
        self.table(text, stage);
        let _ = writeln!(text, "             {}", verdict(stage, model));
        if let Some(error) = stage.error_at_most {
            let _ = writeln!(
                text,
                "             with rows of its own: the circuit up to here errs on at most {} of all points",
                at_most_percent(error)
            );
        }
    }

    /// The selected inputs, then the others of greatest upper limit.
    fn table(&self, text: &mut String, stage: &StageReading) {
        if stage.inputs.is_empty() {
            return;
        }
        let selected = |input: usize| stage.selected.binary_search(&input).is_ok();
        let mut order: Vec<(usize, &InputReading)> = stage.inputs.iter().enumerate().collect();
        order.sort_by(|(a, x), (b, y)| {
            let inside = selected(*b).cmp(&selected(*a));
            inside.then(y.limits.high.total_cmp(&x.limits.high)).then(a.cmp(b))
        });
        let shown = &order[..order.len().min(INPUTS_SHOWN)];
        let width =
            shown.iter().map(|(input, _)| self.names[*input].chars().count()).max().unwrap_or(0).max(5);
        let _ = writeln!(
            text,
            "             {:<width$}   {:>9}   {:>9}   {:>9}   between",
            "input", "pairs", "differ", "influence"
        );
        for (input, reading) in shown {
            let _ = writeln!(
                text,
                "           {} {:<width$}   {:>9}   {:>9}   {:>9.4}   {}",
                if selected(*input) { "*" } else { " " },
                one_line(self.names[*input].as_str()),
                reading.seen.pairs,
                reading.seen.differing,
                reading.seen.value(),
                if reading.census {
                    "known: all pairs were seen".to_owned()
                } else {
                    format!("{:.4} and {:.4}", reading.limits.low, reading.limits.high)
                },
            );
        }
        if order.len() > shown.len() {
            let _ = writeln!(text, "             and {}", count(order.len() - shown.len(), "more input"));
        }
    }
}

fn verdict(stage: &StageReading, model: &Model) -> String {
    let tau = match model.method() {
        Method::Paper(params) => params.tau.to_string(),
        _ => "0".to_owned(),
    };
    match stage.verdict {
        Verdict::Certified => {
            format!("certified: all rows there are would select these inputs (tau = {tau})")
        }
        Verdict::NotCertified { times_pairs, rows, from_tau } => {
            let mut text = "not certified".to_owned();
            if let Some(tau) = from_tau {
                // Rounded up, so that it does.
                let _ = write!(text, "; with tau = {:.4} it would be", (tau * 1e4).ceil() / 1e4);
            }
            let _ = match (times_pairs, rows) {
                (None, _) => write!(text, "; no number of rows with such shares would do"),
                (Some(_), None) => {
                    write!(text, "; some inputs have no pairs yet, so nobody can tell how many rows would do")
                }
                (Some(times), Some(rows)) => {
                    write!(
                        text,
                        "; about {rows:.0} distinct rows probably would ({times:.1} times the pairs)"
                    )
                }
            };
            text
        }
        Verdict::NeedsFreshRows => {
            "not read: made from these rows; give rows that the model has never seen, and --fresh".to_owned()
        }
        Verdict::NoSelection => {
            "no stages that were chosen by influence, so no selection to certify".to_owned()
        }
        Verdict::Refuted => "not certified: the rows refute what is assumed".to_owned(),
        _ => "not certified".to_owned(),
    }
}
