//! How many paired samples show which inputs matter: influence recovery, and the accuracy that a number of pairs buys.
//!
//! The paired model, an assumption of every function here: `X_n` and `I_n` are drawn independently, `X_n` from the uniform
//! distribution (or any other, `cor:mu-influence-recovery`: nothing below uses which), `I_n` uniformly from the B inputs, and
//! the labels of `X_n` and of `X_n` with input `I_n` flipped are seen. Neighbouring rows of an ordinary table are not that.

mod occupancy;

use super::counting::{self, ln_juntas};
use super::error::{BoundsError, share};
use super::whole::whole;
use serde::Serialize;

pub use occupancy::{Occupancy, occupancy};

/// What is estimated at once: how many one-sided deviations of one input's estimates the union bound counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Class {
    inputs: u64,
    /// `ln` of that number.
    ln_events: f64,
}

impl Class {
    /// Any finite class of functions, given the logarithm of its size: `thm:simultaneous-influence-recovery` and
    /// `cor:mu-influence-recovery`. Each function can deviate in two directions.
    ///
    /// # Errors
    /// No inputs, or no finite logarithm.
    pub fn finite(inputs: u64, ln_functions: f64) -> Result<Self, BoundsError> {
        if inputs == 0 {
            return Err(BoundsError::NoInputs);
        }
        if !(ln_functions.is_finite() && ln_functions >= 0.0) {
            return Err(BoundsError::Functions { value: ln_functions });
        }
        Ok(Self { inputs, ln_events: ln_functions + std::f64::consts::LN_2 })
    }

    /// The S-juntas as the paper counts them: `thm:junta-influence-recovery` with the exact `|J_{B,S}|` for its bound.
    ///
    /// # Errors
    /// Those of [`super::counting::juntas`].
    pub fn juntas(inputs: u64, support: u64) -> Result<Self, BoundsError> {
        Self::finite(inputs, counting::juntas(inputs, support)?.ln)
    }

    /// The S-juntas by their derivatives: the same event with fewer deviations to exclude.
    ///
    /// The estimate for input i averages `D_i h(x) = h(x) XOR h(x with i flipped)`. This does not depend on input i; it needs
    /// at most the other relevant inputs of h, so at most S - 1 of the other B - 1 (and is 0 where i is not relevant). The
    /// supremum over `J_{B,S}` is thus one over `J_{B-1,S-1}`. That class holds the complement of each of its functions,
    /// and an estimate that is too high is its complement's that is too low: one direction is enough. So
    /// `2 |J_{B,S}|` becomes `|J_{B-1,S-1}|`.
    ///
    /// # Errors
    /// Those of [`super::counting::juntas`].
    pub fn junta_derivatives(inputs: u64, support: u64) -> Result<Self, BoundsError> {
        counting::check(inputs, support)?;
        let ln_events = match inputs {
            1 => std::f64::consts::LN_2,
            _ => ln_juntas(inputs - 1, support - 1)?,
        };
        Ok(Self { inputs, ln_events })
    }

    /// `ln(B events)`, less the logarithm of the probability allowed.
    fn ln_union(&self, delta: f64) -> f64 {
        libm::log(self.inputs as f64) + self.ln_events - libm::log(delta)
    }
}

/// Paired samples that suffice, by each way to count them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pairs {
    /// Pairs that every input needs, the proof's `q_req`, with half of delta for Hoeffding and half for occupancy.
    pub per_input: u64,
    /// All pairs, where the multiplicative Chernoff bound gives each input its `q_req`: the constants of the paper's proof.
    pub chernoff: u64,
    /// The same with the exact binomial tail; never more.
    pub exact_tail: u64,
    /// The exact tail again, with delta split between the two events so that the number is smallest.
    pub best_split: u64,
    /// Without the occupancy event: see [`pairs_needed`].
    pub averaged: u64,
}

impl Pairs {
    /// The smallest of the numbers that suffice.
    #[must_use]
    pub fn needed(&self) -> u64 {
        self.chernoff.min(self.exact_tail).min(self.best_split).min(self.averaged)
    }
}

/// Paired samples with which, with probability at least `1 - delta`, every input is drawn and every estimated influence of every
/// function of the class is within `epsilon` of the truth.
///
/// `thm:simultaneous-influence-recovery`, and for juntas `thm:junta-influence-recovery`. Constants: Hoeffding's inequality
/// bounds one deviation of an input with q pairs by `exp(-2 q epsilon^2)`, so `q_req = ceil(ln(2 B events / delta) / (2 epsilon^2))`
/// makes all of them together at most `delta / 2` (the paper's `ln(4 B |H| / delta)`, as events are `2 |H|`); [`occupancy`]
/// gives every input that many pairs, but for the other `delta / 2`.
///
/// [`Pairs::averaged`] needs no such split. Given `M` pairs an input fails with probability at most `events exp(-2 M epsilon^2)`,
/// also when `M = 0`, where that is at least 1. `M` is binomial, and the mean of `exp(-2 M epsilon^2)` is exactly
/// `(1 - (1 - exp(-2 epsilon^2)) / B)^N`. So `N >= ln(B events / delta) / -ln(1 - (1 - exp(-2 epsilon^2)) / B)` suffices.
///
/// # Errors
/// `epsilon` or `delta` outside (0, 1), or an answer above 10^18.
///
/// ```
/// use macchiato::bounds::recovery::{Class, pairs_needed};
///
/// let paper = pairs_needed(&Class::juntas(20, 2)?, 0.1, 0.05)?;
/// let sharper = pairs_needed(&Class::junta_derivatives(20, 2)?, 0.1, 0.05)?;
/// assert!(sharper.averaged < paper.exact_tail && paper.exact_tail < paper.chernoff);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn pairs_needed(class: &Class, epsilon: f64, delta: f64) -> Result<Pairs, BoundsError> {
    share("epsilon", epsilon)?;
    share("delta", delta)?;
    let per_input_at = |delta: f64| whole((class.ln_union(delta) / (2.0 * epsilon * epsilon)).max(1.0));
    let per_input = per_input_at(delta / 2.0)?;
    let half = occupancy(class.inputs, per_input, delta / 2.0)?;
    let mut best_split = half.exact;
    // The number depends on the split through logarithms only: powers of two miss little.
    for power in 2..=24 {
        let part = delta * libm::exp2(-f64::from(power));
        for (for_occupancy, for_estimates) in [(part, delta - part), (delta - part, part)] {
            let per_input = per_input_at(for_estimates)?;
            best_split = best_split.min(occupancy(class.inputs, per_input, for_occupancy)?.exact);
        }
    }
    Ok(Pairs {
        per_input,
        chernoff: half.chernoff,
        exact_tail: half.exact,
        best_split,
        averaged: whole(class.ln_union(delta) / averaged_rate(class.inputs, epsilon))?.max(1),
    })
}

/// What one more pair takes off the logarithm of the failure probability: `-ln(1 - (1 - exp(-2 epsilon^2)) / B)`.
fn averaged_rate(inputs: u64, epsilon: f64) -> f64 {
    -libm::log1p(libm::expm1(-2.0 * epsilon * epsilon) / inputs as f64)
}

/// The accuracy that a number of pairs buys; 1 says that nothing is promised.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bought {
    /// With the constants of the paper's proof, occupancy by the exact tail.
    pub paper: f64,
    /// Without the occupancy event, as [`Pairs::averaged`].
    pub averaged: f64,
}

/// The inverse of [`pairs_needed`]: the smallest `epsilon` that `pairs` paired samples buy.
///
/// # Errors
/// `delta` outside (0, 1).
///
/// ```
/// use macchiato::bounds::recovery::{Class, epsilon_bought, pairs_needed};
///
/// let class = Class::junta_derivatives(20, 2)?;
/// let pairs = pairs_needed(&class, 0.1, 0.05)?.averaged;
/// let epsilon = epsilon_bought(&class, pairs, 0.05)?.averaged;
/// assert!(epsilon <= 0.1 && epsilon > 0.0999);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn epsilon_bought(class: &Class, pairs: u64, delta: f64) -> Result<Bought, BoundsError> {
    share("delta", delta)?;
    let per_input = occupancy::per_input_bought(class.inputs, pairs, delta / 2.0);
    let paper = match per_input {
        0 => 1.0,
        q => (class.ln_union(delta / 2.0) / (2.0 * q as f64)).sqrt().min(1.0),
    };
    // 1 - exp(-2 epsilon^2) must be at least B (1 - exp(-ln_union / N)).
    let least = -libm::expm1(-class.ln_union(delta) / pairs.max(1) as f64) * class.inputs as f64;
    let averaged =
        if pairs == 0 || least >= 1.0 { 1.0 } else { (-libm::log1p(-least) / 2.0).sqrt().min(1.0) };
    Ok(Bought { paper, averaged })
}

/// Paired samples with which, with probability at least `1 - delta`, each of `relevant` inputs of influence at least `influence`
/// shows at least one pair that differs.
///
/// This is all that selection by `tau = 0` needs when no more than K inputs are relevant: an input without influence never
/// shows such a pair (`lem:zero-influence-preservation`), so the selected inputs are exactly those that did. One pair is
/// of a given input and differs with probability `influence / B`; none of N does with `(1 - influence / B)^N`, and the union
/// is over the relevant inputs, once for each of `stages`. An input that a function of S inputs needs has influence at
/// least `2^(1-S)` under the uniform distribution.
///
/// All stages may use the same pairs, if the rows that fill in their tables are others: while the stages so far selected what
/// they should, a residual depends on those rows alone, and is fixed as far as the pairs are concerned.
///
/// # Errors
/// No inputs, `delta` outside (0, 1) or `influence` outside (0, 1].
///
/// ```
/// use macchiato::bounds::recovery::pairs_to_see;
///
/// // Three inputs out of 40, each with influence 1/4 or more.
/// assert_eq!(pairs_to_see(40, 3, 0.25, 1, 0.05)?, 654);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn pairs_to_see(
    inputs: u64,
    relevant: u64,
    influence: f64,
    stages: u64,
    delta: f64,
) -> Result<u64, BoundsError> {
    share("delta", delta)?;
    if inputs == 0 {
        return Err(BoundsError::NoInputs);
    }
    if !(influence > 0.0 && influence <= 1.0) {
        return Err(BoundsError::Influence { value: influence });
    }
    let events = (relevant.max(1) as f64) * (stages.max(1) as f64);
    whole(libm::log(events / delta) / -libm::log1p(-influence / inputs as f64)).map(|pairs| pairs.max(1))
}

#[cfg(test)]
mod tests;
