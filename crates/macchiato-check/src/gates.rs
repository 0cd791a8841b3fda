//! From the gate records to a plan: for every neuron of the network, the one gate that owns it and the weights it must have.
//!
//! A *signal* is a Boolean (or, between folds, a small integer) that one neuron of a layer carries, or the difference of two.
//! A *module* is a gate with its neurons: one or more in a first layer, all reading the sum of the same signals with biases
//! that step down evenly, and maybe one in the layer after. All gates of the certificate have this shape:
//!
//! | gate | sum | biases | then | value, for r Boolean signals |
//! |---|---|---|---|---|
//! | literal `+I`, `-I` | `x`, `-x` | 0; 1 | | x; 1 - x |
//! | and two, narrow | `s` | 1-r, -r | | difference: all are 1 |
//! | or two | `s` | 0, -1 | | difference: some are 1 |
//! | or deep | `-s` | 1 | -1, bias 1 | some are 1 |
//! | xor flat | `s` | 0, -1, ..., 1-r | 1, -2, 2, ... | s is odd |
//! | xor fold H | `s` | 0, -H | 1, -2 | min(s, 2H - s) for s in 0..=2H: as odd as s |
//!
//! A plan exists only if each gate is there once, reads signals of the layer before it that carry what it needs, and every
//! neuron has one owner. XORs read what belongs to one output only, and all of it once, so by induction along the layers the last XOR
//! of each output is its certified circuit on every point of the cube. An output without stages has a neuron that reads nothing.

mod build;

use crate::certificate::{Certificate, GateRecord};
use crate::network::Network;
use crate::verdict::Rejection;

/// What a module computes from the signals it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Copy,
    Not,
    And,
    Or,
    Xor,
}

/// A value carried by neuron `plus` of a layer, less neuron `minus` where there is one. Layer 0 is the network's inputs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signal {
    pub(crate) layer: usize,
    pub(crate) plus: usize,
    pub(crate) minus: Option<usize>,
    /// It lies between 0 and this.
    most: usize,
}

/// A gate and its neurons. Module i is gate record i of the certificate.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) operation: Operation,
    /// The layer of its first neurons.
    pub(crate) layer: usize,
    /// Signals whose sum (times `sign`) the first neurons read.
    pub(crate) reads: Vec<usize>,
    sign: i64,
    /// The first neurons; neuron k has bias `bias + k * step`.
    pub(crate) first: Vec<usize>,
    bias: i64,
    step: i64,
    /// The neuron of the next layer that reads the first neurons.
    pub(crate) second: Option<usize>,
}

/// Which module owns a neuron, and as which part.
#[derive(Debug, Clone, Copy)]
struct Owner {
    module: usize,
    part: Part,
}

#[derive(Debug, Clone, Copy)]
enum Part {
    First(usize),
    Second,
}

/// Everything that the certificate says about the network.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The network's inputs, then what each module makes.
    pub(crate) signals: Vec<Signal>,
    pub(crate) modules: Vec<Module>,
    /// The signal of each output: neuron O of the last layer for output O.
    pub(crate) outputs: Vec<usize>,
    /// By layer (from 0) and neuron.
    owners: Vec<Vec<Option<Owner>>>,
}

impl Plan {
    /// The plan, for a network whose widths are the certificate's.
    pub(crate) fn new(certificate: &Certificate, network: &Network<'_>) -> Result<Self, Rejection> {
        build::build(certificate, network)
    }

    /// The bias that a neuron (layers from 0) must have.
    pub(crate) fn bias(&self, layer: usize, neuron: usize) -> Option<i64> {
        let (module, part) = self.owner(layer, neuron)?;
        Some(match part {
            Part::First(k) => module.bias + i64::try_from(k).ok()? * module.step,
            Part::Second => i64::from(module.operation == Operation::Or),
        })
    }

    /// Each weight other than 0 that a neuron must have, with the neuron (or input) of the layer before that it reads.
    pub(crate) fn weights(&self, layer: usize, neuron: usize, mut each: impl FnMut(usize, i64)) {
        match self.owner(layer, neuron) {
            None => {}
            Some((module, Part::First(_))) => {
                for signal in module.reads.iter().filter_map(|&read| self.signals.get(read)) {
                    each(signal.plus, module.sign);
                    if let Some(minus) = signal.minus {
                        each(minus, -module.sign);
                    }
                }
            }
            Some((module, Part::Second)) => {
                for (k, &hidden) in module.first.iter().enumerate() {
                    let weight = match (module.operation, k) {
                        (Operation::Or, _) => -1,
                        (_, 0) => 1,
                        (_, k) if k % 2 == 1 => -2,
                        _ => 2,
                    };
                    each(hidden, weight);
                }
            }
        }
    }

    /// The gate record that a neuron (layers from 0) belongs to.
    pub(crate) fn record<'a>(
        &self,
        certificate: &'a Certificate,
        layer: usize,
        neuron: usize,
    ) -> Option<&'a GateRecord> {
        let owner = (*self.owners.get(layer)?.get(neuron)?)?;
        certificate.gates.get(owner.module)
    }

    fn owner(&self, layer: usize, neuron: usize) -> Option<(&Module, Part)> {
        let owner = (*self.owners.get(layer)?.get(neuron)?)?;
        Some((self.modules.get(owner.module)?, owner.part))
    }
}

impl Module {
    fn new(operation: Operation, reads: Vec<usize>, sign: i64) -> Self {
        Self { operation, layer: 0, reads, sign, first: Vec::new(), bias: 0, step: 0, second: None }
    }

    fn biases(self, bias: i64, step: i64) -> Self {
        Self { bias, step, ..self }
    }

    /// The number of signals read. A certificate is far too short for more than an `i64` holds.
    fn arity(&self) -> i64 {
        i64::try_from(self.reads.len()).unwrap_or(i64::MAX)
    }
}
