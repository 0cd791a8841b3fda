//! Parities by Gaussian elimination over GF(2): the XOR of any number of inputs, with some labels wrong.
//!
//! As many random rows as there are unknowns determine a parity. If none of their labels is wrong the parity explains all
//! the rest as well, so draws are repeated: with noise p and B inputs a draw succeeds with probability about (1 - p)^B.

use super::sample::Sample;
use crate::bits;
use crate::evidence::Nats;
use crate::random::Stream;
use macchiato_minimize::Budget;
use rand::seq::index;

/// An XOR of inputs; whether its complement is meant, a constant stage says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parity {
    /// In increasing order.
    pub(crate) inputs: Vec<usize>,
    /// Evidence of the labels given the parity, less the choice of its inputs.
    pub(crate) evidence: Nats,
}

/// Word operations of all draws together.
const WORK: usize = 1 << 27;

/// The parity with the most evidence among those of `tries` draws, if it has more than a constant.
pub(crate) fn parity(sample: &Sample, tries: usize, seed: u64, budget: &Budget) -> Option<Parity> {
    let (rows, inputs) = (sample.rows(), sample.inputs());
    // The inputs, the constant, the label.
    let words = bits::words(inputs + 2);
    let mut points = vec![0u64; rows * words];
    for (i, column) in sample.columns().into_iter().chain([sample.labels()]).enumerate() {
        // The label comes after the constant.
        let bit = i + usize::from(i == inputs);
        for row in bits::ones(column) {
            points[row * words + bit / 64] |= 1 << (bit % 64);
        }
    }
    for row in 0..rows {
        points[row * words + inputs / 64] |= 1 << (inputs % 64);
    }
    let per_try = (inputs + 1) * (inputs + 1) * words + bits::words(rows) * inputs;
    // Somewhat more rows than unknowns, since some will be dependent; where there are no others, every draw is the same.
    let few = (inputs + 32).min(rows);
    let tries = if few == rows { 1 } else { tries.min(1 + WORK / per_try) };
    let mut rng = Stream::Parity.of(seed);
    let (mut best, mut pivots): (Option<Parity>, Vec<u64>) = (None, Vec::new());
    for _ in 0..tries {
        if budget.spent() {
            break;
        }
        let drawn = index::sample(&mut rng, rows, few).into_vec();
        let solution = solve(&points, words, inputs, &drawn, &mut pivots);
        let found = judge(sample, &solution);
        if found.evidence > sample.constant()
            && best.as_ref().is_none_or(|best| found.evidence > best.evidence)
        {
            let clean = found.evidence;
            best = Some(found);
            // Nothing explains the rows better than all of them.
            if clean + sample.evidence().choice(inputs / 2) >= 0 {
                break;
            }
        }
    }
    best
}

/// One solution of the linear system of the rows in `order`: the chosen inputs, free ones left out. `pivots` is space for its equations.
fn solve(points: &[u64], words: usize, inputs: usize, order: &[usize], pivots: &mut Vec<u64>) -> Vec<u64> {
    pivots.clear();
    // One place for each unknown, and one for the equation at hand.
    pivots.resize((inputs + 2) * words, 0);
    let (pivots, equation) = pivots.split_at_mut((inputs + 1) * words);
    let mut known = vec![0u64; words];
    for &row in order {
        equation.copy_from_slice(&points[row * words..(row + 1) * words]);
        loop {
            let first = bits::ones(equation).next();
            let Some(lead) = first.filter(|&lead| lead <= inputs) else { break };
            let pivot = &mut pivots[lead * words..(lead + 1) * words];
            if !bits::get(&known, lead) {
                pivot.copy_from_slice(equation);
                bits::set(&mut known, lead);
                break;
            }
            // Both begin at the same unknown.
            equation[lead / 64..].iter_mut().zip(&pivot[lead / 64..]).for_each(|(a, b)| *a ^= b);
        }
    }
    // From the last unknown to the first; a free one is 0.
    let mut solution = vec![0u64; words];
    for lead in (0..=inputs).rev().filter(|&lead| bits::get(&known, lead)) {
        let pivot = &pivots[lead * words..(lead + 1) * words];
        let parity: u32 = pivot.iter().zip(&solution).map(|(a, b)| (a & b).count_ones()).sum();
        let label = pivot[(inputs + 1) / 64] >> ((inputs + 1) % 64) & 1;
        if (u64::from(parity) ^ label) & 1 == 1 {
            bits::set(&mut solution, lead);
        }
    }
    solution
}

fn judge(sample: &Sample, solution: &[u64]) -> Parity {
    let inputs: Vec<usize> = bits::ones(solution).filter(|&i| i < sample.inputs()).collect();
    let mut left = sample.labels().to_vec();
    for &input in &inputs {
        left.iter_mut().zip(sample.column(input)).for_each(|(left, x)| *left ^= x);
    }
    let ones = bits::count(&left);
    let evidence = sample.evidence().constant(sample.rows() - ones, ones)
        - sample.evidence().choice(inputs.len().min(sample.inputs()));
    Parity { inputs, evidence }
}
