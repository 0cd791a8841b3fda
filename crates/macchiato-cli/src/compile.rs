//! `macchiato compile`: a model in, a ReLU network file and its certificate out.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use macchiato::bounds::holdout::ErrorBound;
use macchiato::certify::{NetworkFormat, TrainedOutput, Training, certify, theorem};
use macchiato::circuit::Circuit;
use macchiato::model::{ClassCircuit, Holdout, Model};
use macchiato::network::{
    AndGate, CompileOptions, Compiled, OrGate, RawNumbers, XorGate, compile, to_raw_onnx,
};
use serde::Serialize;

use crate::clash;
use crate::data::read_model;
use crate::interrupt::Interrupt;
use crate::memory::{Limited, MemoryOptions};
use crate::output::{Output, json_line};
use crate::terminal::{remark, say};

const AFTER_HELP: &str = "\
Examples:
  macchiato compile model.json --out net.onnx --certificate net.cert
  macchiato compile model.json --out net.safetensors
  macchiato compile model.json --out net.onnx --prune=false    the paper's widths (2B, 2P, 2M, M, 1)
  macchiato compile model.json --out net.onnx --xor triangle --and narrow --or deep
  macchiato compile model.json --out net.onnx --simplify       terms that only count become one gate
  macchiato compile model.json --depth --width      what the circuit costs: layers, and the widest of them
  macchiato compile model.json --out net.onnx --certificate net.cert --rows train.csv
                                                    with claims that can be replayed on the rows
  macchiato compile model.json --out net.onnx --certificate net.cert --raw table.onnx
                                                    and the classifier, which reads the table itself
  macchiato compile model.json --out net.onnx --theorem net.v
                                                    and a theorem that Coq proves (docs/proof.md)

The network computes the circuit exactly on all 0/1 inputs, also in float32. The certificate says
why, gate by gate; `macchiato check net.onnx net.cert` or the independent program macchiato-check
verifies it against the file. It has been checked before it is written.

The network of a table that is not just 0 and 1 reads the tests of its columns. One of more than two
classes has an output for each, which is that class's circuit; where not exactly one of them is 1,
`macchiato predict` decides by the training rows (docs/model.md). The file of --raw has the tests of
the columns in front of the same layers and that decision behind them: its outputs `label` and
`probabilities` are what `macchiato predict` says. The certificate covers the layers alone.";

/// Compile a model into a ReLU network that computes exactly its circuit
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // Each is a flag of its own on the command line.
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The model, as `fit --out` wrote it; `-` is standard input
    model: PathBuf,
    /// Where the network goes; its ending (.onnx, .safetensors) is its format unless --format says it
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["depth", "width"])]
    out: Option<PathBuf>,
    /// Print the number of layers and write nothing
    #[arg(long)]
    depth: bool,
    /// Print the width of the widest layer and write nothing
    #[arg(long)]
    width: bool,
    /// Where the certificate goes
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also write the classifier in ONNX: the table's columns in, `label` and `probabilities` out
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,
    /// The element type of the numbers and Booleans that the file of --raw reads
    #[arg(long, value_enum, default_value_t, requires = "raw", value_name = "TYPE")]
    raw_numbers: NumbersName,
    /// Where the same goes as a theorem of Coq, proved by computation; for small networks, as every weight is written out
    #[arg(long, value_name = "FILE")]
    theorem: Option<PathBuf>,
    /// Format of the network file
    #[arg(long, value_enum)]
    format: Option<FormatName>,
    /// Leave out the last ReLU, which changes nothing on 0/1 inputs
    #[arg(long)]
    linear_output: bool,
    /// No layer for literals, which gates can read as they are; `--prune=false` gives the paper's widths
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
    #[arg(long, default_value = "flat", value_parser = XorGate::from_str)]
    xor: XorGate,
    /// The training rows (.csv, .tsv or .pla), for claims in the certificate that can be replayed on them; the network is
    /// then that of the stages as they were learned, not of their shortest form
    #[arg(long, value_name = "DATA", requires = "certificate")]
    rows: Option<PathBuf>,
    /// Column of the training rows with their weights
    #[arg(long, value_name = "NAME", requires = "rows")]
    weight: Option<String>,
    #[command(flatten)]
    memory: MemoryOptions,
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
enum NumbersName {
    #[default]
    Float64,
    Float32,
}

impl From<NumbersName> for RawNumbers {
    fn from(name: NumbersName) -> Self {
        match name {
            NumbersName::Float64 => Self::Float64,
            NumbersName::Float32 => Self::Float32,
        }
    }
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

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    format: &'static str,
    outputs: Vec<&'a str>,
    widths: Vec<usize>,
    neurons: usize,
    weights: usize,
    largest_partial_sum: u64,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<ErrorBound>,
}

/// Compiles, certifies, checks, writes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Some(path) = &arguments.out else { return cost(arguments) };
    let format = network_format(arguments, path)?;
    let outputs = [
        ("--out", Some(path.as_path())),
        ("--certificate", arguments.certificate.as_deref()),
        ("--raw", arguments.raw.as_deref()),
        ("--theorem", arguments.theorem.as_deref()),
    ];
    clash::refuse(&[Some(&arguments.model), arguments.rows.as_deref()], &outputs)?;
    let out = Output::prepare(path)?;
    let certificate = arguments.certificate.as_deref().map(Output::prepare).transpose()?;
    let raw = arguments.raw.as_deref().map(Output::prepare).transpose()?;
    let proof = arguments.theorem.as_deref().map(Output::prepare).transpose()?;
    let model = read_model(&arguments.model)?;
    let (circuit, compiled) = arguments.compiled(&model)?;
    let network = format.file(&compiled.network);
    let limit = arguments.memory.limit();
    let rows = arguments
        .rows
        .as_deref()
        .map(|path| TrainingFile::read(path, &model, arguments.weight.as_deref(), limit))
        .transpose()?;
    let training = rows.as_ref().map(|rows| rows.claims(&model));
    let text = certify(&circuit, &compiled, format, &network, training.as_ref())?;
    let raw = raw.map(|out| {
        to_raw_onnx(&compiled.network, &model, arguments.raw_numbers.into())
            .with_context(|| arguments.model.display().to_string())
            .map(|file| (out, file))
    });
    let raw = raw.transpose()?;
    let proof = proof.map(|out| match theorem(text.as_bytes(), &compiled.network) {
        Ok(statement) => Ok((out, statement)),
        Err(verdict) => Err(anyhow::anyhow!("internal: no theorem: {verdict}; please report this model")),
    });
    let proof = proof.transpose()?;
    let layers = &compiled.network.layers;
    let summary = Summary {
        format: format.name(),
        outputs: circuit.outputs().iter().map(|output| output.name.as_str()).collect(),
        widths: compiled.network.widths(),
        neurons: compiled.network.widths().iter().sum(),
        weights: layers.iter().flat_map(|layer| &layer.weights).map(Vec::len).sum(),
        largest_partial_sum: compiled.largest_partial_sum,
        bytes: network.len(),
        holdout: transferable(&model).copied().map(ErrorBound::new),
    };
    // All or, if the first fails, none: a network without the certificate that was asked for helps nobody.
    Interrupt::install()?.shielded(|| {
        raw.map_or(Ok(()), |(out, file)| out.write(&file))?;
        proof.map_or(Ok(()), |(out, statement)| out.write(statement.as_bytes()))?;
        certificate.map_or(Ok(()), |certificate| certificate.write(text.as_bytes()))?;
        out.write(&network)
    })?;
    if arguments.json {
        let line = json_line(&summary)?;
        return say(&line);
    }
    if !arguments.quiet {
        report(&summary, &model, training.is_some());
    }
    Ok(())
}

/// What the circuit costs as a network: `--depth` and `--width`, or both as an object.
fn cost(arguments: &Arguments) -> anyhow::Result<()> {
    let model = read_model(&arguments.model)?;
    let (_, compiled) = arguments.compiled(&model)?;
    let widths = compiled.network.widths();
    let (depth, width) = (widths.len(), widths.iter().copied().max().unwrap_or(0));
    if arguments.json {
        return say(&json_line(&Cost { depth, width, widths })?);
    }
    let asked = [(arguments.depth, depth), (arguments.width, width)];
    let numbers: Vec<String> =
        asked.iter().filter(|(asked, _)| *asked).map(|(_, number)| number.to_string()).collect();
    say(&format!("{}\n", numbers.join(" ")))
}

/// The fields of `--depth --width --json`.
#[derive(Serialize)]
struct Cost {
    depth: usize,
    width: usize,
    widths: Vec<usize>,
}

/// The closing lines.
fn report(summary: &Summary<'_>, model: &Model, replayed: bool) {
    let widths: Vec<String> = summary.widths.iter().map(ToString::to_string).collect();
    remark(&format!("network      {}, layers of {} neurons\n", summary.format, widths.join(", ")));
    remark(&format!("weights      {} that are not 0, all of them integers\n", summary.weights));
    remark(&format!(
        "exact        on all 0/1 inputs, also in float32: partial sums up to {}\n",
        summary.largest_partial_sum
    ));
    remark(&format!(
        "certificate  accepted by the checker{}\n",
        if replayed { ", training replayed" } else { "" }
    ));
    transfer(model);
    let Some(inputs) = model.circuits().first().map(ClassCircuit::inputs).filter(|_| !model.is_plain())
    else {
        return;
    };
    remark(&format!(
        "inputs       the {} tests of the model, such as {:?}: network and certificate\n",
        inputs.len(),
        inputs[0]
    ));
    remark("             say what follows from the tests, not how the table answers them\n");
    if let outputs @ [first, _, ..] = summary.outputs.as_slice() {
        remark(&format!(
            "outputs      {}, a circuit for each class, the first one {first:?}: where not\n",
            outputs.len()
        ));
        remark("             exactly one is 1, `macchiato predict` decides by the training rows\n");
    }
}

/// The corollary that goes with the certificate: where the network is the circuit, so is its error.
fn transfer(model: &Model) {
    if let Some(holdout) = transferable(model) {
        remark("error        of the network as of its circuit, since they agree on all 0/1 inputs:\n");
        remark(&format!("             {}\n", ErrorBound::new(*holdout)));
    }
}

/// What held-out rows said, where a network that computes the circuit answers as the model does. That of several classes does not: where
/// not exactly one circuit is 1, the training rows decide.
fn transferable(model: &Model) -> Option<&Holdout> {
    model.holdout().filter(|_| model.circuits().len() == 1)
}

impl Arguments {
    /// The model's circuit, and its network.
    fn compiled(&self, model: &Model) -> anyhow::Result<(Circuit, Compiled)> {
        let named = || self.model.display().to_string();
        if model.circuits().is_empty() {
            bail!("{}: this model has one class and no circuit", named());
        }
        // Claims are about stages, so their gates must be there.
        let circuit = if self.rows.is_some() { model.stages_circuit() } else { model.circuit() };
        let circuit = circuit.with_context(named)?;
        let compiled = compile(&circuit, &self.options()).with_context(named)?;
        Ok((circuit, compiled))
    }

    fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::default();
        options.and = match self.and {
            AndName::Two => AndGate::Two,
            AndName::Narrow => AndGate::Narrow,
        };
        options.or = match self.or {
            OrName::Two => OrGate::Two,
            OrName::Deep => OrGate::Deep,
        };
        options.xor = self.xor;
        (options.literals, options.linear_output) = (!self.prune, self.linear_output);
        options
    }
}

fn network_format(arguments: &Arguments, out: &Path) -> anyhow::Result<NetworkFormat> {
    if arguments.json && out == Path::new("-") {
        bail!("--json and --out - both want standard output: name a file after --out");
    }
    match (arguments.format, out.extension().and_then(|ending| ending.to_str())) {
        (Some(FormatName::Onnx), _) | (None, Some("onnx")) => Ok(NetworkFormat::Onnx),
        (Some(FormatName::Safetensors), _) | (None, Some("safetensors")) => Ok(NetworkFormat::Safetensors),
        _ => bail!("{}: no ending .onnx or .safetensors: add --format", out.display()),
    }
}

/// The bytes of the training rows.
pub(crate) struct TrainingFile {
    format: &'static str,
    bytes: Vec<u8>,
    /// The column of weights.
    weight: Option<String>,
}

impl TrainingFile {
    /// Whether such a file can be read and such a fit replayed.
    pub(crate) fn can_be_replayed(path: &Path, model: &Model, weight: Option<&str>) -> bool {
        Self::format(path).is_some()
            && model.holdout().is_none()
            && (weight.is_some() || !Self::is_weighted(model))
    }

    fn format(path: &Path) -> Option<&'static str> {
        let ending = path.extension()?.to_str()?;
        ["csv", "tsv", "pla"].into_iter().find(|known| *known == ending)
    }

    fn is_weighted(model: &Model) -> bool {
        model.circuits().iter().any(|class| class.trace().data.weighted)
    }

    /// Reads the file, of which at most `limit` bytes may be there.
    pub(crate) fn read(path: &Path, model: &Model, weight: Option<&str>, limit: u64) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        let Some(format) = Self::format(path) else {
            bail!("{}: the checker reads training rows as .csv, .tsv or .pla, uncompressed", named())
        };
        if let Some(holdout) = model.holdout() {
            bail!(
                "{}: the model put {} of its rows aside, so its training cannot be replayed on all of them: leave --rows out",
                named(),
                holdout.rows
            );
        }
        if Self::is_weighted(model) && weight.is_none() {
            bail!("{}: the model was fitted with weights: name a column that has them (--weight)", named());
        }
        let mut bytes = Vec::new();
        let file = File::open(path).with_context(named)?;
        Limited::new(file, limit).read_to_end(&mut bytes).with_context(named)?;
        Ok(Self { format, bytes, weight: weight.map(str::to_owned) })
    }

    pub(crate) fn claims<'a>(&'a self, model: &'a Model) -> Training<'a> {
        let fit = |(output, (circuit, class)): (usize, (&'a ClassCircuit, usize))| TrainedOutput {
            output,
            class: &model.classes()[class],
            method: model.method(),
            trace: circuit.trace(),
        };
        let fits = model.circuits().iter().zip(model.learned()).enumerate().map(fit).collect();
        let table = (!model.is_plain()).then(|| (model.target(), model.binarizer()));
        // Whole weights were taken as repetitions.
        let (weight, repeats) = (self.weight.as_deref(), !Self::is_weighted(model));
        Training { format: self.format, bytes: &self.bytes, weight, repeats, table, fits }
    }
}
