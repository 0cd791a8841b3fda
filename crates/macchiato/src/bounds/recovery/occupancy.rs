//! `lem:uniform-occupancy`: how many draws give every one of B inputs at least q of them.

use super::super::binomial::ln_tail_at_most;
use super::super::error::{BoundsError, share};
use super::super::whole::{part, whole};
use serde::Serialize;

/// How far the logarithm of a tail may be off, generously.
const SLACK: f64 = 1e-7;
/// Past so many draws of each input the exact tail is slow, and a Chernoff bound that is as good there stands in for it.
const MOST_EACH: f64 = 1e7;

/// Draws that suffice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    /// The smallest number for which `B P(Bin(N, 1/B) < q) <= delta`.
    pub exact: u64,
    /// `B max(2q, 8 ln(B / delta))`, the constants of the paper's proof.
    pub chernoff: u64,
}

/// Draws with which, with probability at least `1 - delta`, each of `inputs` inputs is drawn at least `per_input` times.
///
/// `lem:uniform-occupancy`. The draws are independent and uniform over the inputs. `M_i` is binomial with mean `N / B`; when
/// that is at least `2q`, Chernoff's `P(M_i < mean / 2) <= exp(-mean / 8)` asks for a mean of `8 ln(B / delta)`, and both
/// use the union bound over the inputs. The exact tail needs no more, and usually about half.
///
/// # Errors
/// No inputs, `delta` outside (0, 1), or an answer above 10^18.
///
/// ```
/// use macchiato::bounds::recovery::occupancy;
///
/// let draws = occupancy(10, 50, 0.05)?;
/// assert_eq!(draws.chernoff, 1000);
/// assert!(draws.exact < 750);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn occupancy(inputs: u64, per_input: u64, delta: f64) -> Result<Occupancy, BoundsError> {
    if inputs == 0 {
        return Err(BoundsError::NoInputs);
    }
    share("delta", delta)?;
    let (b, q) = (inputs as f64, per_input as f64);
    let chernoff = whole(b * (2.0 * q).max(8.0 * libm::log(b / delta)))?;
    if per_input == 0 {
        return Ok(Occupancy { exact: 0, chernoff });
    }
    // P(M <= mean - t) <= exp(-t^2 / (2 mean)) asks for mean - sqrt(2 mean ln(B / delta)) >= q.
    let half = libm::log(b / delta) / 2.0;
    let root = half.sqrt() + (half + q).sqrt();
    let enough = whole(b * root * root * (1.0 + 1e-12))?.min(chernoff);
    if root * root > MOST_EACH {
        return Ok(Occupancy { exact: enough, chernoff });
    }
    // While the mean is at most q - 1 a miss is likelier than not. More draws never make it likelier, so that the first number
    // that suffices is found by halving.
    let (mut low, mut high) = (((per_input - 1) * inputs).clamp(per_input, enough.max(per_input)), enough);
    while low < high {
        let middle = low + (high - low) / 2;
        if suffices(inputs, middle, per_input, delta) { high = middle } else { low = middle + 1 }
    }
    Ok(Occupancy { exact: high.max(per_input), chernoff: chernoff.max(per_input) })
}

/// The greatest q that `draws` give every input, or 0.
pub(super) fn per_input_bought(inputs: u64, draws: u64, delta: f64) -> u64 {
    let mean = draws as f64 / inputs as f64;
    if mean > MOST_EACH {
        let spread = (2.0 * mean * libm::log(inputs as f64 / delta)).sqrt();
        return part((mean - spread) * (1.0 - 1e-12));
    }
    let (mut low, mut high) = (0, draws / inputs * 2 + 1);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if suffices(inputs, draws, middle, delta) { low = middle } else { high = middle - 1 }
    }
    low
}

fn suffices(inputs: u64, draws: u64, per_input: u64, delta: f64) -> bool {
    if inputs == 1 || per_input == 0 {
        return draws >= per_input;
    }
    let b = inputs as f64;
    libm::log(b) + ln_tail_at_most(draws, 1.0 / b, per_input - 1) <= libm::log(delta) - SLACK
}
