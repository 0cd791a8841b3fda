//! `macchiato export`: a model's circuit in the formats of other tools, with an output for each class of several; and the whole model, from
//! the columns of a table to classes and probabilities, as SQL.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use macchiato::export::sql::{self, Dialect, Give, Query};
use macchiato::export::{self, ExportError, ExportFormat, ExportReport, vnnlib};
use macchiato::model::Model;
use macchiato::network::{CompileOptions, compile, to_onnx};
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
  macchiato export model.json --to c --out -                   to standard output
  macchiato export model.json --to sql --dialect duckdb --table \"'rows.parquet'\" --keep id --out predict.sql
  macchiato export model.json --to vnnlib --out questions      a folder: the network, and what a verifier is to prove of it";

/// The format that starts from a table's columns, not from the tests of them.
const SQL: &str = "sql";

/// The format that is a folder of files.
const VNNLIB: &str = "vnnlib";

/// Write a model's circuit for another tool
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(ExportFormat::ALL.map(ExportFormat::name).into_iter().chain([SQL, VNNLIB])))]
    to: String,
    /// With `--to sql`: the engine that runs it
    #[arg(long, value_name = "ENGINE", value_parser = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name)))]
    dialect: Option<String>,
    /// With `--to sql`: what stands after FROM, as the engine reads it
    #[arg(long, value_name = "SQL", default_value = "rows")]
    table: String,
    /// With `--to sql`: a column that the result has besides the prediction, once for each; by default those that the model was learned from
    #[arg(long, value_name = "COLUMN")]
    keep: Vec<String>,
    /// With `--to sql`: the prediction alone, as an expression to be used in other queries
    #[arg(long)]
    expression: bool,
    /// Where it goes; `-` is standard output; with `--to vnnlib` a folder that is not there yet
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
    let to_sql = arguments.to == SQL;
    if to_sql && arguments.dialect.is_none() {
        bail!(
            "engines speak SQL differently: add --dialect with one of {}",
            Dialect::ALL.map(Dialect::name).join(", ")
        );
    }
    if !to_sql && (arguments.dialect.is_some() || arguments.expression || !arguments.keep.is_empty()) {
        bail!("--dialect, --keep and --expression are for --to sql");
    }
    if arguments.to == VNNLIB {
        return folder(arguments);
    }
    clash::refuse(&[Some(&arguments.model)], &[("--out", Some(&arguments.out))])?;
    let out = Output::prepare(&arguments.out)?;
    let model = read_model(&arguments.model)?;
    let mut summary = Summary { format: SQL, bytes: 0, and_gates: None };
    let mut bytes = Vec::new();
    if to_sql {
        bytes.extend(statement(arguments, &model)?.into_bytes());
    } else {
        let (format, report) = circuit(arguments, &model, &mut bytes)?;
        (summary.format, summary.and_gates) = (format.name(), report.and_gates);
    }
    summary.bytes = bytes.len();
    out.deliver(&bytes)?;
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

/// The circuit in another format.
fn circuit(
    arguments: &Arguments,
    model: &Model,
    bytes: &mut Vec<u8>,
) -> anyhow::Result<(ExportFormat, ExportReport)> {
    let named =
        ExportFormat::from_name(&arguments.to).with_context(|| format!("no format {:?}", arguments.to))?;
    // The text form of AIGER has a name of its own; its file ending asks for it just as well.
    let ascii = arguments.out.extension().is_some_and(|ending| ending == "aag");
    let format = if named == ExportFormat::AigerBinary && ascii { ExportFormat::AigerAscii } else { named };
    if model.circuits().is_empty() {
        bail!("{}: this model has one class and no circuit", arguments.model.display());
    }
    let circuit = model.circuit().with_context(|| arguments.model.display().to_string())?;
    let mut report = export::write(&circuit, format, bytes);
    if let (Err(ExportError::NotTwoLevel { .. }), Ok(stages)) = (&report, model.stages_circuit()) {
        // A count of many inputs was learned as terms.
        bytes.clear();
        report = export::write(&stages, format, bytes).or(report);
    }
    Ok((format, report.with_context(|| arguments.out.display().to_string())?))
}

/// The network, a question for each term and output, and the list of them as verifiers are given it: all or nothing.
fn folder(arguments: &Arguments) -> anyhow::Result<()> {
    let named = || arguments.out.display().to_string();
    if fs::symlink_metadata(&arguments.out).is_ok() {
        bail!("{}: is there already: name a new folder", named());
    }
    let name = arguments.out.file_name().with_context(|| format!("{}: no name for a folder", named()))?;
    let model = read_model(&arguments.model)?;
    if model.circuits().is_empty() {
        bail!("{}: this model has one class and no circuit", arguments.model.display());
    }
    let place = || arguments.model.display().to_string();
    let circuit = model.circuit().with_context(place)?;
    let network = to_onnx(&compile(&circuit, &CompileOptions::default()).with_context(place)?.network);
    let questions = vnnlib::properties(&circuit).with_context(place)?;
    let line = |file: &vnnlib::Property| format!("network.onnx,{}.vnnlib,60\n", file.name);
    let list: String = questions.iter().map(line).collect();
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}", std::process::id()));
    let making = arguments.out.with_file_name(beside);
    let write = || -> std::io::Result<()> {
        fs::create_dir(&making)?;
        fs::write(making.join("network.onnx"), &network)?;
        for file in &questions {
            fs::write(making.join(format!("{}.vnnlib", file.name)), &file.text)?;
        }
        fs::write(making.join("instances.csv"), &list)?;
        fs::rename(&making, &arguments.out)
    };
    if let Err(error) = write() {
        // What cannot be removed is not there, or is not ours to remove.
        let _ = fs::remove_dir_all(&making);
        return Err(error).with_context(named);
    }
    let bytes = network.len() + list.len() + questions.iter().map(|file| file.text.len()).sum::<usize>();
    if arguments.json {
        return say(&json_line(&Summary { format: VNNLIB, bytes, and_gates: None })?);
    }
    if !arguments.quiet {
        remark(&format!("{VNNLIB:<12} {bytes} bytes, {} questions\n", questions.len()));
    }
    Ok(())
}

/// The model as SQL.
fn statement(arguments: &Arguments, model: &Model) -> anyhow::Result<String> {
    let dialect = arguments.dialect.as_deref().and_then(Dialect::from_name).context("no such dialect")?;
    let place = || arguments.model.display().to_string();
    if arguments.expression {
        return Ok(sql::expressions(model, dialect).with_context(place)?.prediction + "\n");
    }
    let keep = (!arguments.keep.is_empty()).then_some(arguments.keep.as_slice());
    let query = Query { dialect, from: &arguments.table, keep, give: Give::Predictions };
    Ok(sql::select(model, &query).with_context(place)? + "\n")
}
