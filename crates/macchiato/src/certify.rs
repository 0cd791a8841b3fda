//! The certificate of a compiled network: `docs/certificate.md`, version 1 for one output and version 2 for several.
//!
//! Takes the compiled circuit, the bytes of the network file and, where the training claims are to be replayable, the
//! model's trace with the bytes of the training file; gives text that the independent checker reads.

mod raw;
mod tie;

use crate::circuit::Circuit;
use crate::fit::{Found, Selection, StageTrace, Trace};
use crate::model::Method;
use crate::network::{Activation, Compiled, Gate, Network, Neuron, XorInput, to_onnx, to_safetensors};
use crate::stage::Signed;
use macchiato_check::{Verdict, check};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

pub use raw::check_raw;
pub use tie::{TieError, tie};

/// Formats of network files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFormat {
    /// ONNX.
    Onnx,
    /// safetensors.
    Safetensors,
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
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    /// `csv`, `tsv` or `pla`.
    pub format: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// How the circuit was learned; sample splitting cannot be replayed.
    pub method: &'a Method,
    /// What the fit saw and did; row weights cannot be replayed.
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
/// use macchiato::circuit::Circuit;
/// use macchiato::network::{CompileOptions, compile, to_onnx};
///
/// let circuit = Circuit { inputs: vec!["a".into()], target: "y".into(), stages: vec![] };
/// let compiled = compile(&circuit, &CompileOptions::default());
/// let text = certify(&circuit, &compiled, NetworkFormat::Onnx, &to_onnx(&compiled.network), None)?;
/// assert!(text.starts_with("macchiato-certificate 1\nnetwork onnx sha256 "));
/// assert!(text.ends_with("zero : 1.0\nsum 0\nend\n"));
/// # Ok::<(), macchiato::certify::CertifyError>(())
/// ```
///
/// # Errors
/// Rows that are not those of the training.
pub fn certify(
    circuit: &Circuit,
    compiled: &Compiled,
    format: NetworkFormat,
    network: &[u8],
    training: Option<Training<'_>>,
) -> Result<String, CertifyError> {
    let text = write_certificate(&[circuit], compiled, format, network, training);
    let accepted = |rows| match check(text.as_bytes(), network, rows) {
        Verdict::Accepted(_) => Ok(()),
        verdict => Err(verdict.to_string()),
    };
    accepted(None).map_err(|verdict| CertifyError::NotAccepted { verdict })?;
    if let Some(training) = training {
        accepted(Some(training.bytes)).map_err(|verdict| CertifyError::Training { verdict })?;
    }
    Ok(text)
}

/// The certificate's text for circuits that were compiled into one network, once the checker has accepted it.
///
/// One circuit gets the text that [`certify`] gives without training.
///
/// ```
/// use macchiato::certify::{NetworkFormat, certify_several};
/// use macchiato::circuit::Circuit;
/// use macchiato::network::{CompileOptions, compile_several, to_onnx};
///
/// let circuit = |target: &str| Circuit { inputs: vec!["a".into()], target: target.into(), stages: vec![] };
/// let (yes, no) = (circuit("yes"), circuit("no"));
/// let compiled = compile_several(&[&yes, &no], &CompileOptions::default())?;
/// let network = to_onnx(&compiled.network);
/// let text = certify_several(&[&yes, &no], &compiled, NetworkFormat::Onnx, &network)?;
/// assert!(text.starts_with("macchiato-certificate 2\nnetwork onnx sha256 "));
/// assert!(text.ends_with("zero 0 : 1.0\nzero 1 : 1.1\nsum 0\nend\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Circuits that are not those of the network, in the same order.
pub fn certify_several(
    circuits: &[&Circuit],
    compiled: &Compiled,
    format: NetworkFormat,
    network: &[u8],
) -> Result<String, CertifyError> {
    let text = write_certificate(circuits, compiled, format, network, None);
    match check(text.as_bytes(), network, None) {
        Verdict::Accepted(_) => Ok(text),
        verdict => Err(CertifyError::NotAccepted { verdict: verdict.to_string() }),
    }
}

fn write_certificate(
    circuits: &[&Circuit],
    compiled: &Compiled,
    format: NetworkFormat,
    network: &[u8],
    training: Option<Training<'_>>,
) -> String {
    let several = circuits.len() > 1;
    let mut text = format!("macchiato-certificate {}\n", if several { 2 } else { 1 });
    line(
        &mut text,
        format_args!("network {} sha256 {} bytes {}", format.name(), digest(network), network.len()),
    );
    let inputs = circuits.first().map_or(&[][..], |circuit| &circuit.inputs);
    line(&mut text, format_args!("inputs {}", inputs.len()));
    for (at, name) in inputs.iter().enumerate() {
        line(&mut text, format_args!("input {at} {}", quoted(name)));
    }
    if several {
        line(&mut text, format_args!("outputs {}", circuits.len()));
    }
    for (at, circuit) in circuits.iter().enumerate() {
        let name = quoted(&circuit.target);
        if several {
            line(&mut text, format_args!("output {at} {name}"));
        } else {
            line(&mut text, format_args!("target {name}"));
        }
    }
    layers(&mut text, compiled);
    stages(&mut text, compiled);
    let mut xors = 0;
    for gate in &compiled.gates {
        write_gate(&mut text, gate, several, &mut xors);
    }
    line(&mut text, format_args!("sum {}", compiled.network.largest_partial_sum()));
    if let Some(training) = training {
        claims(&mut text, training);
    }
    text.push_str("end\n");
    text
}

fn line(text: &mut String, fields: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{fields}");
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn quoted(name: &str) -> String {
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

fn stages(text: &mut String, compiled: &Compiled) {
    line(text, format_args!("stages {}", compiled.stages.len()));
    let output = |at: usize| match compiled.outputs.as_slice() {
        [_] => String::new(),
        outputs => {
            let of = outputs.iter().position(|stages| stages.contains(&at)).unwrap_or(outputs.len());
            format!(" output {of}")
        }
    };
    for (at, stage) in compiled.stages.iter().enumerate() {
        line(text, format_args!("stage {}{} inputs {}", at + 1, output(at), joined(&stage.inputs)));
        for term in &stage.terms {
            let literals: Vec<String> = term.iter().copied().map(literal).collect();
            line(text, format_args!("term {} {}", at + 1, literals.join(" ")));
        }
    }
}

fn joined<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn literal((input, positive): Signed) -> String {
    format!("{}{input}", if positive { '+' } else { '-' })
}

fn neurons(neurons: &[Neuron]) -> String {
    neurons.iter().map(|neuron| format!("{}.{}", neuron.layer, neuron.at)).collect::<Vec<_>>().join(" ")
}

fn xor_inputs(inputs: &[XorInput]) -> String {
    let name = |input: &XorInput| match input {
        XorInput::Stage(stage) => format!("s{stage}"),
        XorInput::Xor(xor) => format!("v{xor}"),
    };
    inputs.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn write_gate(text: &mut String, gate: &Gate, several: bool, xors: &mut usize) {
    match gate {
        Gate::Literal { literal: of, neuron } => {
            line(text, format_args!("literal {} : {}", literal(*of), neurons(&[*neuron])));
        }
        Gate::And { stage, term, neurons: of } => {
            let kind = if of.len() == 1 { "narrow" } else { "two" };
            line(text, format_args!("and {stage}.{term} {kind} : {}", neurons(of)));
        }
        Gate::Or { stage, neurons: of } => {
            let kind = if of[0].layer == of[1].layer { "two" } else { "deep" };
            line(text, format_args!("or {stage} {kind} : {}", neurons(of)));
        }
        Gate::Xor { inputs, hidden, output } => {
            *xors += 1;
            let (inputs, hidden, output) = (xor_inputs(inputs), neurons(hidden), neurons(&[*output]));
            line(text, format_args!("xor {xors} flat {inputs} : {hidden} > {output}"));
        }
        Gate::Fold { height, inputs, hidden, output } => {
            *xors += 1;
            let (inputs, hidden, output) = (xor_inputs(inputs), neurons(hidden), neurons(&[*output]));
            line(text, format_args!("xor {xors} fold {height} {inputs} : {hidden} > {output}"));
        }
        Gate::Zero { output, neuron } if several => {
            line(text, format_args!("zero {output} : {}", neurons(&[*neuron])));
        }
        Gate::Zero { neuron, .. } => line(text, format_args!("zero : {}", neurons(&[*neuron]))),
    }
}

fn claims(text: &mut String, training: Training<'_>) {
    let Training { format, bytes, method, trace } = training;
    let rows = trace.data.rows;
    line(text, format_args!("data {format} sha256 {} bytes {} rows {rows}", digest(bytes), bytes.len()));
    match method {
        Method::Paper(params) => {
            let rule = match params.selection {
                Selection::Influence => "influence",
                Selection::Random => "random",
            };
            line(text, format_args!("params k {} m {} tau {} select {rule}", params.k, params.m, params.tau));
        }
        Method::Auto(params) => match params.k {
            Some(k) => line(text, format_args!("params auto k {k} m {}", params.m)),
            None => line(text, format_args!("params auto m {}", params.m)),
        },
    }
    for (at, stage) in trace.stages.iter().enumerate() {
        claim(text, at + 1, stage);
    }
}

fn claim(text: &mut String, t: usize, stage: &StageTrace) {
    let (before, after, cells) = (stage.errors_before, stage.errors_after, stage.cells);
    let all = format!(
        "claim {t} before {before} after {after} on {} off {} tied {}",
        cells.on, cells.off, cells.tied
    );
    match &stage.found {
        Found::Influence(influences) => {
            line(text, format_args!("{all}"));
            let fractions: Vec<String> =
                influences.iter().map(|i| format!("{}/{}", i.differing, i.pairs)).collect();
            line(text, format_args!("influence {t} {}", fractions.join(" ")));
        }
        Found::Evidence { against, .. } => line(text, format_args!("{all} against {against}")),
    }
}
