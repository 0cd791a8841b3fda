//! Cost per row and stage as rows grow from 2^10 to 2^24: it must not rise.
//!
//! Selection at random, because few rows of 30 inputs hold no neighbours and Algorithm 1 would stop before its first
//! stage; pairs and influences are found and counted all the same.

use std::time::Instant;

use anyhow::Result;
use macchiato::fit::{PaperParams, Selection, fit_paper};
use macchiato::generate::{Target, sample};
use macchiato::minimize::Budget;
use serde::{Deserialize, Serialize};

use crate::bar::{Bar, median, rounded};
use crate::configurations::STAGES;

const INPUTS: usize = 30;
const SUPPORT: usize = 8;
const K: usize = 8;
/// Repetitions until so much time has been spent.
const ENOUGH_SECONDS: f64 = 1.0;

/// Results of the `scaling` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) inputs: usize,
    pub(crate) k: usize,
    pub(crate) sizes: Vec<Size>,
}

/// So many rows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) stages: usize,
    pub(crate) median_seconds: f64,
    /// Per row and stage, all steps.
    pub(crate) nanoseconds: f64,
    /// Of these, finding the pairs, once for all stages.
    pub(crate) nanoseconds_for_pairs: f64,
}

pub(crate) fn run() -> Result<Section> {
    let mut sizes = Vec::new();
    for log in (10..=24).step_by(2) {
        let size = measure(1 << log)?;
        eprintln!(
            "scaling: 2^{log} rows, {} stages: {:.4} s, {:.2} ns per row and stage, {:.2} of them for the pairs",
            size.stages, size.median_seconds, size.nanoseconds, size.nanoseconds_for_pairs
        );
        sizes.push(size);
    }
    let first = sizes.first().map_or(1.0, |size| size.nanoseconds);
    let last = sizes.last().map_or(1.0, |size| size.nanoseconds);
    let bars = vec![Bar::at_most("cost per row and stage at 2^24 rows over that at 2^10", 1.0, last / first)];
    Ok(Section { bars, inputs: INPUTS, k: K, sizes })
}

fn measure(count: usize) -> Result<Size> {
    let rows = sample(&Target::junta(INPUTS, SUPPORT, 0)?, count, 0)?;
    let mut params = PaperParams::new(K, STAGES);
    params.selection = Selection::Random;
    let params = params.check(&rows)?;
    let (mut seconds, mut for_pairs, mut stages) = (Vec::new(), Vec::new(), 0);
    let begun = Instant::now();
    while seconds.len() < 3 || begun.elapsed().as_secs_f64() < ENOUGH_SECONDS {
        let begin = Instant::now();
        let fit = fit_paper(&rows, &params, &Budget::unlimited())?;
        seconds.push(begin.elapsed().as_secs_f64());
        for_pairs.push(fit.trace.seconds_for_pairs);
        stages = fit.stages.len();
    }
    let per_row_and_stage = |seconds: f64| rounded(1e9 * seconds / (count * stages.max(1)) as f64);
    let median_seconds = median(seconds);
    Ok(Size {
        rows: count,
        stages,
        median_seconds: rounded(median_seconds),
        nanoseconds: per_row_and_stage(median_seconds),
        nanoseconds_for_pairs: per_row_and_stage(median(for_pairs)),
    })
}
