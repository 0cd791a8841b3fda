//! The Berkeley loop on a function, and what its runs share: essentials, the pool of primes met, the lower bound.

use super::Specification;
use super::essential::essential;
use super::expand::{self, Raise};
use super::irredundant::{self, irredundant};
use super::last_gasp::last_gasp;
use super::reduce;
use super::tautology::covered;
use crate::cover::Cover;
use crate::covering::Effort;
use crate::outcome::Options;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::BTreeSet;

/// Regions of the ON-set at which a covering problem is given up.
const REGION_CAP: usize = 200_000;

fn cost(cover: &Cover) -> (usize, usize) {
    (cover.terms(), cover.literals())
}

pub(super) fn smaller(a: Cover, b: Cover) -> Cover {
    if cost(&b) < cost(&a) { b } else { a }
}

pub(super) struct Loop<'a> {
    pub(super) specification: &'a Specification,
    pub(super) options: &'a Options,
    /// Primes that every cover has.
    pub(super) essentials: Cover,
    /// Covers for free: don't-cares and essentials.
    pub(super) fixed: Cover,
    /// Every prime met so far, essentials left out.
    pub(super) pool: BTreeSet<Vec<u64>>,
    pub(super) lower_bound: usize,
}

impl<'a> Loop<'a> {
    pub(super) fn new(specification: &'a Specification, options: &'a Options) -> Self {
        Self {
            specification,
            options,
            essentials: Cover::new(specification.on.shape()),
            fixed: specification.dont_care.clone(),
            pool: BTreeSet::new(),
            lower_bound: 0,
        }
    }

    pub(super) fn spent(&self) -> bool {
        self.options.budget.spent()
    }

    pub(super) fn effort(&self, exact: bool) -> Effort {
        Effort { exact, seed: self.options.seed, budget: self.options.budget.clone() }
    }

    fn report(&self, step: &'static str, cover: &Cover) {
        self.options.budget.report(step, Some(cover.terms() + self.essentials.terms()), self.lower_bound);
    }

    /// The first pass, which also finds the essentials. Returns a whole cover.
    pub(super) fn first(&mut self, off: &Cover) -> Cover {
        let on = &self.specification.on;
        self.report("expand", on);
        let order = expand::order(on);
        let primes = expand::expand(on, off, &order, Raise::InputsFirst, || self.spent());
        if self.spent() {
            return primes;
        }
        let primes = self.irredundant(&primes);
        self.report("essential", &primes);
        let flags = essential(&primes, &self.specification.dont_care, || self.spent());
        self.essentials = primes.filtered(|term| flags[term]);
        self.fixed.extend(&self.essentials);
        self.lower_bound = self.essentials.terms().max(usize::from(!primes.is_empty()));
        let rest = primes.filtered(|term| !flags[term]);
        self.iterate(off, rest, Raise::InputsFirst, None)
    }

    /// Another pass from another order.
    pub(super) fn restart(&mut self, off: &Cover, best: &Cover, restart: u64) -> Cover {
        let mut rng = ChaCha8Rng::seed_from_u64(self.options.seed);
        rng.set_stream(restart);
        let raise = if restart % 2 == 1 { Raise::OutputsFirst } else { Raise::InputsFirst };
        // Half of the restarts begin with the ON-set itself, the others with the best cover so far.
        let start = if restart % 4 < 2 { &self.specification.on } else { best };
        let start = start.filtered(|term| !self.is_fixed(start.cube(term)));
        let mut order: Vec<usize> = (0..start.terms()).collect();
        order.shuffle(&mut rng);
        let primes = expand::expand(&start, off, &order, raise, || self.spent());
        let primes = self.irredundant(&primes);
        self.iterate(off, primes, raise, Some(rng))
    }

    /// Whether essentials and don't-cares cover the cube.
    fn is_fixed(&self, cube: &[u64]) -> bool {
        covered(cube, &self.fixed, None, &Cover::new(self.fixed.shape()))
    }

    /// Reduce, expand, irredundant while that helps; then `last_gasp`. Returns a whole cover.
    fn iterate(&mut self, off: &Cover, start: Cover, raise: Raise, mut rng: Option<ChaCha8Rng>) -> Cover {
        let mut best = start;
        let mut raise = raise;
        loop {
            loop {
                if self.spent() || best.is_empty() {
                    return self.whole(&best);
                }
                self.report("reduce", &best);
                let mut order = reduce::order(&best);
                if let Some(rng) = &mut rng {
                    let turn = rng.random_range(0..order.len());
                    order.rotate_left(turn);
                }
                let reduced = reduce::reduce(&best, &self.fixed, &order, || self.spent());
                self.report("expand", &best);
                let order = expand::order(&reduced);
                let expanded = expand::expand(&reduced, off, &order, raise, || self.spent());
                let next = self.irredundant(&expanded);
                let helped = next.terms() < best.terms();
                best = smaller(best, next);
                if !helped {
                    break;
                }
            }
            self.report("last_gasp", &best);
            let more = last_gasp(&best, off, &self.fixed, raise, || self.spent());
            let mut joined = best.clone();
            joined.extend(&more);
            let next = self.irredundant(&joined.sorted());
            let helped = next.terms() < best.terms();
            best = smaller(best, next);
            if !helped {
                return self.whole(&best);
            }
            raise = if raise == Raise::InputsFirst { Raise::OutputsFirst } else { Raise::InputsFirst };
        }
    }

    pub(super) fn whole(&self, rest: &Cover) -> Cover {
        let mut cover = self.essentials.clone();
        cover.extend(rest);
        cover
    }

    /// The smallest part of `primes` that covers, with what is fixed; the primes join the pool.
    pub(super) fn irredundant(&mut self, primes: &Cover) -> Cover {
        self.pool.extend(primes.cubes().map(<[u64]>::to_vec));
        if self.spent() {
            return primes.clone();
        }
        self.report("irredundant", primes);
        // Cubes that no others cover stay anyway; only the rest is a question, with those for free.
        let stays: Vec<bool> = primes
            .cubes()
            .enumerate()
            .map(|(term, cube)| self.spent() || !covered(cube, primes, Some(term), &self.fixed))
            .collect();
        let mut kept = primes.filtered(|term| stays[term]);
        let rest = primes.filtered(|term| !stays[term]);
        let mut fixed = self.fixed.clone();
        fixed.extend(&kept);
        // A cover of primes stands for the ON-set: its own cubes are what must stay covered.
        let rest = match irredundant(&rest, &rest, &fixed, REGION_CAP, &self.effort(false)) {
            Some(answer) => answer.cover,
            None => irredundant::drop_redundant(&rest, &fixed, &self.options.budget),
        };
        kept.extend(&rest);
        kept.sorted()
    }

    /// The smallest cover among the candidates; if they are all the primes there are, its bound is proven for all covers.
    pub(super) fn covering(&mut self, best: Cover, candidates: &Cover, complete: bool) -> Cover {
        if self.spent() || best.terms() <= self.lower_bound {
            return best;
        }
        self.options.budget.report("covering", Some(best.terms()), self.lower_bound);
        let candidates = candidates.filtered(|term| !self.is_essential(candidates.cube(term)));
        let effort = self.effort(self.options.exact && complete);
        let patient = self.options.exact || self.options.effort > 6;
        let region_cap = if patient { 20 * REGION_CAP } else { REGION_CAP };
        let on = &self.specification.on;
        let Some(answer) = irredundant(on, &candidates, &self.fixed, region_cap, &effort) else {
            return best;
        };
        if complete {
            self.lower_bound = self.lower_bound.max(answer.lower_bound + self.essentials.terms());
        }
        smaller(best, self.whole(&answer.cover))
    }

    pub(super) fn is_essential(&self, cube: &[u64]) -> bool {
        self.essentials.cubes().any(|essential| essential == cube)
    }
}
