//! Counting functions: labels that depend only on how many of some inputs are 1.
//!
//! Majorities, thresholds and other symmetric functions need every input at once, so no small table shows them; but the
//! count has only |J| + 1 cells, each full of rows. Inputs may count as they are or negated. The search climbs from all
//! inputs and from given sets by dropping, adding and negating one.

use super::sample::Sample;
use crate::bits;
use crate::evidence::{NAT, Nats};
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// A function of the number of literals that hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Count {
    /// What is counted, by input: whether it counts when it is 1.
    pub(crate) literals: Vec<(usize, bool)>,
    pub(crate) evidence: Nats,
}

impl Count {
    /// The same literals with the evidence of another sample.
    pub(crate) fn scored(self, sample: &Sample) -> Self {
        let evidence = score(sample, &counts(sample, &self.literals), self.literals.len());
        Self { evidence, ..self }
    }
}

/// The counting function with the most evidence over at most `most` inputs, starting from each of `starts`.
pub(crate) fn count(sample: &Sample, starts: &[Vec<usize>], most: usize, budget: &Budget) -> Option<Count> {
    let climbs = starts.iter().filter(|start| start.len() <= most && start.len() > 1);
    climbs
        .map(|start| climb(sample, start, most, budget))
        .reduce(|a, b| if b.evidence > a.evidence { b } else { a })
}

fn climb(sample: &Sample, start: &[usize], most: usize, budget: &Budget) -> Count {
    let literals: Vec<(usize, bool)> = start.iter().map(|&input| (input, true)).collect();
    let mut best = Count { literals, evidence: 0 }.scored(sample);
    while !budget.spent() {
        let base = counts(sample, &best.literals);
        let moves: Vec<(Nats, usize, Option<bool>)> = (0..sample.inputs())
            .into_par_iter()
            .flat_map_iter(|input| {
                let now = best.literals.iter().find(|literal| literal.0 == input).map(|literal| literal.1);
                let (base, size) = (&base, best.literals.len());
                [None, Some(true), Some(false)].into_iter().filter(move |&to| to != now).filter_map(
                    move |to| {
                        let size = size + usize::from(to.is_some()) - usize::from(now.is_some());
                        (size <= most).then(|| {
                            let mut counts = base.clone();
                            shift(&mut counts, sample.column(input), now, to);
                            (score(sample, &counts, size), input, to)
                        })
                    },
                )
            })
            .collect();
        let Some((evidence, input, to)) = moves.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a })
        else {
            break;
        };
        if evidence <= best.evidence {
            break;
        }
        best.evidence = evidence;
        best.literals.retain(|literal| literal.0 != input);
        best.literals.extend(to.map(|to| (input, to)));
    }
    best.literals.sort_unstable();
    best
}

/// How many literals hold on each row.
pub(crate) fn counts(sample: &Sample, literals: &[(usize, bool)]) -> Vec<u16> {
    let mut counts = vec![0; sample.rows()];
    for &(input, positive) in literals {
        shift(&mut counts, sample.column(input), None, Some(positive));
    }
    counts
}

/// The counts after an input begins, stops or changes to count.
fn shift(counts: &mut [u16], column: &[u64], from: Option<bool>, to: Option<bool>) {
    // What a row with x = 0 and one with x = 1 gain; kept from going below 0 by the wrapping of both steps together.
    let weight = |literal: Option<bool>, x: bool| u16::from(literal == Some(x));
    let gain = [false, true].map(|x| weight(to, x).wrapping_sub(weight(from, x)));
    for (row, count) in counts.iter_mut().enumerate() {
        *count = count.wrapping_add(gain[usize::from(bits::get(column, row))]);
    }
}

fn score(sample: &Sample, counts: &[u16], size: usize) -> Nats {
    let mut votes = vec![[0u32; 2]; size + 1];
    for (row, &count) in counts.iter().enumerate() {
        votes[usize::from(count)][usize::from(bits::get(sample.labels(), row))] += 1;
    }
    let signs = size as f64 * std::f64::consts::LN_2 * NAT;
    sample.evidence().of_cells(votes.into_iter(), size) - signs as Nats
}
