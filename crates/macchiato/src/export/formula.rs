//! The circuit as every format writes it: checked, and each stage as a list of terms without repetitions.
//!
//! After [`Formula::new`] every literal is of an input that exists, no term holds an input twice, no stage holds a term
//! twice, a stage that is constant 1 is one term without literals, and one that is constant 0 has no terms (a stage
//! that is constant without saying so keeps its terms).

use super::{ExportError, ExportReport};
use crate::stage::{Signed, Stage};
use crate::staged::Staged;
use std::collections::HashSet;

/// A product of literals, by increasing input.
pub(super) type Term = Vec<Signed>;

/// A circuit that can be written.
pub(super) struct Formula<'a> {
    pub(super) circuit: &'a Staged,
    pub(super) inputs: &'a [String],
    pub(super) target: &'a str,
    pub(super) stages: Vec<Vec<Term>>,
    /// The inputs that some literal reads, in increasing order.
    pub(super) support: Vec<usize>,
}

impl<'a> Formula<'a> {
    pub(super) fn new(circuit: &'a Staged) -> Result<Self, ExportError> {
        let Staged { inputs, target, stages } = circuit;
        if inputs.is_empty() {
            return Err(ExportError::NoInputs);
        }
        let mut seen = HashSet::from([target]);
        if let Some(name) = inputs.iter().find(|name| !seen.insert(name)) {
            return Err(ExportError::RepeatedName { name: name.clone() });
        }
        let is_broken = |stage: &Stage| {
            stage.cover.shape().inputs() != stage.inputs.len()
                || stage.inputs.iter().any(|&i| i >= inputs.len())
        };
        if let Some(t) = stages.iter().position(is_broken) {
            return Err(ExportError::BrokenStage { stage: t + 1 });
        }
        let stages: Vec<Vec<Term>> = stages.iter().map(normalize).collect();
        let mut support: Vec<usize> = stages.iter().flatten().flatten().map(|&(input, _)| input).collect();
        support.sort_unstable();
        support.dedup();
        Ok(Self { circuit, inputs, target, stages, support })
    }

    pub(super) fn report(&self) -> ExportReport {
        ExportReport {
            inputs: self.inputs.len(),
            stages: self.stages.len(),
            terms: self.stages.iter().map(Vec::len).sum(),
            literals: self.stages.iter().flatten().map(Vec::len).sum(),
            and_gates: None,
            depth: None,
            bytes: 0,
        }
    }
}

fn normalize(stage: &Stage) -> Vec<Term> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for mut term in stage.terms() {
        term.sort_unstable();
        term.dedup();
        // Sorted and without repetitions, an input that is there twice is there with both signs.
        if term.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            continue;
        }
        if term.is_empty() {
            return vec![term];
        }
        if seen.insert(term.clone()) {
            terms.push(term);
        }
    }
    terms
}
