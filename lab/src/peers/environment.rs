//! The peers' virtual environment: made and filled once, and again when a pin changes.
//!
//! First all pins at once; if that fails, one by one, so that one that cannot be had takes no other with it. Whether a
//! method is there is then found out by importing it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::method::Method;
use super::outcome::{last_line, shortened};
use super::process::SCRIPT;

const REQUIREMENTS: &str = "lab/peers/requirements.txt";

/// A Python with what could be installed, and why the rest is missing.
#[derive(Debug)]
pub(crate) struct Environment {
    pub(crate) python: PathBuf,
    missing: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Probe {
    version: String,
}

impl Environment {
    /// The environment in `folder`, made with `base` if it is not there.
    pub(crate) fn prepare(base: &Path, folder: &Path) -> Result<Self> {
        let python = folder.join("bin/python");
        let stamp = folder.join("requirements.installed");
        let pins = fs::read_to_string(REQUIREMENTS).context(REQUIREMENTS)?;
        let mut environment = Self { python, missing: BTreeMap::new() };
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == pins) {
            return Ok(environment);
        }
        eprintln!("peers: installing {REQUIREMENTS} under {}", folder.display());
        if let Err(why) = run(Command::new(base).args(["-m", "venv", "--clear"]).arg(folder)) {
            let why = format!("no virtual environment: {why:#}");
            eprintln!("peers: {why}");
            environment.missing = packages(&pins).map(|(name, _)| (name.to_owned(), why.clone())).collect();
            return Ok(environment);
        }
        if let Err(why) = environment.pip(["-r", REQUIREMENTS]) {
            eprintln!("peers: not all at once ({why:#}): one by one");
            environment.one_by_one(&pins);
        }
        if environment.missing.is_empty() {
            fs::write(&stamp, pins).with_context(|| stamp.display().to_string())?;
        }
        Ok(environment)
    }

    fn one_by_one(&mut self, pins: &str) {
        for (name, pin) in packages(pins) {
            if let Err(why) = self.pip([pin, "-c", REQUIREMENTS]) {
                eprintln!("peers: {pin} could not be installed: {why:#}");
                self.missing.insert(name.to_owned(), format!("{why:#}"));
            }
        }
    }

    fn pip<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Result<String> {
        let quiet = ["-m", "pip", "--disable-pip-version-check", "install", "-q"];
        run(Command::new(&self.python).args(quiet).args(arguments))
    }

    /// The method's library and version, or why it cannot be had.
    pub(crate) fn probe(&self, method: Method) -> Result<String, String> {
        if method.is_ours() {
            return Ok(format!("macchiato {}", env!("CARGO_PKG_VERSION")));
        }
        let script = [OsStr::new(SCRIPT), OsStr::new("probe"), OsStr::new(method.name())];
        let answer =
            run(Command::new(&self.python).args(script)).map_err(|why| self.explain(&format!("{why:#}")))?;
        let probe: Probe = serde_json::from_str(last_line(&answer)).map_err(|error| error.to_string())?;
        Ok(probe.version)
    }

    /// Why an import failed, with what was said when packages were not installed: each reason once.
    fn explain(&self, why: &str) -> String {
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, reason) in &self.missing {
            reasons.entry(reason).or_default().push(name);
        }
        let mut text = why.to_owned();
        for (reason, names) in reasons {
            let _ = write!(text, "; {reason} (so no {})", names.join(", "));
        }
        shortened(&text)
    }
}

/// The lines of a requirements file: each package's name and pin.
fn packages(pins: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = pins.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|pin| (pin.split("==").next().unwrap_or(pin), pin))
}

/// What the command prints; if it fails, the last line of its complaints.
fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().context(name)?;
    if !output.status.success() {
        bail!("{}", shortened(last_line(&String::from_utf8_lossy(&output.stderr))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned() {
        let pins = include_str!("../../peers/requirements.txt");
        assert!(packages(pins).all(|(name, pin)| pin.starts_with(&format!("{name}=="))));
        let names: Vec<&str> = packages(pins).map(|(name, _)| name).collect();
        for needed in ["scikit-learn", "xgboost", "wittgenstein", "imodels", "pyeda"] {
            assert!(names.contains(&needed), "{needed}");
        }
    }

    #[test]
    fn a_method_without_its_python_says_why() {
        let missing = ["scipy", "xgboost"].map(|name| (name.to_owned(), "no space left".to_owned())).into();
        let environment = Environment { python: "/nowhere/python".into(), missing };
        let why = environment.probe(Method::Xgboost).unwrap_err();
        assert!(
            why.contains("/nowhere/python") && why.ends_with("; no space left (so no scipy, xgboost)"),
            "{why}"
        );
        assert!(environment.probe(Method::Macchiato).is_ok());
    }
}
