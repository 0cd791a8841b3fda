use super::*;
use crate::bounds::simulation::{allowed, binomial_draw, failures, random};
use crate::frame::{Frame, Values};
use crate::rows::WEIGHT_UNIT;
use proptest::prelude::*;

fn confidence(text: &str) -> Confidence {
    text.parse().expect("a confidence")
}

/// How often, in [`REPETITIONS`] studies with n held-out rows, the bound that `times` as many rows at the same rate would give is
/// below the true error.
fn fails(rows: u64, error: f64, confidence: Confidence, times: u64) -> u64 {
    failures(|repetition| {
        let wrong = binomial_draw(&mut random(17, repetition), rows, error);
        binomial::upper_limit(times * wrong, times * rows, confidence.risk()) < error
    })
}

#[test]
fn the_bound_fails_no_more_often_than_it_may_and_one_of_half_the_rows_is_caught() {
    for (rows, error, level) in [(60, 0.11, "0.9"), (200, 0.05, "0.9"), (400, 0.3, "0.95")] {
        let confidence = confidence(level);
        let allowed = allowed(confidence.risk());
        let honest = fails(rows, error, confidence, 1);
        assert!(
            honest <= allowed,
            "{rows} rows, error {error}: {honest} failures where {allowed} are allowed"
        );
        let forged = fails(rows, error, confidence, 2);
        assert!(forged > allowed, "as if twice the rows had been seen: {forged} failures are not caught");
    }
}

#[test]
fn the_probability_of_failing_is_at_most_the_risk_exactly() {
    let mut closest = 0.0f64;
    for (rows, error) in [(1, 0.5), (10, 0.2), (60, 0.11), (200, 0.05), (400, 0.3), (1000, 0.001)] {
        for risk in [0.1, 0.05, 0.001] {
            // The bound grows with the errors seen: it fails up to some number of them.
            let failing = (0..=rows).take_while(|&wrong| binomial::upper_limit(wrong, rows, risk) < error);
            let share = failing.last().map_or(0.0, |most| binomial::ln_tail_at_most(rows, error, most).exp());
            assert!(share <= risk, "{rows} rows, error {error}, risk {risk}: fails with probability {share}");
            closest = closest.max(share / risk);
        }
    }
    assert!(closest > 0.9, "nowhere tight: {closest}");
}

#[test]
fn the_bound_is_the_end_of_the_exact_test() {
    let holdout = |wrong, rows| Holdout { rows, wrong, confidence: confidence("0.95") };
    // (1 - p)^n = 0.05 without errors; published values of Clopper and Pearson's limits elsewhere.
    for (wrong, rows, expected) in [
        (0, 1, 0.95),
        (0, 59, 1.0 - 0.05f64.powf(1.0 / 59.0)),
        (1, 10, 0.394_163),
        (12, 1000, 0.019_37),
        (10, 10, 1.0),
    ] {
        let bound = ErrorBound::new(holdout(wrong, rows)).error_at_most;
        assert!((bound - expected).abs() < 5e-6, "{wrong} of {rows}: {bound}");
    }
}

#[test]
fn percentages_are_rounded_up() {
    for (share, text) in [
        (0.03, "3.0 %"),
        (0.030_01, "3.1 %"),
        (0.999_9, "100.0 %"),
        (1.0, "100.0 %"),
        (0.001_234, "0.13 %"),
        (0.000_5, "0.050 %"),
        (0.0, "0 %"),
    ] {
        assert_eq!(at_most_percent(share), text, "{share}");
    }
}

#[test]
fn rows_needed_are_the_least_that_do() {
    let confidence = Confidence::default();
    for error in [0.5, 0.1, 0.03, 0.001] {
        let rows = rows_without_error(error, confidence).expect("a number");
        let formula = (0.05f64.ln() / (1.0 - error).ln()).ceil();
        assert!((rows as f64 - formula).abs() < 0.5, "{error}: {rows}, not {formula}");
    }
    assert_eq!(rows_without_error(1.0, confidence), Some(1));
    assert_eq!(rows_without_error(f64::NAN, confidence), None);
    let rows = rows_at_rate((1, 50), 0.04, confidence).expect("a number");
    assert!(binomial::upper_limit(rows.div_ceil(50), rows, 0.05) <= 0.04);
    assert_eq!(rows_at_rate((3, 50), 0.06, confidence), None);
}

#[test]
fn what_cannot_be_split_is_refused() {
    let message = |rows, weights: Option<&[u64]>, fraction| {
        Split::new(rows, weights, fraction, 0).expect_err("refused").to_string()
    };
    for fraction in [0.0, 1.0, -0.1, 20.0, f64::NAN] {
        assert_eq!(
            message(10, None, fraction),
            format!(
                "holdout is {fraction}: give the share of the rows to put aside, between 0 and 1, such as 0.2"
            )
        );
    }
    let too_few =
        "a holdout of 0.01 puts 0 of 14 rows aside: at least one must be, and one must be left to learn from";
    assert_eq!(message(14, None, 0.01), too_few);
    assert_eq!(
        message(2, None, 0.9),
        "a holdout of 0.9 puts 2 of 2 rows aside: at least one must be, and one must be left to learn from"
    );
    assert_eq!(
        message(2, Some(&[1_000_000, 500_000]), 0.5),
        "row 2 has the weight 0.5, which is no number of rows: only whole weights can be held out and counted"
    );
    let most = "the weights stand for 9000000000000 rows, and at most 268435456 can be shared out: hold out a file of its own";
    assert_eq!(message(1, Some(&[9_000_000_000_000_000_000]), 0.5), most);
}

proptest! {
    #[test]
    fn every_row_is_on_one_side_as_often_as_it_was_drawn(
        weights in proptest::collection::vec(0u64..5, 1..60),
        fraction in 0.05f64..0.95,
        seed in any::<u64>(),
    ) {
        let weights: Vec<u64> = weights.into_iter().map(|weight| weight * WEIGHT_UNIT).collect();
        let draws: u64 = weights.iter().map(|weight| weight / WEIGHT_UNIT).sum();
        #[allow(clippy::cast_sign_loss)] // A share of what there is.
        let expected = (fraction * draws as f64).round() as u64;
        let split = Split::new(weights.len(), Some(&weights), fraction, seed);
        prop_assert_eq!(split.is_ok(), expected > 0 && expected < draws);
        if let Ok(split) = split {
            prop_assert_eq!(split.held.len() as u64, expected);
            let mut left = weights.clone();
            for &row in &split.held {
                left[row] -= WEIGHT_UNIT;
            }
            let mut trained = vec![0; weights.len()];
            for (&row, &weight) in split.train.iter().zip(split.weights.as_ref().expect("weights")) {
                prop_assert!(weight > 0 && trained[row] == 0);
                trained[row] = weight;
            }
            prop_assert_eq!(trained, left);
        }
    }
}

#[test]
fn every_row_is_put_aside_equally_often() {
    let mut counts = [0u32; 10];
    for seed in 0..4000 {
        for &row in Split::new(10, None, 0.3, seed).expect("a split").held() {
            counts[row] += 1;
        }
    }
    // 1200 each on average, with a standard deviation of 29.
    assert!(counts.iter().all(|&count| count.abs_diff(1200) < 130), "{counts:?}");
}

#[test]
fn a_class_never_seen_is_an_error() {
    use crate::learn::AutoParams;
    use crate::minimize::Budget;
    use crate::model::{Examples, FitOptions, Method};

    let frame = |values: Vec<f64>| Frame {
        source: "rows".to_owned(),
        names: vec!["size".to_owned()],
        rows: values.len(),
        columns: vec![Values::Number(values.into())],
        weights: None,
    };
    let labels = |classes: &[f64]| {
        Target::new("kind", &Values::Number(classes.to_vec().into()), classes.len()).expect("a target")
    };
    let train = frame((0..40).map(f64::from).collect());
    let target = labels(&(0..40).map(|row| f64::from(u8::from(row >= 20))).collect::<Vec<_>>());
    let options = FitOptions { method: Method::Auto(AutoParams::default()), ..FitOptions::default() };
    let examples = Examples { columns: &train, target: &target, weights: None };
    let model = Model::fit(&examples, None, &options, &Budget::unlimited(), |_| ()).expect("a model");
    let held = frame(vec![1.0, 35.0, 3.0, 36.0]);
    // The second row is wrong, and nobody can know of class 7.
    let judged = judge(&model, &held, &labels(&[0.0, 0.0, 0.0, 7.0]), Confidence::default());
    let judged = judged.expect("columns that are there");
    assert_eq!((judged.rows, judged.wrong), (4, 2));
}
