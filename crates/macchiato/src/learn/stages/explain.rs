//! One explanation of the labels as a table: an XOR of single inputs with a table over a set of others.
//!
//! An input that only flips the answer belongs beside the table, not in it: if the labels XOR `x_i` have more evidence over
//! J without i than the labels have over J, then i is linear, and the table has half the cells.

use crate::bits;
use crate::draw;
use crate::random::Stream;
use crate::select::{Limits, Nats, Sample, Scored, beam, climb, parity};
use macchiato_minimize::Budget;

/// Labels = XOR of `linear` XOR a table over `inputs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Explanation {
    pub(super) linear: Vec<usize>,
    pub(super) inputs: Vec<usize>,
    pub(super) evidence: Nats,
}

/// How much to try.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    pub(super) limits: Limits,
    /// Sets of the beam from which to climb.
    pub(super) climbs: usize,
    /// Random sets from which to climb.
    pub(super) restarts: usize,
    /// Draws of the Gaussian elimination.
    pub(super) draws: usize,
    /// Rows that are read at most.
    pub(super) rows: usize,
    /// Rows times inputs that a scout reads at most: where most of the search is done, and candidates are compared.
    pub(super) scouted: usize,
}

impl Effort {
    /// Effort 1 to 9; sets of at most `most` inputs.
    pub(super) fn new(effort: u8, most: usize) -> Self {
        let step = |low: usize, per_level: u32| low << (per_level * u32::from(effort.clamp(1, 9) - 1) / 2);
        Self {
            limits: Limits { most, width: step(16, 2), triples: step(1 << 28, 2) },
            climbs: step(1, 1),
            restarts: step(1, 1) / 2,
            draws: step(50, 3),
            rows: step(1 << 14, 1),
            scouted: step(1 << 20, 1),
        }
    }
}

/// Inputs of a set that a scout found up to which all rows polish it: the cost of a step goes with their square.
const POLISHED: usize = 8;

/// Inputs of a random start.
const RESTART_INPUTS: usize = 3;

/// The explanation with the most evidence; `starts` are sets to climb from besides those of the search. With a `scout`,
/// fewer of the same rows, the search is there, and only the last climb reads the whole sample.
pub(super) fn explain(
    sample: &Sample,
    scout: Option<&Sample>,
    starts: &[Vec<usize>],
    effort: &Effort,
    seed: u64,
    budget: &Budget,
) -> Explanation {
    let most = effort.limits.most;
    let ground = scout.unwrap_or(sample);
    // Each set of the beam takes a copy of all columns: of wide samples fewer sets.
    let width = if scout.is_some() { (effort.limits.width / 4).max(1) } else { effort.limits.width };
    let limits = Limits { width, ..effort.limits };
    let mut hills: Vec<Scored> = beam(ground, &limits, budget);
    hills.truncate(effort.climbs);
    hills.extend(starts.iter().map(|start| Scored::new(ground, start.clone())));
    let mut rng = Stream::Restarts.of(seed);
    for _ in 0..effort.restarts {
        hills.push(Scored::new(ground, draw::some(&mut rng, sample.inputs(), RESTART_INPUTS.min(most))));
    }
    let mut best = hills[0].clone();
    for hill in hills {
        let top = climb(ground, hill, most, budget);
        if top.evidence > best.evidence {
            best = top;
        }
    }
    if scout.is_some() {
        best = Scored::new(sample, best.inputs);
        if best.inputs.len() <= POLISHED {
            best = climb(sample, best, most, budget);
        }
    }
    let mut found = straighten(
        sample,
        Explanation { linear: Vec::new(), evidence: best.evidence, inputs: best.inputs },
        most,
        budget,
    );
    if let Some(parity) = parity(sample, effort.draws, seed, budget)
        && parity.evidence > found.evidence
    {
        let left = sample.relabelled(xor(sample, &parity.inputs));
        let rest = beam(&left, &effort.limits, budget).swap_remove(0);
        let rest = climb(&left, rest, most, budget);
        let naming = sample.evidence().choice(parity.inputs.len());
        if rest.evidence - naming > found.evidence {
            found =
                Explanation { linear: parity.inputs, inputs: rest.inputs, evidence: rest.evidence - naming };
        }
    }
    found
}

/// Takes linear inputs out of the table, and climbs again, as long as the evidence rises.
fn straighten(sample: &Sample, start: Explanation, most: usize, budget: &Budget) -> Explanation {
    let mut best = start;
    while !budget.spent() && best.linear.len() < sample.inputs() {
        let labels = xor(sample, &best.linear);
        let naming = sample.evidence().choice(best.linear.len() + 1);
        let moved = best.inputs.iter().map(|&input| {
            let flipped: Vec<u64> = labels.iter().zip(sample.column(input)).map(|(r, x)| r ^ x).collect();
            let rest: Vec<usize> = best.inputs.iter().copied().filter(|&other| other != input).collect();
            (sample.score_of(&rest, &flipped) - naming, input, rest)
        });
        let Some((evidence, input, inputs)) = moved.reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
            break;
        };
        if evidence <= best.evidence {
            break;
        }
        let mut linear = best.linear.clone();
        linear.insert(linear.partition_point(|&other| other < input), input);
        let left = sample.relabelled(xor(sample, &linear));
        let top = climb(&left, Scored { evidence: evidence + naming, inputs }, most, budget);
        best = Explanation { linear, inputs: top.inputs, evidence: top.evidence - naming };
    }
    best
}

/// The labels XOR `inputs`.
pub(super) fn xor(sample: &Sample, inputs: &[usize]) -> Vec<u64> {
    let mut labels = sample.labels().to_vec();
    for &input in inputs {
        labels.iter_mut().zip(sample.column(input)).for_each(|(label, x)| *label ^= x);
    }
    debug_assert!(labels.last().is_none_or(|last| last & !bits::last_mask(sample.rows()) == 0));
    labels
}
