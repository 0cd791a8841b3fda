//! What the simulations of the tests share: seeded draws, and how often an event comes.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// How often each study is repeated.
pub(super) const REPETITIONS: u64 = 1000;

/// The generator of one repetition of one study.
pub(super) fn random(study: u64, repetition: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(study);
    rng.set_stream(repetition);
    rng
}

/// In how many repetitions the event comes.
pub(super) fn failures(event: impl Fn(u64) -> bool + Sync) -> u64 {
    (0..REPETITIONS).into_par_iter().filter(|&repetition| event(repetition)).count() as u64
}

/// The most failures that a statement of this risk may show. It may fail in that share of the repetitions on average, and a tight one
/// does; three standard deviations more come by chance about once in a thousand such tests.
#[allow(clippy::cast_sign_loss)] // A number of repetitions.
pub(super) fn allowed(risk: f64) -> u64 {
    let mean = risk * REPETITIONS as f64;
    (mean + 3.0 * (mean * (1.0 - risk)).sqrt()) as u64
}

/// A number in [0, 1), uniformly.
pub(super) fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Successes among so many trials.
pub(super) fn binomial_draw(rng: &mut ChaCha8Rng, trials: u64, probability: f64) -> u64 {
    (0..trials).filter(|_| uniform(rng) < probability).count() as u64
}
