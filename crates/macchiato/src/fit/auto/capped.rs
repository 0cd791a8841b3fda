//! With a cap on the inputs of a stage: the table that the data ask for, as an XOR of smaller ones.
//!
//! XORs of functions of at most K inputs are the polynomials over GF(2) of degree at most K. A table over more inputs is
//! approached by the nearest of them that m stages can reach ([`decompose`]); it is found first without the cap, because
//! a part of the inputs that matter shows less than all of them.

use super::decide::candidate;
use super::decompose::decompose;
use super::draft::Draft;
use super::explain::Effort;
use super::recipe::{Recipe, settle};
use super::sampling::Sampling;
use super::structure::{Structure, structure};
use crate::bits;
use crate::fit::trace::{DecidedBy, Decision, Shape};
use crate::rows::Rows;
use macchiato_minimize::{MinimizeError, Options, Table};

/// Families of subsets that a decomposition tries.
const TRIES: usize = 16;

/// The circuit with at most `k` inputs in every stage.
pub(super) fn capped<'a>(
    rows: &'a Rows,
    k: usize,
    effort: &Effort,
    m: usize,
    options: &'a Options,
    observe: &dyn Fn(&str),
) -> Result<(Draft<'a>, Decision), MinimizeError> {
    let free = structure(rows, &[], effort, m, options, observe)?;
    let fits = |found: &Structure| found.tables.iter().flatten().all(|block| block.len() <= k);
    let sampling = Sampling::new(rows, effort.rows, options.seed);
    let recipe = if free.evidence > free.constant { Recipe::Tables } else { Recipe::Majority };
    let candidates = vec![candidate(recipe, &free, None)];
    let decision = Decision { by: DecidedBy::Evidence, asked: 0, candidates };
    if recipe == Recipe::Majority || fits(&free) {
        return Ok((recipe.build(rows, &sampling, &free, m, options)?, decision));
    }
    observe("looking for smaller tables whose XOR comes near");
    let mut draft = Draft::new(rows, options);
    let linear = free.linear.len();
    draft.push_linear(&free.linear, linear.div_ceil((m / 2).max(1)).min(k))?;
    for blocks in &free.tables {
        for block in blocks {
            let room = m.saturating_sub(draft.stages().len());
            if block.len() <= k && room > 0 {
                draft.push_table(block)?;
            } else if room > 0 {
                push_decomposed(&mut draft, rows, block, k, room, options)?;
            }
        }
    }
    settle(&mut draft, rows, m);
    Ok((draft, decision))
}

/// The residual's table over `inputs` as an XOR of at most `room` tables of at most `k` of them.
fn push_decomposed(
    draft: &mut Draft<'_>,
    rows: &Rows,
    inputs: &[usize],
    k: usize,
    room: usize,
    options: &Options,
) -> Result<(), MinimizeError> {
    let mut votes = vec![[0u64; 2]; 1 << inputs.len()];
    let columns: Vec<&[u64]> = inputs.iter().map(|&input| rows.columns()[input].as_slice()).collect();
    for row in 0..rows.len() {
        let cell = columns
            .iter()
            .enumerate()
            .fold(0, |cell, (p, column)| cell | usize::from(bits::get(column, row)) << p);
        let label = usize::from(bits::get(draft.residual().bits(), row));
        votes[cell][label] += rows.weights().map_or(1, |weights| weights[row]);
    }
    let spent = || options.budget.spent();
    for part in decompose(&votes, inputs.len(), k, room, options.seed, TRIES, &spent) {
        if part.inputs.is_empty() {
            draft.push_constant();
            continue;
        }
        let table = Table::from_fn(part.inputs.len(), |x| part.values[x])?;
        draft.push_minimized(part.inputs.iter().map(|&p| inputs[p]).collect(), &table, Shape::Table)?;
    }
    Ok(())
}
