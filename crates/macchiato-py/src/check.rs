//! The independent checker's verdict on a network file and its certificate.

use macchiato::check::{self as checker, Behaviour, Verdict};
use pyo3::prelude::*;

/// The verdict in one word, and in full.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    certificate: &[u8],
    network: &[u8],
    rows: Option<&[u8]>,
) -> (&'static str, String) {
    let verdict = py.detach(|| checker::check(certificate, network, rows));
    (name(&verdict), verdict.to_string())
}

/// Whether a changed network still computes the certified circuit: the answer in one word, and in full.
#[pyfunction]
pub(crate) fn check_behaviour(py: Python<'_>, certificate: &[u8], network: &[u8]) -> (&'static str, String) {
    let found = py.detach(|| checker::check_behaviour(certificate, network));
    let word = match &found {
        Behaviour::Equal { .. } => "equal",
        Behaviour::Differs { .. } => "differs",
        Behaviour::Undecided { .. } => "undecided",
        Behaviour::Refused(verdict) => name(verdict),
    };
    (word, found.to_string())
}

const fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted(_) => "accepted",
        Verdict::Rejected { .. } => "rejected",
        Verdict::Unreadable { .. } => "unreadable",
    }
}
