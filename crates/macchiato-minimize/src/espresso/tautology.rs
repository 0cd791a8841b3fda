//! Tautology by the unate recursive paradigm: does a list of cubes cover every point?
//!
//! A cube without literals says yes; too few points, or an input of one literal only, shrink the question; six inputs or
//! fewer are one word's truth table; otherwise both cofactors of the most binate input must be tautologies.

use super::list::{Around, FREE, List, Split, full_table};
use crate::cover::Cover;

/// Whether the list covers every point.
pub(super) fn tautology(list: &List) -> bool {
    if list.has_universal() {
        return true;
    }
    // The cubes' points, as shares of the whole: exact powers of two, so a sum below 1 is surely too few.
    let share: f64 = (0..list.len()).map(|at| half_to_the(list.literals(at))).sum();
    if share < 1.0 - 1e-9 {
        return false;
    }
    let signs = list.signs();
    if let Some(active) = signs.few_inputs() {
        return list.truth_table(&active) == full_table(active.len());
    }
    if let Some(rest) = list.without_unate(&signs) {
        return tautology(&rest);
    }
    match list.split(&signs) {
        Split::Unate => false,
        Split::Binate(i) => tautology(&list.cofactor(i, false)) && tautology(&list.cofactor(i, true)),
    }
}

/// Whether the covers together contain every point of `cube`, on every output that it asserts; term `without` of the
/// first cover does not count.
pub(super) fn covered(cube: &[u64], first: &Cover, without: Option<usize>, second: &Cover) -> bool {
    let around = around(cube, first, without, second);
    first.shape().asserted(cube).all(|output| tautology(&around.list(output)))
}

/// 0.5 to the power of `literals`, by its exponent's bits; 0 past the smallest normal number.
fn half_to_the(literals: u32) -> f64 {
    f64::from_bits(1023u64.saturating_sub(u64::from(literals)) << 52)
}

/// What the two covers have around `cube`, all for free; term `without` of the first does not count.
pub(super) fn around<'a>(
    cube: &'a [u64],
    first: &Cover,
    without: Option<usize>,
    second: &Cover,
) -> Around<'a> {
    let mut around = Around::new(first.shape(), cube);
    around.add(first, |at| (Some(at) != without).then_some(FREE));
    around.add(second, |_| Some(FREE));
    around
}
