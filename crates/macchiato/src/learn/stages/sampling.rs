//! Which rows the search reads: all of them while they are few, else a random sample; by weight, where rows have one. Of
//! wide samples a scout, again at random, goes ahead.

use super::explain::Effort;
use crate::bits;
use crate::draw;
use crate::random::Stream;
use crate::rows::Rows;
use crate::select::Sample;
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
        let most = (effort.scouted / rows.inputs().max(1)).max(FEWEST_SCOUTED);
        let sampling = Self::of_at_most(rows, effort.rows, seed);
        let scouted = some(sampling.sample.rows(), most, Stream::Scouting, seed);
        Self { scouted, ..sampling }
    }

    /// At most so many rows, all of which a scout may read.
    pub(super) fn of_at_most(rows: &Rows, most: usize, seed: u64) -> Self {
        let chosen = match rows.weights() {
            Some(weights) => {
                let wanted = rows.len().min(most).max(1) as u128;
                Some(draw::by_weight(&mut Stream::Sampling.of(seed), weights, wanted))
            }
            None => some(rows.len(), most, Stream::Sampling, seed),
        };
        let columns = rows.columns().par_iter().map(|column| gather(column, chosen.as_deref())).collect();
        let labels = gather(rows.labels(), chosen.as_deref());
        let len = chosen.as_ref().map_or(rows.len(), Vec::len);
        Self { sample: Sample::new(columns, labels, len), chosen, scouted: None }
    }

    /// The sample with the labels themselves.
    pub(super) fn labels(&self) -> &Sample {
        &self.sample
    }

    /// The sample with other labels, one for each of all rows.
    pub(super) fn with(&self, labels: &[u64]) -> Sample {
        self.sample.relabelled(gather(labels, self.chosen.as_deref()))
    }

    /// The scout's rows of a sample, with the labels that it has there; none where the sample is small enough.
    pub(super) fn scout(&self, sample: &Sample) -> Option<Sample> {
        let scouted = self.scouted.as_deref()?;
        let columns = sample.columns().par_iter().map(|column| bits::pick(column, scouted)).collect();
        Some(Sample::new(columns, bits::pick(sample.labels(), scouted), scouted.len()))
    }
}

/// `most` of `rows` numbers; none where there are no more.
fn some(rows: usize, most: usize, stream: Stream, seed: u64) -> Option<Vec<usize>> {
    (rows > most).then(|| draw::some(&mut stream.of(seed), rows, most))
}

fn gather(column: &[u64], chosen: Option<&[usize]>) -> Vec<u64> {
    chosen.map_or_else(|| column.to_vec(), |chosen| bits::pick(column, chosen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Target, sample};

    #[test]
    fn a_sample_and_a_scout() {
        let rows = sample(&Target::parity(700, 3, 1).expect("a target"), 9000, 1).expect("rows");
        let effort = Effort { rows: 8500, scouted: 1, ..Effort::new(5, 8) };
        let sampling = Sampling::new(&rows, &effort, 3);
        assert_eq!(sampling.labels().rows(), 8500);
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
        assert!(whole.labels().rows() == 9000 && whole.scout(whole.labels()).is_none());
    }
}
