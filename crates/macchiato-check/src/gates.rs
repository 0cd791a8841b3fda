//! Every gate answers right at every count, from the weights that the file has: the heart of the check.
//!
//! A *signal* is a number that neurons of one layer carry as a sum with whole coefficients, its read-out. A gate counts its literals:
//! `c` is the sum over its operands of weight times value, where the value of a negated one is 1 minus its signal. Each of its
//! neurons gets `slope * c + offset` if its weights are the slope times the operands' read-outs added up, and its bias is the offset plus
//! the slope times the constants: that is seen in the file, weight by weight. Then whatever the inputs are, `c` is a whole number from 0 to
//! W, the sum of weight times range, so the gate is right on all of the cube if it is right at 0, 1, ..., W: that is evaluated.
//! By induction along the gates every signal is what its gate says.
//!
//! The same evaluation bounds each neuron: it is largest at c = 0 or c = W, its *peak*. No partial sum of a neuron, in any order,
//! exceeds |bias| plus the sum of |weight| times the peak of what it reads. Below 2^24 float32 holds all of them exactly. Peaks do not grow
//! with depth, as intervals carried along the layers would.
//!
//! Time: the weights of the file, and for each gate (W + 1) times its neurons and the neurons of what it reads, at most [`STEPS`]
//! in all.

use crate::certificate::{Certificate, Gate, Kind, Neuron, Rule, Source};
use crate::network::{Network, floats};
use crate::text::EXACT;
use crate::verdict::{Rejection, reject};

/// The most evaluations of a neuron at a count, and readings of one in a read-out.
pub const STEPS: u64 = 1 << 28;

/// A number that neurons of a layer carry: `base` plus the sum of coefficients times neurons. Layer 0 is the inputs.
struct Signal {
    layer: usize,
    base: i64,
    parts: Vec<(usize, i64)>,
    /// It lies between 0 and this.
    most: u64,
}

/// The count of a gate, as a read-out of the layer before it.
struct Count {
    base: i64,
    /// By neuron of the layer before; none for a gate without neurons, which has no weights to compare.
    parts: Vec<i64>,
    /// Its largest value, W.
    most: u64,
}

struct Checker<'a> {
    certificate: &'a Certificate,
    network: &'a Network<'a>,
    signals: Vec<Signal>,
    /// By layer, from 0 for the inputs, and neuron: its peak once a gate has it.
    peaks: Vec<Vec<Option<u64>>>,
    steps: u64,
    /// The largest partial sum so far.
    sum: u64,
}

/// Checks every gate and every output, and gives the largest partial sum.
pub(crate) fn check(certificate: &Certificate, network: &Network<'_>) -> Result<u64, Rejection> {
    let mut peaks = vec![vec![Some(1); certificate.inputs.len()]];
    peaks.extend(network.layers.iter().map(|layer| vec![None; layer.width]));
    let mut checker = Checker { certificate, network, signals: Vec::new(), peaks, steps: 0, sum: 0 };
    for (g, gate) in certificate.gates.iter().enumerate() {
        let place = || format!("gate {g} (line {})", gate.line);
        let count = checker.gather(gate).or_else(|why| reject(place(), why))?;
        let most = checker.evaluate(gate, count.most).or_else(|why| reject(place(), why))?;
        for neuron in &gate.neurons {
            let of = || format!("neuron {}.{} of {}", gate.layer, neuron.at, place());
            checker.compare(gate.layer, &count, *neuron).or_else(|why| reject(of(), why))?;
        }
        let parts = gate.neurons.iter().map(|neuron| (neuron.at, neuron.coefficient)).collect();
        checker.signals.push(Signal { layer: gate.layer, base: gate.base, parts, most });
    }
    checker.strays()?;
    checker.outputs()?;
    Ok(checker.sum)
}

impl Checker<'_> {
    /// The count of a gate: its operands' read-outs, added up.
    fn gather(&mut self, gate: &Gate) -> Result<Count, String> {
        let before = self.peaks.get(gate.layer - 1).map_or(0, Vec::len);
        let parts = if gate.neurons.is_empty() { Vec::new() } else { vec![0; before] };
        let mut count = Count { base: 0, parts, most: 0 };
        for operand in &gate.operands {
            let input;
            let signal = match operand.source {
                Source::Input(at) => {
                    input = Signal { layer: 0, base: 0, parts: vec![(at, 1)], most: 1 };
                    &input
                }
                Source::Gate(earlier) => {
                    self.signals.get(earlier).ok_or("it reads a gate that is not there")?
                }
            };
            if signal.layer + 1 != gate.layer {
                return Err(format!("it reads a signal of layer {}, not of the layer before", signal.layer));
            }
            // Not even one that is always 0: its negation would be 1, where the count below goes up to 0.
            if signal.most != 1 && !operand.positive {
                return Err("it negates a signal that is not 0 or 1".to_owned());
            }
            // A wide read-out may be read again and again by few words.
            spend(&mut self.steps, signal.parts.len() as u64)?;
            // Weights are at most 1,000 and everything else is below 2^24, so nothing here comes near the limits of 64 bits.
            let weight = i64::try_from(operand.weight).unwrap_or_default();
            let times = if operand.positive { weight } else { -weight };
            count.base += times * signal.base + weight - times.max(0);
            count.most += operand.weight * signal.most;
            for &(at, coefficient) in &signal.parts {
                // Each is a neuron of the layer before: `evaluate` has seen to that.
                if let Some(part) = count.parts.get_mut(at) {
                    *part += times * coefficient;
                }
            }
            if count.most >= EXACT || count.base.unsigned_abs() >= EXACT {
                return Err(format!("its count goes up to {} or more, where 2^24 is too much", count.most));
            }
        }
        Ok(count)
    }

    /// Evaluates the gate at every count and gives its range: 0 or 1 by its rule, also where it is constant, since readers count on that.
    fn evaluate(&mut self, gate: &Gate, whole: u64) -> Result<u64, String> {
        spend(&mut self.steps, (whole + 1).saturating_mul(gate.neurons.len() as u64 + 1))?;
        if gate.kind == Kind::Relay && gate.operands.len() != 1 {
            return Err("a relay reads one signal".to_owned());
        }
        let relu = self.certificate.layers.get(gate.layer - 1).is_none_or(|layer| layer.relu);
        for neuron in &gate.neurons {
            let [low, high] = [0, whole].map(|count| neuron.response(count, relu).unsigned_abs());
            let peak = low.max(high);
            if peak >= EXACT {
                return Err(format!("its neuron {} goes up to {peak}", neuron.at));
            }
            match self.peaks.get_mut(gate.layer).and_then(|layer| layer.get_mut(neuron.at)) {
                Some(owner @ None) => *owner = Some(peak),
                Some(_) => return Err(format!("neuron {}.{} belongs to two gates", gate.layer, neuron.at)),
                None => return Err(format!("there is no neuron {}.{}", gate.layer, neuron.at)),
            }
        }
        let mut most = 0;
        for count in 0..=whole {
            // Below 2^48 each, and fewer than the steps: no sum of them leaves 128 bits.
            let part = |neuron: &Neuron| i128::from(neuron.coefficient * neuron.response(count, relu));
            let value = i128::from(gate.base) + gate.neurons.iter().map(part).sum::<i128>();
            // Below 0 it is never right, as that never is.
            let (given, value) = (value, u64::try_from(value).unwrap_or(u64::MAX));
            let right = match &gate.kind {
                Kind::Rule(rule) => value == rule.value(count, whole),
                Kind::Relay => value == count,
                Kind::Nor => value == u64::from(count == 0),
                Kind::Fold => value % 2 == count % 2 && value < EXACT,
            };
            if !right {
                return Err(format!("at count {count} of {whole} it gives {given}"));
            }
            most = most.max(value);
        }
        Ok(match &gate.kind {
            Kind::Rule(Rule::Sum) | Kind::Relay => whole,
            Kind::Rule(_) | Kind::Nor => 1,
            Kind::Fold => most.max(1),
        })
    }

    /// Compares a neuron's weights and bias in the file with its slope times the count, and its offset, and bounds its partial sums
    /// by the peaks of what it reads.
    fn compare(&mut self, layer: usize, count: &Count, neuron: Neuron) -> Result<(), String> {
        let of_file = self.network.layers.get(layer - 1).and_then(|layer| layer.neuron(neuron.at));
        let (row, bias) = of_file.ok_or("it is not in the file")?;
        let wanted = neuron.slope * count.base + neuron.offset;
        if !same(bias, wanted) {
            return Err(format!("its bias is {bias}, where {wanted} must be"));
        }
        let mut sum = wanted.unsigned_abs();
        let peaks = self.peaks.get(layer - 1).into_iter().flatten();
        for (at, ((found, part), peak)) in floats(row).zip(&count.parts).zip(peaks).enumerate() {
            let wanted = neuron.slope.saturating_mul(*part);
            if !same(found, wanted) {
                let from =
                    if layer == 1 { format!("input {at}") } else { format!("neuron {}.{at}", layer - 1) };
                return Err(format!("its weight on {from} is {found}, where {wanted} must be"));
            }
            // Below 2^24 both. What has no peak yet belongs to a later gate, and the weight is 0.
            sum = sum.saturating_add(wanted.unsigned_abs() * peak.unwrap_or_default());
        }
        if sum >= EXACT {
            return Err(format!("a partial sum can reach {sum}, where float32 is exact only below {EXACT}"));
        }
        self.sum = self.sum.max(sum);
        Ok(())
    }

    /// Every neuron belongs to a gate: one that does not may overflow, and 0 times infinity is no number.
    fn strays(&self) -> Result<(), Rejection> {
        for (l, layer) in self.peaks.iter().enumerate() {
            if let Some(n) = layer.iter().position(Option::is_none) {
                return reject(format!("neuron {l}.{n}"), "it belongs to no gate");
            }
        }
        Ok(())
    }

    /// Output o is neuron o of the last layer, and nothing else.
    fn outputs(&self) -> Result<(), Rejection> {
        let depth = self.certificate.layers.len();
        let (outputs, width) = (&self.certificate.outputs, self.peaks.last().map_or(0, Vec::len));
        if outputs.len() != width {
            let why = format!("{} of them, and a last layer of {width} neurons", outputs.len());
            return reject("outputs", why);
        }
        for (o, output) in outputs.iter().enumerate() {
            let place = || format!("output {o}");
            let signal = self.signals.get(output.gate);
            if signal.map(|of| (of.layer, of.base, of.parts.as_slice())) != Some((depth, 0, &[(o, 1)])) {
                return reject(place(), format!("gate {} is not neuron {depth}.{o} alone", output.gate));
            }
            if let Some(most) = signal.map(|of| of.most).filter(|&most| most != output.most) {
                return reject(place(), format!("its gate goes up to {most}, not to {}", output.most));
            }
        }
        Ok(())
    }
}

impl Neuron {
    /// Its value at a count: at most 2^48 before it is known to be below 2^24.
    fn response(self, count: u64, relu: bool) -> i64 {
        let value = self.slope * i64::try_from(count).unwrap_or_default() + self.offset;
        if relu { value.max(0) } else { value }
    }
}

/// Counts steps.
fn spend(steps: &mut u64, more: u64) -> Result<(), String> {
    *steps = steps.saturating_add(more);
    if *steps > STEPS { Err(format!("up to here the gates take more than {STEPS} steps")) } else { Ok(()) }
}

/// Whether a number of the file is this whole number, which must be below 2^24. Zeros may be negative.
fn same(found: f32, wanted: i64) -> bool {
    let exact = wanted as f32;
    wanted.unsigned_abs() < EXACT && (found.to_bits() == exact.to_bits() || (wanted == 0 && found == 0.0))
}
