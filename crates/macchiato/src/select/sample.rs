//! The rows that a search works on: labels that are still to be explained, beside the inputs.

use super::partition::Partition;
use crate::bits;
use crate::evidence::{Evidence, Nats};

/// Bit columns of inputs and labels, and the evidence of their counts.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    columns: Vec<Vec<u64>>,
    labels: Vec<u64>,
    rows: usize,
    evidence: Evidence,
}

impl Sample {
    /// Takes bit columns; bits past the last row must be 0.
    pub(crate) fn new(columns: Vec<Vec<u64>>, labels: Vec<u64>, rows: usize) -> Self {
        let evidence = Evidence::new(rows, columns.len());
        Self { columns, labels, rows, evidence }
    }

    /// The same rows with other labels.
    pub(crate) fn relabelled(&self, labels: Vec<u64>) -> Self {
        Self { labels, ..self.clone() }
    }

    pub(crate) fn inputs(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn column(&self, input: usize) -> &[u64] {
        &self.columns[input]
    }

    pub(crate) fn columns(&self) -> Vec<&[u64]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    pub(crate) fn labels(&self) -> &[u64] {
        &self.labels
    }

    pub(crate) fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The evidence that no input matters.
    pub(crate) fn constant(&self) -> Nats {
        let ones = bits::count(&self.labels);
        self.evidence.constant(self.rows - ones, ones)
    }

    /// All rows in one cell.
    pub(crate) fn root(&self) -> Partition {
        Partition::new(&self.columns(), &self.labels, self.rows, &self.evidence)
    }

    /// The cells of `inputs`.
    pub(crate) fn partition(&self, inputs: &[usize]) -> Partition {
        inputs.iter().fold(self.root(), |partition, &input| partition.split(input, &self.evidence))
    }

    /// The evidence of `inputs`, from a histogram of the cells.
    pub(crate) fn score(&self, inputs: &[usize]) -> Nats {
        self.score_of(inputs, &self.labels)
    }

    /// The same for other labels.
    pub(crate) fn score_of(&self, inputs: &[usize], labels: &[u64]) -> Nats {
        let mut votes = vec![[0u32; 2]; 1 << inputs.len()];
        self.visit(inputs, |row, cell| votes[cell][usize::from(bits::get(labels, row))] += 1);
        self.evidence.of_cells(votes.into_iter().filter(|votes| *votes != [0, 0]), inputs.len())
    }

    /// Every row with its cell: bit p of a cell is the p-th of `inputs`, at most 16 of them.
    pub(crate) fn visit(&self, inputs: &[usize], mut see: impl FnMut(usize, usize)) {
        for word in 0..bits::words(self.rows) {
            let mut cells = [0u32; 64];
            for (byte, eight) in inputs.chunks(8).enumerate() {
                let block = std::array::from_fn(|c| eight.get(c).map_or(0, |&i| self.columns[i][word]));
                for (cell, bits) in cells.iter_mut().zip(bits::row_bytes(&block)) {
                    *cell |= u32::from(bits) << (8 * byte);
                }
            }
            let from = 64 * word;
            for (offset, &cell) in cells[..64.min(self.rows - from)].iter().enumerate() {
                see(from + offset, cell as usize);
            }
        }
    }
}
