//! Tests of the whole: certificates and networks made here, by a compiler that shares nothing with the readers.

mod accepted;
mod big;
mod build;
mod cases;
mod forgeries;
mod lies;
mod mutations;
mod onnx_form;
mod parser;
mod safetensors_form;
mod several;
mod size;

use crate::Verdict;
use build::Compiled;
use cases::check;

/// The verdict on what was compiled.
fn verdict(compiled: &Compiled) -> Verdict {
    let network = compiled.network();
    check(compiled.certificate(&network).as_bytes(), &network)
}

/// Asserts a rejection for a reason that contains `reason`, in either of its parts.
#[track_caller]
fn assert_rejected(verdict: &Verdict, reason: &str) {
    match verdict {
        Verdict::Rejected { where_, why } if format!("{where_}: {why}").contains(reason) => {}
        other => panic!("expected a rejection for {reason:?}, got {other}"),
    }
}

/// Asserts an unreadable text, its place, and a reason that contains `reason`.
#[track_caller]
fn assert_unreadable(verdict: &Verdict, place: (usize, usize), reason: &str) {
    match verdict {
        Verdict::Unreadable { line, column, why } if (*line, *column) == place && why.contains(reason) => {}
        other => panic!("expected {reason:?} at {place:?}, got {other}"),
    }
}
