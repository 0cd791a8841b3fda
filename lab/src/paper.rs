//! The paper's experiments, redrawn: every table and figure of Section 5 and Appendix E, with our columns beside.
//!
//! A run is a set of pieces, one for each configuration, method and seed. Within a seed every method has the same target,
//! training rows and test rows. Methods of ours run one after the other with the whole machine; flat calls and trained
//! networks afterwards, one core each. Whatever is finished is kept at once (`results`), and the page is made from the results alone (`page`).

mod apart;
mod discussion;
mod figure;
mod flat;
mod measure;
mod method;
#[cfg(feature = "mlp")]
mod mlp;
mod outcome;
mod page;
mod progress;
mod published;
mod quick;
mod results;
mod statistics;
mod view;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::configurations::{self, CONFIGURATIONS, Configuration, Published, STAGES};
use measure::Data;
use method::Method;
use outcome::{NetworkCheck, Outcome, Piece};
use progress::Progress;
use results::{Results, Store};

/// Where the committed results are.
const FOLDER: &str = "lab/results";

/// Redraw every table and figure of the paper's experiments, and check the exact networks.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub(crate) struct Arguments {
    /// Seeds 0 to N - 1.
    #[arg(long, default_value_t = 20, value_name = "N")]
    seeds: u64,
    /// Configurations, all eleven unless given.
    #[arg(long, value_delimiter = ',', value_name = "1,2,...")]
    configs: Vec<usize>,
    /// Methods, all that this build has unless given.
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    methods: Vec<Method>,
    /// Seconds of each flat call; one that takes longer is reported with its best so far.
    #[arg(long, default_value_t = 30.0, value_name = "SECONDS")]
    budget: f64,
    /// The folder of the results, page and figures.
    #[arg(long, default_value = FOLDER, value_name = "FOLDER")]
    out: PathBuf,
    /// Forget what an interrupted run has measured.
    #[arg(long)]
    fresh: bool,
    /// Measure nothing: make page and figures from the results, an interrupted run's included.
    #[arg(long)]
    page_only: bool,
    /// Measure nothing: fail if page and figures are not the ones that the results give.
    #[arg(long, conflicts_with = "page_only")]
    check: bool,
    /// Three seeds of configurations 1, 6, 8 and 10 in a temporary folder, with checks of the outcome.
    #[arg(long, conflicts_with_all = ["out", "configs", "methods", "page_only", "check"])]
    quick: bool,
    /// Be the process of one method on one configuration, of this seed.
    #[arg(long, hide = true, value_name = "SEED")]
    call: Option<u64>,
}

/// What to measure.
struct Plan {
    seeds: u64,
    configurations: Vec<Configuration>,
    methods: Vec<Method>,
    budget: Duration,
    fresh: bool,
}

/// Runs what `arguments` ask for; `false` if a network is not its circuit, a certificate is not accepted, or the page is stale.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.quick {
        return quick::run();
    }
    let plan = plan(arguments)?;
    if let (Some(seed), [configuration], [method]) =
        (arguments.call, plan.configurations.as_slice(), plan.methods.as_slice())
    {
        let outcome = Data::draw(configuration, seed)?.measure(*method, plan.budget)?;
        println!("{}", serde_json::to_string(&outcome)?);
        return Ok(true);
    }
    let path = arguments.out.join("paper.json");
    if arguments.check || arguments.page_only {
        let mut results = Results::read(&path)?;
        if arguments.page_only {
            results.outcomes.extend(Store::open(&arguments.out, false)?.measured().outcomes.clone());
        }
        ensure!(!results.outcomes.is_empty(), "{}: there are no results", path.display());
        return page::update(&arguments.out, &results, arguments.check);
    }
    let results = execute(&plan, &arguments.out)?;
    page::update(&arguments.out, &results, false)?;
    eprintln!("paper: see {}", arguments.out.join("README.md").display());
    Ok(networks_hold(&results))
}

fn plan(arguments: &Arguments) -> Result<Plan> {
    for method in &arguments.methods {
        ensure!(method.is_built(), "{}: this build cannot train; use --features mlp", method.title());
    }
    let asked = |method: &Method| arguments.methods.is_empty() || arguments.methods.contains(method);
    Ok(Plan {
        seeds: arguments.seeds,
        configurations: configurations::chosen(&arguments.configs)?,
        methods: Method::ALL.into_iter().filter(|method| method.is_built() && asked(method)).collect(),
        budget: Duration::try_from_secs_f64(arguments.budget).context("--budget")?,
        fresh: arguments.fresh,
    })
}

/// A run's shared state: what is done, and what to tell.
struct Run {
    store: Store,
    progress: Progress,
}

impl Run {
    fn add(&mut self, outcome: Outcome, begun: Instant) -> Result<()> {
        eprintln!("{}", self.progress.line(&outcome, begun.elapsed().as_secs_f64()));
        self.store.add(outcome)
    }
}

/// Measures what is missing and gives all results of the folder.
fn execute(plan: &Plan, folder: &Path) -> Result<Results> {
    let store = Store::open(folder, plan.fresh)?;
    let all = plan.pieces();
    let missing: Vec<Piece> =
        all.iter().copied().filter(|&piece| !store.has(piece, plan.budget.as_secs_f64())).collect();
    if missing.len() < all.len() {
        eprintln!(
            "paper: {} of {} are done already; --fresh begins anew",
            all.len() - missing.len(),
            all.len()
        );
    }
    let workers = crate::results::cpus().min(4);
    let earlier = Results::read(&folder.join("paper.json"))?;
    let progress = Progress::new(&missing, &[&earlier, store.measured()], workers);
    let mut run = Run { store, progress };
    let (apart, alone): (Vec<Piece>, Vec<Piece>) =
        missing.into_iter().partition(|(_, method, _)| method.takes_one_core());
    run_alone(plan, &alone, &mut run)?;
    apart::run(plan, apart, workers, run)?.store.finish(&all)
}

impl Plan {
    /// Seed by seed, so that a run that is cut short has some of everything.
    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for seed in 0..self.seeds {
            for configuration in &self.configurations {
                pieces.extend(self.methods.iter().map(|&method| (configuration.id, method, seed)));
            }
        }
        pieces
    }
}

/// One after the other, with the rows drawn once for all methods of a seed.
fn run_alone(plan: &Plan, pieces: &[Piece], run: &mut Run) -> Result<()> {
    for group in pieces.chunk_by(|a, b| (a.0, a.2) == (b.0, b.2)) {
        let (id, _, seed) = group[0];
        let data = Data::draw(&CONFIGURATIONS[id - 1], seed)?;
        for &(_, method, _) in group {
            let begun = Instant::now();
            let outcome = data.measure(method, plan.budget)?;
            run.add(outcome, begun)?;
        }
    }
    Ok(())
}

/// Whether every network is its circuit and every certificate was accepted; says where not.
fn networks_hold(results: &Results) -> bool {
    let mut hold = true;
    for outcome in results.outcomes.values() {
        if let Some(check) = outcome.network.as_ref().filter(|check| !check.holds()) {
            let NetworkCheck { different, certificate, .. } = check;
            eprintln!(
                "paper: configuration {}, seed {}: the network differs on {different} rows, certificate {certificate}",
                outcome.configuration, outcome.seed
            );
            hold = false;
        }
    }
    hold
}

#[cfg(test)]
mod tests;
