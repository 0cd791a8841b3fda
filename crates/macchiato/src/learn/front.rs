//! The front of accuracy against size, and the circuit that a reader picks from it.
//!
//! Every recipe was judged by rows that it did not learn from. The score decides unless these rows clearly speak for another circuit: among the rows
//! on which exactly one of the two is right, so many are the other's that a coin would show it with a chance of less than one in twenty divided
//! by the number of recipes compared (a sign test, exact, with Bonferroni's correction).

use super::candidate::Candidate;
use super::score;
use crate::bits;
use crate::rows::Rows;

/// The chance at which a difference counts, over all comparisons together.
const LEVEL: f64 = 0.05;

/// Which circuit of a front is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Pick {
    /// The one of greatest score; where rows put aside clearly speak against it, the shortest of those that they speak for.
    #[default]
    Score,
    /// The one that is right on most of the rows put aside, however long.
    Best,
    /// The shortest one whose rate on rows put aside is within this of the best one's.
    SimplestWithin(f64),
    /// The best one with at most so many conditions.
    MaxConditions(usize),
}

/// A pick that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no pick: give score, best, simplest-within=SHARE (such as 0.01) or max-conditions=N")]
pub struct PickError {
    /// What was given.
    pub text: String,
}

impl std::str::FromStr for Pick {
    type Err = PickError;

    /// `score`, `best`, `simplest-within=0.01` or `max-conditions=12`.
    fn from_str(text: &str) -> Result<Self, PickError> {
        let error = || PickError { text: text.to_owned() };
        match text.split_once('=') {
            None if text == "score" => Ok(Self::Score),
            None if text == "best" => Ok(Self::Best),
            Some(("simplest-within", share)) => {
                let share: f64 = share.parse().map_err(|_| error())?;
                if (0.0..=1.0).contains(&share) { Ok(Self::SimplestWithin(share)) } else { Err(error()) }
            }
            Some(("max-conditions", most)) => most.parse().map(Self::MaxConditions).map_err(|_| error()),
            _ => Err(error()),
        }
    }
}

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
    pub(super) fn new(candidate: Candidate, held: &Rows) -> Self {
        let words = bits::words(held.len());
        let answers = score::answers(&candidate.circuit, held);
        let mut right: Vec<u64> = answers.iter().zip(held.labels()).map(|(a, b)| !(a ^ b)).collect();
        right.truncate(words);
        if let Some(last) = right.last_mut() {
            *last &= bits::last_mask(held.len());
        }
        let hits = bits::count(&right);
        Self { candidate, right, hits }
    }

    /// The chance that two equally good circuits would differ by as much in this one's favour.
    fn chance_over(&self, other: &Self) -> f64 {
        let only =
            |a: &[u64], b: &[u64]| -> u32 { a.iter().zip(b).map(|(a, b)| (a & !b).count_ones()).sum() };
        tail(only(&self.right, &other.right), only(&other.right, &self.right))
    }
}

/// The chance of at least `wins` heads among `wins + losses` tosses of a coin.
pub(super) fn tail(wins: u32, losses: u32) -> f64 {
    let n = wins + losses;
    // ln of C(n, tails) / 2^n, from no tails on.
    let mut term = -f64::from(n) * std::f64::consts::LN_2;
    let mut sum = libm::exp(term);
    for tails in 1..=losses {
        term += libm::log(f64::from(n - tails + 1)) - libm::log(f64::from(tails));
        sum += libm::exp(term);
    }
    sum.min(1.0)
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

    fn compare(&self, a: &Judged, b: &Judged) -> std::cmp::Ordering {
        let by_score = || a.candidate.score().total_cmp(&b.candidate.score());
        if self.held == 0 { by_score() } else { a.hits.cmp(&b.hits).then_with(by_score) }
    }

    /// The one that is wanted; none of an empty front.
    #[must_use]
    pub fn pick(&self, pick: Pick) -> Option<&Judged> {
        let best = self.judged.iter().max_by(|a, b| self.compare(a, b))?;
        match pick {
            Pick::Best => Some(best),
            Pick::Score => self.by_score(),
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

    fn shortest(&self, good: impl Fn(&Judged) -> bool) -> Option<&Judged> {
        self.judged.iter().filter(|judged| good(judged)).min_by(|a, b| self.order(a, b))
    }

    /// Shorter ones first, and of equally long ones the better.
    fn order(&self, a: &Judged, b: &Judged) -> std::cmp::Ordering {
        a.candidate.conditions().cmp(&b.candidate.conditions()).then_with(|| self.compare(b, a))
    }

    fn by_score(&self) -> Option<&Judged> {
        let by_score = |a: &&Judged, b: &&Judged| a.candidate.score().total_cmp(&b.candidate.score());
        let winner = self.judged.iter().max_by(by_score)?;
        let overrules = |judged: &Judged| self.clearly_worse(winner, judged);
        let Some(most) =
            self.judged.iter().filter(|judged| overrules(judged)).max_by(|a, b| self.compare(a, b))
        else {
            return Some(winner);
        };
        self.shortest(|judged| overrules(judged) && !self.clearly_worse(judged, most))
    }

    fn clearly_worse(&self, judged: &Judged, than: &Judged) -> bool {
        self.held > 0 && than.chance_over(judged) < LEVEL / self.judged.len() as f64
    }
}
