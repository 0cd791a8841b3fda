//! The greedy primal: columns in the order of their cost per newly covered row, then without the redundant.
//!
//! A column's cost is what its price-paying rows leave of it, counting only rows not yet covered. That cost and its share
//! per row only worsen as rows get covered, so a heap with lazy re-scoring is enough.

use super::matrix::Matrix;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Reduced cost past which a column is tried only when the cheaper ones are used up.
const DEAR: f64 = 0.35;

/// What guides the greedy choice.
pub(super) struct Guide<'a> {
    /// Prices of the rows.
    pub(super) prices: &'a [f64],
    /// Costs of the columns less the prices of all their rows.
    pub(super) reduced_cost: &'a [f64],
}

/// Completes `chosen` to an irredundant cover.
pub(super) fn complete(matrix: &Matrix, guide: &Guide<'_>, chosen: &mut Vec<usize>) {
    let mut state = State {
        matrix,
        prices: guide.prices,
        times_covered: vec![0; matrix.rows()],
        open: (0..matrix.columns()).map(|c| matrix.column(c).len() as u32).collect(),
        cost: guide.reduced_cost.to_vec(),
        uncovered: matrix.rows(),
    };
    for &column in chosen.iter() {
        state.take(column);
    }
    // Dear columns are rarely needed: they join only if the others leave a row uncovered.
    let candidates = |state: &State<'_>, dear: bool| -> BinaryHeap<Entry> {
        let fits = |c: &usize| state.open[*c] > 0 && (guide.reduced_cost[*c] > DEAR) == dear;
        (0..matrix.columns()).filter(fits).map(|c| state.entry(c)).collect()
    };
    let mut heap = candidates(&state, false);
    let mut dear_joined = false;
    while state.uncovered > 0 {
        let Some(best) = heap.pop() else {
            if std::mem::replace(&mut dear_joined, true) {
                break;
            }
            heap = candidates(&state, true);
            continue;
        };
        let column = best.column as usize;
        match state.open[column] {
            0 => {}
            now if now == best.open => {
                state.take(column);
                chosen.push(column);
            }
            _ => heap.push(state.entry(column)),
        }
    }
    drop_redundant(matrix, guide.reduced_cost, chosen, &mut state.times_covered);
}

/// The classical greedy cover: the most uncovered rows first.
pub(super) fn without_prices(matrix: &Matrix, chosen: &mut Vec<usize>) {
    let (prices, reduced_cost) = (vec![0.0; matrix.rows()], vec![1.0; matrix.columns()]);
    complete(matrix, &Guide { prices: &prices, reduced_cost: &reduced_cost }, chosen);
}

struct State<'a> {
    matrix: &'a Matrix,
    prices: &'a [f64],
    times_covered: Vec<u32>,
    /// Rows of each column that are not covered yet.
    open: Vec<u32>,
    /// Cost of each column less the prices of those rows.
    cost: Vec<f64>,
    uncovered: usize,
}

impl State<'_> {
    fn take(&mut self, column: usize) {
        for &row in self.matrix.column(column) {
            let row = row as usize;
            self.times_covered[row] += 1;
            if self.times_covered[row] == 1 {
                self.uncovered -= 1;
                for &other in self.matrix.row(row) {
                    self.open[other as usize] -= 1;
                    self.cost[other as usize] += self.prices[row];
                }
            }
        }
    }

    /// Cost per newly covered row; a negative cost counts the more, the more rows it covers.
    fn entry(&self, column: usize) -> Entry {
        let (cost, open) = (self.cost[column], self.open[column]);
        let rows = f64::from(open);
        let score = if cost > 0.0 { cost / rows } else { cost * rows };
        Entry { score, literals: self.matrix.literals(column), column: column as u32, open }
    }
}

/// Removes columns whose rows are all covered otherwise, the costliest first.
fn drop_redundant(matrix: &Matrix, reduced_cost: &[f64], chosen: &mut Vec<usize>, times_covered: &mut [u32]) {
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (chosen[a], chosen[b]);
        reduced_cost[b]
            .total_cmp(&reduced_cost[a])
            .then(matrix.literals(b).cmp(&matrix.literals(a)))
            .then(b.cmp(&a))
    });
    let mut dropped = vec![false; chosen.len()];
    for at in order {
        let rows = matrix.column(chosen[at]);
        if rows.iter().all(|&row| times_covered[row as usize] > 1) {
            for &row in rows {
                times_covered[row as usize] -= 1;
            }
            dropped[at] = true;
        }
    }
    let mut at = 0;
    chosen.retain(|_| {
        at += 1;
        !dropped[at - 1]
    });
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    score: f64,
    literals: u32,
    column: u32,
    open: u32,
}

impl Ord for Entry {
    /// The heap's greatest is the smallest score, then the fewest literals, then the smallest number.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then(other.literals.cmp(&self.literals))
            .then(other.column.cmp(&self.column))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
