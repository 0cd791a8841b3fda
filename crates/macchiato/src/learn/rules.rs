//! Boosted short rules with whole votes: one points gate over ANDs, or over inputs where a rule has one condition.
//!
//! Trees of few tests are boosted on the logistic loss; each leaf but the lowest of its tree is a rule, whose points are how much more it adds
//! than that one. Points are scaled to whole numbers, and the threshold is the one that is worth most on the rows. Depth 1 gives
//! scorecards. Prefixes of one boosting give rules of several sizes for its price.

use super::candidate::{Candidate, Family};
use super::net::{Net, Value};
use super::points::threshold;
use super::score::Evidence;
use crate::bits;
use crate::circuit::{Literal, Rule};
use crate::rows::Rows;
use crate::wide::{Boosted, Boosting, Sample};
use macchiato_minimize::Budget;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Trees of a boosting: a person reads no more rules.
const SIZES: [usize; 6] = [4, 8, 16, 32, 64, 100];

/// Most points of a rule.
const SCALES: [f64; 3] = [2.0, 4.0, 8.0];

/// Tests on a path at most.
const DEPTHS: [usize; 3] = [1, 2, 3];

/// How much of each tree is added.
const RATE: f64 = 0.4;

/// The prior of the two cells of a threshold.
const PRIOR: f64 = 0.5;

/// Scorecards and votes of rules.
pub(super) fn rules(rows: &Rows, seed: u64, budget: &Budget) -> Vec<Candidate> {
    let evidence = Evidence::new(rows.len(), PRIOR);
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let sample = Sample::from_columns(&columns, rows.labels(), rows.len());
    let found: Vec<Vec<Candidate>> = DEPTHS
        .par_iter()
        .map(|&depth| {
            let trees = SIZES[SIZES.len() - 1];
            let boosting =
                Boosting { trees, depth, rate: RATE, all_inputs: usize::MAX, seed, ..Boosting::default() };
            let trees = Boosted::fit(&sample, &boosting, budget).leaves();
            let prefixes = SIZES.iter().filter(|&&size| size <= trees.len());
            prefixes.filter_map(|&size| card(rows, &trees[..size], depth, &evidence)).collect()
        })
        .collect();
    found.into_iter().flatten().collect()
}

/// A rule: the conditions of a leaf.
type Conditions = Vec<(usize, bool)>;

/// The gate of some trees, at the scale that explains most: how many rules there are is the recipe's, so points are all that differ.
fn card(
    rows: &Rows,
    trees: &[Vec<(Conditions, f64)>],
    depth: usize,
    evidence: &Evidence,
) -> Option<Candidate> {
    let mut points: BTreeMap<Conditions, f64> = BTreeMap::new();
    for leaves in trees {
        let least = leaves.iter().map(|leaf| leaf.1).fold(f64::INFINITY, f64::min);
        for (conditions, value) in leaves {
            *points.entry(conditions.clone()).or_default() += value - least;
        }
    }
    // The two signs of one condition are one: what both have is nothing.
    let single: Vec<usize> =
        points.keys().filter(|rule| rule.len() == 1 && rule[0].1).map(|rule| rule[0].0).collect();
    for input in single {
        let [zero, one] = [false, true].map(|bit| points.get(&vec![(input, bit)]).copied().unwrap_or(0.0));
        let both = zero.min(one);
        points.insert(vec![(input, false)], zero - both);
        points.insert(vec![(input, true)], one - both);
    }
    let most = points.values().copied().fold(0.0, f64::max);
    let family = if depth == 1 { Family::Scorecard } else { Family::Rules };
    let cards = SCALES.iter().filter_map(|scale| {
        let mut net = Net::new(rows);
        let mut literals: Vec<Literal> = Vec::new();
        for (conditions, value) in &points {
            // At most the scale, and not negative.
            let weight = (libm::round(value / most * scale) as i64).unsigned_abs() as u32;
            let values: Vec<Value> =
                conditions.iter().map(|&(input, positive)| Value::input(input).signed(positive)).collect();
            if weight > 0
                && let Value::Literal(literal) = net.and(&values)
            {
                literals.push(literal.times(weight));
            }
        }
        if literals.is_empty() {
            return None;
        }
        let least = threshold(&histogram(rows, &net, &literals), evidence);
        let value = net.gate(Rule::AtLeast(least), literals);
        net.candidate(family, 1000 * depth + trees.len(), value)
    });
    cards.reduce(|a, b| if b.evidence > a.evidence { b } else { a })
}

/// Rows by sum of points and label.
fn histogram(rows: &Rows, net: &Net<'_>, literals: &[Literal]) -> Vec<[u32; 2]> {
    let mut sums = vec![0usize; rows.len()];
    for literal in literals {
        let column = net.column(literal.source);
        for (row, sum) in sums.iter_mut().enumerate() {
            if bits::get(column, row) == literal.positive {
                *sum += literal.weight as usize;
            }
        }
    }
    let top: usize = literals.iter().map(|literal| literal.weight as usize).sum();
    let mut cells = vec![[0; 2]; top + 1];
    for (row, &sum) in sums.iter().enumerate() {
        cells[sum][usize::from(bits::get(rows.labels(), row))] += 1;
    }
    cells
}
