//! A compiled gate: what it reads, what it answers to its count, and the neurons that say so.
//!
//! A *signal* is a value that neurons of one layer carry as a sum with whole coefficients: its read-out. The neurons of a gate all lie in
//! one layer, each gets `slope * count + offset`, and the count is the sum of the weights of the signals that hold. So any rule is a
//! piecewise linear function of its count, with at most two neurons for each place where the rule changes its mind: [`Bank::new`].

use crate::circuit::{Rule, Source};

/// A gate of the network: one of the circuit's, or one that carries or prepares its signals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// What it answers.
    pub kind: Kind,
    /// The gate of the circuit that it is or belongs to; none for relays.
    pub gate: Option<usize>,
    /// What it counts: inputs of the network, or earlier gates of it.
    pub reads: Vec<Read>,
    /// The layer of its neurons, from 1.
    pub layer: usize,
    /// How its value is read out.
    pub bank: Bank,
}

/// What a gate of the network answers to its count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// As a gate of the circuit.
    Rule(Rule),
    /// As the one signal that it reads, a layer further on.
    Relay,
    /// 1 where nothing holds: half of a deep OR.
    Nor,
    /// A number as odd as the count: part of an XOR.
    Fold,
}

/// A signal that a gate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// An input, or an earlier gate of the network.
    pub source: Source,
    /// Whether it counts where the signal is 1.
    pub positive: bool,
    /// Points.
    pub weight: u32,
}

/// Neurons of one layer, and the sum that is their gate's value: `base` plus coefficients times neurons.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bank {
    /// The constant of the sum.
    pub base: i32,
    /// The neurons.
    pub neurons: Vec<Neuron>,
}

/// A neuron that gets `slope * count + offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neuron {
    /// Its place in the layer, from 0.
    pub at: usize,
    /// Slope.
    pub slope: i32,
    /// Offset.
    pub offset: i32,
    /// How often the gate's value has it.
    pub coefficient: i32,
}

impl Bank {
    /// The fewest neurons of slope 1 whose sum is `value(0)`, `value(1)`, ..., `value(most)`: one for each change of its step. A constant has
    /// one neuron that reads nothing, so that no layer is empty.
    #[must_use]
    pub fn new(most: u64, value: impl Fn(u64) -> u64) -> Self {
        let at = |count: u64| value(count) as i32;
        let (mut step, mut neurons) = (0, Vec::new());
        for count in 0..most {
            let next = at(count + 1) - at(count);
            if next != step {
                neurons.push(Neuron { at: 0, slope: 1, offset: -(count as i32), coefficient: next - step });
                step = next;
            }
        }
        if neurons.is_empty() {
            return Self::of(&[(0, at(0), 1)]);
        }
        Self { base: at(0), neurons }
    }

    /// Neurons as (slope, offset, coefficient).
    pub(super) fn of(neurons: &[(i32, i32, i32)]) -> Self {
        let neuron = |&(slope, offset, coefficient): &_| Neuron { at: 0, slope, offset, coefficient };
        Self { base: 0, neurons: neurons.iter().map(neuron).collect() }
    }

    /// The neurons' values at a count, where a ReLU follows.
    fn responses(&self, count: u64) -> impl Iterator<Item = i64> {
        self.neurons
            .iter()
            .map(move |neuron| (i64::from(neuron.slope) * count as i64 + i64::from(neuron.offset)).max(0))
    }

    /// The value at a count.
    #[must_use]
    pub fn value(&self, count: u64) -> i64 {
        let terms = self.neurons.iter().zip(self.responses(count));
        i64::from(self.base) + terms.map(|(neuron, value)| i64::from(neuron.coefficient) * value).sum::<i64>()
    }

    /// The largest value of each neuron for counts up to `most`.
    pub(super) fn peaks(&self, most: u64) -> impl Iterator<Item = i64> {
        self.responses(0).zip(self.responses(most)).map(|(first, last)| first.max(last))
    }
}
