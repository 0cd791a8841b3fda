//! What every part of the page looks at: the circuits with their words, the compiled network, the rows, the verdict.
//!
//! Stages of all circuits are numbered through, from 1, as the compiled network and its certificate number them. Gates have
//! keys, under which the parts of the page find each other: `l3+` and `l3-` the literals of input 3, `t2.1` the first term of
//! stage 2, `s2` the stage, `x1` the answer of the first circuit; of a circuit without stages `g1.3` is the third gate.

use super::checked::Certificate;
use super::measure::Measured;
use super::{Report, ReportError};
use crate::circuit::{Circuit, Gate, Literal, Role, Source};
use crate::explain::{Data, ExplainOptions, ModelExplanation, Subject, explain_model};
use crate::minimize::Budget;
use crate::model::{ClassCircuit, Model};
use crate::network::{CompileError, CompileOptions, Compiled, compile};
use crate::stage::{Signed, Stage};
use crate::staged::Staged;
use crate::words::Words;
use std::collections::BTreeSet;

/// All of it.
pub(super) struct View<'a> {
    pub(super) model: &'a Model,
    pub(super) source: Option<&'a str>,
    pub(super) words: Words<'a>,
    pub(super) circuits: Vec<Shown<'a>>,
    pub(super) network: Option<Drawn>,
    pub(super) train: Option<Measured<'a>>,
    pub(super) test: Option<Measured<'a>>,
    pub(super) certificate: Option<Certificate>,
    pub(super) explanation: Option<ModelExplanation>,
}

/// One circuit.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Its place among the circuits, from 0.
    pub(super) number: usize,
    pub(super) target: &'a str,
    pub(super) circuit: &'a Circuit,
    /// As they were learned; none where the circuit was not learned in stages.
    pub(super) stages: &'a [Stage],
}

impl<'a> Shown<'a> {
    pub(super) fn new(number: usize, circuit: &'a Circuit, stages: &'a [Stage]) -> Self {
        let target = circuit.outputs().first().map_or("", |output| &output.name);
        Self { number, target, circuit, stages }
    }

    /// The gates that are compiled: the stages as they were learned, where there are some.
    fn gates(&self) -> Circuit {
        if self.stages.is_empty() {
            return self.circuit.clone();
        }
        let (inputs, target) = (self.circuit.inputs().to_vec(), self.target.to_owned());
        Staged { inputs, target, stages: self.stages.to_vec() }.gates()
    }

    /// The key of a gate of a circuit without stages.
    pub(super) fn key(&self, gate: usize) -> String {
        format!("g{}.{}", self.number + 1, gate + 1)
    }

    /// The key of what a literal reads; of an input that of the literal.
    pub(super) fn literal_key(&self, literal: Literal) -> String {
        match literal.source {
            Source::Input(input) => literal_key((input, literal.positive)),
            Source::Gate(gate) => self.key(gate),
        }
    }

    pub(super) fn terms(&self) -> usize {
        crate::stage::terms(self.stages)
    }
}

/// A neuron by layer and place, and how often a gate's value has it.
pub(super) type Part = (usize, usize, i32);

/// The network and, for each neuron of each layer, its gate.
pub(super) struct Drawn {
    pub(super) compiled: Compiled,
    /// The key of each neuron's gate, layer by layer.
    pub(super) keys: Vec<Vec<String>>,
    /// For each gate its key, a constant, and the neurons, by layer and place, whose weighted sum carries the rest of its value.
    pub(super) carried: Vec<(String, i32, Vec<Part>)>,
    /// The circuits' gates.
    pub(super) circuit: Circuit,
}

impl<'a> View<'a> {
    pub(super) fn new(report: &Report<'a>) -> Result<Self, ReportError> {
        let model = report.model;
        let shown = |(c, class): (usize, &'a ClassCircuit)| Shown::new(c, class.circuit(), class.stages());
        let circuits: Vec<Shown<'_>> = model.circuits().iter().enumerate().map(shown).collect();
        let network = if circuits.is_empty() { None } else { Some(Drawn::new(&circuits)?) };
        let certificate = match &network {
            Some(network) => Some(Certificate::new(&network.circuit, &network.compiled, report)?),
            None => None,
        };
        let measure = |sample: &Option<_>| sample.map(|sample| Measured::new(model, sample)).transpose();
        let (train, test) = (measure(&report.train)?, measure(&report.test)?);
        let words = model.words();
        let mut view = Self {
            model,
            source: report.source,
            words,
            circuits,
            network,
            train,
            test,
            certificate,
            explanation: None,
        };
        view.explanation = view.explain()?;
        Ok(view)
    }

    /// How much every input matters: on the training rows, or on the others where there are no such.
    fn explain(&self) -> Result<Option<ModelExplanation>, ReportError> {
        if self.circuits.is_empty() {
            return Ok(None);
        }
        let subject = Subject::of_model(self.model);
        let rows = self.train.as_ref().or(self.test.as_ref());
        let columns = rows.map(Measured::bits);
        let data = rows.zip(columns.as_deref()).map(|(rows, columns)| Data {
            columns,
            labels: &[],
            rows: rows.rows,
        });
        let options = ExplainOptions::default();
        Ok(Some(explain_model(&subject, data.as_ref(), &options, &Budget::unlimited())?))
    }

    /// The number of the first stage of circuit `c`.
    pub(super) fn first_stage(&self, c: usize) -> usize {
        1 + self.circuits[..c].iter().map(|circuit| circuit.stages.len()).sum::<usize>()
    }

    /// The inputs that some circuit reads, in increasing order.
    pub(super) fn support(&self) -> Vec<usize> {
        let read = self.model.circuits().iter().flat_map(ClassCircuit::support);
        read.collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// The same, and those that only the network reads: a constant is compiled as terms of an input.
    pub(super) fn read(&self) -> Vec<usize> {
        let first = self.network.as_ref().and_then(|network| network.compiled.network.layers.first());
        let sources =
            first.into_iter().flat_map(|layer| &layer.weights).flatten().map(|&(from, _)| from as usize);
        self.support().into_iter().chain(sources).collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// One literal in words.
    pub(super) fn literal(&self, literal: Signed) -> String {
        self.words.term(&[literal], crate::words::Symbols::UNICODE)
    }
}

/// The key of a literal.
pub(super) fn literal_key((input, positive): Signed) -> String {
    format!("l{input}{}", if positive { '+' } else { '-' })
}

/// The key of a term, both counted from 1.
pub(super) fn term_key(stage: usize, term: usize) -> String {
    format!("t{stage}.{term}")
}

impl Drawn {
    pub(super) fn new(circuits: &[Shown<'_>]) -> Result<Self, ReportError> {
        let alone: Vec<Circuit> = circuits.iter().map(Shown::gates).collect();
        let circuit = Circuit::beside(&alone.iter().collect::<Vec<_>>()).map_err(CompileError::from)?;
        let compiled = compile(&circuit, &CompileOptions::default())?;
        let own = own_keys(circuits, &alone);
        let mut keys: Vec<Vec<String>> =
            compiled.network.widths().into_iter().map(|width| vec![String::new(); width]).collect();
        let mut carried: Vec<(String, i32, Vec<Part>)> = Vec::with_capacity(compiled.gates.len());
        let mut known: Vec<String> = Vec::with_capacity(compiled.gates.len());
        for (p, placed) in compiled.gates.iter().enumerate() {
            let output = compiled.outputs.iter().position(|&output| output == p);
            let key = match (output, placed.gate, placed.reads.first()) {
                (Some(output), ..) => format!("x{}", output + 1),
                (None, Some(gate), _) => own[gate].clone(),
                // A relay carries what it reads.
                (None, None, Some(read)) => match read.source {
                    Source::Gate(gate) => known[gate].clone(),
                    Source::Input(input) => literal_key((input, read.positive)),
                },
                (None, None, None) => String::new(),
            };
            let mut parts = Vec::with_capacity(placed.bank.neurons.len());
            for neuron in &placed.bank.neurons {
                keys[placed.layer - 1][neuron.at].clone_from(&key);
                parts.push((placed.layer, neuron.at, neuron.coefficient));
            }
            // A constant is compiled as terms of its own, which the learned circuit does not have; the output's relay says the last word.
            carried.retain(|(other, ..)| *other != key || !key.starts_with('x'));
            let constant = key.starts_with('s')
                && placed.gate.is_some_and(|g| matches!(circuit.gates()[g].role, Role::Term { .. }));
            if !constant {
                carried.push((key.clone(), placed.bank.base, parts));
            }
            known.push(key);
        }
        Ok(Self { compiled, keys, carried, circuit })
    }
}

/// The keys of all gates that are compiled, circuit by circuit.
fn own_keys(circuits: &[Shown<'_>], alone: &[Circuit]) -> Vec<String> {
    let (mut keys, mut first) = (Vec::new(), 0);
    for (shown, alone) in circuits.iter().zip(alone) {
        keys.extend(alone.gates().iter().enumerate().map(|gate| gate_key(shown, first, gate)));
        first += shown.stages.len();
    }
    keys
}

/// The key of a gate, where `first` stages are of circuits before.
pub(super) fn gate_key(shown: &Shown<'_>, first: usize, (g, gate): (usize, &Gate)) -> String {
    if shown.stages.is_empty() {
        return shown.key(g);
    }
    match gate.role {
        Role::Stage(stage) => format!("s{}", first + stage),
        Role::Output(_) => format!("x{}", shown.number + 1),
        Role::Term { stage, .. } => {
            let literals: Vec<Signed> = gate
                .literals
                .iter()
                .filter_map(|literal| match literal.source {
                    Source::Input(input) => Some((input, literal.positive)),
                    Source::Gate(_) => None,
                })
                .collect();
            match shown.stages[stage - 1].terms().position(|learned| same(&learned, &literals)) {
                Some(term) => term_key(first + stage, term + 1),
                // A constant, which is compiled as terms of its own.
                None => format!("s{}", first + stage),
            }
        }
        _ => String::new(),
    }
}

/// Whether two terms have the same literals, in any order.
fn same(a: &[Signed], b: &[Signed]) -> bool {
    a.len() == b.len() && a.iter().all(|literal| b.contains(literal))
}
