//! A place that a list of cubes leaves uncovered: what the tautology check only says yes or no to.

use super::list::{List, Split, full_table};
use super::tautology::around;
use crate::cover::Cover;
use crate::cube::ones;
use crate::primes::LOW;

/// A cube, as input planes, that no cube of the list meets; `None` if the list covers everything.
pub(super) fn witness(list: &List) -> Option<Vec<u64>> {
    let words = list.words();
    if list.len() == 0 {
        return Some(vec![u64::MAX; 2 * words]);
    }
    if list.has_universal() {
        return None;
    }
    let signs = list.signs();
    if let Some(active) = signs.few_inputs() {
        let open = !list.truth_table(&active) & full_table(active.len());
        return (open != 0).then(|| {
            let at = open.trailing_zeros();
            let mut planes = vec![u64::MAX; 2 * words];
            for (position, &i) in active.iter().enumerate() {
                restrict(&mut planes, i, !LOW[position] >> at & 1 == 1);
            }
            planes
        });
    }
    if let Some(rest) = list.without_unate(&signs) {
        let mut planes = witness(&rest)?;
        for w in 0..words {
            for i in ones(&[signs.unate(w)]).map(|i| 64 * w + i) {
                restrict(&mut planes, i, !signs.positive(i));
            }
        }
        return Some(planes);
    }
    let Split::Binate(i) = list.split(&signs) else { return None };
    [false, true].into_iter().find_map(|value| {
        let mut planes = witness(&list.cofactor(i, value))?;
        restrict(&mut planes, i, value);
        Some(planes)
    })
}

fn restrict(planes: &mut [u64], i: usize, value: bool) {
    let words = planes.len() / 2;
    let (word, bit) = (i / 64, 1u64 << (i % 64));
    planes[if value { word } else { words + word }] &= !bit;
}

/// For the asserted outputs of `cube` in turn, a part of it, as input planes, that neither cover holds for that output;
/// term `without` of the first does not count.
pub(super) fn uncovered(
    cube: &[u64],
    first: &Cover,
    without: Option<usize>,
    second: &Cover,
) -> impl Iterator<Item = (usize, Vec<u64>)> {
    let around = around(cube, first, without, second);
    first.shape().asserted(cube).filter_map(move |output| {
        let mut planes = witness(&around.list(output))?;
        planes.iter_mut().zip(cube).for_each(|(to, from)| *to &= from);
        Some((output, planes))
    })
}
