//! Of the model: its stages, what each corrected, and how much every input matters.

mod counted;
mod data;
mod importance;

use std::collections::HashMap;

use serde::Serialize;

use super::logic::{Formulas, Logic};
use super::sat::{Sat, Verdict};
use super::space::Space;
use super::subject::Part;
use super::{Count, ExplainError, ExplainOptions, Subject};
use crate::bits;
use crate::minimize::Budget;
use counted::Counted;
use data::Answers;

pub use importance::row_influences;

/// Rows as bit columns, one for each input of the circuits.
#[derive(Debug, Clone, Copy)]
pub struct Data<'a> {
    /// The columns.
    pub columns: &'a [&'a [u64]],
    /// The labels that each circuit should give, in the order of the circuits; empty where they are not known.
    pub labels: &'a [&'a [u64]],
    /// Number of rows.
    pub rows: usize,
}

/// What a model does, as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelExplanation {
    /// What is predicted.
    pub target: String,
    /// Rows that were looked at, where there are any.
    pub rows: Option<usize>,
    /// One of a model, none, one or several of a classifier.
    pub circuits: Vec<CircuitExplanation>,
}

/// What one circuit does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CircuitExplanation {
    /// What it predicts.
    pub target: String,
    /// The whole formula.
    pub formula: String,
    /// Points on which the answer is 1, of all that the circuit can tell apart.
    pub ones: Count,
    /// Rows on which the answer is 1, where there are rows.
    pub rows: Option<usize>,
    /// The stages, in order; none where the circuit was not learned in stages.
    pub stages: Vec<StageExplanation>,
    /// The inputs or columns, the most influential first; those without influence last.
    pub features: Vec<FeatureInfluence>,
}

/// One stage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageExplanation {
    /// Its number, from 1.
    pub stage: usize,
    /// Its formula.
    pub formula: String,
    /// Points on which it fires.
    pub coverage: Count,
    /// Rows on which it fires, where there are rows.
    pub rows: Option<usize>,
    /// What it corrected, where that is known: of the rows if they have labels, otherwise of the training rows.
    pub errors: Option<Errors>,
    /// The inputs or columns that it reads, the most influential on the final answer first.
    pub features: Vec<String>,
}

/// Rows in error before and after a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Errors {
    /// Before it.
    pub before: usize,
    /// After it.
    pub after: usize,
    /// Of so many rows.
    pub of: usize,
    /// Whether these are the training rows, as the trace has it.
    pub training: bool,
}

/// How much one input or column matters for the final answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureInfluence {
    /// Its name.
    pub feature: String,
    /// Values of it that the circuit tells apart; 1 where no stage reads it.
    pub values: usize,
    /// Points at which another value of it, and nothing else, changes the answer.
    pub points: Count,
    /// Rows of which the same is true, where there are rows.
    pub rows: Option<usize>,
    /// Whether it matters at all.
    pub matters: Matters,
    /// The stages that read it, from 1.
    pub stages: Vec<usize>,
}

/// Whether a feature can change the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Matters {
    /// Somewhere it does: proven.
    Yes,
    /// It never does: proven.
    No,
    /// Neither was proven within the limits.
    Unknown,
}

/// Explains a model or a classifier, circuit by circuit. Counts that are too large or out of time are bounds.
///
/// # Errors
/// Rows of another shape.
pub fn explain_model(
    subject: &Subject<'_>,
    data: Option<&Data<'_>>,
    options: &ExplainOptions,
    budget: &Budget,
) -> Result<ModelExplanation, ExplainError> {
    if let Some(data) = data {
        check(subject, data)?;
    }
    let circuit = |(number, part): (usize, &Part<'_>)| {
        let alone = Subject { parts: vec![part.clone()], ..subject.clone() };
        let labels = data.and_then(|data| data.labels.get(number)).copied();
        explain_circuit(&alone, part, data, labels, (options, budget))
    };
    Ok(ModelExplanation {
        target: subject.target.to_owned(),
        rows: data.map(|data| data.rows),
        circuits: subject.parts.iter().enumerate().map(circuit).collect::<Result<_, _>>()?,
    })
}

/// Whether rows have the shape that a subject reads.
fn check(subject: &Subject<'_>, data: &Data<'_>) -> Result<(), ExplainError> {
    let (found, expected, words) = (data.columns.len(), subject.inputs(), bits::words(data.rows));
    let short = data.columns.iter().chain(data.labels).any(|column| column.len() < words);
    if found != expected || short || !data.labels.is_empty() && data.labels.len() != subject.parts.len() {
        return Err(ExplainError::Columns { found, expected, rows: data.rows });
    }
    Ok(())
}

fn explain_circuit(
    subject: &Subject<'_>,
    part: &Part<'_>,
    data: Option<&Data<'_>>,
    labels: Option<&[u64]>,
    (options, budget): (&ExplainOptions, &Budget),
) -> Result<CircuitExplanation, ExplainError> {
    let space = Space::new(&[subject], &[])?;
    let counted = Counted::new(&space, part, options, budget);
    let answers = data.map(|data| Answers::new(&space, part, data));
    let drawn = data::drawn(&space, subject.inputs());
    let columns: Vec<&[u64]> = drawn.iter().map(Vec::as_slice).collect();
    let rows = Data { columns: &columns, labels: &[], rows: data::DRAWN };
    let tried = Answers::new(&space, part, &rows);
    let mut features: Vec<FeatureInfluence> = (0..space.features.len())
        .map(|feature| {
            let points = counted.influences[feature].clone();
            let matters = match points.is_zero() {
                Some(true) => Matters::No,
                Some(false) => Matters::Yes,
                // A point at which it changes the answer is a proof, wherever it comes from.
                None if tried.sensitive(feature) > 0 => Matters::Yes,
                None => matters(&space, part, feature, (options, budget)),
            };
            FeatureInfluence {
                feature: space.features[feature].name.clone(),
                values: space.features[feature].values,
                points,
                rows: answers.as_ref().map(|answers| answers.sensitive(feature)),
                matters,
                stages: counted.readers(feature).iter().map(|stage| stage + 1).collect(),
            }
        })
        .collect();
    features.extend(unread(subject, &space, data));
    // The middle of the bounds, then what is read at all, then the order of the table.
    features.sort_by(|a, b| {
        let (high, low) = (&b.points.at_least + &b.points.at_most, &a.points.at_least + &a.points.at_most);
        high.cmp(&low).then_with(|| (a.values == 1).cmp(&(b.values == 1)))
    });
    let ranks: HashMap<&str, usize> =
        features.iter().enumerate().map(|(rank, feature)| (feature.feature.as_str(), rank)).collect();
    let stage = |number: usize| {
        let mut names: Vec<String> =
            counted.features_of(number).iter().map(|&feature| space.features[feature].name.clone()).collect();
        names.sort_by_key(|name| ranks.get(name.as_str()));
        let errors = match (&answers, labels, part.trace) {
            (Some(answers), Some(labels), _) => Some(answers.errors(number, labels)),
            (_, _, Some(trace)) => trace.stages.get(number).map(|stage| Errors {
                before: trace.errors_before(number),
                after: stage.errors_after,
                of: stage.rows,
                training: true,
            }),
            _ => None,
        };
        StageExplanation {
            stage: number + 1,
            formula: subject.words.stage(&part.stages[number], options.symbols),
            coverage: counted.stages[number].clone(),
            rows: answers.as_ref().map(|answers| bits::count(&answers.stages[number])),
            errors,
            features: names,
        }
    };
    Ok(CircuitExplanation {
        target: part.target.to_owned(),
        formula: subject.words.circuit(&part.circuit, options.symbols).line(),
        ones: counted.ones.clone(),
        rows: answers.as_ref().map(Answers::ones),
        stages: (0..part.stages.len()).map(stage).collect(),
        features,
    })
}

/// The inputs or columns that no stage reads: they do not matter.
fn unread(subject: &Subject<'_>, space: &Space, data: Option<&Data<'_>>) -> Vec<FeatureInfluence> {
    let names = subject.feature_names();
    let mut read = vec![false; names.len()];
    for feature in &space.features {
        read[feature.place] = true;
    }
    let none = |(name, _): (&&String, _)| FeatureInfluence {
        feature: (*name).clone(),
        values: 1,
        points: Count::exactly(super::BigUint::default(), space.points()),
        rows: data.map(|_| 0),
        matters: Matters::No,
        stages: Vec::new(),
    };
    names.iter().zip(read).filter(|(_, read)| !read).map(none).collect()
}

/// Asks the solver for a point at which another value of the feature changes the answer.
fn matters(
    space: &Space,
    part: &Part<'_>,
    feature: usize,
    (options, budget): (&ExplainOptions, &Budget),
) -> Matters {
    let formulas = Formulas { space, subject: 0 };
    let mut sat = Sat::new(space, &vec![0; space.features.len()], options.conflicts, budget);
    let mut changes = || {
        let before = formulas.circuit(&mut sat, &part.circuit)?.answer;
        let copy = sat.one_of(space.features[feature].values, 0);
        sat.replace(feature, copy);
        let after = formulas.circuit(&mut sat, &part.circuit)?.answer;
        sat.xor(before, after)
    };
    let Ok(changes) = changes() else { return Matters::Unknown };
    match sat.ask(&[changes], options.conflicts) {
        Verdict::Yes(_) => Matters::Yes,
        Verdict::No(_) => Matters::No,
        Verdict::Unknown => Matters::Unknown,
    }
}
