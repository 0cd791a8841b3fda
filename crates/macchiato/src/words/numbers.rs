//! Carries and comparisons in words: gates that each outvote two of three, from the lowest bits of two numbers up.
//!
//! With the carry c into the lowest place, the last of them is the carry of A + B + c. Where the bits of B are negated that is `A > B`, or `A >= B` if c is 1; and
//! where the signs of the highest bits are the other way round, the numbers are signed.

use crate::circuit::{Circuit, Gate, Literal, Rule, Source};
use crate::stage::Signed;

/// Places from which on a number is said as one: two are said as they are.
const FEWEST: usize = 3;

/// Two numbers that are added up: their bits with signs, the lowest first, and whether 1 is carried in.
#[derive(Debug, Clone)]
pub(super) struct Carry {
    places: Vec<[Signed; 2]>,
    carried: bool,
}

/// Of each gate the sum that it is the carry of, where it is one.
pub(super) fn carries(circuit: &Circuit) -> Vec<Option<Carry>> {
    let mut found: Vec<Option<Carry>> = Vec::new();
    for gate in circuit.gates() {
        found.push(carry(gate, &found));
    }
    found
}

fn carry(gate: &Gate, known: &[Option<Carry>]) -> Option<Carry> {
    if gate.literals.iter().any(|literal| literal.weight != 1) {
        return None;
    }
    let mut inputs: Vec<Signed> = gate.literals.iter().filter_map(input).collect();
    // The number of the earlier input comes first.
    inputs.sort_unstable();
    let &[a, b] = inputs.as_slice() else { return None };
    match (&gate.rule, gate.literals.len()) {
        (Rule::And, 2) => Some(Carry { places: vec![[a, b]], carried: false }),
        (Rule::Or, 2) => Some(Carry { places: vec![[a, b]], carried: true }),
        (Rule::AtLeast(2), 3) => {
            let below = gate.literals.iter().find_map(|literal| match literal.source {
                Source::Gate(gate) if literal.positive => known[gate].as_ref(),
                _ => None,
            })?;
            let mut carry = below.clone();
            carry.places.push([a, b]);
            Some(carry)
        }
        _ => None,
    }
}

const fn input(literal: &Literal) -> Option<Signed> {
    match literal.source {
        Source::Input(input) => Some((input, literal.positive)),
        Source::Gate(_) => None,
    }
}

impl Carry {
    /// In words, where the signs make it a sum or a comparison; `name` is what an input is called.
    pub(super) fn text(&self, name: impl Fn(usize) -> String) -> Option<String> {
        let (last, lower) = self.places.split_last()?;
        if self.places.len() < FEWEST {
            return None;
        }
        let sign = |place: &[Signed; 2]| place.map(|bit| bit.1);
        let signs = sign(&lower[0]);
        if lower.iter().any(|place| sign(place) != signs) {
            return None;
        }
        let word =
            |which: usize| number(&self.places.iter().map(|place| name(place[which].0)).collect::<Vec<_>>());
        let (a, b) = (word(0), word(1));
        let signed = match signs {
            _ if sign(last) == signs => "",
            [a, b] if a != b && sign(last) == [b, a] => " as signed numbers",
            _ => return None,
        };
        Some(match (signs, self.carried) {
            ([true, true], false) => format!("carry of {a} + {b}"),
            ([true, true], true) => format!("carry of {a} + {b} + 1"),
            ([true, false], false) => format!("{a} > {b}{signed}"),
            ([true, false], true) => format!("{a} >= {b}{signed}"),
            ([false, true], false) => format!("{a} < {b}{signed}"),
            ([false, true], true) => format!("{a} <= {b}{signed}"),
            // The negated numbers carry where the numbers do not.
            ([false, false], false) => format!("no carry of {a} + {b} + 1"),
            ([false, false], true) => format!("no carry of {a} + {b}"),
        })
    }
}

/// Bits as a number, the highest first: `a8..a1` where the names count, otherwise one by one.
fn number(names: &[String]) -> String {
    let split = |name: &String| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        name[stem.len()..].parse::<u32>().ok().map(|at| (stem, at))
    };
    let parts: Option<Vec<(String, u32)>> = names.iter().map(split).collect();
    let counts = parts.is_some_and(|parts| {
        parts.windows(2).all(|two| two[0].0 == two[1].0 && two[0].1.abs_diff(two[1].1) == 1)
            && parts.windows(3).all(|three| three[0].1 != three[2].1)
    });
    match names {
        [low, .., high] if counts => format!("{high}..{low}"),
        _ => format!("({})", names.iter().rev().map(String::as_str).collect::<Vec<_>>().join(" ")),
    }
}
