//! Gates that only count: the answer depends on nothing but how many of some literals hold.
//!
//! `monk2`, "exactly two of six", is fifteen terms of six literals or one gate. A gate is asked by its table, so it reads at most
//! [`SYMMETRIC`] inputs; it becomes a count only where that has fewer literals.

use crate::circuit::{Circuit, Gate, Literal, Output, Rule, Source};
use std::collections::{BTreeSet, HashMap};

/// The most inputs of a gate that is tried as a count: its table has 2^16 cells, a kilobyte of words for each gate on the way.
const SYMMETRIC: usize = 16;

/// With gates that only count replaced by counts, from the outputs on.
pub(super) fn counted(mut circuit: Circuit) -> Circuit {
    for at in (0..circuit.gates.len()).rev() {
        let cone = Cone::new(&circuit, at);
        if cone.inputs.len() <= SYMMETRIC
            && cone.literals > cone.inputs.len()
            && let Some(count) = symmetric(&circuit, &cone)
        {
            let role = circuit.gates[at].role.clone();
            circuit.gates[at] = count.role(role);
        }
    }
    circuit
}

/// The count that a gate is, if it is one.
fn symmetric(circuit: &Circuit, cone: &Cone) -> Option<Gate> {
    let n = cone.inputs.len();
    let table = table(circuit, cone);
    let bit = |cell: usize| table[cell / 64] >> (cell % 64) & 1 == 1;
    // Swapping two inputs, or one with the negation of the other, must leave the table as it is; against the first input is enough.
    let mut positive = vec![true; n];
    for (j, positive) in positive.iter_mut().enumerate().skip(1) {
        let others = (0..1usize << n).filter(|cell| cell & (1 | 1 << j) == 0);
        let same = |a: usize, b: usize| others.clone().all(|cell| bit(cell | a) == bit(cell | b));
        if !same(1, 1 << j) {
            if !same(0, 1 | 1 << j) {
                return None;
            }
            *positive = false;
        }
    }
    let flip = positive.iter().enumerate().fold(0, |flip, (i, &positive)| flip | usize::from(!positive) << i);
    let mut answers: Vec<Option<bool>> = vec![None; n + 1];
    for cell in 0..1usize << n {
        let answer = &mut answers[(cell ^ flip).count_ones() as usize];
        if *answer.get_or_insert(bit(cell)) != bit(cell) {
            return None;
        }
    }
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for (count, _) in answers.iter().enumerate().filter(|(_, answer)| **answer == Some(true)) {
        match ranges.last_mut() {
            Some((_, to)) if *to + 1 == count as u64 => *to = count as u64,
            _ => ranges.push((count as u64, count as u64)),
        }
    }
    let literal = |(&input, &positive): (&usize, &bool)| Literal::input(input).signed(positive);
    Some(Gate::new(Rule::Counts(ranges), cone.inputs.iter().zip(&positive).map(literal).collect()))
}

/// The gate's value in every cell of its inputs.
fn table(circuit: &Circuit, cone: &Cone) -> Vec<u64> {
    let n = cone.inputs.len();
    let words = (1usize << n).div_ceil(64);
    let column = |i: usize| -> Vec<u64> {
        let word = |w: usize| (0..64).fold(0, |word, b| word | ((((64 * w + b) >> i & 1) as u64) << b));
        (0..words).map(word).collect()
    };
    let own: Vec<Vec<u64>> = (0..n).map(column).collect();
    let nothing: Vec<u64> = Vec::new();
    let mut columns: Vec<&[u64]> = vec![&nothing; circuit.inputs.len()];
    cone.inputs.iter().zip(&own).for_each(|(&input, column)| columns[input] = column);
    part(circuit, cone).evaluate(&columns, words).swap_remove(0)
}

/// A circuit of one gate and what it needs.
fn part(circuit: &Circuit, cone: &Cone) -> Circuit {
    let place: HashMap<usize, usize> = cone.gates.iter().enumerate().map(|(to, &from)| (from, to)).collect();
    let moved = |literal: &Literal| match literal.source {
        Source::Gate(gate) => Literal { source: Source::Gate(place[&gate]), ..*literal },
        Source::Input(_) => *literal,
    };
    let copy = |&at: &usize| {
        let gate = &circuit.gates[at];
        Gate::new(gate.rule.clone(), gate.literals.iter().map(moved).collect())
    };
    let outputs = vec![Output::new("", Literal::gate(cone.gates.len() - 1))];
    Circuit { inputs: circuit.inputs.clone(), gates: cone.gates.iter().map(copy).collect(), outputs }
}

/// All that a gate needs, in increasing order: gates, itself last, and inputs. Ends early where there are too many inputs.
struct Cone {
    gates: Vec<usize>,
    inputs: Vec<usize>,
    literals: usize,
}

impl Cone {
    fn new(circuit: &Circuit, gate: usize) -> Self {
        let (mut gates, mut inputs, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![gate]);
        let mut literals = 0;
        while let Some(gate) = open.pop() {
            if inputs.len() > SYMMETRIC {
                break;
            }
            if !gates.insert(gate) {
                continue;
            }
            for literal in &circuit.gates[gate].literals {
                literals += 1;
                match literal.source {
                    Source::Input(input) => {
                        inputs.insert(input);
                    }
                    Source::Gate(gate) => open.push(gate),
                }
            }
        }
        Self { gates: gates.into_iter().collect(), inputs: inputs.into_iter().collect(), literals }
    }
}
