//! Hill climbing between sets of inputs: add, drop, swap, as long as the evidence rises.

use super::beam::Scored;
use super::partition::Partition;
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
        let better = [add_one(sample, &best.inputs, most), swap_one(sample, &best, budget)];
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
    best_addition(sample, &sample.partition(inputs))
}

/// The best set with one input more than a partition has.
fn best_addition(sample: &Sample, partition: &Partition) -> Option<Scored> {
    let inputs = partition.inputs();
    let scored = (0..sample.inputs())
        .filter(|input| inputs.binary_search(input).is_err())
        .map(|input| (partition.with(input, sample.evidence()), std::cmp::Reverse(input)));
    let (evidence, std::cmp::Reverse(input)) = scored.max()?;
    let mut inputs = inputs.to_vec();
    inputs.insert(inputs.partition_point(|&other| other < input), input);
    Some(Scored { evidence, inputs })
}

/// The best set with another input in place of one.
fn swap_one(sample: &Sample, set: &Scored, budget: &Budget) -> Option<Scored> {
    let swap = |rest: &Partition| best_addition(sample, rest).filter(|swapped| swapped.inputs != set.inputs);
    let swapped = without_each(sample, &sample.root(), &set.inputs, &swap, budget);
    swapped.into_iter().flatten().reduce(|best, next| if next.evidence > best.evidence { next } else { best })
}

/// What `see` makes of `partition` split by all but one of `inputs`, for each in turn, or of fewer once the budget is spent. The halves share the splits by
/// the other half: k log k splits instead of k^2, and the late ones are of few rows.
fn without_each<T: Send>(
    sample: &Sample,
    partition: &Partition,
    inputs: &[usize],
    see: &(impl Fn(&Partition) -> T + Sync),
    budget: &Budget,
) -> Vec<T> {
    if budget.spent() {
        return Vec::new();
    }
    if inputs.len() < 2 {
        return inputs.iter().map(|_| see(partition)).collect();
    }
    let (left, right) = inputs.split_at(inputs.len() / 2);
    let split =
        |by: &[usize]| by.iter().fold(partition.clone(), |cells, &i| cells.split(i, sample.evidence()));
    let (mut seen, others) = rayon::join(
        || without_each(sample, &split(right), left, see, budget),
        || without_each(sample, &split(left), right, see, budget),
    );
    seen.extend(others);
    seen
}
