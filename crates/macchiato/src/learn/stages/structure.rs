//! What tables say about the rows: linear inputs, sets of inputs stage by stage, or a counting function.

use super::super::params::MAX_TABLE_INPUTS;
use super::blocks::blocks;
use super::explain::{Effort, Explanation, explain};
use super::sampling::Sampling;
use crate::influence::Neighbours;
use crate::project::majorities;
use crate::residual::Residual;
use crate::rows::Rows;
use crate::select::{Count, Nats, Threshold, count, top_k};
use macchiato_minimize::Options;

/// The inputs of linear and table stages, and a counting function, with their evidence.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Structure {
    /// Inputs that only flip the answer.
    pub(super) linear: Vec<usize>,
    /// Tables, each as the blocks of inputs that it falls into.
    pub(super) tables: Vec<Vec<Vec<usize>>>,
    /// Evidence that nothing matters, and of the first explanation.
    pub(super) constant: Nats,
    pub(super) evidence: Nats,
    pub(super) count: Option<Count>,
}

/// Searches for the structure of `rows`; `starts` are sets to climb from besides others.
pub(super) fn structure(
    rows: &Rows,
    sampling: &Sampling,
    starts: &[Vec<usize>],
    effort: &Effort,
    m: usize,
    options: &Options,
    observe: &dyn Fn(&str),
) -> Structure {
    let (seed, budget) = (options.seed, &options.budget);
    let sample = sampling.labels();
    observe("looking for a table");
    let mut starts = starts.to_vec();
    let scout = sampling.scout(sample);
    // Where there are more rows and inputs than are searched whole, rows have hardly any neighbours.
    if scout.is_none() {
        starts.extend(influential(rows, effort.limits.most));
    }
    if rows.inputs() <= effort.limits.most {
        starts.push((0..rows.inputs()).collect());
    }
    let first = explain(sample, scout.as_ref(), &starts, effort, seed, budget);
    let mut found = Structure {
        linear: first.linear.clone(),
        constant: sample.constant(),
        evidence: first.evidence,
        ..Structure::default()
    };
    observe("looking for counts");
    let everything: Vec<usize> = (0..rows.inputs()).collect();
    let sets = [everything, first.inputs.clone()];
    let counted = count(scout.as_ref().unwrap_or(sample), &sets, MAX_TABLE_INPUTS, budget);
    let counted = if scout.is_some() { counted.map(|count| count.scored(sample)) } else { counted };
    found.count = counted.filter(|count| count.evidence > first.evidence);
    if first.evidence <= found.constant {
        found.linear.clear();
        return found;
    }
    let mut residual = Residual::new(rows);
    for &input in &found.linear {
        residual.correct(&rows.columns()[input]);
    }
    let mut next = first;
    while !next.inputs.is_empty() && found.stages() < m {
        let split = blocks(&sampling.with(residual.bits()), &next.inputs, seed);
        let before = residual.error_weight(rows);
        for block in &split {
            residual.correct(&majorities(rows, &residual, block));
        }
        if residual.error_weight(rows) >= before {
            break;
        }
        found.tables.push(split);
        if residual.is_zero() || budget.spent() {
            break;
        }
        observe(&format!("looking for table {}", found.tables.len() + 1));
        let sample = sampling.with(residual.bits());
        let scout = sampling.scout(&sample);
        let further: Explanation = explain(&sample, scout.as_ref(), &[], effort, seed, budget);
        if further.evidence <= sample.constant() || !further.linear.is_empty() {
            break;
        }
        next = further;
    }
    found
}

impl Structure {
    /// Stages of all linear inputs and tables.
    fn stages(&self) -> usize {
        self.linear.len() + self.tables.iter().map(Vec::len).sum::<usize>()
    }
}

/// The inputs with the greatest influences, where rows have neighbours at all.
fn influential(rows: &Rows, most: usize) -> Option<Vec<usize>> {
    let influences = Neighbours::new(rows).influences(rows, &Residual::new(rows));
    Some(top_k(&influences, most, Threshold::default())).filter(|inputs| !inputs.is_empty())
}
