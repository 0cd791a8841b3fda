//! Gates multiplied out again: the check that the factored form is the cover's, from the gates alone.
//!
//! Extraction and division are algebraic, so multiplying out gives the cover's own terms back, and not many more.

use super::{Factored, Operation, Origin, Wire};
use crate::cover::Cover;
use crate::cube::{Literal, Shape};
use std::collections::BTreeSet;

/// Products over all gates past which multiplying out is given up: ten times what the largest classical file takes.
const MOST_PRODUCTS: usize = 5_000_000;

/// The cover that the gates say; `None` if it has too many products.
pub(super) fn flatten(factored: &Factored, shape: Shape) -> Option<Cover> {
    let mut flat = Flat { factored, shape, known: vec![[None, None]; factored.gates.len()], made: 0 };
    let mut all = Cover::new(shape);
    for (output, &wire) in factored.outputs.iter().enumerate() {
        for mut cube in flat.wire(wire)? {
            shape.output_part_mut(&mut cube).fill(0);
            shape.set_output(&mut cube, output, true);
            all.push_words(&cube);
        }
    }
    Some(all)
}

type Sum = Vec<Vec<u64>>;

struct Flat<'a> {
    factored: &'a Factored,
    shape: Shape,
    /// For each gate its negation and itself, where they were asked for.
    known: Vec<[Option<Sum>; 2]>,
    made: usize,
}

impl Flat<'_> {
    fn wire(&mut self, wire: Wire) -> Option<Sum> {
        let gate = match wire.origin {
            Origin::Input(input) => {
                let mut cube = self.shape.universe();
                let literal = if wire.positive { Literal::Positive } else { Literal::Negative };
                self.shape.set_literal(&mut cube, input, literal);
                return Some(vec![cube]);
            }
            Origin::Gate(gate) => gate,
        };
        if let Some(sum) = &self.known[gate][usize::from(wire.positive)] {
            return Some(sum.clone());
        }
        let sum = match self.choice(gate).filter(|_| !wire.positive) {
            Some([(x, p), (y, q)]) => {
                // The negation of `x p + !x q` is `x !p + !x !q`: De Morgan's rule would add `!p !q`.
                let mut sum = Vec::new();
                for (x, rest) in [(x, p), (y, q)] {
                    let x = self.wire(x)?;
                    let mut negation = Vec::new();
                    for wire in rest {
                        negation.extend(self.wire(!wire)?);
                    }
                    sum.extend(self.multiplied(&x, &negation)?);
                }
                sum
            }
            None => self.plain(gate, wire.positive)?,
        };
        let sum: Sum = sum.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        self.made += sum.len();
        if self.made > MOST_PRODUCTS {
            return None;
        }
        self.known[gate][usize::from(wire.positive)] = Some(sum.clone());
        Some(sum)
    }

    /// The gate, or its negation by De Morgan's rule.
    fn plain(&mut self, gate: usize, positive: bool) -> Option<Sum> {
        let gate = &self.factored.gates[gate];
        let and = (gate.operation == Operation::And) == positive;
        let mut sum = if and { vec![self.shape.universe()] } else { Vec::new() };
        for &wire in &gate.wires {
            let part = self.wire(if positive { wire } else { !wire })?;
            if and {
                sum = self.multiplied(&sum, &part)?;
            } else {
                sum.extend(part);
            }
        }
        Some(sum)
    }

    /// The two ways of a gate `x p + !x q`, each with its choosing wire.
    fn choice(&self, gate: usize) -> Option<[(Wire, Vec<Wire>); 2]> {
        let gates = &self.factored.gates;
        let product = |wire: &Wire| match wire.origin {
            Origin::Gate(at) if wire.positive && gates[at].operation == Operation::And => {
                Some(&gates[at].wires)
            }
            _ => None,
        };
        let [a, b] = &gates[gate].wires[..] else { return None };
        if gates[gate].operation != Operation::Or {
            return None;
        }
        let (a, b) = (product(a)?, product(b)?);
        let &x = a.iter().find(|&&x| b.contains(&!x))?;
        let rest = |wires: &[Wire], x: Wire| wires.iter().copied().filter(|&wire| wire != x).collect();
        Some([(x, rest(a, x)), (!x, rest(b, !x))])
    }

    /// All products of both that are not 0.
    fn multiplied(&mut self, a: &Sum, b: &Sum) -> Option<Sum> {
        self.made += a.len() * b.len();
        if self.made > MOST_PRODUCTS {
            return None;
        }
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
        let both = pairs.filter(|(a, b)| self.shape.meet(a, b));
        Some(both.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a & b).collect()).collect())
    }
}

impl std::ops::Not for Wire {
    type Output = Self;

    fn not(self) -> Self {
        Self { positive: !self.positive, ..self }
    }
}
