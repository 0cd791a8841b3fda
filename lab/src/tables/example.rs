//! Figures for tests.

use super::ours::Ours;
use super::results::{Run, Shape};
use super::tree::Tree;

/// A table whose best rule is right on this share of the rows.
pub(crate) fn shape(name: &str, limit: f64) -> Shape {
    Shape { name: name.to_owned(), rows: 100, columns: 6, largest_against_rest: false, limit }
}

/// A fold with these accuracies, Macchiato's first, 12 literals against 30.
pub(crate) fn run(table: &str, fold: usize, ours: f64, tree: f64) -> Run {
    let macchiato = Ours {
        accuracy: ours,
        fit_seconds: 0.5,
        stages: 2,
        terms: 4,
        literals: 12,
        conditions: 10,
        interrupted: false,
    };
    let tree = Tree {
        accuracy: tree,
        fit_seconds: 0.25,
        positive_rules: 6,
        positive_literals: 30,
        rules: 11,
        literals: 70,
    };
    Run { table: table.to_owned(), fold, macchiato, tree }
}
