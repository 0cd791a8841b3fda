//! `macchiato ask`: which rows to label so that the inputs that matter are certified with the fewest labels.

mod answers;
mod state;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bounds::active::{Outcome, Place, Question, Session};
use macchiato::bounds::binomial::Interval;
use macchiato::model::Confidence;
use serde::Serialize;

use crate::clash;
use crate::interrupt::Interrupt;
use crate::memory::MemoryOptions;
use crate::output::{Output, json_line};
use crate::summary::count;
use crate::terminal::{remark, say};

/// More inputs are only counted.
const INPUTS_SHOWN: usize = 12;

const AFTER_HELP: &str = "\
Examples:
  macchiato ask study.json --inputs 20 -k 3 --smallest 0.05 --out ask.csv
                                                 begin: ask.csv holds the rows to label
  macchiato ask study.json --answers ask.csv --out ask.csv
                                                 take the labels in column y, and ask on
  macchiato ask study.json                       what is known so far

For somebody who can measure any row: a simulator, a machine, a patient's doctor. Label the rows of
ask.csv by filling in the last column, in any order; those left empty are asked for again. Then give
the file back, until it is certified which at most K inputs have the greatest influence above tau.

With tau = 0 no number of labels shows that an input does nothing at all; --smallest says below which
influence it may be left out. Labels must be a function of the inputs: rows that contradict each
other are refused. docs/bounds.md says what is proven, and how.";

/// Ask for the labels that certify which inputs matter
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file that keeps the question and all labels so far; appears whole or not at all
    state: PathBuf,
    /// Begin a question about a function of this many inputs
    #[arg(long, value_name = "B", requires = "k", conflicts_with = "answers")]
    inputs: Option<usize>,
    /// Inputs to select at most
    #[arg(short, requires = "inputs")]
    k: Option<usize>,
    /// Select only inputs whose influence is above this [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "inputs")]
    tau: Option<f64>,
    /// Smallest influence that matters: inputs below it may be left out
    #[arg(long, value_name = "NUMBER", requires = "inputs")]
    smallest: Option<f64>,
    /// How sure the answer is [default: 0.95]
    #[arg(long, value_name = "DECIMAL", requires = "inputs")]
    confidence: Option<Confidence>,
    /// Seed of the rows [default: 0]
    #[arg(long, value_name = "N", requires = "inputs")]
    seed: Option<u64>,
    /// Labelled rows: the columns x1, x2, ... and y, which may be empty
    #[arg(long, value_name = "CSV")]
    answers: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryOptions,
    /// Where the rows to label go
    #[arg(short, long, value_name = "CSV")]
    out: Option<PathBuf>,
    /// Rows to ask for at once, at most
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Answer<'a> {
    question: &'a Question,
    certified: bool,
    census: bool,
    selected: Vec<String>,
    labels: usize,
    pairs: u64,
    asked: usize,
    inputs: Vec<InputAnswer>,
}

#[derive(Serialize)]
struct InputAnswer {
    name: String,
    place: Place,
    #[serde(flatten)]
    limits: Interval,
}

/// The name of an input.
fn name(input: usize) -> String {
    format!("x{}", input + 1)
}

/// Begins or goes on, and says where things stand.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.out.as_deref() == Some(Path::new("-")) && arguments.json {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    if arguments.out.as_deref().is_some_and(|out| out == arguments.state) {
        bail!("{}: the rows to label would replace the state: name another file", arguments.state.display());
    }
    // The answers may be the sheet that is replaced by the next one.
    clash::refuse(&[], &[("the state", Some(&arguments.state)), ("--out", arguments.out.as_deref())])?;
    let mut session = match arguments.question() {
        Some(question) => {
            if arguments.state.exists() {
                bail!(
                    "{}: there is a question already: go on with --answers, or name another file",
                    arguments.state.display()
                );
            }
            Session::new(question)?
        }
        None => state::read(&arguments.state)?,
    };
    // Checked before the answers are taken: nobody should label rows again because of a full disk.
    let changed = arguments.inputs.is_some() || arguments.answers.is_some();
    let state = changed.then(|| Output::prepare(&arguments.state)).transpose()?;
    let out = arguments.out.as_deref().map(Output::prepare).transpose()?;
    if let Some(path) = &arguments.answers {
        answers::take(path, arguments.memory.limit(), &mut session)?;
    }
    let outcome = session.outcome();
    let wanted = session.wanted(arguments.batch as usize);
    let to_stderr = matches!(out, Some(Output::Stdout));
    let asked = if out.is_some() { wanted.len() } else { 0 };
    let text = state.is_some().then(|| state::write(&session)).transpose()?;
    Interrupt::install()?.shielded(|| {
        if let (Some(state), Some(text)) = (state, text) {
            state.write(text.as_bytes())?;
        }
        // A file that was answered in full is not asked for again.
        out.filter(|_| !wanted.is_empty())
            .map_or(Ok(()), |out| out.write(answers::sheet(&wanted, session.question().inputs).as_bytes()))
    })?;
    if arguments.json {
        let answer = Answer {
            question: session.question(),
            certified: outcome.certified,
            census: outcome.census,
            selected: outcome.selected().into_iter().map(name).collect(),
            labels: outcome.labels,
            pairs: outcome.pairs,
            asked,
            inputs: (0..outcome.places.len())
                .map(|input| InputAnswer {
                    name: name(input),
                    place: outcome.places[input],
                    limits: outcome.intervals[input],
                })
                .collect(),
        };
        return say(&json_line(&answer)?);
    }
    let text = lines(session.question(), &outcome, asked, arguments.out.as_deref());
    if to_stderr {
        remark(&text);
        return Ok(());
    }
    say(&text)
}

impl Arguments {
    /// The question, where one is begun.
    fn question(&self) -> Option<Question> {
        let (inputs, k) = (self.inputs?, self.k?);
        Some(Question {
            inputs,
            k,
            tau: self.tau.unwrap_or(0.0),
            smallest: self.smallest,
            risk: self.confidence.unwrap_or_default().risk(),
            seed: self.seed.unwrap_or(0),
        })
    }
}

fn lines(question: &Question, outcome: &Outcome, asked: usize, out: Option<&Path>) -> String {
    let mut text = format!("labels      {} known", outcome.labels);
    // Writing to a string cannot fail.
    let _ = match out {
        Some(out) if asked > 0 => writeln!(text, ", {asked} more asked for in {}", out.display()),
        _ => writeln!(text),
    };
    for (place, word) in [(Place::In, "in"), (Place::Out, "out"), (Place::Open, "open")] {
        let mut inputs: Vec<usize> =
            (0..question.inputs).filter(|&input| outcome.places[input] == place).collect();
        inputs.sort_by(|&a, &b| outcome.intervals[b].high.total_cmp(&outcome.intervals[a].high));
        let shown = |&input: &usize| {
            let Interval { low, high } = outcome.intervals[input];
            if outcome.census {
                format!("{} ({low:.4})", name(input))
            } else {
                format!("{} ({low:.3} to {high:.3})", name(input))
            }
        };
        let list: Vec<String> = inputs.iter().take(INPUTS_SHOWN).map(shown).collect();
        let more = inputs.len() - list.len();
        match list.chunks(3).map(|three| three.join(", ")).collect::<Vec<_>>() {
            chunks if chunks.is_empty() => {}
            chunks => {
                let more =
                    if more > 0 { format!(" and {}", count(more, "more input")) } else { String::new() };
                let _ = writeln!(text, "{word:<11} {}{more}", chunks.join(",\n            "));
            }
        }
    }
    let sure = (1e6 * (1.0 - question.risk)).round() / 1e4;
    let _ = match (outcome.certified, outcome.census) {
        (true, true) => {
            writeln!(text, "certified   by all 2^{} points: nothing is left to chance", question.inputs)
        }
        (true, false) => writeln!(text, "certified   with {sure} % confidence{}", proviso(question)),
        (false, _) => writeln!(text, "next        label the rows, and give them back with --answers"),
    };
    text
}

/// What must be said with a selection that leaves small influences out.
fn proviso(question: &Question) -> String {
    match question.smallest {
        Some(smallest) => {
            format!(", provided that no influence is above {} and below {smallest}", question.tau)
        }
        None => String::new(),
    }
}

/// A message that begins with the file.
fn at(path: &Path) -> String {
    path.display().to_string()
}

/// Reads a file whole.
fn slurp(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| at(path))
}
