//! The rows of one side that the literals chosen so far leave, kept small enough to score every literal on.
//!
//! The full bit set is exact. Literals are scored on a *view* of it: a prefix of the full columns while the set is
//! dense, else columns gathered from at most [`SAMPLE`] of its rows. Scoring one literal thus costs at most a few
//! times `SAMPLE / 64` words, whatever the number of rows; once the gathered rows are all that is left, the view is exact and the
//! full set rests.

use super::columns::{Code, Columns, Side, size};
use crate::cube::ones;

/// Most rows that a score looks at.
const SAMPLE: usize = 4096;
/// A gathered sample with fewer rows left than this is drawn anew.
const STALE: usize = SAMPLE / 8;

#[derive(Debug)]
pub(super) struct Field<'a> {
    side: &'a Side,
    full: Vec<u64>,
    left: usize,
    /// Words of `full` that the view reads while nothing is gathered.
    prefix: usize,
    in_prefix: usize,
    gathered: Option<Gathered>,
    /// Word operations so far.
    pub(super) work: u64,
}

#[derive(Debug)]
struct Gathered {
    columns: Columns,
    rows: Vec<u32>,
    set: Vec<u64>,
    left: usize,
    /// These are all rows that are left.
    exact: bool,
}

impl<'a> Field<'a> {
    /// The rows `set` of `side`.
    pub(super) fn new(side: &'a Side, set: Vec<u64>) -> Self {
        let left = size(&set);
        let mut field = Self { side, full: set, left, prefix: 0, in_prefix: 0, gathered: None, work: 0 };
        field.settle();
        field
    }

    /// How many rows are left, exactly.
    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// How many of the rows left pass `literal`: an estimate unless the view is exact.
    pub(super) fn passing(&self, literal: Code) -> f64 {
        let (passing, seen) = match &self.gathered {
            Some(gathered) => (gathered.columns.count(&gathered.set, literal), gathered.left),
            None => (self.side.columns().count(&self.full[..self.prefix], literal), self.in_prefix),
        };
        if seen == self.left {
            passing as f64
        } else {
            passing as f64 * (self.left as f64 / seen.max(1) as f64)
        }
    }

    /// Words that [`Field::passing`] reads.
    pub(super) fn view_words(&self) -> usize {
        self.gathered.as_ref().map_or(self.prefix, |gathered| gathered.columns.words())
    }

    /// Keeps the rows that pass `literal`.
    pub(super) fn choose(&mut self, literal: Code) {
        if let Some(gathered) = &mut self.gathered {
            gathered.columns.keep(&mut gathered.set, literal);
            gathered.left = size(&gathered.set);
            self.left = gathered.left;
        }
        if !self.gathered.as_ref().is_some_and(|gathered| gathered.exact) {
            self.side.columns().keep(&mut self.full, literal);
            self.left = size(&self.full);
            self.work += 2 * self.full.len() as u64;
        }
        self.settle();
    }

    /// Chooses the view.
    fn settle(&mut self) {
        match &self.gathered {
            Some(gathered) if gathered.exact => {
                if 4 * gathered.left.div_ceil(64) <= gathered.columns.words() && gathered.left > 0 {
                    let rows: Vec<u32> = ones(&gathered.set).map(|at| gathered.rows[at]).collect();
                    self.gather(rows, true);
                }
            }
            Some(gathered) if gathered.left >= STALE => {}
            _ => self.look_at_full(),
        }
    }

    fn look_at_full(&mut self) {
        let wanted = self.left.min(SAMPLE);
        (self.prefix, self.in_prefix) = (0, 0);
        while self.in_prefix < wanted {
            self.in_prefix += self.full[self.prefix].count_ones() as usize;
            self.prefix += 1;
        }
        if self.prefix > 4 * wanted.div_ceil(64) || self.gathered.is_some() {
            let rows = ones(&self.full[..self.prefix]).take(wanted).map(|row| row as u32).collect();
            self.gather(rows, wanted == self.left);
        }
    }

    fn gather(&mut self, rows: Vec<u32>, exact: bool) {
        let mut columns = self.gathered.take().map(|old| old.columns).unwrap_or_default();
        self.side.gather(rows.iter().map(|&row| row as usize), rows.len(), &mut columns);
        // A transposed block of 64 x 64 bits costs about as much as this many word operations.
        self.work += (columns.words() * self.side.inputs() * 4) as u64;
        let (set, left) = (super::columns::all_rows(rows.len()), rows.len());
        self.gathered = Some(Gathered { columns, rows, set, left, exact });
    }
}
