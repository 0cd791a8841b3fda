//! The loop itself, its restarts, and the pool that they share.

use super::Specification;
use super::all_primes::all_primes;
use super::essential::essential;
use super::expand::{self, Raise};
use super::irredundant::{self, irredundant};
use super::last_gasp::last_gasp;
use super::make_sparse::make_sparse;
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
/// Primes up to which all of them are listed: without and with `exact`.
const PRIMES_CAP: usize = 20_000;
const PRIMES_CAP_EXACT: usize = 1_000_000;
/// Restarts of the loop.
const RESTARTS: u64 = 4;

/// A valid cover with what is known of it.
pub(super) struct Answer {
    pub(super) cover: Cover,
    pub(super) lower_bound: usize,
    pub(super) interrupted: bool,
}

/// Runs the loop, its restarts and the final covering.
pub(super) fn run(specification: &Specification, options: &Options) -> Answer {
    let mut engine = Loop {
        specification,
        options,
        essentials: Cover::new(specification.on.shape()),
        fixed: specification.dont_care.clone(),
        pool: BTreeSet::new(),
        lower_bound: 0,
    };
    let Some(off) = &specification.off else {
        return engine.by_tautology();
    };
    let mut best = engine.first(off);
    if !options.single_pass {
        best = engine.improve(off, best);
    }
    if !options.budget.spent() {
        options.budget.report("make_sparse", Some(best.terms()), engine.lower_bound);
        best = make_sparse(&best, off, &specification.dont_care, || options.budget.spent());
    }
    Answer {
        interrupted: options.budget.spent() && engine.lower_bound < best.terms(),
        lower_bound: engine.lower_bound,
        cover: best,
    }
}

fn cost(cover: &Cover) -> (usize, usize) {
    (cover.terms(), cover.literals())
}

fn smaller(a: Cover, b: Cover) -> Cover {
    if cost(&b) < cost(&a) { b } else { a }
}

struct Loop<'a> {
    specification: &'a Specification,
    options: &'a Options,
    /// Primes that every cover has.
    essentials: Cover,
    /// Covers for free: don't-cares and essentials.
    fixed: Cover,
    /// Every prime met so far, essentials left out.
    pool: BTreeSet<Vec<u64>>,
    lower_bound: usize,
}

impl Loop<'_> {
    fn spent(&self) -> bool {
        self.options.budget.spent()
    }

    fn effort(&self, exact: bool) -> Effort {
        Effort { exact, seed: self.options.seed, budget: self.options.budget.clone() }
    }

    fn report(&self, step: &'static str, cover: &Cover) {
        self.options.budget.report(step, Some(cover.terms() + self.essentials.terms()), self.lower_bound);
    }

    /// The first pass, which also finds the essentials. Returns a whole cover.
    fn first(&mut self, off: &Cover) -> Cover {
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

    /// What goes beyond Berkeley's loop: a cover from all primes, or restarts and a cover from all primes that they met.
    fn improve(&mut self, off: &Cover, mut best: Cover) -> Cover {
        if let Some(primes) = self.all_primes(&best) {
            return self.covering(best, &primes, true);
        }
        for restart in 1..=RESTARTS {
            if best.terms() <= self.lower_bound || self.spent() {
                break;
            }
            let again = self.restart(off, &best, restart);
            best = smaller(best, again);
        }
        let pool = Cover::from_words(best.shape(), self.pool.iter().flatten().copied().collect());
        self.covering(best, &pool, false)
    }

    /// Another pass from another order.
    fn restart(&mut self, off: &Cover, best: &Cover, restart: u64) -> Cover {
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

    fn whole(&self, rest: &Cover) -> Cover {
        let mut cover = self.essentials.clone();
        cover.extend(rest);
        cover
    }

    /// The smallest part of `primes` that covers, with what is fixed; the primes join the pool.
    fn irredundant(&mut self, primes: &Cover) -> Cover {
        self.pool.extend(primes.cubes().map(<[u64]>::to_vec));
        if self.spent() {
            return primes.clone();
        }
        self.report("irredundant", primes);
        // A cover of primes stands for the ON-set: its own cubes are what must stay covered.
        match irredundant(primes, primes, &self.fixed, REGION_CAP, &self.effort(false)) {
            Some(answer) => answer.cover,
            None => irredundant::drop_redundant(primes, &self.fixed, &self.options.budget),
        }
    }

    /// All primes, where they can be listed and could still help.
    fn all_primes(&self, best: &Cover) -> Option<Cover> {
        if self.spent() || best.terms() <= self.lower_bound {
            return None;
        }
        self.options.budget.report("all primes", Some(best.terms()), self.lower_bound);
        let cap = if self.options.exact { PRIMES_CAP_EXACT } else { PRIMES_CAP };
        let Specification { on, dont_care, .. } = self.specification;
        all_primes(on, dont_care, cap, &self.options.budget)
    }

    /// The smallest cover among the candidates; if they are all the primes there are, its bound is proven for all covers.
    fn covering(&mut self, best: Cover, candidates: &Cover, complete: bool) -> Cover {
        if self.spent() || best.terms() <= self.lower_bound {
            return best;
        }
        self.options.budget.report("covering", Some(best.terms()), self.lower_bound);
        let candidates = candidates.filtered(|term| !self.is_essential(candidates.cube(term)));
        let effort = self.effort(self.options.exact && complete);
        let region_cap = if self.options.exact { 20 * REGION_CAP } else { REGION_CAP };
        let on = &self.specification.on;
        let Some(answer) = irredundant(on, &candidates, &self.fixed, region_cap, &effort) else {
            return best;
        };
        if complete {
            self.lower_bound = self.lower_bound.max(answer.lower_bound + self.essentials.terms());
        }
        smaller(best, self.whole(&answer.cover))
    }

    fn is_essential(&self, cube: &[u64]) -> bool {
        self.essentials.cubes().any(|essential| essential == cube)
    }

    /// Without an OFF-set: literals and cubes are dropped while ON and don't-care still hold the rest.
    fn by_tautology(&mut self) -> Answer {
        let Specification { on, dont_care, .. } = self.specification;
        let shape = on.shape();
        let mut cover = on.clone();
        for term in 0..cover.terms() {
            for i in 0..shape.inputs() {
                if self.spent() {
                    break;
                }
                let mut wider = cover.cube(term).to_vec();
                shape.set_literal(&mut wider, i, crate::cube::Literal::Free);
                if wider != cover.cube(term) && covered(&wider, on, None, dont_care) {
                    cover.cube_mut(term).copy_from_slice(&wider);
                }
            }
        }
        let cover =
            if self.spent() { cover } else { self.irredundant(&super::single_cube_containment(&cover)) };
        if !self.spent() {
            let flags = essential(&cover, dont_care, || self.spent());
            self.lower_bound = flags.iter().filter(|&&flag| flag).count();
        }
        Answer {
            interrupted: self.spent() && self.lower_bound < cover.terms(),
            lower_bound: self.lower_bound,
            cover,
        }
    }
}
