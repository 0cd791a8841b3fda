//! A fit that is cut short gives the best model so far, wherever that happens, and says what it did not do.
//!
//! Budgets count how often they are asked rather than the time, and the fit runs on one thread: so a strike falls on the
//! same place in every run.

use crate::made::{Cell, Draw, Made, made};
use macchiato::fit::{CutShort, DecidedBy, Stop};
use macchiato::learn::AutoParams;
use macchiato::minimize::Budget;
use macchiato::model::Method;
use macchiato::model::Model;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Five numbers; the class is a soft threshold of their products, as in physical measurements, so that no table is right and
/// the comparison of candidates is long.
pub(crate) fn measurements(rows: usize, seed: u64) -> Made {
    made(rows, seed, |draw: &mut Draw| {
        let x: Vec<f64> = (0..5).map(|_| draw.number()).collect();
        let score = x[0] * x[1] + x[2] * x[2] - 0.5 * x[3] + 0.3 * (draw.number() - 0.5);
        let class = if score > 0.45 { "signal" } else { "noise" };
        (x.into_iter().map(Cell::Number).collect(), class)
    })
}

/// The classifier of a fit that may ask its budget `polls` times, and how often it did.
fn learned(train: &Made, polls: u64) -> (Model, u64) {
    let left = Arc::new(AtomicU64::new(polls));
    let asked = || polls - left.load(Ordering::Relaxed);
    let budget = Budget::unlimited().with_polls(Arc::clone(&left));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let method = Method::Auto(AutoParams::with(|params| params.effort = 1));
    let classifier = alone.install(|| train.learn_by(method, &budget));
    (classifier, asked())
}

#[test]
fn the_best_model_so_far_stands_at_every_tenth_of_a_fit() {
    let (train, test) = (measurements(700, 1), measurements(4000, 2));
    let (whole, polls) = learned(&train, u64::MAX);
    assert_eq!(
        whole.circuits()[0].trace().decision.as_ref().map(|decision| decision.by),
        Some(DecidedBy::HeldOut)
    );
    let (aim, majority) = (test.accuracy(&whole), test.majority());
    assert!(aim > majority + 0.2, "{aim} {majority}");
    let mut best = 0.0_f64;
    let mut seen = Vec::new();
    for strike in (0..10).map(|tenth| polls * tenth / 10) {
        let (cut, _) = learned(&train, strike);
        let accuracy = test.accuracy(&cut);
        assert!(accuracy > best - 0.02, "{strike} of {polls}: {accuracy}, {best} before");
        // From the first moment on it is near what the whole fit finds.
        assert!(accuracy > aim - 0.05, "{strike} of {polls}: {accuracy}, in the end {aim}");
        let trace = cut.circuits()[0].trace();
        assert_eq!(trace.stop, Stop::Interrupted);
        assert!(trace.undone().is_some());
        seen.extend(trace.decision.as_ref().and_then(|decision| decision.cut_short));
        best = best.max(accuracy);
    }
    seen.dedup();
    assert_eq!(seen, [CutShort::Search, CutShort::Comparison]);
}
