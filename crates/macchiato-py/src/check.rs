//! The independent checker's verdict on a network file and its certificate.

use macchiato::check::{self as checker, Verdict};
use macchiato::replay::{self, Behaviour, Decided, Refusal};
use pyo3::prelude::*;

/// The verdict in one word, and in full.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    certificate: &[u8],
    network: &[u8],
    rows: Option<&[u8]>,
) -> (&'static str, String) {
    let verdict = py.detach(|| checker::check(certificate, network));
    let (Verdict::Accepted(_), Some(rows)) = (&verdict, rows) else {
        return (name(&verdict), verdict.to_string());
    };
    match py.detach(|| replay::replay(certificate, rows)) {
        Ok(replayed) => ("accepted", format!("{verdict}\n{replayed}")),
        Err(refusal) => (refused(&refusal), refusal.to_string()),
    }
}

/// Whether a changed network still computes the certified circuit: the answer in one word, and in full.
#[pyfunction]
pub(crate) fn check_behaviour(py: Python<'_>, certificate: &[u8], network: &[u8]) -> (&'static str, String) {
    let found = py.detach(|| replay::check_behaviour(certificate, network));
    let word = match &found {
        Behaviour::Equal { .. } => "equal",
        Behaviour::Differs { .. } => "differs",
        Behaviour::Undecided { .. } => "undecided",
        Behaviour::Refused(refusal) => refused(refusal),
    };
    (word, found.to_string())
}

/// Whether a record `decides` holds of a network: the answer in one word, and in full.
#[pyfunction]
pub(crate) fn check_decides(py: Python<'_>, record: &[u8], network: &[u8]) -> (&'static str, String) {
    let found = py.detach(|| replay::check_decides(record, network));
    let word = match &found {
        Decided::Holds { .. } => "decides",
        Decided::Differs { .. } => "differs",
        Decided::Undecided { .. } => "undecided",
        Decided::Refused(refusal) => refused(refusal),
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

const fn refused(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Rejected(_) => "rejected",
        Refusal::Certificate(_) | Refusal::Rows(_) => "unreadable",
    }
}
