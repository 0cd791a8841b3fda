//! A proven lower bound: ON rows of which no two fit into one term.
//!
//! Two ON points are incompatible when their supercube meets an OFF row; pairwise incompatible points need a term each.
//! A greedy clique is grown from rows that few terms of the pool hold, since those have the fewest companions. Rows
//! that share a term of the cover are compatible, so at most one row of each term is taken. The work is capped.

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
        let literals = point(&instance.on, row);
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

/// A point of ON row `row`, as sorted literals. A cube may be covered by several terms together, so only its points
/// prove anything; its free inputs take mixed values, since points that differ more are more often incompatible.
fn point(on: &Side, row: u32) -> Vec<Code> {
    let mut fixed = on.literals(row as usize).peekable();
    (0..on.inputs() as Code)
        .map(|i| {
            let mixed = (row ^ i.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x9E37_79B1) >> 31;
            fixed.next_if(|literal| literal / 2 == i).unwrap_or(2 * i + mixed)
        })
        .collect()
}

/// Whether the supercube of two points, given by sorted literals, meets an OFF row.
fn incompatible(off: &Side, a: &[Code], b: &[Code]) -> bool {
    let common: Vec<Code> = a.iter().zip(b).filter(|(a, b)| a == b).map(|(a, _)| *a).collect();
    off.first_passing(&common).is_some()
}
