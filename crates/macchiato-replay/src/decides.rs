//! The record `decides`: on every point of the cube an output of this network, whatever its weights are, is above 1/2 exactly where the
//! circuit holds, as float32 computes it, in whichever order it adds. It never says that the two are equal.
//!
//! A record is a certificate of another first line and of this file. Of a neuron only its place is read, but for folds, whose numbers say
//! what they stand for. A gate without neurons is a formula: it is there for those that read it, whose neurons read what it reads.
//! What a gate's neurons have weights on is seen in the file, so that a gate may name less.
//! `walk.rs` follows what all neurons may hold, first for all values of what a gate reads, then, with few inputs, for those that
//! some point has; where that leaves it open and the inputs are few, every point is evaluated.

use crate::Refusal;
use crate::decided::Decided;
use crate::float32::Range;
use crate::gates::{answer, column, literals, points};
use crate::reach::Reach;
use crate::sparse::Sparse;
use crate::walk::{Choice, Reading, Signal};
use macchiato_check::certificate::{Gate, Operand, Source};
use macchiato_check::sha256::sha256;
use macchiato_check::{Certificate, Circuit, Fault, Rejection, layers, reject};
use std::collections::BTreeSet;

/// The first line of a record.
pub(crate) const FIRST: &str = "macchiato-decides 1\n";
/// The most inputs and products for which every point is evaluated.
const ALL_POINTS: usize = 20;
const ALL_PRODUCTS: usize = 1 << 30;

/// What outputs that should be 0, and outputs that should be 1, may be.
type Margin = [Option<Range>; 2];

/// Reads a record: its lines are those of a certificate, but for the first.
pub(crate) fn read(record: &[u8]) -> Result<Certificate, Fault> {
    let Some(rest) = record.strip_prefix(FIRST.as_bytes()) else {
        let why = "a record begins with the line `macchiato-decides 1`".to_owned();
        return Err(Fault { line: 1, column: 1, why });
    };
    let mut text = b"macchiato-certificate 1\n".to_vec();
    text.extend_from_slice(rest);
    Certificate::read(&text)
}

pub(crate) fn decide(record: &[u8], file: &[u8]) -> Result<Decided, Refusal> {
    let record = read(record)?;
    let digest = sha256(file);
    if record.network.bytes != file.len() as u64 || record.network.sha256 != digest {
        reject("network", format!("the file's SHA-256 is {digest}: the record speaks of another file"))?;
    }
    let circuit = Circuit::of(&record)?;
    let network = layers::read(file, &record)?;
    let network = Sparse::new(&network, &record)?;
    let owners = owners(&record)?;
    let accepted = |how, [no, yes]: Margin| Decided::Holds {
        how,
        inputs: circuit.inputs,
        gates: circuit.gates.len(),
        outputs: record.outputs.iter().map(|output| output.name.clone()).collect(),
        not_above: no.map(|range| range.high),
        above: yes.map(|range| range.low),
    };
    let why = match follow(&record, &network, &owners, None) {
        Ok(margin) => {
            return Ok(accepted("gate by gate, over all values that each gate's inputs can take", margin));
        }
        Err(why) => why,
    };
    if let Some(reach) = Reach::new(record.inputs.len(), record.gates.len())
        && let Ok(margin) = follow(&record, &network, &owners, Some(reach))
    {
        return Ok(accepted("gate by gate, over all values that some input gives to each gate", margin));
    }
    let inputs = record.inputs.len();
    let products: usize =
        network.layers.iter().flat_map(|layer| &layer.neurons).map(|n| n.weights.len() + 1).sum();
    if inputs > ALL_POINTS || products > ALL_PRODUCTS >> inputs {
        return Ok(Decided::Undecided { why });
    }
    let mut margin: Margin = [None, None];
    let mut open = false;
    for x in 0..1usize << inputs {
        let point: Vec<bool> = (0..inputs).map(|i| x >> i & 1 == 1).collect();
        let values = circuit.at(|input| point.get(input).copied().unwrap_or_default());
        for (o, (value, output)) in values.into_iter().zip(network.at(&point)).enumerate() {
            if value > 1 || (if value == 1 { output.high <= 0.5 } else { output.low > 0.5 }) {
                let name = record.outputs.get(o).map_or(String::new(), |output| output.name.clone());
                let output = (output.low, output.high);
                return Ok(Decided::Differs { point, which: (o, name), output, circuit: value });
            }
            open |= if value == 1 { output.low <= 0.5 } else { output.high > 0.5 };
            widen(&mut margin, value, output);
        }
    }
    if open {
        let why = "float32 may give either side of 1/2 at some input, depending on the order of its sums";
        return Ok(Decided::Undecided { why: why.to_owned() });
    }
    Ok(accepted("every point was evaluated", margin))
}

fn widen(margin: &mut Margin, value: u64, output: Range) {
    if let Some(known) = margin.get_mut(usize::from(value == 1)) {
        *known = Some(known.map_or(output, |known| known.hull(output)));
    }
}

/// The gate of each neuron, by layer from 0: there is one, since a neuron without a gate might overflow, and 0 times infinity is no number.
pub(crate) fn owners(record: &Certificate) -> Result<Vec<Vec<usize>>, Rejection> {
    let mut owners: Vec<Vec<Option<usize>>> =
        record.layers.iter().map(|layer| vec![None; layer.width]).collect();
    for (g, gate) in record.gates.iter().enumerate() {
        for neuron in &gate.neurons {
            let place = || format!("neuron {}.{} of gate {g} (line {})", gate.layer, neuron.at, gate.line);
            match owners.get_mut(gate.layer - 1).and_then(|layer| layer.get_mut(neuron.at)) {
                Some(owner @ None) => *owner = Some(g),
                Some(_) => return reject(place(), "it belongs to two gates"),
                None => return reject(place(), "it is not there"),
            }
        }
    }
    let mut all = Vec::new();
    for (l, layer) in owners.into_iter().enumerate() {
        if let Some(n) = layer.iter().position(Option::is_none) {
            return reject(format!("neuron {}.{n}", l + 1), "it belongs to no gate");
        }
        all.push(layer.into_iter().flatten().collect());
    }
    Ok(all)
}

/// What the neurons of a gate have weights on, in order.
fn weighed(network: &Sparse, gate: &Gate, owners: &[Vec<usize>]) -> BTreeSet<Source> {
    let layer = network.layers.get(gate.layer - 1);
    let neurons = gate.neurons.iter().filter_map(|neuron| layer?.neurons.get(neuron.at));
    let before = gate.layer.checked_sub(2).and_then(|layer| owners.get(layer));
    let source = |from: usize| match before {
        None => Some(Source::Input(from)),
        Some(owners) => owners.get(from).copied().map(Source::Gate),
    };
    neurons.flat_map(|neuron| &neuron.weights).filter_map(|(from, _)| source(*from)).collect()
}

/// The formula of a gate: what it reads in the network, and how its answer comes from that.
struct Formula<'a> {
    leaves: Vec<Source>,
    /// Gates without neurons and then the gate itself, each with its operands: a leaf, or an earlier one of these past the leaves.
    steps: Vec<(&'a Gate, Vec<(usize, &'a Operand)>)>,
}

/// The most gates without neurons behind one gate.
const MOST_STEPS: usize = 1 << 12;

impl<'a> Formula<'a> {
    /// `read` is what the gate's neurons have weights on: a formula need not name what does not matter to it.
    fn new(record: &'a Certificate, g: usize, read: BTreeSet<Source>) -> Result<Self, String> {
        let of = |g: usize| record.gates.get(g).ok_or("a gate is missing");
        let formula = |source: Source| match source {
            Source::Gate(gate) if of(gate).is_ok_and(|gate| gate.neurons.is_empty()) => Some(gate),
            _ => None,
        };
        let mut inner = BTreeSet::from([g]);
        let mut open = vec![g];
        while let Some(gate) = open.pop() {
            for operand in &of(gate)?.operands {
                if let Some(gate) = formula(operand.source).filter(|gate| inner.insert(*gate)) {
                    open.push(gate);
                }
            }
            if inner.len() > MOST_STEPS {
                return Err(format!("more than {MOST_STEPS} gates without neurons stand behind it"));
            }
        }
        let mut leaves: Vec<Source> = Vec::new();
        for &gate in &inner {
            for operand in &of(gate)?.operands {
                if formula(operand.source).is_none() && !leaves.contains(&operand.source) {
                    leaves.push(operand.source);
                }
            }
        }
        for source in read {
            if !leaves.contains(&source) {
                leaves.push(source);
            }
        }
        let inner: Vec<usize> = inner.into_iter().collect();
        let mut steps = Vec::new();
        for &gate in &inner {
            let place = |operand: &'a Operand| {
                let at = match formula(operand.source) {
                    Some(gate) => inner.binary_search(&gate).ok().map(|at| leaves.len() + at),
                    None => leaves.iter().position(|leaf| *leaf == operand.source),
                };
                (at.unwrap_or(usize::MAX), operand)
            };
            let gate = of(gate)?;
            steps.push((gate, gate.operands.iter().map(place).collect()));
        }
        Ok(Self { leaves, steps })
    }

    /// The gate's answer where the leaves have these values.
    fn answer(&self, values: &[u64]) -> Option<u64> {
        let mut all = values.to_vec();
        for (gate, operands) in &self.steps {
            let (mut count, mut whole) = (0, 0);
            for (at, operand) in operands {
                let value = all.get(*at).copied()?;
                if value > 1 && !operand.positive {
                    return None;
                }
                count += points(operand, value);
                whole += operand.weight;
            }
            all.push(answer(gate, count, whole)?);
        }
        all.last().copied()
    }
}

/// Follows all gates and gives what the outputs may be; with `reach` only for values that some point of the cube gives.
fn follow(
    record: &Certificate,
    network: &Sparse,
    owners: &[Vec<usize>],
    mut reach: Option<Reach>,
) -> Result<Margin, String> {
    let inputs: Vec<Signal> = (0..record.inputs.len()).map(Signal::input).collect();
    let mut signals: Vec<Option<Signal>> = Vec::new();
    let mut steps = 0;
    for (g, gate) in record.gates.iter().enumerate() {
        let said = |why: String| format!("gate {g} (line {}): {why}", gate.line);
        let signal = if gate.neurons.is_empty() {
            None
        } else {
            let formula = Formula::new(record, g, weighed(network, gate, owners)).map_err(said)?;
            let read: Option<Vec<(Source, &Signal)>> = formula
                .leaves
                .iter()
                .map(|&source| match source {
                    Source::Input(input) => Some((source, inputs.get(input)?)),
                    Source::Gate(gate) => Some((source, signals.get(gate)?.as_ref()?)),
                })
                .collect();
            let read = read.ok_or_else(|| said("a signal is missing".to_owned()))?;
            let places: Vec<usize> = gate.neurons.iter().map(|neuron| neuron.at).collect();
            let reading = Reading::new(network, gate.layer, &places, &read).map_err(said)?;
            let choices = choices(gate, &formula, &reading, reach.as_ref(), &mut steps).map_err(said)?;
            Some(Signal::new(gate.layer, places, choices).map_err(said)?)
        };
        signals.push(signal);
        if let Some(reach) = &mut reach {
            reach.push(column(reach, gate));
        }
    }
    let mut margin: Margin = [None, None];
    for (o, output) in record.outputs.iter().enumerate() {
        let signal = signals.get(output.gate).and_then(Option::as_ref);
        let own = signal.filter(|signal| signal.layer == record.layers.len() && signal.neurons == [o]);
        let own = own.ok_or_else(|| format!("output {o} is not neuron {o} of the last layer alone"))?;
        for Choice { value, held } in &own.choices {
            let (value, Some(&held)) = (*value, held.first()) else { continue };
            let right = match value {
                0 => held.high <= 0.5,
                1 => held.low > 0.5,
                _ => return Err(format!("output {o} is a sum, and only answers are decided at 1/2")),
            };
            if !right {
                return Err(format!(
                    "output {o} may be {} to {} where its circuit is {value}, for values that its gates might read",
                    held.low, held.high
                ));
            }
            widen(&mut margin, value, held);
        }
    }
    Ok(margin)
}

/// All that the neurons of a gate may hold, with its answers.
fn choices(
    gate: &Gate,
    formula: &Formula<'_>,
    reading: &Reading<'_>,
    reach: Option<&Reach>,
    steps: &mut u64,
) -> Result<Vec<Choice>, String> {
    let mut choices = Vec::new();
    let mut wrong = false;
    // Inputs have all values together.
    let of_gates = formula.leaves.iter().any(|leaf| matches!(leaf, Source::Gate(_)));
    let reach = reach.filter(|_| of_gates);
    if reading.is_narrow() {
        reading.each(reach, steps, &mut |values, held, _| match formula.answer(values) {
            Some(value) => choices.push(Choice { value, held }),
            None => wrong = true,
        })?;
    } else {
        if formula.steps.len() > 1 {
            return Err("it reads too many signals for a formula".to_owned());
        }
        let whole = gate.operands.iter().map(|operand| operand.weight).sum();
        let of = |at: usize, value: u64| {
            let read = gate.operands.iter().filter(|operand| Some(&operand.source) == formula.leaves.get(at));
            read.map(|operand| points(operand, value)).sum()
        };
        let mut reached = BTreeSet::new();
        // Columns of signals that count further than 1 are of their parity.
        if let Some(reach) = reach.filter(|_| reading.is_boolean()) {
            reach.counts(&literals(gate), |_, _, count| {
                reached.insert(count);
            });
        }
        for (count, held) in reading.by_count(of, steps)? {
            if !reached.is_empty() && !reached.contains(&count) {
                continue;
            }
            match answer(gate, count, whole) {
                Some(value) => choices.push(Choice { value, held }),
                None => wrong = true,
            }
        }
    }
    if wrong {
        return Err(
            "it negates a number that is not 0 or 1, or its fold is not as odd as its count".to_owned()
        );
    }
    Ok(choices)
}
