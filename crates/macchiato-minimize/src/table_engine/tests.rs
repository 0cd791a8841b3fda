use super::minimize_table;
use crate::budget::Budget;
use crate::cover::Cover;
use crate::cube::{Literal, Shape};
use crate::outcome::Options;
use crate::table::Table;
use crate::verify;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The parity of `inputs` inputs: every cell its own prime.
fn parity(inputs: usize) -> Table {
    Table::from_fn(inputs, |x| Some(x.count_ones() % 2 == 1)).expect("few inputs")
}

#[test]
fn sixteen_inputs_fit() {
    let answer = minimize_table(&parity(16), &Options::default()).expect("minimized");
    assert_eq!((answer.cover.terms(), answer.lower_bound), (1 << 15, 1 << 15));
    assert!(Table::new(17).is_err());
}

#[test]
fn symmetric_functions_are_proven_by_branching() {
    // Two or three of five: every cell looks like every other, so prices alone prove little.
    let table = Table::from_fn(5, |x| Some((2..=3).contains(&x.count_ones()))).expect("few inputs");
    let options = Options { exact: true, ..Options::default() };
    let answer = minimize_table(&table, &options).expect("minimized");
    assert!(answer.proven_optimal());
    assert_eq!(answer.cover.terms(), 10);
}

#[test]
fn exact_ends_with_its_gap_when_it_is_cancelled() {
    let table = Table::from_fn(9, |x| Some((3..=6).contains(&x.count_ones()))).expect("few inputs");
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let budget = Budget::unlimited().with_cancel(cancel).with_observer(move |progress| {
        flag.store(progress.step == "branch and bound", Ordering::Relaxed);
    });
    let options = Options { exact: true, budget, ..Options::default() };
    let answer = minimize_table(&table, &options).expect("minimized");
    assert!(answer.interrupted && !answer.proven_optimal());
    assert!(answer.lower_bound >= 70 && answer.lower_bound <= 84, "{}", answer.lower_bound);
}

#[test]
fn a_wrong_cover_fails_verification() {
    let table = Table::from_fn(7, |x| (x != 5).then_some(x % 4 == 3)).expect("few inputs");
    let shape = Shape::new(7, 1);
    let mut right = Cover::new(shape);
    let mut literals = [Literal::Free; 7];
    literals[0] = Literal::Positive;
    literals[1] = Literal::Positive;
    right.push(&literals, &[true]);
    assert!(verify::table(&table, &right));
    assert!(!verify::table(&table, &Cover::new(shape)), "an ON cell is left out");
    literals[1] = Literal::Free;
    let mut wide = Cover::new(shape);
    wide.push(&literals, &[true]);
    assert!(!verify::table(&table, &wide), "an OFF cell is covered");
}
