//! The checker's verdict on the layers of a network that starts from a table.
//!
//! Such a file is not the one that a certificate names: tests of the table's columns stand in front, and classes come out behind. Its layers, taken out as they are,
//! make a file of their own, and the certificate is put to that file: each of their weights must be the one that its
//! gate needs, bit for bit. This is no part of the trusted base.

use super::digest;
use crate::network::RawFile;
use macchiato_check::{Certificate, Verdict, check};

/// Whether the layers of `raw`, which was read from `file`, are those of the certificate. An accepted summary has the digests
/// of the two files as they were given.
pub fn check_raw(certificate: &[u8], file: &[u8], raw: &RawFile<'_>) -> Verdict {
    let (inputs, outputs) = match Certificate::read(certificate) {
        Ok(certificate) => (certificate.inputs.len(), certificate.outputs.len()),
        Err(fault) => return fault.into(),
    };
    let layers = raw.layers(inputs, outputs);
    match check(&about(certificate, &layers), &layers) {
        Verdict::Accepted(mut summary) => {
            summary.digest = digest(file);
            summary.certificate = digest(certificate);
            Verdict::Accepted(summary)
        }
        verdict => verdict,
    }
}

/// The certificate with another network file, which is ONNX, in its second line.
fn about(certificate: &[u8], network: &[u8]) -> Vec<u8> {
    let line = format!("network onnx sha256 {} bytes {}", digest(network), network.len());
    let mut lines = certificate.split(|&byte| byte == b'\n');
    let mut text = lines.next().unwrap_or_default().to_vec();
    for line in std::iter::once(line.as_bytes()).chain(lines.skip(1)) {
        text.push(b'\n');
        text.extend_from_slice(line);
    }
    text
}
