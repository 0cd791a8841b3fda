//! What the checker says in these tests, written down for its twin (`proof/twin`), which must say the same.
//!
//! `scripts/proof` names a file by `MACCHIATO_CASES`. Of the mutants one in `MACCHIATO_CASES_EVERY` is kept, chosen by its own bytes, so that
//! the same ones are kept in any order of the tests.

use crate::Verdict;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, OnceLock};

/// Longer cases are about lengths alone.
const LONGEST: usize = 4 << 20;

/// The verdict, written down.
pub(super) fn check(certificate: &[u8], network: &[u8]) -> Verdict {
    let verdict = crate::check(certificate, network);
    note(&verdict, certificate, network);
    verdict
}

/// The verdict on one of very many, of which some are written down.
pub(super) fn check_mutant(certificate: &[u8], network: &[u8]) -> Verdict {
    let verdict = crate::check(certificate, network);
    if file().is_some() {
        // FNV-1a.
        let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = certificate.iter().chain(network).fold(0xcbf2_9ce4_8422_2325, fold);
        if (hash >> 20).is_multiple_of(every()) {
            note(&verdict, certificate, network);
        }
    }
    verdict
}

fn every() -> u64 {
    static EVERY: OnceLock<u64> = OnceLock::new();
    *EVERY.get_or_init(|| {
        let every = std::env::var("MACCHIATO_CASES_EVERY").unwrap_or_else(|_| "1".to_owned());
        every.parse().expect("MACCHIATO_CASES_EVERY is a number from 1 on")
    })
}

fn file() -> Option<&'static Mutex<File>> {
    static FILE: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    let open = || {
        let path = std::env::var_os("MACCHIATO_CASES")?;
        let file =
            OpenOptions::new().append(true).create(true).open(path).expect("MACCHIATO_CASES can be written");
        Some(Mutex::new(file))
    };
    FILE.get_or_init(open).as_ref()
}

/// The code, two lengths in four bytes, least first, and the two texts.
fn note(verdict: &Verdict, certificate: &[u8], network: &[u8]) {
    let Some(file) = file() else { return };
    if certificate.len() + network.len() > LONGEST {
        return;
    }
    let mut record = vec![verdict.exit_code()];
    for part in [certificate, network] {
        record.extend(u32::try_from(part.len()).expect("at most the longest").to_le_bytes());
    }
    record.extend([certificate, network].concat());
    let mut file = file.lock().expect("no test panics while it writes");
    file.write_all(&record).expect("MACCHIATO_CASES can be written");
}
