//! `LAST_GASP`: once the loop stands still, every cube is reduced on its own, as if the others stayed whole, and expanded
//! again; the primes that come of it join the pool for one more IRREDUNDANT.

use super::expand::{self, Raise};
use super::reduce;
use crate::cover::Cover;

/// The primes that grow from the cubes' own parts.
pub(super) fn last_gasp(
    cover: &Cover,
    off: &Cover,
    fixed: &Cover,
    raise: Raise,
    spent: impl Fn() -> bool,
) -> Cover {
    let gone = vec![false; cover.terms()];
    let mut reduced = Cover::new(cover.shape());
    for term in 0..cover.terms() {
        if spent() {
            break;
        }
        if let Some(cube) = reduce::smallest(cover, term, fixed, &gone) {
            reduced.push_words(&cube);
        }
    }
    let order = expand::order(&reduced);
    expand::expand(&reduced, off, &order, raise, spent)
}
