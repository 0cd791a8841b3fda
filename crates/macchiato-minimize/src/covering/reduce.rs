//! Reductions that keep some smallest cover: essential columns, row dominance, column dominance, until none applies.
//!
//! A row whose columns are a superset of another row's is covered for free; a column whose rows are a subset of
//! another's is never needed for fewest terms. Only rows and columns that lost an entry since their last look are
//! looked at again. Dominance stops at a cap of counted work: what is left out only costs time later.

use super::matrix::Matrix;
use crate::budget::Budget;

/// What the reductions leave.
pub(super) struct Reduced {
    /// Columns in every cover that the core's covers complete, by their names in the full problem.
    pub(super) chosen: Vec<usize>,
    /// The cyclic core.
    pub(super) core: Matrix,
}

/// Entries looked at by dominance checks before they are given up.
const WORK_CAP: usize = 400_000_000;

pub(super) fn reduce(matrix: &Matrix, budget: &Budget) -> Reduced {
    let mut state = State::new(matrix);
    loop {
        let mut changed = state.essential_columns();
        changed |= state.row_dominance();
        changed |= state.essential_columns();
        changed |= state.column_dominance();
        if !changed || state.work > WORK_CAP || budget.spent() {
            break;
        }
    }
    // Rows that no column covers have nothing to offer: they leave with the dead ones.
    let core = matrix.restricted(
        |row| state.row_alive[row] && state.row_left[row] > 0,
        |column| state.column_alive[column],
    );
    Reduced { chosen: state.chosen, core }
}

struct State<'a> {
    matrix: &'a Matrix,
    row_alive: Vec<bool>,
    column_alive: Vec<bool>,
    /// Alive columns of each row, alive rows of each column.
    row_left: Vec<u32>,
    column_left: Vec<u32>,
    row_dirty: Vec<bool>,
    column_dirty: Vec<bool>,
    chosen: Vec<usize>,
    work: usize,
}

impl<'a> State<'a> {
    fn new(matrix: &'a Matrix) -> Self {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        Self {
            matrix,
            row_alive: vec![true; rows],
            column_alive: vec![true; columns],
            row_left: (0..rows).map(|row| matrix.row(row).len() as u32).collect(),
            column_left: (0..columns).map(|column| matrix.column(column).len() as u32).collect(),
            row_dirty: vec![true; rows],
            column_dirty: vec![true; columns],
            chosen: Vec::new(),
            work: 0,
        }
    }

    fn remove_row(&mut self, row: usize) {
        self.row_alive[row] = false;
        for &column in self.matrix.row(row) {
            self.column_left[column as usize] -= 1;
            self.column_dirty[column as usize] = true;
        }
    }

    fn remove_column(&mut self, column: usize) {
        self.column_alive[column] = false;
        for &row in self.matrix.column(column) {
            self.row_left[row as usize] -= 1;
            self.row_dirty[row as usize] = true;
        }
    }

    fn choose(&mut self, column: usize) {
        self.chosen.push(self.matrix.name(column));
        for &row in self.matrix.column(column) {
            if self.row_alive[row as usize] {
                self.remove_row(row as usize);
            }
        }
        self.remove_column(column);
    }

    fn essential_columns(&mut self) -> bool {
        let mut changed = false;
        for row in 0..self.matrix.rows() {
            if self.row_alive[row] && self.row_left[row] == 1 {
                let only = self.matrix.row(row).iter().find(|&&column| self.column_alive[column as usize]);
                self.choose(*only.expect("one column is left") as usize);
                changed = true;
            }
        }
        changed
    }

    /// Removes every row that is covered whenever some other row is.
    fn row_dominance(&mut self) -> bool {
        let mut changed = false;
        for row in 0..self.matrix.rows() {
            if !self.row_alive[row] || self.row_left[row] == 0 || !std::mem::take(&mut self.row_dirty[row]) {
                continue;
            }
            let columns: Vec<u32> = self.alive_columns(row).collect();
            let Some(&thinnest) = columns.iter().min_by_key(|&&c| (self.column_left[c as usize], c)) else {
                continue;
            };
            for &other in self.matrix.column(thinnest as usize) {
                let other = other as usize;
                if other == row || !self.row_alive[other] || self.row_left[other] < self.row_left[row] {
                    continue;
                }
                self.work += 1;
                if subset(&columns, self.matrix.row(other), &mut self.work) {
                    self.remove_row(other);
                    changed = true;
                }
            }
            if self.work > WORK_CAP {
                break;
            }
        }
        changed
    }

    /// Removes every column whose rows some other column covers; of equals, the one with fewest literals stays.
    fn column_dominance(&mut self) -> bool {
        let mut changed = false;
        for column in 0..self.matrix.columns() {
            if !self.column_alive[column] || !std::mem::take(&mut self.column_dirty[column]) {
                continue;
            }
            let rows: Vec<u32> = self.alive_rows(column).collect();
            let Some(&thinnest) = rows.iter().min_by_key(|&&r| (self.row_left[r as usize], r)) else {
                self.remove_column(column);
                continue;
            };
            for &other in self.matrix.row(thinnest as usize) {
                let other = other as usize;
                if other == column || !self.column_alive[other] || !self.may_dominate(other, column) {
                    continue;
                }
                self.work += 1;
                if subset(&rows, self.matrix.column(other), &mut self.work) {
                    self.remove_column(column);
                    changed = true;
                    break;
                }
            }
            if self.work > WORK_CAP {
                break;
            }
        }
        changed
    }

    fn may_dominate(&self, by: usize, column: usize) -> bool {
        let key = |c: usize| (self.matrix.literals(c), c);
        match self.column_left[by].cmp(&self.column_left[column]) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => key(by) < key(column),
            std::cmp::Ordering::Greater => true,
        }
    }

    fn alive_columns(&self, row: usize) -> impl Iterator<Item = u32> {
        self.matrix.row(row).iter().copied().filter(|&column| self.column_alive[column as usize])
    }

    fn alive_rows(&self, column: usize) -> impl Iterator<Item = u32> {
        self.matrix.column(column).iter().copied().filter(|&row| self.row_alive[row as usize])
    }
}

/// Whether the increasing list `small` is part of the increasing list `large`.
fn subset(small: &[u32], large: &[u32], work: &mut usize) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut at = 0;
    for &x in small {
        while at < large.len() && large[at] < x {
            at += 1;
        }
        if at == large.len() || large[at] != x {
            *work += at;
            return false;
        }
        at += 1;
    }
    *work += at;
    true
}
