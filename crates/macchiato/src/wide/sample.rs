//! Labelled rows stored row by row, from which any subset of rows is laid out as bit columns.
//!
//! A tree asks at each node for the columns of ever smaller subsets of rows. Masking full columns would cost every node
//! the whole sample; gathering the node's rows and transposing them in 64 x 64 blocks costs a level of the tree about
//! one pass over the sample, however many nodes the level has.

use crate::bits::transpose;
use rand_chacha::rand_core::Rng;

/// Labelled rows over `inputs` inputs.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    inputs: usize,
    /// Words of one row.
    stride: usize,
    /// Row-major values; bits past `inputs` are 0.
    values: Vec<u64>,
    labels: Vec<bool>,
}

impl Sample {
    /// No rows yet, over `inputs` inputs.
    #[must_use]
    pub(crate) fn new(inputs: usize) -> Self {
        Self { inputs, stride: inputs.div_ceil(64), values: Vec::new(), labels: Vec::new() }
    }

    /// Rows from bit columns: bit r % 64 of word r / 64 of `columns[i]` is input i of row r, and of `labels` its label.
    #[must_use]
    pub(crate) fn from_columns(columns: &[&[u64]], labels: &[u64], rows: usize) -> Self {
        let mut sample = Self::new(columns.len());
        let stride = sample.stride;
        sample.values = vec![0; rows * stride];
        let mut square = [0; 64];
        for block in 0..rows.div_ceil(64) {
            for (part, inputs) in columns.chunks(64).enumerate() {
                square.fill(0);
                for (word, column) in square.iter_mut().zip(inputs) {
                    *word = column[block];
                }
                transpose(&mut square);
                let here = 64.min(rows - 64 * block);
                for (r, &word) in square[..here].iter().enumerate() {
                    sample.values[(64 * block + r) * stride + part] = word;
                }
            }
        }
        sample.labels = (0..rows).map(|r| labels[r / 64] >> (r % 64) & 1 == 1).collect();
        sample
    }

    #[cfg(test)]
    /// Adds a row.
    pub(crate) fn push(&mut self, values: &[u64], label: bool) {
        debug_assert_eq!(values.len(), self.stride);
        self.values.extend_from_slice(values);
        self.labels.push(label);
    }

    /// Number of inputs.
    #[must_use]
    pub(crate) const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of rows.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The values of row r.
    #[must_use]
    pub(crate) fn row(&self, r: usize) -> &[u64] {
        &self.values[r * self.stride..(r + 1) * self.stride]
    }

    /// The label of row r.
    #[must_use]
    pub(crate) fn label(&self, r: usize) -> bool {
        self.labels[r]
    }

    /// Whether row r has input i at 1.
    #[must_use]
    pub(crate) fn bit(&self, r: usize, i: usize) -> bool {
        self.values[r * self.stride + i / 64] >> (i % 64) & 1 == 1
    }

    /// Writes the columns of `rows` into `columns`, column i from word `i * pitch + offset` on. The bits past the last
    /// row of the last word are 0.
    pub(crate) fn gather(&self, rows: &[u32], columns: &mut [u64], pitch: usize, offset: usize) {
        let mut square = [0; 64];
        for (block, rows) in rows.chunks(64).enumerate() {
            for part in 0..self.stride {
                square.fill(0);
                for (word, &r) in square.iter_mut().zip(rows) {
                    *word = self.values[r as usize * self.stride + part];
                }
                transpose(&mut square);
                let inputs = 64.min(self.inputs - 64 * part);
                for (k, &word) in square[..inputs].iter().enumerate() {
                    columns[(64 * part + k) * pitch + offset + block] = word;
                }
            }
        }
    }
}

/// A number below `bound`, the same on every platform; the bias is below `bound` / 2^64.
pub(crate) fn below(rng: &mut impl Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// Rows of fair bits, labelled by a function: what the tests learn from.
#[cfg(test)]
pub(crate) fn random_rows(inputs: usize, rows: usize, seed: u64, label: impl Fn(&[u64]) -> bool) -> Sample {
    use rand_chacha::rand_core::SeedableRng;
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut sample = Sample::new(inputs);
    for _ in 0..rows {
        let row: Vec<u64> = (0..inputs.div_ceil(64))
            .map(|part| rng.next_u64() & (u64::MAX >> (64 - 64.min(inputs - 64 * part))))
            .collect();
        let label = label(&row);
        sample.push(&row, label);
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathered_columns_hold_the_rows() {
        let sample = random_rows(70, 200, 1, |row| row[0] & 1 == 1);
        let rows: Vec<u32> = (0..200).filter(|r| r % 3 != 1).collect();
        let words = rows.len().div_ceil(64) + 1;
        let mut columns = vec![0; 70 * words];
        sample.gather(&rows, &mut columns, words, 1);
        for (k, &r) in rows.iter().enumerate() {
            for i in 0..70 {
                assert_eq!(columns[i * words + 1 + k / 64] >> (k % 64) & 1 == 1, sample.bit(r as usize, i));
            }
        }
        let all: Vec<u32> = (0..200).collect();
        let mut columns = vec![0; 70 * 4];
        sample.gather(&all, &mut columns, 4, 0);
        let slices: Vec<&[u64]> = columns.chunks(4).collect();
        let again = Sample::from_columns(&slices, slices[0], 200);
        assert!((0..200).all(|r| again.row(r) == sample.row(r) && again.label(r) == sample.label(r)));
    }
}
