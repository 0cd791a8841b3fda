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
            let positive = match cover.literal(at, i) {
                Literal::Free => continue,
                literal => literal == Literal::Positive,
            };
            for (w, word) in term.iter_mut().enumerate() {
                let ones = if i < 6 { !LOW[i] } else { 0u64.wrapping_sub(w as u64 >> (i - 6) & 1) };
                *word &= if positive { ones } else { !ones };
            }
        }
        covered.iter_mut().zip(&term).for_each(|(to, from)| *to |= from);
    }
    let inside = table.on().iter().zip(&covered).all(|(on, covered)| on & !covered == 0);
    inside && table.off().iter().zip(&covered).all(|(off, covered)| off & covered == 0)
}
