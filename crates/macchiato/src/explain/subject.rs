//! What is explained: a circuit, and what its inputs mean.

use crate::circuit::Circuit;
use crate::classifier::Classifier;
use crate::fit::Trace;
use crate::model::Model;
use crate::words::Words;

/// A circuit with its words, and the trace of its fit where there is one.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) words: Words<'a>,
    pub(super) trace: Option<&'a Trace>,
}

impl<'a> Subject<'a> {
    /// A model over inputs that are 0 or 1.
    #[must_use]
    pub fn of_model(model: &'a Model) -> Self {
        Self { trace: Some(model.trace()), ..Self::of_circuit(model.circuit()) }
    }

    /// A circuit without more known about it.
    #[must_use]
    pub fn of_circuit(circuit: &'a Circuit) -> Self {
        Self { circuit, words: Words::Names(&circuit.inputs), trace: None }
    }

    /// Circuit `number` of [`Classifier::models`], over the columns of a table; none if there are not that many.
    #[must_use]
    pub fn of_class(classifier: &'a Classifier, number: usize) -> Option<Self> {
        let model = classifier.models().get(number)?;
        Some(Self { circuit: model.circuit(), words: classifier.words(), trace: Some(model.trace()) })
    }

    /// The circuit.
    #[must_use]
    pub const fn circuit(&self) -> &'a Circuit {
        self.circuit
    }

    /// What its inputs are called.
    #[must_use]
    pub const fn words(&self) -> Words<'a> {
        self.words
    }
}
