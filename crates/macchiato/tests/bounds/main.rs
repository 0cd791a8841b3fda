//! The theorems by simulation: 1000 repetitions with fixed seeds, in which the promised event fails no more often than delta
//! allows, while at half the sample size the same test says that it does.
//!
//! Only where a union bound is nearly met can half of the samples be caught: functions that deviate independently of each other, with
//! influences and error rates of 1/2. The classes are chosen so; where a promise cannot be refuted that way, the test says why.

mod accuracy;
mod recovery;
mod selection;

use macchiato::bounds::binomial::lower_limit;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Times that every simulation is repeated.
const REPETITIONS: u64 = 1000;

/// In how many repetitions the event fails.
fn failures(mut fails: impl FnMut(&mut ChaCha8Rng) -> bool) -> u64 {
    (0..REPETITIONS).map(|seed| u64::from(fails(&mut ChaCha8Rng::seed_from_u64(seed)))).sum()
}

/// The event fails in at most a share delta of the repetitions at `size`, and in more at half of it.
fn holds_and_half_is_caught(delta: f64, size: u64, fails: impl Fn(&mut ChaCha8Rng, u64) -> bool) {
    let allowed = delta * REPETITIONS as f64;
    let (full, half) = (failures(|random| fails(random, size)), failures(|random| fails(random, size / 2)));
    println!("size {size}: {full} failures, at half {half}, allowed {allowed}");
    assert!(full as f64 <= allowed, "{full} failures at {size}");
    assert!(half as f64 > allowed, "only {half} failures at {}", size / 2);
}

/// The same for a promise without a margin, whose failures come nearly as often as delta says: as many are allowed as do not
/// refute delta at the level 0.001.
fn holds_tightly_and_half_is_caught(delta: f64, size: u64, fails: impl Fn(&mut ChaCha8Rng, u64) -> bool) {
    let refuted = |failures| lower_limit(failures, REPETITIONS, 0.001) > delta;
    let (full, half) = (failures(|random| fails(random, size)), failures(|random| fails(random, size / 2)));
    println!("size {size}: {full} failures, at half {half}, delta {delta}");
    assert!(!refuted(full), "{full} failures at {size}");
    assert!(refuted(half), "only {half} failures at {}", size / 2);
    // It is as tight as it claims.
    assert!(full as f64 > delta * REPETITIONS as f64 / 4.0, "{full} failures at {size}");
}
