//! `prop:influence-change-of-measure`: from the uniform influence to that under another distribution, and back.

use super::super::binomial::Interval;
use super::super::error::BoundsError;
use serde::Serialize;

/// Bounds of the density ratio `2^B mu(x)` over all points x, including those that mu never shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    low: f64,
    high: f64,
}

impl Ratio {
    /// Bounds that are known.
    ///
    /// # Errors
    /// Anything but `0 <= low <= 1 <= high`: the ratio averages to 1.
    pub fn new(low: f64, high: f64) -> Result<Self, BoundsError> {
        if (0.0..=1.0).contains(&low) && high >= 1.0 && high.is_finite() {
            Ok(Self { low, high })
        } else {
            Err(BoundsError::Ratio { low, high })
        }
    }

    /// The bounds for a distribution given by the weights of all its `2^B` points, which need not sum to 1.
    ///
    /// # Errors
    /// No weights, a negative one, or none above 0.
    pub fn of_weights(weights: &[f64]) -> Result<Self, BoundsError> {
        let (mut low, mut high, mut sum) = (f64::INFINITY, 0f64, 0f64);
        for &weight in weights {
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(BoundsError::Weight { weight, most: f64::MAX });
            }
            (low, high, sum) = (low.min(weight), high.max(weight), sum + weight);
        }
        let mean = sum / weights.len() as f64;
        if !(mean > 0.0 && mean.is_finite()) {
            return Err(BoundsError::Ratio { low: 0.0, high: 0.0 });
        }
        // Outward by more than the sum errs.
        Self::new((low / mean * (1.0 - 1e-9)).min(1.0), (high / mean * (1.0 + 1e-9)).max(1.0))
    }

    /// Where the influence under mu is, given where the uniform influence is.
    ///
    /// The proposition: `low Inf <= Inf^mu <= high Inf`, for every function and every input, since each differing point counts at
    /// least `low` and at most `high` times as much.
    ///
    /// ```
    /// use macchiato::bounds::binomial::Interval;
    /// use macchiato::bounds::measure::Ratio;
    ///
    /// let ratio = Ratio::new(0.5, 2.0)?;
    /// let mu = ratio.from_uniform(Interval { low: 0.2, high: 0.3 });
    /// assert_eq!((mu.low, mu.high), (0.1, 0.6));
    /// # Ok::<(), macchiato::bounds::BoundsError>(())
    /// ```
    #[must_use]
    pub fn from_uniform(self, uniform: Interval) -> Interval {
        Interval { low: self.low * uniform.low, high: (self.high * uniform.high).min(1.0) }
    }

    /// Where the uniform influence is, given where that under mu is. Without a positive lower bound of the ratio there is no
    /// upper limit but 1: mu may never show where the function changes.
    #[must_use]
    pub fn to_uniform(self, mu: Interval) -> Interval {
        let high = if self.low > 0.0 { (mu.high / self.low).min(1.0) } else { 1.0 };
        Interval { low: mu.low / self.high, high }
    }

    /// The smallest and the greatest ratio.
    #[must_use]
    pub const fn bounds(self) -> (f64, f64) {
        (self.low, self.high)
    }
}
