//! The three XORs: flat (Proposition `prop:relu-gate-modules`), by triangle maps (`prop:telgarsky-xor-realization`), and in d rounds
//! (`prop:depth-parameterized-xor`).
//!
//! The latter two prepare the last XOR by helpers, each a number as odd as the signals it stands for. As in the paper a helper is two layers:
//! its neurons, and one that takes their sum.

use super::builder::Builder;
use super::error::CompileError;
use super::gates::{Bank, Kind, Read};
use super::options::XorGate;
use crate::circuit::{Rule, Source};

/// The partial sums of what reads a flat XOR of r signals go up to r^2, and must stay below 2^24: from here on the triangle takes over.
const FLAT_LIMIT: usize = 1 << 12;

/// Compiles gate `g` of the circuit, an XOR of these signals, and says where it ends.
pub(super) fn build(
    builder: &mut Builder,
    g: usize,
    mut reads: Vec<Read>,
    form: XorGate,
) -> Result<usize, CompileError> {
    match form {
        XorGate::Depth(depth) if arity(depth, reads.len()) < FLAT_LIMIT => {
            let arity = arity(depth, reads.len());
            while reads.len() > arity {
                let mut next = Vec::with_capacity(reads.len().div_ceil(arity));
                for group in reads.chunks(arity) {
                    next.push(if let [alone] = group {
                        *alone
                    } else {
                        helper(builder, g, group.to_vec(), None)?
                    });
                }
                reads = next;
            }
        }
        XorGate::Flat if reads.len() < FLAT_LIMIT => {}
        _ => {
            let mut height = reads.len().next_power_of_two() / 2;
            while height > 1 {
                reads = vec![helper(builder, g, reads, Some(height as i32))?];
                height /= 2;
            }
        }
    }
    let bank = parity(builder.whole(&reads));
    builder.place(Kind::Rule(Rule::Xor), Some(g), reads, bank, g)
}

/// A helper and the neuron that takes its sum: the triangle map of this height, min(s, 2h - s), or the parity itself.
fn helper(
    builder: &mut Builder,
    g: usize,
    reads: Vec<Read>,
    height: Option<i32>,
) -> Result<Read, CompileError> {
    let bank = match height {
        Some(height) => Bank::of(&[(1, 0, 1), (1, -height, -2)]),
        None => parity(builder.whole(&reads)),
    };
    let fold = builder.place(Kind::Fold, Some(g), reads, bank, g)?;
    let sum = vec![Read { source: Source::Gate(fold), positive: true, weight: 1 }];
    let sum = builder.place(Kind::Fold, Some(g), sum, Bank::of(&[(1, 0, 1)]), g)?;
    Ok(Read { source: Source::Gate(sum), positive: true, weight: 1 })
}

/// c is odd: r neurons for counts up to r, as the paper has it, and one that is always 0 where nothing is read.
fn parity(most: u64) -> Bank {
    if most == 0 { Bank::of(&[(1, 0, 1)]) } else { Bank::new(most, |count| count % 2) }
}

/// Signals of each XOR when `depth` rounds of them take `most`.
fn arity(depth: usize, most: usize) -> usize {
    root(most, depth.max(1)).max(2)
}

/// The least q with q^depth at least `count`.
fn root(count: usize, depth: usize) -> usize {
    let reaches = |q: usize| {
        let mut power = 1usize;
        (0..depth).any(|_| {
            power = power.saturating_mul(q);
            power >= count
        })
    };
    (1..=count).find(|&q| reaches(q)).unwrap_or(1)
}
