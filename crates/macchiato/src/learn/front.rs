//! The front of accuracy against size, and the circuit that a reader picks from it.
//!
//! Every recipe was judged by rows that it did not learn from. By default the circuit is taken that is worth most to a reader: the nats in which
//! its rate describes those rows, less a price for every condition. A longer circuit has to explain more rows than its conditions cost.

use super::candidate::{Candidate, Family};
use super::pick::Pick;
use super::score;
use crate::bits;
use crate::fit::{self, DecidedBy};

/// The share of rows that no reader gives away for a shorter circuit. Without it a random function of 15 inputs (the paper's configuration 9) would be answered
/// by a constant, though its table is right on four rows of five; of the contest's functions and the tables, the picks of all but one lose less than 2.1 %.
const FAR: f64 = 0.1;

/// A candidate with what rows that it did not learn from say.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The circuit.
    pub candidate: Candidate,
    /// Which of the rows put aside it is right on.
    right: Vec<u64>,
    /// How many these are.
    pub hits: usize,
}

impl Judged {
    pub(super) fn new(candidate: Candidate, right: Vec<u64>) -> Self {
        let hits = bits::count(&right);
        Self { candidate, right, hits }
    }

    /// Rows on which this one alone is right, and on which the other one alone is.
    #[must_use]
    pub fn against(&self, other: &Self) -> [u32; 2] {
        let only =
            |a: &[u64], b: &[u64]| -> u32 { a.iter().zip(b).map(|(a, b)| (a & !b).count_ones()).sum() };
        [only(&self.right, &other.right), only(&other.right, &self.right)]
    }

    /// Whether this one is right on more rows by more than chance: the square of the lead is more than 2 ln `compared` times the rows on which the two
    /// differ, which is about how far the luckiest of so many equals leads.
    pub(super) fn clearly_beats(&self, other: &Self, compared: usize) -> bool {
        let [own, others] = self.against(other).map(f64::from);
        let lead = own - others;
        lead > 0.0 && lead * lead > 2.0 * libm::log(compared.max(2) as f64) * (own + others)
    }
}

/// Candidates by size, each better than all shorter ones.
#[derive(Debug, Clone)]
pub struct Front {
    /// All that were compared, in order of recipes.
    pub judged: Vec<Judged>,
    /// Rows put aside; none where there were too few, and then scores decide.
    pub held: usize,
    /// Rows that they learned from.
    pub rows: usize,
    /// What decides between them.
    pub by: DecidedBy,
    /// Nats that a condition costs its reader.
    pub reading: f64,
}

impl Front {
    /// The members: in order of size, each better than all shorter ones by rate (by score where no rows were put aside).
    #[must_use]
    pub fn members(&self) -> Vec<&Judged> {
        let mut order: Vec<&Judged> = self.judged.iter().collect();
        order.sort_by(|a, b| self.order(a, b));
        let mut members: Vec<&Judged> = Vec::new();
        for judged in order {
            if members.last().is_none_or(|last| self.compare(judged, last).is_gt()) {
                members.push(judged);
            }
        }
        members
    }

    pub(super) fn compare(&self, a: &Judged, b: &Judged) -> std::cmp::Ordering {
        let by_score = || a.candidate.score().total_cmp(&b.candidate.score());
        if self.held == 0 { by_score() } else { a.hits.cmp(&b.hits).then_with(by_score) }
    }

    /// The one that is wanted; none of an empty front.
    #[must_use]
    pub fn pick(&self, pick: Pick) -> Option<&Judged> {
        let best = self.judged.iter().max_by(|a, b| self.compare(a, b))?;
        match pick {
            Pick::Best => Some(best),
            Pick::Score => self.by_worth(),
            Pick::SimplestWithin(slack) => {
                self.shortest(|judged| judged.hits as f64 + slack * self.held as f64 >= best.hits as f64)
            }
            Pick::MaxConditions(most) => {
                let members = self.members();
                let fits = members.iter().rev().find(|judged| judged.candidate.conditions() <= most);
                fits.or(members.first()).copied()
            }
        }
    }

    /// What a model remembers of one that was compared.
    pub(crate) fn record(&self, judged: &Judged) -> fit::Candidate {
        fit::Candidate {
            name: judged.candidate.recipe.family.name().to_owned(),
            conditions: judged.candidate.conditions(),
            nats: Some((-judged.candidate.score() * 1000.0).round() / 1000.0),
            right: (self.held > 0).then_some(judged.hits),
        }
    }

    /// The circuit of a recipe is now this one; what the rows that judge said of the recipe stands.
    pub(super) fn learned_again(&mut self, candidate: &Candidate) {
        let same = |judged: &&mut Judged| judged.candidate.recipe == candidate.recipe;
        if let Some(judged) = self.judged.iter_mut().find(same) {
            judged.candidate = candidate.clone();
        }
    }

    fn shortest(&self, good: impl Fn(&Judged) -> bool) -> Option<&Judged> {
        self.judged.iter().filter(|judged| good(judged)).min_by(|a, b| self.order(a, b))
    }

    /// Shorter ones first, and of equally long ones the better.
    fn order(&self, a: &Judged, b: &Judged) -> std::cmp::Ordering {
        a.candidate.conditions().cmp(&b.candidate.conditions()).then_with(|| self.compare(b, a))
    }

    /// What a circuit is worth to a reader: the nats of the rows that judge, as if all rows did, less what its conditions cost and, but for the
    /// constant, which of the circuits compared it is. Where no rows judge, its score.
    #[must_use]
    pub fn worth(&self, judged: &Judged) -> f64 {
        if self.held == 0 {
            return judged.candidate.score();
        }
        let candidate = &judged.candidate;
        let wrong = (self.held - judged.hits) as u32;
        let share = self.rows as f64 / self.held as f64;
        let named = if candidate.recipe.family == Family::Constant {
            0.0
        } else {
            libm::log(self.judged.len() as f64)
        };
        score::cell([wrong, judged.hits as u32]) * share
            - self.reading * candidate.conditions() as f64
            - named
    }

    /// The one that is worth most, the shorter of equals; none that is clearly and far worse than another.
    fn by_worth(&self) -> Option<&Judged> {
        let far = |own: &Judged, other: &Judged| {
            other.hits as f64 > own.hits as f64 + FAR * self.held as f64
                && other.clearly_beats(own, self.judged.len())
        };
        let near = |own: &&Judged| !self.judged.iter().any(|other| far(own, other));
        let better =
            |a: &&Judged, b: &&Judged| self.worth(a).total_cmp(&self.worth(b)).then_with(|| self.order(b, a));
        self.judged.iter().filter(near).max_by(better)
    }
}
