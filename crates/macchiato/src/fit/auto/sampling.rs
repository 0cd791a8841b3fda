//! Which rows the search reads: all of them while they are few, else a random sample; by weight, where rows have one. Of
//! wide samples a scout, again at random, goes ahead.

use super::explain::Effort;
use crate::bits;
use crate::random::Stream;
use crate::rows::Rows;
use crate::select::Sample;
use rand::seq::index;
use rayon::prelude::*;

/// The rows of a search, whatever is to be explained on them.
#[derive(Debug)]
pub(super) struct Sampling {
    /// Rows by number, with repetitions where a weight asks for them; all rows where there is no list.
    chosen: Option<Vec<usize>>,
    sample: Sample,
    /// Rows of the sample that a scout reads, by number; none where it may read them all.
    scouted: Option<Vec<usize>>,
}

/// Rows that a scout reads however many inputs there are.
const FEWEST_SCOUTED: usize = 1 << 13;

impl Sampling {
    /// As many of the rows as the effort allows.
    pub(super) fn new(rows: &Rows, effort: &Effort, seed: u64) -> Self {
        let chosen = match rows.weights() {
            Some(weights) => Some(by_weight(weights, effort.rows)),
            None => some(rows.len(), effort.rows, Stream::Sampling, seed),
        };
        let columns = rows.columns().par_iter().map(|column| gather(column, chosen.as_deref())).collect();
        let labels = gather(rows.labels(), chosen.as_deref());
        let len = chosen.as_ref().map_or(rows.len(), Vec::len);
        let most = (effort.scouted / rows.inputs().max(1)).max(FEWEST_SCOUTED);
        Self {
            sample: Sample::new(columns, labels, len),
            chosen,
            scouted: some(len, most, Stream::Scouting, seed),
        }
    }

    /// The sample with the labels themselves.
    pub(super) fn labels(&self) -> &Sample {
        &self.sample
    }

    /// The sample with other labels, one for each of all rows.
    pub(super) fn with(&self, labels: &[u64]) -> Sample {
        self.sample.relabelled(gather(labels, self.chosen.as_deref()))
    }

    /// The rows that are not in the sample, of `rows`; none where all are.
    pub(super) fn unread(&self, rows: usize) -> Option<Vec<usize>> {
        let chosen = self.chosen.as_deref()?;
        Some((0..rows).filter(|row| chosen.binary_search(row).is_err()).collect())
    }

    /// The scout's rows of a sample, with the labels that it has there; none where the sample is small enough.
    pub(super) fn scout(&self, sample: &Sample) -> Option<Sample> {
        let scouted = self.scouted.as_deref()?;
        let columns = sample.columns().par_iter().map(|column| bits::pick(column, scouted)).collect();
        Some(Sample::new(columns, bits::pick(sample.labels(), scouted), scouted.len()))
    }
}

/// `most` of `rows` numbers at random, in increasing order; none where there are no more.
fn some(rows: usize, most: usize, stream: Stream, seed: u64) -> Option<Vec<usize>> {
    (rows > most).then(|| {
        let mut rng = stream.of(seed);
        let mut chosen = index::sample(&mut rng, rows, most).into_vec();
        chosen.sort_unstable();
        chosen
    })
}

fn gather(column: &[u64], chosen: Option<&[usize]>) -> Vec<u64> {
    chosen.map_or_else(|| column.to_vec(), |chosen| bits::pick(column, chosen))
}

/// Systematic sampling: each row as often as its share of the weight says, up to rounding, in the order of the rows.
pub(crate) fn by_weight(weights: &[u64], most: usize) -> Vec<usize> {
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
    use crate::generate::{Target, sample};

    #[test]
    fn a_sample_a_scout_and_the_rows_that_neither_reads() {
        let rows = sample(&Target::parity(700, 3, 1).expect("a target"), 9000, 1).expect("rows");
        let effort = Effort { rows: 8500, scouted: 1, ..Effort::new(5, 8) };
        let sampling = Sampling::new(&rows, &effort, 3);
        let unread = sampling.unread(rows.len()).expect("some rows");
        assert_eq!((sampling.labels().rows(), unread.len()), (8500, 500));
        let scout = sampling.scout(sampling.labels()).expect("fewer rows");
        assert_eq!((scout.rows(), scout.inputs()), (FEWEST_SCOUTED, 700));
        // The labels go with their rows: the parity is still that of the same inputs.
        let parity = Target::parity(700, 3, 1).expect("a target").support().to_vec();
        let mut left = scout.labels().to_vec();
        for &input in &parity {
            left.iter_mut().zip(scout.column(input)).for_each(|(left, x)| *left ^= x);
        }
        assert!([0, scout.rows()].contains(&bits::count(&left)));
        let whole = Sampling::new(&rows, &Effort { rows: 9000, scouted: 9000 * 700, ..effort }, 3);
        assert!(whole.unread(rows.len()).is_none() && whole.scout(whole.labels()).is_none());
    }

    #[test]
    fn rows_are_drawn_as_often_as_they_weigh() {
        assert_eq!(by_weight(&[1, 1, 1], 9), [0, 1, 2]);
        assert_eq!(by_weight(&[2, 0, 1], 9), [0, 0, 2]);
        assert_eq!(by_weight(&[0, 5], 9), [1, 1]);
        assert_eq!(by_weight(&[3, 1, 1, 3], 4).len(), 4);
    }
}
