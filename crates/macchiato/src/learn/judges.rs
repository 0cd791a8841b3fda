//! Rows that judge candidates which did not learn from them.
//!
//! Of few rows each judges in turn: five times a search learns from four fifths and is judged by the rest, so that a choice among recipes
//! rests on all rows, and the circuits themselves are learned from all. Of many rows one in five is put aside once. With validation rows, those
//! judge; with hardly any rows nobody does, and scores decide.

use super::candidate::{Candidate, Recipe};
use super::front::Judged;
use super::score;
use crate::bits;
use crate::draw;
use crate::random::Stream;
use crate::rows::Rows;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use std::borrow::Cow;

/// Parts of the rows, one of which judges: as many as most people's folds.
pub(super) const PARTS: usize = 5;

/// With fewer rows that judge, chance decides: then scores do.
const FEWEST: usize = 20;

/// Up to so many rows each one judges: five searches more, where one fifth alone would hardly tell candidates apart.
const EACH: usize = 4000;

/// More rows that judge would tell candidates apart that differ by less than anyone cares for.
const MOST: usize = 1 << 14;

/// More rows to learn from would hardly change a circuit that a person reads.
pub(super) const MOST_TAUGHT: usize = 1 << 16;

/// Who judges.
pub(super) struct Judges<'a> {
    /// The rows of the circuits themselves.
    teach: Cow<'a, Rows>,
    parts: Vec<Part<'a>>,
}

/// Rows that judge, and the rows that what they judge is learned from: none where these are the circuits themselves.
struct Part<'a> {
    teach: Option<Rows>,
    held: Cow<'a, Rows>,
}

impl<'a> Judges<'a> {
    pub(super) fn new(rows: &'a Rows, validation: Option<&'a Rows>, seed: u64) -> Self {
        let whole = Cow::Borrowed(rows);
        if let Some(validation) = validation {
            return Self { teach: whole, parts: vec![Part { teach: None, held: Cow::Borrowed(validation) }] };
        }
        if rows.len() < FEWEST {
            return Self { teach: whole, parts: Vec::new() };
        }
        let place = places(rows, seed);
        let pick = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..rows.len()).filter(|&row| wanted(place[row])).collect()
        };
        if rows.len() <= EACH {
            let part = |part: usize| Part {
                teach: Some(rows.pick(&pick(&|place| place != part))),
                held: Cow::Owned(rows.pick(&pick(&|place| place == part))),
            };
            return Self { teach: whole, parts: (0..PARTS).map(part).collect() };
        }
        let mut held = pick(&|place| place == 0);
        held.truncate(MOST);
        let mut teach = pick(&|place| place != 0);
        teach.truncate(MOST_TAUGHT);
        let teach = Cow::Owned(rows.pick(&teach));
        Self { teach, parts: vec![Part { teach: None, held: Cow::Owned(rows.pick(&held)) }] }
    }

    /// The rows that circuits are learned from.
    pub(super) fn teach(&self) -> &Rows {
        &self.teach
    }

    /// Rows that judge.
    pub(super) fn asked(&self) -> usize {
        self.parts.iter().map(|part| part.held.len()).sum()
    }

    /// What a search found on the circuits' own rows, judged by what it finds on the parts, which it is told the numbers of.
    pub(super) fn judge(
        &self,
        own: Vec<Candidate>,
        search: &(dyn Fn(usize, &Rows) -> Vec<Candidate> + Sync),
    ) -> Vec<Judged> {
        let found: Vec<Vec<Candidate>> = self
            .parts
            .par_iter()
            .enumerate()
            .map(|(part, rows)| rows.teach.as_ref().map_or_else(Vec::new, |rows| search(part, rows)))
            .collect();
        own.into_iter()
            .map(|candidate| {
                let mut right = bits::Column::default();
                for (part, found) in self.parts.iter().zip(&found) {
                    let judged = if part.teach.is_some() {
                        nearest(found, candidate.recipe)
                    } else {
                        Some(&candidate)
                    };
                    let answers = judged.map(|judged| score::answers(&judged.circuit, &part.held));
                    let common = 2 * bits::count(self.teach.labels()) > self.teach.len();
                    for row in 0..part.held.len() {
                        let answer = answers.as_ref().map_or(common, |answers| bits::get(answers, row));
                        right.push(answer == bits::get(part.held.labels(), row));
                    }
                }
                Judged::new(candidate, right.into_words())
            })
            .collect()
    }
}

/// The candidate of a recipe, or of the one before in the order of the family.
fn nearest(found: &[Candidate], recipe: Recipe) -> Option<&Candidate> {
    let same = found.iter().filter(|candidate| candidate.recipe.family == recipe.family);
    same.filter(|candidate| candidate.recipe <= recipe).max_by_key(|candidate| candidate.recipe)
}

/// The same rows, each as often as it weighs.
pub(super) fn by_weight(rows: &Rows, seed: u64) -> Cow<'_, Rows> {
    rows.weights().map_or(Cow::Borrowed(rows), |weights| {
        let drawn = draw::by_weight(&mut Stream::Weighing.of(seed), weights, rows.len() as u128);
        Cow::Owned(rows.pick(&drawn).weighing(None))
    })
}

/// The part of each row, each label shared out evenly.
fn places(rows: &Rows, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.shuffle(&mut Stream::HoldingOut.of(seed));
    order.sort_by_key(|&row| bits::get(rows.labels(), row));
    let mut place = vec![0; rows.len()];
    order.iter().enumerate().for_each(|(at, &row)| place[row] = at % PARTS);
    place
}
