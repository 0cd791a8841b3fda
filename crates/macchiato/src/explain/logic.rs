//! Circuits and classes as formulas over the features, written once for whatever evaluates them: clauses for the solver
//! ([`super::sat`]), decision diagrams ([`super::diagram`]), or plain truth at one point ([`At`]).

use super::space::{Read, Space};
use super::subject::{Decision, Subject};
use crate::bits;
use crate::classifier::Classifier;
use crate::stage::{Signed, Stage};
use crate::staged::Staged;

/// A set of values for each of some features.
pub(super) type Boxes = Vec<(usize, Vec<bool>)>;

/// The limits were reached before the formula was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// What formulas are made of.
pub(super) trait Logic {
    /// A formula.
    type Bit: Copy;

    fn constant(&mut self, value: bool) -> Self::Bit;
    /// Whether the value of a feature is one of these.
    fn within(&mut self, feature: usize, values: &[bool]) -> Result<Self::Bit, Stopped>;
    fn not(&mut self, bit: Self::Bit) -> Result<Self::Bit, Stopped>;
    fn and(&mut self, bits: &[Self::Bit]) -> Result<Self::Bit, Stopped>;
    fn or(&mut self, bits: &[Self::Bit]) -> Result<Self::Bit, Stopped>;
    fn xor(&mut self, a: Self::Bit, b: Self::Bit) -> Result<Self::Bit, Stopped>;
}

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

/// A circuit with the formulas of its parts.
pub(super) struct Built<B> {
    pub(super) terms: Vec<Vec<B>>,
    pub(super) stages: Vec<B>,
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

    pub(super) fn circuit<L: Logic>(
        &self,
        logic: &mut L,
        circuit: &Staged,
    ) -> Result<Built<L::Bit>, Stopped> {
        let (mut terms, mut stages) = (Vec::new(), Vec::new());
        let mut answer = logic.constant(false);
        for stage in &circuit.stages {
            let (products, sum) = self.stage(logic, stage)?;
            answer = logic.xor(answer, sum)?;
            terms.push(products);
            stages.push(sum);
        }
        Ok(Built { terms, stages, answer })
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
            Decision::Class(classifier) => (classifier.positive(), classifier.classes().len()),
        };
        match (positive, subject.decision, built.as_slice()) {
            (Some(positive), _, [one]) => {
                let not = logic.not(one.answer)?;
                Ok(if positive == 1 { vec![not, one.answer] } else { vec![one.answer, not] })
            }
            (_, Decision::Class(classifier), [_, ..]) => greatest(logic, classifier, &built),
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
            Decision::Class(classifier) => classifier.positive()?,
        };
        let inputs: Vec<Option<&Read>> =
            (0..subject.inputs()).map(|input| self.space.read(self.subject, input)).collect();
        let mut answers = Vec::with_capacity(changes.len());
        for changes in changes.chunks(AT_ONCE) {
            let words = bits::words(changes.len());
            let mut columns: Vec<Vec<u64>> = Vec::with_capacity(inputs.len());
            for read in &inputs {
                // Inputs that no stage reads need no column.
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
            let values = part.circuit.evaluate(&columns, words);
            answers.extend(
                (0..changes.len()).map(|at| if bits::get(&values, at) { positive } else { 1 - positive }),
            );
        }
        Some(answers)
    }
}

/// Where each class is the first of those with the greatest probability, as [`Classifier::predict`] has it.
fn greatest<L: Logic>(
    logic: &mut L,
    classifier: &Classifier,
    circuits: &[Built<L::Bit>],
) -> Result<Vec<L::Bit>, Stopped> {
    let mut ladders = Vec::new();
    for (cells, built) in classifier.cells().iter().zip(circuits) {
        let (by_answer, by_pattern) = cells.by_cell();
        ladders.push(Ladder::new(logic, by_answer, &by_pattern, built)?);
    }
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
        built: &Built<B>,
    ) -> Result<Self, Stopped> {
        let mut cells: Vec<(f64, B)> = Vec::new();
        let firsts = if by_pattern.is_empty() { Vec::new() } else { firsts(logic, built)? };
        for &(pattern, probability) in by_pattern {
            let place = |(firsts, &first): (&Vec<B>, &u16)| firsts.get(usize::from(first)).copied();
            let parts: Option<Vec<B>> = firsts.iter().zip(pattern).map(place).collect();
            if let Some(parts) = parts {
                cells.push((probability, logic.and(&parts)?));
            }
        }
        let known: Vec<B> = cells.iter().map(|&(_, bit)| bit).collect();
        let known = logic.or(&known)?;
        let unknown = logic.not(known)?;
        let zero = logic.not(built.answer)?;
        cells.push((by_answer[0], logic.and(&[unknown, zero])?));
        cells.push((by_answer[1], logic.and(&[unknown, built.answer])?));
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

/// For each stage, where none of its terms holds, and where each is the first that does.
fn firsts<L: Logic>(logic: &mut L, built: &Built<L::Bit>) -> Result<Vec<Vec<L::Bit>>, Stopped> {
    let mut all = Vec::new();
    for (terms, &sum) in built.terms.iter().zip(&built.stages) {
        let mut firsts = vec![logic.not(sum)?];
        let mut none_before = logic.constant(true);
        for &term in terms {
            firsts.push(logic.and(&[none_before, term])?);
            let not = logic.not(term)?;
            none_before = logic.and(&[none_before, not])?;
        }
        all.push(firsts);
    }
    Ok(all)
}
