//! A circuit on bit columns: 64 rows a word, block by block, so that what a block touches stays in a near cache.
//!
//! AND, OR and XOR are word operations. A count is kept as bit planes, plane p holding bit p of 64 counts: adding a literal of
//! weight w adds the literal's word to the planes of the bits of w with carries (a carry-save adder), and the planes are compared with a
//! threshold from the top bit down. An AND that only one OR reads is folded into it without being stored.

use super::{Circuit, Gate, Literal, Output, Rule, Source};
use crate::bits;
use rayon::prelude::*;

/// Words of a block at most: enough to hide the cost of looking at gates.
const BLOCK: usize = 256;
/// And at least, also where a circuit has many gates.
const LEAST: usize = 64;
/// Words that all values of a block may take together: 256 KiB, so that they stay in a near cache.
const NEAR: usize = 1 << 15;

impl Circuit {
    /// Each Boolean output on bit columns, `words` words each; bits past the last row are whatever they are. A sum gives
    /// whether it is above 0.
    #[must_use]
    pub fn evaluate(&self, columns: &[&[u64]], words: usize) -> Vec<Vec<u64>> {
        let plan = Schedule::new(self);
        let blocks: Vec<Vec<u64>> = (0..words.div_ceil(plan.block))
            .into_par_iter()
            .map_init(
                || vec![0u64; plan.block * plan.slots],
                |values, block| {
                    let from = block * plan.block;
                    plan.run(columns, from, plan.block.min(words - from), values)
                },
            )
            .collect();
        let mut outputs = vec![Vec::with_capacity(words); self.outputs.len()];
        for block in blocks {
            let length = block.len() / self.outputs.len().max(1);
            for (output, part) in outputs.iter_mut().zip(block.chunks(length.max(1))) {
                output.extend_from_slice(part);
            }
        }
        outputs
    }

    /// These literals on bit columns, as [`Circuit::evaluate`] has outputs.
    #[must_use]
    pub fn evaluate_literals(&self, literals: &[Literal], columns: &[&[u64]], words: usize) -> Vec<Vec<u64>> {
        let outputs = literals.iter().map(|&literal| Output::new("", literal)).collect();
        let asked = Self { inputs: Vec::new(), gates: self.gates.clone(), outputs };
        asked.pruned().evaluate(columns, words)
    }

    /// On how many of these rows each gate holds; a sum where it is above 0.
    #[must_use]
    pub fn coverage(&self, columns: &[&[u64]], rows: usize) -> Vec<usize> {
        self.coverage_among(columns, rows, &vec![u64::MAX; bits::words(rows)])
    }

    /// The same of those rows alone whose bit is set in `among`.
    #[must_use]
    pub fn coverage_among(&self, columns: &[&[u64]], rows: usize, among: &[u64]) -> Vec<usize> {
        let literals: Vec<Literal> = (0..self.gates.len()).map(Literal::gate).collect();
        let count = |part: &[Literal]| {
            let mut values = self.evaluate_literals(part, columns, bits::words(rows));
            for column in &mut values {
                bits::trim(column, rows);
            }
            let held = |column: &Vec<u64>| {
                column.iter().zip(among).map(|(word, among)| (word & among).count_ones() as usize).sum()
            };
            values.iter().map(held).collect::<Vec<usize>>()
        };
        // Some gates at a time: all of them on many rows would be more than the rows themselves.
        literals.chunks(AT_ONCE).flat_map(count).collect()
    }
}

/// Gates whose values are kept at once.
const AT_ONCE: usize = 256;

/// Which gates are stored where, and which are folded into their only reader.
struct Schedule<'a> {
    circuit: &'a Circuit,
    /// For each gate its block of values, or none where its reader computes it.
    slot: Vec<Option<usize>>,
    slots: usize,
    /// Words of a block.
    block: usize,
}

impl<'a> Schedule<'a> {
    fn new(circuit: &'a Circuit) -> Self {
        let readers = circuit.readers();
        let mut folded = vec![false; circuit.gates.len()];
        for gate in circuit.gates.iter().filter(|gate| gate.rule == Rule::Or) {
            for literal in &gate.literals {
                if let Source::Gate(term) = literal.source {
                    let product =
                        circuit.gates[term].rule == Rule::And && !circuit.gates[term].literals.is_empty();
                    folded[term] = product && literal.positive && readers[term] == 1;
                }
            }
        }
        let mut slots = 0;
        let mut take = |folded: bool| {
            (!folded).then(|| {
                slots += 1;
                slots - 1
            })
        };
        let slot = folded.into_iter().map(&mut take).collect();
        let block = (NEAR / slots.max(1)).clamp(LEAST, BLOCK);
        Self { circuit, slot, slots, block }
    }

    /// The outputs on `length` words from word `from` on, one after the other.
    fn run(&self, columns: &[&[u64]], from: usize, length: usize, values: &mut [u64]) -> Vec<u64> {
        let mut scratch = [0u64; BLOCK];
        for (gate, slot) in self.circuit.gates.iter().zip(&self.slot) {
            let Some(slot) = *slot else { continue };
            let (before, rest) = values.split_at_mut(slot * self.block);
            let block = Block { plan: self, columns, from, length, before };
            block.gate(gate, &mut rest[..length], &mut scratch);
        }
        let block = Block { plan: self, columns, from, length, before: values };
        let mut answers = Vec::with_capacity(length * self.circuit.outputs.len());
        for output in &self.circuit.outputs {
            let flip = flip(output.literal);
            answers.extend(block.words(output.literal).iter().map(|word| word ^ flip));
        }
        answers
    }
}

/// What gates of a block read.
struct Block<'a> {
    plan: &'a Schedule<'a>,
    columns: &'a [&'a [u64]],
    from: usize,
    length: usize,
    /// The values of stored gates so far.
    before: &'a [u64],
}

const fn flip(literal: Literal) -> u64 {
    if literal.positive { 0 } else { u64::MAX }
}

impl Block<'_> {
    /// What a literal reads, without its sign.
    fn words(&self, literal: Literal) -> &[u64] {
        match literal.source {
            Source::Input(input) => &self.columns[input][self.from..self.from + self.length],
            // Only gates that are stored are asked for.
            Source::Gate(gate) => {
                let at = self.plan.slot[gate].unwrap_or_default() * self.plan.block;
                &self.before[at..at + self.length]
            }
        }
    }

    fn gate(&self, gate: &Gate, values: &mut [u64], scratch: &mut [u64; BLOCK]) {
        match &gate.rule {
            Rule::And => self.and(&gate.literals, values),
            Rule::Or => {
                values.fill(0);
                for &literal in &gate.literals {
                    match literal.source {
                        Source::Gate(term) if self.plan.slot[term].is_none() => {
                            self.or_product(&self.plan.circuit.gates[term].literals, values, scratch);
                        }
                        _ => {
                            let flip = flip(literal);
                            values
                                .iter_mut()
                                .zip(self.words(literal))
                                .for_each(|(value, word)| *value |= word ^ flip);
                        }
                    }
                }
            }
            Rule::Xor => {
                let flip = gate.literals.iter().fold(0, |all, &literal| all ^ flip(literal));
                values.fill(flip);
                for &literal in &gate.literals {
                    values.iter_mut().zip(self.words(literal)).for_each(|(value, word)| *value ^= word);
                }
            }
            Rule::AtLeast(least) => self.count(gate, values, |planes, at| above(planes, at, *least)),
            Rule::Counts(ranges) => self.count(gate, values, |planes, at| {
                ranges.iter().fold(0, |any, &(from, to)| {
                    any | above(planes, at, from) & !above(planes, at, to.saturating_add(1))
                })
            }),
            Rule::Sum => self.count(gate, values, |planes, at| above(planes, at, 1)),
        }
    }

    fn and(&self, literals: &[Literal], values: &mut [u64]) {
        values.fill(u64::MAX);
        for &literal in literals {
            let flip = flip(literal);
            values.iter_mut().zip(self.words(literal)).for_each(|(value, word)| *value &= word ^ flip);
        }
    }

    /// ORs a product of at least one literal into `values`. The first literal starts it and the last goes straight into the sum: two passes fewer.
    fn or_product(&self, literals: &[Literal], values: &mut [u64], scratch: &mut [u64; BLOCK]) {
        match literals {
            [] => values.fill(u64::MAX),
            &[only] => {
                let flip = flip(only);
                values.iter_mut().zip(self.words(only)).for_each(|(value, word)| *value |= word ^ flip);
            }
            &[first, ref middle @ .., last] => {
                let product = &mut scratch[..self.length];
                let bits = flip(first);
                product.iter_mut().zip(self.words(first)).for_each(|(product, word)| *product = word ^ bits);
                for &literal in middle {
                    let bits = flip(literal);
                    product
                        .iter_mut()
                        .zip(self.words(literal))
                        .for_each(|(product, word)| *product &= word ^ bits);
                }
                let bits = flip(last);
                let both = product.iter().zip(self.words(last));
                values
                    .iter_mut()
                    .zip(both)
                    .for_each(|(value, (product, word))| *value |= product & (word ^ bits));
            }
        }
    }

    /// The bit planes of the counts, word by word, and what `holds` makes of them.
    fn count(&self, gate: &Gate, values: &mut [u64], holds: impl Fn(&[u64], usize) -> u64) {
        let bits = (u64::BITS - gate.most().leading_zeros()).max(1) as usize;
        let mut planes = vec![0u64; bits * self.length];
        for &literal in &gate.literals {
            let flip = flip(literal);
            for (at, word) in self.words(literal).iter().enumerate() {
                let planes = &mut planes[at * bits..(at + 1) * bits];
                let mut weight = literal.weight;
                while weight != 0 {
                    let mut carry = word ^ flip;
                    for plane in &mut planes[weight.trailing_zeros() as usize..] {
                        (*plane, carry) = (*plane ^ carry, *plane & carry);
                        if carry == 0 {
                            break;
                        }
                    }
                    weight &= weight - 1;
                }
            }
        }
        for (at, value) in values.iter_mut().enumerate() {
            *value = holds(&planes[at * bits..(at + 1) * bits], bits);
        }
    }
}

/// Where the counts in these planes are at least `least`.
fn above(planes: &[u64], bits: usize, least: u64) -> u64 {
    if least >> bits != 0 {
        return 0;
    }
    // From the top: greater as soon as a plane has a 1 where the threshold has a 0 and all above were equal.
    let (mut greater, mut equal) = (0u64, u64::MAX);
    for (bit, plane) in planes.iter().enumerate().rev() {
        if least >> bit & 1 == 0 {
            greater |= equal & plane;
            equal &= !plane;
        } else {
            equal &= plane;
        }
    }
    greater | equal
}
