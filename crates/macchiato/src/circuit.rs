//! The learned circuit: the XOR of its stages, the paper's `H_M`.

use crate::stage::{Signed, Stage, TASK_WORDS, or_terms};
use rayon::prelude::*;

/// An XOR of sums of products over named inputs.
///
/// ```
/// use macchiato::circuit::Circuit;
///
/// let empty = Circuit { inputs: vec!["a".into()], target: "y".into(), stages: vec![] };
/// assert!(!empty.at(&[true]), "without stages the answer is 0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Name of what is predicted.
    pub target: String,
    /// The stages, in the order in which they were learned.
    pub stages: Vec<Stage>,
}

impl Circuit {
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
