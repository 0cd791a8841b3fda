//! Seconds of the largest fits: configurations 10 and 11, and ten million rows of 64 inputs.
//!
//! A fit's seconds leave out drawing the rows and testing the circuit; its best and median over repetitions are kept.

use std::time::Instant;

use anyhow::Result;
use macchiato::fit::Selection;
use serde::{Deserialize, Serialize};

use super::large::{self, Large, Way};
use crate::bar::{Bar, median, rounded};
use crate::configurations::{CONFIGURATIONS, Configuration};

const REPETITIONS: usize = 5;
/// "Well under a second", "in seconds", and the memory of ten million rows.
const MAX_SECONDS: f64 = 0.5;
const MAX_LARGE_SECONDS: f64 = 10.0;
const MAX_LARGE_MEBIBYTES: f64 = 2048.0;

/// Results of the `speed` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) configurations: Vec<Kind>,
    pub(crate) large: Vec<Large>,
}

/// One configuration.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) id: usize,
    pub(crate) inputs: usize,
    pub(crate) rows: usize,
    pub(crate) k: usize,
    pub(crate) stages: usize,
    pub(crate) median_seconds: f64,
    pub(crate) least_seconds: f64,
    /// Of one fit, by step: pairs, then selection, projection, minimization and update of all stages.
    pub(crate) step_seconds: [f64; 5],
    pub(crate) paper_seconds: f64,
}

pub(crate) fn run() -> Result<Section> {
    let mut section = Section { bars: Vec::new(), configurations: Vec::new(), large: Vec::new() };
    for configuration in &CONFIGURATIONS[9..] {
        let kind = measure(configuration)?;
        eprintln!(
            "speed: configuration {}: {:.3} s, steps {:?}",
            kind.id, kind.median_seconds, kind.step_seconds
        );
        let what = format!("seconds of a fit, configuration {}", kind.id);
        section.bars.push(Bar::at_most(what, MAX_SECONDS, kind.median_seconds));
        section.configurations.push(kind);
    }
    for way in [Way::Influence, Way::Random] {
        let large = large::measure(way)?;
        eprintln!(
            "speed: {} rows, {} selection: {} stages, {:.2} s, {:.0} MiB",
            large.rows, large.selection, large.stages, large.seconds, large.peak_mebibytes
        );
        let what = format!("10^7 rows of 64 inputs, {} selection, {} stages", large.selection, large.stages);
        section.bars.push(Bar::at_most(format!("seconds, {what}"), MAX_LARGE_SECONDS, large.seconds));
        section.bars.push(Bar::at_most(format!("MiB, {what}"), MAX_LARGE_MEBIBYTES, large.peak_mebibytes));
        section.large.push(large);
    }
    Ok(section)
}

fn measure(configuration: &Configuration) -> Result<Kind> {
    let (train, _) = configuration.draw(0)?;
    let mut seconds = Vec::new();
    let (mut stages, mut step_seconds) = (0, [0.0; 5]);
    for _ in 0..REPETITIONS {
        let begin = Instant::now();
        let fit = configuration.fit(&train, Selection::Influence, 0)?;
        seconds.push(begin.elapsed().as_secs_f64());
        stages = fit.stages.len();
        let steps = fit.trace.stages.iter().filter_map(|stage| stage.seconds);
        step_seconds = steps.fold([fit.trace.seconds_for_pairs, 0.0, 0.0, 0.0, 0.0], |sums, step| {
            let more = [0.0, step.select, step.project, step.minimize, step.update];
            std::array::from_fn(|s| sums[s] + more[s])
        });
    }
    Ok(Kind {
        id: configuration.id,
        inputs: configuration.inputs,
        rows: configuration.rows,
        k: configuration.k,
        stages,
        least_seconds: rounded(seconds.iter().copied().fold(f64::INFINITY, f64::min)),
        median_seconds: rounded(median(seconds)),
        step_seconds: step_seconds.map(rounded),
        paper_seconds: configuration.seconds.0,
    })
}
