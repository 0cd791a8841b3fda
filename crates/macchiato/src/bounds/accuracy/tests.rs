#![allow(clippy::cast_sign_loss)] // Sizes worked out by hand are positive.

use super::*;

const PLAN: Plan = Plan { inputs: 40, width: 5, stages: 3, delta: 0.05 };

#[test]
fn rows_and_error_are_inverse() {
    for error in [0.3, 0.1, 0.05, 0.01] {
        let rows = rows_for_excess(&PLAN, error).unwrap();
        for (rows, at) in [(rows.paper, 0), (rows.sharper, 1)] {
            let bought = |rows| {
                let both = excess(&PLAN, rows).unwrap();
                [both.paper, both.sharper][at]
            };
            assert!(bought(rows) <= error && bought(rows - PLAN.stages) > error);
        }
        let rows = rows_for_junta_error(&PLAN, error).unwrap();
        let rows = [rows.paper, rows.realizable, rows.known_inputs, rows.unseen_cells];
        for (at, rows) in rows.into_iter().enumerate() {
            let bought = |rows| {
                let all = junta_error(&PLAN, rows).unwrap();
                [all.paper, all.realizable, all.known_inputs, all.unseen_cells][at]
            };
            assert!(bought(rows) <= error && bought(rows - PLAN.stages) > error, "{error} {at}");
        }
    }
}

/// By hand: `2 (ln 2^4 + ln(2 / 0.05)) / 0.1^2` for the 16 functions of two inputs and one stage.
#[test]
fn the_constants_are_those_of_the_proof() {
    let plan = Plan { inputs: 2, width: 2, stages: 1, delta: 0.05 };
    let by_hand = (200.0 * (16f64.ln() + 40f64.ln())).ceil() as u64;
    assert_eq!(rows_for_excess(&plan, 0.1).unwrap().paper, by_hand);
    // Every one of 4 cells shown: 4 (3/4)^T <= 0.05.
    let every = ((4.0 / 0.05f64).ln() / (4f64 / 3.0).ln()).ceil() as u64;
    assert_eq!(rows_for_junta_error(&plan, 0.1).unwrap().unseen_cells, every);
}

#[test]
fn each_step_sharpens_or_changes_nothing() {
    for width in 1..=12 {
        let plan = Plan { width, ..PLAN };
        let rows = rows_for_junta_error(&plan, 0.05).unwrap();
        assert!(rows.paper > rows.realizable, "{width}");
        assert!(rows.realizable > rows.known_inputs && rows.known_inputs >= rows.unseen_cells, "{width}");
    }
}

#[test]
fn questions_without_an_answer() {
    let refused = |plan: Plan| excess(&plan, 100).unwrap_err().to_string();
    assert!(refused(Plan { delta: 1.0, ..PLAN }).contains("delta is 1: give a number above 0 and below 1"));
    assert!(refused(Plan { stages: 0, ..PLAN }).contains("no stages"));
    assert!(refused(Plan { stages: 101, ..PLAN }).contains("give at least 101 rows"));
    assert!(refused(Plan { width: 41, ..PLAN }).contains("give a number from 1 to 40"));
    let wide = Plan { inputs: 2000, width: 900, ..PLAN };
    assert_eq!(rows_for_excess(&wide, 0.1), Err(BoundsError::TooMany));
    assert_eq!(junta_error(&wide, 1000).unwrap().unseen_cells.to_bits(), 1f64.to_bits());
}
