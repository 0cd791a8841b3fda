//! Ten million rows of 64 inputs, in a process of its own, whose peak of memory the system counts.
//!
//! Random rows of 64 inputs hold no neighbours, so that Algorithm 1 finds no active input and stops; selection at random
//! runs all stages, and still looks for the neighbours first.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use macchiato::fit::{PaperParams, Selection, fit_paper};
use macchiato::generate::{Target, sample};
use macchiato::minimize::Budget;
use serde::{Deserialize, Serialize};

use crate::bar::rounded;
use crate::configurations::STAGES;

const ROWS: usize = 10_000_000;
const INPUTS: usize = 64;
const K: usize = 8;

/// How inputs are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Way {
    Influence,
    Random,
}

/// One fit.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Large {
    pub(crate) rows: usize,
    pub(crate) inputs: usize,
    pub(crate) k: usize,
    pub(crate) selection: String,
    pub(crate) stages: usize,
    pub(crate) seconds: f64,
    /// Drawing the rows, which comes before.
    pub(crate) draw_seconds: f64,
    /// Of the whole process, drawing included.
    pub(crate) peak_mebibytes: f64,
}

/// Runs the fit in a child of this process.
pub(crate) fn measure(way: Way) -> Result<Large> {
    let name = if way == Way::Random { "random" } else { "influence" };
    let program = std::env::current_exe().context("where is this program?")?;
    let output = Command::new(program).args(["learn", "--large", name]).output()?;
    ensure!(output.status.success(), "the fit of {ROWS} rows: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The child: prints its figures.
pub(crate) fn be(way: Way) -> Result<()> {
    let begin = Instant::now();
    let rows = sample(&Target::junta(INPUTS, 8, 0)?, ROWS, 0)?;
    let draw_seconds = begin.elapsed().as_secs_f64();
    let selection = if way == Way::Random { Selection::Random } else { Selection::Influence };
    let mut params = PaperParams::new(K, STAGES);
    params.selection = selection;
    let params = params.check(&rows)?;
    let begin = Instant::now();
    let fit = fit_paper(&rows, &params, &Budget::unlimited())?;
    let large = Large {
        rows: ROWS,
        inputs: INPUTS,
        k: K,
        selection: if way == Way::Random { "random" } else { "influence" }.to_owned(),
        stages: fit.stages.len(),
        seconds: rounded(begin.elapsed().as_secs_f64()),
        draw_seconds: rounded(draw_seconds),
        peak_mebibytes: rounded(peak_mebibytes()?),
    };
    println!("{}", serde_json::to_string(&large)?);
    Ok(())
}

/// The most memory that this process has had.
fn peak_mebibytes() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("the system does not tell")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let kibibytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes / 1024.0)
}
