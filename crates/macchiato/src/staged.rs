//! The learned circuit: the XOR of its stages, the paper's `H_M`.

use crate::circuit::{Circuit, CircuitError, Gate, Literal, Output, Role, Rule};
use crate::stage::{Signed, Stage, TASK_WORDS, or_terms};
use rayon::prelude::*;

/// An XOR of sums of products over named inputs.
///
/// ```
/// use macchiato::staged::Staged;
///
/// let empty = Staged { inputs: vec!["a".into()], target: "y".into(), stages: vec![] };
/// assert!(!empty.at(&[true]), "without stages the answer is 0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Name of what is predicted.
    pub target: String,
    /// The stages, in the order in which they were learned.
    pub stages: Vec<Stage>,
}

impl Staged {
    /// The answer at one point, one value for each input.
    #[must_use]
    pub fn at(&self, x: &[bool]) -> bool {
        self.stages.iter().fold(false, |value, stage| value ^ stage.at(x))
    }

    /// The answers on bit columns, 64 rows at a time; bits past the last row are whatever they are.
    #[must_use]
    pub fn evaluate(&self, columns: &[&[u64]], words: usize) -> Vec<u64> {
        let stages: Vec<Vec<Vec<Signed>>> = self.stages.iter().map(|stage| stage.terms().collect()).collect();
        let mut values = vec![0u64; words];
        values.par_chunks_mut(TASK_WORDS).enumerate().for_each(|(task, values)| {
            let mut sum = [0u64; TASK_WORDS];
            let sum = &mut sum[..values.len()];
            for terms in &stages {
                sum.fill(0);
                or_terms(terms, columns, task * TASK_WORDS, sum);
                values.iter_mut().zip(&*sum).for_each(|(value, flip)| *value ^= flip);
            }
        });
        values
    }

    /// `H_1`, `H_2`, ... on bit columns: the answers after each stage.
    pub fn prefixes<'a>(
        &'a self,
        columns: &'a [&[u64]],
        words: usize,
    ) -> impl Iterator<Item = Vec<u64>> + 'a {
        let mut values = vec![0u64; words];
        self.stages.iter().map(move |stage| {
            let correction = stage.evaluate(columns, words);
            values.iter_mut().zip(correction).for_each(|(value, flip)| *value ^= flip);
            values.clone()
        })
    }

    /// Number of product terms, the paper's P.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.stages.iter().map(|stage| stage.cover.terms()).sum()
    }

    /// Number of literals.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.stages.iter().map(|stage| stage.cover.literals()).sum()
    }

    /// The inputs that some literal reads, in increasing order.
    #[must_use]
    pub fn support(&self) -> Vec<usize> {
        let mut read: Vec<usize> =
            self.stages.iter().flat_map(Stage::terms).flatten().map(|(input, _)| input).collect();
        read.sort_unstable();
        read.dedup();
        read
    }
}

/// The gates of the paper's circuits, with an output for each: terms are ANDs, stages ORs, and each output the XOR of its stages.
///
/// A constant stage is written as the paper normalizes it, in literals of one of its inputs; a term that another one contains is left
/// out. An output without stages is an OR of nothing, 0.
///
/// # Errors
/// No circuit, or circuits over other inputs than the first one's.
pub fn gates(circuits: &[&Staged]) -> Result<Circuit, StagedError> {
    let first = circuits.first().ok_or(StagedError::Nothing)?;
    let (mut gates, mut outputs, mut number) = (Vec::new(), Vec::new(), 0);
    for (o, circuit) in circuits.iter().enumerate() {
        if circuit.inputs != first.inputs {
            return Err(StagedError::OtherInputs { circuit: o, target: circuit.target.clone() });
        }
        let mut ends = Vec::with_capacity(circuit.stages.len());
        for stage in &circuit.stages {
            number += 1;
            let mut terms = Vec::new();
            for (term, literals) in stage.normal_terms().into_iter().enumerate() {
                let literal = |&(input, positive): &Signed| Literal::input(input).signed(positive);
                let role = Role::Term { stage: number, term: term + 1 };
                gates.push(Gate::new(Rule::And, literals.iter().map(literal).collect()).role(role));
                terms.push(Literal::gate(gates.len() - 1));
            }
            gates.push(Gate::new(Rule::Or, terms).role(Role::Stage(number)));
            ends.push(Literal::gate(gates.len() - 1));
        }
        let rule = if ends.is_empty() { Rule::Or } else { Rule::Xor };
        gates.push(Gate::new(rule, ends).role(Role::Output(o)));
        outputs.push(Output::new(&circuit.target, Literal::gate(gates.len() - 1)));
    }
    // Everything is in order by construction.
    Circuit::new(first.inputs.clone(), gates, outputs).map_err(StagedError::Circuit)
}

/// Circuits that do not go together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StagedError {
    /// There is no circuit.
    #[error("there is no circuit")]
    Nothing,
    /// A circuit reads other inputs than the first one.
    #[error("circuit {circuit} ({target:?}) has other inputs than the first one")]
    OtherInputs {
        /// Its place, from 0.
        circuit: usize,
        /// Its target.
        target: String,
    },
    /// Terms of more literals than a gate can count.
    #[error(transparent)]
    Circuit(CircuitError),
}
