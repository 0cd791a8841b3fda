//! Functions of the IWLS 2020 contest: learned from each one's training rows, judged by its validation rows, which the
//! learner does not see.
//!
//! The data are public and not part of this project; without them the section stays as it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use macchiato::bits;
use macchiato::fit::{Fit, Found};
use macchiato::frame::{self, FrameOptions};
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};

use super::trial;
use crate::accuracy::{accuracy, share_right};
use crate::bar::{Bar, mean, rounded};

/// Mean accuracies of others on all of these functions, as reported to us: not measured here.
const FUNCTIONS: usize = 45;
const ANCHORS: [(&str, f64); 3] =
    [("decision tree", 0.83), ("boosted trees", 0.86), ("team 2 of the contest", 0.873)];
const LEAST_MEAN: f64 = 0.88;
const AIM: f64 = 0.91;
const MAX_SECONDS: f64 = 600.0;
/// A parity and two signs of products: rules that a learner of this kind has no excuse to miss.
const EXACT: [(&str, &str); 3] =
    [("ex74", "a parity"), ("ex21", "the sign of a product"), ("ex25", "the sign of a product")];
const EXACT_ACCURACY: f64 = 0.99;

/// Results of the `contest` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    /// None where only some of the functions were run.
    pub(crate) anchors: Vec<Anchor>,
    pub(crate) mean_accuracy: f64,
    pub(crate) mean_majority: f64,
    pub(crate) seconds: f64,
    pub(crate) mean_stages: f64,
    pub(crate) mean_terms: f64,
    pub(crate) mean_literals: f64,
    pub(crate) functions: Vec<Function>,
}

/// The mean accuracy of another learner.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Anchor {
    pub(crate) who: String,
    pub(crate) mean_accuracy: f64,
}

/// One function.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) inputs: usize,
    pub(crate) rows: usize,
    pub(crate) accuracy: f64,
    /// Accuracy of the training rows' more frequent label.
    pub(crate) majority: f64,
    pub(crate) seconds: f64,
    pub(crate) stages: usize,
    /// How many stages there are of each shape.
    pub(crate) shapes: BTreeMap<String, usize>,
    pub(crate) terms: usize,
    pub(crate) literals: usize,
    pub(crate) decided_by: Option<String>,
    pub(crate) winner: Option<String>,
}

/// Runs on the functions found under `data`; `None` if there are none.
pub(super) fn run(data: Option<&Path>) -> Result<Option<Section>> {
    let Some(data) = data else { return Ok(None) };
    let pairs = pairs(data)?;
    let mut functions = Vec::new();
    for (name, train, valid) in &pairs {
        let function = measure(name, &read(train)?, &read(valid)?)?;
        eprintln!(
            "contest: {name}: {:.4} (majority {:.4}), {:.2} s, {} terms, {} by {}",
            function.accuracy,
            function.majority,
            function.seconds,
            function.terms,
            function.winner.as_deref().unwrap_or("?"),
            function.decided_by.as_deref().unwrap_or("?"),
        );
        functions.push(function);
    }
    Ok((!functions.is_empty()).then(|| section(functions)))
}

/// Names, training files and validation files, in order of the names.
fn pairs(data: &Path) -> Result<Vec<(String, PathBuf, PathBuf)>> {
    let inner = data.join("iwls2020");
    let folder = if inner.is_dir() { inner } else { data.to_owned() };
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut pairs = Vec::new();
    for entry in entries {
        let file = entry.with_context(|| folder.display().to_string())?.file_name();
        let Some(name) = file.to_str().and_then(|file| file.strip_suffix(".train.pla")) else { continue };
        let valid = folder.join(format!("{name}.valid.pla"));
        if valid.exists() {
            pairs.push((name.to_owned(), folder.join(&file), valid));
        }
    }
    pairs.sort();
    Ok(pairs)
}

fn read(path: &Path) -> Result<Rows> {
    Ok(Rows::from_frame(frame::read(path, &FrameOptions::default())?, None)?)
}

fn measure(name: &str, train: &Rows, valid: &Rows) -> Result<Function> {
    ensure!(train.inputs() == valid.inputs(), "{name}: the two files differ in their inputs");
    let (fit, seconds) = trial::fit(train, None)?;
    let decision = fit.trace.decision.as_ref();
    Ok(Function {
        name: name.to_owned(),
        inputs: train.inputs(),
        rows: train.len(),
        accuracy: rounded(accuracy(&fit.circuit, valid)),
        majority: rounded(majority(train, valid)),
        seconds: rounded(seconds),
        stages: fit.stages.len(),
        shapes: shapes(&fit)?,
        terms: fit.terms(),
        literals: fit.literals(),
        decided_by: decision.map(|decision| spelled(&decision.by)).transpose()?,
        winner: decision.and_then(|decision| decision.candidates.first()).map(|first| first.name.clone()),
    })
}

/// The accuracy on `valid` of the more frequent label of `train`.
fn majority(train: &Rows, valid: &Rows) -> f64 {
    let ones = 2 * bits::count(train.labels()) > train.len();
    share_right(&vec![if ones { u64::MAX } else { 0 }; bits::words(valid.len())], valid)
}

fn shapes(fit: &Fit) -> Result<BTreeMap<String, usize>> {
    let mut shapes = BTreeMap::new();
    for stage in &fit.trace.stages {
        if let Found::Evidence { shape, .. } = &stage.found {
            *shapes.entry(spelled(shape)?).or_default() += 1;
        }
    }
    Ok(shapes)
}

/// A name as model files spell it.
fn spelled(name: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_value(name)?.as_str().unwrap_or_default().to_owned())
}

fn section(functions: Vec<Function>) -> Section {
    let mean_of = |value: fn(&Function) -> f64| mean(functions.iter().map(value));
    let mean_accuracy = mean_of(|function| function.accuracy);
    let seconds: f64 = functions.iter().map(|function| function.seconds).sum();
    let of_all = format!("mean accuracy on {} contest functions", functions.len());
    let mut bars = vec![
        Bar::at_least(of_all.clone(), LEAST_MEAN, mean_accuracy),
        Bar::at_least(format!("{of_all}, the aim"), AIM, mean_accuracy),
    ];
    for (name, what) in EXACT {
        if let Some(function) = functions.iter().find(|function| function.name == name) {
            bars.push(Bar::at_least(
                format!("accuracy on {name}, {what}"),
                EXACT_ACCURACY,
                function.accuracy,
            ));
        }
    }
    bars.push(Bar::at_most("seconds for all contest functions", MAX_SECONDS, seconds));
    let anchors = ANCHORS.map(|(who, mean_accuracy)| Anchor { who: who.to_owned(), mean_accuracy });
    Section {
        bars,
        anchors: anchors.into_iter().filter(|_| functions.len() == FUNCTIONS).collect(),
        mean_accuracy: rounded(mean_accuracy),
        mean_majority: rounded(mean_of(|function| function.majority)),
        seconds: rounded(seconds),
        mean_stages: rounded(mean_of(|function| function.stages as f64)),
        mean_terms: rounded(mean_of(|function| function.terms as f64)),
        mean_literals: rounded(mean_of(|function| function.literals as f64)),
        functions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_is_that_of_the_training_rows() {
        let rows = |labels| Rows::new(vec![vec![0b0110]], vec![labels], 4).unwrap();
        assert!((majority(&rows(0b0111), &rows(0b0001)) - 0.25).abs() < 1e-12);
        assert!((majority(&rows(0b0011), &rows(0b0001)) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn a_function_needs_both_files_and_nothing_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        assert!(run(None).unwrap().is_none() && run(Some(&folder.path().join("none"))).unwrap().is_none());
        let inner = folder.path().join("iwls2020");
        fs::create_dir(&inner).unwrap();
        for file in ["ex10.train.pla", "ex10.valid.pla", "ex02.valid.pla", "ex02.train.pla", "ex03.train.pla"]
        {
            fs::write(inner.join(file), "").unwrap();
        }
        for data in [folder.path(), &inner] {
            let names: Vec<String> = pairs(data).unwrap().into_iter().map(|pair| pair.0).collect();
            assert_eq!(names, ["ex02", "ex10"]);
        }
    }

    #[test]
    fn a_function_is_learned_and_scored() {
        // x1 XOR x2, all rows often enough to be sure of.
        let rows = Rows::new(vec![vec![0xaaaa], vec![0xcccc]], vec![0x6666], 16).unwrap();
        let function = measure("ex74", &rows, &rows).unwrap();
        assert!((function.accuracy - 1.0).abs() < 1e-12 && (function.majority - 0.5).abs() < 1e-12);
        assert_eq!(function.shapes.values().sum::<usize>(), function.stages);
        let section = section(vec![function]);
        assert_eq!(section.bars.len(), 4, "bars are for the functions that there are");
        assert!(section.anchors.is_empty(), "others' means are over all functions");
        assert!(section.bars.iter().all(|bar| bar.met));
    }
}
