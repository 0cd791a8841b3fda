//! The certificate of the page's network: made, and checked, with the digests of what it speaks about.

use std::fmt::Write as _;

use super::{Report, ReportError};
use crate::certify::{CertifyError, NetworkFormat, certify};
use crate::check::{Verdict, check};
use crate::circuit::Circuit;
use crate::network::{Compiled, to_onnx};
use macchiato_replay::replay;
use sha2::{Digest, Sha256};

/// What the checker said, and about which bytes.
pub(super) struct Certificate {
    /// The verdict's lines as the checker prints them.
    pub(super) verdict: String,
    pub(super) accepted: bool,
    /// What is to be said of the training rows.
    pub(super) training: Option<String>,
    pub(super) network: (String, usize),
    pub(super) text: (String, usize),
    pub(super) model: Option<(String, usize)>,
    /// The day, where the caller tells it.
    pub(super) day: Option<String>,
}

impl Certificate {
    pub(super) fn new(
        circuit: &Circuit,
        compiled: &Compiled,
        report: &Report<'_>,
    ) -> Result<Self, ReportError> {
        let network = to_onnx(&compiled.network);
        let format = NetworkFormat::Onnx;
        let (mut training, mut replayed, mut text) = (None, None, None);
        if let Some(claims) = report.replay {
            match certify(circuit, compiled, format, &network, Some(claims)) {
                Ok(claimed) => {
                    replayed = replay(claimed.as_bytes(), claims.bytes).ok();
                    text = Some(claimed);
                }
                Err(CertifyError::Training { verdict }) => training = Some(verdict),
                Err(error) => return Err(error.into()),
            }
        }
        let text = match text {
            Some(text) => text,
            None => certify(circuit, compiled, format, &network, None)?,
        };
        let verdict = check(text.as_bytes(), &network);
        let replayed = replayed.map_or_else(String::new, |replayed| format!("\n{replayed}"));
        Ok(Self {
            accepted: matches!(verdict, Verdict::Accepted(_)),
            verdict: verdict.to_string() + &replayed,
            training,
            network: (sha256(&network), network.len()),
            text: (sha256(text.as_bytes()), text.len()),
            model: report.file.map(|bytes| (sha256(bytes), bytes.len())),
            day: report.day.map(ToOwned::to_owned),
        })
    }

    pub(super) const fn word(&self) -> &'static str {
        if self.accepted { "accepted" } else { "not accepted" }
    }

    /// For the head of the page: what was said, which the script confirms or refutes.
    pub(super) fn badge(&self) -> String {
        let said = self.word();
        format!("<span id=\"badge\" data-said=\"{said}\">{said}</span>")
    }

    /// The SHA-256 of the network's file.
    pub(super) fn network(&self) -> &str {
        &self.network.0
    }
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
