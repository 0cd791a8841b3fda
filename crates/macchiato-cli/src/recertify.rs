//! `macchiato recertify`: the circuit that a fine-tuned network computes now, what changed, and what can be certified of it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use macchiato::bits;
use macchiato::certify::{NetworkFormat, certify};
use macchiato::check::{Certificate, Files};
use macchiato::network::{CompileOptions, compile};
use macchiato::recertify::{Recertified, RecertifyError, decisions, recertify};
use macchiato::words::count;
use serde::Serialize;

use crate::clash;
use crate::data::{ModelDataOptions, read_model};
use crate::interrupt::Interrupt;
use crate::output::{Output, is_broken_pipe, json_line};
use crate::terminal::{Layout, say, visible};

const AFTER_HELP: &str = "\
Examples:
  macchiato recertify tuned.onnx net.cert                         what does it compute now?
  macchiato recertify tuned.onnx net.cert --decides tuned.decides a record for the network as it is
  macchiato recertify tuned.onnx net.cert --out new.onnx --certificate new.cert
                                                                  the exact network of the new circuit
  macchiato recertify tuned.onnx net.cert --rows new.csv --model model.json
                                                                  and what that changes on rows

The network has the layers that the certificate speaks of, and is 0 wherever the certified one is (train with masks). Each gate
is asked for all values of what it reads, and its value decided at 1/2; a gate of more than 16 signals must still answer by its count.
The record says that every output is above 1/2 exactly where the circuit holds, on all 0/1 inputs, in float32 and every order of
summation: less than being equal to it. `macchiato-replay NETWORK RECORD --decides` checks it.

Exit codes: 0 found (and written, where that was asked), 2 unreadable or bad usage, 3 undecided.";

/// Find the circuit that a fine-tuned network computes now, and certify it again
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The network as training left it
    network: PathBuf,
    /// The certificate of the network as it was compiled
    certificate: PathBuf,
    /// Where the record of what the network decides goes
    #[arg(long, value_name = "FILE")]
    decides: Option<PathBuf>,
    /// Where the snapped network goes, the exact one of the circuit: .onnx or .safetensors
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where the certificate of the snapped network goes
    #[arg(long = "certificate", value_name = "FILE", requires = "out")]
    snapped_certificate: Option<PathBuf>,
    /// Rows on which the answers are compared
    #[arg(long, value_name = "DATA", requires = "model")]
    rows: Option<PathBuf>,
    /// The model that the network was compiled from, whose tests turn the rows into inputs
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    options: ModelDataOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Object<'a> {
    /// `found` or `undecided`.
    verdict: &'static str,
    changes: Vec<String>,
    no_gates: Vec<String>,
    /// Whether the network, as it is, decides what the circuit says.
    decides: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<&'a str>,
    largest_difference: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Compared>,
}

/// What rows show.
#[derive(Serialize, Clone, Copy)]
struct Compared {
    rows: usize,
    /// Rows for which some output of the circuit is another than before.
    other_than_before: usize,
    /// Rows for which the snapped network decides otherwise than the network as it is.
    changed_by_snapping: usize,
}

/// Bytes that a network may have beyond the certified one: what a training tool notes.
const BEYOND: u64 = 64 << 20;

/// Reads, finds, checks, writes, says.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let inputs = [&arguments.network, &arguments.certificate];
    let more = [arguments.rows.as_deref(), arguments.model.as_deref()];
    let read: Vec<_> = inputs.iter().map(|path| Some(path.as_path())).chain(more).collect();
    let outputs = [
        ("--decides", arguments.decides.as_deref()),
        ("--out", arguments.out.as_deref()),
        ("--certificate", arguments.snapped_certificate.as_deref()),
    ];
    clash::refuse(&read, &outputs)?;
    let format =
        arguments.out.as_ref().map(|path| match path.extension().and_then(|ending| ending.to_str()) {
            Some("onnx") => Ok(NetworkFormat::Onnx),
            Some("safetensors") => Ok(NetworkFormat::Safetensors),
            _ => bail!("{}: no ending .onnx or .safetensors: name the file so", path.display()),
        });
    let format = format.transpose()?;
    let files = Files::read(&arguments.network, &arguments.certificate, BEYOND)?;
    let now = match recertify(&files.certificate, &files.network) {
        Ok(now) => now,
        Err(error @ RecertifyError::Gate { .. }) => {
            return end(&format!("{}\n", visible(&error.to_string(), Layout::Line)), 3);
        }
        Err(error) => bail!("{}: {error}", arguments.network.display()),
    };
    let compared = arguments.compare(&files, &now)?;
    let mut text = report(&now, compared);
    let record = match (&arguments.decides, &now.record) {
        (Some(path), Ok(record)) => Some((Output::prepare(path)?, record)),
        _ => None,
    };
    let mut snapped = None;
    if let (Some(path), Some(format)) = (&arguments.out, format) {
        let mut options = CompileOptions::default();
        let linear = Certificate::read(&files.certificate).ok();
        options.linear_output =
            linear.is_some_and(|read| read.layers.last().is_some_and(|layer| !layer.relu));
        let compiled = compile(&now.circuit, &options).context("the snapped network")?;
        let file = format.file(&compiled.network);
        let certificate = certify(&now.circuit, &compiled, format, &file, None)?;
        let widths: Vec<String> = compiled.network.widths().iter().map(ToString::to_string).collect();
        let _ = writeln!(
            text,
            "snapped      layers of {} neurons, exact; accepted by the checker",
            widths.join(", ")
        );
        let beside = arguments.snapped_certificate.as_deref().map(Output::prepare).transpose()?;
        snapped = Some((Output::prepare(path)?, file, beside, certificate));
    }
    Interrupt::install()?.shielded(|| {
        record.map_or(Ok(()), |(out, record)| out.write(record.as_bytes()))?;
        let Some((out, file, beside, certificate)) = snapped else { return Ok(()) };
        beside.map_or(Ok(()), |beside| beside.write(certificate.as_bytes()))?;
        out.write(&file)
    })?;
    let undecided = arguments.decides.is_some() && now.record.is_err();
    if arguments.json {
        let object = Object {
            verdict: if undecided { "undecided" } else { "found" },
            changes: now.changes.iter().map(ToString::to_string).collect(),
            no_gates: now.no_gates.iter().map(ToString::to_string).collect(),
            decides: now.record.is_ok(),
            why_not: now.record.as_ref().err().map(String::as_str),
            largest_difference: now.largest_difference,
            rows: compared,
        };
        text = json_line(&object)?;
    }
    end(&text, if undecided { 3 } else { 0 })
}

/// The exit code says it, also where nobody reads the words.
fn end(text: &str, code: u8) -> anyhow::Result<ExitCode> {
    match say(text) {
        Err(error) if !is_broken_pipe(&error) => Err(error),
        _ => Ok(ExitCode::from(code)),
    }
}

fn report(now: &Recertified, compared: Option<Compared>) -> String {
    let mut text = match now.changes.len() {
        0 => "circuit      every gate answers as before\n".to_owned(),
        changed => {
            format!("circuit      {} of {} changed\n", changed, count(now.before.gates().len(), "gate"))
        }
    };
    for change in &now.changes {
        let _ = writeln!(text, "  {change}");
    }
    for no_gate in &now.no_gates {
        let _ = writeln!(text, "  {no_gate}");
    }
    let _ = match &now.record {
        Ok(_) => writeln!(
            text,
            "decides      outputs are above 1/2 exactly where the circuit holds: a record says so"
        ),
        Err(why) => {
            writeln!(text, "undecided    no record for the network as it is: {}", visible(why, Layout::Line))
        }
    };
    let _ =
        writeln!(text, "difference   outputs are at most {:.6} from the circuit's", now.largest_difference);
    if let Some(Compared { rows, other_than_before, changed_by_snapping }) = compared {
        let rows = count(rows, "row");
        let _ =
            writeln!(text, "rows         of {rows}, {other_than_before} are answered otherwise than before;");
        let _ = writeln!(text, "             snapping changes the answer to {changed_by_snapping}");
    }
    text
}

impl Arguments {
    fn compare(&self, files: &Files, now: &Recertified) -> anyhow::Result<Option<Compared>> {
        let (Some(rows), Some(model)) = (&self.rows, &self.model) else { return Ok(None) };
        let model_name = model.display().to_string();
        let model = read_model(model)?;
        let own = model.circuit().with_context(|| model_name.clone())?;
        if own.inputs() != now.circuit.inputs() {
            bail!(
                "{model_name}: its inputs are not the certificate's: give the model that the network was compiled from"
            );
        }
        let frame = self.options.read(rows, &model, model.target())?;
        let columns = model.binarizer().apply(&frame).with_context(|| frame.source.clone())?;
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let words = bits::words(frame.rows);
        let before = now.before.evaluate(&columns, words);
        let after = now.circuit.evaluate(&columns, words);
        let tuned = decisions(&files.certificate, &files.network, &columns, frame.rows)?;
        let differ = |a: &[Vec<u64>], b: &[Vec<u64>]| {
            let row = |&row: &usize| a.iter().zip(b).any(|(a, b)| bits::get(a, row) != bits::get(b, row));
            (0..frame.rows).filter(row).count()
        };
        Ok(Some(Compared {
            rows: frame.rows,
            other_than_before: differ(&before, &after),
            changed_by_snapping: differ(&after, &tuned),
        }))
    }
}
