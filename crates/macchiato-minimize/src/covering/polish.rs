//! Fewest literals second: a chosen column gives way to one that covers all it alone covers with fewer literals.

use super::matrix::Matrix;
use crate::budget::Budget;

/// Swaps the columns of a cover, named by the full problem's numbers, one for one while literals fall.
pub(super) fn fewer_literals(matrix: &Matrix, columns: &mut [usize], budget: &Budget) {
    let mut times_covered = vec![0u32; matrix.rows()];
    for &column in columns.iter() {
        matrix.column(column).iter().for_each(|&row| times_covered[row as usize] += 1);
    }
    let mut mark = vec![0u32; matrix.columns()];
    let mut own: Vec<u32> = Vec::new();
    loop {
        let mut swapped = false;
        for chosen in columns.iter_mut() {
            let column = *chosen;
            own.clear();
            own.extend(matrix.column(column).iter().filter(|&&row| times_covered[row as usize] == 1));
            let better = cheapest(matrix, &own, column, &mut mark);
            if better != column {
                matrix.column(column).iter().for_each(|&row| times_covered[row as usize] -= 1);
                matrix.column(better).iter().for_each(|&row| times_covered[row as usize] += 1);
                *chosen = better;
                swapped = true;
            }
        }
        if !swapped || budget.spent() {
            return;
        }
    }
}

/// The column with fewest literals that covers `own`; `column` itself unless one has strictly fewer.
fn cheapest(matrix: &Matrix, own: &[u32], column: usize, mark: &mut [u32]) -> usize {
    let Some((&thinnest, others)) = own.split_first() else {
        return column;
    };
    let candidates = matrix.row(thinnest as usize);
    for &c in candidates {
        mark[c as usize] = 0;
    }
    for &row in others {
        matrix.row(row as usize).iter().for_each(|&c| mark[c as usize] += 1);
    }
    let full = others.len() as u32;
    let best = candidates
        .iter()
        .map(|&c| c as usize)
        .filter(|&c| mark[c] == full && matrix.literals(c) < matrix.literals(column))
        .min_by_key(|&c| (matrix.literals(c), c));
    for &row in own {
        matrix.row(row as usize).iter().for_each(|&c| mark[c as usize] = 0);
    }
    best.unwrap_or(column)
}
