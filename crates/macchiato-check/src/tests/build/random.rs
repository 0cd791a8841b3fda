//! Random circuits.

use super::{Circuit, From, Op, Read};

/// Marsaglia's xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// A literal of an input or of a gate that is no sum.
    fn read(&mut self, inputs: usize, gates: &[(Op, Vec<Read>)]) -> Read {
        let from = match self.below(inputs + gates.len()) {
            at if at >= inputs && gates[at - inputs].0 != Op::Sum => From::G(at - inputs),
            at => From::X(at % inputs),
        };
        Read { from, positive: self.below(3) > 0, weight: 1 }
    }

    /// Any depth, any rule, weights, several outputs.
    pub(crate) fn circuit(&mut self, most_inputs: usize, most_gates: usize) -> Circuit {
        let inputs = 1 + self.below(most_inputs);
        let mut gates: Vec<(Op, Vec<Read>)> = Vec::new();
        for _ in 0..self.below(most_gates + 1) {
            let op = match self.below(7) {
                0 | 1 => Op::And,
                2 => Op::Or,
                3 => Op::Xor,
                4 => Op::Least(self.below(8) as i64),
                5 => Op::Counts("1-2,4-4", &[1, 2, 4]),
                _ => Op::Sum,
            };
            let mut reads: Vec<Read> = (0..self.below(6)).map(|_| self.read(inputs, &gates)).collect();
            if op != Op::Xor {
                for read in &mut reads {
                    read.weight += (self.below(4) / 2 * self.below(3)) as i64;
                }
            }
            gates.push((op, reads));
        }
        let mut outputs: Vec<Read> = (0..self.below(3)).map(|_| self.read(inputs, &gates)).collect();
        outputs.push(match gates.len() {
            0 => self.read(inputs, &[]),
            number => Read { from: From::G(number - 1), positive: true, weight: 1 },
        });
        Circuit { inputs, gates, outputs }
    }
}
