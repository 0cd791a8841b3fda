//! Whether a selection is certified, and how many rows would probably do.

use serde::Serialize;

use super::InputReading;
use crate::bounds::binomial::{self, Interval};

/// What is known about a selection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is")]
#[non_exhaustive]
pub enum Verdict {
    /// It is the population's.
    Certified,
    /// The limits leave it open.
    NotCertified {
        /// About so many times the pairs would do, at the same shares; none if no number would.
        times_pairs: Option<f64>,
        /// About so many distinct rows would do, this many in all; none if no number would, or no pair was seen to tell.
        rows: Option<f64>,
        /// The least threshold with which it would be certified as it is; none if there is none.
        from_tau: Option<f64>,
    },
    /// The residual was made from these very rows: fresh ones are needed.
    NeedsFreshRows,
    /// The stage was not chosen by influence.
    NoSelection,
    /// The rows refute what is assumed: both labels at one point, or inputs that are not uniform.
    Refuted,
}

/// How limits follow from differing pairs, pairs and risk: exactly, but in tests of the tests.
pub(super) type Limits = fn(u64, u64, f64) -> Interval;

/// What decides about a selection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule<'a> {
    pub(super) selected: &'a [usize],
    pub(super) k: usize,
    pub(super) tau: f64,
}

impl Rule<'_> {
    /// The interval form of the separation: implies that the selection is the population's if all limits hold.
    fn holds(&self, limits: &[Interval]) -> bool {
        let inside = |input: &usize| self.selected.binary_search(input).is_ok();
        let low = self.selected.iter().map(|&input| limits[input].low).fold(f64::INFINITY, f64::min);
        let outside = (0..limits.len()).filter(|input| !inside(input)).map(|input| limits[input].high);
        let high = outside.fold(f64::NEG_INFINITY, f64::max);
        let apart = if self.selected.len() == self.k { low > high } else { high <= self.tau };
        low > self.tau && apart
    }

    /// The least threshold with which the rule would hold.
    fn least_tau(&self, limits: &[Interval]) -> Option<f64> {
        let outside = (0..limits.len()).filter(|input| self.selected.binary_search(input).is_err());
        let high = outside.map(|input| limits[input].high).fold(self.tau, f64::max);
        Rule { tau: high, ..*self }.holds(limits).then_some(high)
    }

    /// The verdict at this risk for each limit, for limits from `distinct` rows out of the `cube`.
    pub(super) fn verdict(&self, seen: &[InputReading], risk: f64, distinct: usize, cube: f64) -> Verdict {
        let limits: Vec<Interval> = seen.iter().map(|input| input.limits).collect();
        if self.holds(&limits) {
            return Verdict::Certified;
        }
        let times_pairs = self.times(seen, risk);
        let none_seen = seen.iter().any(|input| input.seen.pairs == 0);
        // Pairs grow with the square of the rows; with all points of the cube nothing is left to estimate.
        let rows = times_pairs.filter(|_| !none_seen).map(|times| (distinct as f64 * times.sqrt()).min(cube));
        Verdict::NotCertified { times_pairs, rows, from_tau: self.least_tau(&limits) }
    }

    /// By how much the pairs must grow, at the same shares, until the rule holds.
    fn times(&self, seen: &[InputReading], risk: f64) -> Option<f64> {
        /// Beyond this the shares are the same for all that rows can tell.
        const MOST: f64 = (1u64 << 30) as f64;
        let grown = |times: f64| {
            let limits: Vec<Interval> = seen
                .iter()
                .map(|input| {
                    if input.census {
                        return input.limits;
                    }
                    #[allow(clippy::cast_sign_loss)] // Counts are not negative.
                    let grow = |count: u64| (count as f64 * times).round() as u64;
                    let pairs = grow(input.seen.pairs);
                    binomial::interval(grow(input.seen.differing).min(pairs), pairs, risk)
                })
                .collect();
            self.holds(&limits)
        };
        let mut high = 2.0;
        while !grown(high) {
            high *= 2.0;
            if high > MOST {
                return None;
            }
        }
        let mut low = high / 2.0;
        while high / low > 1.05 {
            let middle = (low * high).sqrt();
            if grown(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }
}

/// Whether limits that all hold certify that `selected`, in increasing order, is the population's selection of at most `k` inputs above
/// `tau`.
///
/// ```
/// use macchiato::bounds::binomial::Interval;
/// use macchiato::bounds::trace::certify;
///
/// let limits = [(0.4, 0.6), (0.1, 0.2), (0.5, 0.9)].map(|(low, high)| Interval { low, high });
/// assert!(certify(&limits, &[0, 2], 2, 0.0), "both are above the third");
/// assert!(!certify(&limits, &[2], 1, 0.0), "the first may be the greatest");
/// assert!(!certify(&limits, &[0, 2], 3, 0.0), "the second may be above 0");
/// assert!(certify(&limits, &[0, 2], 3, 0.2), "but not above 0.2");
/// ```
#[must_use]
pub fn certify(limits: &[Interval], selected: &[usize], k: usize, tau: f64) -> bool {
    Rule { selected, k, tau }.holds(limits)
}
