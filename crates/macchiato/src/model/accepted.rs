//! Circuits of which something is asked besides right answers: the pick among those that a proof accepts.
//!
//! Takes rows and a proof, gives the circuit that is picked of all that the proof accepts. The circuit of the ordinary search is taken if it is one.
//! Otherwise all sizes are looked for, with the columns that the proof is about and without them, and the same rows judge both. The constant is
//! always among them; a proof accepts it, as it reads nothing.

use super::FitError;
use super::possible::without_impossible;
use crate::binarize::{Binarizer, Possible};
use crate::circuit::Circuit;
use crate::fit::{Candidate, Decision, Fit, Trace};
use crate::learn::{CheckedAutoParams, Front, Settings, constant, fit_auto_with};
use crate::minimize::Budget;
use crate::rows::Rows;

/// What is asked of a circuit.
pub(crate) struct Accepting<'a> {
    /// The columns that it is about: circuits that read none of them are accepted.
    pub(crate) columns: &'a [String],
    /// Whether it is proven of a circuit over these tests.
    pub(crate) accept: &'a dyn Fn(&Binarizer, &Circuit) -> bool,
}

/// What a search reads.
pub(super) struct Search<'a> {
    pub(super) rows: &'a Rows,
    pub(super) validation: Option<&'a Rows>,
    pub(super) params: &'a CheckedAutoParams,
    pub(super) settings: &'a Settings,
    pub(super) binarizer: &'a Binarizer,
    pub(super) possible: &'a Possible,
    pub(super) budget: &'a Budget,
    pub(super) observe: &'a dyn Fn(&str),
}

impl Search<'_> {
    /// The circuit and its front; what is asked is proven of all of them, where something is.
    pub(super) fn run(&self, wanted: Option<&Accepting<'_>>) -> Result<(Fit, Option<Front>), FitError> {
        let (fit, mut front) = self.learn(self.rows, self.validation, self.settings)?;
        let Some(wanted) = wanted else { return Ok((fit, front)) };
        let accept = |circuit: &Circuit| (wanted.accept)(self.binarizer, circuit);
        if accept(&fit.circuit) {
            if let Some(front) = &mut front {
                front.judged.retain(|judged| accept(&judged.candidate.circuit));
            }
            return Ok((fit, front));
        }
        (self.observe)("the circuit is not as asked: looking for others");
        let settings = self.settings.clone().whole_front();
        let (fit, front) = self.learn(self.rows, self.validation, &settings)?;
        let hidden = self.without(self.rows, wanted.columns)?;
        let asked = self.validation.map(|rows| self.without(rows, wanted.columns)).transpose()?;
        let (_, without) = self.learn(&hidden, asked.as_ref(), &settings)?;
        let (Some(mut front), Some(without)) = (front, without) else {
            return Ok((self.fit(&fit.trace, constant(self.rows).circuit), None));
        };
        front.judged.extend(without.judged);
        front.judged.retain(|judged| accept(&judged.candidate.circuit));
        let Some(picked) = front.pick(self.params.get().pick) else {
            return Ok((self.fit(&fit.trace, constant(self.rows).circuit), None));
        };
        let mut taken = self.fit(&fit.trace, picked.candidate.circuit.clone());
        // The same answers in a shorter form; a proof that does not see that is no proof.
        if !accept(&taken.circuit) {
            return Ok((self.fit(&fit.trace, constant(self.rows).circuit), None));
        }
        let won = front.record(picked);
        let others = |candidates: Vec<Candidate>| candidates.into_iter().filter(|other| *other != won);
        taken.trace.decision = fit.trace.decision.map(|decision| Decision {
            candidates: std::iter::once(won.clone()).chain(others(decision.candidates)).collect(),
            ..decision
        });
        Ok((taken, Some(front)))
    }

    fn learn(
        &self,
        rows: &Rows,
        validation: Option<&Rows>,
        settings: &Settings,
    ) -> Result<(Fit, Option<Front>), FitError> {
        let (fit, front) = fit_auto_with(rows, validation, self.params, settings, self.budget, self.observe)?;
        Ok((without_impossible(fit, self.possible), front))
    }

    /// A circuit as a fit to the rows, beside that of the same search.
    fn fit(&self, own: &Trace, circuit: Circuit) -> Fit {
        let trace = own.of_another(self.rows, &circuit);
        without_impossible(Fit::from_circuit(circuit, trace), self.possible)
    }

    /// The rows with every test of these columns 0, so that nothing can be learned from them.
    fn without(&self, rows: &Rows, columns: &[String]) -> Result<Rows, FitError> {
        let bit = |(input, column): (usize, &Vec<u64>)| {
            let name = &self.binarizer.columns()[self.binarizer.bits()[input].column].name;
            if columns.contains(name) { vec![0; column.len()] } else { column.clone() }
        };
        let made = rows.columns().iter().enumerate().map(bit).collect();
        let named = (rows.names().to_vec(), rows.target().to_owned());
        let weights = rows.weights().map(<[u64]>::to_vec);
        Ok(Rows::named(named, made, rows.labels().to_vec(), (rows.len(), weights))?)
    }
}
