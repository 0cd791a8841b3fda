//! Tables that fall apart: an XOR of functions of disjoint blocks of inputs.
//!
//! Inputs i and j interact where the second difference g(u) ^ g(u+i) ^ g(u+j) ^ g(u+i+j) is 1. If no chain of interactions
//! joins two sets of inputs, the table is an XOR of a function of the one and a function of the other, each with far
//! fewer cells and so far more rows in each. Labels may be wrong, so how many 1s make an interaction is not fixed:
//! several thresholds are tried, and the description length decides, against the whole table too.

use crate::bits;
use crate::random::Stream;
use crate::select::{Evidence, NAT, Nats, Sample};
use macchiato_minimize::{MinimizeError, Table};
use rand_chacha::rand_core::Rng;

/// Disjoint blocks of inputs whose XOR of tables describes the labels shortest; one block if they do not fall apart.
pub(super) fn blocks(sample: &Sample, inputs: &[usize], seed: u64) -> Vec<Vec<usize>> {
    if inputs.len() < 2 {
        return vec![inputs.to_vec()];
    }
    let votes = votes(sample, inputs);
    let differences = second_differences(&votes, inputs.len());
    let mut best = (evidence_of(sample.evidence(), &votes), vec![(1usize << inputs.len()) - 1]);
    let mut last = Vec::new();
    for percent in [0, 1, 2, 5, 10, 20, 30] {
        let parts = components(&differences, inputs.len(), percent);
        if parts.len() > 1 && parts != last {
            let evidence = describe(sample.evidence(), &votes, &parts, seed);
            if evidence > best.0 {
                best = (evidence, parts.clone());
            }
        }
        last = parts;
    }
    let named = |part: &usize| (0..inputs.len()).filter(|p| part >> p & 1 == 1).map(|p| inputs[p]).collect();
    best.1.iter().map(named).collect()
}

/// The tables of disjoint `blocks` whose XOR fits the labels best, unseen cells free.
pub(super) fn tables(sample: &Sample, blocks: &[Vec<usize>], seed: u64) -> Result<Vec<Table>, MinimizeError> {
    let mut inputs: Vec<usize> = blocks.concat();
    inputs.sort_unstable();
    let votes = votes(sample, &inputs);
    let place = |input: &usize| inputs.binary_search(input).unwrap_or(0);
    let parts: Vec<usize> =
        blocks.iter().map(|block| block.iter().fold(0, |part, input| part | 1 << place(input))).collect();
    let (_, values) = fitted(sample.evidence(), &votes, &parts, seed);
    let seen: Vec<usize> = (0..votes.len()).filter(|&cell| votes[cell] != [0, 0]).collect();
    let table = |(block, (part, values)): (&Vec<usize>, (&usize, &Vec<bool>))| {
        let mut table = Table::new(block.len())?;
        for cell in seen_cells(&seen, *part) {
            let own =
                block.iter().enumerate().fold(0, |own, (p, input)| own | (cell >> place(input) & 1) << p);
            table.set(own, Some(values[cell]));
        }
        Ok(table)
    };
    blocks.iter().zip(parts.iter().zip(&values)).map(table).collect()
}

fn votes(sample: &Sample, inputs: &[usize]) -> Vec<[u32; 2]> {
    let mut votes = vec![[0u32; 2]; 1 << inputs.len()];
    sample.visit(inputs, |row, cell| votes[cell][usize::from(bits::get(sample.labels(), row))] += 1);
    votes
}

fn evidence_of(evidence: &Evidence, votes: &[[u32; 2]]) -> Nats {
    evidence.of_cells(votes.iter().copied().filter(|votes| *votes != [0, 0]), 0)
}

/// For every pair of inputs, squares of cells with four strict majorities, and those whose XOR is 1.
fn second_differences(votes: &[[u32; 2]], size: usize) -> Vec<(usize, usize, [usize; 2])> {
    let value = |cell: usize| {
        let [zeros, ones] = votes[cell];
        (zeros != ones).then_some(ones > zeros)
    };
    let mut all = Vec::new();
    for i in 0..size {
        for j in i + 1..size {
            let (a, b) = (1 << i, 1 << j);
            let mut seen = [0; 2];
            for u in (0..votes.len()).filter(|u| u & (a | b) == 0) {
                let corners = [value(u), value(u | a), value(u | b), value(u | a | b)];
                if let [Some(p), Some(q), Some(r), Some(s)] = corners {
                    seen[usize::from(p ^ q ^ r ^ s)] += 1;
                }
            }
            all.push((i, j, seen));
        }
    }
    all
}

/// The components, as bit masks, of the graph that joins inputs where more than `percent` of the squares are 1.
fn components(differences: &[(usize, usize, [usize; 2])], size: usize, percent: usize) -> Vec<usize> {
    let mut parts: Vec<usize> = (0..size).map(|p| 1 << p).collect();
    for &(i, j, [zeros, ones]) in differences {
        if 100 * ones > percent * (zeros + ones) {
            let touched = |part: &usize| part >> i & 1 == 1 || part >> j & 1 == 1;
            let joined = parts.iter().copied().filter(touched).fold(0, |a, b| a | b);
            parts.retain(|part| !touched(part));
            parts.push(joined);
        }
    }
    parts.sort_unstable();
    parts
}

/// Starts of the re-fitting besides the all-zero one.
const RESTARTS: usize = 8;

/// The evidence of the blocks: the largest one as a table of its own, the others' values spelled out.
fn describe(evidence: &Evidence, votes: &[[u32; 2]], parts: &[usize], seed: u64) -> Nats {
    fitted(evidence, votes, parts, seed).0
}

/// The values of every block that describe the labels shortest; a block's cells are those of the whole, masked.
fn fitted(evidence: &Evidence, votes: &[[u32; 2]], parts: &[usize], seed: u64) -> (Nats, Vec<Vec<bool>>) {
    let seen: Vec<usize> = (0..votes.len()).filter(|&cell| votes[cell] != [0, 0]).collect();
    let largest = (0..parts.len()).max_by_key(|&t| (parts[t].count_ones(), t)).unwrap_or(0);
    let spelled: usize =
        (0..parts.len()).filter(|&t| t != largest).map(|t| seen_cells(&seen, parts[t]).len()).sum();
    let naming = f64::from(votes.len().ilog2()) * libm::log(parts.len() as f64);
    let cost = ((spelled as f64 * std::f64::consts::LN_2 + naming) * NAT) as Nats;
    let mut rng = Stream::Blocks.of(seed);
    let mut best = (Nats::MIN, Vec::new());
    for restart in 0..=RESTARTS {
        let mut value = || restart > 0 && rng.next_u32() & 1 == 1;
        let mut values: Vec<Vec<bool>> =
            parts.iter().map(|_| (0..votes.len()).map(|_| value()).collect()).collect();
        refit(votes, &seen, parts, &mut values);
        // What the other blocks leave to the largest one.
        let mut left = vec![[0u32; 2]; votes.len()];
        for &cell in &seen {
            let others = (0..parts.len())
                .filter(|&t| t != largest)
                .fold(false, |sum, t| sum ^ values[t][cell & parts[t]]);
            let [zeros, ones] = votes[cell];
            let to = &mut left[cell & parts[largest]];
            let add = if others { [ones, zeros] } else { [zeros, ones] };
            *to = [to[0] + add[0], to[1] + add[1]];
        }
        let nats = evidence_of(evidence, &left) - cost;
        if nats > best.0 {
            best = (nats, values);
        }
    }
    best
}

fn seen_cells(seen: &[usize], part: usize) -> Vec<usize> {
    let mut projected: Vec<usize> = seen.iter().map(|cell| cell & part).collect();
    projected.sort_unstable();
    projected.dedup();
    projected
}

/// Each block in turn follows the majority of what the others leave, until nothing changes.
fn refit(votes: &[[u32; 2]], seen: &[usize], parts: &[usize], values: &mut [Vec<bool>]) {
    for _ in 0..50 {
        let mut changed = false;
        for t in 0..parts.len() {
            let mut balance = vec![0i64; votes.len()];
            for &cell in seen {
                let others = (0..parts.len())
                    .filter(|&other| other != t)
                    .fold(false, |sum, other| sum ^ values[other][cell & parts[other]]);
                let lead = i64::from(votes[cell][1]) - i64::from(votes[cell][0]);
                balance[cell & parts[t]] += if others { -lead } else { lead };
            }
            for (value, balance) in values[t].iter_mut().zip(balance) {
                if balance != 0 && *value != (balance > 0) {
                    *value = balance > 0;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
}
