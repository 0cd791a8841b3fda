//! Which rows or inputs are drawn: some of them at random, or each as often as it weighs. They come out by number, in increasing order.

use rand::Rng;
use rand::seq::{SliceRandom, index};

/// `most` of the numbers below `all`, every choice equally likely; all of them where there are no more.
pub(crate) fn some(rng: &mut impl Rng, all: usize, most: usize) -> Vec<usize> {
    let mut drawn = index::sample(rng, all, most.min(all)).into_vec();
    drawn.sort_unstable();
    drawn
}

/// Systematic sampling: about `wanted` draws, each row as often as its share of the weight says, up to rounding. Some weight is not 0.
///
/// Rows of one weight are counted together, so a class that weighs something else has its share to the row; among them chance decides, since steps
/// of one length through rows that repeat would always draw the same of them.
pub(crate) fn by_weight(rng: &mut impl Rng, weights: &[u64], wanted: u128) -> Vec<usize> {
    let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.shuffle(rng);
    order.sort_by_key(|&row| weights[row]);
    let (mut drawn, mut sum) = (Vec::new(), total / 2);
    for row in order {
        let before = sum / total;
        sum += u128::from(weights[row]) * wanted;
        drawn.extend(std::iter::repeat_n(row, (sum / total - before) as usize));
    }
    drawn.sort_unstable();
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn rows_are_drawn_as_often_as_they_weigh() {
        let by_weight = |weights: &[u64], wanted| by_weight(&mut Stream::Weighing.of(1), weights, wanted);
        assert_eq!(by_weight(&[1, 1, 1], 3), [0, 1, 2]);
        assert_eq!(by_weight(&[2, 0, 1], 3), [0, 0, 2]);
        assert_eq!(by_weight(&[0, 5], 2), [1, 1]);
        assert_eq!(by_weight(&[3, 1, 1, 3], 4).len(), 4);
    }

    #[test]
    fn rows_that_repeat_have_their_share() {
        // In the order of the rows the light ones would never be drawn: 0.4 rows each, and always 1.6 after them.
        let weights: Vec<u64> = (0..1000).map(|row| if row % 2 == 0 { 1 } else { 4 }).collect();
        let drawn = by_weight(&mut Stream::Weighing.of(1), &weights, 1000);
        assert_eq!((drawn.len(), drawn.iter().filter(|&row| row % 2 == 0).count()), (1000, 200));
        // Nor do those of one weight follow a period of theirs.
        let light: Vec<usize> = drawn.into_iter().filter(|row| row % 2 == 0).collect();
        let of_ten = |rest: usize| light.iter().filter(|&row| row % 10 == rest).count();
        assert!([0, 2, 4, 6, 8].iter().all(|&rest| (20..=60).contains(&of_ten(rest))));
    }

    #[test]
    fn some_rows_are_distinct_and_in_order() {
        let mut rng = Stream::Sampling.of(1);
        let drawn = some(&mut rng, 100, 30);
        assert!(drawn.len() == 30 && drawn.is_sorted_by(|a, b| a < b) && drawn[29] < 100);
        assert_eq!(some(&mut rng, 3, 9), [0, 1, 2]);
    }
}
