//! How far a run is, and how long the rest may take.

use std::collections::BTreeMap;

use super::method::Method;
use super::outcome::{Ended, Outcome, Piece};
use super::results::Results;
use crate::duration::duration;

/// Seconds of one kind of piece, and of how many.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    seconds: f64,
    pieces: usize,
}

/// Counts pieces and learns what they cost, per configuration and method.
#[derive(Debug)]
pub(crate) struct Progress {
    kinds: BTreeMap<(usize, Method), Spent>,
    /// From earlier results, until this run knows better.
    earlier: BTreeMap<(usize, Method), Spent>,
    left: BTreeMap<(usize, Method), usize>,
    done: usize,
    all: usize,
    /// Pieces of one core at a time.
    workers: usize,
}

impl Progress {
    pub(crate) fn new(pieces: &[Piece], earlier: &[&Results], workers: usize) -> Self {
        let mut progress = Self {
            kinds: BTreeMap::new(),
            earlier: BTreeMap::new(),
            left: BTreeMap::new(),
            done: 0,
            all: pieces.len(),
            workers,
        };
        for &(configuration, method, _) in pieces {
            *progress.left.entry((configuration, method)).or_default() += 1;
        }
        for outcome in earlier.iter().flat_map(|results| results.outcomes.values()) {
            let spent = progress.earlier.entry((outcome.configuration, outcome.method)).or_default();
            spent.seconds += outcome.seconds;
            spent.pieces += 1;
        }
        progress
    }

    /// Takes note of a piece that took `seconds` with everything around it, and gives the line to show.
    pub(crate) fn line(&mut self, outcome: &Outcome, seconds: f64) -> String {
        let kind = (outcome.configuration, outcome.method);
        let spent = self.kinds.entry(kind).or_default();
        spent.seconds += seconds;
        spent.pieces += 1;
        if let Some(left) = self.left.get_mut(&kind) {
            *left = left.saturating_sub(1);
        }
        self.done += 1;
        let figure = match (&outcome.ended, outcome.last()) {
            (Ended::Failed(why), _) => why.clone(),
            (Ended::Budget, Some(accuracy)) => format!("{accuracy:.3}, the best within the budget"),
            (_, accuracy) => format!("{:.3}", accuracy.unwrap_or(f64::NAN)),
        };
        format!(
            "paper: {} of {}: configuration {}, seed {}, {}: {figure} in {}; {} left",
            self.done,
            self.all,
            outcome.configuration,
            outcome.seed,
            outcome.method.title(),
            duration(outcome.seconds),
            duration(self.seconds_left())
        )
    }

    /// What is left, each piece taken to cost what others of its kind did, or the mean of all.
    fn seconds_left(&self) -> f64 {
        let total = self.kinds.values().fold(Spent::default(), |sum, spent| Spent {
            seconds: sum.seconds + spent.seconds,
            pieces: sum.pieces + spent.pieces,
        });
        let mean = |spent: &Spent| spent.seconds / spent.pieces.max(1) as f64;
        let cost = |(kind, &left): (&(usize, Method), &usize)| {
            let known = self.kinds.get(kind).or(self.earlier.get(kind)).unwrap_or(&total);
            let workers = if kind.1.takes_one_core() { self.workers } else { 1 };
            mean(known) * left as f64 / workers as f64
        };
        self.left.iter().map(cost).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_follows_what_pieces_of_a_kind_cost() {
        let pieces: Vec<Piece> =
            (0..3).flat_map(|seed| [(1, Method::Paper, seed), (9, Method::FlatRows, seed)]).collect();
        let mut progress = Progress::new(&pieces, &[], 2);
        let outcome = |(id, method, seed), seconds| Outcome::new((id, method, seed), seconds, vec![0.5]);
        let line = progress.line(&outcome(pieces[0], 1.0), 2.0);
        assert!(
            line.starts_with("paper: 1 of 6: configuration 1, seed 0, Algorithm 1: 0.500 in 1.00 s"),
            "{line}"
        );
        progress.line(&outcome(pieces[1], 10.0), 10.0);
        assert!((progress.seconds_left() - (2.0 * 2.0 + 2.0 * 10.0 / 2.0)).abs() < 1e-9);
    }
}
