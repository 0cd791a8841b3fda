//! Which rows the search reads: all of them while they are few, else a random sample; by weight, where rows have one.

use crate::bits;
use crate::rows::Rows;
use crate::select::Sample;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The rows of a search, whatever is to be explained on them.
#[derive(Debug)]
pub(super) struct Sampling {
    /// Rows by number, with repetitions where a weight asks for them; all rows where there is no list.
    chosen: Option<Vec<usize>>,
    sample: Sample,
}

/// The generator's stream for sampling: [`crate::generate`] and the random selection have the first ones.
const SAMPLING: u64 = 6;

impl Sampling {
    /// At most `most` of the rows.
    pub(super) fn new(rows: &Rows, most: usize, seed: u64) -> Self {
        let chosen = match rows.weights() {
            Some(weights) => Some(by_weight(weights, most)),
            None if rows.len() > most => {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(SAMPLING);
                let mut chosen = index::sample(&mut rng, rows.len(), most).into_vec();
                chosen.sort_unstable();
                Some(chosen)
            }
            None => None,
        };
        let columns = rows.columns().iter().map(|column| gather(column, chosen.as_deref())).collect();
        let labels = gather(rows.labels(), chosen.as_deref());
        let len = chosen.as_ref().map_or(rows.len(), Vec::len);
        Self { sample: Sample::new(columns, labels, len), chosen }
    }

    /// The sample with the labels themselves.
    pub(super) fn labels(&self) -> &Sample {
        &self.sample
    }

    /// The sample with other labels, one for each of all rows.
    pub(super) fn with(&self, labels: &[u64]) -> Sample {
        self.sample.relabelled(gather(labels, self.chosen.as_deref()))
    }
}

fn gather(column: &[u64], chosen: Option<&[usize]>) -> Vec<u64> {
    let Some(chosen) = chosen else { return column.to_vec() };
    let mut gathered = vec![0u64; bits::words(chosen.len())];
    for (to, &from) in chosen.iter().enumerate() {
        if bits::get(column, from) {
            bits::set(&mut gathered, to);
        }
    }
    gathered
}

/// Systematic sampling: each row as often as its share of the weight says, up to rounding, in the order of the rows.
fn by_weight(weights: &[u64], most: usize) -> Vec<usize> {
    let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let wanted = weights.len().min(most).max(1) as u128;
    let mut chosen = Vec::new();
    let mut sum = total / 2;
    for (row, &weight) in weights.iter().enumerate() {
        let before = sum / total;
        sum += u128::from(weight) * wanted;
        chosen.extend(std::iter::repeat_n(row, (sum / total - before) as usize));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_drawn_as_often_as_they_weigh() {
        assert_eq!(by_weight(&[1, 1, 1], 9), [0, 1, 2]);
        assert_eq!(by_weight(&[2, 0, 1], 9), [0, 0, 2]);
        assert_eq!(by_weight(&[0, 5], 9), [1, 1]);
        assert_eq!(by_weight(&[3, 1, 1, 3], 4).len(), 4);
    }
}
