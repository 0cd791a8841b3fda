//! The shortest form of one gate: points put together source by source, and the simplest rule for what they can add up to.

use crate::circuit::{Gate, Literal, Rule, Source};
use std::collections::BTreeMap;

/// What a gate has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Now {
    Constant(bool),
    Literal(Source, bool),
}

/// What a literal has become.
pub(super) fn through(literal: Literal, now: &[Now]) -> Now {
    match literal.source {
        Source::Input(_) => Now::Literal(literal.source, literal.positive),
        Source::Gate(gate) => match now[gate] {
            Now::Constant(value) => Now::Constant(value == literal.positive),
            Now::Literal(source, positive) => Now::Literal(source, positive == literal.positive),
        },
    }
}

/// A gate on its way to its shortest form: points by literal, and points that always count.
pub(super) struct Form {
    rule: Rule,
    /// Of each source, the points where it is 0 and where it is 1.
    points: BTreeMap<Source, [u64; 2]>,
    /// The sources in the order in which they were read, which people know.
    order: Vec<Source>,
    always: u64,
    /// All points, as the rule sees them.
    most: u64,
}

impl Form {
    pub(super) fn new(gate: &Gate, now: &[Now]) -> Self {
        let mut form = Self {
            rule: gate.rule.clone(),
            points: BTreeMap::new(),
            order: Vec::new(),
            always: 0,
            most: gate.most(),
        };
        for &literal in &gate.literals {
            let weight = u64::from(literal.weight);
            match through(literal, now) {
                Now::Constant(value) => form.always += if value { weight } else { 0 },
                Now::Literal(source, positive) => {
                    let points = form.points.entry(source).or_insert_with(|| {
                        form.order.push(source);
                        [0, 0]
                    });
                    points[usize::from(positive)] += weight;
                }
            }
        }
        for points in form.points.values_mut() {
            let both = points[0].min(points[1]);
            form.always += both;
            *points = points.map(|points| points - both);
        }
        form.points.retain(|_, points| *points != [0, 0]);
        form
    }

    /// The gate, or the constant that it is. `positive` is turned where the gate is the negation of what is wanted.
    pub(super) fn finish(self, positive: &mut bool) -> Result<bool, Gate> {
        let Self { rule, points, order, always, most } = self;
        let literal =
            |&source: &Source| points.get(&source).map(|&[zero, one]| (source, one > 0, zero.max(one)));
        let all: Vec<(Source, bool, u64)> = order.iter().filter_map(literal).collect();
        if rule == Rule::Sum {
            return Err(sum(&all, always));
        }
        if rule == Rule::Xor {
            // Points are single, so what is left of a source after pairs have gone is a parity.
            let odd: Vec<&(Source, bool, u64)> =
                all.iter().filter(|(_, _, weight)| weight % 2 == 1).collect();
            let negated = odd.iter().filter(|(_, positive, _)| !positive).count() as u64;
            *positive = (always + negated).is_multiple_of(2);
            let literals: Vec<Literal> =
                odd.iter().map(|&&(source, ..)| Literal { source, positive: true, weight: 1 }).collect();
            return if literals.is_empty() { Ok(false) } else { Err(Gate::new(Rule::Xor, literals)) };
        }
        // What is left counts from `always` to `top`, and no count in between is certain to be possible.
        let left: u64 = all.iter().map(|(_, _, weight)| weight).sum();
        let ranges: Vec<(u64, u64)> = match &rule {
            Rule::And => vec![(most, most)],
            Rule::Or => vec![(1, u64::MAX)],
            Rule::AtLeast(least) => vec![(*least, u64::MAX)],
            Rule::Counts(ranges) => ranges.clone(),
            Rule::Xor | Rule::Sum => Vec::new(),
        };
        let shift = |&(from, to): &(u64, u64)| {
            (to >= always)
                .then(|| (from.saturating_sub(always), (to - always).min(left)))
                .filter(|(from, to)| from <= to)
        };
        let factor = all.iter().fold(0, |factor, &(_, _, weight)| gcd(factor, weight)).max(1);
        // Only multiples of the common factor occur.
        let divide = |(from, to): (u64, u64)| (from.div_ceil(factor), to / factor);
        let mut ranges: Vec<(u64, u64)> =
            ranges.iter().filter_map(shift).map(divide).filter(|(from, to)| from <= to).collect();
        let joined = ranges.len();
        for at in (1..joined).rev() {
            if ranges[at - 1].1 + 1 == ranges[at].0 {
                ranges[at - 1].1 = ranges[at].1;
                ranges.remove(at);
            }
        }
        let top = left / factor;
        let literals = |weighted: bool| -> Vec<Literal> {
            let literal = |&(source, positive, weight): &(Source, bool, u64)| Literal {
                source,
                positive,
                weight: if weighted { (weight / factor) as u32 } else { 1 },
            };
            all.iter().map(literal).collect()
        };
        let single = top == all.len() as u64;
        Err(match ranges.as_slice() {
            [] => return Ok(false),
            &[(0, to)] if to == top => return Ok(true),
            &[(from, to)] if to == top && from == top => Gate::new(Rule::And, literals(false)),
            &[(1, to)] if to == top => Gate::new(Rule::Or, literals(false)),
            &[(0, 0)] => {
                *positive = false;
                Gate::new(Rule::Or, literals(false))
            }
            &[(from, to)] if to == top => Gate::new(Rule::AtLeast(from), literals(true)),
            ranges if single && parity(ranges, top) => {
                let literals = literals(false);
                *positive = literals.iter().filter(|literal| !literal.positive).count() % 2
                    == usize::from(ranges[0].0 == 0);
                Gate::new(
                    Rule::Xor,
                    literals.into_iter().map(|literal| Literal { positive: true, ..literal }).collect(),
                )
            }
            ranges => Gate::new(Rule::Counts(ranges.to_vec()), literals(true)),
        })
    }
}

/// A sum keeps what always counts as literals of nothing: there is no other way to write a constant.
fn sum(all: &[(Source, bool, u64)], always: u64) -> Gate {
    let weighted = |&(source, positive, weight): &(Source, bool, u64)| {
        let most = u64::from(Literal::MOST);
        let pieces = (0..weight.div_ceil(most)).map(move |piece| (weight - piece * most).min(most));
        pieces.map(move |weight| Literal { source, positive, weight: weight as u32 })
    };
    let both = [(Source::Input(0), true, always), (Source::Input(0), false, always)];
    let always = if always > 0 { &both[..] } else { &[] };
    Gate::new(Rule::Sum, all.iter().chain(always).flat_map(weighted).collect())
}

/// Every second count, up to `top`: an XOR, or its negation where it begins with 0.
fn parity(ranges: &[(u64, u64)], top: u64) -> bool {
    let first = ranges[0].0;
    first <= 1
        && ranges.iter().zip((first..).step_by(2)).all(|(&(from, to), count)| from == count && to == count)
        && ranges.last().is_some_and(|&(_, to)| to + 2 > top)
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
