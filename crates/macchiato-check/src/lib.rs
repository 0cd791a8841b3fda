//! Does this network file compute exactly the certified circuit? A verdict that needs no trust in whoever made either.
//!
//! `docs/certificate.md` says what a certificate is and what its acceptance means. This crate shares no code with the
//! learner or the compiler: its own types, parsers and arithmetic, the standard library alone, no `unsafe`. A sceptic reads it
//! in this order, which is the order of the check; each file opens with what it establishes.
//!
//! | module | what it establishes |
//! |---|---|
//! | `verdict` | the three outcomes: accepted, rejected (where, why), unreadable (line, column, why) |
//! | `text`, `certificate` | the text is a certificate: records in order, numbers in range, lists ascending |
//! | `sha256` | the certificate speaks of this file |
//! | `protobuf`, `network`, `onnx`, `safetensors`, `layers` | the file is a chain of affine layers and `ReLU`s of the certified widths, and nothing else |
//! | `gates` | every neuron belongs to one gate, every gate reads what it must, the last one of each output is in its place |
//! | `weights` | every weight and bias in the file is the one that its gate needs |
//! | `exact` | no partial sum reaches 2^24, so that float32 is exact in every order of summation |
//! | `rows`, `replay` | with rows: every stage sees and does on them what the certificate says |
//! | `behaviour` | on request, for a changed file: whether it still computes the circuit |
//! | `claims` | on request: what the certificate says, for those who compare it with something else |
//! | `files` | no more of a file is read than the certificate speaks of |
//!
//! From `gates`, `weights` and `exact` the claim follows: each gate's identity (paper, Proposition on `ReLU` gate modules and
//! Appendix F.3) holds for all values that its inputs can take, so by induction along the layers each neuron of the last
//! layer is the XOR of its output's stages on each of the `2^B` points. No input makes the checker panic or recurse; memory is a small multiple of the files, and
//! time linear in them (replaying: rows times literals).
//!
//! ```
//! use macchiato_check::{Verdict, check};
//!
//! let verdict = check(b"macchiato-certificate 3\n", b"", None);
//! assert!(matches!(verdict, Verdict::Unreadable { line: 1, column: 23, .. }));
//! ```

#![forbid(unsafe_code)]

// In the order of the table: a module uses only those above it.
mod verdict;

mod text;

mod certificate;

mod sha256;

mod protobuf;

mod network;

mod onnx;

mod safetensors;

mod layers;

mod gates;

mod weights;

mod exact;

mod rows;

mod replay;

mod behaviour;

mod claims;

mod files;

pub use behaviour::Behaviour;
pub use claims::{Claims, OutputClaims, StageClaims, claims};
pub use files::{Files, FilesError};
pub use verdict::{Document, OutputSummary, Summary, TrainingSummary, Verdict};

/// The version of this crate, for those who note by what they were told.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

use certificate::Certificate;
use gates::Plan;
use verdict::reject;

/// Checks that the network file computes exactly the circuit of its certificate, and, where the training rows are given, that
/// the training did on them what the certificate says.
pub fn check(certificate: &[u8], network: &[u8], rows: Option<&[u8]>) -> Verdict {
    match establish(certificate, network, rows) {
        Ok(summary) => Verdict::Accepted(Box::new(summary)),
        Err(verdict) => verdict,
    }
}

/// Whether a network with the certificate's layers, but maybe other weights, equals its circuit on every point of the cube.
pub fn check_behaviour(certificate: &[u8], network: &[u8]) -> Behaviour {
    behaviour::decide(certificate, network).unwrap_or_else(Behaviour::Refused)
}

/// The check on one screen.
fn establish(certificate: &[u8], network: &[u8], rows: Option<&[u8]>) -> Result<Summary, Verdict> {
    let own = sha256::hex(&sha256::sha256(certificate));
    let certificate = Certificate::read(certificate).map_err(|fault| fault.of(Document::Certificate))?;
    let (found, claimed) = (network.len() as u64, certificate.network.bytes);
    if found > claimed {
        // Maybe far more: no more than that was read.
        reject(
            "network",
            format!("the file has more than the {claimed} bytes that the certificate speaks of"),
        )?;
    }
    if found < claimed {
        reject("network", format!("the file has {found} bytes, the certificate speaks of {claimed}"))?;
    }
    let digest = sha256::hex(&sha256::sha256(network));
    if certificate.network.sha256 != digest {
        reject("network", format!("the file's SHA-256 is {digest}, not the certificate's"))?;
    }
    let network = layers::read(network, &certificate)?;
    let plan = Plan::new(&certificate, &network)?;
    let weights = weights::compare(&certificate, &network, &plan)?;
    let sum = exact::largest_partial_sum(&network, &plan)?;
    if sum != certificate.sum {
        reject("sum", format!("the largest partial sum is {sum}, not {}", certificate.sum))?;
    }
    let training = match (rows, &certificate.training) {
        (Some(rows), _) => replay::replay(&certificate, rows)?,
        (None, Some(_)) => TrainingSummary::Unchecked,
        (None, None) => TrainingSummary::Absent,
    };
    Ok(Summary {
        inputs: certificate.inputs.len(),
        outputs: circuits(&certificate),
        widths: network.layers.iter().map(|layer| layer.width).collect(),
        weights,
        sum,
        digest,
        certificate: own,
        training,
    })
}

/// How large the circuit of each output is.
fn circuits(certificate: &Certificate) -> Vec<OutputSummary> {
    let name = |name: &String| OutputSummary { name: name.clone(), stages: 0, terms: 0 };
    let mut outputs: Vec<OutputSummary> = certificate.outputs.iter().map(name).collect();
    for stage in &certificate.stages {
        if let Some(output) = outputs.get_mut(stage.output) {
            output.stages += 1;
            output.terms += stage.terms.len();
        }
    }
    outputs
}

#[cfg(test)]
mod tests;
