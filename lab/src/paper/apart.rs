//! Methods that use one core, several at a time, each in a process of its own: `lab paper --call`.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::outcome::{Outcome, Piece};
use super::{Plan, Run};

/// Measures the pieces, `workers` at a time.
pub(super) fn run(plan: &Plan, mut pieces: Vec<Piece>, workers: usize, run: Run) -> Result<Run> {
    pieces.reverse();
    let (queue, run) = (Mutex::new(pieces), Mutex::new(run));
    let take = || queue.lock().ok().and_then(|mut queue| queue.pop());
    let work = || -> Result<()> {
        while let Some(piece) = take() {
            let begun = Instant::now();
            let outcome = measure(piece, plan.budget)?;
            run.lock().map_err(|_| anyhow!("another process failed"))?.add(outcome, begun)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread panicked")))
    })?;
    run.into_inner().map_err(|_| anyhow!("a process failed"))
}

fn measure((configuration, method, seed): Piece, budget: Duration) -> Result<Outcome> {
    let method = serde_json::to_string(&method)?;
    let output = Command::new(std::env::current_exe()?)
        .arg("paper")
        .args(["--configs", &configuration.to_string(), "--methods", method.trim_matches('"')])
        .args(["--call", &seed.to_string(), "--budget", &budget.as_secs_f64().to_string()])
        .env("RAYON_NUM_THREADS", "1")
        .stderr(Stdio::inherit())
        .output()
        .context("a process of one piece")?;
    let status = output.status;
    ensure!(status.success(), "configuration {configuration}, {method}, seed {seed}: {status}");
    serde_json::from_slice(&output.stdout).context("the answer of a process")
}
