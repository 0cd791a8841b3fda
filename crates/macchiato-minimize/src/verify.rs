//! Every cover is checked against its input before it leaves the crate: ON inside, OFF outside.

use crate::cover::Cover;
use crate::cube::Literal;
use crate::primes::LOW;
use crate::table::Table;

/// Whether the cover is 1 on every ON cell and 0 on every OFF cell.
pub(crate) fn table(table: &Table, cover: &Cover) -> bool {
    let words = table.on().len();
    let mut covered = vec![0u64; words];
    let mut term = vec![0u64; words];
    for at in 0..cover.terms() {
        term.fill(u64::MAX);
        for i in 0..table.inputs() {
            let flip = match cover.literal(at, i) {
                Literal::Free => continue,
                Literal::Positive => 0,
                Literal::Negative => u64::MAX,
            };
            for (w, word) in term.iter_mut().enumerate() {
                *word &= ones_of_input(i, w) ^ flip;
            }
        }
        covered.iter_mut().zip(&term).for_each(|(to, from)| *to |= from);
    }
    let inside = table.on().iter().zip(&covered).all(|(on, covered)| on & !covered == 0);
    inside && table.off().iter().zip(&covered).all(|(off, covered)| off & covered == 0)
}

/// Word `w` of the table of input `i`.
fn ones_of_input(i: usize, w: usize) -> u64 {
    LOW.get(i).map_or_else(|| if w >> (i - 6) & 1 == 1 { u64::MAX } else { 0 }, |low| !low)
}
