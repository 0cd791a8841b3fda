//! The rows as the engine wants them: distinct, ON and OFF apart, in random order, free of contradictions.
//!
//! Equal rows are found by sorting on a hash, then on the words themselves, so a collision costs time but never
//! decides. A minterm that is ON and OFF shows in that order; cubes are tested against the other side's columns, which
//! is the only part that grows with the product (number of cubes times rows). The order is shuffled because expand
//! scores literals on a prefix of the rows, which must be a fair sample.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::columns::{Code, Side};
use crate::outcome::MinimizeError;
use crate::rows::Rows;

/// ON and OFF sides of one minimization.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) on: Side,
    pub(super) off: Side,
}

impl Instance {
    pub(super) fn new(rows: &Rows, rng: &mut ChaCha8Rng) -> Result<Self, MinimizeError> {
        let (mut on, mut off) = distinct(rows)?;
        cubes_disjoint(rows, &on, &off)?;
        on.shuffle(rng);
        off.shuffle(rng);
        Ok(Self { on: Side::new(rows, &on, true), off: Side::new(rows, &off, false) })
    }
}

/// The first appearance of every ON and every OFF row.
fn distinct(rows: &Rows) -> Result<(Vec<u32>, Vec<u32>), MinimizeError> {
    let words = |row: u32| (rows.values(row as usize), rows.free(row as usize));
    let mut order: Vec<(u64, u32)> = (0..rows.len()).map(|row| (hash(rows, row), row as u32)).collect();
    order
        .sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| words(a.1).cmp(&words(b.1))).then(a.1.cmp(&b.1)));
    let mut sides = [Vec::new(), Vec::new()];
    for run in order.chunk_by(|a, b| a.0 == b.0 && words(a.1) == words(b.1)) {
        let first = run[0].1 as usize;
        if let Some(other) = run.iter().find(|(_, row)| rows.label(*row as usize) != rows.label(first)) {
            let other = other.1 as usize;
            let (on, off) = if rows.label(first) { (first, other) } else { (other, first) };
            return Err(MinimizeError::Contradiction { on, off, output: None });
        }
        sides[usize::from(rows.label(first))].push(first as u32);
    }
    let [mut off, mut on] = sides;
    on.sort_unstable();
    off.sort_unstable();
    Ok((on, off))
}

/// A fixed mixing of the row's words; one word is its own hash.
fn hash(rows: &Rows, row: usize) -> u64 {
    let mix = |hash: u64, word: &u64| (hash.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    match (rows.values(row), rows.free(row)) {
        ([word], None) => *word,
        (values, free) => values.iter().chain(free.unwrap_or_default()).fold(0, mix),
    }
}

/// Checks every pair of an ON and an OFF row of which at least one is a cube.
fn cubes_disjoint(rows: &Rows, on: &[u32], off: &[u32]) -> Result<(), MinimizeError> {
    let is_cube = |row: &u32| rows.free(*row as usize).is_some_and(|free| free.iter().any(|&word| word != 0));
    let (off_cubes, off_minterms): (Vec<u32>, Vec<u32>) = off.iter().partition(|row| is_cube(row));
    let on_cubes: Vec<u32> = on.iter().copied().filter(|row| is_cube(row)).collect();
    for (on, off) in [(on, &off_cubes), (&on_cubes[..], &off_minterms)] {
        if on.is_empty() || off.is_empty() {
            continue;
        }
        let side = Side::new(rows, off, false);
        let on_side = Side::new(rows, on, true);
        let mut term: Vec<Code> = Vec::new();
        for (r, &row) in on.iter().enumerate() {
            term.clear();
            term.extend(on_side.literals(r));
            if let Some(found) = side.first_passing(&term) {
                let (on, off) = (row as usize, off[found] as usize);
                return Err(MinimizeError::Contradiction { on, off, output: None });
            }
        }
    }
    Ok(())
}
