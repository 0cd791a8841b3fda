//! Does this network file compute exactly the certified circuit? A verdict that needs no trust in whoever made either.
//!
//! `docs/certificate.md` says what a certificate is and what its acceptance means. This crate shares no code with the
//! learner or the compiler: its own types, parsers and arithmetic, the standard library alone, no `unsafe`. A sceptic reads it
//! in this order, which is the order of the check; each file opens with what it establishes.
//!
//! | module | what it establishes |
//! |---|---|
//! | `verdict` | the three outcomes: accepted, rejected (where, why), unreadable (line, column, why) |
//! | `text`, `certificate` | the text is a certificate: records in order, numbers in range, gates after what they read |
//! | `sha256` | the certificate speaks of this file |
//! | `network`, `protobuf`, `onnx`, `safetensors`, `layers` | the file is a chain of affine layers and `ReLU`s of the certified widths, and nothing else |
//! | `gates` | every weight of the file belongs to a gate, every gate is right at every count, no partial sum reaches 2^24, every output is in its place |
//! | `circuit` | relays and helpers put together: the circuit that the user reads |
//! | `files` | not part of the claim: no more of a file is read than the certificate speaks of |
//!
//! From `gates` and `circuit` the claim follows: by induction along the gates every signal is what the circuit says, on each of
//! the `2^B` points. No input makes the checker panic or recurse; memory is a small multiple of the files, and time linear in
//! them but for the evaluation of gates, which has a limit.
//!
//! ```
//! use macchiato_check::{Verdict, check};
//!
//! let verdict = check(b"macchiato-certificate 2\n", b"");
//! assert!(matches!(verdict, Verdict::Unreadable { line: 1, column: 23, .. }));
//! ```

#![forbid(unsafe_code)]

// In the order of the table: a module uses only those above it.
mod verdict;

#[allow(clippy::missing_errors_doc)] // There is one kind of error: the place where the text is wrong.
pub mod text;

pub mod certificate;

pub mod sha256;

pub mod network;

mod protobuf;

mod onnx;

mod safetensors;

pub mod layers;

mod gates;

pub mod circuit;

mod files;

pub use certificate::Certificate;
pub use circuit::Circuit;
pub use files::{Files, FilesError, read_at_most, visible};
pub use gates::STEPS;
pub use verdict::{Fault, Rejection, Summary, Verdict, reject};

/// The version of this crate, for those who note by what they were told.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Checks that the network file computes exactly the circuit of its certificate.
pub fn check(certificate: &[u8], network: &[u8]) -> Verdict {
    match establish(certificate, network) {
        Ok(summary) => Verdict::Accepted(Box::new(summary)),
        Err(verdict) => verdict,
    }
}

/// The check on one screen.
fn establish(text: &[u8], file: &[u8]) -> Result<Summary, Verdict> {
    let certificate = Certificate::read(text)?;
    let (found, claimed) = (file.len() as u64, certificate.network.bytes);
    if found != claimed {
        // Maybe far more: no more than that was read.
        let than = if found > claimed { "more" } else { "fewer" };
        reject(
            "network",
            format!("the file has {than} than the {claimed} bytes that the certificate speaks of"),
        )?;
    }
    let digest = sha256::sha256(file);
    if certificate.network.sha256 != digest {
        reject("network", format!("the file's SHA-256 is {digest}, not the certificate's"))?;
    }
    let network = layers::read(file, &certificate)?;
    let sum = gates::check(&certificate, &network)?;
    let circuit = Circuit::of(&certificate)?;
    Ok(Summary {
        inputs: circuit.inputs,
        gates: circuit.gates.len(),
        outputs: certificate.outputs.into_iter().map(|output| (output.name, output.most)).collect(),
        widths: certificate.layers.iter().map(|layer| layer.width).collect(),
        weights: network.layers.iter().map(|layer| (layer.width * (layer.inputs + 1)) as u64).sum(),
        sum,
        digest,
        certificate: sha256::sha256(text),
        training: certificate.training.len(),
    })
}

#[cfg(test)]
#[allow(clippy::cast_sign_loss, reason = "small numbers, made here")]
mod tests;
