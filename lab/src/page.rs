//! Pages made from a results file, which lie beside it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::results::write_whole;

/// The page beside a results file.
fn page(results: &Path) -> PathBuf {
    results.with_extension("md")
}

/// Writes `text` as the page beside `results`.
pub(crate) fn write(results: &Path, text: &str) -> Result<()> {
    write_whole(&page(results), text)
}

/// Whether the page beside `results` is `text`; if not, says which benchmark makes it.
pub(crate) fn is_fresh(results: &Path, text: &str, benchmark: &str) -> Result<bool> {
    let page = page(results);
    let fresh = fs::read_to_string(&page).with_context(|| page.display().to_string())? == text;
    if !fresh {
        eprintln!("lab: {} is stale: run `lab {benchmark} --table-only`", page.display());
    }
    Ok(fresh)
}
