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
//! neuron has one owner. Then the last XOR is the certified circuit on every point of the cube, by induction along the layers.

use crate::certificate::{Certificate, Gate, GateRecord, Literal, Neuron, Source};
use crate::network::Network;
use crate::verdict::{Rejection, reject};

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
    /// By layer (from 0) and neuron.
    owners: Vec<Vec<Option<Owner>>>,
}

impl Plan {
    /// The plan, for a network whose widths are the certificate's.
    pub(crate) fn new(certificate: &Certificate, network: &Network<'_>) -> Result<Self, Rejection> {
        let input = |plus| Signal { layer: 0, plus, minus: None, most: 1 };
        let signals = (0..certificate.inputs.len()).map(input).collect();
        let owners = network.layers.iter().map(|layer| vec![None; layer.width]).collect();
        let plan = Self { signals, modules: Vec::new(), owners };
        let literals = vec![None; 2 * certificate.inputs.len()];
        let ands = certificate.stages.iter().map(|stage| vec![None; stage.terms.len()]).collect();
        let ors = vec![None; certificate.stages.len()];
        let mut builder = Builder { certificate, plan, literals, ands, ors, xors: Vec::new() };
        for record in &certificate.gates {
            builder.add(record)?;
        }
        builder.finish()
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

/// A signal that has been made, and whether something has read it.
type Made = Option<(usize, bool)>;

struct Builder<'a> {
    certificate: &'a Certificate,
    plan: Plan,
    /// Two for each input: positive, negative.
    literals: Vec<Option<usize>>,
    ands: Vec<Vec<Option<usize>>>,
    ors: Vec<Made>,
    xors: Vec<Made>,
}

impl Builder<'_> {
    fn add(&mut self, record: &GateRecord) -> Result<(), Rejection> {
        let place = || record.to_string();
        match &record.gate {
            Gate::Literal { literal, neuron } => {
                let operation = if literal.negated { Operation::Not } else { Operation::Copy };
                let sign = if literal.negated { -1 } else { 1 };
                let module =
                    Module::new(operation, vec![literal.input], sign).biases(i64::from(literal.negated), 0);
                let signal = self.place(record, module, &[*neuron], None, 1)?;
                store(&mut self.literals, literal_index(*literal), signal, place)
            }
            Gate::And { stage, term, first, second } => {
                let literals = self.certificate.stages.get(*stage).and_then(|stage| stage.terms.get(*term));
                let mut reads = Vec::new();
                for literal in literals.into_iter().flatten() {
                    match self.literals.get(literal_index(*literal)).copied().flatten() {
                        Some(signal) => reads.push(signal),
                        None => {
                            return reject(
                                place(),
                                format!("no gate makes its literal of input {}", literal.input),
                            );
                        }
                    }
                }
                let module = Module::new(Operation::And, reads, 1);
                let bias = 1 - module.arity();
                let neurons: Vec<Neuron> = [*first].into_iter().chain(*second).collect();
                let signal = self.place(record, module.biases(bias, -1), &neurons, None, 1)?;
                match self.ands.get_mut(*stage) {
                    Some(terms) => store(terms, *term, signal, place),
                    None => Ok(()),
                }
            }
            Gate::Or { stage, deep, first, second } => {
                let terms = self.ands.get(*stage).into_iter().flatten();
                let Some(reads) = terms.copied().collect::<Option<Vec<usize>>>() else {
                    return reject(place(), "one of its terms has no gate");
                };
                let signal = if *deep {
                    let module = Module::new(Operation::Or, reads, -1).biases(1, 0);
                    self.place(record, module, &[*first], Some(*second), 1)?
                } else {
                    let module = Module::new(Operation::Or, reads, 1).biases(0, -1);
                    self.place(record, module, &[*first, *second], None, 1)?
                };
                store(&mut self.ors, *stage, (signal, false), place)
            }
            Gate::Xor { fold, reads, hidden, output, .. } => {
                let reads = self.read_for_xor(record, reads)?;
                let module = Module::new(Operation::Xor, reads, 1);
                let (module, most) = self.shape_xor(record, module, *fold, hidden.len())?;
                let signal = self.place(record, module, hidden, Some(*output), most)?;
                self.xors.push(Some((signal, false)));
                Ok(())
            }
            Gate::Zero { neuron } => {
                let module = Module::new(Operation::Or, Vec::new(), 1);
                self.place(record, module, &[*neuron], None, 1).map(|_| ())
            }
        }
    }

    /// The signals of an XOR's inputs, each of which it is the first and only one to read.
    fn read_for_xor(&mut self, record: &GateRecord, sources: &[Source]) -> Result<Vec<usize>, Rejection> {
        let mut reads = Vec::new();
        for source in sources {
            let (name, made) = match *source {
                Source::Stage(stage) => (format!("s{}", stage + 1), self.ors.get_mut(stage)),
                Source::Xor(number) => (format!("v{}", number + 1), self.xors.get_mut(number)),
            };
            match made {
                Some(Some((signal, read @ false))) => {
                    *read = true;
                    reads.push(*signal);
                }
                Some(Some(_)) => return reject(record.to_string(), format!("{name} is read a second time")),
                _ => return reject(record.to_string(), format!("no gate makes {name}")),
            }
        }
        Ok(reads)
    }

    /// The biases of an XOR and the largest value of its output.
    fn shape_xor(
        &self,
        record: &GateRecord,
        module: Module,
        fold: Option<usize>,
        hidden: usize,
    ) -> Result<(Module, usize), Rejection> {
        let place = || record.to_string();
        let most: Vec<usize> =
            module.reads.iter().filter_map(|&read| Some(self.plan.signals.get(read)?.most)).collect();
        let boolean = most.iter().all(|&most| most == 1);
        let Some(height) = fold else {
            if !boolean {
                return reject(place(), "`flat` reads an input that is not Boolean");
            }
            if hidden != most.len() {
                return reject(place(), format!("{hidden} neurons for {} inputs", most.len()));
            }
            return Ok((module.biases(0, -1), 1));
        };
        if !boolean && most.len() > 1 {
            return reject(place(), "an input that is not Boolean must be the fold's only one");
        }
        let sum: usize = most.iter().fold(0, |sum, &most| sum.saturating_add(most));
        if sum > height.saturating_mul(2) {
            return reject(place(), format!("inputs that add up to {sum} need a fold higher than {height}"));
        }
        if hidden != 2 {
            return reject(place(), format!("{hidden} neurons where a fold has two"));
        }
        // Below 2^24, by the certificate's format.
        let step = i64::try_from(height).unwrap_or(i64::MAX);
        Ok((module.biases(0, -step), height))
    }

    /// Gives the module its neurons, which nobody else may have, and makes its signal.
    fn place(
        &mut self,
        record: &GateRecord,
        mut module: Module,
        first: &[Neuron],
        second: Option<Neuron>,
        most: usize,
    ) -> Result<usize, Rejection> {
        let place = || record.to_string();
        module.layer = first.first().map_or(0, |neuron| neuron.layer);
        let before = module.layer.checked_sub(1);
        for signal in module.reads.iter().filter_map(|&read| self.plan.signals.get(read)) {
            if Some(signal.layer) != before {
                let (layer, found) = (module.layer, signal.layer);
                return reject(place(), format!("neurons of layer {layer} read what layer {found} makes"));
            }
        }
        let number = self.plan.modules.len();
        for (k, neuron) in first.iter().enumerate() {
            if neuron.layer != module.layer {
                return reject(place(), format!("neuron {neuron} must be in layer {}", module.layer));
            }
            self.own(record, *neuron, Owner { module: number, part: Part::First(k) })?;
        }
        if let Some(neuron) = second {
            if neuron.layer.checked_sub(1) != Some(module.layer) {
                return reject(
                    place(),
                    format!("neuron {neuron} must be in the layer after {}", module.layer),
                );
            }
            self.own(record, neuron, Owner { module: number, part: Part::Second })?;
        }
        module.first = first.iter().map(|neuron| neuron.index).collect();
        module.second = second.map(|neuron| neuron.index);
        let signal = match (second, first) {
            (Some(last), _) => Signal { layer: last.layer, plus: last.index, minus: None, most },
            (None, [plus, rest @ ..]) => {
                let minus = rest.first().map(|neuron| neuron.index);
                Signal { layer: module.layer, plus: plus.index, minus, most }
            }
            (None, []) => return reject(place(), "it has no neurons"),
        };
        self.plan.modules.push(module);
        self.plan.signals.push(signal);
        Ok(self.plan.signals.len() - 1)
    }

    fn own(&mut self, record: &GateRecord, neuron: Neuron, owner: Owner) -> Result<(), Rejection> {
        let layer = neuron.layer.checked_sub(1).and_then(|layer| self.plan.owners.get_mut(layer));
        match layer.and_then(|layer| layer.get_mut(neuron.index)) {
            None => reject(record.to_string(), format!("the network has no neuron {neuron}")),
            Some(Some(_)) => reject(record.to_string(), format!("neuron {neuron} belongs to another gate")),
            Some(free) => {
                *free = Some(owner);
                Ok(())
            }
        }
    }

    /// Nothing is missing, and the last XOR is the output.
    fn finish(self) -> Result<Plan, Rejection> {
        for (t, (terms, or)) in self.ands.iter().zip(&self.ors).enumerate() {
            if let Some(q) = terms.iter().position(Option::is_none) {
                return reject(format!("term {}.{}", t + 1, q + 1), "no gate realizes it");
            }
            match or {
                None => return reject(format!("stage {}", t + 1), "no gate realizes it"),
                Some((_, false)) => return reject(format!("stage {}", t + 1), "no XOR reads it"),
                Some((_, true)) => {}
            }
        }
        let (last, earlier) = match self.xors.split_last() {
            Some((last, earlier)) => (*last, earlier),
            None => (None, &[][..]),
        };
        if let Some(v) = earlier.iter().position(|made| matches!(made, Some((_, false)))) {
            return reject(format!("xor {}", v + 1), "no later XOR reads it");
        }
        let depth = self.plan.owners.len();
        if let Some(signal) = last.and_then(|(signal, _)| self.plan.signals.get(signal)) {
            if (signal.layer, signal.plus) != (depth, 0) {
                return reject(
                    format!("xor {}", self.xors.len()),
                    format!("the last XOR must end in neuron {depth}.0"),
                );
            }
            if signal.most != 1 {
                return reject(format!("xor {}", self.xors.len()), "the last XOR must be `flat` or `fold 1`");
            }
        }
        for (l, layer) in self.plan.owners.iter().enumerate() {
            if let Some(n) = layer.iter().position(Option::is_none) {
                return reject(format!("neuron {}.{n}", l + 1), "it belongs to no gate");
            }
        }
        Ok(self.plan)
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

/// Fills a slot that must be empty.
fn store<T>(
    slots: &mut [Option<T>],
    at: usize,
    value: T,
    place: impl Fn() -> String,
) -> Result<(), Rejection> {
    match slots.get_mut(at) {
        Some(slot @ None) => {
            *slot = Some(value);
            Ok(())
        }
        _ => reject(place(), "there is such a gate already"),
    }
}

fn literal_index(literal: Literal) -> usize {
    2 * literal.input + usize::from(literal.negated)
}
