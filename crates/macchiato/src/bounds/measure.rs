//! Influences under any distribution, measured from paired samples: `cor:mu-influence-recovery` for the one function at hand.
//!
//! A pair is a point x drawn from a distribution mu, an input i, and whether the label changes when input i of x is flipped. Pairs
//! must be independent of each other and i must not depend on x. All intervals hold at once with probability at least
//! `1 - delta`: each of B inputs fails with at most `delta / B`. Flipping may leave the support of mu; the influence then speaks
//! of inputs that do not occur.

mod ratio;

use super::binomial::{Interval, interval};
use super::error::{BoundsError, share};
use crate::random::Stream;
use rand::RngExt;
use serde::Serialize;

pub use ratio::Ratio;

/// The influence of one input as its pairs show it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measured {
    /// Pairs seen.
    pub pairs: u64,
    /// Pairs whose labels differ.
    pub differing: u64,
    /// The share, or the weighted share, of those; 0 without pairs.
    pub value: f64,
    /// Where the influence is.
    pub interval: Interval,
}

/// The influence of every input from pairs `(input, differs)`, with exact binomial (Clopper-Pearson) intervals.
///
/// Given how often its input was drawn, the differing pairs of an input are binomial with its influence. Sharper than
/// Hoeffding's `epsilon`, above all for influences near 0 and 1.
///
/// # Errors
/// No inputs, `delta` outside (0, 1), or a pair of an input that is not there.
///
/// ```
/// use macchiato::bounds::measure::measure;
///
/// // Input 0 changed the label in 90 of 100 pairs, input 1 in none of 100.
/// let pairs = (0..200).map(|n| (n / 100, n < 90));
/// let influences = measure(2, pairs, 0.05)?;
/// assert!(influences[0].interval.low > 0.8 && influences[1].interval.high < 0.05);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn measure(
    inputs: usize,
    pairs: impl IntoIterator<Item = (usize, bool)>,
    delta: f64,
) -> Result<Vec<Measured>, BoundsError> {
    let level = level(inputs, delta)?;
    let mut counts = vec![(0u64, 0u64); inputs];
    for (input, differs) in pairs {
        let (seen, differing) = counts.get_mut(input).ok_or(no_input(input, inputs))?;
        *seen += 1;
        *differing += u64::from(differs);
    }
    let measured = |(pairs, differing): (u64, u64)| Measured {
        pairs,
        differing,
        value: differing as f64 / pairs.max(1) as f64,
        interval: interval(differing, pairs, level),
    };
    Ok(counts.into_iter().map(measured).collect())
}

/// The same from pairs `(input, differs, weight)` whose points were drawn from another distribution than mu, weighted by how
/// much likelier they are under mu, up to a common factor.
///
/// `most` is an upper bound of the weights of *all* points, seen or not, in the same units; the largest weight seen is none.
/// The estimate is `sum w d / sum w`. At the true influence v the terms `w (d - v)` have mean 0 and a range of at most `most`, so
/// by Hoeffding's inequality `|sum w (d - v)| <= most sqrt(M ln(2B / delta) / 2)` but for `delta / B`, and v is within that over
/// `sum w` of the estimate. Nothing is normalised by an estimate, so that this holds for every number of pairs.
///
/// # Errors
/// Those of [`measure`], and a weight that is negative, not finite or above `most`.
///
/// ```
/// use macchiato::bounds::measure::{measure, measure_weighted};
///
/// let pairs = || (0..2000).map(|n| (0, n % 4 == 0));
/// let weighted = measure_weighted(1, pairs().map(|(input, differs)| (input, differs, 1.0)), 1.0, 0.05)?;
/// // Equal weights are none, but Hoeffding's interval is wider than the exact one.
/// let exact = measure(1, pairs(), 0.05)?;
/// assert!(weighted[0].interval.low < exact[0].interval.low && weighted[0].interval.high > exact[0].interval.high);
/// # Ok::<(), macchiato::bounds::BoundsError>(())
/// ```
pub fn measure_weighted(
    inputs: usize,
    pairs: impl IntoIterator<Item = (usize, bool, f64)>,
    most: f64,
    delta: f64,
) -> Result<Vec<Measured>, BoundsError> {
    let level = level(inputs, delta)?;
    if !(most.is_finite() && most > 0.0) {
        return Err(BoundsError::Weight { weight: most, most });
    }
    let mut sums = vec![Sums::default(); inputs];
    for (input, differs, weight) in pairs {
        if !(weight >= 0.0 && weight <= most) {
            return Err(BoundsError::Weight { weight, most });
        }
        let sums = sums.get_mut(input).ok_or(no_input(input, inputs))?;
        sums.pairs += 1;
        sums.weight += weight;
        if differs {
            sums.differing += 1;
            sums.differing_weight += weight;
        }
    }
    Ok(sums.into_iter().map(|sums| sums.measured(most, level)).collect())
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    pairs: u64,
    differing: u64,
    weight: f64,
    differing_weight: f64,
}

impl Sums {
    fn measured(self, most: f64, level: f64) -> Measured {
        let Self { pairs, differing, weight, differing_weight } = self;
        if weight <= 0.0 {
            return Measured { pairs, differing, value: 0.0, interval: Interval { low: 0.0, high: 1.0 } };
        }
        let value = (differing_weight / weight).clamp(0.0, 1.0);
        let deviation = most * (pairs as f64 * libm::log(2.0 / level) / 2.0).sqrt() / weight * (1.0 + 1e-9);
        let interval = Interval { low: (value - deviation).max(0.0), high: (value + deviation).min(1.0) };
        Measured { pairs, differing, value, interval }
    }
}

/// Why asking ended without an answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError<E> {
    /// The question itself.
    #[error(transparent)]
    Bounds(#[from] BoundsError),
    /// Whoever labels failed.
    #[error("no label: {0}")]
    Label(E),
}

/// The influence of every input, by asking for the labels of `per_input` pairs of each.
///
/// `draw` fills in a point of mu, independently each time; `label` is the function. It is asked twice for each pair. With a
/// fixed number of pairs for each input there is no occupancy to wait for.
///
/// # Errors
/// Those of [`measure`], and those of `label`.
///
/// ```
/// use macchiato::bounds::measure::{ask, uniform};
///
/// let and = |x: &[bool]| Ok::<bool, std::convert::Infallible>(x[0] && x[1]);
/// let influences = ask(3, 2000, 0.05, uniform(7), and)?;
/// assert!(influences[0].interval.low < 0.5 && influences[0].interval.high > 0.5);
/// assert_eq!(influences[2].differing, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ask<E>(
    inputs: usize,
    per_input: u64,
    delta: f64,
    mut draw: impl FnMut(&mut [bool]),
    mut label: impl FnMut(&[bool]) -> Result<bool, E>,
) -> Result<Vec<Measured>, AskError<E>> {
    level(inputs, delta)?;
    let mut point = vec![false; inputs];
    let mut seen = Vec::new();
    for input in 0..inputs {
        for _ in 0..per_input {
            draw(&mut point);
            let before = label(&point).map_err(AskError::Label)?;
            point[input] = !point[input];
            let after = label(&point).map_err(AskError::Label)?;
            seen.push((input, before != after));
        }
    }
    Ok(measure(inputs, seen, delta)?)
}

/// Points of the uniform distribution, the same for the same seed.
pub fn uniform(seed: u64) -> impl FnMut(&mut [bool]) {
    let mut random = Stream::Measuring.of(seed);
    move |point| point.iter_mut().for_each(|bit| *bit = random.random())
}

/// The probability with which one input's interval may fail.
fn level(inputs: usize, delta: f64) -> Result<f64, BoundsError> {
    share("delta", delta)?;
    if inputs == 0 { Err(BoundsError::NoInputs) } else { Ok(delta / inputs as f64) }
}

fn no_input(input: usize, inputs: usize) -> BoundsError {
    BoundsError::PairInput { input, last: inputs.saturating_sub(1) }
}

#[cfg(test)]
mod tests;
