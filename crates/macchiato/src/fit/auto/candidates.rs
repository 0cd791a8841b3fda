//! Every circuit of stages that the rows suggest, for a judge who compares them with circuits of other shapes.
//!
//! The structure is searched for once: tables by evidence, a count, and sums of products over many inputs, alone, behind linear inputs or behind the
//! tables. Each has a [`Way`], so that the same can be done on other rows.

use super::draft::Draft;
use super::explain::Effort;
use super::params::MAX_TABLE_INPUTS;
use super::recipe::{Prefix, Recipe, WIDE_STAGES, push_sop, row_by_row, settle};
use super::sampling::Sampling;
use super::structure::structure;
use crate::circuit::Circuit;
use crate::rows::Rows;
use crate::staged::Staged;
use crate::wide;
use macchiato_minimize::{Budget, Options};

/// How a circuit of stages was made: a number that is the same on other rows.
pub(crate) type Way = usize;

/// Tables alone.
const TABLES: Way = 1;

/// A count alone.
const COUNT: Way = 2;

/// The first of the sums of products.
const TERMS: Way = 100;

/// The first of those behind linear inputs.
const BEHIND_LINEAR: Way = 200;

/// The first of those behind tables.
const BEHIND_TABLES: Way = 300;

/// How much to try, the most stages, and the seed.
pub(crate) type Asked = (u8, usize, u64);

/// Whether a way is a sum of products.
pub(crate) const fn has_terms(way: Way) -> bool {
    way >= TERMS
}

/// Circuits with the ways in which they were made.
pub(crate) fn candidates(rows: &Rows, (effort, m, seed): Asked, budget: &Budget) -> Vec<(Way, Circuit)> {
    let mut options = Options::default();
    options.seed = seed;
    options.budget = budget.clone();
    let effort = Effort::new(effort, MAX_TABLE_INPUTS);
    let sampling = Sampling::new(rows, &effort, seed);
    let found = structure(rows, &sampling, &[], &effort, m, &options, &|_| ());
    let mut made = Vec::new();
    // A cover that the minimizer cannot verify is a defect of it, and no candidate.
    let mut plain = |way: Way, recipe: Recipe| {
        let draft = recipe.build(rows, &sampling, &found, m, &options);
        made.extend(draft.ok().map(|draft| (way, circuit(rows, &draft))));
    };
    if found.evidence > found.constant {
        plain(TABLES, Recipe::Tables);
    }
    if found.count.is_some() {
        plain(COUNT, Recipe::Count);
    }
    let linear = (!found.linear.is_empty()).then_some((Prefix::Linear, BEHIND_LINEAR));
    let tables = (!found.tables.is_empty()).then_some((Prefix::Tables, BEHIND_TABLES));
    for (prefix, first) in [(Prefix::Nothing, TERMS)].into_iter().chain(linear).chain(tables) {
        let Ok(draft) = prefix.build(rows, &sampling, &found, m, &options) else { continue };
        if draft.errors() == 0 || draft.stages().len() + WIDE_STAGES > m || budget.spent() {
            continue;
        }
        let sample = row_by_row(&sampling.with(draft.residual().bits()));
        for (number, sop) in wide::grown(&sample, seed, budget) {
            let mut draft = draft.clone();
            push_sop(&mut draft, sop);
            settle(&mut draft, rows, m);
            made.push((first + number, circuit(rows, &draft)));
        }
    }
    made
}

fn circuit(rows: &Rows, draft: &Draft<'_>) -> Circuit {
    let (inputs, target) = (rows.names().to_vec(), rows.target().to_owned());
    Staged { inputs, target, stages: draft.stages().to_vec() }.plain()
}
