//! An AND-inverter graph: two-input ANDs over literals, each of which may be inverted at no cost.
//!
//! A literal is twice its variable, plus 1 where inverted; variable 0 is constant 0, then come the inputs, then the
//! ANDs, each after what it reads. No two ANDs read the same literals (structural hashing), none reads a constant or
//! one variable twice. Sums and products are trees that join the shallowest parts first, so their depth is the least
//! that two-input gates allow. Time and memory are linear in the circuit's literals, up to a logarithm.

use super::adders::{self, Logic};
use super::formula::{Formula, Place, parity};
use crate::circuit::{self, Gate, Rule, Source};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A variable and whether it is inverted, as AIGER numbers them.
pub(super) type Literal = usize;

const FALSE: Literal = 0;
const TRUE: Literal = 1;

/// Outputs over the inputs.
pub(super) struct Aig {
    pub(super) inputs: usize,
    /// The two literals that each AND reads, the greater first.
    pub(super) ands: Vec<[Literal; 2]>,
    /// The outputs, those of a sum bit by bit.
    pub(super) outputs: Vec<Literal>,
    /// The most ANDs on a way to an output.
    pub(super) depth: usize,
}

impl Aig {
    pub(super) fn new(formula: &Formula<'_>) -> Self {
        let mut builder = Builder::new(formula.inputs.len());
        for (gate, place) in formula.gates.iter().zip(&formula.places) {
            let values = if *place == Place::Nowhere { vec![FALSE] } else { builder.gate(gate) };
            builder.gates.push(values);
        }
        let mut outputs = Vec::new();
        for (o, output) in formula.outputs.iter().enumerate() {
            match formula.sum(o) {
                Some(sum) => outputs.extend_from_slice(&builder.gates[sum]),
                None => outputs.push(builder.literal(output.literal)),
            }
        }
        builder.finish(&outputs)
    }
}

struct Builder {
    inputs: usize,
    ands: Vec<[Literal; 2]>,
    /// ANDs on the longest way to each variable.
    levels: Vec<usize>,
    known: HashMap<[Literal; 2], Literal>,
    /// The values of the circuit's gates so far: one, or the bits of a sum.
    gates: Vec<Vec<Literal>>,
}

impl Builder {
    fn new(inputs: usize) -> Self {
        let levels = vec![0; inputs + 1];
        Self { inputs, ands: Vec::new(), levels, known: HashMap::new(), gates: Vec::new() }
    }

    fn gate(&mut self, gate: &Gate) -> Vec<Literal> {
        let literals = |builder: &mut Self, literals: &[circuit::Literal], flip: Literal| {
            literals.iter().map(|&literal| builder.literal(literal) ^ flip).collect::<Vec<_>>()
        };
        let value = match &gate.rule {
            Rule::And => {
                let parts = literals(self, &gate.literals, 0);
                self.tree(parts, TRUE, Self::join)
            }
            // NOT of the AND of the inverted parts.
            Rule::Or => {
                let parts = literals(self, &gate.literals, 1);
                self.tree(parts, TRUE, Self::join) ^ 1
            }
            Rule::Xor => {
                // An inversion commutes with XOR: taking it out lets equal parts meet.
                let (positive, inverted) = parity(&gate.literals);
                let parts = literals(self, &positive, 0);
                let flips = parts.iter().filter(|&&part| part & 1 == 1).count() & 1;
                let parts = parts.into_iter().map(|part| part & !1).collect();
                self.tree(parts, FALSE, Self::xor) ^ flips ^ usize::from(inverted)
            }
            Rule::Sum => return adders::count(self, gate),
            Rule::AtLeast(_) | Rule::Counts(_) => adders::holds(self, gate),
        };
        vec![value]
    }

    fn join(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.max(b), a.min(b));
        match b {
            FALSE => return FALSE,
            TRUE => return a,
            _ if a == b => return a,
            _ if a ^ 1 == b => return FALSE,
            _ => {}
        }
        if let Some(&there) = self.known.get(&[a, b]) {
            return there;
        }
        let literal = 2 * self.levels.len();
        self.levels.push(1 + self.levels[a / 2].max(self.levels[b / 2]));
        self.ands.push([a, b]);
        self.known.insert([a, b], literal);
        literal
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let both = self.join(a, b);
        let neither = self.join(a ^ 1, b ^ 1);
        self.join(both ^ 1, neither ^ 1)
    }

    /// Joins the two shallowest parts until one is left; ties go by literal, so that equal pairs meet in equal order.
    fn tree(
        &mut self,
        parts: Vec<Literal>,
        empty: Literal,
        join: fn(&mut Self, Literal, Literal) -> Literal,
    ) -> Literal {
        let ranked = |builder: &Self, part: Literal| Reverse((builder.levels[part / 2], part));
        let mut heap: BinaryHeap<_> = parts.into_iter().map(|part| ranked(self, part)).collect();
        while let Some(Reverse((_, a))) = heap.pop() {
            let Some(Reverse((_, b))) = heap.pop() else { return a };
            let joined = join(self, a, b);
            heap.push(ranked(self, joined));
        }
        empty
    }

    /// The ANDs that the outputs need, numbered without gaps.
    fn finish(self, outputs: &[Literal]) -> Aig {
        let first = self.inputs + 1;
        let mut needed = vec![false; self.levels.len()];
        for output in outputs {
            needed[output / 2] = true;
        }
        for (at, and) in self.ands.iter().enumerate().rev() {
            if needed[first + at] {
                let [a, b] = and;
                (needed[a / 2], needed[b / 2]) = (true, true);
            }
        }
        let mut renamed: Vec<Literal> = (0..self.levels.len()).map(|variable| 2 * variable).collect();
        let mut ands = Vec::new();
        for (at, and) in self.ands.iter().enumerate().filter(|(at, _)| needed[first + at]) {
            renamed[first + at] = 2 * (first + ands.len());
            let [a, b] = and.map(|literal| renamed[literal / 2] | literal & 1);
            ands.push([a.max(b), a.min(b)]);
        }
        let depth = outputs.iter().map(|output| self.levels[output / 2]).max().unwrap_or(0);
        let outputs = outputs.iter().map(|output| renamed[output / 2] | output & 1).collect();
        Aig { inputs: self.inputs, ands, outputs, depth }
    }
}

impl Logic for Builder {
    type Signal = Literal;

    fn literal(&mut self, literal: circuit::Literal) -> Literal {
        let positive = match literal.source {
            Source::Input(input) => 2 * (input + 1),
            // No gate reads a sum, so there is one value.
            Source::Gate(gate) => self.gates[gate][0],
        };
        positive ^ usize::from(!literal.positive)
    }

    fn constant(&mut self, value: bool) -> Literal {
        usize::from(value)
    }

    fn not(&mut self, a: Literal) -> Literal {
        a ^ 1
    }

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
        self.join(a, b)
    }

    fn or(&mut self, a: Literal, b: Literal) -> Literal {
        self.join(a ^ 1, b ^ 1) ^ 1
    }

    fn half(&mut self, a: Literal, b: Literal) -> [Literal; 2] {
        let carry = self.join(a, b);
        [self.xor(a, b), carry]
    }

    fn full(&mut self, a: Literal, b: Literal, c: Literal) -> [Literal; 2] {
        let [two, both] = self.half(a, b);
        let [sum, third] = self.half(two, c);
        [sum, self.or(both, third)]
    }
}
