//! Known targets and rows drawn from them: the paper's random juntas (Appendix D.2) and some classics of logic.
//!
//! The draws are the specification: the same seed gives the same bits on every platform, so that every experiment can be
//! redrawn. Each part of a draw has a `ChaCha8Rng::seed_from_u64(seed)` of its own, set to the stream given below; so a
//! target stays what it is when more rows are asked for. Draws are `next_u64`; `below(n)` keeps as many low bits of one as
//! `n - 1` has and draws again until the number is below n.
//!
//! | stream | part | draws |
//! |---|---|---|
//! | 0 | coordinates | the first places of a shuffle of the inputs: for place p, swap with place `p + below(B - p)` |
//! | 1 | labels | label u of a junta is bit `u % 64` of draw `u / 64`; each of several juntas begins with a fresh draw |
//! | 2, 3 | training rows, test rows | see [`sample`] |
//! | 4 | noise | for each row, flip its label if the draw's upper 53 bits, as a fraction, are below the rate |

mod error;
mod points;
mod rule;
mod sample;
mod target;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

pub use error::GenerateError;
pub use sample::{TestRows, sample, sample_pair, with_noise};
pub use target::Target;

/// A uniform number below `n`, which is not 0.
pub(crate) fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    let mask = u64::MAX.checked_shr((n - 1).leading_zeros()).unwrap_or(0);
    loop {
        let drawn = rng.next_u64() & mask;
        if drawn < n {
            return drawn;
        }
    }
}

/// The first `count` places of a shuffle of `items`.
pub(crate) fn shuffle_first<T>(rng: &mut ChaCha8Rng, items: &mut Vec<T>, count: usize) {
    for place in 0..count {
        let other = place + below(rng, (items.len() - place) as u64) as usize;
        items.swap(place, other);
    }
    items.truncate(count);
}

#[cfg(test)]
mod tests;
