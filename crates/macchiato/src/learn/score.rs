//! The one currency: nats. What a circuit is worth is ln P(labels | its cells) less the length of its description.
//!
//! A cell, rows that a model does not tell apart, with n0 labels of 0 and n1 of 1 has the Beta-binomial evidence
//! LE(n0, n1) = ln B(n0 + a, n1 + a) - ln B(a, a): the probability of its labels when its rate is unknown. The cells of a circuit are
//! its answers. The description is the length of a code in which the circuit could be sent; no candidate is worth more than the labels
//! themselves, and structure has to pay for itself. Everything is plain f64 arithmetic in a fixed order, with logarithms in software, so it
//! is the same on every machine.

use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Rule, Source};
use crate::evidence::of_cell;
pub(super) use crate::evidence::{OnePrior as Evidence, choose};
use crate::rows::Rows;

/// The prior of a circuit's two cells: Jeffreys', which costs least where the rate is unknown.
const PRIOR: f64 = 0.5;

/// The length of a whole number that nothing bounds, with the probabilities 1 / ((n + 1)(n + 2)).
pub(super) fn whole(n: usize) -> f64 {
    libm::log((n + 1) as f64) + libm::log((n + 2) as f64)
}

/// Kinds of gate: AND, OR, XOR, threshold, counts, sum, and the choice that three of these make.
const KINDS: usize = 7;
const CHOICE: usize = 6;

/// Nats in which a circuit can be written down, given its inputs.
///
/// Gates are written from the outputs on, each at the first place that reads it. A gate is its kind, how many literals it has, of each
/// whether it is an input, a new gate or a known one, which input or known gate, and its sign (an XOR has one), and its points and counts where
/// it has such. All but the numbers are written in an adaptive code, in which what came often becomes short: a circuit that repeats
/// itself is shorter than one that does not. The order of a gate's inputs says nothing, so their orders are taken off. `s and a, or not s and b` is a
/// choice, one gate of three literals, if nothing else reads its parts.
///
/// ```
/// use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
/// use macchiato::learn::description;
///
/// let names = |n: usize| (0..n).map(|i| format!("x{i}")).collect::<Vec<_>>();
/// let and = |n: usize, l: usize| {
///     let gate = Gate::new(Rule::And, (0..l).map(Literal::input).collect());
///     Circuit::new(names(n), vec![gate], vec![Output::new("y", Literal::gate(0))])
/// };
/// assert!(description(&and(10, 2)?) < description(&and(10, 3)?), "more to read");
/// assert!(description(&and(10, 2)?) < description(&and(20, 2)?), "more to choose from");
/// # Ok::<(), macchiato::circuit::CircuitError>(())
/// ```
#[must_use]
pub fn description(circuit: &Circuit) -> f64 {
    description_given(circuit, &[])
}

/// The same for somebody who knows some gates as well as the inputs: they are named, not written down.
pub(super) fn description_given(circuit: &Circuit, given: &[usize]) -> f64 {
    let mut readers = vec![0u32; circuit.gates().len()];
    let outputs = circuit.outputs().iter().map(|output| output.literal);
    for literal in
        circuit.gates().iter().flat_map(|gate| gate.literals.iter().copied()).chain(outputs.clone())
    {
        if let Source::Gate(gate) = literal.source {
            readers[gate] += 1;
        }
    }
    let mut writer = Writer {
        circuit,
        readers,
        known: vec![false; circuit.gates().len()],
        given,
        written: 0,
        kinds: Adaptive::new(KINDS),
        sorts: vec![Adaptive::new(3); KINDS + 3],
        signs: vec![Adaptive::new(2); 3],
        inputs: Adaptive::new(circuit.inputs().len() + given.len()),
        length: 0.0,
    };
    for output in outputs {
        writer.output(output);
    }
    writer.length
}

/// A code that learns how often each symbol comes: the estimator of Krichevsky and Trofimov.
#[derive(Debug, Clone)]
struct Adaptive {
    counts: Vec<u32>,
    all: u32,
}

impl Adaptive {
    fn new(symbols: usize) -> Self {
        Self { counts: vec![0; symbols], all: 0 }
    }

    fn write(&mut self, symbol: usize) -> f64 {
        let length = libm::log(f64::from(self.all) + 0.5 * self.counts.len() as f64)
            - libm::log(f64::from(self.counts[symbol]) + 0.5);
        self.counts[symbol] += 1;
        self.all += 1;
        length
    }
}

/// A circuit on its way to somebody who knows its inputs.
struct Writer<'a> {
    circuit: &'a Circuit,
    readers: Vec<u32>,
    known: Vec<bool>,
    given: &'a [usize],
    written: usize,
    kinds: Adaptive,
    /// Of literals by the gate's kind, the three of a choice apart.
    sorts: Vec<Adaptive>,
    /// By sort.
    signs: Vec<Adaptive>,
    inputs: Adaptive,
    length: f64,
}

impl Writer<'_> {
    /// An output, and the gates that it brings along.
    fn output(&mut self, output: Literal) {
        let mut stack = Vec::new();
        self.literal(output, CHOICE, true, &mut stack);
        while let Some(at) = stack.pop() {
            let gate = &self.circuit.gates()[at];
            self.written += 1;
            if let Some(parts) = self.choice(gate) {
                self.length += self.kinds.write(CHOICE);
                for (place, &part) in parts.iter().enumerate() {
                    self.literal(part, KINDS + place, true, &mut stack);
                }
                continue;
            }
            let kind = kind(&gate.rule);
            self.length += self.kinds.write(kind) + whole(gate.literals.len().saturating_sub(2)) + rule(gate);
            let mut inputs = 0;
            for &literal in &gate.literals {
                self.literal(literal, kind, gate.rule != Rule::Xor, &mut stack);
                if let Source::Input(_) = literal.source {
                    inputs += 1;
                    self.length -= libm::log(f64::from(inputs));
                }
            }
        }
    }

    fn literal(&mut self, literal: Literal, place: usize, signed: bool, stack: &mut Vec<usize>) {
        let given = |gate: usize| self.given.iter().position(|&given| given == gate);
        let atom = match literal.source {
            Source::Input(input) => Some(input),
            Source::Gate(gate) => given(gate).map(|at| self.circuit.inputs().len() + at),
        };
        let sort = match literal.source {
            Source::Gate(gate) if atom.is_none() => 1 + usize::from(self.known[gate]),
            _ => 0,
        };
        self.length += self.sorts[place].write(sort);
        if signed {
            self.length += self.signs[sort].write(usize::from(literal.positive));
        }
        match (atom, literal.source) {
            (Some(atom), _) | (None, Source::Input(atom)) => self.length += self.inputs.write(atom),
            (None, Source::Gate(gate)) if self.known[gate] => {
                self.length += libm::log(self.written.max(1) as f64);
            }
            (None, Source::Gate(gate)) => {
                self.known[gate] = true;
                stack.push(gate);
            }
        }
    }

    /// Test, one and zero of a gate that chooses.
    fn choice(&self, gate: &Gate) -> Option<[Literal; 3]> {
        let part = |literal: &Literal| match literal.source {
            Source::Gate(at) if literal.positive && self.readers[at] == 1 => {
                let part = &self.circuit.gates()[at];
                (part.rule == Rule::And && part.literals.len() == 2)
                    .then(|| [part.literals[0], part.literals[1]])
            }
            _ => None,
        };
        if gate.rule != Rule::Or || gate.literals.len() != 2 {
            return None;
        }
        let (a, b) = (part(&gate.literals[0])?, part(&gate.literals[1])?);
        (0..4).find_map(|way| {
            let (test, other) = (a[way % 2], b[way / 2]);
            (test == !other).then(|| [test, a[1 - way % 2], b[1 - way / 2]])
        })
    }
}

const fn kind(rule: &Rule) -> usize {
    match rule {
        Rule::And => 0,
        Rule::Or => 1,
        Rule::Xor => 2,
        Rule::AtLeast(_) => 3,
        Rule::Counts(_) => 4,
        Rule::Sum => 5,
    }
}

/// Points and counts of a gate.
fn rule(gate: &Gate) -> f64 {
    let most = gate.most() as usize;
    let counts = match &gate.rule {
        Rule::And | Rule::Or | Rule::Xor => return 0.0,
        Rule::Sum => 0.0,
        Rule::AtLeast(_) => libm::log((most + 1) as f64),
        // Ranges are places between counts where the answer changes.
        Rule::Counts(ranges) => whole(ranges.len()) + choose(most + 2, 2 * ranges.len()),
    };
    let points = if most == gate.literals.len() {
        0.0
    } else {
        gate.literals.iter().map(|literal| whole(literal.weight as usize - 1)).sum()
    };
    counts + std::f64::consts::LN_2 + points
}

/// ln P(labels | answers): the evidence of a circuit's two cells.
#[must_use]
pub fn evidence(answers: &[u64], labels: &[u64], rows: usize) -> f64 {
    of_confusion(confusion(answers, labels, rows))
}

/// The same from the rows by answer and label.
pub(super) fn of_confusion([zeros, ones]: [[u32; 2]; 2]) -> f64 {
    cell(zeros) + cell(ones)
}

/// LE of one cell of any number of rows, under the prior of circuits.
pub(super) fn cell(counts: [u32; 2]) -> f64 {
    of_cell(counts.map(f64::from), PRIOR)
}

/// Rows by answer and label.
pub(super) fn confusion(answers: &[u64], labels: &[u64], rows: usize) -> [[u32; 2]; 2] {
    let words = bits::words(rows);
    let (mut answered, mut hits) = (0u32, 0u32);
    for (w, (&answer, &label)) in answers.iter().zip(labels).take(words).enumerate() {
        let answer = if w + 1 == words { answer & bits::last_mask(rows) } else { answer };
        answered += answer.count_ones();
        hits += (answer & label).count_ones();
    }
    let ones = bits::count(&labels[..words]) as u32;
    let misses = ones - hits;
    [[rows as u32 - answered - misses, misses], [answered - hits, hits]]
}

/// The answers of a circuit's first output on rows.
#[must_use]
pub fn answers(circuit: &Circuit, rows: &Rows) -> Vec<u64> {
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    circuit.evaluate(&columns, bits::words(rows.len())).swap_remove(0)
}

/// What a circuit is worth on rows: the evidence of its answers less its [`description`].
#[must_use]
pub fn score(circuit: &Circuit, rows: &Rows) -> f64 {
    evidence(&answers(circuit, rows), rows.labels(), rows.len()) - description(circuit)
}
