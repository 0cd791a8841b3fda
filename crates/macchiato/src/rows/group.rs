//! Rows grouped by equality on some of their columns.
//!
//! Up to 64 columns a row's bits are its key, and groups are the runs of equal keys after a sort. Beyond, the key is a
//! Zobrist hash (XOR of one random word for each 1 bit) and each run is split again by comparing the rows themselves, so
//! that groups are exact. Costs one pass over the columns and a sort.

use crate::bits;
use crate::random::Stream;
use rand::Rng;
use rayon::prelude::*;

/// Groups of equal rows, each in increasing order of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl Groups {
    /// Groups the rows `0..rows` by equality on `columns`.
    #[must_use]
    pub fn new(columns: &[&[u64]], rows: usize) -> Self {
        let keyed = sorted_keys(columns, rows);
        let order: Vec<u32> = keyed.iter().map(|&(_, row)| row).collect();
        let mut starts: Vec<u32> =
            (0..rows).filter(|&at| at == 0 || keyed[at].0 != keyed[at - 1].0).map(|at| at as u32).collect();
        starts.push(rows as u32);
        drop(keyed);
        let mut groups = Self { order, starts };
        if columns.len() > 64 {
            groups.split_collisions(columns);
        }
        groups
    }

    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no groups.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The groups, each as its rows.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|pair| &self.order[pair[0] as usize..pair[1] as usize])
    }

    /// Splits runs of equal hashes whose rows differ.
    fn split_collisions(&mut self, columns: &[&[u64]]) {
        let mut starts = vec![0u32];
        for pair in self.starts.windows(2) {
            let (mut from, to) = (pair[0] as usize, pair[1] as usize);
            while from < to {
                let first = self.order[from] as usize;
                let run = &mut self.order[from..to];
                // Stable: rows equal to the first keep their order, as do the others.
                run.sort_by_key(|&row| !equal_rows(columns, first, row as usize));
                let same = run.iter().take_while(|&&row| equal_rows(columns, first, row as usize)).count();
                from += same;
                starts.push(from as u32);
            }
        }
        self.starts = starts;
    }
}

/// Whether two rows agree on every column.
pub(crate) fn equal_rows(columns: &[&[u64]], a: usize, b: usize) -> bool {
    a == b || columns.iter().all(|column| bits::get(column, a) == bits::get(column, b))
}

/// Rows below which threads cost more than they bring.
const SMALL: usize = 1 << 12;

/// Each row's key and number, in order of the keys. Up to 64 columns bit i of the key is column i.
pub(crate) fn sorted_keys(columns: &[&[u64]], rows: usize) -> Vec<(u64, u32)> {
    let mut keyed = vec![(0, 0); rows];
    row_keys(columns, &mut keyed);
    if rows < SMALL {
        keyed.sort_unstable();
    } else {
        keyed.par_sort_unstable();
    }
    keyed
}

/// Writes each row's key and number.
fn row_keys(columns: &[&[u64]], keyed: &mut [(u64, u32)]) {
    let wide = columns.len() > 64;
    let zobrist: Vec<u64> = if wide {
        let mut rng = Stream::Hashing.of(0);
        columns.iter().map(|_| rng.next_u64()).collect()
    } else {
        Vec::new()
    };
    let fill = |(w, block): (usize, &mut [(u64, u32)])| {
        if !wide {
            return block_keys(columns, w, block);
        }
        for (r, entry) in block.iter_mut().enumerate() {
            *entry = (0, (64 * w + r) as u32);
        }
        for (column, random) in columns.iter().zip(&zobrist) {
            let word = column[w];
            for (r, entry) in block.iter_mut().enumerate() {
                entry.0 ^= random & (word >> r & 1).wrapping_neg();
            }
        }
    };
    if keyed.len() < SMALL {
        keyed.chunks_mut(64).enumerate().for_each(fill);
    } else {
        keyed.par_chunks_mut(64).enumerate().for_each(fill);
    }
}

/// The keys of the rows of word `w`, for at most 64 columns.
fn block_keys(columns: &[&[u64]], w: usize, block: &mut [(u64, u32)]) {
    for (r, entry) in block.iter_mut().enumerate() {
        *entry = (0, (64 * w + r) as u32);
    }
    for (byte, eight) in columns.chunks(8).enumerate() {
        let words = std::array::from_fn(|c| eight.get(c).map_or(0, |column| column[w]));
        for (entry, bits) in block.iter_mut().zip(bits::row_bytes(&words)) {
            entry.0 |= u64::from(bits) << (8 * byte);
        }
    }
}
