//! The tests of a category: one for each frequent level, one for all others.

use super::Test;
use crate::frame::WEIGHT_UNIT;
use crate::frame::{NO_LEVEL, by_number_or_text};

/// Levels with a test of their own at most.
const LEVELS: usize = 64;

/// A level of fewer training rows than one in this many is rare.
const RARE: u128 = 200;

/// The weight of two rows.
const TWICE: u128 = 2 * WEIGHT_UNIT as u128;

/// The tests that the column deserves, the most important ones first. A level is rare if it has one row, or less than 0.5 % of
/// the `rows`; rows count as often as they weigh.
pub(super) fn tests(codes: &[u32], levels: &[String], weights: Option<&[u64]>) -> Vec<Test> {
    let weight = |row: usize| u128::from(weights.map_or(WEIGHT_UNIT, |weights| weights[row]));
    let (mut counts, mut rows) = (vec![0u128; levels.len()], 0);
    for (row, &code) in codes.iter().enumerate() {
        rows += weight(row);
        if code != NO_LEVEL {
            counts[code as usize] += weight(row);
        }
    }
    let rare = |level: &usize| counts[*level] < TWICE || counts[*level] * RARE < rows;
    let mut seen: Vec<usize> = (0..levels.len()).filter(|&level| counts[level] > 0).collect();
    seen.sort_by(|&a, &b| counts[b].cmp(&counts[a]).then_with(|| by_number_or_text(&levels[a], &levels[b])));
    let frequent: Vec<usize> = seen.iter().copied().filter(|level| !rare(level)).take(LEVELS).collect();
    let other = (frequent.len() < seen.len()).then_some(Test::Other);
    let is = |level: usize| Test::Is(levels[level].clone());
    frequent.into_iter().map(is).chain(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_levels_are_pooled() {
        let levels: Vec<String> = ["b", "a", "c", "never"].map(str::to_owned).to_vec();
        let is = |level: &str| Test::Is(level.to_owned());
        assert_eq!(tests(&[0, 0, 1, 1, 0, NO_LEVEL], &levels, None), [is("b"), is("a")]);
        assert_eq!(tests(&[0, 0, 1, 1, 2], &levels, None), [is("a"), is("b"), Test::Other]);
        // Two of 401 rows are less than 0.5 %.
        let codes: Vec<u32> = (0..401).map(|row| u32::from(row < 2)).collect();
        assert_eq!(tests(&codes, &levels, None), [is("b"), Test::Other]);
        assert_eq!(tests(&[NO_LEVEL], &levels, None), []);
        // One row that weighs as much as two is not alone.
        assert_eq!(tests(&[0, 0, 2], &levels, Some(&[1_000_000, 1_000_000, 2_000_000])), [is("b"), is("c")]);
    }
}
