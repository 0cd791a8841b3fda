//! Rows grouped by their cell, so that adding an input costs about T/64 word operations and the cells.
//!
//! The rows of a cell lie side by side in permuted copies of all columns. How an input would split each cell is then two
//! population counts over a run of bits; splitting for good is a stable partition of every column by the input's bits, a
//! bit compression of whole words. Rows alone in their cell say nothing more under any further input and are left out.

use crate::bits;
use crate::evidence::{ALONE, Evidence, Lanes, Nats, add, best};

/// A set of inputs and the rows in the order of its cells.
#[derive(Debug, Clone)]
pub(crate) struct Partition {
    inputs: Vec<usize>,
    /// Permuted columns of the rows that share their cell, one after the other, `words` each.
    columns: Vec<u64>,
    labels: Vec<u64>,
    words: usize,
    cells: Vec<Cell>,
    runs: Vec<Run>,
    alone: usize,
}

#[derive(Debug, Clone, Copy)]
struct Cell {
    rows: u32,
    ones: u32,
    /// End of its runs.
    runs: u32,
    evidence: Lanes,
}

/// The part of a cell in one word.
#[derive(Debug, Clone, Copy)]
struct Run {
    word: u32,
    mask: u64,
}

impl Partition {
    /// All rows in the one cell of the empty set.
    pub(crate) fn new(columns: &[&[u64]], labels: &[u64], rows: usize, evidence: &Evidence) -> Self {
        let words = bits::words(rows);
        let mut root = Self {
            inputs: Vec::new(),
            columns: columns.iter().flat_map(|column| column[..words].iter().copied()).collect(),
            labels: labels[..words].to_vec(),
            words,
            cells: Vec::new(),
            runs: Vec::new(),
            alone: usize::from(rows == 1),
        };
        if rows > 1 {
            root.lay_out(&[(rows as u32, bits::count(labels) as u32)], evidence);
        }
        root
    }

    /// The inputs, in increasing order.
    pub(crate) fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// Bytes that it holds, about.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.columns.len() + 16 * self.runs.len() + 40 * self.cells.len()
    }

    /// The evidence of its set with `input` added.
    pub(crate) fn with(&self, input: usize, evidence: &Evidence) -> Nats {
        let column = &self.columns[input * self.words..(input + 1) * self.words];
        let mut sum = [0; 3];
        let mut from = 0;
        for cell in &self.cells {
            let (mut inside, mut ones) = (0u32, 0u32);
            for run in &self.runs[from..cell.runs as usize] {
                let at = run.word as usize;
                let bits = column[at] & run.mask;
                inside += bits.count_ones();
                ones += (bits & self.labels[at]).count_ones();
            }
            from = cell.runs as usize;
            sum = add(
                sum,
                if inside == 0 || inside == cell.rows {
                    cell.evidence
                } else {
                    let others = cell.ones - ones;
                    add(
                        evidence.cell(inside - ones, ones),
                        evidence.cell(cell.rows - inside - others, others),
                    )
                },
            );
        }
        best(sum) + self.alone as Nats * ALONE - evidence.choice(self.inputs.len() + 1)
    }

    /// The partition with `input` added.
    pub(crate) fn split(&self, input: usize, evidence: &Evidence) -> Self {
        let column = &self.columns[input * self.words..(input + 1) * self.words];
        // Which rows stay, on either side, and the new cells in their order: those with 0 first.
        let mut stay = [vec![0u64; self.words], vec![0u64; self.words]];
        let mut halves: [Vec<(u32, u32)>; 2] = [Vec::new(), Vec::new()];
        let (mut from, mut alone) = (0, self.alone);
        for cell in &self.cells {
            let runs = &self.runs[from..cell.runs as usize];
            from = cell.runs as usize;
            let (mut inside, mut ones) = (0u32, 0u32);
            for run in runs {
                let bits = column[run.word as usize] & run.mask;
                inside += bits.count_ones();
                ones += (bits & self.labels[run.word as usize]).count_ones();
            }
            for (side, rows, ones) in [(0, cell.rows - inside, cell.ones - ones), (1, inside, ones)] {
                alone += usize::from(rows == 1);
                if rows > 1 {
                    halves[side].push((rows, ones));
                    for run in runs {
                        let word = column[run.word as usize];
                        stay[side][run.word as usize] |= run.mask & if side == 1 { word } else { !word };
                    }
                }
            }
        }
        let squeeze = stay.map(|mask| mask.iter().map(|&mask| Squeeze::new(mask)).collect::<Vec<_>>());
        let kept: u32 = halves.iter().flatten().map(|&(rows, _)| rows).sum();
        let words = bits::words(kept as usize);
        let all = self.columns.len() / self.words.max(1);
        let mut columns = vec![0u64; all * words];
        if words > 0 {
            for (from, to) in self.columns.chunks_exact(self.words).zip(columns.chunks_exact_mut(words)) {
                squeeze_into(from, &squeeze, to);
            }
        }
        let mut labels = vec![0u64; words];
        squeeze_into(&self.labels, &squeeze, &mut labels);
        let mut inputs = self.inputs.clone();
        inputs.insert(inputs.partition_point(|&other| other < input), input);
        let mut child = Self { inputs, columns, labels, words, cells: Vec::new(), runs: Vec::new(), alone };
        let [zeros, ones] = halves;
        child.lay_out(&[zeros, ones].concat(), evidence);
        child
    }

    /// Cells, each with its rows and ones, from the first bit on.
    fn lay_out(&mut self, cells: &[(u32, u32)], evidence: &Evidence) {
        let mut at = 0usize;
        for &(rows, ones) in cells {
            let end = at + rows as usize;
            while at < end {
                let (word, bit) = (at / 64, at % 64);
                let next = end.min(64 * (word + 1));
                let mask = (u64::MAX >> (64 - (next - at))) << bit;
                self.runs.push(Run { word: word as u32, mask });
                at = next;
            }
            self.cells.push(Cell {
                rows,
                ones,
                runs: self.runs.len() as u32,
                evidence: evidence.cell(rows - ones, ones),
            });
        }
    }
}

/// Moves the bits of a mask to the low end of a word: Hacker's Delight's compress, whose steps depend on the mask alone and
/// are found once for all columns.
#[derive(Debug, Clone, Copy)]
struct Squeeze {
    mask: u64,
    moves: [u64; 6],
}

impl Squeeze {
    fn new(mask: u64) -> Self {
        let (mut left, mut counts, mut moves) = (mask, !mask << 1, [0u64; 6]);
        for (step, bits) in moves.iter_mut().enumerate() {
            let mut parity = counts;
            for shift in [1, 2, 4, 8, 16, 32] {
                parity ^= parity << shift;
            }
            *bits = parity & left;
            left = left ^ *bits | *bits >> (1 << step);
            counts &= !parity;
        }
        Self { mask, moves }
    }

    #[inline]
    fn apply(&self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, bits) in self.moves.iter().enumerate() {
            let moved = word & bits;
            word = word ^ moved | moved >> (1 << step);
        }
        word
    }
}

/// The kept bits of one side, then those of the other.
fn squeeze_into(from: &[u64], sides: &[Vec<Squeeze>; 2], to: &mut [u64]) {
    let mut at = 0usize;
    for side in sides {
        for (&word, squeeze) in from.iter().zip(side) {
            if squeeze.mask == 0 {
                continue;
            }
            let (bits, count) = (squeeze.apply(word), squeeze.mask.count_ones() as usize);
            to[at / 64] |= bits << (at % 64);
            if at % 64 + count > 64 {
                to[at / 64 + 1] |= bits >> (64 - at % 64);
            }
            at += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn slow(columns: &[Vec<u64>], labels: &[u64], rows: usize, inputs: &[usize]) -> Nats {
        let mut cells: BTreeMap<Vec<bool>, [u32; 2]> = BTreeMap::new();
        for row in 0..rows {
            let cell = inputs.iter().map(|&i| bits::get(&columns[i], row)).collect();
            cells.entry(cell).or_default()[usize::from(bits::get(labels, row))] += 1;
        }
        Evidence::new(rows, columns.len()).of_cells(cells.into_values(), inputs.len())
    }

    proptest! {
        #[test]
        fn incremental_evidence_is_that_of_the_counts(
            words in prop::collection::vec(prop::collection::vec(any::<u64>(), 7), 4),
            rows in 1usize..200,
            order in Just(vec![2usize, 0, 1]).prop_shuffle(),
        ) {
            let clip = |column: &[u64]| {
                let mut column = column[..bits::words(rows)].to_vec();
                *column.last_mut().expect("a word") &= bits::last_mask(rows);
                column
            };
            let columns: Vec<Vec<u64>> = (0..3).map(|i| clip(&words[i])).collect();
            let labels = clip(&words[3]);
            let views: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            let evidence = Evidence::new(rows, 3);
            let mut partition = Partition::new(&views, &labels, rows, &evidence);
            let mut chosen = Vec::new();
            for input in order {
                chosen.push(input);
                let expected = slow(&columns, &labels, rows, &chosen);
                let slack = 2 * rows as Nats;
                prop_assert!((partition.with(input, &evidence) - expected).abs() <= slack);
                partition = partition.split(input, &evidence);
                let cells = partition.cells.iter().map(|cell| [cell.rows - cell.ones, cell.ones]);
                let alone = (0..partition.alone).map(|_| [1, 0]);
                let counted = evidence.of_cells(cells.chain(alone), chosen.len());
                prop_assert!((counted - expected).abs() <= slack);
            }
        }

        #[test]
        fn squeezing_keeps_the_masked_bits_in_order(word in any::<u64>(), mask in any::<u64>()) {
            let mut expected = 0u64;
            let mut at = 0;
            for bit in 0..64 {
                if mask >> bit & 1 == 1 {
                    expected |= (word >> bit & 1) << at;
                    at += 1;
                }
            }
            prop_assert_eq!(Squeeze::new(mask).apply(word), expected);
        }
    }
}
