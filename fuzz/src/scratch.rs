//! Bytes as a file, for readers that choose by a file's ending. One file for each ending and process, in the temporary folder,
//! which `scripts/fuzz` puts into memory where it can, and clears.

use std::path::PathBuf;
use std::{env, fs, process};

/// Writes the bytes to a file with this ending.
///
/// # Panics
/// Where the temporary folder takes no file.
#[must_use]
pub fn file(bytes: &[u8], ending: &str) -> PathBuf {
    let path = env::temp_dir().join(format!("macchiato-fuzz-{}.{ending}", process::id()));
    fs::write(&path, bytes).expect("the temporary folder takes a file");
    path
}
