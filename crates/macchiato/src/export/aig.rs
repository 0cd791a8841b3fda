//! An AND-inverter graph: two-input ANDs over literals, each of which may be inverted at no cost.
//!
//! A literal is twice its variable, plus 1 where inverted; variable 0 is constant 0, then come the inputs, then the
//! ANDs, each after what it reads. No two ANDs read the same literals (structural hashing), none reads a constant or
//! one variable twice. Sums and products are trees that join the shallowest parts first, so their depth is the least
//! that two-input gates allow. Time and memory are linear in the circuit's literals, up to a logarithm.

use super::formula::Formula;
use crate::stage::Signed;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A variable and whether it is inverted, as AIGER numbers them.
pub(super) type Literal = usize;

const FALSE: Literal = 0;
const TRUE: Literal = 1;

/// One output over the inputs.
pub(super) struct Aig {
    pub(super) inputs: usize,
    /// The two literals that each AND reads, the greater first.
    pub(super) ands: Vec<[Literal; 2]>,
    pub(super) output: Literal,
    /// The most ANDs on a way to the output.
    pub(super) depth: usize,
}

impl Aig {
    pub(super) fn new(formula: &Formula<'_>) -> Self {
        let mut builder = Builder::new(formula.inputs.len());
        let mut parts = Vec::new();
        for stage in &formula.stages {
            // NOT of the AND of the inverted terms.
            let terms: Vec<Literal> = stage.iter().map(|term| builder.product(term) ^ 1).collect();
            parts.push(builder.tree(terms, TRUE, Builder::and) ^ 1);
        }
        // An inversion commutes with XOR: taking it out lets equal parts meet.
        let inverted = parts.iter().filter(|&&part| part & 1 == 1).count() & 1;
        let parts = parts.into_iter().map(|part| part & !1).collect();
        let output = builder.tree(parts, FALSE, Builder::xor) ^ inverted;
        builder.finish(output)
    }
}

struct Builder {
    inputs: usize,
    ands: Vec<[Literal; 2]>,
    /// ANDs on the longest way to each variable.
    levels: Vec<usize>,
    known: HashMap<[Literal; 2], Literal>,
}

impl Builder {
    fn new(inputs: usize) -> Self {
        Self { inputs, ands: Vec::new(), levels: vec![0; inputs + 1], known: HashMap::new() }
    }

    fn and(&mut self, a: Literal, b: Literal) -> Literal {
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
        let both = self.and(a, b);
        let neither = self.and(a ^ 1, b ^ 1);
        self.and(both ^ 1, neither ^ 1)
    }

    fn product(&mut self, term: &[Signed]) -> Literal {
        let literals =
            term.iter().map(|&(input, positive)| 2 * (input + 1) + usize::from(!positive)).collect();
        self.tree(literals, TRUE, Self::and)
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

    /// The ANDs that the output needs, numbered without gaps.
    fn finish(self, output: Literal) -> Aig {
        let first = self.inputs + 1;
        let mut needed = vec![false; self.levels.len()];
        needed[output / 2] = true;
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
        let depth = self.levels[output / 2];
        Aig { inputs: self.inputs, ands, output: renamed[output / 2] | output & 1, depth }
    }
}
