//! The circuit of one class, with how it was learned and how often the training rows of its cells were of the class.

use super::alternative::Alternative;
use super::cells::{Cells, Keys};
use crate::bits;
use crate::circuit::Circuit;
use crate::fit::{Decision, Fit, Trace};
use crate::rows::Rows;
use crate::stage::{self, Stage};
use crate::staged::Staged;
use crate::words::count;

/// A circuit that is 1 where it predicts its class. [`super::Model::circuits`] has one for two classes, otherwise one for each.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassCircuit {
    /// With one output, which is no sum.
    pub(super) circuit: Circuit,
    pub(super) stages: Vec<Stage>,
    /// Whether it was learned in stages, though there may be none of them.
    pub(super) staged: bool,
    /// For each gate of [`ClassCircuit::learned`].
    pub(super) coverage: Vec<usize>,
    pub(super) trace: Trace,
    pub(super) cells: Cells,
    pub(super) alternatives: Vec<Alternative>,
}

impl ClassCircuit {
    /// That of a fit to `rows`; one of the paper's method is always `staged`.
    pub(super) fn new(fit: Fit, staged: bool, rows: &Rows) -> Self {
        let Fit { circuit, stages, trace } = fit;
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let staged = staged || !stages.is_empty();
        let (coverage, cells, alternatives) = (Vec::new(), Cells::default(), Vec::new());
        let mut made = Self { circuit, stages, staged, coverage, trace, cells, alternatives };
        made.coverage = made.learned().coverage(&columns, rows.len());
        made.cells = Cells::new(&made, &columns, rows.labels(), (rows.len(), rows.weights()));
        match made.trace.decision.as_ref().map(Decision::of_the_winner) {
            Some((asked, right)) => made.doubted(asked, right),
            None => made,
        }
    }

    /// The same circuit, where of `asked` rows that did not choose it so many were right.
    pub(super) fn doubted(mut self, asked: usize, right: Option<usize>) -> Self {
        let cells = std::mem::take(&mut self.cells);
        self.cells = cells.doubted(&Keys::of(&self), asked, right);
        self
    }

    /// The circuit, `H_M`, as it is used: that of the paper's method as it is, others in their shortest form.
    #[must_use]
    pub const fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The stages whose XOR the circuit is, as they were learned; none where it was not learned in stages.
    #[must_use]
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The circuit as it was learned: stage by stage and term for term, where there are stages.
    #[must_use]
    pub fn learned(&self) -> Circuit {
        if self.staged { self.as_staged().plain() } else { self.circuit.clone() }
    }

    /// The same with the stages, where there are some, as the paper writes them.
    #[must_use]
    pub fn gates(&self) -> Circuit {
        if self.staged { self.as_staged().gates() } else { self.circuit.clone() }
    }

    fn as_staged(&self) -> Staged {
        let (inputs, target) = (self.inputs().to_vec(), self.target().to_owned());
        Staged { inputs, target, stages: self.stages.clone() }
    }

    /// Names of the inputs: the tests of the model.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        self.circuit.inputs()
    }

    /// Name of what it predicts: `risk = high`, or the target alone where that is 0 or 1.
    #[must_use]
    pub fn target(&self) -> &str {
        self.circuit.outputs().first().map_or("", |output| &output.name)
    }

    /// The inputs that its gates or its stages read, in increasing order.
    #[must_use]
    pub fn support(&self) -> Vec<usize> {
        let terms = self.stages.iter().flat_map(Stage::terms).flatten().map(|(input, _)| input);
        let mut read: Vec<usize> = self.circuit.shortened().support().into_iter().chain(terms).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// Number of product terms of its stages; of gates, where there are no stages.
    #[must_use]
    pub fn terms(&self) -> usize {
        if self.staged { stage::terms(&self.stages) } else { self.circuit.gates().len() }
    }

    /// Number of literals of its stages; of its gates, where there are no stages.
    #[must_use]
    pub fn literals(&self) -> usize {
        if self.staged { stage::literals(&self.stages) } else { self.circuit.literals() }
    }

    /// How large it is, in words: `2 stages, 5 terms, 9 literals`, or `3 gates, 9 literals`.
    #[must_use]
    pub fn size(&self) -> String {
        let (terms, literals) = (self.terms(), count(self.literals(), "literal"));
        if self.staged {
            format!("{}, {}, {literals}", count(self.stages.len(), "stage"), count(terms, "term"))
        } else {
            format!("{}, {literals}", count(terms, "gate"))
        }
    }

    /// Training rows on which each gate of [`ClassCircuit::learned`] holds.
    #[must_use]
    pub fn coverage(&self) -> &[usize] {
        &self.coverage
    }

    /// The part of such counts, one for each gate of [`ClassCircuit::learned`], that is about the terms of a stage.
    ///
    /// # Panics
    /// If there are fewer stages or counts.
    #[must_use]
    pub fn of_terms<'a>(&self, counts: &'a [usize], stage: usize) -> &'a [usize] {
        let before: usize = self.stages[..stage].iter().map(|stage| stage.cover.terms() + 1).sum();
        &counts[before..before + self.stages[stage].cover.terms()]
    }

    /// What every stage saw and did.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The counts of the training rows in its cells, from which probabilities follow.
    #[must_use]
    pub const fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The answers on bit columns, one column for each input; bits past the last row are 0.
    ///
    /// # Panics
    /// If there are fewer columns than inputs, or one is too short for the rows.
    #[must_use]
    pub fn evaluate(&self, columns: &[&[u64]], rows: usize) -> Vec<u64> {
        let mut answers = self.circuit.evaluate(columns, bits::words(rows)).swap_remove(0);
        bits::trim(&mut answers, rows);
        answers
    }

    /// The same without the times of its steps.
    pub(super) fn without_timings(mut self) -> Self {
        self.trace.seconds_for_pairs = 0.0;
        for stage in &mut self.trace.stages {
            stage.seconds = None;
        }
        self
    }
}
