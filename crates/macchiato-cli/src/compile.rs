//! `macchiato compile`: a model in, a ReLU network file and its certificate out.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use macchiato::certify::{NetworkFormat, Training, certify};
use macchiato::model::{Method, Model};
use macchiato::network::{AndGate, CompileOptions, OrGate, XorGate, compile, to_onnx, to_safetensors};
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::learned::Learned;
use crate::output::Output;

const AFTER_HELP: &str = "\
Examples:
  macchiato compile model.json --out net.onnx --certificate net.cert
  macchiato compile model.json --out net.safetensors
  macchiato compile model.json --out net.onnx --prune=false    the paper's widths (2B, 2P, 2M, M, 1)
  macchiato compile model.json --out net.onnx --xor triangle --and narrow --or deep
  macchiato compile model.json --out net.onnx --certificate net.cert --rows train.csv
                                                    with claims that the checker can replay

The network computes the circuit exactly on all 0/1 inputs, also in float32. The certificate says
why, gate by gate; `macchiato check net.onnx net.cert` or the independent program macchiato-check
verifies it against the file. It has been checked before it is written.";

/// Compile a model into a ReLU network that computes exactly its circuit
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// Where the network goes; its ending (.onnx, .safetensors) is its format unless --format says it
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Where the certificate goes
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Format of the network file
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Leave out the last ReLU, which changes nothing on 0/1 inputs
    #[arg(long)]
    linear_output: bool,
    /// Leave out literals that nothing reads; `--prune=false` gives the paper's widths
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set, num_args = 0..=1,
          default_missing_value = "true", require_equals = true, value_name = "BOOL")]
    prune: bool,
    /// Neurons of an AND: two, or one
    #[arg(long, value_enum, default_value_t)]
    and: AndName,
    /// Layers of an OR: one of two neurons, or two of one
    #[arg(long, value_enum, default_value_t)]
    or: OrName,
    /// The XOR of the stages: flat, triangle, or depth=D
    #[arg(long, default_value = "flat", value_parser = xor_gate)]
    xor: XorGate,
    /// The training rows (.csv, .tsv or .pla), for claims in the certificate that can be replayed on them
    #[arg(long, value_name = "DATA", requires = "certificate")]
    rows: Option<PathBuf>,
    /// Print one JSON object: format, widths, neurons, weights, the largest partial sum
    #[arg(long)]
    json: bool,
    /// No summary on standard error
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    Onnx,
    Safetensors,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum AndName {
    #[default]
    Two,
    Narrow,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum OrName {
    #[default]
    Two,
    Deep,
}

fn xor_gate(text: &str) -> Result<XorGate, String> {
    match (text, text.strip_prefix("depth=").map(str::parse)) {
        ("flat", _) => Ok(XorGate::Flat),
        ("triangle", _) => Ok(XorGate::Triangle),
        (_, Some(Ok(depth))) if depth > 0 => Ok(XorGate::Depth(depth)),
        _ => Err("give flat, triangle, or depth=D with D from 1 on".to_owned()),
    }
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary {
    format: &'static str,
    widths: Vec<usize>,
    neurons: usize,
    weights: usize,
    largest_partial_sum: u64,
    bytes: usize,
}

/// Compiles, certifies, checks, writes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let format = network_format(arguments)?;
    let out = Output::prepare(&arguments.out)?;
    let certificate = arguments.certificate.as_deref().map(Output::prepare).transpose()?;
    let (model, of_bits) = Learned::one_circuit(&arguments.model)?;
    if let (Some(path), true) = (&arguments.rows, of_bits) {
        bail!(
            "{}: the certificate of a classifier covers its bits, so training cannot be replayed on the table: leave --rows out",
            path.display()
        );
    }
    let compiled = compile(model.circuit(), &arguments.options());
    let network = match format {
        NetworkFormat::Onnx => to_onnx(&compiled.network),
        NetworkFormat::Safetensors => to_safetensors(&compiled.network),
    };
    let rows = arguments.rows.as_deref().map(|path| TrainingFile::read(path, &model)).transpose()?;
    let training = rows.as_ref().map(|rows| rows.claims(&model));
    let text = certify(model.circuit(), &compiled, format, &network, training)?;
    let layers = &compiled.network.layers;
    let summary = Summary {
        format: format.name(),
        widths: compiled.network.widths(),
        neurons: compiled.network.widths().iter().sum(),
        weights: layers.iter().flat_map(|layer| &layer.weights).map(Vec::len).sum(),
        largest_partial_sum: compiled.network.largest_partial_sum(),
        bytes: network.len(),
    };
    // Both or, if the first fails, neither: a network without the certificate that was asked for helps nobody.
    Interrupt::install()?.shielded(|| {
        certificate.map_or(Ok(()), |certificate| certificate.write(text.as_bytes()))?;
        out.write(&network)
    })?;
    if arguments.json {
        let mut line = serde_json::to_vec(&summary)?;
        line.push(b'\n');
        return Output::Stdout.write(&line);
    }
    if !arguments.quiet {
        let widths: Vec<String> = summary.widths.iter().map(ToString::to_string).collect();
        eprintln!("network      {}, layers of {} neurons", summary.format, widths.join(", "));
        eprintln!("weights      {} that are not 0, all of them integers", summary.weights);
        eprintln!(
            "exact        on all 0/1 inputs, also in float32: partial sums up to {}",
            summary.largest_partial_sum
        );
        eprintln!(
            "certificate  accepted by the checker{}",
            if training.is_some() { ", training replayed" } else { "" }
        );
        if of_bits {
            let bits = model.circuit().inputs.len();
            eprintln!(
                "inputs       the {bits} bits of the classifier, such as {:?}: network and certificate",
                model.circuit().inputs[0]
            );
            eprintln!("             say what follows from the bits, not how the table becomes them");
        }
    }
    Ok(())
}

impl Arguments {
    fn options(&self) -> CompileOptions {
        CompileOptions {
            and: match self.and {
                AndName::Two => AndGate::Two,
                AndName::Narrow => AndGate::Narrow,
            },
            or: match self.or {
                OrName::Two => OrGate::Two,
                OrName::Deep => OrGate::Deep,
            },
            xor: self.xor,
            prune: self.prune,
            linear_output: self.linear_output,
        }
    }
}

fn network_format(arguments: &Arguments) -> anyhow::Result<NetworkFormat> {
    if arguments.json && arguments.out == Path::new("-") {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    match (arguments.format, arguments.out.extension().and_then(|ending| ending.to_str())) {
        (Some(FormatName::Onnx), _) | (None, Some("onnx")) => Ok(NetworkFormat::Onnx),
        (Some(FormatName::Safetensors), _) | (None, Some("safetensors")) => Ok(NetworkFormat::Safetensors),
        _ => bail!("{}: no ending .onnx or .safetensors: add --format", arguments.out.display()),
    }
}

/// The bytes of the training rows.
struct TrainingFile {
    format: &'static str,
    bytes: Vec<u8>,
}

impl TrainingFile {
    fn read(path: &Path, model: &Model) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => "csv",
            Some("tsv") => "tsv",
            Some("pla") => "pla",
            _ => bail!("{}: the checker reads training rows as .csv, .tsv or .pla, uncompressed", named()),
        };
        let split = matches!(model.method(), Method::Paper(params) if params.split);
        if split || model.trace().data.weighted {
            bail!("{}: fits with --split or row weights cannot be replayed: leave --rows out", named());
        }
        let bytes = std::fs::read(path).with_context(named)?;
        Ok(Self { format, bytes })
    }

    fn claims<'a>(&'a self, model: &'a Model) -> Training<'a> {
        Training { format: self.format, bytes: &self.bytes, method: model.method(), trace: model.trace() }
    }
}
