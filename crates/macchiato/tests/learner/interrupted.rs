//! A fit that is cut short gives the best model so far, wherever that happens, and says what it did not do.
//!
//! Budgets count how often they are asked rather than the time, and the fit runs on one thread: so a strike falls on the
//! same place in every run.

use crate::made::{Cell, Draw, Made, literals, made};
use macchiato::classifier::Classifier;
use macchiato::fit::{CutShort, DecidedBy, Stop};
use macchiato::minimize::Budget;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Five numbers; the class is a soft threshold of their products, as in physical measurements, so that no table is right and
/// the comparison of candidates is long.
fn measurements(rows: usize, seed: u64) -> Made {
    made(rows, seed, |draw: &mut Draw| {
        let x: Vec<f64> = (0..5).map(|_| draw.number()).collect();
        let score = x[0] * x[1] + x[2] * x[2] - 0.5 * x[3] + 0.3 * (draw.number() - 0.5);
        let class = if score > 0.45 { "signal" } else { "noise" };
        (x.into_iter().map(Cell::Number).collect(), class)
    })
}

/// The classifier of a fit that may ask its budget `polls` times, and how often it did.
fn learned(train: &Made, polls: u64) -> (Classifier, u64) {
    let left = Arc::new(AtomicU64::new(polls));
    let budget = Budget::unlimited().with_polls(Arc::clone(&left));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let classifier = alone.install(|| train.learn(1, &budget));
    (classifier, polls - left.load(Ordering::Relaxed))
}

#[test]
fn the_best_model_so_far_stands_at_every_tenth_of_a_fit() {
    let (train, test) = (measurements(1500, 1), measurements(4000, 2));
    let (whole, polls) = learned(&train, u64::MAX);
    let aim = test.accuracy(&whole);
    let majority = test.majority();
    assert!(aim > majority + 0.1, "{aim} {majority}");
    assert_eq!(
        whole.models()[0].trace().decision.as_ref().map(|decision| decision.by),
        Some(DecidedBy::HeldOut)
    );
    let mut best = majority + 0.1;
    let mut seen = Vec::new();
    // The last step, learning again from all rows, asks seldom: a hundredth before the end is in it.
    for hundredth in [0, 1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 99] {
        let (cut, _) = learned(&train, polls * hundredth / 100);
        let trace = cut.models()[0].trace();
        let accuracy = test.accuracy(&cut);
        assert!(accuracy > best - 0.02, "{hundredth} of 100: {accuracy}, {best} before");
        assert!(literals(&cut) > 0);
        assert_eq!(trace.stop, Stop::Interrupted);
        seen.extend(trace.decision.as_ref().and_then(|decision| decision.cut_short));
        best = best.max(accuracy);
    }
    seen.dedup();
    assert_eq!(seen, [CutShort::Search, CutShort::Comparison, CutShort::LearningAgain]);
}
