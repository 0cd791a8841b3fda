//! `fit --engine`: rows that stay where they are, in an engine of the Python package.
//!
//! An engine linked into this program would make it several times as large to build, for rows that most people do not have. The package has
//! one already, so the words of this command go to `python3 -m macchiato` as they are, and that program takes this one's place.

use std::env;
use std::ffi::OsString;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

/// Names the Python that has the package, where it is not the first one on the path.
const PYTHON: &str = "MACCHIATO_ENGINE_PYTHON";

/// Fails where the package is not installed, and imports nothing.
const LOOK: &str = "import importlib.util, sys; sys.exit(importlib.util.find_spec('macchiato') is None)";

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum EngineName {
    /// Parquet or CSV files of any size, counted by DuckDB
    Duckdb,
}

/// Options of rows that stay where they are.
#[derive(Debug, Args)]
pub(super) struct EngineOptions {
    /// Learn from files that memory does not hold, by the Python package: pip install 'macchiato[duckdb]'
    #[arg(long, value_enum, conflicts_with = "example", requires = "target")]
    pub(super) engine: Option<EngineName>,
    /// With --engine: a column that tells rows apart; the sample is drawn by its hash
    #[arg(long, value_name = "NAME", requires = "engine")]
    key: Option<String>,
    /// With --engine: rows that are searched, about [default: 65536]
    #[arg(long, value_name = "N", requires = "engine")]
    sample: Option<u64>,
}

/// Has the package do what this program was asked for; gives its exit code where it could not take this one's place.
pub(super) fn run() -> anyhow::Result<u8> {
    let python = env::var_os(PYTHON).unwrap_or_else(|| OsString::from("python3"));
    let shown = python.display().to_string();
    let looked = Command::new(&python).args(["-c", LOOK]).stdin(Stdio::null()).output();
    let install = format!(
        "install it with pip install 'macchiato[duckdb]', or name the Python that has it in {PYTHON}"
    );
    let there =
        looked.with_context(|| format!("--engine needs Python, and {shown} does not start: {install}"))?;
    if !there.status.success() {
        bail!("--engine is the Python package's, which {shown} does not have: {install}");
    }
    let mut command = Command::new(&python);
    command.args(["-m", "macchiato"]).args(env::args_os().skip(1));
    become_it(&mut command).with_context(|| shown)
}

/// Ctrl-C, exit code and output are then the package's own.
#[cfg(unix)]
fn become_it(command: &mut Command) -> anyhow::Result<u8> {
    use std::os::unix::process::CommandExt;

    Err(command.exec().into())
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> anyhow::Result<u8> {
    let code = command.status()?.code().unwrap_or(1);
    Ok(u8::try_from(code).unwrap_or(1))
}
