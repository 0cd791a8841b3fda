//! The loop: expand every row that is still open, irredundant, reduce, expand again, with restarts into one pool.
//!
//! A pass gives a cover of primes. REDUCE shrinks each term to the supercube of the ON rows that it alone holds, which
//! EXPAND then grows in another direction; every prime met joins the pool, and covers are chosen from the pool. The
//! effort is a count of word operations, so the answer does not depend on the clock unless the budget is spent.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::columns::Code;
use super::expand::{Gain, Style, expand};
use super::instance::Instance;
use super::pool::Pool;
use crate::budget::Budget;
use crate::cube::ones;

/// Word operations after which no restart begins.
const WORK: u64 = 1 << 29;
/// Restarts without a better cover after which the search ends.
const PATIENCE: usize = 12;
/// Most memory of the pool.
const POOL_BYTES: usize = 1 << 28;
/// Most terms among which one covering problem chooses.
const POOL_TERMS: usize = 20_000;

/// The state of one run.
pub(super) struct Search<'a> {
    pub(super) instance: &'a Instance,
    budget: &'a Budget,
    rng: ChaCha8Rng,
    pub(super) pool: Pool,
    work: u64,
}

/// A cover: terms of the pool and, where the budget was spent too early, ON rows as they are.
pub(super) struct Found {
    pub(super) terms: Vec<u32>,
    pub(super) rows: Vec<u32>,
    pub(super) interrupted: bool,
}

/// Which ON rows a pass counts when it scores literals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Focus {
    /// Those that no earlier term of the pass holds.
    Open,
    All,
}

impl<'a> Search<'a> {
    pub(super) fn new(instance: &'a Instance, budget: &'a Budget, rng: ChaCha8Rng) -> Self {
        Self { instance, budget, rng, pool: Pool::default(), work: 0 }
    }

    /// The best cover found.
    pub(super) fn run(&mut self) -> Found {
        let (terms, open) = self.pass(style(0), Focus::All);
        if open.iter().any(|&word| word != 0) {
            let rows = ones(&open).map(|row| row as u32).collect();
            return Found { terms, rows, interrupted: true };
        }
        let mut best = self.irredundant(&terms);
        self.improve(&mut best);
        let mut idle = 0;
        let mut restart = 1;
        while idle < PATIENCE && self.work < WORK && self.pool.bytes() < POOL_BYTES && !self.budget.spent() {
            idle += 1;
            let focus = if restart % 2 == 1 { Focus::Open } else { Focus::All };
            let (terms, open) = self.pass(style(restart), focus);
            if open.iter().any(|&word| word != 0) {
                break;
            }
            let mut cover = self.irredundant(&terms);
            self.improve(&mut cover);
            cover = self.irredundant(&union(cover, best.iter().copied()));
            self.improve(&mut cover);
            if self.pool.cost(&cover) < self.pool.cost(&best) {
                best = cover;
                idle = 0;
            }
            restart += 1;
        }
        self.choose_from_pool(&mut best);
        Found { terms: best, rows: Vec::new(), interrupted: self.budget.spent() }
    }

    /// Expands ON rows in random order until each is held; gives the terms and, if cut short, the rows still open.
    fn pass(&mut self, style: Style, focus: Focus) -> (Vec<u32>, Vec<u64>) {
        let all = self.instance.on.all();
        let mut open = all.clone();
        let mut terms = Vec::new();
        let mut order: Vec<u32> = (0..self.instance.on.rows() as u32).collect();
        order.shuffle(&mut self.rng);
        for row in order {
            if open[row as usize / 64] >> (row % 64) & 1 == 0 {
                continue;
            }
            if self.budget.spent() {
                break;
            }
            let cube: Vec<Code> = self.instance.on.literals(row as usize).collect();
            let focus = if focus == Focus::Open { &open } else { &all };
            let term = self.expand(&cube, focus, style);
            self.pool.term(term).clear_from(&mut open);
            terms.push(term);
            if terms.len().is_multiple_of(64) {
                self.budget.report("expand", None, 0);
            }
        }
        (terms, open)
    }

    fn expand(&mut self, cube: &[Code], focus: &[u64], style: Style) -> u32 {
        // Where there are so many rows that one pass takes all the effort, terms need not be the best.
        let style = Style { swap: style.swap && self.work < WORK, ..style };
        let prime = expand(self.instance, cube, focus, style, &mut self.rng, &mut self.work);
        self.pool.add(self.instance, prime, &mut self.work)
    }

    fn irredundant(&mut self, candidates: &[u32]) -> Vec<u32> {
        let seed = self.rng.random();
        let cover = self.pool.irredundant(candidates, self.instance.on.rows(), seed, self.budget);
        self.budget.report("irredundant", Some(cover.len()), 0);
        cover
    }

    /// Reduces and re-expands while the cover gets smaller.
    fn improve(&mut self, best: &mut Vec<u32>) {
        for round in 0.. {
            if self.budget.spent() || self.work >= 2 * WORK {
                return;
            }
            let grown = self.reduced(best, round);
            let cover = self.irredundant(&union(grown, best.iter().copied()));
            if self.pool.cost(&cover) >= self.pool.cost(best) {
                return;
            }
            *best = cover;
        }
    }

    /// The primes that the reduced terms of `cover` grow to.
    fn reduced(&mut self, cover: &[u32], round: usize) -> Vec<u32> {
        let words = self.instance.on.words();
        let (mut once, mut twice) = (vec![0; words], vec![0; words]);
        for &id in cover {
            self.pool.term(id).tally(&mut once, &mut twice);
        }
        let all = self.instance.on.all();
        let mut grown = Vec::new();
        for &id in cover {
            if self.budget.spent() {
                break;
            }
            let mut own = vec![0; words];
            self.pool.term(id).for_each_row(|row| own[row / 64] |= 1 << (row % 64));
            own.iter_mut().zip(&twice).for_each(|(own, twice)| *own &= !twice);
            let Some(first) = ones(&own).next() else { continue };
            let columns = self.instance.on.columns();
            let cube: Vec<Code> =
                self.instance.on.literals(first).filter(|&literal| columns.all_pass(&own, literal)).collect();
            self.work += (words * 4) as u64;
            let style = Style { noise: 0.5, ..style(round) };
            grown.push(self.expand(&cube, &all, style));
        }
        grown
    }

    /// One covering problem over the whole pool, or over its newest terms where it is too large.
    fn choose_from_pool(&mut self, best: &mut Vec<u32>) {
        if self.budget.spent() {
            return;
        }
        let oldest = self.pool.len().saturating_sub(POOL_TERMS) as u32;
        let cover = self.irredundant(&union(best.clone(), oldest..self.pool.len() as u32));
        if self.pool.cost(&cover) < self.pool.cost(best) {
            *best = cover;
        }
    }
}

/// Both sets of terms, sorted, each term once.
fn union(mut terms: Vec<u32>, others: impl Iterator<Item = u32>) -> Vec<u32> {
    terms.extend(others);
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The style of pass `turn`: first the plain one, then each gain with growing noise.
fn style(turn: usize) -> Style {
    let gain = [Gain::Ratio, Gain::Foil, Gain::Ratio, Gain::Stop][turn % 4];
    let noise = if turn == 0 { 0.0 } else { [0.1, 0.3, 0.6][turn / 4 % 3] };
    Style { gain, noise, swap: true }
}
