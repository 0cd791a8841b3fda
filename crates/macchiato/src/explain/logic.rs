//! Circuits and classes as formulas over the features, written once for whatever evaluates them: clauses for the solver
//! ([`super::sat`]), decision diagrams ([`super::diagram`]), or plain truth at one point ([`At`]).

use super::space::{Read, Space};
use super::subject::{Decision, Part, Subject};
use super::totalizer::Totalizer;

pub(super) use super::connectives::{Logic, Stopped};

use crate::bits;
use crate::circuit::{Circuit, Gate, Literal, Rule, Source};
use crate::model::{Keys, Model};
use crate::stage::{Signed, Stage};

/// A set of values for each of some features.
pub(super) type Boxes = Vec<(usize, Vec<bool>)>;

/// Truth at one point, which is given by the value of each feature.
#[derive(Debug)]
pub(super) struct At<'a>(pub(super) &'a [usize]);

impl Logic for At<'_> {
    type Bit = bool;

    fn constant(&mut self, value: bool) -> bool {
        value
    }

    fn within(&mut self, feature: usize, values: &[bool]) -> Result<bool, Stopped> {
        Ok(values[self.0[feature]])
    }

    fn not(&mut self, bit: bool) -> Result<bool, Stopped> {
        Ok(!bit)
    }

    fn and(&mut self, bits: &[bool]) -> Result<bool, Stopped> {
        Ok(bits.iter().all(|&bit| bit))
    }

    fn or(&mut self, bits: &[bool]) -> Result<bool, Stopped> {
        Ok(bits.iter().any(|&bit| bit))
    }

    fn xor(&mut self, a: bool, b: bool) -> Result<bool, Stopped> {
        Ok(a != b)
    }
}

/// A circuit with the formulas of its gates.
pub(super) struct Built<B> {
    gates: Vec<B>,
    pub(super) answer: B,
}

/// The circuits of subject number `subject` of a space.
pub(super) struct Formulas<'a> {
    pub(super) space: &'a Space,
    pub(super) subject: usize,
}

impl Formulas<'_> {
    /// A product, each feature asked once; none if it asks something impossible of one.
    pub(super) fn asked(&self, term: &[Signed]) -> Option<Boxes> {
        let mut asked: Boxes = Vec::new();
        for &(input, positive) in term {
            let read = self.space.read(self.subject, input)?;
            let passes = read.passes.iter().map(|&passes| passes == positive);
            match asked.iter_mut().find(|(feature, _)| *feature == read.feature) {
                Some((_, values)) => {
                    values.iter_mut().zip(passes).for_each(|(value, passes)| *value &= passes);
                }
                None => asked.push((read.feature, passes.collect())),
            }
        }
        asked.iter().all(|(_, values)| values.contains(&true)).then_some(asked)
    }

    pub(super) fn term<L: Logic>(&self, logic: &mut L, term: &[Signed]) -> Result<L::Bit, Stopped> {
        let Some(asked) = self.asked(term) else { return Ok(logic.constant(false)) };
        let mut literals = Vec::with_capacity(asked.len());
        for (feature, values) in &asked {
            literals.push(logic.within(*feature, values)?);
        }
        logic.and(&literals)
    }

    /// The terms of a stage, and their sum.
    pub(super) fn stage<L: Logic>(
        &self,
        logic: &mut L,
        stage: &Stage,
    ) -> Result<(Vec<L::Bit>, L::Bit), Stopped> {
        let terms = stage.terms().map(|term| self.term(logic, &term)).collect::<Result<Vec<_>, _>>()?;
        let sum = logic.or(&terms)?;
        Ok((terms, sum))
    }

    /// All gates of a circuit, and its first output.
    pub(super) fn circuit<L: Logic>(
        &self,
        logic: &mut L,
        circuit: &Circuit,
    ) -> Result<Built<L::Bit>, Stopped> {
        let answer = logic.constant(false);
        let mut built = Built { gates: Vec::with_capacity(circuit.gates().len()), answer };
        for gate in circuit.gates() {
            let bit = self.gate(logic, gate, &built.gates)?;
            built.gates.push(bit);
        }
        if let Some(output) = circuit.outputs().first() {
            built.answer = self.literal(logic, output.literal, &built.gates)?;
        }
        Ok(built)
    }

    fn literal<L: Logic>(
        &self,
        logic: &mut L,
        literal: Literal,
        gates: &[L::Bit],
    ) -> Result<L::Bit, Stopped> {
        match literal.source {
            Source::Input(input) => self.term(logic, &[(input, literal.positive)]),
            Source::Gate(gate) if literal.positive => Ok(gates[gate]),
            Source::Gate(gate) => logic.not(gates[gate]),
        }
    }

    /// What a gate counts, each with its points.
    fn counted<L: Logic>(
        &self,
        logic: &mut L,
        gate: &Gate,
        gates: &[L::Bit],
    ) -> Result<Totalizer<L::Bit>, Stopped> {
        let mut bits = Vec::with_capacity(gate.literals.len());
        for &literal in &gate.literals {
            bits.push((self.literal(logic, literal, gates)?, u64::from(literal.weight)));
        }
        Ok(Totalizer::new(&bits))
    }

    fn gate<L: Logic>(&self, logic: &mut L, gate: &Gate, gates: &[L::Bit]) -> Result<L::Bit, Stopped> {
        match &gate.rule {
            Rule::And => {
                let input = |literal: &Literal| match literal.source {
                    Source::Input(input) => Some((input, literal.positive)),
                    Source::Gate(_) => None,
                };
                let inputs: Vec<Signed> = gate.literals.iter().filter_map(input).collect();
                let mut parts = vec![self.term(logic, &inputs)?];
                for &literal in gate.literals.iter().filter(|literal| input(literal).is_none()) {
                    parts.push(self.literal(logic, literal, gates)?);
                }
                logic.and(&parts)
            }
            Rule::Or => {
                let parts = gate.literals.iter().map(|&literal| self.literal(logic, literal, gates));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                logic.or(&parts)
            }
            Rule::Xor => {
                let mut odd = logic.constant(false);
                for &literal in &gate.literals {
                    let bit = self.literal(logic, literal, gates)?;
                    odd = logic.xor(odd, bit)?;
                }
                Ok(odd)
            }
            Rule::AtLeast(least) => self.counted(logic, gate, gates)?.at_least(logic, *least),
            Rule::Sum => self.counted(logic, gate, gates)?.at_least(logic, 1),
            Rule::Counts(ranges) => {
                let mut counted = self.counted(logic, gate, gates)?;
                let mut any = Vec::with_capacity(ranges.len());
                for &range in ranges {
                    any.push(counted.within(logic, range)?);
                }
                logic.or(&any)
            }
        }
    }

    /// For each answer that a subject can give, in their order, where it gives it: exactly one holds everywhere.
    pub(super) fn answers<L: Logic>(
        &self,
        logic: &mut L,
        subject: &Subject<'_>,
    ) -> Result<Vec<L::Bit>, Stopped> {
        let mut built = Vec::new();
        for circuit in subject.circuits() {
            built.push(self.circuit(logic, circuit)?);
        }
        let (positive, classes) = match subject.decision {
            Decision::Bit => (Some(1), 2),
            Decision::Class(model) => (model.positive(), model.classes().len()),
        };
        match (positive, subject.decision, built.as_slice()) {
            (Some(positive), _, [one]) => {
                let not = logic.not(one.answer)?;
                Ok(if positive == 1 { vec![not, one.answer] } else { vec![one.answer, not] })
            }
            (_, Decision::Class(model), [_, ..]) => self.greatest(logic, (&subject.parts, model), &built),
            // A single class, whatever the row.
            _ => Ok(vec![logic.constant(true); classes.min(1)]),
        }
    }
}

/// Points that are evaluated at once.
const AT_ONCE: usize = 1024;

impl Formulas<'_> {
    /// The answer of a subject at one point.
    pub(super) fn answer_at(&self, subject: &Subject<'_>, values: &[usize]) -> usize {
        // Plain truth does not run out.
        let answers = self.answers(&mut At(values), subject).unwrap_or_default();
        answers.iter().position(|&given| given).unwrap_or(0)
    }

    /// The answers at the points that differ from `row` in one feature, which has another value; none if there are several
    /// circuits.
    pub(super) fn answers_after(
        &self,
        subject: &Subject<'_>,
        row: &[usize],
        changes: &[(usize, usize)],
    ) -> Option<Vec<usize>> {
        let [part] = subject.parts.as_slice() else { return None };
        let positive = match subject.decision {
            Decision::Bit => 1,
            Decision::Class(model) => model.positive()?,
        };
        let inputs: Vec<Option<&Read>> =
            (0..subject.inputs()).map(|input| self.space.read(self.subject, input)).collect();
        let mut answers = Vec::with_capacity(changes.len());
        for changes in changes.chunks(AT_ONCE) {
            let words = bits::words(changes.len());
            let mut columns: Vec<Vec<u64>> = Vec::with_capacity(inputs.len());
            for read in &inputs {
                // Inputs that no gate reads need no column.
                let Some(read) = read else {
                    columns.push(Vec::new());
                    continue;
                };
                let now = read.passes[row[read.feature]];
                let mut column = vec![if now { u64::MAX } else { 0 }; words];
                for (at, &(feature, value)) in changes.iter().enumerate() {
                    if feature == read.feature && read.passes[value] != now {
                        column[at / 64] ^= 1 << (at % 64);
                    }
                }
                columns.push(column);
            }
            let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            let values = part.circuit.evaluate(&columns, words).swap_remove(0);
            answers.extend(
                (0..changes.len()).map(|at| if bits::get(&values, at) { positive } else { 1 - positive }),
            );
        }
        Some(answers)
    }
}

impl Formulas<'_> {
    /// Where each class is the first of those with the greatest probability, as [`crate::model::Model::predict`] has it.
    fn greatest<L: Logic>(
        &self,
        logic: &mut L,
        (parts, model): (&[Part<'_>], &Model),
        circuits: &[Built<L::Bit>],
    ) -> Result<Vec<L::Bit>, Stopped> {
        let mut ladders = Vec::new();
        for ((class, built), part) in model.circuits().iter().zip(circuits).zip(parts) {
            let keys = part.keys;
            let (by_answer, by_pattern) = class.cells().by_cell(&keys);
            let places = if by_pattern.is_empty() { Vec::new() } else { self.places(logic, keys, built)? };
            ladders.push(Ladder::new(logic, by_answer, &by_pattern, &places, built.answer)?);
        }
        wins(logic, &ladders)
    }

    /// For each place of a pattern, where it has each number.
    fn places<L: Logic>(
        &self,
        logic: &mut L,
        keys: Keys<'_>,
        built: &Built<L::Bit>,
    ) -> Result<Vec<Vec<L::Bit>>, Stopped> {
        match keys {
            Keys::Stages(stages) => stages.iter().map(|stage| self.firsts(logic, stage)).collect(),
            Keys::Count(_, gate, _) => {
                let mut counted = self.counted(logic, gate, &built.gates)?;
                let counts = (0..=gate.most()).map(|count| counted.within(logic, (count, count)));
                Ok(vec![counts.collect::<Result<_, _>>()?])
            }
            Keys::Nothing => Ok(Vec::new()),
        }
    }

    /// Where none of a stage's terms holds, and where each is the first that does.
    fn firsts<L: Logic>(&self, logic: &mut L, stage: &Stage) -> Result<Vec<L::Bit>, Stopped> {
        let (terms, sum) = self.stage(logic, stage)?;
        let mut firsts = vec![logic.not(sum)?];
        let mut none_before = logic.constant(true);
        for term in terms {
            firsts.push(logic.and(&[none_before, term])?);
            let not = logic.not(term)?;
            none_before = logic.and(&[none_before, not])?;
        }
        Ok(firsts)
    }
}

/// Where each ladder stands highest; the first of equals wins.
fn wins<L: Logic>(logic: &mut L, ladders: &[Ladder<L::Bit>]) -> Result<Vec<L::Bit>, Stopped> {
    let mut wins = Vec::new();
    for (class, ladder) in ladders.iter().enumerate() {
        let mut ways = Vec::new();
        for (rung, &probability) in ladder.probabilities.iter().enumerate() {
            let mut needed = vec![ladder.at[rung]];
            for (other, rival) in ladders.iter().enumerate().filter(|(other, _)| *other != class) {
                // The first of equals wins.
                let below = |p: &f64| if other < class { *p < probability } else { *p <= probability };
                match rival.probabilities.partition_point(below) {
                    0 => needed.push(logic.constant(false)),
                    rungs => needed.push(rival.up_to[rungs - 1]),
                }
            }
            ways.push(logic.and(&needed)?);
        }
        wins.push(logic.or(&ways)?);
    }
    Ok(wins)
}

/// The probabilities that a circuit can give, in increasing order, and where it gives each.
struct Ladder<B> {
    probabilities: Vec<f64>,
    at: Vec<B>,
    /// Where it gives this one or a lower one.
    up_to: Vec<B>,
}

impl<B: Copy> Ladder<B> {
    fn new<L: Logic<Bit = B>>(
        logic: &mut L,
        by_answer: [f64; 2],
        by_pattern: &[(&[u16], f64)],
        places: &[Vec<B>],
        answer: B,
    ) -> Result<Self, Stopped> {
        let mut cells: Vec<(f64, B)> = Vec::new();
        for &(pattern, probability) in by_pattern {
            let place = |(bits, &number): (&Vec<B>, &u16)| bits.get(usize::from(number)).copied();
            let parts: Option<Vec<B>> = places.iter().zip(pattern).map(place).collect();
            if let Some(parts) = parts {
                cells.push((probability, logic.and(&parts)?));
            }
        }
        let known: Vec<B> = cells.iter().map(|&(_, bit)| bit).collect();
        let known = logic.or(&known)?;
        let unknown = logic.not(known)?;
        let zero = logic.not(answer)?;
        cells.push((by_answer[0], logic.and(&[unknown, zero])?));
        cells.push((by_answer[1], logic.and(&[unknown, answer])?));
        cells.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut ladder = Self { probabilities: Vec::new(), at: Vec::new(), up_to: Vec::new() };
        for same in cells.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            let bits: Vec<B> = same.iter().map(|&(_, bit)| bit).collect();
            let at = logic.or(&bits)?;
            let up_to = match ladder.up_to.last() {
                Some(&below) => logic.or(&[below, at])?,
                None => at,
            };
            ladder.probabilities.push(same[0].0);
            ladder.at.push(at);
            ladder.up_to.push(up_to);
        }
        Ok(ladder)
    }
}
