//! `macchiato export`: a model's circuit in the formats of other tools, with an output for each class of several.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use macchiato::export::{self, ExportError, ExportFormat};
use serde::Serialize;

use crate::clash;
use crate::data::read_model;
use crate::output::{Output, json_line};
use crate::terminal::{remark, say};

const AFTER_HELP: &str = "\
Examples:
  macchiato export model.json --to verilog --out rule.v
  macchiato export model.json --to aiger --out rule.aig        binary; .aag is ASCII
  macchiato export model.json --to svg --out rule.svg
  macchiato export model.json --to c --out -                   to standard output";

/// Write a model's circuit for another tool
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(ExportFormat::ALL.map(ExportFormat::name)))]
    to: String,
    /// Where it goes; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object: format, bytes, and the number of AND gates where the format has them
    #[arg(long)]
    json: bool,
    /// No summary on standard error
    #[arg(short, long)]
    quiet: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary {
    format: &'static str,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    and_gates: Option<usize>,
}

/// Reads, converts, writes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.json && arguments.out == Path::new("-") {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    let named =
        ExportFormat::from_name(&arguments.to).with_context(|| format!("no format {:?}", arguments.to))?;
    // The text form of AIGER has a name of its own; its file ending asks for it just as well.
    let ascii = arguments.out.extension().is_some_and(|ending| ending == "aag");
    let format = if named == ExportFormat::AigerBinary && ascii { ExportFormat::AigerAscii } else { named };
    clash::refuse(&[Some(&arguments.model)], &[("--out", Some(&arguments.out))])?;
    let out = Output::prepare(&arguments.out)?;
    let model = read_model(&arguments.model)?;
    if model.circuits().is_empty() {
        bail!("{}: this model has one class and no circuit", arguments.model.display());
    }
    let place = || arguments.model.display().to_string();
    let circuit = model.circuit().with_context(place)?;
    let mut bytes = Vec::new();
    let mut report = export::write(&circuit, format, &mut bytes);
    if let (Err(ExportError::NotTwoLevel { .. }), Ok(stages)) = (&report, model.stages_circuit()) {
        // A count of many inputs was learned as terms.
        bytes.clear();
        report = export::write(&stages, format, &mut bytes).or(report);
    }
    let report = report.with_context(|| arguments.out.display().to_string())?;
    out.deliver(&bytes)?;
    let summary = Summary { format: format.name(), bytes: bytes.len(), and_gates: report.and_gates };
    if arguments.json {
        let line = json_line(&summary)?;
        return say(&line);
    }
    if !arguments.quiet {
        let gates = summary.and_gates.map_or(String::new(), |gates| format!(", {gates} AND gates"));
        remark(&format!("{:<12} {} bytes{gates}\n", summary.format, summary.bytes));
    }
    Ok(())
}
