//! The plan, built gate by gate in the order of the certificate's records.
//!
//! Each gate finds the signals it reads, all of which must have been made in the layer before its first neurons, takes its
//! neurons, which nobody may have taken, and makes its signal. At the end nothing may be missing: terms, stages, readers of
//! signals, owners of neurons; and the last XOR of each output must be Boolean and end in that output's neuron.

use super::{Module, Operation, Owner, Part, Plan, Signal};
use crate::certificate::{Certificate, Gate, GateRecord, Literal, Neuron, Source};
use crate::network::Network;
use crate::verdict::{Rejection, reject};

/// The plan, or the first gate that does not fit.
pub(super) fn build(certificate: &Certificate, network: &Network<'_>) -> Result<Plan, Rejection> {
    let input = |plus| Signal { layer: 0, plus, minus: None, most: 1 };
    let signals = (0..certificate.inputs.len()).map(input).collect();
    let owners = network.layers.iter().map(|layer| vec![None; layer.width]).collect();
    let plan = Plan { signals, modules: Vec::new(), outputs: Vec::new(), owners };
    let literals = vec![None; 2 * certificate.inputs.len()];
    let ands = certificate.stages.iter().map(|stage| vec![None; stage.terms.len()]).collect();
    let ors = vec![None; certificate.stages.len()];
    let zeros = vec![None; certificate.outputs.len()];
    let mut builder = Builder { certificate, plan, literals, ands, ors, xors: Vec::new(), zeros };
    for record in &certificate.gates {
        builder.add(record)?;
    }
    builder.finish()
}

/// A signal that has been made for an output, and whether something has read it.
#[derive(Clone, Copy)]
struct Made {
    signal: usize,
    output: usize,
    read: bool,
}

struct Builder<'a> {
    certificate: &'a Certificate,
    plan: Plan,
    /// Two for each input: positive, negative.
    literals: Vec<Option<usize>>,
    ands: Vec<Vec<Option<usize>>>,
    ors: Vec<Option<Made>>,
    xors: Vec<Made>,
    /// One for each output that has no stages.
    zeros: Vec<Option<usize>>,
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
                let output = self.certificate.stages.get(*stage).map_or(0, |stage| stage.output);
                store(&mut self.ors, *stage, Made { signal, output, read: false }, place)
            }
            Gate::Xor { fold, reads, hidden, output, .. } => {
                let (reads, of) = self.read_for_xor(record, reads)?;
                let module = Module::new(Operation::Xor, reads, 1);
                let (module, most) = self.shape_xor(record, module, *fold, hidden.len())?;
                let signal = self.place(record, module, hidden, Some(*output), most)?;
                self.xors.push(Made { signal, output: of, read: false });
                Ok(())
            }
            Gate::Zero { output, neuron } => {
                let depth = self.plan.owners.len();
                if (neuron.layer, neuron.index) != (depth, *output) {
                    return reject(place(), format!("it must be neuron {depth}.{output}, not {neuron}"));
                }
                let module = Module::new(Operation::Or, Vec::new(), 1);
                let signal = self.place(record, module, &[*neuron], None, 1)?;
                store(&mut self.zeros, *output, signal, place)
            }
        }
    }

    /// The signals of an XOR's inputs, each of which it is the first and only one to read, and the output they all belong to.
    fn read_for_xor(
        &mut self,
        record: &GateRecord,
        sources: &[Source],
    ) -> Result<(Vec<usize>, usize), Rejection> {
        let place = || record.to_string();
        let mut reads = Vec::new();
        let mut of = None;
        for source in sources {
            let (name, made) = match *source {
                Source::Stage(stage) => {
                    (format!("s{}", stage + 1), self.ors.get_mut(stage).and_then(Option::as_mut))
                }
                Source::Xor(number) => (format!("v{}", number + 1), self.xors.get_mut(number)),
            };
            let Some(made) = made else { return reject(place(), format!("no gate makes {name}")) };
            if made.read {
                return reject(place(), format!("{name} is read a second time"));
            }
            let first = *of.get_or_insert(made.output);
            if made.output != first {
                let why = format!("{name} belongs to output {}, what is before it to {first}", made.output);
                return reject(place(), why);
            }
            made.read = true;
            reads.push(made.signal);
        }
        Ok((reads, of.unwrap_or_default()))
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

    /// Nothing is missing, and the last XOR of each output is in its place.
    fn finish(mut self) -> Result<Plan, Rejection> {
        for (t, (terms, or)) in self.ands.iter().zip(&self.ors).enumerate() {
            if let Some(q) = terms.iter().position(Option::is_none) {
                return reject(format!("term {}.{}", t + 1, q + 1), "no gate realizes it");
            }
            match or {
                None => return reject(format!("stage {}", t + 1), "no gate realizes it"),
                Some(made) if !made.read => return reject(format!("stage {}", t + 1), "no XOR reads it"),
                Some(_) => {}
            }
        }
        self.plan.outputs = self.outputs()?;
        for (l, layer) in self.plan.owners.iter().enumerate() {
            if let Some(n) = layer.iter().position(Option::is_none) {
                return reject(format!("neuron {}.{n}", l + 1), "it belongs to no gate");
            }
        }
        Ok(self.plan)
    }

    /// The signal of each output: its last XOR, which is all that no XOR reads, or its `zero`.
    fn outputs(&self) -> Result<Vec<usize>, Rejection> {
        let mut last: Vec<Option<(usize, Made)>> = vec![None; self.zeros.len()];
        for (v, made) in self.xors.iter().enumerate() {
            let earlier = last.get_mut(made.output).and_then(|last| last.replace((v, *made)));
            if let Some((v, _)) = earlier.filter(|(_, made)| !made.read) {
                return reject(format!("xor {}", v + 1), "no later XOR reads it");
            }
        }
        let depth = self.plan.owners.len();
        let mut outputs = Vec::new();
        for (o, (last, zero)) in last.into_iter().zip(&self.zeros).enumerate() {
            let Some((v, made)) = last else {
                let Some(zero) = zero else {
                    // Or a literal could own the only neuron of a circuit that is constant 0.
                    let place = format!("neuron {depth}.{o}");
                    return reject(place, "it must be the `zero` of a circuit without stages");
                };
                outputs.push(*zero);
                continue;
            };
            let place = || format!("xor {}", v + 1);
            let signal = self.plan.signals.get(made.signal);
            if signal.is_none_or(|signal| (signal.layer, signal.plus) != (depth, o)) {
                return reject(place(), format!("the last XOR must end in neuron {depth}.{o}"));
            }
            if signal.is_none_or(|signal| signal.most != 1) {
                return reject(place(), "the last XOR must be `flat` or `fold 1`");
            }
            outputs.push(made.signal);
        }
        Ok(outputs)
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
