//! What is explained: one circuit or those of a classifier, what their inputs mean, and which answer follows.

use crate::classifier::Classifier;
use crate::fit::Trace;
use crate::model::Model;
use crate::staged::Staged;
use crate::words::Words;

/// A model or a classifier, as explanations see it.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    pub(super) target: &'a str,
    pub(super) words: Words<'a>,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) decision: Decision<'a>,
}

/// One circuit of a subject.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) circuit: &'a Staged,
    pub(super) trace: Option<&'a Trace>,
}

/// How the answer follows from the circuits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Decision<'a> {
    /// It is that of the only circuit, `0` or `1`.
    Bit,
    /// It is a class of this classifier.
    Class(&'a Classifier),
}

impl<'a> Subject<'a> {
    /// A model over inputs that are 0 or 1.
    #[must_use]
    pub fn of_model(model: &'a Model) -> Self {
        let part = Part { circuit: model.circuit(), trace: Some(model.trace()) };
        Self { parts: vec![part], ..Self::of_circuit(model.circuit()) }
    }

    /// A circuit without more known about it.
    #[must_use]
    pub fn of_circuit(circuit: &'a Staged) -> Self {
        Self {
            target: &circuit.target,
            words: Words::Names(&circuit.inputs),
            parts: vec![Part { circuit, trace: None }],
            decision: Decision::Bit,
        }
    }

    /// A classifier, over the columns of its table.
    #[must_use]
    pub fn of_classifier(classifier: &'a Classifier) -> Self {
        let part = |model: &'a Model| Part { circuit: model.circuit(), trace: Some(model.trace()) };
        Self {
            target: classifier.target(),
            words: classifier.words(),
            parts: classifier.models().iter().map(part).collect(),
            decision: Decision::Class(classifier),
        }
    }

    /// The circuits: one of a model, none, one or several of a classifier.
    #[must_use]
    pub fn circuits(&self) -> impl ExactSizeIterator<Item = &'a Staged> {
        self.parts.iter().map(|part| part.circuit)
    }

    /// What the inputs are called.
    #[must_use]
    pub const fn words(&self) -> Words<'a> {
        self.words
    }

    /// Number of inputs of each circuit.
    #[must_use]
    pub fn inputs(&self) -> usize {
        match self.words {
            Words::Names(names) => names.len(),
            Words::Bits(binarizer) => binarizer.bits().len(),
        }
    }

    /// The answers that there can be: `0` and `1`, or the classes.
    #[must_use]
    pub fn answers(&self) -> Vec<String> {
        match self.decision {
            Decision::Bit => vec!["0".to_owned(), "1".to_owned()],
            Decision::Class(classifier) => classifier.classes().to_vec(),
        }
    }
}
