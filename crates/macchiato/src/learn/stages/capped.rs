//! With a cap on the inputs of a stage: the table that the data ask for, as an XOR of smaller ones.
//!
//! XORs of functions of at most K inputs are the polynomials over GF(2) of degree at most K. A table over more inputs is
//! approached by the nearest of them that m stages can reach ([`decompose`]); it is found first without the cap, because
//! a part of the inputs that matter shows less than all of them.

use super::decompose::decompose;
use super::draft::Draft;
use super::explain::Effort;
use super::recipe::{Prefix, settle};
use super::sampling::Sampling;
use super::structure::structure;
use crate::fit::{Candidate, CutShort, DecidedBy, Decision, Shape};
use crate::project::histogram;
use crate::rows::Rows;
use crate::select::NAT;
use crate::stage::literals;
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
    let sampling = Sampling::new(rows, effort, options.seed);
    let free = structure(rows, &sampling, &[], effort, m, options, observe);
    let tables = || free.tables.iter().flatten();
    let fits = tables().all(|block| block.len() <= k) && free.linear.len() + tables().count() <= m;
    let tables_explain = free.evidence > free.constant;
    let (name, evidence) =
        if tables_explain { ("tables", free.evidence) } else { ("constant", free.constant) };
    let nats = (-evidence as f64 / NAT * 1000.0).round() / 1000.0;
    let decision = |draft: &Draft<'_>| {
        let conditions = literals(draft.stages());
        let candidates = vec![Candidate { name: name.to_owned(), conditions, nats: Some(nats), right: None }];
        let cut_short = options.budget.spent().then_some(CutShort::Search);
        Decision { by: DecidedBy::Evidence, asked: 0, candidates, cut_short }
    };
    if !tables_explain || fits {
        let mut draft = if tables_explain {
            Prefix::Tables.build(rows, &sampling, &free, m, options)?
        } else {
            Draft::new(rows, options)
        };
        settle(&mut draft, rows, m);
        let decision = decision(&draft);
        return Ok((draft, decision));
    }
    observe("looking for smaller tables whose XOR comes near");
    let mut draft = Draft::new(rows, options);
    // Linear inputs share stages where they would take more than half of them; those that no stage has room for are
    // left out, since half a parity says nothing.
    let room = if free.tables.is_empty() { m } else { m.div_ceil(2) };
    let width = free.linear.len().div_ceil(room);
    if width <= k {
        draft.push_linear(&free.linear, width)?;
    }
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
    let decision = decision(&draft);
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
    let columns: Vec<&[u64]> = inputs.iter().map(|&input| rows.columns()[input].as_slice()).collect();
    let votes = histogram(rows, draft.residual().bits(), &columns);
    let votes: Vec<[u64; 2]> = votes.chunks_exact(2).map(|votes| [votes[0], votes[1]]).collect();
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
