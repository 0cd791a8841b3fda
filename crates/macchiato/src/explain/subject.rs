//! What is explained: one circuit or those of a model, what their inputs mean, and which answer follows.

use crate::binarize::Binarizer;
use crate::circuit::{Circuit, Literal, Source};
use crate::fit::Trace;
use crate::model::{ClassCircuit, Keys, Model};
use crate::stage::Stage;
use crate::words::Words;

/// A model or a circuit, as explanations see it.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    pub(super) target: &'a str,
    pub(super) words: Words<'a>,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) decision: Decision<'a>,
}

/// One circuit of a subject.
#[derive(Debug, Clone)]
pub(super) struct Part<'a> {
    /// Without what changes nothing.
    pub(super) circuit: Circuit,
    pub(super) target: &'a str,
    /// As they were learned, where there are any.
    pub(super) stages: &'a [Stage],
    /// What the cells of its probabilities are told apart by.
    pub(super) keys: Keys<'a>,
    pub(super) trace: Option<&'a Trace>,
}

impl<'a> Part<'a> {
    fn of(class: &'a ClassCircuit) -> Self {
        let (circuit, stages, keys) = (class.circuit().shortened(), class.stages(), Keys::of(class));
        Self { circuit, target: class.target(), stages, keys, trace: Some(class.trace()) }
    }

    /// The inputs that a literal of a gate or of a stage reads, in increasing order.
    pub(super) fn support(&self) -> Vec<usize> {
        let terms = self.stages.iter().flat_map(Stage::terms).flatten().map(|(input, _)| input);
        let mut read: Vec<usize> = self.circuit.support().into_iter().chain(terms).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The inputs that its stages or gates read, in their order; some more than once.
    pub(super) fn reads(&self) -> Vec<usize> {
        let input = |literal: &Literal| match literal.source {
            Source::Input(input) => Some(input),
            Source::Gate(_) => None,
        };
        let stages = self.stages.iter().flat_map(|stage| stage.inputs.iter().copied());
        let outputs = self.circuit.outputs().iter().map(|output| &output.literal);
        let gates = self.circuit.gates().iter().flat_map(|gate| &gate.literals).chain(outputs);
        stages.chain(gates.filter_map(input)).collect()
    }
}

/// How the answer follows from the circuits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Decision<'a> {
    /// It is that of the only circuit, `0` or `1`.
    Bit,
    /// It is a class of this model.
    Class(&'a Model),
}

impl<'a> Subject<'a> {
    /// A model, over the columns of its table.
    #[must_use]
    pub fn of_model(model: &'a Model) -> Self {
        Self {
            target: model.target(),
            words: model.words(),
            parts: model.circuits().iter().map(Part::of).collect(),
            decision: if model.is_plain() { Decision::Bit } else { Decision::Class(model) },
        }
    }

    /// A circuit without more known about it: its first output, a sum where it is above 0.
    #[must_use]
    pub fn of_circuit(circuit: &'a Circuit) -> Self {
        Self::of_stages(circuit, &[])
    }

    /// A circuit over the tests of a table.
    pub(super) fn over_tests(circuit: &'a Circuit, binarizer: &'a Binarizer) -> Self {
        Self { words: Words::Bits(binarizer), ..Self::of_circuit(circuit) }
    }

    /// The same with the stages whose XOR it is.
    #[must_use]
    pub fn of_stages(circuit: &'a Circuit, stages: &'a [Stage]) -> Self {
        let target = circuit.outputs().first().map_or("", |output| &output.name);
        let part = Part { circuit: circuit.shortened(), target, stages, keys: Keys::Nothing, trace: None };
        Self { target, words: Words::Names(circuit.inputs()), parts: vec![part], decision: Decision::Bit }
    }

    /// The circuits: that of the positive class, or one for each, or none for a single class.
    #[must_use]
    pub fn circuits(&self) -> impl ExactSizeIterator<Item = &Circuit> {
        self.parts.iter().map(|part| &part.circuit)
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

    /// What its features are called, in their order: its inputs, or the columns of its table.
    #[must_use]
    pub fn feature_names(&self) -> Vec<&'a String> {
        match self.words {
            Words::Names(names) => names.iter().collect(),
            Words::Bits(binarizer) => binarizer.columns().iter().map(|column| &column.name).collect(),
        }
    }

    /// The answers that there can be: `0` and `1`, or the classes.
    #[must_use]
    pub fn answers(&self) -> Vec<String> {
        match self.decision {
            Decision::Bit => vec!["0".to_owned(), "1".to_owned()],
            Decision::Class(model) => model.classes().to_vec(),
        }
    }
}
