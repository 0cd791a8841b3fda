//! The page `README.md` of the results, with its figures: made from the results alone.

mod cells;
mod differences;
mod glance;
mod tables;

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::results::Results;
use super::view::{FAR, View};
use super::{CONFIGURATIONS, figure};
use crate::results::write_whole;

/// Writes page and figures, or with `check` only looks whether they are there; `false` if they are not.
pub(super) fn update(folder: &Path, results: &Results, check: bool) -> Result<bool> {
    let mut fresh = true;
    for (name, text) in files(results) {
        let path = folder.join(&name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        fresh = false;
        if check {
            eprintln!("lab: {} is stale: run `lab paper --page-only`", path.display());
        } else {
            write_whole(&path, &text)?;
        }
    }
    Ok(fresh || !check)
}

/// The page and the figures, by file name.
pub(super) fn files(results: &Results) -> Vec<(String, String)> {
    let view = View(results);
    let mut files = vec![
        ("README.md".to_owned(), markdown(view)),
        ("paper-accuracy.svg".to_owned(), figure::overview(view)),
    ];
    for configuration in &CONFIGURATIONS {
        if let Some(svg) = figure::stages(view, configuration) {
            files.push((curve_file(configuration.id), svg));
        }
    }
    files
}

fn curve_file(id: usize) -> String {
    format!("paper-stages-{id}.svg")
}

fn markdown(view: View<'_>) -> String {
    let mut parts = vec![opening(view)];
    parts.extend(glance::sections(view));
    parts.extend(tables::sections(view));
    parts.push(differences::section(view));
    parts.push(protocol());
    parts.join("\n")
}

fn opening(view: View<'_>) -> String {
    let checks = || view.0.outcomes.values().filter_map(|outcome| outcome.network.as_ref());
    let (runs, holding) = (checks().count(), checks().filter(|check| check.holds()).count());
    let rows: usize = checks().map(|check| check.compared).sum();
    format!(
        "# The paper's experiments, redrawn\n\n\
         Every table and figure of Section 5 and Appendix E, over {} seeds, with our columns beside. Made from\n\
         [paper.json](paper.json), which holds the values of every seed, by `cargo run --release -p lab -- paper`\n\
         (trained networks: add `--features mlp` before `--`). [What a user would pick instead](peers.md) and\n\
         [raw tables with defaults only](estimators.md) are pages of their own; [the other results](../../docs/results.md) of this folder have one together.\n\n\
         {holding} of {runs} compiled networks gave exactly the circuit's answer on every test row ({rows} rows in all, in\n\
         float32) and had their certificate accepted by the independent checker.\n\n\
         Cells are mean ± sample deviation. **≠** marks a mean that is further than {FAR} from the paper's; each of them is\n\
         [discussed below](#where-our-means-differ).\n",
        view.seeds()
    )
}

fn protocol() -> String {
    format!(
        "## Protocol\n\n\
         Appendix D, with targets and rows of our own: the paper's generator is not published, ours is documented in\n\
         `macchiato::generate`. Within a seed every method has the same target, training rows and test rows; the test rows are the\n\
         whole cube where the paper has it, {} drawn rows otherwise. Times are wall-clock and leave out evaluation; Algorithm 1 and\n\
         `auto` had the machine for themselves, flat calls and trained networks one core each. A flat call that reaches its budget is reported with the\n\
         best cover that it had. *limit*: a cell of the true support that no training row shows is a coin toss, so no learner can\n\
         expect more than (1 + share of test rows in seen cells) / 2.\n",
        131_072
    )
}

#[cfg(test)]
mod tests;
