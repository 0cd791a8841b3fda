//! The engine's course: one run of the Berkeley loop, then what the effort adds.
//!
//! A lower bound from ON points, which often meets the cover at once, and covers from the same points; then restarts from
//! other orders, all primes where they can be listed, and the smallest cover within the pool of all primes met. Work is
//! counted, never timed.

use super::Specification;
use super::all_primes::all_primes;
use super::bound::Bound;
use super::essential::essential;
use super::expand::{self, Raise};
use super::make_sparse::make_sparse;
use super::state::{Loop, smaller};
use super::tautology::covered;
use crate::cover::Cover;
use crate::outcome::Options;

/// Primes up to which all of them are listed: without and with `exact`.
const PRIMES_CAP: usize = 20_000;
const PRIMES_CAP_EXACT: usize = 1_000_000;
/// Rounds without a better bound after which more points are not worth their time.
const PATIENCE: usize = 5;

/// The share of the bound's work that the sets of one round may take, and the most that they may as long as the bound rises.
const SETS_SHARE: usize = 20;
const MOST_SETS: usize = 1_000_000;

/// The part of the time left that one branch and bound on the points may take.
const SHARE_OF_BRANCHING: u32 = 4;
/// Work of the bound that is never worth saving: some 20 ms.
const LEAST_WORK: usize = 2_000_000;

/// Terms times OFF cubes up to which even the lowest effort tries two more orders: they take a few milliseconds.
const SMALL: usize = 40_000;

/// What an effort buys after the first run of the loop.
struct Allowance {
    /// Work of the bound, in comparisons of an OFF cube: some 10 ns each.
    work: usize,
    /// Further runs of the loop.
    restarts: u64,
    /// Primes that may be listed.
    primes: usize,
}

impl Allowance {
    /// `size` is the number of terms times that of OFF cubes, which the first run's time follows: the bound should not take
    /// much longer than that unless asked to.
    fn new(options: &Options, size: usize) -> Self {
        let scaled = |times: usize, most: usize| times.saturating_mul(size).clamp(LEAST_WORK, most);
        let plan = |work, restarts, primes| Self { work, restarts, primes };
        match options.effort {
            _ if options.exact => plan(usize::MAX, 4, PRIMES_CAP_EXACT),
            0 | 1 if size <= SMALL => plan(0, 2, 0),
            0 | 1 => plan(0, 0, 0),
            2 => plan(scaled(20, 5_000_000), 0, 0),
            3 => plan(scaled(50, 10_000_000), 0, 0),
            4 => plan(scaled(100, 15_000_000), 0, 0),
            5 => plan(scaled(150, 20_000_000), 0, 0),
            6 => plan(100_000_000, 0, PRIMES_CAP),
            7 => plan(500_000_000, 2, PRIMES_CAP),
            8 => plan(3_000_000_000, 4, PRIMES_CAP),
            _ => plan(20_000_000_000, 16, 10 * PRIMES_CAP),
        }
    }
}

/// A valid cover with what is known of it.
pub(super) struct Answer {
    pub(super) cover: Cover,
    pub(super) lower_bound: usize,
    pub(super) interrupted: bool,
}

/// Runs the loop, and improves its cover and the bound as the options say.
pub(super) fn run(specification: &Specification, options: &Options) -> Answer {
    let mut engine = Loop::new(specification, options);
    let Some(off) = &specification.off else {
        return by_tautology(&mut engine);
    };
    let mut best = engine.first(off);
    let plan = Allowance::new(options, best.terms().saturating_mul(off.terms()));
    if plan.work > 0 || plan.restarts > 0 {
        best = improve(&mut engine, off, &plan, best);
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

/// What goes beyond Berkeley's loop.
fn improve(engine: &mut Loop<'_>, off: &Cover, plan: &Allowance, mut best: Cover) -> Cover {
    if plan.work > 0 {
        best = raise_bound(engine, off, plan, best);
    }
    if let Some(primes) = list_primes(engine, plan, &best) {
        return engine.covering(best, &primes, true);
    }
    for restart in 1..=plan.restarts {
        if best.terms() <= engine.lower_bound || engine.spent() {
            break;
        }
        let again = engine.restart(off, &best, restart);
        best = smaller(best, again);
    }
    let pool = Cover::from_words(best.shape(), engine.pool.iter().flatten().copied().collect());
    engine.covering(best, &pool, false)
}

/// Raises the lower bound by ON points of few primes, and takes the covers that come of it.
fn raise_bound(engine: &mut Loop<'_>, off: &Cover, plan: &Allowance, mut best: Cover) -> Cover {
    let fixed = engine.fixed.clone();
    let on = &engine.specification.on;
    let rest = best.filtered(|term| !engine.is_essential(best.cube(term)));
    let mut bound = Bound::new(off, &fixed);
    if !bound.add_own_points(&rest, plan.work, || engine.spent()) {
        return best;
    }
    let mut idle = 0;
    for round in 0.. {
        if best.terms() <= engine.lower_bound || engine.spent() {
            break;
        }
        engine.options.budget.report("bound", Some(best.terms()), engine.lower_bound);
        // Branching is for a bound that stands still, and leaves time for further points.
        let mut effort = engine.effort(engine.options.exact && idle > 1);
        if effort.exact {
            effort.budget = effort.budget.share(SHARE_OF_BRANCHING);
        }
        let work_of_sets = (plan.work / SETS_SHARE).min(MOST_SETS << idle.min(PATIENCE));
        let Some(solved) = bound.solve(work_of_sets, &effort) else { break };
        let now = engine.essentials.terms() + solved.lower_bound;
        idle = if now > engine.lower_bound { 0 } else { idle + 1 };
        engine.lower_bound = engine.lower_bound.max(now);
        let order = expand::order(&solved.terms);
        let primes = expand::expand(&solved.terms, off, &order, Raise::InputsFirst, || engine.spent());
        engine.pool.extend(primes.cubes().map(<[u64]>::to_vec));
        // The terms of the cover and the cubes of the ON-set in turn: where one gives points of many primes, the other may not.
        let places = if round % 2 == 0 { &rest } else { on };
        let known = bound.known();
        if bound.add_open_points(places, &primes, || engine.spent()) {
            best = smaller(best, engine.whole(&primes));
        }
        let stuck = idle > PATIENCE && (!engine.options.exact || bound.known() == known);
        if stuck || bound.work() > plan.work {
            break;
        }
    }
    best
}

/// All primes, where they can be listed and could still help.
fn list_primes(engine: &Loop<'_>, plan: &Allowance, best: &Cover) -> Option<Cover> {
    if plan.primes == 0 || engine.spent() || best.terms() <= engine.lower_bound {
        return None;
    }
    engine.options.budget.report("all primes", Some(best.terms()), engine.lower_bound);
    let Specification { on, dont_care, .. } = engine.specification;
    all_primes(on, dont_care, plan.primes, &engine.options.budget)
}

/// Without an OFF-set: literals and cubes are dropped while ON and don't-care still hold the rest.
fn by_tautology(engine: &mut Loop<'_>) -> Answer {
    let Specification { on, dont_care, .. } = engine.specification;
    let shape = on.shape();
    let mut cover = on.clone();
    for term in 0..cover.terms() {
        for i in 0..shape.inputs() {
            if engine.spent() {
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
        if engine.spent() { cover } else { engine.irredundant(&super::single_cube_containment(&cover)) };
    if !engine.spent() {
        let flags = essential(&cover, dont_care, || engine.spent());
        engine.lower_bound = flags.iter().filter(|&&flag| flag).count();
    }
    Answer {
        interrupted: engine.spent() && engine.lower_bound < cover.terms(),
        lower_bound: engine.lower_bound,
        cover,
    }
}
