//! What is beside the proof: was the circuit learned as its certificate says, and what does a network do after its weights were changed?
//!
//! | module | what it answers |
//! |---|---|
//! | `table`, `training`, `rows`, `reading`, `stages`, `replay` | with the training rows: every stage saw and did on them what the certificate says |
//! | `float32`, `sparse`, `behaviour` | for a changed file: whether it still computes the circuit, in float32 and every order of summation |
//! | `reach`, `gates`, `walk`, `decided`, `decides` | for a record `decides`: whether each output is above 1/2 exactly where its circuit holds |
//! | `find` | for a changed file: what each gate answers now |
//!
//! This crate uses the types of `macchiato-check` and none of its verdicts; the checker never uses this crate. Nothing here is part of
//! the trusted base: a network that equals its circuit does so whether or not these questions are asked.

#![forbid(unsafe_code)]

// A module uses only those above it.
mod table;

mod training;

mod rows;

mod reading;

mod stages;

mod replay;

mod float32;

mod sparse;

mod behaviour;

mod reach;

mod gates;

mod walk;

mod decided;

mod decides;

mod find;

use macchiato_check::{Certificate, Fault, Rejection, reject};
use std::fmt;

pub use behaviour::Behaviour;
pub use decided::Decided;
pub use find::{Between, Now, Tuned, Unfound};

/// What the rows showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// Rows.
    pub rows: u64,
    /// Rows that the circuit gets wrong.
    pub errors: u64,
    /// Why there is no further stage.
    pub stop: &'static str,
}

/// Why a question was not answered with yes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Refusal {
    /// Something that is claimed is not so.
    Rejected(Rejection),
    /// The certificate does not follow its format.
    Certificate(Fault),
    /// The rows do not follow theirs.
    Rows(Fault),
}

/// Replays the training on the bytes of the file of rows: every number that the certificate claims about it is found again.
///
/// # Errors
/// The first claim that does not hold, or where a text breaks its format.
pub fn replay(certificate: &[u8], rows: &[u8]) -> Result<Replayed, Refusal> {
    match replay_outputs(certificate, rows)?.as_slice() {
        [(_, replayed)] => Ok(*replayed),
        _ => Ok(reject("training", "it speaks of several outputs: replay them one by one")?),
    }
}

/// As [`replay`], for each output of which something is claimed: its number, and what the rows showed.
///
/// # Errors
/// The first claim that does not hold, or where a text breaks its format.
pub fn replay_outputs(certificate: &[u8], rows: &[u8]) -> Result<Vec<(usize, Replayed)>, Refusal> {
    replay::replay(&Certificate::read(certificate)?, rows)
}

/// Whether a network with the certificate's layers, but maybe other weights, equals its circuit on every point of the cube.
pub fn check_behaviour(certificate: &[u8], network: &[u8]) -> Behaviour {
    behaviour::decide(certificate, network).unwrap_or_else(Behaviour::Refused)
}

/// Whether a record `decides` holds: each output of the network is above 1/2 exactly where its circuit holds, on every point of the cube,
/// in float32 and every order of summation. This never says that the two are equal.
pub fn check_decides(record: &[u8], network: &[u8]) -> Decided {
    decides::decide(record, network).unwrap_or_else(Decided::Refused)
}

/// What each gate of a certificate answers in a network of the same layers, but maybe other weights.
///
/// # Errors
/// Files that cannot be read, weights where the certified network has 0, and gates that are past the limits.
pub fn find_gates(certificate: &[u8], network: &[u8]) -> Result<Tuned, Unfound> {
    find::find(certificate, network)
}

/// The first line of a record `decides`; the others are as in a certificate.
pub const DECIDES: &str = decides::FIRST;

/// How long the file of training rows is that a certificate speaks of; 0 where it speaks of none.
#[must_use]
pub fn rows_length(certificate: &[u8]) -> u64 {
    let line = |(_, text): &(usize, String)| {
        let mut words = text.split(' ');
        (words.nth(1) == Some("data"))
            .then(|| words.skip_while(|word| *word != "bytes").nth(1)?.parse().ok())
            .flatten()
    };
    Certificate::read(certificate)
        .ok()
        .and_then(|certificate| certificate.training.iter().find_map(line))
        .unwrap_or(0)
}

impl Refusal {
    /// 1 for a claim that does not hold, 2 for a text that cannot be read.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Rejected(_) => 1,
            Self::Certificate(_) | Self::Rows(_) => 2,
        }
    }

    /// What the program prints, with the names of the two texts.
    #[must_use]
    pub fn report(&self, certificate: &str, rows: &str) -> String {
        match self {
            Self::Rejected(Rejection { place, why }) => format!("rejected: {place}: {why}\n"),
            Self::Certificate(fault) => unreadable(certificate, fault),
            Self::Rows(fault) => unreadable(rows, fault),
        }
    }
}

fn unreadable(name: &str, Fault { line, column, why }: &Fault) -> String {
    format!("unreadable: {name}: line {line}, column {column}: {why}\n")
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report("certificate", "rows").trim_end())
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

/// Of the certificate: faults of rows are said to be that where they are found.
impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Certificate(fault)
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rows, errors, stop } = self;
        write!(f, "  training     replayed on {rows} rows, {errors} in error; {stop}")
    }
}
