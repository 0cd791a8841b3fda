//! The learner of circuits on the functions of a contest: learned from each one's training rows, judged by its validation rows, which the
//! learner does not see. The data are public and not part of this project.

mod noise;
mod tables;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use macchiato::export::{ExportFormat, write};
use macchiato::frame::{self, FrameOptions};
use macchiato::learn::{self, AutoParams, Candidate, Pick, Settings};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};

use crate::accuracy::share_right;
use crate::bar::{mean, rounded};

pub(crate) use tables::rows as fold_rows;

/// Where the committed results are.
const RESULTS: &str = "lab/results/circuits.json";

/// Where those of typed tables are.
const TYPED: &str = "lab/results/typed.json";

/// Where those of wrong labels are.
const NOISE: &str = "lab/results/noise.json";

/// Measure the learner of circuits: accuracy and AND nodes on a contest's functions.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// These functions only, such as ex00 or ex74; writes nothing unless --out is given.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    names: Vec<String>,
    /// The typed tables of this folder of the data instead of the contest's functions; writes `lab/results/typed.json`.
    #[arg(long, value_name = "FOLDER")]
    tables: Option<String>,
    /// Known rules with wrong labels instead, with so many seeds; writes `lab/results/noise.json`.
    #[arg(long, value_name = "SEEDS")]
    noise: Option<u64>,
    /// Print every candidate, for those who work on the learner.
    #[arg(long)]
    candidates: bool,
    /// Folder that holds `iwls2020/exNN.train.pla` and `exNN.valid.pla`.
    #[arg(long, env = "MACCHIATO_DATA", value_name = "DIR")]
    data: PathBuf,
    /// The results file; `lab/results/circuits.json` unless given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// All functions.
#[derive(Debug, Serialize, Deserialize)]
struct Results {
    seconds: f64,
    /// By the default pick.
    score: Means,
    /// By the pick `best`.
    best: Means,
    functions: Vec<Function>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Means {
    accuracy: f64,
    ands: f64,
    most_ands: usize,
}

/// One function.
#[derive(Debug, Serialize, Deserialize)]
struct Function {
    name: String,
    inputs: usize,
    rows: usize,
    seconds: f64,
    score: Outcome,
    best: Outcome,
}

/// One pick.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
    recipe: String,
    accuracy: f64,
    ands: usize,
    conditions: usize,
}

/// Runs what `arguments` ask for.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if let Some(folder) = &arguments.tables {
        let folder = arguments.data.join(folder);
        let results = tables::measure(&folder, &arguments.names, arguments.candidates)?;
        if arguments.names.is_empty() || arguments.out.is_some() {
            crate::results::write(&results, arguments.out.as_deref().unwrap_or(Path::new(TYPED)))?;
        }
        return Ok(true);
    }
    if let Some(seeds) = arguments.noise {
        let results = noise::measure(seeds)?;
        crate::results::write(&results, arguments.out.as_deref().unwrap_or(Path::new(NOISE)))?;
        return Ok(true);
    }
    let folder = arguments.data.join("iwls2020");
    let mut functions = Vec::new();
    for name in names(&folder, &arguments.names)? {
        let read = |part: &str| -> Result<Rows> {
            let path = folder.join(format!("{name}.{part}.pla"));
            Ok(Rows::from_frame(frame::read(&path, &FrameOptions::default())?, None)?)
        };
        let function = measure(&name, &read("train")?, &read("valid")?, arguments.candidates)?;
        eprintln!(
            "{name}: {} {:.4}, {} ANDs; best {} {:.4}, {} ANDs; {:.1} s",
            function.score.recipe,
            function.score.accuracy,
            function.score.ands,
            function.best.recipe,
            function.best.accuracy,
            function.best.ands,
            function.seconds
        );
        functions.push(function);
    }
    ensure!(!functions.is_empty(), "{}: no exNN.train.pla", folder.display());
    let results = Results {
        seconds: rounded(functions.iter().map(|function| function.seconds).sum()),
        score: means(&functions, |function| &function.score),
        best: means(&functions, |function| &function.best),
        functions,
    };
    println!(
        "{} functions: {:.4} with {:.0} ANDs by score, {:.4} with {:.0} ANDs at best, {:.0} s",
        results.functions.len(),
        results.score.accuracy,
        results.score.ands,
        results.best.accuracy,
        results.best.ands,
        results.seconds
    );
    if arguments.names.is_empty() || arguments.out.is_some() {
        crate::results::write(&results, arguments.out.as_deref().unwrap_or(Path::new(RESULTS)))?;
    }
    Ok(true)
}

/// The functions asked for, or all.
fn names(folder: &Path, wanted: &[String]) -> Result<Vec<String>> {
    if !wanted.is_empty() {
        return Ok(wanted.to_vec());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let file = entry?.file_name();
        names.extend(file.to_str().and_then(|file| file.strip_suffix(".train.pla")).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn measure(name: &str, train: &Rows, valid: &Rows, candidates: bool) -> Result<Function> {
    let (params, settings, budget) =
        (AutoParams::default().check(train)?, Settings::default(), Budget::unlimited());
    let begin = Instant::now();
    let learned = learn::learn(train, None, &params, &settings, &budget, &|_| {});
    let seconds = begin.elapsed().as_secs_f64();
    if candidates {
        for judged in &learned.front.judged {
            let candidate = &judged.candidate;
            println!(
                "{name};{};{:.1};{:.1};{};{}/{};{:.5};{}",
                candidate.recipe,
                candidate.evidence,
                candidate.description,
                candidate.conditions(),
                judged.hits,
                learned.front.held,
                right(candidate, valid),
                ands(candidate)?
            );
        }
    }
    let best = learn::follow(&learned.front, Pick::Best, train, &params, &settings, &budget);
    Ok(Function {
        name: name.to_owned(),
        inputs: train.inputs(),
        rows: train.len(),
        seconds: rounded(seconds),
        score: outcome(&learned.candidate, valid)?,
        best: outcome(&best, valid)?,
    })
}

fn outcome(candidate: &Candidate, valid: &Rows) -> Result<Outcome> {
    Ok(Outcome {
        recipe: candidate.recipe.to_string(),
        accuracy: rounded(right(candidate, valid)),
        ands: ands(candidate)?,
        conditions: candidate.conditions(),
    })
}

pub(crate) fn right(candidate: &Candidate, valid: &Rows) -> f64 {
    share_right(&learn::answers(&candidate.circuit, valid), valid)
}

/// AND nodes of the circuit as an AIGER file.
fn ands(candidate: &Candidate) -> Result<usize> {
    let report = write(&candidate.circuit, ExportFormat::AigerBinary, &mut std::io::sink())?;
    Ok(report.and_gates.unwrap_or(0))
}

fn means(functions: &[Function], outcome: fn(&Function) -> &Outcome) -> Means {
    Means {
        accuracy: rounded(mean(functions.iter().map(|function| outcome(function).accuracy))),
        ands: rounded(mean(functions.iter().map(|function| outcome(function).ands as f64))),
        most_ands: functions.iter().map(|function| outcome(function).ands).max().unwrap_or(0),
    }
}
