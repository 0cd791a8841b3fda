//! Folds of a cross-validation: the same rows for every method and every benchmark.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Parts of the cross-validation.
pub(crate) const FOLDS: usize = 5;

/// The part of each row: shuffled once and for all, each label shared out evenly.
pub(crate) fn folds(labels: &[bool]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
    order.sort_by_key(|&row| labels[row]);
    let mut folds = vec![0; labels.len()];
    order.iter().enumerate().for_each(|(position, &row)| folds[row] = position % FOLDS);
    folds
}

/// The training rows and the test rows of one part.
pub(crate) fn parts(folds: &[usize], fold: usize) -> (Vec<usize>, Vec<usize>) {
    (0..folds.len()).partition(|&row| folds[row] != fold)
}

/// The distinct values, frequent ones first, ties in the order of their text.
pub(crate) fn by_frequency<'a>(cells: &[&'a str]) -> Vec<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in cells {
        *counts.entry(cell).or_default() += 1;
    }
    let mut values: Vec<(&str, usize)> = counts.into_iter().collect();
    values.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    values.into_iter().map(|(value, _)| value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_tested_once_and_labels_are_shared_out() {
        let labels: Vec<bool> = (0..103).map(|row| row % 4 == 0).collect();
        let folds = folds(&labels);
        for label in [false, true] {
            let all = labels.iter().filter(|&&l| l == label).count();
            for fold in 0..FOLDS {
                let here = (0..103).filter(|&row| labels[row] == label && folds[row] == fold).count();
                assert!(here.abs_diff(all / FOLDS) <= 1, "fold {fold}: {here} of {all}");
            }
        }
    }
}
