use super::super::*;
use crate::bits;
use crate::circuit::Circuit;
use crate::fit::{DecidedBy, Found, Shape};
use crate::generate::{Target, TestRows, sample, sample_pair, with_noise};
use crate::stage::Stage;
use proptest::prelude::*;

fn learn(rows: &Rows, params: AutoParams) -> Fit {
    let params = params.check(rows).expect("parameters");
    fit_auto(rows, None, &params, &Budget::unlimited()).expect("a fit")
}

fn right(circuit: &Circuit, rows: &Rows) -> f64 {
    let columns: Vec<&[u64]> = rows.columns().iter().map(Vec::as_slice).collect();
    let answers = circuit.evaluate(&columns, bits::words(rows.len())).swap_remove(0);
    let right = (0..rows.len()).filter(|&row| bits::get(&answers, row) == bits::get(rows.labels(), row));
    right.count() as f64 / rows.len() as f64
}

fn support(target: &Target) -> Vec<usize> {
    let mut support = target.support().to_vec();
    support.sort_unstable();
    support
}

#[test]
fn a_junta_is_found_whole_and_evidence_decides() {
    let target = Target::junta(14, 6, 1).expect("a target");
    let (train, test) = sample_pair(&target, 800, TestRows::Full, 1).expect("rows");
    let fit = learn(&train, AutoParams::default());
    assert_eq!(fit.circuit.support(), support(&target));
    assert!((right(&fit.circuit, &test) - 1.0).abs() < 1e-9);
    assert_eq!(fit.trace.stop, Stop::ResidualZero);
    assert_eq!(fit.trace.decision.map(|decision| decision.by), Some(DecidedBy::Evidence));
    assert_eq!(fit.trace.stages[0].found, Found::Evidence { shape: Shape::Table, against: 0 });
}

#[test]
fn a_function_that_takes_a_thousand_conditions_is_not_answered_by_a_constant() {
    // About one row for each cell: what no row shows is a coin toss, and nothing shorter says more than that.
    let target = Target::junta(13, 10, 3).expect("a target");
    let (train, test) = sample_pair(&target, 1200, TestRows::Full, 3).expect("rows");
    let fit = learn(&train, AutoParams::default());
    assert_eq!(fit.circuit.support(), support(&target));
    assert!(right(&fit.circuit, &test) > 0.75);
}

#[test]
fn a_long_parity_is_one_stage_for_each_input_or_shares_stages() {
    let target = Target::parity(40, 12, 2).expect("a target");
    let (train, test) = sample_pair(&target, 200, TestRows::Rows(500), 2).expect("rows");
    for (m, stages) in [(20, 12), (5, 4)] {
        let fit = learn(&train, AutoParams { m, ..AutoParams::default() });
        assert!((right(&fit.circuit, &test) - 1.0).abs() < 1e-9, "m = {m}");
        assert_eq!(fit.stages.len(), stages);
    }
}

#[test]
fn a_counting_function_is_told_from_its_counts() {
    let rows = sample(&Target::junta(12, 1, 4).expect("a target"), 700, 4).expect("rows");
    let mut labels = vec![0u64; bits::words(rows.len())];
    for row in 0..rows.len() {
        let ones = rows.columns().iter().filter(|column| bits::get(column, row)).count();
        if [3, 4, 8].contains(&ones) {
            bits::set(&mut labels, row);
        }
    }
    let rows = Rows::new(rows.columns().to_vec(), labels, rows.len()).expect("rows");
    let fit = learn(&rows, AutoParams::default());
    assert_eq!(fit.circuit.gates().len(), 1, "{:?}", fit.circuit);
    for x in 0..1usize << 12 {
        let point: Vec<bool> = (0..12).map(|i| x >> i & 1 == 1).collect();
        let ones = x.count_ones();
        // Counts that no row shows are free.
        if (2..=10).contains(&ones) {
            assert_eq!(fit.circuit.at(&point), [u64::from([3, 4, 8].contains(&ones))], "{x:b}");
        }
    }
}

#[test]
fn with_nothing_to_learn_the_answer_is_the_majority() {
    let rows = sample(&Target::junta(9, 1, 4).expect("a target"), 300, 4).expect("rows");
    let mut labels = vec![0u64; bits::words(300)];
    // Two of three, whatever the inputs.
    (0..300).filter(|row| row % 3 > 0).for_each(|row| bits::set(&mut labels, row));
    let rows = Rows::new(rows.columns().to_vec(), labels, 300).expect("rows");
    let fit = learn(&rows, AutoParams::default());
    assert!(fit.trace.accuracy() >= 2.0 / 3.0);
    assert_eq!((fit.circuit.at(&[false; 9]), fit.circuit.at(&[true; 9])), (vec![1], vec![1]));
}

#[test]
fn a_cap_is_kept_and_the_rest_is_approached() {
    let target = Target::junta(12, 6, 3).expect("a target");
    let (train, test) = sample_pair(&target, 1000, TestRows::Full, 3).expect("rows");
    let fit = learn(&train, AutoParams { k: Some(4), ..AutoParams::default() });
    assert!(fit.stages.iter().all(|stage| stage.inputs.len() <= 4));
    assert!(fit.stages.len() <= 20);
    assert!(right(&fit.circuit, &test) > 0.95);
}

#[test]
fn validation_rows_decide_where_they_are_given() {
    let target = Target::comparator(12).expect("a target");
    let (train, test) = sample_pair(&target, 600, TestRows::Rows(300), 6).expect("rows");
    let train = with_noise(train, 0.05, 6).expect("noise");
    let params = AutoParams { effort: 2, ..AutoParams::default() }.check(&train).expect("parameters");
    let fit = fit_auto(&train, Some(&test), &params, &Budget::unlimited()).expect("a fit");
    let decision = fit.trace.decision.expect("a decision");
    assert_eq!((decision.by, decision.asked), (DecidedBy::Validation, 300));
    let best = decision.candidates[0].right;
    assert!((right(&fit.circuit, &test) * 300.0 - best.expect("a count") as f64).abs() < 1e-6);
}

#[test]
fn a_spent_budget_gives_a_circuit_and_says_so() {
    let target = Target::junta(20, 5, 1).expect("a target");
    let rows = sample(&target, 500, 1).expect("rows");
    let params = AutoParams::default().check(&rows).expect("parameters");
    let spent = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    let fit = fit_auto(&rows, None, &params, &spent).expect("a fit");
    assert_eq!(fit.trace.stop, Stop::Interrupted);
    assert!(fit.trace.accuracy() >= 0.5);
}

#[test]
fn parameters_that_no_stage_can_use_are_refused() {
    let rows = sample(&Target::junta(20, 2, 1).expect("a target"), 50, 1).expect("rows");
    let refused = |params: AutoParams| params.check(&rows).expect_err("refused").to_string();
    assert!(refused(AutoParams { k: Some(0), ..AutoParams::default() }).starts_with("K is 0"));
    assert!(refused(AutoParams { k: Some(17), ..AutoParams::default() }).contains("give -k 16 or less"));
    assert!(refused(AutoParams { m: 0, ..AutoParams::default() }).starts_with("m is 0"));
    assert!(refused(AutoParams { effort: 10, ..AutoParams::default() }).starts_with("effort is 10"));
}

/// Rows of any function, repetitions and contradictions included.
fn any_rows() -> impl Strategy<Value = Rows> {
    (1usize..9, any::<bool>()).prop_flat_map(|(inputs, weighted)| {
        let row = (0u64..1 << inputs, 0u8..12, 1u64..3_000_000);
        proptest::collection::vec(row, 1..150).prop_map(move |list| {
            let mut columns = vec![bits::Column::default(); inputs + 1];
            for &(x, draw, _) in &list {
                for (i, column) in columns[..inputs].iter_mut().enumerate() {
                    column.push(x >> i & 1 == 1);
                }
                columns[inputs].push((x.wrapping_mul(0x9e37_79b9) >> 7 & 1 == 1) ^ (draw == 0));
            }
            let names = ((0..inputs).map(|i| format!("x{i}")).collect(), "y".to_owned());
            let mut columns: Vec<Vec<u64>> = columns.into_iter().map(bits::Column::into_words).collect();
            let labels = columns.remove(inputs);
            let weights = weighted.then(|| list.iter().map(|row| row.2).collect());
            Rows::named(names, columns, labels, (list.len(), weights)).expect("rows")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_rows_give_a_circuit_whose_trace_holds(rows in any_rows(), k in proptest::option::of(1usize..9), m in 1usize..6) {
        let k = k.map(|k| k.min(rows.inputs()));
        let fit = learn(&rows, AutoParams { k, m, effort: 2, ..AutoParams::default() });
        prop_assert!(fit.stages.len() <= m);
        prop_assert_eq!(fit.stages.len(), fit.trace.stages.len());
        if let Some(k) = k {
            prop_assert!(fit.stages.iter().all(|stage| stage.inputs.len() <= k));
        }
        let points: Vec<Vec<bool>> =
            (0..rows.len()).map(|row| rows.columns().iter().map(|column| bits::get(column, row)).collect()).collect();
        let errors = |stages: &[Stage]| {
            let at = |row: usize| stages.iter().fold(false, |value, stage| value ^ stage.at(&points[row]));
            (0..rows.len()).filter(|&row| at(row) != bits::get(rows.labels(), row)).count()
        };
        // A circuit that is no XOR of stages has none.
        if !fit.stages.is_empty() {
            prop_assert_eq!(errors(&fit.stages), fit.trace.errors);
        }
        for (t, stage) in fit.trace.stages.iter().enumerate() {
            prop_assert_eq!(stage.errors_before, errors(&fit.stages[..t]));
            prop_assert_eq!(stage.errors_after, errors(&fit.stages[..=t]));
        }
        // Never worse than the better constant.
        let weight = |row: usize| rows.weights().map_or(1, |weights| weights[row]);
        let total = |label: bool| -> u64 {
            (0..rows.len()).filter(|&row| bits::get(rows.labels(), row) == label).map(weight).sum()
        };
        let wrong: u64 = (0..rows.len())
            .filter(|&row| fit.circuit.at(&points[row]) != [u64::from(bits::get(rows.labels(), row))])
            .map(weight)
            .sum();
        prop_assert!(wrong <= total(false).min(total(true)));
    }

    #[test]
    fn the_number_of_threads_does_not_matter(rows in any_rows()) {
        let learn_with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| learn(&rows, AutoParams { effort: 2, ..AutoParams::default() }))
        };
        let (one, three) = (learn_with(1), learn_with(3));
        prop_assert_eq!(one.circuit, three.circuit);
        prop_assert_eq!(one.trace, three.trace);
    }
}
