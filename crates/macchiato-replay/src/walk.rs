//! All that a gate's neurons may hold, from all that the neurons of what it reads may hold: for networks of any weights.
//!
//! A signal has a whole number as its *value*, 0 or 1 for most, and its *choices*: a value, and a range for each of its neurons. That each
//! choice keeps its neurons together matters: those of an OR go up with the count, and only their difference is 0 or 1. A reader sees a
//! signal of a value through the least and the largest sum that its choices of this value give to each of the reader's neurons, so that a
//! gate of r signals has at most 2^r assignments to look at, however many choices there are behind them ([`Reading::each`]). Past
//! [`MOST_SIGNALS`], sums are put together by the gate's count ([`Reading::by_count`]): coarser, and the gate must then be a function of it.
//!
//! On every point of the cube, by induction along the gates, the neurons of a signal lie within one of its choices of the right value.

use crate::float32::{Range, Sum};
use crate::reach::{Column, Reach};
use crate::sparse::{Sparse, SparseNeuron};
use macchiato_check::certificate::Source;
use std::collections::BTreeMap;

/// A gate of more signals is followed by its count alone.
pub(crate) const MOST_SIGNALS: usize = 16;
/// The most choices of a signal, and the most sums altogether.
const MOST_CHOICES: usize = 1 << 16;
const MOST_STEPS: u64 = 1 << 32;

/// What a signal may be.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: u64,
    /// By neuron.
    pub(crate) held: Vec<Range>,
}

/// What neurons of one layer carry together. Layer 0 is the inputs.
#[derive(Debug, Clone)]
pub(crate) struct Signal {
    pub(crate) layer: usize,
    pub(crate) neurons: Vec<usize>,
    pub(crate) choices: Vec<Choice>,
}

impl Signal {
    /// An input of the network.
    pub(crate) fn input(at: usize) -> Self {
        let choice = |value: u64| Choice { value, held: vec![Range::exactly(value as f64)] };
        Self { layer: 0, neurons: vec![at], choices: vec![choice(0), choice(1)] }
    }

    /// A signal of these choices, each once.
    pub(crate) fn new(layer: usize, neurons: Vec<usize>, all: Vec<Choice>) -> Result<Self, String> {
        let bits = |range: &Range| ((range.low + 0.0).to_bits(), (range.high + 0.0).to_bits());
        let mut choices = BTreeMap::new();
        for choice in all {
            choices.insert((choice.value, choice.held.iter().map(bits).collect::<Vec<_>>()), choice);
        }
        if choices.len() > MOST_CHOICES {
            return Err(format!("its neurons may hold more than {MOST_CHOICES} different numbers"));
        }
        Ok(Self { layer, neurons, choices: choices.into_values().collect() })
    }

    /// Whether it is 0 or 1.
    pub(crate) fn is_boolean(&self) -> bool {
        self.choices.iter().all(|choice| choice.value <= 1)
    }
}

/// Is shown the values of the signals, what the neurons may hold then, and the points at which that is so.
type Visit<'a> = dyn FnMut(&[u64], Vec<Range>, Option<&Column>) + 'a;

/// What a signal of each value adds to each of the reader's neurons.
type Additions = Vec<(u64, Vec<Sum>)>;

/// The neurons of a gate, and the signals that they read.
pub(crate) struct Reading<'a> {
    relu: bool,
    neurons: Vec<&'a SparseNeuron>,
    sources: Vec<Source>,
    boolean: Vec<bool>,
    additions: Vec<Additions>,
}

impl<'a> Reading<'a> {
    /// The neurons at these places of a layer, from 1, which read these signals and nothing else.
    pub(crate) fn new(
        network: &'a Sparse,
        layer: usize,
        places: &[usize],
        signals: &[(Source, &Signal)],
    ) -> Result<Self, String> {
        let of = layer.checked_sub(1).and_then(|l| network.layers.get(l)).ok_or("its layer is missing")?;
        let neurons: Option<Vec<&SparseNeuron>> = places.iter().map(|&at| of.neurons.get(at)).collect();
        let neurons = neurons.ok_or("a neuron is missing")?;
        let mut own: Vec<usize> = signals.iter().flat_map(|(_, s)| s.neurons.iter().copied()).collect();
        own.sort_unstable();
        if !own.is_sorted_by(|a, b| a < b) || signals.iter().any(|(_, signal)| signal.layer + 1 != layer) {
            return Err("it reads signals that share a neuron, or do not lie in the layer before".to_owned());
        }
        for (neuron, at) in neurons.iter().zip(places) {
            let stray = neuron.weights.iter().find(|(from, _)| own.binary_search(from).is_err());
            if let Some((from, weight)) = stray {
                let from = if layer == 1 { format!("input {from}") } else { format!("{}.{from}", layer - 1) };
                return Err(format!(
                    "the weight of neuron {layer}.{at} on {from} is {weight}, where the certified network has 0: \
                     train with masks that keep zeros, or set it to 0"
                ));
            }
        }
        let additions = signals.iter().map(|(_, signal)| additions(&neurons, signal)).collect();
        let sources = signals.iter().map(|(source, _)| *source).collect();
        let boolean = signals.iter().map(|(_, signal)| signal.is_boolean()).collect();
        Ok(Self { relu: of.relu, neurons, sources, boolean, additions })
    }

    /// Whether all signals are 0 or 1.
    pub(crate) fn is_boolean(&self) -> bool {
        self.boolean.iter().all(|boolean| *boolean)
    }

    /// Whether [`Reading::each`] is within its limits.
    pub(crate) fn is_narrow(&self) -> bool {
        let assignments: usize = self.additions.iter().map(Vec::len).fold(1, usize::saturating_mul);
        assignments <= 1 << MOST_SIGNALS
    }

    /// Shows every assignment of values to the signals, in order, with what the neurons may hold then; with `reach` only those that some
    /// point of the cube has, and the points that do.
    pub(crate) fn each(
        &self,
        reach: Option<&Reach>,
        steps: &mut u64,
        visit: &mut Visit<'_>,
    ) -> Result<(), String> {
        let sums: Vec<Sum> = self.neurons.iter().map(|neuron| Sum::new(neuron.bias)).collect();
        let points = reach.map(Reach::everywhere);
        let mut values = Vec::with_capacity(self.additions.len());
        self.descend(reach, steps, &mut values, &sums, points.as_ref(), visit)
    }

    fn descend(
        &self,
        reach: Option<&Reach>,
        steps: &mut u64,
        values: &mut Vec<u64>,
        sums: &[Sum],
        points: Option<&Column>,
        visit: &mut Visit<'_>,
    ) -> Result<(), String> {
        let at = values.len();
        let Some(additions) = self.additions.get(at) else {
            visit(values, self.held(sums)?, points);
            return Ok(());
        };
        for (value, parts) in additions {
            spend(steps, 1 + parts.len() as u64)?;
            // A signal that counts further than 1 says nothing about points.
            let boolean = self.boolean.get(at).copied().unwrap_or_default();
            let narrowed = match (reach, points, self.sources.get(at)) {
                (Some(reach), Some(points), Some(&source)) if boolean => {
                    spend(steps, points.len() as u64 / 8)?;
                    let Some(narrowed) = reach.where_it_is(points, source, *value == 1) else { continue };
                    Some(narrowed)
                }
                _ => None,
            };
            let mut sums = sums.to_vec();
            sums.iter_mut().zip(parts).for_each(|(sum, part)| sum.join(part));
            values.push(*value);
            let done = self.descend(reach, steps, values, &sums, narrowed.as_ref().or(points), visit);
            values.pop();
            done?;
        }
        Ok(())
    }

    /// For each count, where signal i of value v has `points(i, v)` of it, all that the neurons may hold.
    pub(crate) fn by_count(
        &self,
        points: impl Fn(usize, u64) -> u64,
        steps: &mut u64,
    ) -> Result<BTreeMap<u64, Vec<Range>>, String> {
        let start: Vec<Sum> = self.neurons.iter().map(|neuron| Sum::new(neuron.bias)).collect();
        let mut states = BTreeMap::from([(0, start)]);
        for (at, additions) in self.additions.iter().enumerate() {
            let mut next: BTreeMap<u64, Vec<Sum>> = BTreeMap::new();
            for (count, sums) in &states {
                for (value, parts) in additions {
                    spend(steps, 1 + parts.len() as u64)?;
                    let mut sums = sums.clone();
                    sums.iter_mut().zip(parts).for_each(|(sum, part)| sum.join(part));
                    let count = count + points(at, *value);
                    match next.get_mut(&count) {
                        Some(known) => known.iter_mut().zip(&sums).for_each(|(known, sum)| known.or(sum)),
                        None => drop(next.insert(count, sums)),
                    }
                }
            }
            if next.len() > MOST_CHOICES {
                return Err(format!("it counts up to more than {MOST_CHOICES}"));
            }
            states = next;
        }
        states.into_iter().map(|(count, sums)| Ok((count, self.held(&sums)?))).collect()
    }

    fn held(&self, sums: &[Sum]) -> Result<Vec<Range>, String> {
        let held = sums.iter().map(|sum| if self.relu { sum.value().relu() } else { sum.value() });
        let held: Vec<Range> = held.collect();
        if held.iter().any(|range| range.is_anything()) {
            return Err("a sum may overflow float32: its weights are too large".to_owned());
        }
        Ok(held)
    }
}

/// What a signal adds to each neuron, by its values in increasing order.
fn additions(neurons: &[&SparseNeuron], signal: &Signal) -> Additions {
    let mut additions: BTreeMap<u64, Vec<Sum>> = BTreeMap::new();
    for Choice { value, held } in &signal.choices {
        let add = |neuron: &&SparseNeuron| {
            let mut sum = Sum::new(0.0);
            for (&from, &range) in signal.neurons.iter().zip(held) {
                let weight = neuron.weight(from);
                if weight != 0.0 {
                    sum.add(weight, range);
                }
            }
            sum
        };
        let sums: Vec<Sum> = neurons.iter().map(add).collect();
        match additions.get_mut(value) {
            Some(known) => known.iter_mut().zip(&sums).for_each(|(known, sum)| known.or(sum)),
            None => drop(additions.insert(*value, sums)),
        }
    }
    additions.into_iter().collect()
}

/// Counts steps.
fn spend(steps: &mut u64, more: u64) -> Result<(), String> {
    *steps = steps.saturating_add(more);
    if *steps > MOST_STEPS {
        return Err(format!("up to here there are more than {MOST_STEPS} sums to follow"));
    }
    Ok(())
}
