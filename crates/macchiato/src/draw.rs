//! Which rows or inputs are drawn: some of them at random, or each as often as it weighs. They come out by number, in increasing order.

use rand::Rng;
use rand::seq::index;

/// `most` of the numbers below `all`, every choice equally likely; all of them where there are no more.
pub(crate) fn some(rng: &mut impl Rng, all: usize, most: usize) -> Vec<usize> {
    let mut drawn = index::sample(rng, all, most.min(all)).into_vec();
    drawn.sort_unstable();
    drawn
}

/// Systematic sampling: about `wanted` draws, each row as often as its share of the weight says, up to rounding. Some weight is not 0.
pub(crate) fn by_weight(weights: &[u64], wanted: u128) -> Vec<usize> {
    let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let (mut drawn, mut sum) = (Vec::new(), total / 2);
    for (row, &weight) in weights.iter().enumerate() {
        let before = sum / total;
        sum += u128::from(weight) * wanted;
        drawn.extend(std::iter::repeat_n(row, (sum / total - before) as usize));
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn rows_are_drawn_as_often_as_they_weigh() {
        assert_eq!(by_weight(&[1, 1, 1], 3), [0, 1, 2]);
        assert_eq!(by_weight(&[2, 0, 1], 3), [0, 0, 2]);
        assert_eq!(by_weight(&[0, 5], 2), [1, 1]);
        assert_eq!(by_weight(&[3, 1, 1, 3], 4).len(), 4);
    }

    #[test]
    fn some_rows_are_distinct_and_in_order() {
        let mut rng = Stream::Sampling.of(1);
        let drawn = some(&mut rng, 100, 30);
        assert!(drawn.len() == 30 && drawn.is_sorted_by(|a, b| a < b) && drawn[29] < 100);
        assert_eq!(some(&mut rng, 3, 9), [0, 1, 2]);
    }
}
