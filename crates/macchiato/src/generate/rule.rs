//! How a target's value follows from its inputs, 64 rows at a time.

use crate::bits;

/// A Boolean function of numbered inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    /// The XOR of functions given by their labels.
    Juntas(Vec<Junta>),
    Parity,
    /// Bit `output` of the sum of two numbers; bit `bits` is the carry.
    Sum {
        bits: usize,
        output: usize,
    },
    Less {
        bits: usize,
    },
    Multiplexer {
        address: usize,
    },
    /// Terms as inputs and the values that they must have.
    Terms(Vec<Vec<(usize, bool)>>),
}

/// A function of some inputs, given by its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Junta {
    /// In increasing order.
    pub(super) inputs: Vec<usize>,
    /// Bit u is the label of cell u; bit p of a cell is the p-th of the inputs.
    pub(super) labels: Vec<u64>,
}

impl Rule {
    /// The values of 64 rows, given the word of each input.
    pub(super) fn word(&self, support: &[usize], input: impl Fn(usize) -> u64) -> u64 {
        match self {
            Self::Juntas(juntas) => {
                juntas.iter().fold(0, |sum, Junta { inputs, labels }| sum ^ look_up(labels, inputs, &input))
            }
            Self::Parity => support.iter().fold(0, |parity, &i| parity ^ input(i)),
            Self::Sum { bits, output } => {
                let carry = (0..*output).fold(0, |carry, i| {
                    let (a, b) = (input(i), input(bits + i));
                    a & b | carry & (a ^ b)
                });
                if output == bits { carry } else { carry ^ input(*output) ^ input(bits + output) }
            }
            Self::Less { bits } => (0..*bits).fold(0, |less, i| {
                let (a, b) = (input(i), input(bits + i));
                !a & b | !(a ^ b) & less
            }),
            Self::Multiplexer { address } => {
                let mut data: Vec<u64> = (0..1 << address).map(|d| input(address + d)).collect();
                for bit in 0..*address {
                    let chosen = input(bit);
                    data = data.chunks(2).map(|pair| pair[0] & !chosen | pair[1] & chosen).collect();
                }
                data[0]
            }
            Self::Terms(terms) => terms.iter().fold(0, |any, term| {
                let met =
                    |all, &(i, positive): &(usize, bool)| all & if positive { input(i) } else { !input(i) };
                any | term.iter().fold(u64::MAX, met)
            }),
        }
    }
}

/// The labels of 64 rows.
fn look_up(labels: &[u64], inputs: &[usize], input: impl Fn(usize) -> u64) -> u64 {
    let mut cells = [0usize; 64];
    for (byte, eight) in inputs.chunks(8).enumerate() {
        let words = std::array::from_fn(|c| eight.get(c).map_or(0, |&i| input(i)));
        for (cell, bits) in cells.iter_mut().zip(bits::row_bytes(&words)) {
            *cell |= usize::from(bits) << (8 * byte);
        }
    }
    cells.iter().enumerate().fold(0, |word, (row, &cell)| word | u64::from(bits::get(labels, cell)) << row)
}
