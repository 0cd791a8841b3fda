//! Side by side with Algorithm 1 in `NumPy` and `PyEDA` (`lab/peers/algorithm1.py`), on configuration 10.
//!
//! Both fit the same rows in turn, several times; reading, drawing and testing are left out on both sides. The ratio is
//! that of the medians. The peer's first stage must select what ours selects and leave as many errors; later stages may
//! part, since completions of a table with open cells differ. The bar is against both peers: the one that keeps
//! its pairs in lists as Appendix D.4 does, and the faster one that works on slices of the whole cube. The peers compute
//! every stage; ours records a stage that repeats the one before without computing it again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use macchiato::fit::Selection;
use serde::{Deserialize, Serialize};

use super::accuracy::accuracies;
use crate::bar::{Bar, median, rounded};
use crate::configurations::{CONFIGURATIONS, STAGES};
use crate::npy;

const SCRIPT: &str = include_str!("../../peers/algorithm1.py");
const REPETITIONS: usize = 5;
const TIMES_FASTER: f64 = 50.0;

/// Results of the race.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) peer: String,
    pub(crate) bars: Vec<Bar>,
    pub(crate) configuration: usize,
    pub(crate) repetitions: usize,
    pub(crate) median_seconds: f64,
    pub(crate) accuracy: f64,
    pub(crate) peers: Vec<Peer>,
}

/// One way in which the peer keeps its pairs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Peer {
    pub(crate) pairs: String,
    pub(crate) median_seconds: f64,
    pub(crate) times_faster: f64,
    pub(crate) accuracy: f64,
}

#[derive(Deserialize)]
struct Answer {
    seconds: f64,
    inputs: Vec<usize>,
    errors: Vec<usize>,
    accuracy: Vec<f64>,
}

/// `None` where `python` cannot import what the peer needs.
pub(crate) fn run(python: &Path) -> Result<Option<Section>> {
    let Some(name) = name(python) else { return Ok(None) };
    let configuration = &CONFIGURATIONS[9];
    let (train, test) = configuration.draw(0)?;
    let folder = Folder::new()?;
    npy::write_points(&train, &folder.0.join("x.npy"), &folder.0.join("y.npy"))?;
    npy::write_points(&test, &folder.0.join("test_x.npy"), &folder.0.join("test_y.npy"))?;
    let sizes = [configuration.inputs, configuration.k, STAGES].map(|size| size.to_string());

    let mut ours = Vec::new();
    let mut accuracy = 0.0;
    let mut peers: [(&str, Vec<f64>, f64); 2] = [("lists", Vec::new(), 0.0), ("slices", Vec::new(), 0.0)];
    for _ in 0..REPETITIONS {
        for (pairs, seconds, peer_accuracy) in &mut peers {
            let begin = Instant::now();
            let fit = configuration.fit(&train, Selection::Influence, 0)?;
            ours.push(begin.elapsed().as_secs_f64());
            accuracy = accuracies(&fit.stages, &test)[2];
            let answer = ask(python, &folder.0, &sizes, pairs)?;
            let first = fit.trace.stages.first().context("no stage was fitted")?;
            ensure!(answer.inputs == first.inputs, "the peer's first stage reads {:?}", answer.inputs);
            ensure!(
                answer.errors.first() == Some(&first.errors_after),
                "the peer's first stage errs otherwise"
            );
            seconds.push(answer.seconds);
            *peer_accuracy = answer.accuracy.last().copied().unwrap_or(0.0);
        }
    }
    let median_seconds = median(ours);
    let peers = peers.map(|(pairs, seconds, accuracy)| {
        let seconds = median(seconds);
        Peer {
            pairs: pairs.to_owned(),
            median_seconds: rounded(seconds),
            times_faster: rounded(seconds / median_seconds),
            accuracy: rounded(accuracy),
        }
    });
    for peer in &peers {
        eprintln!(
            "peer: pairs as {}: {:.3} s, ours {median_seconds:.4} s: {:.0} times; accuracy {:.4}, ours {accuracy:.4}",
            peer.pairs, peer.median_seconds, peer.times_faster, peer.accuracy
        );
    }
    let bar = |peer: &Peer| {
        let what = format!("times NumPy + PyEDA's speed, configuration 10, pairs as {}", peer.pairs);
        Bar::at_least(what, TIMES_FASTER, peer.times_faster)
    };
    let bars = peers.iter().map(bar).collect();
    Ok(Some(Section {
        peer: name,
        bars,
        configuration: configuration.id,
        repetitions: REPETITIONS,
        median_seconds: rounded(median_seconds),
        accuracy: rounded(accuracy),
        peers: peers.into(),
    }))
}

/// The versions of what the peer is made of.
fn name(python: &Path) -> Option<String> {
    let versions = "import numpy, importlib.metadata as m; print(f\"NumPy {m.version('numpy')}, PyEDA {m.version('pyeda')}\")";
    let found = Command::new(python).args(["-c", versions]).stderr(Stdio::null()).output().ok()?;
    let name = String::from_utf8(found.stdout).ok()?;
    (found.status.success() && !name.trim().is_empty()).then(|| name.trim().to_owned())
}

fn ask(python: &Path, folder: &Path, sizes: &[String], pairs: &str) -> Result<Answer> {
    let output = Command::new(python).args(["-c", SCRIPT]).arg(folder).args(sizes).arg(pairs).output()?;
    ensure!(output.status.success(), "the peer: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("the peer's answer")
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("macchiato-lab-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whatever is left is in the system's folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
