//! Intervals of float64 that surely hold the exact value, and are a single number as long as nothing was rounded.
//!
//! A product of two float32 numbers is exact in float64 (24 + 24 bits fit into 53); any other is widened by a step on both
//! sides. The rounding error of a sum is itself a float64, and Knuth's *two-sum* computes it: where it is 0 the sum stands,
//! elsewhere it is widened. Overflow makes an end infinite and then the interval holds everything.

#![allow(clippy::float_cmp, reason = "whether numbers are exactly equal is the question here")]

/// All numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    pub(super) low: f64,
    pub(super) high: f64,
}

const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

impl Interval {
    pub(super) const fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    pub(super) fn is_exactly(self, value: f64) -> bool {
        self.low == value && self.high == value
    }

    pub(super) fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The number that this is, if it is one.
    pub(super) fn number(self) -> Option<f64> {
        // Adding 0 makes -0 a 0, so that equal numbers have equal bits.
        if self.low == self.high { Some(self.low + 0.0) } else { None }
    }

    /// Times a number that is a float32.
    pub(super) fn times(self, weight: f64) -> Self {
        let (a, b) = if weight < 0.0 { (self.high, self.low) } else { (self.low, self.high) };
        let short = |value: f64| f64::from(value as f32) == value;
        let low = if short(a) { a * weight } else { (a * weight).next_down() };
        let high = if short(b) { b * weight } else { (b * weight).next_up() };
        Self { low, high }.sound()
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let (low, below) = two_sum(self.low, other.low);
        let (high, above) = two_sum(self.high, other.high);
        let low = if below == 0.0 { low } else { low.next_down() };
        let high = if above == 0.0 { high } else { high.next_up() };
        Self { low, high }.sound()
    }

    pub(super) fn relu(self) -> Self {
        Self { low: self.low.max(0.0), high: self.high.max(0.0) }
    }

    /// Everything, if an end has overflowed.
    fn sound(self) -> Self {
        if self.low.is_finite() && self.high.is_finite() { self } else { ALL }
    }
}

/// The rounded sum, and exactly what the rounding left out (not a number after an overflow).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exact_stays_a_number_and_what_is_not_is_enclosed() {
        let third = Interval::exactly(f64::from(1f32 / 3.0));
        assert!(third.times(3.0).number().is_some());
        let product = third.times(f64::from(0.1f32)).times(f64::from(0.1f32));
        assert!(product.number().is_none() && product.low < product.high);
        assert!(Interval::exactly(1.0).plus(Interval::exactly(2f64.powi(-60))).number().is_none());
        assert_eq!(Interval::exactly(1.5).plus(Interval::exactly(-1.5)).number(), Some(0.0));
        assert_eq!(Interval::exactly(f64::MAX).plus(Interval::exactly(f64::MAX)), ALL);
        assert!(Interval::exactly(-2.0).times(-0.5).relu().is_exactly(1.0));
    }
}
