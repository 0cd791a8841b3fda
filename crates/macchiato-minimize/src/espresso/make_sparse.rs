//! `MAKE_SPARSE`: terms stay, connections go. Outputs that other terms already cover are dropped from a term, and with
//! fewer OFF rows to keep apart its inputs may lose literals.

use super::tautology::{around, tautology};
use crate::cover::Cover;

/// Drops needless outputs of each term, then needless literals, until neither helps.
pub(super) fn make_sparse(cover: &Cover, off: &Cover, dont_care: &Cover, spent: impl Fn() -> bool) -> Cover {
    let mut sparse = cover.clone();
    loop {
        let before = sparse.literals();
        drop_outputs(&mut sparse, dont_care, &spent);
        drop_literals(&mut sparse, off, &spent);
        if spent() || sparse.literals() >= before {
            return sparse;
        }
    }
}

fn drop_outputs(cover: &mut Cover, dont_care: &Cover, spent: &impl Fn() -> bool) {
    let shape = cover.shape();
    for term in 0..cover.terms() {
        let cube = cover.cube(term).to_vec();
        let around = around(&cube, cover, Some(term), dont_care);
        for output in shape.asserted(&cube) {
            // The last output stays: a term without outputs would be no term.
            if spent() || shape.asserted(cover.cube(term)).nth(1).is_none() {
                break;
            }
            if tautology(&around.list(output)) {
                shape.set_output(cover.cube_mut(term), output, false);
            }
        }
    }
}

fn drop_literals(cover: &mut Cover, off: &Cover, spent: &impl Fn() -> bool) {
    let shape = cover.shape();
    for term in 0..cover.terms() {
        if spent() {
            return;
        }
        let prime = super::expand::inputs_over(cover.cube(term), off);
        if shape.literals(&prime) < shape.literals(cover.cube(term)) {
            cover.cube_mut(term).copy_from_slice(&prime);
        }
    }
}
