//! The shortest gate for what a gate answers now: its old rule with fewer literals where that is it, else a product, a sum, a parity or a
//! count of its literals, else a sum of products.
//!
//! Takes the gate as it was and its answers by the values of what it reads, with gaps where no input gives these values. Signals that do not
//! matter are left out first, in their order. Costs 2^r for each of r signals, and a minimization where nothing shorter fits.

use macchiato_check::certificate::{Gate, Kind, Operand, Rule, Source};
use macchiato_minimize::{Literal, Options, Table, minimize_table};

/// A gate over the signals that it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// A count of literals.
    Rule(Rule, Vec<Operand>),
    /// An OR of at least two products.
    Terms(Vec<Vec<Operand>>),
}

impl Shape {
    fn constant(value: bool) -> Self {
        Self::Rule(if value { Rule::And } else { Rule::Or }, Vec::new())
    }

    /// The gate that gives these answers; bit i of a place is signal i.
    pub(super) fn of_table(gate: &Gate, sources: &[Source], answers: &[Option<bool>]) -> Self {
        // The smallest change that explains all answers, before signals are left out that some other circuit would not need either.
        if let Some(shape) = (Answers { sources, answers }).nearest(gate) {
            return shape;
        }
        let (sources, answers) = needed(sources, answers);
        if sources.is_empty() {
            return Self::constant(answers.first().copied().flatten().unwrap_or(false));
        }
        let table = Answers { sources: &sources, answers: &answers };
        let kept: Vec<Operand> =
            gate.operands.iter().filter(|operand| sources.contains(&operand.source)).copied().collect();
        any_length(gate)
            .filter(|rule| table.is(rule, &kept))
            .map(|rule| Self::Rule(rule, kept.clone()))
            .or_else(|| table.threshold(gate, &kept))
            .or_else(|| table.product(true))
            .or_else(|| table.product(false))
            .or_else(|| table.parity())
            .or_else(|| table.count(&kept))
            .unwrap_or_else(|| table.terms())
    }

    /// The gate that gives these answers to the counts 0, 1, ... of the literals that it always had.
    pub(super) fn of_counts(gate: &Gate, answers: &[Option<bool>]) -> Self {
        counted(gate.operands.clone(), answers)
    }
}

/// The gate's rule, where it means the same of fewer literals.
fn any_length(gate: &Gate) -> Option<Rule> {
    match &gate.kind {
        Kind::Rule(rule @ (Rule::And | Rule::Or | Rule::Xor)) => Some(rule.clone()),
        Kind::Fold => Some(Rule::Xor),
        Kind::Relay => Some(Rule::And),
        _ => None,
    }
}

/// The signals that matter, and the answers by their values alone.
fn needed(sources: &[Source], answers: &[Option<bool>]) -> (Vec<Source>, Vec<Option<bool>>) {
    let (mut sources, mut answers) = (sources.to_vec(), answers.to_vec());
    let mut at = 0;
    while at < sources.len() {
        let bit = 1usize << at;
        let low = |place: usize| (place & (bit - 1)) | (place & !(bit - 1)) << 1;
        let half = answers.len() / 2;
        let clash = |place: usize| matches!((answers[low(place)], answers[low(place) | bit]), (Some(a), Some(b)) if a != b);
        if (0..half).any(clash) {
            at += 1;
            continue;
        }
        answers = (0..half).map(|place| answers[low(place)].or(answers[low(place) | bit])).collect();
        sources.remove(at);
    }
    (sources, answers)
}

struct Answers<'a> {
    sources: &'a [Source],
    answers: &'a [Option<bool>],
}

impl Answers<'_> {
    fn literal(&self, at: usize, positive: bool) -> Operand {
        Operand { source: self.sources[at], positive, weight: 1 }
    }

    /// A constant, or the gate with one literal less or one turned around, or with another count.
    fn nearest(&self, gate: &Gate) -> Option<Shape> {
        for value in [false, true] {
            if self.answers.iter().all(|answer| answer.is_none_or(|answer| answer == value)) {
                return Some(Shape::constant(value));
            }
        }
        let rule = any_length(gate);
        for at in 0..gate.operands.len() {
            let Some(rule) = &rule else { break };
            let mut fewer = gate.operands.clone();
            fewer.remove(at);
            if self.is(rule, &fewer) {
                return Some(Shape::Rule(rule.clone(), fewer));
            }
            let mut turned = gate.operands.clone();
            turned[at].positive ^= true;
            if self.is(rule, &turned) {
                return Some(Shape::Rule(rule.clone(), turned));
            }
        }
        self.threshold(gate, &gate.operands)
    }

    /// The count of literals at a place.
    fn points(&self, place: usize, literals: &[Operand]) -> u64 {
        let value = |operand: &Operand| {
            let at = self.sources.iter().position(|source| *source == operand.source);
            at.is_some_and(|at| place >> at & 1 == 1) == operand.positive
        };
        literals.iter().filter(|operand| value(operand)).map(|operand| operand.weight).sum()
    }

    /// Whether a rule over these literals gives all answers.
    fn is(&self, rule: &Rule, literals: &[Operand]) -> bool {
        let whole = literals.iter().map(|operand| operand.weight).sum();
        let right = |(place, answer): (usize, &Option<bool>)| {
            answer.is_none_or(|answer| (rule.value(self.points(place, literals), whole) == 1) == answer)
        };
        self.answers.iter().enumerate().all(right)
    }

    /// The literals' product (or their sum): one cube holds all that is 1 (or 0) and nothing else.
    fn product(&self, one: bool) -> Option<Shape> {
        let inside = || {
            let own = |(place, answer): (usize, &Option<bool>)| (*answer == Some(one)).then_some(place);
            self.answers.iter().enumerate().filter_map(own)
        };
        let mut literals = Vec::new();
        for at in 0..self.sources.len() {
            let (mut zero, mut ones) = (false, false);
            for place in inside() {
                if place >> at & 1 == 1 { ones = true } else { zero = true }
            }
            if ones != zero {
                // A sum is 0 where all its literals are.
                literals.push(self.literal(at, ones == one));
            }
        }
        let rule = if one { Rule::And } else { Rule::Or };
        self.is(&rule, &literals).then_some(Shape::Rule(rule, literals))
    }

    fn parity(&self) -> Option<Shape> {
        let mut literals: Vec<Operand> = (0..self.sources.len()).map(|at| self.literal(at, true)).collect();
        for _ in 0..2 {
            if self.is(&Rule::Xor, &literals) {
                return Some(Shape::Rule(Rule::Xor, literals));
            }
            literals[0].positive = false;
        }
        None
    }

    /// What was a count is looked at as one first: another number of the same literals is the smallest change.
    fn threshold(&self, gate: &Gate, kept: &[Operand]) -> Option<Shape> {
        let counts = matches!(gate.kind, Kind::Rule(Rule::Least(_) | Rule::Counts(_)));
        self.count(kept).filter(|_| counts && kept.len() > 1)
    }

    /// A count of these literals, if the answers depend on nothing else.
    fn count(&self, literals: &[Operand]) -> Option<Shape> {
        let whole: u64 = literals.iter().map(|operand| operand.weight).sum();
        let mut by_count = vec![None; usize::try_from(whole).ok()? + 1];
        for (place, answer) in self.answers.iter().enumerate() {
            let Some(answer) = *answer else { continue };
            let known = &mut by_count[self.points(place, literals) as usize];
            if known.is_some_and(|known| known != answer) {
                return None;
            }
            *known = Some(answer);
        }
        Some(counted(literals.to_vec(), &by_count))
    }

    /// The smallest sum of products.
    fn terms(&self) -> Shape {
        let table = Table::from_fn(self.sources.len(), |place| self.answers[place]);
        let cover = table.and_then(|table| minimize_table(&table, &Options::default()));
        // A table of at most 16 signals has a cover.
        let Ok(cover) = cover.map(|found| found.cover) else { return Shape::constant(false) };
        let term = |term: usize| {
            let literal = |at: usize| match cover.literal(term, at) {
                Literal::Positive => Some(self.literal(at, true)),
                Literal::Negative => Some(self.literal(at, false)),
                Literal::Free => None,
            };
            (0..self.sources.len()).filter_map(literal).collect::<Vec<_>>()
        };
        Shape::Terms((0..cover.terms()).map(term).collect())
    }
}

/// The rule for these answers to the counts 0, 1, ...; a gap is as the count before it.
fn counted(literals: Vec<Operand>, answers: &[Option<bool>]) -> Shape {
    let (mut ranges, mut last): (Vec<(u64, u64)>, _) = (Vec::new(), None);
    let first = answers.iter().copied().flatten().next().unwrap_or(false);
    for (count, answer) in answers.iter().enumerate() {
        let (count, holds) = (count as u64, answer.or(last).unwrap_or(first));
        match ranges.last_mut() {
            Some(range) if holds && last == Some(true) => range.1 = count,
            _ if holds => ranges.push((count, count)),
            _ => {}
        }
        last = Some(holds);
    }
    let whole = answers.len().saturating_sub(1) as u64;
    match ranges.as_slice() {
        [] => Shape::constant(false),
        &[(0, to)] if to == whole => Shape::constant(true),
        &[(from, to)] if to == whole && from == whole => Shape::Rule(Rule::And, literals),
        &[(1, to)] if to == whole => Shape::Rule(Rule::Or, literals),
        &[(from, to)] if to == whole => Shape::Rule(Rule::Least(from), literals),
        _ => Shape::Rule(Rule::Counts(ranges), literals),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(kind: Kind, operands: Vec<Operand>) -> Gate {
        Gate { line: 1, kind, operands, layer: 1, base: 0, neurons: Vec::new() }
    }

    fn literals(signs: &[bool]) -> Vec<Operand> {
        let literal =
            |(at, &positive): (usize, &bool)| Operand { source: Source::Input(at), positive, weight: 1 };
        signs.iter().enumerate().map(literal).collect()
    }

    fn shape(rule: Rule, signs: &[bool], answers: impl Fn(usize) -> Option<bool>) -> Shape {
        let operands = literals(signs);
        let sources: Vec<Source> = operands.iter().map(|operand| operand.source).collect();
        let answers: Vec<Option<bool>> = (0..1 << signs.len()).map(answers).collect();
        Shape::of_table(&gate(Kind::Rule(rule), operands), &sources, &answers)
    }

    #[test]
    fn what_is_left_of_a_gate() {
        // a and not c, of a and b and not c.
        let lost = shape(Rule::And, &[true, true, false], |x| Some(x & 1 == 1 && x & 4 == 0));
        let [a, _, c] = [0, 1, 2].map(|at| literals(&[true, true, false])[at]);
        assert_eq!(lost, Shape::Rule(Rule::And, vec![a, c]));
        assert_eq!(shape(Rule::And, &[true, true], |_| Some(true)), Shape::Rule(Rule::And, Vec::new()));
        assert_eq!(shape(Rule::Or, &[true, true], |_| None), Shape::Rule(Rule::Or, Vec::new()));
        let flipped = shape(Rule::And, &[true, true], |x| Some(x == 1));
        assert_eq!(flipped, Shape::Rule(Rule::And, literals(&[true, false])));
    }

    #[test]
    fn other_counts() {
        let least =
            shape(Rule::Least(3), &[true, false, true, true], |x| Some((x ^ 2usize).count_ones() >= 2));
        assert_eq!(least, Shape::Rule(Rule::Least(2), literals(&[true, false, true, true])));
        let two = shape(Rule::And, &[true; 3], |x| Some(x.count_ones() >= 2));
        assert_eq!(two, Shape::Rule(Rule::Least(2), literals(&[true; 3])));
        let odd = shape(Rule::Or, &[true; 3], |x| Some(x.count_ones() % 2 == 0));
        assert_eq!(odd, Shape::Rule(Rule::Xor, literals(&[false, true, true])));
    }

    #[test]
    fn gaps_are_free() {
        // Both at once never happens: an OR that gave 0 there is still an OR.
        let or = shape(Rule::Or, &[true, true], |x| (x != 3).then_some(x != 0));
        assert_eq!(or, Shape::Rule(Rule::Or, literals(&[true, true])));
        let multiplexer =
            shape(Rule::And, &[true; 3], |x| Some(if x & 1 == 1 { x & 2 != 0 } else { x & 4 != 0 }));
        assert!(matches!(multiplexer, Shape::Terms(terms) if terms.len() == 2));
    }
}
