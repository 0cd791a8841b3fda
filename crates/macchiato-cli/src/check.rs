//! `macchiato check`: the independent checker's verdict, through the same library as its own program, and what can be said beyond it:
//! whether the names are a model's, and whether the layers of a network that reads a table are the certified ones.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use macchiato::certify::{check_raw, tie};
use macchiato::check::{self, Certificate, Files, Summary, Verdict, check, read_at_most};
use macchiato::circuit::{Circuit, CircuitError};
use macchiato::model::Model;
use macchiato::network::{CompileOptions, RawFile, RawNumbers, alike, compile, to_raw_onnx};
use macchiato::replay::{Behaviour, Refusal, Replayed, check_behaviour, replay, rows_length};
use serde::Serialize;

use crate::data::read_model;
use crate::output::{is_broken_pipe, json_line};
use crate::terminal::{Layout, say, visible};

const AFTER_HELP: &str = "\
Examples:
  macchiato check net.onnx net.cert                    does the file compute the certified circuit?
  macchiato check net.onnx net.cert --model model.json and are its names and tests those of the model?
  macchiato check net.onnx net.cert --rows train.csv   and was it learned as the certificate says?
  macchiato check table.onnx net.cert --model m.json   a network of `compile --raw`: its layers and its tests
  macchiato check tuned.onnx net.cert --behaviour      does a fine-tuned network still agree?

Acceptance is about places, input 0 and output 0: what they are called is the certificate's word, unless --model compares the
names with those of a model. It is about float32: runtimes that compute in TF32 or bfloat16 may answer otherwise. --behaviour
accepts a file only if it equals the circuit in float32, in whichever order a runtime adds.

Exit codes: 0 accepted, 1 rejected, 2 unreadable or bad usage, 3 undecided (--behaviour); whoever reads the output, or does not.
The program macchiato-check answers the question without options; it has no dependencies and shares no code with the learner.
--rows and --behaviour are answered by macchiato-replay, which is not part of the proof.";

/// Check a network file against its certificate
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The network file
    network: PathBuf,
    /// Its certificate
    certificate: PathBuf,
    /// The model whose names, circuits and tests these must be
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The training rows (.csv, .tsv, .pla), to replay the training claims
    #[arg(long, value_name = "DATA")]
    rows: Option<PathBuf>,
    /// For a network that was changed since: does it still equal the circuit on every 0/1 input, in float32?
    #[arg(long, conflicts_with_all = ["rows", "model"])]
    behaviour: bool,
    /// Print one JSON object: verdict, and where and why
    #[arg(long)]
    json: bool,
    /// Say nothing: the exit code is the answer
    #[arg(short, long)]
    quiet: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Object<'a> {
    /// `accepted`, `rejected` or `unreadable`; with `--behaviour` also `undecided`.
    verdict: &'a str,
    text: &'a str,
}

/// Bytes that a network may have beyond the certified one: tests in front of it, or what a training tool notes.
const BEYOND: u64 = 64 << 20;

/// Reads, asks the checker, says what it says.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let files = Files::read(&arguments.network, &arguments.certificate, BEYOND)?;
    let model = arguments.model.as_deref().map(read_model).transpose()?;
    let rows = arguments.rows.as_deref().map(|path| read_at_most(path, rows_length(&files.certificate)));
    let rows = rows.transpose()?;
    let name = arguments.certificate.display().to_string();
    let rows_name = arguments.rows.as_ref().map_or(String::new(), |path| path.display().to_string());
    let refused = |refusal: &Refusal| (one_line(&refusal.report(&name, &rows_name)), refusal.exit_code());
    let (text, code) = if arguments.behaviour {
        match check_behaviour(&files.certificate, &files.network) {
            Behaviour::Refused(refusal) => refused(&refusal),
            found => (found.to_string(), found.exit_code()),
        }
    } else {
        match judge(&files, rows.as_deref(), model.as_ref())? {
            (verdict @ Verdict::Accepted(_), more) => {
                match rows.map(|rows| replay(&files.certificate, &rows)) {
                    None => (verdict.report(&name) + &more, verdict.exit_code()),
                    Some(Ok(replayed)) => {
                        (with(&verdict.report(&name), replayed) + &more, verdict.exit_code())
                    }
                    Some(Err(refusal)) => refused(&refusal),
                }
            }
            (verdict, _) => (one_line(&verdict.report(&name)), verdict.exit_code()),
        }
    };
    let printed = if arguments.json {
        // The verdict is the report's first word.
        let verdict = text.split([':', '\n', ' ']).next().unwrap_or_default();
        let line = json_line(&Object { verdict, text: text.trim_end() })?;
        say(&line)
    } else if arguments.quiet {
        Ok(())
    } else {
        say(&format!("{}\n", text.trim_end()))
    };
    match printed {
        // The exit code is the verdict, also where nobody reads the words.
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(ExitCode::from(code)),
    }
}

/// Only an acceptance has several lines: what a file says in the reason of another verdict adds none.
fn one_line(text: &str) -> String {
    visible(text.trim_end(), Layout::Line).into_owned()
}

/// The report of an acceptance with what the rows showed in place of its line about training.
fn with(report: &str, replayed: Replayed) -> String {
    let mut lines: Vec<&str> = report.lines().filter(|line| !line.starts_with("  training")).collect();
    let replayed = replayed.to_string();
    lines.push(&replayed);
    lines.join("\n") + "\n"
}

/// The checker's verdict, turned where more was asked and does not hold; and what is to be said besides.
fn judge(files: &Files, rows: Option<&[u8]>, model: Option<&Model>) -> anyhow::Result<(Verdict, String)> {
    let Files { certificate, network } = files;
    let raw = match RawFile::read(network) {
        Ok(raw) => raw,
        Err(error) => return Ok((rejected("network", &error), String::new())),
    };
    let verdict = match &raw {
        Some(_) if rows.is_some() => {
            bail!(
                "--rows replays training on bits, and this network reads a table: check the network without --raw"
            )
        }
        Some(raw) => check_raw(certificate, network, raw),
        None => check(certificate, network),
    };
    let Verdict::Accepted(summary) = verdict else { return Ok((verdict, String::new())) };
    Ok(match beyond(&summary, files, raw.as_ref(), model) {
        Ok(more) => (Verdict::Accepted(summary), more),
        Err(verdict) => (verdict, String::new()),
    })
}

/// What the checker does not look at: names that could be mistaken for one another, a model's names, circuits and tests.
fn beyond(
    summary: &Summary,
    files: &Files,
    raw: Option<&RawFile<'_>>,
    model: Option<&Model>,
) -> Result<String, Verdict> {
    let names = |at: usize| &summary.outputs[at].0;
    if let Some((first, second)) = alike(summary.outputs.iter().map(|(name, _)| name.as_str())) {
        let why =
            format!("{:?} looks the same as {:?}, the name of output {first}", names(second), names(first));
        return Err(rejected(format!("output {second}"), &why));
    }
    let Some(model) = model else {
        let around = "  around       tests in front of the certified layers, classes behind: not checked; --model\n               compares them with a model's\n";
        return Ok(raw.map_or(String::new(), |_| around.to_owned()));
    };
    let certificate = Certificate::read(&files.certificate)?;
    let certified = check::Circuit::of(&certificate)?;
    let tied = |circuit: Result<Circuit, CircuitError>| {
        let circuit = circuit.map_err(|error| rejected("model", &error))?;
        tie(&certificate, &certified, &circuit).map_err(|error| rejected("model", &error))
    };
    // The network was compiled from the circuit, or with claims about its training from the stages as they were learned.
    tied(model.circuit()).or_else(|_| tied(model.stages_circuit()))?;
    let mut more = "  model        names and circuits are those of the model\n".to_owned();
    if let Some(raw) = raw {
        // What stands around does not depend on how the layers are built.
        let circuit = model.circuit().map_err(|error| rejected("model", &error))?;
        let own = compile(&circuit, &CompileOptions::default()).map_err(|error| rejected("model", &error))?;
        let mut same = false;
        for numbers in [RawNumbers::Float64, RawNumbers::Float32] {
            let own = to_raw_onnx(&own.network, model, numbers).map_err(|error| rejected("model", &error))?;
            same |= matches!(RawFile::read(&own), Ok(Some(own)) if raw.is_around_as(&own));
        }
        if !same {
            return Err(rejected("around", "what stands around the certified layers is not the model's"));
        }
        more += "  around       tests in front of the certified layers, classes behind: those of the model\n";
    }
    Ok(more)
}

fn rejected(place: impl Into<String>, why: &(impl ToString + ?Sized)) -> Verdict {
    Verdict::Rejected { where_: place.into(), why: why.to_string() }
}
