//! `macchiato check`: the independent checker's verdict, through the same library as its own program.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use macchiato::check::{Behaviour, check, check_behaviour};
use serde::Serialize;

use crate::output::{Output, json_line};

const AFTER_HELP: &str = "\
Examples:
  macchiato check net.onnx net.cert                    does the file compute the certified circuit?
  macchiato check net.onnx net.cert --rows train.csv   and was it learned as the certificate says?
  macchiato check tuned.onnx net.cert --behaviour      does a fine-tuned network still agree?

Exit codes: 0 accepted, 1 rejected, 2 unreadable or bad usage, 3 undecided (--behaviour).
The program macchiato-check answers the same; it has no dependencies and shares no code with the
learner.";

/// Check a network file against its certificate
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The network file
    network: PathBuf,
    /// Its certificate
    certificate: PathBuf,
    /// The training rows (.csv, .tsv, .pla), to replay the training claims
    #[arg(long, value_name = "DATA")]
    rows: Option<PathBuf>,
    /// For a network that was changed since: does it still equal the circuit on every 0/1 input?
    #[arg(long, conflicts_with = "rows")]
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
struct Summary<'a> {
    /// `accepted`, `rejected`, `unreadable`; with `--behaviour` also `equal`, `differs`, `undecided`.
    verdict: &'a str,
    text: &'a str,
}

/// Reads, asks the checker, says what it says.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let read = |path: &PathBuf| std::fs::read(path).with_context(|| path.display().to_string());
    let (network, certificate) = (read(&arguments.network)?, read(&arguments.certificate)?);
    let rows = arguments.rows.as_ref().map(read).transpose()?;
    let name = arguments.certificate.display().to_string();
    let rows_name = arguments.rows.as_ref().map_or(String::new(), |path| path.display().to_string());
    let (text, code) = if arguments.behaviour {
        match check_behaviour(&certificate, &network) {
            Behaviour::Refused(verdict) => (verdict.report(&name, ""), verdict.exit_code()),
            found => (found.to_string(), found.exit_code()),
        }
    } else {
        let verdict = check(&certificate, &network, rows.as_deref());
        (verdict.report(&name, &rows_name), verdict.exit_code())
    };
    if arguments.json {
        // The verdict is the report's first word.
        let verdict = text.split([':', '\n', ' ']).next().unwrap_or_default();
        let line = json_line(&Summary { verdict, text: text.trim_end() })?;
        Output::Stdout.write(line.as_bytes())?;
    } else if !arguments.quiet {
        Output::Stdout.write(format!("{}\n", text.trim_end()).as_bytes())?;
    }
    Ok(ExitCode::from(code))
}
