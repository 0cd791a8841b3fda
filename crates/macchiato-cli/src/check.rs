//! `macchiato check`: the independent checker's verdict, through the same library as its own program.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use macchiato::check::{Verdict, check};
use serde::Serialize;

use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  macchiato check net.onnx net.cert                    does the file compute the certified circuit?
  macchiato check net.onnx net.cert --rows train.csv   and was it learned as the certificate says?

Exit codes: 0 accepted, 1 rejected, 2 unreadable or bad usage. The program macchiato-check answers
the same; it is small, has no dependencies, and shares no code with the learner.";

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
    verdict: &'static str,
    text: &'a str,
}

/// Reads, asks the checker, says what it says.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let read = |path: &PathBuf| std::fs::read(path).with_context(|| path.display().to_string());
    let (network, certificate) = (read(&arguments.network)?, read(&arguments.certificate)?);
    let rows = arguments.rows.as_ref().map(read).transpose()?;
    let verdict = check(&certificate, &network, rows.as_deref());
    let (name, code) = match &verdict {
        Verdict::Accepted(_) => ("accepted", 0),
        Verdict::Rejected { .. } => ("rejected", 1),
        Verdict::Unreadable { .. } => ("unreadable", 2),
    };
    let text = verdict.to_string();
    if arguments.json {
        let mut line = serde_json::to_vec(&Summary { verdict: name, text: text.trim_end() })?;
        line.push(b'\n');
        Output::Stdout.write(&line)?;
    } else if !arguments.quiet {
        Output::Stdout.write(format!("{}\n", text.trim_end()).as_bytes())?;
    }
    Ok(ExitCode::from(code))
}
