//! Macchiato's fit of one fold, as a process of its own: defaults only, one JSON object.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use macchiato::fit::Stop;
use macchiato::minimize::Budget;
use macchiato::model::{Examples, FitOptions, Model};
use macchiato::stage::Stage;
use macchiato::words::Symbols;
use serde::{Deserialize, Serialize};

use super::table::{Part, Table};
use crate::bar::rounded;
use crate::passes::passes;

/// One fit, with its figures on the test rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ours {
    pub(crate) accuracy: f64,
    pub(crate) fit_seconds: f64,
    pub(crate) stages: usize,
    pub(crate) terms: usize,
    /// Of the circuit: each is a test of one column.
    pub(crate) literals: usize,
    /// Of the rule in words, in which the tests that a term makes of one column are merged.
    pub(crate) conditions: usize,
    /// The time limit came first, and what stood by then is the model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) interrupted: bool,
}

/// Is the process that `arguments` ask for: fits, and prints one JSON object.
pub(crate) fn be(arguments: &[String]) -> Result<()> {
    let [path, fold, seconds] = arguments else { bail!("--be takes three values") };
    let seconds: f64 = seconds.parse()?;
    let limit = (seconds > 0.0).then(|| Duration::try_from_secs_f64(seconds)).transpose()?;
    let (train, test) = Table::read(Path::new(path))?.fold(fold.parse()?)?;
    println!("{}", serde_json::to_string(&measure(&train, &test, limit)?)?);
    Ok(())
}

fn measure(train: &Part, test: &Part, limit: Option<Duration>) -> Result<Ours> {
    let options = FitOptions::default();
    let examples = Examples { columns: &train.frame, target: &train.target, weights: None };
    let (model, fit_seconds) = passes(|| {
        let mut budget = Budget::unlimited();
        if let Some(limit) = limit {
            budget = budget.with_time_limit(limit);
        }
        Ok(Model::fit(&examples, None, &options, &budget, |_| ())?)
    })?;
    let circuit = model.circuits().first().context("the training rows have a single class")?;
    let terms = circuit.stages().iter().flat_map(Stage::terms);
    let words = model.words();
    Ok(Ours {
        accuracy: rounded(accuracy(&model, test)?),
        fit_seconds: rounded(fit_seconds),
        stages: circuit.stages().len(),
        terms: circuit.terms(),
        literals: circuit.literals(),
        conditions: terms.map(|term| words.conditions(&term, Symbols::WORDS).len()).sum(),
        interrupted: circuit.trace().stop == Stop::Interrupted,
    })
}

/// The share of rows whose class is predicted; classes are compared by name, as either part may lack one.
fn accuracy(model: &Model, test: &Part) -> Result<f64> {
    let answers = model.predict(&test.frame)?;
    let name = |classes: &[String], code: u32| classes[code as usize].clone();
    let right = answers
        .iter()
        .zip(test.target.codes())
        .filter(|&(&answer, &class)| name(model.classes(), answer) == name(test.target.classes(), class));
    Ok(right.count() as f64 / test.frame.rows as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows `a AND 2 < n <= 5`, each four times.
    fn part(folder: &Path) -> (Part, Part) {
        let path = folder.join("and.tsv");
        let row = |i: usize| {
            let (a, n) = (i % 2, i / 2 % 10);
            format!("{a}\t{n}.5\t{}\n", if a == 1 && (2..5).contains(&n) { "yes" } else { "no" })
        };
        let rows: String = (0..80).map(row).collect();
        std::fs::write(&path, format!("a\tn\ttarget\n{rows}")).unwrap();
        Table::read(&path).unwrap().fold(0).unwrap()
    }

    #[test]
    fn an_interval_is_two_literals_and_one_condition() {
        let folder = tempfile::tempdir().unwrap();
        let (train, test) = part(folder.path());
        let ours = measure(&train, &test, None).unwrap();
        assert!((ours.accuracy - 1.0).abs() < 1e-9 && !ours.interrupted, "{ours:?}");
        assert_eq!((ours.literals, ours.conditions), (3, 2), "{ours:?}");
    }

    #[test]
    fn no_time_is_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let (train, test) = part(folder.path());
        assert!(measure(&train, &test, Some(Duration::ZERO)).unwrap().interrupted);
    }
}
