//! The projected majority table: Eq. (Majority) over the cells of the selected inputs.
//!
//! Each row votes with its weight for the residual label of its cell; a strict majority decides, tied and unseen cells
//! are don't-cares. Up to 16 inputs all cells are counted in one histogram; past that only the observed cells exist, and
//! the row engine completes them.

use crate::bits;
use crate::residual::Residual;
use crate::rows::{Groups, Rows};
use macchiato_minimize::{
    MinimizeError, Minimized, Options, Rows as CellRows, Table, minimize_rows, minimize_table,
};
use rayon::prelude::*;
use std::ops::Range;

/// Cells of a stage by their majority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct CellCounts {
    /// Cells whose majority is 1.
    pub on: u64,
    /// Cells whose majority is 0.
    pub off: u64,
    /// Cells observed with a tie.
    pub tied: u64,
}

/// The paper's `g_t`: a partial truth table over the selected inputs.
#[derive(Debug, Clone)]
pub struct ProjectedTable {
    counts: CellCounts,
    cells: CellStore,
}

#[derive(Debug, Clone)]
enum CellStore {
    All(Table),
    Observed(CellRows),
}

impl ProjectedTable {
    /// Projects the residual onto the inputs `selected`.
    #[must_use]
    pub fn new(rows: &Rows, residual: &Residual, selected: &[usize]) -> Self {
        let columns: Vec<&[u64]> = selected.iter().map(|&i| rows.columns()[i].as_slice()).collect();
        match Table::new(selected.len()) {
            Ok(table) => all_cells(rows, residual, &columns, table),
            Err(_) => observed_cells(rows, residual, &columns),
        }
    }

    /// ON, OFF and tied cells; all others are unseen.
    #[must_use]
    pub const fn counts(&self) -> CellCounts {
        self.counts
    }

    /// The cell's majority, for tables of at most 16 inputs: bit p of the cell is the p-th selected input.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match &self.cells {
            CellStore::All(table) => Some(table),
            CellStore::Observed(_) => None,
        }
    }

    /// `EspressoLearn`: a small completion, with a proven bound.
    ///
    /// # Errors
    /// Those of the minimizer.
    pub fn minimize(&self, options: &Options) -> Result<Minimized, MinimizeError> {
        match &self.cells {
            CellStore::All(table) => minimize_table(table, options),
            CellStore::Observed(cells) => minimize_rows(cells, options),
        }
    }

    fn majority(&mut self, votes: [u64; 2]) -> Option<bool> {
        match votes[1].cmp(&votes[0]) {
            std::cmp::Ordering::Greater => {
                self.counts.on += 1;
                Some(true)
            }
            std::cmp::Ordering::Less => {
                self.counts.off += 1;
                Some(false)
            }
            std::cmp::Ordering::Equal => {
                self.counts.tied += u64::from(votes[0] > 0);
                None
            }
        }
    }
}

/// Rows of one task of the histogram: large enough to pay for its own counters.
const TASK_WORDS: usize = 1 << 12;

fn all_cells(rows: &Rows, residual: &Residual, columns: &[&[u64]], table: Table) -> ProjectedTable {
    let votes = histogram(rows, residual.bits(), columns);
    let mut projected = ProjectedTable { counts: CellCounts::default(), cells: CellStore::All(table) };
    for (cell, votes) in votes.chunks_exact(2).enumerate() {
        let majority = projected.majority([votes[0], votes[1]]);
        if let (CellStore::All(table), Some(_)) = (&mut projected.cells, majority) {
            table.set(cell, majority);
        }
    }
    projected
}

/// Votes by cell and residual label: entry `2 cell + label`.
pub(crate) fn histogram(rows: &Rows, residual: &[u64], columns: &[&[u64]]) -> Vec<u64> {
    // With the residual as lowest column, a row's bits are its entry.
    let bits_of_entry: Vec<&[u64]> = std::iter::once(residual).chain(columns.iter().copied()).collect();
    let entries = 1usize << bits_of_entry.len();
    let words = bits::words(rows.len());
    let per_task = TASK_WORDS.max(entries / 16);
    let count = |task: usize| {
        let range = task * per_task..((task + 1) * per_task).min(words);
        match rows.weights() {
            None => count_rows(&bits_of_entry, rows.len(), range, entries),
            Some(weights) => add_weights(&bits_of_entry, rows.len(), range, entries, weights),
        }
    };
    let add = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    (0..words.div_ceil(per_task)).into_par_iter().map(count).reduce(|| vec![0; entries], add)
}

/// The majority of each row's cell, of at most 16 inputs; 0 where it is tied.
pub(crate) fn majorities(rows: &Rows, residual: &Residual, selected: &[usize]) -> Vec<u64> {
    let columns: Vec<&[u64]> = selected.iter().map(|&i| rows.columns()[i].as_slice()).collect();
    let votes = histogram(rows, residual.bits(), &columns);
    let ones: Vec<bool> = votes.chunks_exact(2).map(|votes| votes[1] > votes[0]).collect();
    let word = |w: usize| {
        let left = (rows.len() - 64 * w).min(64);
        let cells = entries_of(&columns, w);
        cells[..left]
            .iter()
            .enumerate()
            .fold(0, |word, (bit, &cell)| word | u64::from(ones[cell as usize]) << bit)
    };
    (0..bits::words(rows.len())).into_par_iter().map(word).collect()
}

/// The entries of the 64 rows of word `w`.
fn entries_of(columns: &[&[u64]], w: usize) -> [u32; 64] {
    let mut at = [0u32; 64];
    for (byte, eight) in columns.chunks(8).enumerate() {
        let block = std::array::from_fn(|c| eight.get(c).map_or(0, |column| column[w]));
        for (at, bits) in at.iter_mut().zip(bits::row_bytes(&block)) {
            *at |= u32::from(bits) << (8 * byte);
        }
    }
    at
}

/// Rows of neighbouring words often share a cell; with one table for each of four rows in turn, no count waits for the one
/// before it.
fn count_rows(columns: &[&[u64]], rows: usize, words: Range<usize>, entries: usize) -> Vec<u64> {
    let mut tables = vec![0u32; 4 * entries];
    let (ab, cd) = tables.split_at_mut(2 * entries);
    let ((a, b), (c, d)) = (ab.split_at_mut(entries), cd.split_at_mut(entries));
    for w in words {
        let at = entries_of(columns, w);
        let left = (rows - 64 * w).min(64);
        let mut fours = at[..left].chunks_exact(4);
        for four in &mut fours {
            a[four[0] as usize] += 1;
            b[four[1] as usize] += 1;
            c[four[2] as usize] += 1;
            d[four[3] as usize] += 1;
        }
        for &entry in fours.remainder() {
            a[entry as usize] += 1;
        }
    }
    (0..entries).map(|e| [&*a, &*b, &*c, &*d].iter().map(|table| u64::from(table[e])).sum()).collect()
}

fn add_weights(
    columns: &[&[u64]],
    rows: usize,
    words: Range<usize>,
    entries: usize,
    weights: &[u64],
) -> Vec<u64> {
    let mut votes = vec![0u64; entries];
    for w in words {
        let at = entries_of(columns, w);
        for (entry, weight) in at.iter().zip(&weights[64 * w..(64 * w + 64).min(rows)]) {
            votes[*entry as usize] += weight;
        }
    }
    votes
}

fn observed_cells(rows: &Rows, residual: &Residual, columns: &[&[u64]]) -> ProjectedTable {
    let mut projected = ProjectedTable {
        counts: CellCounts::default(),
        cells: CellStore::Observed(CellRows::new(columns.len())),
    };
    let mut value = vec![0u64; bits::words(columns.len())];
    for group in Groups::new(columns, rows.len()).iter() {
        let mut votes = [0u64; 2];
        for &row in group {
            let label = usize::from(bits::get(residual.bits(), row as usize));
            votes[label] += rows.weights().map_or(1, |weights| weights[row as usize]);
        }
        let Some(label) = projected.majority(votes) else { continue };
        value.fill(0);
        for (p, column) in columns.iter().enumerate() {
            if bits::get(column, group[0] as usize) {
                bits::set(&mut value, p);
            }
        }
        if let CellStore::Observed(cells) = &mut projected.cells {
            cells.push_bits(&value, label);
        }
    }
    projected
}
