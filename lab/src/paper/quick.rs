//! `paper --quick`: a small run in a temporary folder that checks itself; part of `scripts/test`.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::method::Method;
use super::results::{Results, Store};
use super::view::View;
use super::{Plan, STAGES, configurations, execute, networks_hold, page};

const SEEDS: u64 = 3;
const CHOSEN: [usize; 4] = [1, 6, 8, 10];
const BUDGET: Duration = Duration::from_secs(3);
/// How far a mean of three seeds may be from the paper's of twenty.
const FAR: f64 = 0.12;

/// Measures, then checks; `false` if something is not as it should be.
pub(super) fn run() -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let plan = Plan {
        seeds: SEEDS,
        configurations: configurations::chosen(&CHOSEN)?,
        methods: Method::ALL.into_iter().filter(|method| !method.is_trained()).collect(),
        budget: BUDGET,
        fresh: false,
    };
    let results = execute(&plan, folder.path())?;
    page::update(folder.path(), &results, false)?;
    ensure!(
        page::update(folder.path(), &Results::read(&folder.path().join("paper.json"))?, true)?,
        "a stale page"
    );
    ensure!(!Store::open(folder.path(), false)?.has((1, Method::Paper, 0), 0.0), "a partial file was left");
    let mut sound = networks_hold(&results);
    for fault in faults(&plan, &results) {
        eprintln!("paper: {fault}");
        sound = false;
    }
    println!(
        "paper --quick: {} outcomes, {}",
        results.outcomes.len(),
        if sound { "all sound" } else { "NOT sound" }
    );
    Ok(sound)
}

/// What is not as it should be.
fn faults(plan: &Plan, results: &Results) -> Vec<String> {
    let view = View(results);
    let mut faults = Vec::new();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    expect(results.outcomes.len() == plan.pieces().len(), format!("{} outcomes", results.outcomes.len()));
    for outcome in results.outcomes.values() {
        let sane = outcome.accuracy.iter().all(|accuracy| (0.4..=1.0).contains(accuracy));
        expect(sane && outcome.seconds < 180.0, format!("an insane outcome: {outcome:?}"));
        let checked = outcome.network.as_ref().is_some_and(|check| check.compared > 0);
        expect(checked == (outcome.method == Method::Network), format!("an unchecked network: {outcome:?}"));
    }
    for configuration in &plan.configurations {
        let id = configuration.id;
        let mean = |method| view.accuracy(id, (method, STAGES)).map_or(0.0, |summary| summary.mean);
        for figure in [(Method::Paper, 1), (Method::Paper, STAGES), (Method::RandomK, STAGES)] {
            let near =
                view.difference(configuration, figure).is_some_and(|difference| difference.abs() <= FAR);
            expect(near, format!("configuration {id}, {figure:?} is far from the paper"));
        }
        let (auto, limit) = (mean(Method::Auto), mean(Method::Limit));
        expect(auto >= limit - 0.05, format!("configuration {id}: auto {auto:.3}, limit {limit:.3}"));
        expect(auto >= mean(Method::Paper) - 0.01, format!("configuration {id}: auto {auto:.3} loses"));
        expect(
            (mean(Method::Network) - mean(Method::Paper)).abs() < 1e-9,
            format!("configuration {id}: network"),
        );
    }
    faults
}
