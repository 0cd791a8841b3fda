//! The distinct rows, `D_train^X`, and one label for each: what the neighbour pairs are built from.
//!
//! A row that repeats takes the label with more weight among its repetitions; on a tie it has no label and is left out
//! of the pairs.

use super::Rows;
use super::group::Groups;
use crate::bits;

/// One representative for each distinct row, and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distinct {
    /// Bit column of the representatives: the first row of each group whose labels do not tie.
    pub members: Vec<u64>,
    /// Bit column of the labels that the pairs use; equal to the rows' own labels but where repetitions outvote them.
    pub labels: Vec<u64>,
    /// Number of distinct rows, ties included.
    pub count: usize,
    /// Rows beyond the first of their kind.
    pub repeated: usize,
    /// Distinct rows that occur with both labels.
    pub contradictory: usize,
    /// Of these, the ones whose labels tie.
    pub tied: usize,
}

impl Distinct {
    /// The distinct rows where none repeats.
    pub(crate) fn all(rows: &Rows) -> Self {
        let mut members = vec![u64::MAX; bits::words(rows.len())];
        if let Some(last) = members.last_mut() {
            *last &= bits::last_mask(rows.len());
        }
        let labels = rows.labels().to_vec();
        Self { members, labels, count: rows.len(), repeated: 0, contradictory: 0, tied: 0 }
    }

    pub(super) fn new(rows: &Rows) -> Self {
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let groups = Groups::new(&columns, rows.len());
        let mut distinct = Self {
            members: vec![0; bits::words(rows.len())],
            labels: rows.labels().to_vec(),
            count: groups.len(),
            repeated: rows.len() - groups.len(),
            contradictory: 0,
            tied: 0,
        };
        for group in groups.iter() {
            distinct.add(rows, group);
        }
        distinct
    }

    fn add(&mut self, rows: &Rows, group: &[u32]) {
        let first = group[0] as usize;
        if group.len() == 1 {
            return bits::set(&mut self.members, first);
        }
        let mut votes = [0u64; 2];
        let mut seen = [false; 2];
        for &row in group {
            let label = usize::from(bits::get(rows.labels(), row as usize));
            votes[label] += rows.weights().map_or(1, |weights| weights[row as usize]);
            seen[label] = true;
        }
        if seen[0] && seen[1] {
            self.contradictory += 1;
            if votes[0] == votes[1] {
                self.tied += 1;
                return;
            }
            let word = &mut self.labels[first / 64];
            *word &= !(1 << (first % 64));
            *word |= u64::from(votes[1] > votes[0]) << (first % 64);
        }
        bits::set(&mut self.members, first);
    }
}
