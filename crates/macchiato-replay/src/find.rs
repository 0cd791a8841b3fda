//! What each gate of a network answers after its weights were changed: over all values of what it reads, with its read-out decided at 1/2.
//!
//! Takes the certificate, which says where the gates are and what they were, and the network, whose zeros must have stayed zeros. Goes along the
//! gates with what their neurons may hold (`walk.rs`): a gate's answer to an assignment is whether its certified read-out is above 1/2,
//! whatever stands behind the assignment. Where the answer is another than the certified one, or is none, and the inputs are few, the
//! assignments are narrowed to those that some point of the cube has. A gate that has no answer to an assignment is no gate any more:
//! [`Between`] is its witness. Gates that count further than 1 (folds, sums) must have kept their numbers. Nothing here is a claim: what is
//! made of it is checked by `decides.rs`.

use crate::Refusal;
use crate::decides::owners;
use crate::float32::Range;
use crate::gates::{answer, column, literals, points, sources};
use crate::reach::{Column, Reach, first};
use crate::sparse::Sparse;
use crate::walk::{Choice, Reading, Signal};
use macchiato_check::certificate::{Gate, Source};
use macchiato_check::{Certificate, Circuit, layers};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the gates of a network answer now.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// By gate of the certificate.
    pub gates: Vec<Now>,
    /// Gates that have no answer for some of their values, and are said to answer there what they did.
    pub between: Vec<Between>,
    /// How far an output may be from what its circuit says, for any value of what its gate reads.
    pub largest_difference: f64,
}

/// What a gate answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Now {
    /// What it did.
    Same,
    /// By the values of these signals: bit i of the place is signal i. None where no point of the cube has the values.
    Table {
        /// What it reads.
        sources: Vec<Source>,
        /// Its answers.
        answers: Vec<Option<bool>>,
    },
    /// By the count that it had before, from 0 on. None where no point has the count.
    Counts(Vec<Option<bool>>),
}

/// A gate that is no gate any more.
#[derive(Debug, Clone, PartialEq)]
pub struct Between {
    /// The gate of the certificate.
    pub gate: usize,
    /// What it reads, and the values; none where only their count is known.
    pub values: Vec<(Source, u64)>,
    /// Its read-out then lies between these, and 1/2 does too (or a whole number that it must not be taken for).
    pub output: (f64, f64),
    /// A point of the cube that gives it these values, where that is known.
    pub point: Option<Vec<bool>>,
}

/// Why the gates were not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfound {
    /// The files are not a certificate and a network with its layers.
    Refused(Refusal),
    /// A gate that cannot be followed.
    Gate {
        /// The gate of the certificate.
        gate: usize,
        /// Why, and what to do.
        why: String,
    },
}

pub(crate) fn find(certificate: &[u8], network: &[u8]) -> Result<Tuned, Unfound> {
    let certificate = Certificate::read(certificate).map_err(Refusal::from)?;
    // Helpers that are read by others than their own would have no meaning.
    Circuit::of(&certificate).map_err(Refusal::from)?;
    owners(&certificate).map_err(Refusal::from)?;
    let network = layers::read(network, &certificate).map_err(Refusal::from)?;
    let network = Sparse::new(&network, &certificate).map_err(Refusal::from)?;
    let mut finder = Finder {
        inputs: (0..certificate.inputs.len()).map(Signal::input).collect(),
        signals: Vec::new(),
        reach: Columns::NotYet,
        tuned: Tuned { gates: Vec::new(), between: Vec::new(), largest_difference: 0.0 },
        steps: 0,
        certificate: &certificate,
        network: &network,
    };
    for (g, gate) in certificate.gates.iter().enumerate() {
        finder.gate(g, gate).map_err(|why| Unfound::Gate { gate: g, why })?;
    }
    for output in &certificate.outputs {
        let choices = finder.signals.get(output.gate).map_or(&[][..], |signal| &signal.choices);
        for Choice { value, held } in choices {
            let wanted = *value as f64;
            for range in held {
                let far = (range.high - wanted).abs().max((range.low - wanted).abs());
                finder.tuned.largest_difference = finder.tuned.largest_difference.max(far);
            }
        }
    }
    Ok(finder.tuned)
}

impl From<Refusal> for Unfound {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The columns of all gates so far, once they were needed.
enum Columns {
    NotYet,
    TooMany,
    Some(Reach),
}

struct Finder<'a> {
    certificate: &'a Certificate,
    network: &'a Sparse,
    inputs: Vec<Signal>,
    signals: Vec<Signal>,
    reach: Columns,
    tuned: Tuned,
    steps: u64,
}

/// What was seen at one assignment or count.
struct Seen {
    values: Vec<u64>,
    /// What it should be.
    wanted: u64,
    /// What it is, and whether that is certain.
    value: u64,
    certain: bool,
    output: Range,
    held: Vec<Range>,
    point: Option<Vec<bool>>,
}

impl Finder<'_> {
    fn gate(&mut self, g: usize, gate: &Gate) -> Result<(), String> {
        let sources = sources(gate);
        let signal = |source: &Source| match *source {
            Source::Input(input) => self.inputs.get(input),
            Source::Gate(gate) => self.signals.get(gate),
        };
        let read: Option<Vec<(Source, &Signal)>> =
            sources.iter().map(|source| Some((*source, signal(source)?))).collect();
        let read = read.ok_or("a signal is missing")?;
        let places: Vec<usize> = gate.neurons.iter().map(|neuron| neuron.at).collect();
        let reading = Reading::new(self.network, gate.layer, &places, &read)?;
        let (narrow, boolean) = (reading.is_narrow(), reading.is_boolean());
        let inputs_alone = sources.iter().all(|source| matches!(source, Source::Input(_)));
        let mut steps = self.steps;
        let mut seen = if narrow {
            assignments(gate, &sources, &reading, None, &mut steps)?
        } else {
            counts(gate, &sources, &reading, None, &mut steps)?
        };
        if !inputs_alone && boolean && seen.iter().any(|seen| !seen.certain || seen.value != seen.wanted) {
            // Only now is it worth the columns.
            let reach = self.columns();
            if let Some(reach) = reach {
                seen = if narrow {
                    assignments(gate, &sources, &reading, Some(reach), &mut steps)?
                } else {
                    counts(gate, &sources, &reading, Some(reach), &mut steps)?
                };
            }
        }
        drop(reading);
        self.steps = steps;
        // Only what answers 0 and 1 to 0 and 1 may become another gate.
        let may_change = boolean && seen.iter().all(|seen| seen.wanted <= 1);
        for seen in &seen {
            if !seen.certain || (!may_change && seen.value != seen.wanted) {
                let mut point = seen.point.clone();
                if inputs_alone && narrow {
                    let mut inputs = vec![false; self.certificate.inputs.len()];
                    for (source, value) in sources.iter().zip(&seen.values) {
                        if let &Source::Input(input) = source
                            && let Some(bit) = inputs.get_mut(input)
                        {
                            *bit = *value == 1;
                        }
                    }
                    point = Some(inputs);
                }
                let values = if narrow { seen.values.clone() } else { Vec::new() };
                self.tuned.between.push(Between {
                    gate: g,
                    values: sources.iter().copied().zip(values).collect(),
                    output: (seen.output.low, seen.output.high),
                    point,
                });
                break;
            }
        }
        let same = !may_change || seen.iter().all(|seen| seen.value == seen.wanted);
        let value = |seen: &Seen| if may_change { seen.value } else { seen.wanted };
        let now = match (same, narrow) {
            (true, _) => Now::Same,
            (false, true) => {
                let mut answers = vec![None; 1 << sources.len()];
                for seen in &seen {
                    let place = seen
                        .values
                        .iter()
                        .enumerate()
                        .map(|(i, value)| (*value as usize) << i)
                        .sum::<usize>();
                    if let Some(answer) = answers.get_mut(place) {
                        *answer = Some(value(seen) == 1);
                    }
                }
                Now::Table { sources, answers }
            }
            (false, false) => {
                let whole: u64 = gate.operands.iter().map(|operand| operand.weight).sum();
                let mut answers = vec![None; whole as usize + 1];
                for seen in &seen {
                    let count = seen.values.first().and_then(|count| usize::try_from(*count).ok());
                    if let Some(answer) = count.and_then(|count| answers.get_mut(count)) {
                        *answer = Some(value(seen) == 1);
                    }
                }
                Now::Counts(answers)
            }
        };
        let choices =
            seen.iter().map(|seen| Choice { value: value(seen), held: seen.held.clone() }).collect();
        self.signals.push(Signal::new(gate.layer, places, choices)?);
        self.tuned.gates.push(now);
        if let Columns::Some(reach) = &mut self.reach
            && let (Some(gate), Some(now)) = (self.certificate.gates.get(g), self.tuned.gates.last())
        {
            reach.push(column_now(reach, gate, now));
        }
        Ok(())
    }

    /// The columns of all gates so far, where there are few enough inputs.
    fn columns(&mut self) -> Option<&Reach> {
        if matches!(self.reach, Columns::NotYet) {
            self.reach = match Reach::new(self.certificate.inputs.len(), self.certificate.gates.len()) {
                None => Columns::TooMany,
                Some(mut reach) => {
                    for (gate, now) in self.certificate.gates.iter().zip(&self.tuned.gates) {
                        reach.push(column_now(&reach, gate, now));
                    }
                    Columns::Some(reach)
                }
            };
        }
        match &self.reach {
            Columns::Some(reach) => Some(reach),
            Columns::NotYet | Columns::TooMany => None,
        }
    }
}

/// Where a gate answers 1 now, on all points of the cube.
fn column_now(reach: &Reach, gate: &Gate, now: &Now) -> Arc<Column> {
    match now {
        Now::Same => column(reach, gate),
        Now::Counts(answers) => {
            let holds = |count: u64| {
                usize::try_from(count).ok().and_then(|count| answers.get(count).copied().flatten())
                    == Some(true)
            };
            Arc::new(reach.counting(&literals(gate), holds))
        }
        Now::Table { sources, answers } => {
            let literals: Vec<(Source, bool, u64)> =
                sources.iter().enumerate().map(|(i, source)| (*source, true, 1 << i)).collect();
            let holds = |place: u64| {
                usize::try_from(place).ok().and_then(|place| answers.get(place).copied().flatten())
                    == Some(true)
            };
            Arc::new(reach.counting(&literals, holds))
        }
    }
}

/// What a gate answers to each assignment of values to what it reads.
fn assignments(
    gate: &Gate,
    sources: &[Source],
    reading: &Reading<'_>,
    reach: Option<&Reach>,
    steps: &mut u64,
) -> Result<Vec<Seen>, String> {
    let (mut all, mut wrong) = (Vec::new(), false);
    let whole = gate.operands.iter().map(|operand| operand.weight).sum();
    let places: BTreeMap<Source, usize> =
        sources.iter().enumerate().map(|(i, source)| (*source, i)).collect();
    reading.each(reach, steps, &mut |values, held, at| {
        let value =
            |source: &Source| places.get(source).and_then(|i| values.get(*i)).copied().unwrap_or_default();
        let count = gate.operands.iter().map(|operand| points(operand, value(&operand.source))).sum();
        let inputs = reach.map_or(0, Reach::inputs);
        match answer(gate, count, whole) {
            Some(wanted) => {
                let mut seen = Seen::new(gate, values.to_vec(), wanted, held);
                seen.point = if seen.certain { None } else { at.and_then(|column| first(column, inputs)) };
                all.push(seen);
            }
            None => wrong = true,
        }
    })?;
    if wrong { Err("its fold is not as odd as its count".to_owned()) } else { Ok(all) }
}

/// What a gate answers to each count.
fn counts(
    gate: &Gate,
    sources: &[Source],
    reading: &Reading<'_>,
    reach: Option<&Reach>,
    steps: &mut u64,
) -> Result<Vec<Seen>, String> {
    let of = |at: usize, value: u64| {
        let read = gate.operands.iter().filter(|operand| Some(&operand.source) == sources.get(at));
        read.map(|operand| points(operand, value)).sum()
    };
    let mut reached = BTreeMap::new();
    if let Some(reach) = reach {
        reach.counts(&literals(gate), |w, mask, count| {
            reached.entry(count).or_insert((w, mask));
        });
    }
    let whole = gate.operands.iter().map(|operand| operand.weight).sum();
    let mut all = Vec::new();
    for (count, held) in reading.by_count(of, steps)? {
        let point = reached.get(&count);
        if reach.is_some() && point.is_none() {
            continue;
        }
        let wanted = answer(gate, count, whole).ok_or("its fold is not as odd as its count")?;
        let mut seen = Seen::new(gate, vec![count], wanted, held);
        if let (Some(reach), Some((w, mask))) = (reach, point) {
            let at = 64 * w + mask.trailing_zeros() as usize;
            seen.point = Some((0..reach.inputs()).map(|i| at >> i & 1 == 1).collect());
        }
        all.push(seen);
    }
    Ok(all)
}

impl Seen {
    /// Decides the read-out: at 1/2 for what should be 0 or 1, else at the halves around the number that it should be.
    fn new(gate: &Gate, values: Vec<u64>, wanted: u64, held: Vec<Range>) -> Self {
        let mut output = Range::exactly(gate.base as f64);
        for (neuron, range) in gate.neurons.iter().zip(&held) {
            let coefficient = neuron.coefficient as f64;
            let (low, high) =
                if coefficient < 0.0 { (range.high, range.low) } else { (range.low, range.high) };
            output = Range { low: output.low + coefficient * low, high: output.high + coefficient * high };
        }
        let (value, certain) = if wanted > 1 {
            let number = wanted as f64;
            let near = output.low > number - 0.5 && output.high < number + 0.5;
            (wanted, near)
        } else {
            // What is not known to have changed counts as unchanged.
            let certain = output.low > 0.5 || output.high <= 0.5;
            (if certain { u64::from(output.low > 0.5) } else { wanted }, certain)
        };
        Self { values, wanted, value, certain, output, held, point: None }
    }
}
