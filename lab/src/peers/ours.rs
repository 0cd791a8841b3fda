//! Macchiato as one of the methods: a process of its own, the same files, the same answer as the Python program's.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use macchiato::bits;
use macchiato::circuit::Circuit;
use macchiato::fit::{PaperParams, Stop, fit_paper};
use macchiato::learn::{AutoParams, fit_auto};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;

use super::data::read;
use super::method::Method;
use super::outcome::Measured;
use crate::accuracy::{columns, share_right};
use crate::configurations::STAGES;
use crate::passes::passes;

/// One fit, as its process is asked for it.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) method: Method,
    pub(crate) train: PathBuf,
    pub(crate) test: PathBuf,
    pub(crate) seed: u64,
    pub(crate) seconds: f64,
    /// Inputs of a stage at most, for Algorithm 1.
    pub(crate) k: usize,
}

impl Task {
    /// As arguments of a process.
    pub(crate) fn arguments(&self) -> [String; 6] {
        let path = |path: &PathBuf| path.display().to_string();
        let (seed, seconds, k) = (self.seed.to_string(), self.seconds.to_string(), self.k.to_string());
        [self.method.name().to_owned(), path(&self.train), path(&self.test), seed, seconds, k]
    }

    fn parse(arguments: &[String]) -> Result<Self> {
        let [method, train, test, seed, seconds, k] = arguments else { bail!("--be takes six values") };
        Ok(Self {
            method: <Method as clap::ValueEnum>::from_str(method, false).map_err(anyhow::Error::msg)?,
            train: train.into(),
            test: test.into(),
            seed: seed.parse()?,
            seconds: seconds.parse()?,
            k: k.parse()?,
        })
    }
}

/// Is the process that `arguments` ask for: fits, and prints one JSON object.
pub(crate) fn be(arguments: &[String]) -> Result<()> {
    let task = Task::parse(arguments)?;
    let (train, test) = (read(&task.train)?, read(&task.test)?);
    println!("{}", serde_json::to_string(&measure(&task, &train, &test)?)?);
    Ok(())
}

fn measure(task: &Task, train: &Rows, test: &Rows) -> Result<Measured> {
    let limit = Duration::try_from_secs_f64(task.seconds)?;
    let begun = Instant::now();
    let budget = Budget::unlimited().with_time_limit(limit);
    let fit = if task.method == Method::Paper {
        let mut params = PaperParams::new(task.k, STAGES);
        params.seed = task.seed;
        fit_paper(train, &params.check(train)?, &budget)?
    } else {
        let params = AutoParams::with(|params| params.seed = task.seed);
        fit_auto(train, None, &params.check(train)?, &budget)?
    };
    let fit_seconds = begun.elapsed().as_secs_f64();
    let (answers, predict_seconds) = predict(&fit.circuit, test)?;
    Ok(Measured {
        accuracy: share_right(&answers, test),
        fit_seconds,
        predict_seconds,
        rules: fit.terms() as u64,
        literals: fit.literals() as u64,
        interrupted: fit.trace.stop == Stop::Interrupted,
    })
}

/// The answers, and the median seconds of a few passes.
fn predict(circuit: &Circuit, test: &Rows) -> Result<(Vec<u64>, f64)> {
    let columns = columns(test);
    passes(|| Ok(circuit.evaluate(&columns, bits::words(test.len())).swap_remove(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_survives_its_arguments() {
        let task = Task {
            method: Method::Paper,
            train: "a b.npy".into(),
            test: "c.npy".into(),
            seed: 3,
            seconds: 0.5,
            k: 8,
        };
        let back = Task::parse(&task.arguments()).unwrap();
        assert_eq!(back.arguments(), task.arguments());
        assert!(Task::parse(&task.arguments()[1..]).is_err());
    }

    #[test]
    fn both_methods_learn_an_and() {
        let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b1000], 4).unwrap();
        for method in [Method::Macchiato, Method::Paper] {
            let (train, test) = ("".into(), "".into());
            let task = Task { method, train, test, seed: 0, seconds: 60.0, k: 2 };
            let measured = measure(&task, &rows, &rows).unwrap();
            assert!((0.5..=1.0).contains(&measured.accuracy) && !measured.interrupted, "{measured:?}");
        }
    }
}
