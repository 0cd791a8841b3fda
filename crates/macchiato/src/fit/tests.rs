use super::*;
use crate::bits;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Rows of a function with some noise, repetitions included.
fn any_rows(inputs: std::ops::Range<usize>) -> impl Strategy<Value = Rows> {
    (inputs, any::<u64>(), 0u8..3).prop_flat_map(|(inputs, scramble, noise)| {
        proptest::collection::vec((any::<u64>(), 0u8..20), 1..400).prop_map(move |list| {
            let mut columns = vec![bits::Column::default(); inputs];
            let mut labels = bits::Column::default();
            for (x, draw) in list {
                let x = if inputs < 64 { x % (1 << inputs) } else { x };
                for (i, column) in columns.iter_mut().enumerate() {
                    column.push(x >> (i % 64) & 1 == 1);
                }
                let truth = (x & 7).wrapping_mul(scramble | 1) >> 3 & 1 == 1;
                labels.push(truth ^ (draw < noise));
            }
            let len = labels.len();
            let columns = columns.into_iter().map(bits::Column::into_words).collect();
            Rows::new(columns, labels.into_words(), len).expect("rows")
        })
    })
}

fn any_params() -> impl Strategy<Value = PaperParams> {
    (1usize..6, 1usize..6, any::<bool>(), any::<bool>(), any::<u64>()).prop_map(
        |(k, m, random, stop, seed)| {
            let selection = if random { Selection::Random } else { Selection::Influence };
            PaperParams { k, m, selection, seed, stop_when_stuck: stop, ..PaperParams::default() }
        },
    )
}

fn point(rows: &Rows, row: usize) -> Vec<bool> {
    rows.columns().iter().map(|column| bits::get(column, row)).collect()
}

/// Fewest errors of any function of `inputs` on the labels given row by row.
fn fewest_errors(rows: &Rows, inputs: &[usize], labels: &[bool]) -> usize {
    let mut votes: BTreeMap<Vec<bool>, [usize; 2]> = BTreeMap::new();
    for (row, &label) in labels.iter().enumerate() {
        let cell = inputs.iter().map(|&i| bits::get(&rows.columns()[i], row)).collect();
        votes.entry(cell).or_default()[usize::from(label)] += 1;
    }
    votes.values().map(|votes| votes[0].min(votes[1])).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_stage_minimizes_the_empirical_risk_and_the_identity_holds(
        rows in any_rows(1..12), params in any_params()
    ) {
        let params = PaperParams { k: params.k.min(rows.inputs()), ..params };
        let fit = fit_paper(&rows, &params.clone().check(&rows).expect("checked"), &Budget::unlimited()).expect("fit");
        prop_assert_eq!(fit.stages.len(), fit.trace.stages.len());
        let points: Vec<Vec<bool>> = (0..rows.len()).map(|row| point(&rows, row)).collect();
        let mut answers = vec![false; rows.len()];
        for (stage, trace) in fit.stages.iter().zip(&fit.trace.stages) {
            let residual: Vec<bool> =
                (0..rows.len()).map(|row| bits::get(rows.labels(), row) ^ answers[row]).collect();
            prop_assert_eq!(trace.errors_before, residual.iter().filter(|&&r| r).count());
            for row in 0..rows.len() {
                let correction = stage.at(&points[row]);
                answers[row] ^= correction;
                // H_t != f exactly where F_t != r_t.
                prop_assert_eq!(answers[row] != bits::get(rows.labels(), row), correction != residual[row]);
            }
            let errors = (0..rows.len()).filter(|&row| answers[row] != bits::get(rows.labels(), row)).count();
            prop_assert_eq!(trace.errors_after, errors);
            prop_assert_eq!(errors, fewest_errors(&rows, &stage.inputs, &residual));
            prop_assert_eq!(trace.changed, points.iter().any(|x| stage.at(x)));
        }
        prop_assert_eq!(fit.trace.errors, answers.iter().enumerate().filter(|&(row, &a)| a != bits::get(rows.labels(), row)).count());
        match fit.trace.stop {
            Stop::ResidualZero => prop_assert_eq!(fit.trace.errors, 0),
            Stop::StageLimit => prop_assert_eq!(fit.trace.stages.len(), params.m),
            Stop::Stuck => prop_assert!(params.stop_when_stuck && !fit.trace.stages.last().expect("a stage").changed),
            Stop::NoActiveInput => prop_assert_eq!(params.selection, Selection::Influence),
            Stop::Interrupted => prop_assert!(false, "nothing interrupts an unlimited budget"),
            Stop::NoEvidence => prop_assert!(false, "only `auto` weighs evidence"),
        }
    }

    #[test]
    fn columns_and_points_agree(rows in any_rows(1..20)) {
        let params = PaperParams { k: rows.inputs().min(5), m: 3, ..PaperParams::default() };
        let fit = fit_paper(&rows, &params.check(&rows).expect("checked"), &Budget::unlimited()).expect("fit");
        let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
        let answers = fit.circuit.evaluate(&columns, bits::words(rows.len())).swap_remove(0);
        for row in 0..rows.len() {
            let x = point(&rows, row);
            let staged = fit.stages.iter().fold(false, |value, stage| value ^ stage.at(&x));
            prop_assert_eq!(bits::get(&answers, row), staged);
            prop_assert_eq!(fit.circuit.at(&x), [u64::from(staged)]);
        }
    }

    #[test]
    fn past_sixteen_inputs_observed_cells_are_enough(rows in any_rows(17..70)) {
        let params = PaperParams { k: rows.inputs(), m: 2, selection: Selection::Random, ..PaperParams::default() };
        let fit = fit_paper(&rows, &params.check(&rows).expect("checked"), &Budget::unlimited()).expect("fit");
        if let Some(stage) = fit.trace.stages.first() {
            let labels: Vec<bool> = (0..rows.len()).map(|row| bits::get(rows.labels(), row)).collect();
            prop_assert_eq!(stage.errors_after, fewest_errors(&rows, &stage.inputs, &labels));
        }
    }
}

fn scrambled(inputs: usize, len: usize) -> Rows {
    let mut columns = vec![bits::Column::default(); inputs];
    let mut labels = bits::Column::default();
    for row in 0..len as u64 {
        let x = (row + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        for (i, column) in columns.iter_mut().enumerate() {
            column.push(x >> i & 1 == 1);
        }
        labels.push((x ^ x >> 3 & x >> 5) & 1 == 1);
    }
    let columns = columns.into_iter().map(bits::Column::into_words).collect();
    Rows::new(columns, labels.into_words(), len).expect("rows")
}

#[test]
fn any_number_of_threads_gives_the_same_circuit() {
    let rows = scrambled(14, 30_000);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let params = PaperParams { k: 4, m: 6, ..PaperParams::default() }.check(&rows).expect("checked");
        pool.install(|| fit_paper(&rows, &params, &Budget::unlimited()).expect("fit").circuit)
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn split_stages_see_their_share_of_the_rows() {
    let rows = scrambled(6, 1003);
    let params =
        PaperParams { k: 3, m: 4, split: true, ..PaperParams::default() }.check(&rows).expect("checked");
    let fit = fit_paper(&rows, &params, &Budget::unlimited()).expect("fit");
    assert!(fit.trace.stages.iter().all(|stage| stage.rows == 250));
}

#[test]
fn weights_decide_majorities() {
    // a is 0 0 1 1, b is 0 1 0 1; y follows a but for the heavy third row.
    let (columns, labels) = (vec![vec![0b1100], vec![0b1010]], vec![0b1000]);
    let weights = Some(vec![1_000_000, 1_000_000, 1_000_000, 3_000_000]);
    let names = (vec!["a".into(), "b".into()], "y".into());
    let rows = Rows::named(names, columns, labels, (4, weights)).expect("rows");
    let residual = Residual::new(&rows);
    let projected = ProjectedTable::new(&rows, &residual, &[0]);
    assert_eq!(projected.table().and_then(|table| table.cell(1)), Some(true));
    assert_eq!(residual.error_weight(&rows), 3_000_000);
}

#[test]
fn parameters_are_checked_against_the_rows() {
    let rows = scrambled(5, 10);
    let refused = |params: PaperParams| params.check(&rows).expect_err("refused").to_string();
    assert_eq!(
        refused(PaperParams { k: 0, ..PaperParams::default() }),
        "K is 0: a stage needs at least 1 and at most the 5 inputs that the rows have"
    );
    assert!(matches!(
        PaperParams { k: 6, ..PaperParams::default() }.check(&rows),
        Err(ParamError::K { k: 6, inputs: 5 })
    ));
    assert_eq!(
        refused(PaperParams { k: 2, m: 0, ..PaperParams::default() }),
        "m is 0: at least one stage is needed"
    );
    let split = PaperParams { k: 2, m: 11, split: true, ..PaperParams::default() };
    assert_eq!(
        refused(split),
        "--split shares 10 rows among 11 stages: give at least 11 rows or fewer stages"
    );
}
