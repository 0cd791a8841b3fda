//! Layers and gates under construction.
//!
//! [`Builder::place`] puts a gate into the first layer behind everything that it reads, relays what comes from further back, and spells out its
//! neurons' weights: a reader's weights are its slope times the read-outs of what it counts, so that negations and sums cost no layer. It
//! keeps the peak of every neuron, its largest value over its counts, and with them the largest partial sum.

use super::Layer;
use super::error::CompileError;
use super::gates::{Bank, Kind, Placed, Read};
use crate::circuit::{Circuit, Literal, Rule, Source};
use std::collections::{BTreeMap, HashMap};

/// Layers and gates so far.
pub(super) struct Builder {
    inputs: usize,
    pub(super) layers: Vec<Layer>,
    pub(super) gates: Vec<Placed>,
    /// The largest value of each gate of the network.
    most: Vec<u64>,
    /// The largest value of each neuron, by layer from 0 and place.
    peaks: Vec<Vec<i64>>,
    /// Where each gate of the circuit ends.
    pub(super) ends: Vec<usize>,
    /// Literals of the paper's first layer.
    literals: HashMap<(usize, bool), usize>,
    /// The relay of a signal in a layer.
    relays: HashMap<(Source, usize), usize>,
    pub(super) largest: u64,
}

impl Builder {
    pub(super) fn new(circuit: &Circuit) -> Self {
        Self {
            inputs: circuit.inputs().len(),
            layers: Vec::new(),
            gates: Vec::new(),
            most: Vec::new(),
            peaks: Vec::new(),
            ends: Vec::new(),
            literals: HashMap::new(),
            relays: HashMap::new(),
            largest: 0,
        }
    }

    /// The paper's first layer: each input and its negation.
    pub(super) fn literals(&mut self) {
        for input in 0..self.inputs {
            for positive in [true, false] {
                let reads = vec![Read { source: Source::Input(input), positive, weight: 1 }];
                // A sum of one input is far from any limit.
                if let Ok(gate) = self.place(Kind::Relay, None, reads, Bank::of(&[(1, 0, 1)]), 0) {
                    self.literals.insert((input, positive), gate);
                }
            }
        }
    }

    /// What a literal of the circuit is in the network.
    pub(super) fn read(&self, literal: Literal) -> Read {
        let Literal { source, positive, weight } = literal;
        match source {
            Source::Input(input) => match self.literals.get(&(input, positive)) {
                Some(&gate) => Read { source: Source::Gate(gate), positive: true, weight },
                None => Read { source, positive, weight },
            },
            Source::Gate(gate) => Read { source: Source::Gate(self.ends[gate]), positive, weight },
        }
    }

    pub(super) fn layer(&self, source: Source) -> usize {
        match source {
            Source::Input(_) => 0,
            Source::Gate(gate) => self.gates[gate].layer,
        }
    }

    fn most(&self, source: Source) -> u64 {
        match source {
            Source::Input(_) => 1,
            Source::Gate(gate) => self.most[gate],
        }
    }

    /// The largest count of what is read.
    pub(super) fn whole(&self, reads: &[Read]) -> u64 {
        reads.iter().map(|read| u64::from(read.weight) * self.most(read.source)).sum()
    }

    /// The signal in a layer: itself, or a relay of it there. `at` names a gate in errors.
    pub(super) fn at_layer(&mut self, read: Read, layer: usize, at: usize) -> Result<Read, CompileError> {
        let mut source = read.source;
        while self.layer(source) < layer {
            let next = self.layer(source) + 1;
            let relay = if let Some(&relay) = self.relays.get(&(read.source, next)) {
                relay
            } else {
                let helper = matches!(source, Source::Gate(gate) if self.gates[gate].kind == Kind::Fold);
                let kind = if helper { Kind::Fold } else { Kind::Relay };
                let reads = vec![Read { source, positive: true, weight: 1 }];
                let relay = self.place(kind, None, reads, Bank::of(&[(1, 0, 1)]), at)?;
                self.relays.insert((read.source, next), relay);
                relay
            };
            source = Source::Gate(relay);
        }
        Ok(Read { source, ..read })
    }

    /// Puts a gate into the first layer behind what it reads; `at` names a gate of the circuit in errors.
    pub(super) fn place(
        &mut self,
        kind: Kind,
        gate: Option<usize>,
        reads: Vec<Read>,
        mut bank: Bank,
        at: usize,
    ) -> Result<usize, CompileError> {
        let before = reads.iter().map(|read| self.layer(read.source)).max().unwrap_or(0);
        let reads =
            reads.into_iter().map(|read| self.at_layer(read, before, at)).collect::<Result<Vec<_>, _>>()?;
        let layer = before + 1;
        while self.layers.len() < layer {
            self.layers.push(Layer::empty());
            self.peaks.push(Vec::new());
        }
        let (weights, constant) = self.count(&reads);
        let whole = self.whole(&reads);
        let peaks: Vec<i64> = bank.peaks(whole).collect();
        for (neuron, peak) in bank.neurons.iter_mut().zip(peaks) {
            let bias = i64::from(neuron.offset) + i64::from(neuron.slope) * constant;
            let reach = |(&from, &weight): (&u32, &i64)| {
                let most = if before == 0 { 1 } else { self.peaks[before - 1][from as usize] };
                (weight * i64::from(neuron.slope) * most).unsigned_abs()
            };
            let sum = bias.unsigned_abs() + weights.iter().map(reach).sum::<u64>();
            if sum >= 1 << 24 {
                return Err(CompileError::TooWide { gate: at, sum });
            }
            self.largest = self.largest.max(sum);
            let row =
                weights.iter().map(|(&from, &weight)| (from, (weight * i64::from(neuron.slope)) as i32));
            let to = &mut self.layers[layer - 1];
            to.weights.push(row.filter(|&(_, weight)| weight != 0).collect());
            to.biases.push(bias as i32);
            neuron.at = to.width() - 1;
            self.peaks[layer - 1].push(peak);
        }
        let values = |bank: &Bank| (0..=whole).map(|count| bank.value(count)).max().unwrap_or(0);
        self.most.push(match &kind {
            Kind::Rule(Rule::Sum) | Kind::Relay => whole,
            Kind::Rule(_) | Kind::Nor => 1,
            Kind::Fold => values(&bank).max(1).cast_unsigned(),
        });
        self.gates.push(Placed { kind, gate, reads, layer, bank });
        Ok(self.gates.len() - 1)
    }

    /// The count of what is read as weights on the layer before, and its constant.
    fn count(&self, reads: &[Read]) -> (BTreeMap<u32, i64>, i64) {
        let (mut weights, mut constant) = (BTreeMap::new(), 0);
        for read in reads {
            let weight = i64::from(read.weight);
            let times = if read.positive { weight } else { -weight };
            constant += weight - times.max(0);
            match read.source {
                Source::Input(input) => *weights.entry(input as u32).or_insert(0) += times,
                Source::Gate(gate) => {
                    let bank = &self.gates[gate].bank;
                    constant += times * i64::from(bank.base);
                    for neuron in &bank.neurons {
                        *weights.entry(neuron.at as u32).or_insert(0) +=
                            times * i64::from(neuron.coefficient);
                    }
                }
            }
        }
        (weights, constant)
    }
}
