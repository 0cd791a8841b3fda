//! The certificate of a compiled network: `docs/certificate.md`.
//!
//! Takes the compiled circuit, the bytes of the network file and, where the training claims are to be replayable, the
//! model's trace with the bytes of the training file; gives text that the independent checker reads.

mod raw;
mod theorem;
mod tie;

use crate::binarize::{Binarizer, Test};
use crate::circuit::{Circuit, Literal, Rule, Source};
use crate::fit::{Found, Selection, StageTrace, Trace};
use crate::model::Method;
use crate::network::{Activation, Compiled, Kind, Network, Placed, Read, to_onnx, to_safetensors};
use macchiato_check::{Verdict, check};
use macchiato_replay::replay_outputs;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

pub use raw::check_raw;
pub use theorem::theorem;
pub use tie::{TieError, tie};

/// Formats of network files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFormat {
    /// ONNX.
    Onnx,
    /// safetensors.
    Safetensors,
}

impl<'a> Training<'a> {
    /// The claims about a circuit of one output, whose rows have no weights.
    #[must_use]
    pub fn new(format: &'a str, bytes: &'a [u8], method: &'a Method, trace: &'a Trace) -> Self {
        let fits = vec![TrainedOutput { output: 0, class: "1", method, trace }];
        Self { format, bytes, weight: None, repeats: false, table: None, fits }
    }
}

impl NetworkFormat {
    /// The name in the certificate and the command.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Onnx => "onnx",
            Self::Safetensors => "safetensors",
        }
    }

    /// The bytes of the file.
    #[must_use]
    pub fn file(self, network: &Network) -> Vec<u8> {
        match self {
            Self::Onnx => to_onnx(network),
            Self::Safetensors => to_safetensors(network),
        }
    }
}

/// The training rows that the claims are about.
#[derive(Debug, Clone)]
pub struct Training<'a> {
    /// `csv`, `tsv` or `pla`.
    pub format: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// The column of the file that holds the rows' weights, where they have any.
    pub weight: Option<&'a str>,
    /// Whether these are whole, and the fit took a row of weight 3 as three rows.
    pub repeats: bool,
    /// The column of the classes and the tests behind the inputs, where the rows are not bits themselves.
    pub table: Option<(&'a str, &'a Binarizer)>,
    /// The fits that the claims are about.
    pub fits: Vec<TrainedOutput<'a>>,
}

/// How an output of the circuit was learned: it is the XOR of the stages, or by `auto` any circuit.
#[derive(Debug, Clone, Copy)]
pub struct TrainedOutput<'a> {
    /// The output, from 0; several are in increasing order.
    pub output: usize,
    /// The class that it predicts; read only where the rows are a table of classes.
    pub class: &'a str,
    /// The method and its parameters.
    pub method: &'a Method,
    /// What the fit saw and did.
    pub trace: &'a Trace,
}

/// The checker did not accept what was compiled: a defect of this crate, never of the circuit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The training rows are not those that the model was learned from.
    #[error("the training claims do not hold on these rows: {verdict}")]
    Training {
        /// What the checker said.
        verdict: String,
    },
    /// Anything else.
    #[error(
        "internal: the checker does not accept the compiled network: {verdict}; please report this model"
    )]
    NotAccepted {
        /// What the checker said.
        verdict: String,
    },
}

/// The certificate's text, once the checker has accepted it.
///
/// ```
/// use macchiato::certify::{NetworkFormat, certify};
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::network::{CompileOptions, compile, to_onnx};
///
/// let gate = Gate::new(Rule::And, vec![Literal::input(0), !Literal::input(1)]);
/// let circuit = Circuit::new(vec!["a".into(), "b".into()], vec![gate], vec![Output::new("y", Literal::gate(0))])?;
/// let compiled = compile(&circuit, &CompileOptions::default())?;
/// let text = certify(&circuit, &compiled, NetworkFormat::Onnx, &to_onnx(&compiled.network), None)?;
/// assert!(text.starts_with("macchiato-certificate 1\nnetwork onnx sha256 "));
/// assert!(text.contains("\ngate 0 and +x0 -x1 : 1 0 | 0 1 -1 1 | 1 1 -2 -1\ngate 1 relay +g0 : 2 0 | 0 1 0 1\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Rows that are not those of the training.
pub fn certify(
    circuit: &Circuit,
    compiled: &Compiled,
    format: NetworkFormat,
    network: &[u8],
    training: Option<&Training<'_>>,
) -> Result<String, CertifyError> {
    let text = write_certificate(circuit, compiled, format, network, training);
    if let verdict @ (Verdict::Rejected { .. } | Verdict::Unreadable { .. }) = check(text.as_bytes(), network)
    {
        return Err(CertifyError::NotAccepted { verdict: verdict.to_string() });
    }
    if let Some(training) = training {
        replay_outputs(text.as_bytes(), training.bytes)
            .map_err(|verdict| CertifyError::Training { verdict: verdict.to_string() })?;
    }
    Ok(text)
}

fn write_certificate(
    circuit: &Circuit,
    compiled: &Compiled,
    format: NetworkFormat,
    network: &[u8],
    training: Option<&Training<'_>>,
) -> String {
    let mut text = "macchiato-certificate 1\n".to_owned();
    line(
        &mut text,
        format_args!("network {} sha256 {} bytes {}", format.name(), digest(network), network.len()),
    );
    line(&mut text, format_args!("inputs {}", circuit.inputs().len()));
    for (at, name) in circuit.inputs().iter().enumerate() {
        line(&mut text, format_args!("input {at} {}", quoted(name)));
    }
    layers(&mut text, compiled);
    line(&mut text, format_args!("gates {}", compiled.gates.len()));
    for (at, gate) in compiled.gates.iter().enumerate() {
        write_gate(&mut text, at, gate);
    }
    line(&mut text, format_args!("outputs {}", compiled.outputs.len()));
    for (at, (output, gate)) in circuit.outputs().iter().zip(&compiled.outputs).enumerate() {
        let (name, most) = (quoted(&output.name), circuit.most(at));
        line(&mut text, format_args!("output {at} {name} gate {gate} most {most}"));
    }
    if let Some(training) = training {
        claims(&mut text, circuit, training);
    }
    text.push_str("end\n");
    text
}

fn line(text: &mut String, fields: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{fields}");
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

pub(crate) fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

fn layers(text: &mut String, compiled: &Compiled) {
    line(text, format_args!("layers {}", compiled.network.layers.len()));
    for (at, layer) in compiled.network.layers.iter().enumerate() {
        let activation = match layer.activation {
            Activation::Relu => "relu",
            Activation::Linear => "linear",
        };
        line(text, format_args!("layer {} {} {activation}", at + 1, layer.width()));
    }
}

fn write_gate(text: &mut String, at: usize, gate: &Placed) {
    let _ = write!(text, "gate {at} ");
    let kind = match &gate.kind {
        Kind::Relay => "relay".to_owned(),
        Kind::Nor => "nor".to_owned(),
        Kind::Fold => "fold".to_owned(),
        Kind::Rule(Rule::And) => "and".to_owned(),
        Kind::Rule(Rule::Or) => "or".to_owned(),
        Kind::Rule(Rule::Xor) => "xor".to_owned(),
        Kind::Rule(Rule::Sum) => "sum".to_owned(),
        Kind::Rule(Rule::AtLeast(least)) => format!("least {least}"),
        Kind::Rule(Rule::Counts(ranges)) if ranges.is_empty() => format!("least {}", 1 << 24),
        Kind::Rule(Rule::Counts(ranges)) => {
            let ranges: Vec<String> = ranges.iter().map(|(from, to)| format!("{from}-{to}")).collect();
            format!("counts {}", ranges.join(","))
        }
    };
    text.push_str(&kind);
    for &Read { source, positive, weight } in &gate.reads {
        let points = if weight == 1 { String::new() } else { format!("{weight}*") };
        let (kind, number) = match source {
            Source::Input(input) => ('x', input),
            Source::Gate(gate) => ('g', gate),
        };
        let _ = write!(text, " {points}{}{kind}{number}", if positive { '+' } else { '-' });
    }
    let _ = write!(text, " : {} {}", gate.layer, gate.bank.base);
    for neuron in &gate.bank.neurons {
        let _ = write!(text, " | {} {} {} {}", neuron.at, neuron.slope, neuron.offset, neuron.coefficient);
    }
    text.push('\n');
}

/// What the training did, as lines that `macchiato-replay` reads.
fn claims(text: &mut String, circuit: &Circuit, training: &Training<'_>) {
    let Training { format, bytes, weight, repeats, table, fits } = training;
    let rows = fits.first().map_or(0, |fit| fit.trace.data.rows);
    let weight =
        weight.map(|name| format!(" {} {}", if *repeats { "repeat" } else { "weight" }, quoted(name)));
    let weight = weight.unwrap_or_default();
    let (digest, length) = (digest(bytes), bytes.len());
    line(text, format_args!("training data {format} sha256 {digest} bytes {length} rows {rows}{weight}"));
    if let Some((target, binarizer)) = table {
        line(text, format_args!("training table {}", quoted(target)));
        for (input, bit) in binarizer.bits().iter().enumerate() {
            let column = &binarizer.columns()[bit.column];
            let (name, test) = (quoted(&column.name), asked(&bit.test, &column.levels));
            line(text, format_args!("training test {input} {name} {test}"));
        }
    }
    for fit in fits {
        // The only output is not named.
        if circuit.outputs().len() > 1 {
            line(text, format_args!("training output {}", fit.output));
        }
        if table.is_some() {
            line(text, format_args!("training class {}", quoted(fit.class)));
        }
        line(text, format_args!("training {}", parameters(fit.method)));
        if fit.trace.stages.is_empty() && matches!(fit.method, Method::Auto(_)) {
            line(text, format_args!("training circuit errors {}", fit.trace.errors));
            continue;
        }
        let stages = stages(circuit, fit.output);
        for (at, stage) in fit.trace.stages.iter().enumerate() {
            claim(text, at + 1, stages.get(at).copied().unwrap_or(circuit.gates().len()), stage);
        }
    }
}

/// A test, as a certificate asks it.
fn asked(test: &Test, levels: &[String]) -> String {
    match test {
        Test::True => "true".to_owned(),
        Test::Missing => "missing".to_owned(),
        Test::Above(cut) => format!("above {cut}"),
        Test::Equals(value) => format!("equals {value}"),
        Test::Is(level) => format!("is {}", quoted(level)),
        Test::Other => std::iter::once("other".to_owned())
            .chain(levels.iter().map(|level| quoted(level)))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn parameters(method: &Method) -> String {
    match method {
        Method::Paper(params) => {
            let rule = match params.selection {
                Selection::Influence => "influence",
                Selection::Random => "random",
            };
            let split = if params.split { " split" } else { "" };
            format!("paper k {} m {} tau {} select {rule}{split}", params.k, params.m, params.tau)
        }
        Method::Auto(params) => match params.k {
            Some(k) => format!("auto k {k} m {}", params.m),
            None => format!("auto m {}", params.m),
        },
    }
}

/// The gates that an output is the XOR of.
fn stages(circuit: &Circuit, output: usize) -> Vec<usize> {
    let gate = |literal: &Literal| match literal.source {
        Source::Gate(gate) => Some(gate),
        Source::Input(_) => None,
    };
    let whole = circuit.outputs().get(output).and_then(|output| gate(&output.literal));
    let literals = whole.map_or(&[][..], |whole| &circuit.gates()[whole].literals);
    literals.iter().filter_map(gate).collect()
}

fn claim(text: &mut String, t: usize, gate: usize, stage: &StageTrace) {
    let (before, after, cells) = (stage.errors_before, stage.errors_after, stage.cells);
    let _ = write!(text, "training stage {t} gate {gate} before {before} after {after}");
    let _ = write!(text, " on {} off {} tied {}", cells.on, cells.off, cells.tied);
    if let Found::Evidence { against, .. } = &stage.found {
        let _ = write!(text, " against {against}");
    }
    text.push_str(" inputs");
    stage.inputs.iter().for_each(|input| {
        let _ = write!(text, " {input}");
    });
    text.push('\n');
    if let Found::Influence(influences) = &stage.found {
        let _ = write!(text, "training influence {t}");
        for influence in influences {
            let _ = write!(text, " {}/{}", influence.differing, influence.pairs);
        }
        text.push('\n');
    }
}
