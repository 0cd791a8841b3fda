//! Votes of short rules: points for ANDs of a few conditions, which the paths of boosted trees suggest, and an answer from a score on.
//!
//! Which rules, and how many points each has, is found as for scorecards ([`super::scorecard`]). Of many rows the points of several decks of rules, each
//! from trees of other chances, are added up.

use super::candidate::{Candidate, Family, Form, Recipe};
use super::scorecard::{Card, Conditions, OfSize, and, cards, dealt, held, labels, some};
use crate::random::Stream;
use crate::rows::Rows;
use crate::wide::{Boosted, Boosting, Sample};
use macchiato_minimize::Budget;
use rand::RngExt;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Rules that vote.
const VOTES: [usize; 14] = [2, 4, 6, 8, 12, 16, 24, 40, 64, 100, 160, 250, 400, 640];

/// Rows to a rule at least: it takes some five nats to say, a label less than one, so more rules say more than their rows.
const ROWS_TO_A_RULE: usize = 8;

/// Rules of each deck where several are added up.
const DECK_VOTES: [usize; 3] = [100, 160, 250];

/// How often the points of a coarse card count at most.
const MOST_TIMES: f64 = 9.0;

/// Rows from which on cards are added up.
const MANY: usize = 3000;

/// How rules are looked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RuleParams {
    /// Trees that suggest rules: later ones look at what earlier ones leave.
    pub trees: usize,
    /// How much of each tree is added.
    pub rate: f64,
    /// Conditions of the longest rules: the tests on a path.
    pub conditions: usize,
    /// Decks whose cards are added up: what differs between them by chance cancels out.
    pub decks: usize,
    /// Curvature added to each rule of these: cards that are added up may each be a little tame.
    pub deck_ridge: f64,
}

impl Default for RuleParams {
    fn default() -> Self {
        Self { trees: 150, rate: 0.3, conditions: 4, decks: 3, deck_ridge: 3.0 }
    }
}

const fn recipe(form: Form, size: usize) -> Recipe {
    Recipe { family: Family::Rules, form, size }
}

/// Votes of short rules of several sizes.
pub(super) fn rules(rows: &Rows, params: &RuleParams, seed: u64, budget: &Budget) -> Vec<Candidate> {
    let some = some(rows, seed);
    let some = some.as_ref().unwrap_or(rows);
    let columns: Vec<&[u64]> = some.columns().iter().map(Vec::as_slice).collect();
    let sample = Sample::from_columns(&columns, some.labels(), some.len());
    let boosting = |depth| Boosting {
        trees: params.trees,
        depth,
        rate: params.rate,
        all_inputs: usize::MAX,
        seed,
        ..Boosting::default()
    };
    let depths: Vec<usize> = (2..=params.conditions).collect();
    let most = VOTES.partition_point(|&votes| votes * ROWS_TO_A_RULE <= rows.len()).max(1);
    let alone = depths.par_iter().flat_map_iter(|&depth| {
        let deck = deck(&sample, &boosting(depth), budget);
        cards(rows, some, &deck, (&|size| recipe(Form::Short(depth), size), &VOTES[..most]), budget)
    });
    let mut found: Vec<Candidate> = alone.collect();
    if params.decks > 0 && rows.len() >= MANY && !budget.spent() {
        let mut seeds = Stream::Decks.of(seed);
        let seeds: Vec<u64> = (0..params.decks).map(|_| seeds.random()).collect();
        let decks = seeds.par_iter().map(|&seed| {
            // Each tree sees half of the inputs, so decks differ.
            let deck =
                deck(&sample, &Boosting { all_inputs: 0, seed, ..boosting(params.conditions) }, budget);
            let columns: Vec<Vec<u64>> = deck.iter().map(|conditions| and(some, conditions)).collect();
            let cards = dealt(&columns, some, &deck, (&DECK_VOTES, params.deck_ridge), budget);
            (deck, cards)
        });
        found.extend(added(rows, some, &decks.collect::<Vec<_>>()));
    }
    found
}

/// Inputs, and the paths of boosted trees.
fn deck(sample: &Sample, boosting: &Boosting, budget: &Budget) -> Vec<Conditions> {
    let trees = Boosted::fit(sample, boosting, budget).leaves();
    let mut deck: BTreeSet<Conditions> = (0..sample.inputs()).map(|input| vec![(input, true)]).collect();
    // An input and its negation tell the same.
    let longer = |conditions: &Conditions| conditions.len() > 1;
    deck.extend(trees.into_iter().flatten().map(|leaf| leaf.0).filter(longer));
    deck.into_iter().collect()
}

/// Of each size the cards of all decks, added up.
fn added(rows: &Rows, some: &Rows, decks: &[(Vec<Conditions>, Vec<OfSize>)]) -> Vec<Candidate> {
    let sum = |&size: &usize| {
        let mut cards = Vec::with_capacity(decks.len());
        for (deck, of_sizes) in decks {
            cards.push((deck, &of_sizes.iter().find(|card| card.0 == size)?.1));
        }
        let finest = cards.iter().map(|card| card.1.scale).fold(0.0, f64::max);
        let mut points: BTreeMap<&Conditions, i32> = BTreeMap::new();
        for (deck, card) in cards {
            let times = libm::round(finest / card.scale).clamp(1.0, MOST_TIMES) as i32;
            for (&at, &own) in card.conditions.iter().zip(&card.points) {
                *points.entry(&deck[at]).or_default() += times * own;
            }
        }
        let (deck, points): (Vec<Conditions>, Vec<i32>) =
            points.into_iter().map(|(conditions, points)| (conditions.clone(), points)).unzip();
        let columns: Vec<Vec<u64>> = deck.iter().map(|conditions| and(some, conditions)).collect();
        let mut card = Card::of_all(points, finest);
        card.settle(&held(&columns, &card.conditions, some), &labels(some), 0);
        card.candidate(rows, &deck, recipe(Form::Added, size))
    };
    DECK_VOTES.iter().filter_map(sum).collect()
}
