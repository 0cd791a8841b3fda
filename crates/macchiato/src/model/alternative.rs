//! Circuits of other sizes that a fit found beside the one that it took: the front of accuracy against size, as far as people read.

use super::possible::without_impossible;
use super::{ClassCircuit, Model};
use crate::binarize::Possible;
use crate::fit::{Candidate, Decision, Fit};
use crate::learn::{Front, Judged, conditions};
use crate::rows::Rows;

/// Conditions of the longest alternative that is kept: nobody reads more, and a model file should not be many times as long as its circuit.
const MOST_READ: usize = 200;

/// A circuit that may be taken instead of the model's: better than all shorter ones on the rows that judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    pub(super) circuit: ClassCircuit,
    pub(super) found: Candidate,
}

impl Alternative {
    /// The circuit, without alternatives of its own; it says nothing of stages.
    #[must_use]
    pub const fn circuit(&self) -> &ClassCircuit {
        &self.circuit
    }

    /// Conditions that a person reads: literals on tests.
    #[must_use]
    pub fn conditions(&self) -> usize {
        conditions(&self.circuit.circuit)
    }

    /// How it was found and what it was worth: among the rows that judged, [`asked`](crate::fit::Decision::asked) of them, it was right on so many.
    #[must_use]
    pub const fn found(&self) -> &Candidate {
        &self.found
    }
}

/// The members of a front that people read, shortest first. Where the fit's rows are more than those that the front learned from, only the circuit that
/// was picked has been learned again from all.
pub(super) fn alternatives(
    front: &Front,
    own: &ClassCircuit,
    rows: &Rows,
    possible: &Possible,
) -> Vec<Alternative> {
    let members = front.members().into_iter().filter(|judged| judged.candidate.conditions() <= MOST_READ);
    let alternative = |judged: &Judged| {
        let circuit = judged.candidate.circuit.clone();
        let trace = own.trace.of_another(rows, &circuit);
        let fit = without_impossible(Fit::from_circuit(circuit, trace), possible);
        let found = front.record(judged);
        Alternative { circuit: ClassCircuit::new(fit, false, rows).doubted(front.held, found.right), found }
    };
    let mut kept: Vec<Alternative> = Vec::new();
    for better in members.map(alternative) {
        // Without what the tests exclude, a better one may be the shorter one too.
        while kept.pop_if(|last| last.conditions() >= better.conditions()).is_some() {}
        kept.push(better);
    }
    kept
}

impl ClassCircuit {
    /// The front that it was picked from, as far as people read: shortest first, each better than all shorter ones on the rows that judged. Empty where
    /// no circuits competed.
    #[must_use]
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// The best alternative of at most so many conditions, or else the shortest; itself where there are none.
    fn at(&self, conditions: usize) -> Self {
        let fits = self.alternatives.iter().rev().find(|other| other.conditions() <= conditions);
        let Some(taken) = fits.or(self.alternatives.first()) else { return self.clone() };
        let mut circuit = taken.circuit.clone();
        circuit.alternatives.clone_from(&self.alternatives);
        let mut decision = self.trace.decision.clone();
        if let Some(Decision { candidates, .. }) = &mut decision {
            candidates.retain(|other| *other != taken.found);
            candidates.insert(0, taken.found.clone());
        }
        circuit.trace.decision = decision;
        circuit
    }
}

impl Model {
    /// The same model with circuits of at most so many conditions each: the best that were found, or the shortest where all are longer. The rows
    /// held out were asked about another circuit, so what they said is left out.
    ///
    /// ```
    /// use macchiato::learn::AutoParams;
    /// use macchiato::minimize::Budget;
    /// use macchiato::model::{Method, Model};
    /// use macchiato::rows::Rows;
    ///
    /// let rows = Rows::new(vec![vec![0b1010], vec![0b1100]], vec![0b0110], 4)?;
    /// let model = Model::of_rows(&rows, &Method::Auto(AutoParams::default()), &Budget::unlimited())?;
    /// assert!(model.at(0).circuits()[0].support().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at(&self, conditions: usize) -> Self {
        let circuits: Vec<ClassCircuit> = self.circuits.iter().map(|own| own.at(conditions)).collect();
        let holdout = self.holdout.filter(|_| circuits == self.circuits);
        Self { circuits, holdout, ..self.clone() }
    }
}
