//! Counts as gates: the bits of a weighted sum by full and half adders, and their comparison with a number.
//!
//! [`Logic`] says what the adders are built of, so that the AND-inverter graph and BLIF share them. A column holds the signals of one
//! power of two; three at a time they become one and a carry, oldest first, which keeps the depth logarithmic before the carries ripple.
//! The adders are as many as the ones in the weights, about.

use super::formula::bits;
use crate::circuit::{Gate, Literal, Rule};
use std::collections::VecDeque;

/// What adders are built of.
pub(super) trait Logic {
    /// A bit.
    type Signal: Clone;

    fn literal(&mut self, literal: Literal) -> Self::Signal;
    fn constant(&mut self, value: bool) -> Self::Signal;
    fn not(&mut self, a: Self::Signal) -> Self::Signal;
    fn and(&mut self, a: Self::Signal, b: Self::Signal) -> Self::Signal;
    fn or(&mut self, a: Self::Signal, b: Self::Signal) -> Self::Signal;
    /// The sum of two bits and the carry.
    fn half(&mut self, a: Self::Signal, b: Self::Signal) -> [Self::Signal; 2];
    /// The sum of three bits and the carry.
    fn full(&mut self, a: Self::Signal, b: Self::Signal, c: Self::Signal) -> [Self::Signal; 2];
}

/// The count of a gate, the lowest bit first.
pub(super) fn count<L: Logic>(logic: &mut L, gate: &Gate) -> Vec<L::Signal> {
    let width = bits(gate);
    let mut columns: Vec<VecDeque<L::Signal>> = (0..width).map(|_| VecDeque::new()).collect();
    for &literal in &gate.literals {
        let signal = logic.literal(literal);
        for (bit, column) in columns.iter_mut().enumerate() {
            if literal.weight >> bit & 1 == 1 {
                column.push_back(signal.clone());
            }
        }
    }
    let mut sum = Vec::with_capacity(width);
    for bit in 0..width {
        let last = loop {
            let column = &mut columns[bit];
            let [sum, carry] = match (column.pop_front(), column.pop_front(), column.pop_front()) {
                (Some(a), Some(b), Some(c)) => logic.full(a, b, c),
                (Some(a), Some(b), None) => logic.half(a, b),
                (only, ..) => break only,
            };
            columns[bit].push_back(sum);
            // The count fits the columns: past the last one every carry is 0.
            if let Some(next) = columns.get_mut(bit + 1) {
                next.push_back(carry);
            }
        };
        sum.push(last.unwrap_or_else(|| logic.constant(false)));
    }
    sum
}

/// Whether a gate that is no sum holds.
pub(super) fn holds<L: Logic>(logic: &mut L, gate: &Gate) -> L::Signal {
    if let (Rule::AtLeast(2), &[a, b, c]) = (&gate.rule, gate.literals.as_slice())
        && [a, b, c].iter().all(|literal| literal.weight == 1)
    {
        // A full adder would make the sum too.
        let [a, b, c] = [a, b, c].map(|literal| logic.literal(literal));
        let (both, any) = (logic.and(a.clone(), b.clone()), logic.or(a, b));
        let carried = logic.and(any, c);
        return logic.or(both, carried);
    }
    let count = &count(logic, gate);
    match &gate.rule {
        Rule::AtLeast(least) => at_least(logic, count, *least),
        Rule::Counts(ranges) => {
            let mut any = None;
            for &(from, to) in ranges {
                let above = at_least(logic, count, to + 1);
                let below = logic.not(above);
                let inside = if from == 0 {
                    below
                } else {
                    let least = at_least(logic, count, from);
                    logic.and(least, below)
                };
                any = Some(match any {
                    None => inside,
                    Some(any) => logic.or(any, inside),
                });
            }
            any.unwrap_or_else(|| logic.constant(false))
        }
        // The others do not count.
        Rule::And | Rule::Or | Rule::Xor | Rule::Sum => logic.constant(false),
    }
}

/// From the lowest bit up: the bits so far are at least as great as the number's, by this bit or by those below it.
fn at_least<L: Logic>(logic: &mut L, count: &[L::Signal], least: u64) -> L::Signal {
    if least >> count.len() != 0 {
        return logic.constant(false);
    }
    let mut so_far = None;
    for (bit, value) in count.iter().enumerate() {
        so_far = match (least >> bit & 1 == 1, so_far) {
            (true, None) => Some(value.clone()),
            (true, Some(below)) => Some(logic.and(value.clone(), below)),
            (false, None) => None,
            (false, Some(below)) => Some(logic.or(value.clone(), below)),
        };
    }
    so_far.unwrap_or_else(|| logic.constant(true))
}
