//! Side by side with `PyEDA`'s `espresso_tts` on the same tables, in the same run.
//!
//! One Python process stays open; each table goes to us and to it in turn, so that whatever else the machine does hits
//! both alike. A table's time is the median of its repetitions. The speed that counts is the median over the tables of
//! peer's time / our time; the ratio of the sums and the ratio to the peer's C code alone stand beside it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use macchiato::minimize::{Options, minimize_table};
use serde::{Deserialize, Serialize};

use super::bar::{Bar, mean, median, rounded};
use super::draw;
use super::tables::DONT_CARE;

const SCRIPT: &str = include_str!("../../peers/pyeda_tables.py");
/// Inputs, repetitions of each table, and the speed to reach.
const KINDS: [(usize, usize, Option<f64>); 4] =
    [(6, 5, None), (8, 5, Some(3.0)), (10, 3, Some(3.0)), (12, 1, Some(5.0))];
const INSTANCES: u64 = 20;

/// Results of the `peer` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) peer: String,
    pub(crate) bars: Vec<Bar>,
    pub(crate) kinds: Vec<Kind>,
}

/// One kind of table: so many inputs, so much don't-care.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) inputs: usize,
    pub(crate) dont_care_percent: u32,
    pub(crate) instances: usize,
    pub(crate) mean_terms: f64,
    pub(crate) peer_mean_terms: f64,
    pub(crate) better_percent: f64,
    pub(crate) median_seconds: f64,
    pub(crate) peer_median_seconds: f64,
    pub(crate) times_faster: f64,
    pub(crate) times_faster_by_sums: f64,
    pub(crate) times_faster_than_its_c_code: f64,
}

/// Both sides on one table.
struct Pair {
    terms: usize,
    peer_terms: usize,
    seconds: f64,
    peer_seconds: f64,
    peer_core_seconds: f64,
}

/// `None` where `python` cannot import `PyEDA`.
pub(crate) fn run(python: &Path, quick: bool) -> Result<Option<Section>> {
    let Some(mut peer) = Peer::start(python) else { return Ok(None) };
    let mut section = Section { peer: peer.name.clone(), bars: Vec::new(), kinds: Vec::new() };
    let instances = if quick { 3 } else { INSTANCES };
    for (inputs, repetitions, bar) in KINDS.into_iter().filter(|kind| !quick || kind.0 <= 10) {
        for dont_care in DONT_CARE {
            let pairs = (0..instances)
                .map(|seed| {
                    peer.race(inputs, dont_care, seed, repetitions).with_context(|| {
                        format!("peer: {inputs} inputs, {dont_care} % don't-care, seed {seed}")
                    })
                })
                .collect::<Result<Vec<Pair>>>()?;
            let kind = summed_up(inputs, dont_care, &pairs);
            eprintln!(
                "peer: {inputs} inputs, {dont_care} % don't-care: {:.2} terms, peer {:.2}; {:.1} times faster",
                kind.mean_terms, kind.peer_mean_terms, kind.times_faster
            );
            let what = format!("times PyEDA's speed, {inputs} inputs, {dont_care} % don't-care");
            section.bars.extend(bar.map(|bar| Bar::at_least(what, bar, kind.times_faster)));
            section.kinds.push(kind);
        }
    }
    peer.end()?;
    Ok(Some(section))
}

fn summed_up(inputs: usize, dont_care_percent: u32, pairs: &[Pair]) -> Kind {
    let terms = mean(pairs.iter().map(|pair| pair.terms as f64));
    let peer_terms = mean(pairs.iter().map(|pair| pair.peer_terms as f64));
    let seconds: Vec<f64> = pairs.iter().map(|pair| pair.seconds).collect();
    let peer_seconds: Vec<f64> = pairs.iter().map(|pair| pair.peer_seconds).collect();
    let ratios = |of: fn(&Pair) -> f64| median(pairs.iter().map(|pair| of(pair) / pair.seconds).collect());
    Kind {
        inputs,
        dont_care_percent,
        instances: pairs.len(),
        mean_terms: rounded(terms),
        peer_mean_terms: rounded(peer_terms),
        better_percent: rounded(100.0 * (1.0 - terms / peer_terms)),
        times_faster: rounded(ratios(|pair| pair.peer_seconds)),
        times_faster_by_sums: rounded(peer_seconds.iter().sum::<f64>() / seconds.iter().sum::<f64>()),
        times_faster_than_its_c_code: rounded(ratios(|pair| pair.peer_core_seconds)),
        median_seconds: rounded(median(seconds)),
        peer_median_seconds: rounded(median(peer_seconds)),
    }
}

/// The Python process.
struct Peer {
    name: String,
    child: Child,
    tables: ChildStdin,
    answers: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
struct Answer {
    terms: usize,
    seconds: f64,
    core_seconds: f64,
    agrees: bool,
}

impl Peer {
    fn start(python: &Path) -> Option<Self> {
        let version = "import importlib.metadata as m; print(m.version('pyeda'))";
        let found = Command::new(python).args(["-c", version]).stderr(Stdio::null()).output().ok()?;
        let name = format!("PyEDA {} espresso_tts", String::from_utf8(found.stdout).ok()?.trim());
        let mut child = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (tables, answers) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        let mut peer = Self { name, child, tables, answers };
        let mut ready = String::new();
        peer.answers.read_line(&mut ready).ok().filter(|&bytes| bytes > 0)?;
        Some(peer)
    }

    /// One table on both sides, in turn, `repetitions` times.
    fn race(&mut self, inputs: usize, dont_care: u32, seed: u64, repetitions: usize) -> Result<Pair> {
        let table = draw::table(inputs, dont_care, seed)?;
        let spelled = draw::spelled(&table);
        let (mut ours, mut theirs, mut core) = (Vec::new(), Vec::new(), Vec::new());
        let (mut terms, mut peer_terms) = (0, 0);
        for _ in 0..repetitions {
            let start = Instant::now();
            let found = minimize_table(&table, &Options::default())?;
            ours.push(start.elapsed().as_secs_f64());
            terms = found.cover.terms();
            let answer = self.ask(&spelled)?;
            ensure!(answer.agrees, "the peer's result is not this table's: do both number inputs alike?");
            theirs.push(answer.seconds);
            core.push(answer.core_seconds);
            peer_terms = answer.terms;
        }
        Ok(Pair {
            terms,
            peer_terms,
            seconds: median(ours),
            peer_seconds: median(theirs),
            peer_core_seconds: median(core),
        })
    }

    fn ask(&mut self, table: &str) -> Result<Answer> {
        writeln!(self.tables, "{table}").context("the peer's process takes no more tables")?;
        let mut line = String::new();
        self.answers.read_line(&mut line).context("the peer's process does not answer")?;
        serde_json::from_str(&line).context("the peer's process ended")
    }

    fn end(mut self) -> Result<()> {
        drop(self.tables);
        self.child.wait()?;
        Ok(())
    }
}
