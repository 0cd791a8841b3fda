//! What is said about a fit: the rule and how it was found for a person, one JSON object for a program.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use macchiato::bounds::holdout::ErrorBound;
use macchiato::fit::{Decision, Shape, Stop};
use macchiato::model::{ClassCircuit, Method, Model, Target};
use macchiato::words::{Symbols, one_line};
use serde::Serialize;

use crate::evidence;
use crate::example;
use crate::formula::{Formula, Held};
use crate::paint::Paint;
use crate::summary::{count, percent, what_it_reads};

/// A circuit with more terms is left to `show`.
const TERMS_SHOWN: usize = 40;

/// A longer list of stages is cut.
const STAGES_SHOWN: usize = 20;

/// More unused columns are only counted.
const NAMES_SHOWN: usize = 8;

/// The fields of `--json`.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    columns: usize,
    tests: usize,
    rows: usize,
    target: &'a str,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    method: &'static str,
    parameters: &'a Method,
    train_accuracy: f64,
    interrupted: bool,
    seconds: f64,
    terms: usize,
    literals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
    circuits: Vec<CircuitSummary<'a>>,
}

/// One circuit.
#[derive(Debug, Serialize)]
struct CircuitSummary<'a> {
    target: &'a str,
    train_accuracy: f64,
    stop: Stop,
    terms: usize,
    literals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'a Decision>,
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
    pub(super) fn new(model: &'a Model, (right, rows): (usize, usize), elapsed: Duration) -> Self {
        let (binarizer, circuits) = (model.binarizer(), model.circuits());
        Self {
            columns: binarizer.columns().len(),
            tests: binarizer.bits().len(),
            rows,
            target: model.target(),
            classes: model.classes(),
            positive: model.positive().map(|positive| model.classes()[positive].as_str()),
            method: model.method().name(),
            parameters: model.method(),
            train_accuracy: right as f64 / rows as f64,
            interrupted: circuits.iter().any(is_interrupted),
            seconds: elapsed.as_secs_f64(),
            terms: circuits.iter().map(ClassCircuit::terms).sum(),
            literals: circuits.iter().map(ClassCircuit::literals).sum(),
            holdout: model.holdout().copied().map(ErrorBound::new),
            circuits: circuits.iter().map(CircuitSummary::new).collect(),
        }
    }
}

impl<'a> CircuitSummary<'a> {
    fn new(class: &'a ClassCircuit) -> Self {
        let trace = class.trace();
        let stages = trace.stages.iter().map(|stage| {
            let (shape, against) = evidence::of_stage(stage);
            StageSummary {
                inputs: stage.inputs.iter().map(|&input| class.inputs()[input].as_str()).collect(),
                terms: stage.terms,
                literals: stage.literals,
                errors_before: stage.errors_before,
                errors_after: stage.errors_after,
                shape,
                against,
            }
        });
        Self {
            target: class.target(),
            train_accuracy: trace.accuracy(),
            stop: trace.stop,
            terms: class.terms(),
            literals: class.literals(),
            decision: trace.decision.as_ref(),
            stages: stages.collect(),
        }
    }
}

fn is_interrupted(class: &ClassCircuit) -> bool {
    class.trace().stop == Stop::Interrupted
}

/// The report for a person.
pub(super) struct Report<'a> {
    pub(super) model: &'a Model,
    pub(super) target: &'a Target,
    /// Training rows that are predicted as they are, and how many count.
    pub(super) right: (usize, usize),
    /// For each circuit, the training rows that its gates hold on.
    pub(super) held: Vec<Held>,
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
        text.push_str(&self.rules(paint));
        text.push('\n');
        text.push_str(&self.closing(paint));
        if self.example {
            text.push_str(&self.next());
        }
        text
    }

    fn data(&self) -> String {
        let (model, target, rows) = (self.model, self.target, self.right.1);
        let classes = target.classes();
        let mut counts = vec![0usize; classes.len()];
        target.codes().iter().for_each(|&code| counts[code as usize] += 1);
        let all = target.codes().len();
        let share =
            |class: usize| format!("{} ({})", counts[class], percent(counts[class] as f64 / all as f64));
        let positive = model.positive().map(|positive| &model.classes()[positive]);
        let positive = positive.and_then(|class| classes.iter().position(|other| other == class));
        let spread = match (positive, classes.len()) {
            (Some(positive), _) => format!("is {} on {}", classes[positive], share(positive)),
            (None, 1) => format!("is {} on all of them", classes[0]),
            (None, many) => {
                let largest = (0..many).rev().max_by_key(|&class| counts[class]).unwrap_or(0);
                format!("has {many} classes, the largest {} on {}", classes[largest], share(largest))
            }
        };
        let spread = one_line(format!("{} {spread}", target.name()));
        let data = model.circuits().first().map(|class| &class.trace().data);
        let weighted = if data.is_some_and(|data| data.weighted) { " weighted" } else { "" };
        let mut text = format!("rows      {rows}{weighted} of {}; {spread}\n", what_it_reads(model));
        // What repeats in the tests of a table need not repeat in the table.
        if let Some(data) = data.filter(|_| model.is_plain()) {
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
        }
        let _ = writeln!(text, "method    {}", model.method());
        text
    }

    fn rules(&self, paint: Paint) -> String {
        let circuits = self.model.circuits();
        let terms: usize = circuits.iter().map(ClassCircuit::terms).sum();
        let formula = |class| Formula::new(self.model, class, Symbols::UNICODE);
        if circuits.is_empty() {
            let name = format!("{} = {}", self.target.name(), self.model.classes()[0]);
            return format!("{}, whatever the columns are\n", paint.bold(&name));
        }
        if terms <= TERMS_SHOWN {
            let circuits =
                circuits.iter().zip(&self.held).map(|(class, held)| formula(class).circuit(held, paint));
            return circuits.collect::<Vec<_>>().join("\n");
        }
        let mut text = String::new();
        if let [class] = circuits {
            for (t, stage) in class.trace().stages.iter().enumerate().take(STAGES_SHOWN) {
                let heading = formula(class).heading(t, paint);
                let _ = writeln!(text, "{heading}   {}", paint.dim(&count(stage.terms, "term")));
            }
            if class.stages().len() > STAGES_SHOWN {
                let more = class.stages().len() - STAGES_SHOWN;
                let _ = writeln!(text, "and {} more", count(more, "stage"));
            }
        } else {
            for class in circuits {
                let wrong = count(class.trace().errors, "row");
                let target = paint.bold(class.target());
                let _ = writeln!(text, "{target}   {}, {wrong} wrong", class.size());
            }
        }
        let place = self.out.map_or("MODEL".to_owned(), |path| path.display().to_string());
        let keep = if self.out.is_some() { "" } else { " after --out MODEL" };
        let staged = circuits.iter().any(|class| !class.stages().is_empty());
        let _ = writeln!(
            text,
            "\n{} with {}: `macchiato show {place}`{keep} prints them",
            count(terms, if staged { "term" } else { "gate" }),
            count(circuits.iter().map(ClassCircuit::literals).sum(), "literal"),
        );
        text
    }

    fn closing(&self, paint: Paint) -> String {
        let ((right, rows), circuits) = (self.right, self.model.circuits());
        let accuracy = paint.green(&percent(right as f64 / rows as f64));
        let mut text =
            format!("right     {accuracy} of the training rows ({right} of {rows}){}\n", self.beside());
        if let ([class], true) = (circuits, self.example) {
            let (right, all) = example::right_everywhere(class.circuit());
            let _ = writeln!(
                text,
                "          and on {right} of all {all} situations, of which it saw {}",
                class.trace().data.distinct
            );
        }
        if let Some(holdout) = self.model.holdout() {
            let _ = writeln!(text, "error     {}", ErrorBound::new(*holdout));
        }
        text.push_str(&self.unused());
        let seconds = self.elapsed.as_secs_f64();
        if let [class] = circuits {
            let trace = class.trace();
            if let Some(decision) = &trace.decision {
                let _ = writeln!(text, "decided   {}", evidence::decided(decision));
            }
            let reason = trace.stop.reason();
            let _ = writeln!(text, "stopped   after {}, {seconds:.3} s: {reason}", steps(class));
        } else {
            let _ = writeln!(text, "stopped   after {}, {seconds:.3} s", count(circuits.len(), "circuit"));
        }
        let mut undone: Vec<&str> = circuits.iter().filter_map(|class| class.trace().undone()).collect();
        undone.dedup();
        if !undone.is_empty() {
            let it = if circuits.len() == 1 {
                "circuit is valid; more time might make it"
            } else {
                "circuits are valid; more time might make them"
            };
            let _ = writeln!(text, "          the {it} better");
            for undone in undone {
                let _ = writeln!(text, "          {undone}");
            }
        }
        for class in circuits {
            self.stuck(&mut text, class);
        }
        if let Some(path) = self.out {
            let _ = writeln!(text, "model     {}", path.display());
        }
        text
    }

    /// What always answering the most frequent class gets right.
    fn beside(&self) -> String {
        let classes = self.target.classes();
        let mut counts = vec![0usize; classes.len()];
        self.target.codes().iter().for_each(|&code| counts[code as usize] += 1);
        let most = (0..classes.len()).rev().max_by_key(|&class| counts[class]).unwrap_or(0);
        let share = counts.get(most).copied().unwrap_or(0) as f64 / self.target.codes().len().max(1) as f64;
        if classes.len() < 2 {
            return String::new();
        }
        one_line(format!("; always {}: {}", classes[most], percent(share)))
    }

    /// What may help where the paper's method got nowhere.
    fn stuck(&self, text: &mut String, class: &ClassCircuit) {
        let trace = class.trace();
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
    }

    /// Which columns the circuits do without.
    fn unused(&self) -> String {
        let binarizer = self.model.binarizer();
        let mut read = vec![false; binarizer.columns().len()];
        for input in self.model.circuits().iter().flat_map(ClassCircuit::support) {
            read[binarizer.bits()[input].column] = true;
        }
        let columns = binarizer.columns().iter().zip(&read);
        let unused: Vec<&str> =
            columns.filter(|(_, read)| !**read).map(|(column, _)| column.name.as_str()).collect();
        let what = if self.model.is_plain() { "input" } else { "column" };
        match unused.len() {
            0 => String::new(),
            few @ 1..=NAMES_SHOWN => format!("unused    {}: {}\n", count(few, what), unused.join(", ")),
            many => format!("unused    {}\n", count(many, what)),
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
fn steps(class: &ClassCircuit) -> String {
    match class.trace().stages.len() {
        0 if class.terms() > 0 => count(class.terms(), "gate"),
        stages => count(stages, "stage"),
    }
}

const GEN: &str =
    "gen junta --inputs 12 --support 5 --rows 600 --out train.pla \\\n      --test test.pla --test-rows full";

const STORY: &str = "\
What turns on the light on the landing? Somebody kept a list for 120 evenings: two switches,
upstairs and downstairs, whether it was dark, whether somebody moved, and four things more.

";
