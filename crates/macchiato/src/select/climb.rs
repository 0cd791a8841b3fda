//! Hill climbing between sets of inputs: add, drop, swap, as long as the evidence rises.

use super::beam::Scored;
use super::sample::Sample;
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// The set at the top of the hill that `start` is on; at most `most` inputs, unless `start` has more.
pub(crate) fn climb(sample: &Sample, start: Scored, most: usize, budget: &Budget) -> Scored {
    let mut best = start;
    while !budget.spent() {
        let dropped = drop_one(sample, &best);
        if dropped.as_ref().is_some_and(|dropped| dropped.evidence > best.evidence) {
            best = dropped.unwrap_or(best);
            continue;
        }
        let better = [add_one(sample, &best.inputs, most), swap_one(sample, &best)];
        let better = better.into_iter().flatten().max_by(|a, b| a.evidence.cmp(&b.evidence));
        match better {
            Some(better) if better.evidence > best.evidence => best = better,
            _ => break,
        }
    }
    best
}

/// The best set with one input less.
fn drop_one(sample: &Sample, set: &Scored) -> Option<Scored> {
    let without = |&input: &usize| {
        Scored::new(sample, set.inputs.iter().copied().filter(|&other| other != input).collect())
    };
    let dropped: Vec<Scored> = set.inputs.par_iter().map(without).collect();
    dropped.into_iter().reduce(|best, next| if next.evidence > best.evidence { next } else { best })
}

/// The best set with one input more.
fn add_one(sample: &Sample, inputs: &[usize], most: usize) -> Option<Scored> {
    if inputs.len() >= most.min(sample.inputs()) {
        return None;
    }
    let partition = sample.partition(inputs);
    let scored = (0..sample.inputs())
        .filter(|input| inputs.binary_search(input).is_err())
        .map(|input| (partition.with(input, sample.evidence()), std::cmp::Reverse(input)));
    let (evidence, std::cmp::Reverse(input)) = scored.max()?;
    let mut inputs = inputs.to_vec();
    inputs.insert(inputs.partition_point(|&other| other < input), input);
    Some(Scored { evidence, inputs })
}

/// The best set with another input in place of one.
fn swap_one(sample: &Sample, set: &Scored) -> Option<Scored> {
    let swapped: Vec<Option<Scored>> = set
        .inputs
        .par_iter()
        .map(|&out| {
            let rest: Vec<usize> = set.inputs.iter().copied().filter(|&other| other != out).collect();
            add_one(sample, &rest, usize::MAX).filter(|swapped| swapped.inputs != set.inputs)
        })
        .collect();
    swapped.into_iter().flatten().reduce(|best, next| if next.evidence > best.evidence { next } else { best })
}
