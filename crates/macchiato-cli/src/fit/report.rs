//! What is said about a fit: the rule and how it was found for a person, one JSON object for a program.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use macchiato::bounds::holdout::ErrorBound;
use macchiato::fit::{Decision, Shape, Stop};
use macchiato::model::{Holdout, Method, Model};
use macchiato::words::{Symbols, one_line};
use serde::Serialize;

use crate::evidence;
use crate::example;
use crate::formula::Formula;
use crate::paint::Paint;
use crate::summary::{count, percent};

/// A circuit with more terms is left to `show`.
pub(super) const TERMS_SHOWN: usize = 40;

/// A longer list of stages is cut.
const STAGES_SHOWN: usize = 20;

/// More unused inputs are only counted.
pub(super) const NAMES_SHOWN: usize = 8;

/// The fields of `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    inputs: usize,
    rows: usize,
    target: &'a str,
    method: &'static str,
    parameters: &'a Method,
    train_accuracy: f64,
    stop: Stop,
    interrupted: bool,
    seconds: f64,
    terms: usize,
    literals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'a Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
    stages: Vec<StageSummary<'a>>,
}

#[derive(Debug, Serialize)]
struct StageSummary<'a> {
    inputs: Vec<&'a str>,
    terms: usize,
    literals: usize,
    errors_before: usize,
    errors_after: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<Shape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<u64>,
}

impl<'a> Summary<'a> {
    pub(super) fn new(model: &'a Model, elapsed: Duration) -> Self {
        let trace = model.trace();
        let stages = trace.stages.iter().map(|stage| {
            let (shape, against) = evidence::of_stage(stage);
            StageSummary {
                inputs: stage.inputs.iter().map(|&input| model.inputs()[input].as_str()).collect(),
                terms: stage.terms,
                literals: stage.literals,
                errors_before: stage.errors_before,
                errors_after: stage.errors_after,
                shape,
                against,
            }
        });
        Self {
            inputs: model.inputs().len(),
            rows: trace.data.rows,
            target: model.target(),
            method: model.method().name(),
            parameters: model.method(),
            train_accuracy: trace.accuracy(),
            stop: trace.stop,
            interrupted: trace.stop == Stop::Interrupted,
            seconds: elapsed.as_secs_f64(),
            terms: model.terms(),
            literals: model.literals(),
            decision: trace.decision.as_ref(),
            holdout: model.holdout().copied().map(ErrorBound::new),
            stages: stages.collect(),
        }
    }
}

/// The report for a person.
pub(super) struct Report<'a> {
    pub(super) model: &'a Model,
    pub(super) elapsed: Duration,
    pub(super) example: bool,
    pub(super) out: Option<&'a Path>,
}

impl Report<'_> {
    /// All of it, for `stream`.
    pub(super) fn lines(&self, stream: &impl IsTerminal) -> String {
        let paint = Paint::for_stream(stream);
        let mut text = String::new();
        if self.example {
            text.push_str(STORY);
        }
        text.push_str(&self.data());
        text.push('\n');
        text.push_str(&self.rule(paint));
        text.push('\n');
        text.push_str(&self.closing(paint));
        if self.example {
            text.push_str(&self.next());
        }
        text
    }

    fn data(&self) -> String {
        let data = &self.model.trace().data;
        let share = percent(data.positive as f64 / data.rows as f64);
        let mut text = format!(
            "rows      {}{} of {}; {} is 1 on {} ({share})\n",
            data.rows,
            if data.weighted { " weighted" } else { "" },
            count(self.model.inputs().len(), "input"),
            one_line(self.model.target()),
            data.positive,
        );
        if data.distinct < data.rows {
            let _ = writeln!(text, "          {} are repetitions", data.rows - data.distinct);
        }
        if data.contradictory > 0 {
            let _ = writeln!(
                text,
                "          {} distinct rows occur with both labels, {} of them equally often",
                data.contradictory, data.tied
            );
        }
        let _ = writeln!(text, "method    {}", self.model.method());
        text
    }

    fn rule(&self, paint: Paint) -> String {
        let (formula, stages) = (Formula::of_model(self.model, Symbols::UNICODE), self.model.stages());
        if self.model.terms() <= TERMS_SHOWN {
            return formula.circuit(self.model.coverage(), paint);
        }
        let mut text = String::new();
        for (t, stage) in self.model.trace().stages.iter().enumerate().take(STAGES_SHOWN) {
            let heading = formula.heading(t, paint);
            let _ = writeln!(text, "{heading}   {}", paint.dim(&count(stage.terms, "term")));
        }
        if stages.len() > STAGES_SHOWN {
            let _ = writeln!(text, "and {} more", count(stages.len() - STAGES_SHOWN, "stage"));
        }
        let place = self.out.map_or("MODEL".to_owned(), |path| path.display().to_string());
        let keep = if self.out.is_some() { "" } else { " after --out MODEL" };
        let _ = writeln!(
            text,
            "\n{} with {}: `macchiato show {place}`{keep} prints them",
            count(self.model.terms(), if stages.is_empty() { "gate" } else { "term" }),
            count(self.model.literals(), "literal"),
        );
        text
    }

    fn closing(&self, paint: Paint) -> String {
        let trace = self.model.trace();
        let right = trace.data.rows - trace.errors;
        let accuracy = paint.green(&percent(trace.accuracy()));
        let mut text =
            format!("right     {accuracy} of the training rows ({right} of {})\n", trace.data.rows);
        if self.example {
            let (right, all) = example::right_everywhere(self.model.circuit());
            let _ = writeln!(
                text,
                "          and on {right} of all {all} situations, of which it saw {}",
                trace.data.distinct
            );
        }
        text.push_str(&error(self.model.holdout()));
        text.push_str(&self.unused());
        if let Some(decision) = &trace.decision {
            let _ = writeln!(text, "decided   {}", evidence::decided(decision));
        }
        let seconds = self.elapsed.as_secs_f64();
        let stages = steps(self.model);
        let _ = writeln!(text, "stopped   after {stages}, {seconds:.3} s: {}", trace.stop.reason());
        if let Some(undone) = trace.undone() {
            text.push_str("          the circuit is valid; more time might make it better\n");
            let _ = writeln!(text, "          {undone}");
        }
        if trace.stop == Stop::NoActiveInput && trace.stages.is_empty() && trace.errors > 0 {
            text.push_str(
                "          influences need rows that differ in one input alone; --select random does not\n",
            );
        }
        let idle = trace.stages.iter().rev().take_while(|stage| !stage.changed).count();
        if idle > 0 && matches!(self.model.method(), Method::Paper(_)) {
            let last =
                if idle == 1 { "the last stage".to_owned() } else { format!("the last {idle} stages") };
            let _ = writeln!(text, "stuck     {last} changed nothing: a greater -k may explain more");
        }
        if let Some(path) = self.out {
            let _ = writeln!(text, "model     {}", path.display());
        }
        text
    }

    /// Which inputs the circuit does without.
    fn unused(&self) -> String {
        let (inputs, read) = (self.model.inputs(), self.model.support());
        let unused: Vec<&str> = (0..inputs.len())
            .filter(|input| read.binary_search(input).is_err())
            .map(|input| inputs[input].as_str())
            .collect();
        match unused.len() {
            0 => String::new(),
            few @ 1..=NAMES_SHOWN => format!("unused    {}: {}\n", count(few, "input"), unused.join(", ")),
            many => format!("unused    {}\n", count(many, "input")),
        }
    }

    fn next(&self) -> String {
        let place = self.out.map_or("light.json".to_owned(), |path| path.display().to_string());
        let show = format!("show {place}");
        let keep = ("fit --example --out light.json", "keep the rule as a file");
        let more = [
            (show.as_str(), "read it again"),
            ("fit YOUR.csv", "your own rows, 0/1 or yes/no, the target last"),
            (GEN, ""),
            ("fit train.pla --out model.json", "find the rule of 5 inputs hidden among 12"),
            ("evaluate model.json test.pla", "is it right on rows that it never saw?"),
        ];
        let mut text = "\nNext:\n".to_owned();
        for (command, what) in self.out.is_none().then_some(keep).into_iter().chain(more) {
            let line = format!("  macchiato {command:<30}   {what}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

/// What the circuit was made of.
pub(super) fn steps(model: &Model) -> String {
    match model.trace().stages.len() {
        0 if model.terms() > 0 => count(model.terms(), "gate"),
        stages => count(stages, "stage"),
    }
}

/// What held-out rows say, where there are any.
pub(super) fn error(holdout: Option<&Holdout>) -> String {
    holdout.map_or(String::new(), |holdout| format!("error     {}\n", ErrorBound::new(*holdout)))
}

const GEN: &str =
    "gen junta --inputs 12 --support 5 --rows 600 --out train.pla \\\n      --test test.pla --test-rows full";

const STORY: &str = "\
What turns on the light on the landing? Somebody kept a list for 120 evenings: two switches,
upstairs and downstairs, whether it was dark, whether somebody moved, and four things more.

";
