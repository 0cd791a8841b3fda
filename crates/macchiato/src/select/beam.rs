//! Beam search over sets of inputs: the best sets of each size grow by every input.
//!
//! All pairs are scored, and where they are few enough all triples by their XOR correlation with the labels, since a parity
//! shows in no smaller set. From then on the beam holds the sets of each size with the most evidence.

use super::partition::Partition;
use super::sample::Sample;
use crate::bits;
use crate::evidence::Nats;
use macchiato_minimize::Budget;
use rayon::prelude::*;
use std::collections::HashSet;

/// A set of inputs and its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scored {
    pub(crate) evidence: Nats,
    /// In increasing order.
    pub(crate) inputs: Vec<usize>,
}

impl Scored {
    pub(crate) fn new(sample: &Sample, inputs: Vec<usize>) -> Self {
        Self { evidence: sample.score(&inputs), inputs }
    }
}

/// How far to look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Inputs of a set at most.
    pub(crate) most: usize,
    /// Sets kept of each size.
    pub(crate) width: usize,
    /// Word operations that the triples may take.
    pub(crate) triples: usize,
}

/// Sets of one size that may bring less evidence than the best before the search gives up: sets that only work together.
const PATIENCE: usize = 3;

/// Bytes of partitions that the beam may hold.
const MEMORY: usize = 1 << 28;

/// Sets with the most evidence, best first, at most as many as the beam is wide.
pub(crate) fn beam(sample: &Sample, limits: &Limits, budget: &Budget) -> Vec<Scored> {
    let mut found: Vec<Scored> = vec![Scored { evidence: sample.constant(), inputs: Vec::new() }];
    let singles: Vec<Scored> =
        (0..sample.inputs()).into_par_iter().map(|i| Scored::new(sample, vec![i])).collect();
    keep(&mut found, singles.clone(), limits.width);
    if limits.most < 2 || sample.inputs() < 2 {
        return found;
    }
    let ranked = promising(sample, &singles, limits);
    let mut pairs = pairs(sample, &ranked, limits.width, budget);
    keep(&mut found, pairs.clone(), limits.width);
    if limits.most < 3 || sample.inputs() < 3 {
        return found;
    }
    pairs.truncate((MEMORY / sample.root().bytes().max(1)).max(1));
    let mut level = until_spent(&pairs, budget, |pair| sample.partition(&pair.inputs));
    let mut newcomers = triples(sample, limits, budget);
    let mut idle = 0;
    for size in 3..=limits.most.min(sample.inputs()) {
        if budget.spent() || level.is_empty() {
            break;
        }
        let bytes = level.iter().map(Partition::bytes).max().unwrap_or(1).max(1);
        let width = limits.width.min((MEMORY / bytes).max(1));
        let (grown, next) = grow(sample, &level, std::mem::take(&mut newcomers), width, budget);
        let before = found[0].evidence;
        keep(&mut found, grown, limits.width);
        idle = if found[0].evidence > before { 0 } else { idle + 1 };
        if idle == PATIENCE && size > 3 {
            break;
        }
        level = next;
    }
    found
}

/// A partition for each of `sets`; none at all once the budget is spent, since splitting a wide beam takes long.
fn until_spent<T: Sync>(
    sets: &[T],
    budget: &Budget,
    partition: impl Fn(&T) -> Partition + Sync,
) -> Vec<Partition> {
    let unless_spent = |set: &T| (!budget.spent()).then(|| partition(set));
    sets.par_iter().map(unless_spent).collect::<Option<_>>().unwrap_or_default()
}

/// The best sets with one more input than those of `level`, and `newcomers` of that size, which grew from none of them, with their partitions.
fn grow(
    sample: &Sample,
    level: &[Partition],
    newcomers: Vec<Scored>,
    width: usize,
    budget: &Budget,
) -> (Vec<Scored>, Vec<Partition>) {
    let evidence = sample.evidence();
    let mut grown: Vec<(Nats, usize, usize)> = level
        .par_iter()
        .enumerate()
        .flat_map_iter(|(at, partition)| {
            let inputs = if budget.spent() { 0 } else { sample.inputs() };
            let others = (0..inputs).filter(|input| partition.inputs().binary_search(input).is_err());
            let scored = others.map(move |input| (partition.with(input, evidence), at, input));
            let mut scored: Vec<_> = scored.collect();
            // No set gives more than the whole beam.
            scored.sort_unstable_by_key(|&(score, _, input)| (std::cmp::Reverse(score), input));
            scored.truncate(width);
            scored
        })
        .collect();
    grown.sort_unstable_by_key(|&(score, at, input)| (std::cmp::Reverse(score), at, input));
    let mut seen = HashSet::new();
    let mut chosen: Vec<(Scored, Option<(usize, usize)>)> = Vec::new();
    for (score, at, input) in grown {
        let mut inputs = level[at].inputs().to_vec();
        inputs.insert(inputs.partition_point(|&other| other < input), input);
        if seen.insert(inputs.clone()) {
            chosen.push((Scored { evidence: score, inputs }, Some((at, input))));
        }
        if chosen.len() == width {
            break;
        }
    }
    for newcomer in newcomers {
        if seen.insert(newcomer.inputs.clone()) {
            chosen.push((newcomer, None));
        }
    }
    let partitions = until_spent(&chosen, budget, |(scored, parent)| match *parent {
        Some((at, input)) => level[at].split(input, evidence),
        None => sample.partition(&scored.inputs),
    });
    (chosen.into_iter().map(|(scored, _)| scored).collect(), partitions)
}

/// Merges `more` into `found`, best first, ties to the smaller set and then to the smaller inputs.
fn keep(found: &mut Vec<Scored>, more: Vec<Scored>, width: usize) {
    found.extend(more);
    found.sort_by(|a, b| {
        (b.evidence, a.inputs.len(), &a.inputs).cmp(&(a.evidence, b.inputs.len(), &b.inputs))
    });
    found.dedup_by(|a, b| a.inputs == b.inputs);
    found.truncate(width);
}

/// The inputs whose pairs are scored: all of them, or where that would take too long, those with the most evidence alone.
fn promising(sample: &Sample, singles: &[Scored], limits: &Limits) -> Vec<usize> {
    let affordable = (2 * limits.triples / bits::words(sample.rows())).isqrt();
    let mut ranked: Vec<usize> = (0..singles.len()).collect();
    ranked.sort_by_key(|&i| (std::cmp::Reverse(singles[i].evidence), i));
    ranked.truncate(affordable.max(2));
    ranked.sort_unstable();
    ranked
}

/// The pairs of `ranked` inputs with the most evidence.
fn pairs(sample: &Sample, ranked: &[usize], width: usize, budget: &Budget) -> Vec<Scored> {
    let (rows, labels, evidence) = (sample.rows(), sample.labels(), sample.evidence());
    let positive = bits::count(labels);
    let counts: Vec<[usize; 2]> = (0..sample.inputs())
        .map(|i| [bits::count(sample.column(i)), both(sample.column(i), labels)])
        .collect();
    let mut scored: Vec<(Nats, usize, usize)> = ranked
        .par_iter()
        .enumerate()
        .flat_map_iter(|(at, &i)| {
            let others = if budget.spent() && at > 0 { &[] } else { &ranked[at + 1..] };
            let ones: Vec<u64> = sample.column(i).iter().zip(labels).map(|(x, r)| x & r).collect();
            let counts = &counts;
            let mut scored: Vec<_> = others
                .iter()
                .map(|&j| {
                    let (all, one) = both_of(sample.column(i), &ones, sample.column(j));
                    let [[ni, oi], [nj, oj]] = [counts[i], counts[j]];
                    let cells = [
                        (all, one),
                        (ni - all, oi - one),
                        (nj - all, oj - one),
                        (rows + all - ni - nj, positive + one - oi - oj),
                    ];
                    let votes = cells.into_iter().filter(|cell| cell.0 > 0);
                    let votes = votes.map(|(all, ones)| [(all - ones) as u32, ones as u32]);
                    (evidence.of_cells(votes, 2), i, j)
                })
                .collect();
            scored.sort_unstable_by_key(|&(score, i, j)| (std::cmp::Reverse(score), i, j));
            scored.truncate(width);
            scored
        })
        .collect();
    scored.sort_unstable_by_key(|&(score, i, j)| (std::cmp::Reverse(score), i, j));
    scored.truncate(width);
    scored.into_iter().map(|(evidence, i, j)| Scored { evidence, inputs: vec![i, j] }).collect()
}

fn both(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones() as usize).sum()
}

fn both_of(a: &[u64], ones: &[u64], b: &[u64]) -> (usize, usize) {
    let (mut all, mut one) = (0, 0);
    for ((a, ones), b) in a.iter().zip(ones).zip(b) {
        all += (a & b).count_ones();
        one += (ones & b).count_ones();
    }
    (all as usize, one as usize)
}

/// The triples whose XOR goes most with or against the labels, where there is time for all of them.
fn triples(sample: &Sample, limits: &Limits, budget: &Budget) -> Vec<Scored> {
    let (n, words) = (sample.inputs(), bits::words(sample.rows()));
    let all = n.saturating_mul(n).saturating_mul(n) / 6;
    if all.saturating_mul(words) > limits.triples {
        return Vec::new();
    }
    // Padding bits are 0 in every column, so they always agree.
    let middle = sample.rows() / 2;
    let mut strongest: Vec<(usize, [usize; 3])> = (0..n)
        .into_par_iter()
        .flat_map_iter(|i| {
            let mut strongest: Vec<(usize, [usize; 3])> = Vec::new();
            let mut least = 0;
            let mut mixed = vec![0u64; words];
            for j in i + 1..n {
                if budget.spent() {
                    break;
                }
                let columns = sample.column(i).iter().zip(sample.column(j)).zip(sample.labels());
                mixed.iter_mut().zip(columns).for_each(|(mixed, ((a, b), r))| *mixed = a ^ b ^ r);
                for k in j + 1..n {
                    let strength = different(&mixed, sample.column(k)).abs_diff(middle);
                    if strength > least {
                        strongest.push((strength, [i, j, k]));
                        if strongest.len() >= 4 * limits.width {
                            best_of(&mut strongest, limits.width);
                            least = strongest[strongest.len() - 1].0;
                        }
                    }
                }
            }
            best_of(&mut strongest, limits.width);
            strongest
        })
        .collect();
    best_of(&mut strongest, limits.width);
    strongest.into_par_iter().map(|(_, triple)| Scored::new(sample, triple.to_vec())).collect()
}

fn best_of(strongest: &mut Vec<(usize, [usize; 3])>, width: usize) {
    strongest.sort_unstable_by_key(|&(strength, triple)| (std::cmp::Reverse(strength), triple));
    strongest.truncate(width);
}

fn different(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones() as usize).sum()
}
