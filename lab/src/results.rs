//! Results files: JSON, written whole or not at all, read where they exist.

use std::fs;
use std::io::Write;
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
    write_whole(path, &(serde_json::to_string_pretty(results)? + "\n"))
}

/// An object as JSON, and after its own keys the list `name` with each of `lines` on a line of its own.
pub(crate) fn with_lines<T: Serialize, L: Serialize>(head: &T, name: &str, lines: &[L]) -> Result<String> {
    let head = serde_json::to_string_pretty(head)?;
    let head = head.strip_suffix("\n}").context("an object ends with a brace")?;
    let lines: Result<Vec<String>, _> = lines.iter().map(serde_json::to_string).collect();
    Ok(format!("{head},\n  \"{name}\": [\n    {}\n  ]\n}}\n", lines?.join(",\n    ")))
}

/// Writes a file that appears whole or not at all, and its folder where that is missing.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> Result<()> {
        fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        // Temporary files are private by default; results are not.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| path.display().to_string())
}

/// The CPUs that a run had.
pub(crate) fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
