//! A proven lower bound: ON rows of which no two fit into one term.
//!
//! Two ON rows are incompatible when their supercube meets an OFF row; pairwise incompatible rows need a term each.
//! A greedy clique is grown from rows that few terms of the pool hold, since those have the fewest companions. Rows that share
//! a term of the cover are compatible, so at most one row of each term is taken. The work is capped.

use super::columns::{Code, Side};
use super::instance::Instance;
use super::pool::Pool;
use crate::budget::Budget;

/// Most words read; a deterministic cap.
const WORK: usize = 1 << 26;
/// Words' worth of columns that deciding one word of OFF rows takes, roughly.
const DEPTH: usize = 8;

/// Size of a clique of pairwise incompatible ON rows; at least 1 where there are ON and OFF rows.
pub(super) fn clique(instance: &Instance, pool: &Pool, cover: &[u32], budget: &Budget) -> usize {
    let mut holders = vec![0u32; instance.on.rows()];
    for id in 0..pool.len() as u32 {
        pool.term(id).for_each_row(|row| holders[row] += 1);
    }
    let mut order: Vec<u32> = (0..instance.on.rows() as u32).collect();
    order.sort_by_key(|&row| holders[row as usize]);
    let mut home = vec![u32::MAX; instance.on.rows()];
    for (at, &id) in cover.iter().enumerate() {
        pool.term(id).for_each_row(|row| home[row] = at as u32);
    }
    let mut taken = vec![false; cover.len()];
    let mut members: Vec<Vec<Code>> = Vec::new();
    let mut work = 0;
    for row in order {
        if work >= WORK || members.len() == cover.len() || budget.spent() {
            break;
        }
        let home = home[row as usize] as usize;
        if taken.get(home).copied().unwrap_or(false) {
            continue;
        }
        let literals: Vec<Code> = instance.on.literals(row as usize).collect();
        let fits = members.iter().all(|member| {
            work += DEPTH * instance.off.words() + literals.len() / 8;
            incompatible(&instance.off, member, &literals)
        });
        if fits {
            members.push(literals);
            if let Some(taken) = taken.get_mut(home) {
                *taken = true;
            }
        }
    }
    members.len().max(1)
}

/// Whether the supercube of two cubes, given by sorted literals, meets an OFF row.
fn incompatible(off: &Side, a: &[Code], b: &[Code]) -> bool {
    let mut common = Vec::with_capacity(a.len().min(b.len()));
    let mut rest = b;
    for &literal in a {
        let skip = rest.partition_point(|&other| other < literal).min(rest.len());
        rest = &rest[skip..];
        if rest.first() == Some(&literal) {
            common.push(literal);
        }
    }
    off.first_passing(&common).is_some()
}
