//! Where the outside tools are, and a visible skip where one is missing.
//!
//! `scripts/test` installs the tools, names them in `MACCHIATO_...` variables, and lists the recorded skips at its end.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// The path in the environment variable `variable`; where it is not set, `test` is recorded as skipped.
pub(crate) fn tool(variable: &str, test: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    if path.is_none() {
        skip(test, &format!("{variable} is not set"));
    }
    path
}

/// The Python of `MACCHIATO_PYTHON`, if it can import `module`; where it cannot, `test` is recorded as skipped.
pub(crate) fn python_with(module: &str, test: &str) -> Option<PathBuf> {
    importing("MACCHIATO_PYTHON", module, test)
}

/// The Python that `variable` names, if it can import `module`; where it cannot, `test` is recorded as skipped.
pub(crate) fn importing(variable: &str, module: &str, test: &str) -> Option<PathBuf> {
    let python = tool(variable, test)?;
    let import =
        Command::new(&python).args(["-c", &format!("import {module}")]).output().expect("Python starts");
    if !import.status.success() {
        skip(test, &format!("the Python of {variable} cannot import {module}"));
        return None;
    }
    Some(python)
}

/// Records in the file that `MACCHIATO_SKIPS` names that `test` did not run.
pub(crate) fn skip(test: &str, why: &str) {
    eprintln!("skipped: {test}: {why}");
    if let Some(path) = std::env::var_os("MACCHIATO_SKIPS") {
        let mut file =
            OpenOptions::new().append(true).create(true).open(path).expect("MACCHIATO_SKIPS opens");
        // One write for the whole line: tests in other processes append to this file too.
        file.write_all(format!("{test}: {why}\n").as_bytes()).expect("MACCHIATO_SKIPS can be written");
    }
}
