//! Instructions of fixed pieces of work, counted by Valgrind: quiet where seconds are noisy.
//!
//! Each probe runs twice in a process of its own, with and without the work; the difference is the minimizer's. The
//! tables' counts are the same on every run of the same binary; those of rows and covers move by less than a tenth of a
//! percent, since std's hash tables are seeded anew in every process. Counts depend on compiler and CPU features.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use macchiato::minimize::{Cover, Function, Options, minimize_function, minimize_rows, minimize_table};
use serde::{Deserialize, Serialize};

use super::draw;

/// Results of the `instructions` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) probes: Vec<Probe>,
}

/// One piece of work.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Probe {
    pub(crate) name: String,
    pub(crate) instructions: u64,
}

const PROBES: [&str; 10] = [
    "table-8-0",
    "table-8-30",
    "table-8-70",
    "table-10-0",
    "table-10-30",
    "table-10-70",
    "rows-12-1000",
    "cover-10-4-40",
    "cover-16-8-60",
    "cover-24-6-50",
];

/// `None` where there is no Valgrind.
pub(crate) fn run() -> Result<Option<Section>> {
    let found =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let mut probes = Vec::new();
    for name in PROBES {
        let instructions = count(name, false)?.saturating_sub(count(name, true)?);
        eprintln!("instructions: {name}: {instructions}");
        probes.push(Probe { name: name.to_owned(), instructions });
    }
    Ok(Some(Section { probes }))
}

/// Instructions of a whole process.
fn count(name: &str, idle: bool) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe()?);
    command.args(["probe", name]).args(idle.then_some("--idle"));
    let output = command.env_clear().output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind on {name}: {log}");
    let collected = log.lines().find_map(|line| line.split_once("Collected :"));
    collected
        .and_then(|(_, count)| count.trim().parse().ok())
        .with_context(|| format!("no count from valgrind: {log}"))
}

/// Does the work of the probe `name`, or only what comes before it.
pub(crate) fn probe(name: &str, idle: bool) -> Result<()> {
    let mut parts = name.split('-');
    let kind = parts.next();
    let numbers =
        parts.map(str::parse).collect::<Result<Vec<usize>, _>>().with_context(|| name.to_owned())?;
    let options = Options::default();
    let terms = match (kind, numbers.as_slice()) {
        (Some("table"), &[inputs, dont_care]) => {
            let table = draw::table(inputs, dont_care as u32, 0)?;
            if idle { 0 } else { minimize_table(&table, &options)?.cover.terms() }
        }
        (Some("rows"), &[inputs, count]) => {
            let (_, rows) = draw::junta(inputs, 8, count, 0);
            if idle { 0 } else { minimize_rows(&rows, &options)?.cover.terms() }
        }
        (Some("cover"), &[inputs, outputs, terms]) => {
            let on = draw::cover(inputs, outputs, terms, 0);
            let none = Cover::new(on.shape());
            let function = Function::on_dont_care(on, none)?;
            if idle { 0 } else { minimize_function(&function, &options)?.cover.terms() }
        }
        _ => bail!("{name}: there is no such probe"),
    };
    println!("{terms}");
    Ok(())
}
