//! An XOR of few functions of few inputs each, for a table of more inputs than a stage may have.
//!
//! Takes the votes of each cell; gives parts whose XOR loses as few votes as the search finds, and predicts cells that
//! nobody has seen. XORs of functions of chosen subsets form a linear code ([`code`]), so the best XOR is the codeword
//! nearest to the table, found by list decoding ([`list`]). Subsets are chosen to suit the decoder, anew for each try.
//! Where a smaller code or a smoother table predicts held-back votes clearly better ([`guess`]), it is taken instead.
//! All decisions are on integers and all randomness comes from the seed: the result is the same everywhere.

mod code;
mod guess;
mod list;
#[cfg(test)]
mod tests;

use crate::random::Stream;
use guess::Shape;
use list::Decoder;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Erased shares of cells, in units of 2^-16, for which subsets are chosen: none, then 0.3 to 0.9.
const ERASED: [u64; 6] = [0, 19_661, 32_768, 45_875, 52_429, 58_982];
/// One vote of so many is held back to judge guesses, each time another.
const FOLDS: usize = 8;
/// Held-back votes that are enough to judge.
const ENOUGH: u64 = 2048;
/// Paths times cells that a decoder follows at most.
const WORK: usize = 1 << 20;

/// One function of few of the table's inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Increasing.
    pub(super) inputs: Vec<usize>,
    /// The value of each cell, whose bit p is `inputs[p]`; `None` where nothing is known.
    pub(super) values: Vec<Option<bool>>,
}

/// At most `m` functions of at most `k` of the table's `s` inputs, whose XOR follows the votes `[zeros, ones]` of its
/// 2^s cells; those that lower the errors most come first.
///
/// No part is 0 everywhere, so none at all stand for the constant 0; one of no inputs is the constant 1. The XOR never
/// loses more votes than the better constant, and none if `k` >= `s`.
/// `tries` families of subsets are tried, fewer once `spent` says so.
pub(super) fn decompose(
    votes: &[[u64; 2]],
    s: usize,
    k: usize,
    m: usize,
    seed: u64,
    tries: usize,
    spent: &(dyn Fn() -> bool + Sync),
) -> Vec<Part> {
    debug_assert_eq!(votes.len(), 1 << s);
    let task = Task { s, k: k.min(s), m, seed, differences: differences(votes), spent };
    if m == 0 || task.differences.iter().all(|&difference| difference == 0) {
        return Vec::new();
    }
    let mut fit = if let Some(exact) = task.exact() { exact } else { task.search(votes, tries) };
    let constant = [false, true].map(|value| vec![value; votes.len()]);
    let constant = constant.into_iter().min_by_key(|word| lost(word, &task.differences)).unwrap_or_default();
    // A greedy search promises nothing; this does.
    if lost(&fit.word, &task.differences) > lost(&constant, &task.differences) {
        fit.word = constant;
    }
    let guessed = fit.plan.guesses();
    let known: Vec<bool> = task.differences.iter().map(|&difference| guessed || difference != 0).collect();
    order(code::parts(fit.word, &fit.family, &known), &task.differences)
}

/// Votes for 1 minus votes for 0.
fn differences(votes: &[[u64; 2]]) -> Vec<i64> {
    let clamp = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    votes.iter().map(|&[zeros, ones]| clamp(ones) - clamp(zeros)).collect()
}

/// The weight of the majorities that the word does not follow.
fn lost(word: &[bool], differences: &[i64]) -> u64 {
    let against = word.iter().zip(differences).filter(|(bit, difference)| **bit != (**difference > 0));
    against.map(|(_, difference)| difference.unsigned_abs()).sum()
}

/// How to look for a word.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Plan {
    shape: Shape,
    /// Index in [`ERASED`].
    erased: usize,
    /// Whether unseen cells follow their neighbours, and how weakly.
    far: Option<i64>,
    m: usize,
}

impl Plan {
    /// Whether it says something about cells that no vote reaches.
    fn guesses(&self) -> bool {
        self.far.is_some() || matches!(self.shape, Shape::Degree(_) | Shape::Interacting(_))
    }
}

/// A word of the code of a family.
struct Fit {
    lost: u64,
    word: Vec<bool>,
    family: Vec<u32>,
    plan: Plan,
}

struct Task<'a> {
    s: usize,
    k: usize,
    m: usize,
    seed: u64,
    differences: Vec<i64>,
    spent: &'a (dyn Fn() -> bool + Sync),
}

impl Task<'_> {
    /// The table itself, if all cells are decided and few subsets reach all of its monomials.
    fn exact(&self) -> Option<Fit> {
        let plan = Plan { shape: Shape::Any, erased: 0, far: None, m: self.m };
        if self.k < self.s && self.differences.contains(&0) {
            return None;
        }
        let word: Vec<bool> = self.differences.iter().map(|&difference| difference > 0).collect();
        if self.k >= self.s {
            return Some(Fit { lost: 0, word, family: vec![(1 << self.s) - 1], plan });
        }
        let mut normal = word.clone();
        code::transform(&mut normal);
        let gains: Vec<u64> = normal.iter().map(|&monomial| u64::from(monomial)).collect();
        let family = code::cover(self.s, self.k, self.m, &gains, &mut self.rng(0));
        let span = code::span(self.s, &family);
        let within = normal.iter().zip(span).all(|(monomial, inside)| inside || !monomial);
        within.then_some(Fit { lost: 0, word, family, plan })
    }

    fn rng(&self, stream: u64) -> ChaCha8Rng {
        Stream::Decomposing.nth(self.seed, stream)
    }

    /// The best of `tries` families, of the shape that held-back votes speak for.
    fn search(&self, votes: &[[u64; 2]], tries: usize) -> Fit {
        let plan = |erased| Plan { shape: Shape::Any, erased, far: None, m: self.m };
        let mut plans: Vec<Plan> = (0..ERASED.len()).map(plan).collect();
        let strongest = guess::strongest(&self.differences, self.s, self.k, self.m.min(3));
        if self.m <= 3 {
            plans.push(Plan { shape: Shape::Within(strongest.clone()), ..plan(0) });
        }
        let best = self.best(&plans, 1);
        let plan = self.judge(votes, &best.plan, &strongest);
        let best = (plan == best.plan).then_some(best);
        let more = self.best(&vec![plan; tries.max(1)], 1 + ERASED.len() as u64);
        let best = best.into_iter().chain([more]).min_by_key(|fit| fit.lost).expect("one at least");
        self.with_fewer_parts(best)
    }

    /// The first of the least lost; the first plan is tried even if all time is spent.
    fn best(&self, plans: &[Plan], stream: u64) -> Fit {
        let fit = |(index, plan): (usize, &Plan)| {
            (index == 0 || !(self.spent)())
                .then(|| self.fit(plan, &self.differences, &mut self.rng(stream + index as u64)))
        };
        let fits: Vec<Option<Fit>> = plans.par_iter().enumerate().map(fit).collect();
        fits.into_iter().flatten().min_by_key(|fit| fit.lost).expect("the first is always tried")
    }

    /// Halves the number of parts as long as nothing is lost.
    fn with_fewer_parts(&self, mut best: Fit) -> Fit {
        let (mut too_few, mut enough) = (0, best.family.len());
        while best.lost == 0 && too_few + 1 < enough && !(self.spent)() {
            let m = usize::midpoint(too_few, enough);
            let fewer = self.best(&vec![Plan { m, ..best.plan.clone() }; 4], 1);
            if fewer.lost == 0 {
                (enough, best) = (m, fewer);
            } else {
                too_few = m;
            }
        }
        best
    }

    /// The plan that loses clearly fewer of the held-back votes than `plan`, if any does.
    fn judge(&self, votes: &[[u64; 2]], plan: &Plan, strongest: &[u32]) -> Plan {
        let mut plans = vec![plan.clone()];
        let mut shapes = guess::interactions(&self.differences, self.s);
        shapes.extend((0..self.k.min(4) as u32).map(Shape::Degree));
        shapes.extend((1..=strongest.len()).map(|len| Shape::Within(strongest[..len].to_vec())));
        plans.extend(shapes.into_iter().map(|shape| Plan { shape, ..plan.clone() }));
        let far = [2, self.s as i64 / 2, 2 * self.s as i64];
        plans.extend(far.map(|far| Plan { far: Some(far.max(1)), ..plan.clone() }));
        let mut errors = vec![0u64; plans.len()];
        let mut judged = 0;
        for (kept, held) in folds(votes, &mut self.rng(0)) {
            if judged >= ENOUGH || (self.spent)() {
                break;
            }
            let lost = |plan: &Plan| {
                let word = self.fit(plan, &kept, &mut self.rng(1)).word;
                word.iter().zip(&held).map(|(&bit, held)| held[usize::from(!bit)]).sum::<u64>()
            };
            let lost: Vec<u64> = plans.par_iter().map(lost).collect();
            errors.iter_mut().zip(lost).for_each(|(errors, lost)| *errors += lost);
            judged += held.iter().flatten().sum::<u64>();
        }
        let best = (0..plans.len()).min_by_key(|&index| errors[index]).unwrap_or(0);
        let (few, many) = (u128::from(errors[best]), u128::from(errors[0]));
        // Two and a half standard deviations or more: the difference of two counts varies by their sum at most.
        let clear = (many - few) * (many - few) > 6 * (many + few);
        plans.swap_remove(if clear { best } else { 0 })
    }

    /// One try at a plan, on other votes than the task's to judge it.
    fn fit(&self, plan: &Plan, differences: &[i64], rng: &mut ChaCha8Rng) -> Fit {
        let mut order: Vec<usize> = (0..self.s).collect();
        order.shuffle(rng);
        let moved: Vec<usize> = (0..1usize << self.s).map(|cell| permute(cell, &order)).collect();
        let gains = code::gains(self.s, ERASED[plan.erased]);
        let family = if let Shape::Within(sets) = &plan.shape {
            sets.iter().copied().take(plan.m).collect()
        } else {
            let gain =
                |(monomial, &at): (usize, &usize)| if plan.shape.allows(monomial) { gains[at] } else { 0 };
            let gains: Vec<u64> = moved.iter().enumerate().map(gain).collect();
            code::cover(self.s, self.k, plan.m, &gains, rng)
        };
        let (mut span, mut beliefs) = (vec![false; moved.len()], vec![0; moved.len()]);
        for (monomial, inside) in code::span(self.s, &family).into_iter().enumerate() {
            span[moved[monomial]] = inside && plan.shape.allows(monomial);
        }
        let smoothed = plan.far.map(|far| guess::smooth(differences, far));
        let differences = smoothed.as_deref().unwrap_or(differences);
        for (cell, belief) in scale(differences).into_iter().enumerate() {
            beliefs[moved[cell]] = -belief;
        }
        let breadth = (WORK >> self.s).clamp(1, 128);
        let word = Decoder::new(&span, breadth).decode(&beliefs);
        let mut word: Vec<bool> = moved.iter().map(|&at| word[at]).collect();
        if matches!(plan.shape, Shape::Any | Shape::Within(_)) {
            polish(&mut word, &family, differences);
        }
        Fit { lost: lost(&word, differences), word, family, plan: plan.clone() }
    }
}

/// Differences of the votes kept and the votes held back, for each fold; the votes of a cell go to the folds in turn, from
/// a random one on.
fn folds(votes: &[[u64; 2]], rng: &mut ChaCha8Rng) -> impl Iterator<Item = (Vec<i64>, Vec<[u64; 2]>)> {
    let first: Vec<[u64; 2]> =
        votes.iter().map(|_| [(); 2].map(|()| rng.random_range(0..FOLDS as u64))).collect();
    (0..FOLDS as u64).map(move |fold| {
        let held = |(cell, first): (&[u64; 2], &[u64; 2])| {
            let turn = |label: usize| (cell[label] + (first[label] + fold) % FOLDS as u64) / FOLDS as u64;
            [turn(0), turn(1)]
        };
        let held: Vec<[u64; 2]> = votes.iter().zip(&first).map(held).collect();
        let kept: Vec<[u64; 2]> =
            votes.iter().zip(&held).map(|(all, held)| [all[0] - held[0], all[1] - held[1]]).collect();
        (differences(&kept), held)
    })
}

/// The cell with bit `order[p]` for each bit p of `cell`.
fn permute(cell: usize, order: &[usize]) -> usize {
    order.iter().enumerate().fold(0, |moved, (from, to)| moved | (cell >> from & 1) << to)
}

/// The differences as beliefs, small enough for their sum to fit an `i32`; none but 0 becomes 0.
fn scale(differences: &[i64]) -> Vec<i32> {
    let total: u128 = differences.iter().map(|difference| u128::from(difference.unsigned_abs())).sum();
    let shift = (128 - total.leading_zeros()).saturating_sub(30);
    let scaled = |&difference: &i64| {
        let size = (difference.unsigned_abs() >> shift) as i32;
        size.max(i32::from(difference != 0)) * difference.signum() as i32
    };
    differences.iter().map(scaled).collect()
}

/// Re-fits one subset after the other to what the others leave, as long as that gains votes.
fn polish(word: &mut [bool], family: &[u32], differences: &[i64]) {
    let mut left: Vec<i64> = word
        .iter()
        .zip(differences)
        .map(|(&bit, &difference)| if bit { -difference } else { difference })
        .collect();
    let mut unchanged = 0;
    for &set in family.iter().cycle() {
        unchanged = if guess::follow_majorities(&mut left, word, set) { 0 } else { unchanged + 1 };
        if unchanged >= family.len() {
            return;
        }
    }
}

/// The parts in the order in which they lower the errors most.
fn order(mut parts: Vec<Part>, differences: &[i64]) -> Vec<Part> {
    let mut left = differences.to_vec();
    let mut ordered = Vec::with_capacity(parts.len());
    while !parts.is_empty() {
        let words: Vec<Vec<bool>> = parts.iter().map(|part| part.word(left.len())).collect();
        let next = (0..parts.len()).min_by_key(|&part| (lost(&words[part], &left), part)).unwrap_or(0);
        for (difference, &bit) in left.iter_mut().zip(&words[next]) {
            if bit {
                *difference = -*difference;
            }
        }
        ordered.push(parts.remove(next));
    }
    ordered
}

impl Part {
    /// Its values over all cells of the table, 0 where nothing is known.
    fn word(&self, cells: usize) -> Vec<bool> {
        let set = self.inputs.iter().fold(0, |set, input| set | 1u32 << input);
        code::places(cells, set).into_iter().map(|place| self.values[place] == Some(true)).collect()
    }
}
