//! Gates and the neurons that realize them: the paper's certificate `C_M` as data.

use crate::stage::{Signed, Stage};

/// A neuron: layers count from 1, neurons from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neuron {
    /// Its layer.
    pub layer: usize,
    /// Its place in the layer.
    pub at: usize,
}

/// What an XOR reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XorInput {
    /// The OR of a stage, from 1.
    Stage(usize),
    /// An earlier XOR, from 1.
    Xor(usize),
}

/// One gate and its neurons. Stages, terms and XORs count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gate {
    /// An input or its negation.
    Literal {
        /// The literal.
        literal: Signed,
        /// Its neuron.
        neuron: Neuron,
    },
    /// A product term.
    And {
        /// Its stage.
        stage: usize,
        /// Its place in the stage.
        term: usize,
        /// One neuron (narrow) or two.
        neurons: Vec<Neuron>,
    },
    /// A stage's OR.
    Or {
        /// The stage.
        stage: usize,
        /// Two neurons of one layer, or of two layers (deep).
        neurons: [Neuron; 2],
    },
    /// The flat XOR of Boolean inputs.
    Xor {
        /// What it reads.
        inputs: Vec<XorInput>,
        /// Its hidden neurons, one for each input.
        hidden: Vec<Neuron>,
        /// Its output.
        output: Neuron,
    },
    /// One step of the triangle map: s becomes min(s, 2h - s).
    Fold {
        /// h.
        height: u32,
        /// What it sums.
        inputs: Vec<XorInput>,
        /// Its two hidden neurons.
        hidden: [Neuron; 2],
        /// Its output.
        output: Neuron,
    },
    /// The constant 0 of a circuit without stages.
    Zero {
        /// Its output, from 0.
        output: usize,
        /// Its neuron, in the last layer.
        neuron: Neuron,
    },
}

/// A stage as it is compiled: at least one term, each with at least one literal, none of them redundant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalStage {
    /// `J_t`.
    pub inputs: Vec<usize>,
    /// The terms; literals by input, the positive one first.
    pub terms: Vec<Vec<Signed>>,
}

impl NormalStage {
    /// Section 4.2's syntactic normalization: constants in terms of an input of the stage, duplicate terms and terms inside
    /// another one left out.
    #[must_use]
    pub fn new(stage: &Stage) -> Self {
        let inputs = stage.inputs.clone();
        let first = inputs.first().copied().unwrap_or(0);
        let all: Vec<Vec<Signed>> = stage.terms().collect();
        let terms = if all.is_empty() {
            vec![vec![(first, true), (first, false)]]
        } else if all.iter().any(Vec::is_empty) {
            vec![vec![(first, true)], vec![(first, false)]]
        } else {
            let inside =
                |small: &[Signed], wide: &[Signed]| wide.iter().all(|literal| small.contains(literal));
            let redundant = |at: usize| {
                (0..all.len()).any(|other| {
                    other != at
                        && inside(&all[at], &all[other])
                        && (all[at].len() > all[other].len() || other < at)
                })
            };
            (0..all.len()).filter(|&at| !redundant(at)).map(|at| all[at].clone()).collect()
        };
        Self { inputs, terms }
    }
}
