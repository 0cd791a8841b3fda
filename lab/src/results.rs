//! Results files: JSON, written whole, read where they exist.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a results file; `None` if there is none.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).map(Some).with_context(|| path.display().to_string())
}

/// Writes a results file, and its folder where that is missing.
pub(crate) fn write<T: Serialize>(results: &T, path: &Path) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let text = serde_json::to_string_pretty(results)? + "\n";
    fs::write(path, text).with_context(|| path.display().to_string())
}
