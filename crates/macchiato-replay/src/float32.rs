//! What float32 may make of a sum, in whichever order a runtime adds, with or without fused multiply-add.
//!
//! A value is a [`Range`] that holds whatever a runtime may get. It is a single number where every runtime gets the same:
//! all products and the bias are whole multiples of one power of two, and their absolute values together are at most
//! 2^24 of it, so that every partial sum in every order is a float32. The power is at least 2^-126, so that nothing changes where tiny
//! numbers are flushed to zero. Elsewhere the exact sum is widened by the largest rounding error over all orders: n products
//! and n additions of float32 change each term by a factor within `(1 + 2^-24)^(n + 1)`, and by 2^-126 where it
//! underflows. Exact sums are taken in float64 and rounded outwards.

#![allow(clippy::float_cmp, reason = "whether numbers are exactly equal is the question here")]

/// All numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// After an overflow a runtime may get anything, "not a number" included.
pub(crate) const ANYTHING: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };

/// Half the distance from 1 to the next float32: what one rounding changes at most.
const ROUNDING: f64 = 1.0 / (1u64 << 24) as f64;
/// The least positive float32 that no runtime flushes to zero.
const TINY: f64 = f32::MIN_POSITIVE as f64;
/// Its power of two.
const TINY_POWER: i32 = -126;

impl Range {
    pub(crate) const fn exactly(value: f64) -> Self {
        Self { low: value, high: value }
    }

    pub(crate) fn is_exactly(self, value: f64) -> bool {
        self.low == value && self.high == value
    }

    pub(crate) fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    pub(crate) fn is_anything(self) -> bool {
        self == ANYTHING
    }

    /// The least range that holds both.
    pub(crate) fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn relu(self) -> Self {
        if self.is_anything() {
            return self;
        }
        Self { low: self.low.max(0.0), high: self.high.max(0.0) }
    }

    /// The largest absolute value.
    fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Times a weight of the file, without rounding but outwards.
    fn times(self, weight: f64) -> Self {
        let (a, b) = if weight < 0.0 { (self.high, self.low) } else { (self.low, self.high) };
        // The product of two float32 numbers fits into a float64.
        let short = |value: f64| f64::from(value as f32) == value;
        let low = if short(a) { a * weight } else { (a * weight).next_down() };
        let high = if short(b) { b * weight } else { (b * weight).next_up() };
        Self { low, high }
    }
}

/// A sum whose terms come one after the other; their order does not matter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sum {
    /// The exact sum lies here.
    exact: Range,
    /// At least the sum of the absolute values.
    size: f64,
    /// The lowest power of two among all terms.
    power: i32,
    /// Whether all terms are single numbers.
    numbers: bool,
    terms: i32,
}

impl Sum {
    /// The bias alone.
    pub(crate) fn new(bias: f64) -> Self {
        Self {
            exact: Range::exactly(bias),
            size: bias.abs(),
            power: lowest_power(bias),
            numbers: true,
            terms: 0,
        }
    }

    /// One more product of a weight and a value.
    pub(crate) fn add(&mut self, weight: f64, value: Range) {
        let term = value.times(weight);
        self.exact = Range {
            low: outwards(self.exact.low, term.low, f64::next_down),
            high: outwards(self.exact.high, term.high, f64::next_up),
        };
        self.size = outwards(self.size, term.size(), f64::next_up);
        self.power = self.power.min(lowest_power(term.low));
        self.numbers &= term.low == term.high;
        self.terms = self.terms.saturating_add(1);
    }

    /// One more part of the sum, with its terms.
    pub(crate) fn join(&mut self, part: &Self) {
        self.exact = Range {
            low: outwards(self.exact.low, part.exact.low, f64::next_down),
            high: outwards(self.exact.high, part.exact.high, f64::next_up),
        };
        self.size = outwards(self.size, part.size, f64::next_up);
        self.power = self.power.min(part.power);
        self.numbers &= part.numbers;
        self.terms = self.terms.saturating_add(part.terms);
    }

    /// Either this sum or the other, whichever. It is exact where both are: then each has single numbers for its terms.
    pub(crate) fn or(&mut self, other: &Self) {
        self.exact = self.exact.hull(other.exact);
        self.size = self.size.max(other.size);
        self.power = self.power.min(other.power);
        self.numbers &= other.numbers;
        self.terms = self.terms.max(other.terms);
    }

    /// One more product of a weight and one of these numbers, whichever: for [`Sum::is_exact`] alone.
    pub(crate) fn add_any(&mut self, weight: f64, values: impl Iterator<Item = f64>) {
        let mut largest = 0f64;
        for value in values {
            let term = value * weight;
            largest = largest.max(term.abs());
            self.power = self.power.min(lowest_power(term));
        }
        self.size = outwards(self.size, largest, f64::next_up);
    }

    /// Whether every partial sum in every order is a float32.
    pub(crate) fn is_exact(&self) -> bool {
        self.numbers && self.power >= TINY_POWER && self.size <= 2f64.powi(24 + self.power.min(100))
    }

    /// What a runtime may get.
    pub(crate) fn value(&self) -> Range {
        if self.is_exact() {
            return self.exact;
        }
        let share = f64::from(self.terms.saturating_add(2)) * ROUNDING;
        // A little more than (1 + ROUNDING)^(terms + 1) - 1, as long as that is small.
        let error = 2.0 * share * self.size + 8.0 * f64::from(self.terms.saturating_add(1)) * TINY;
        if share > 0.25 || !error.is_finite() || self.size + error >= f64::from(f32::MAX) {
            return ANYTHING;
        }
        Range { low: (self.exact.low - error).next_down(), high: (self.exact.high + error).next_up() }
    }
}

/// The sum of two numbers, rounded to a side where it must be rounded. Knuth's two-sum tells whether.
fn outwards(a: f64, b: f64, to: impl Fn(f64) -> f64) -> f64 {
    let sum = a + b;
    let part = sum - a;
    let left = (a - (sum - part)) + (b - part);
    if left == 0.0 { sum } else { to(sum) }
}

/// The greatest p such that the number is a whole multiple of 2^p; for 0 that is any.
fn lowest_power(value: f64) -> i32 {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    match (exponent, fraction) {
        (0, 0) => i32::MAX,
        (0, _) => -1074 + fraction.trailing_zeros() as i32,
        _ => exponent - 1075 + (fraction | 1 << 52).trailing_zeros() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(bias: f64, terms: &[(f64, f64)]) -> Sum {
        let mut sum = Sum::new(bias);
        for &(weight, value) in terms {
            sum.add(weight, Range::exactly(value));
        }
        sum
    }

    #[test]
    fn powers() {
        for (value, power) in [(1.0, 0), (12.0, 2), (0.75, -2), (-6.0, 1), (f64::from_bits(2), -1073)] {
            assert_eq!(lowest_power(value), power, "{value}");
        }
        assert_eq!(lowest_power(0.0), i32::MAX);
    }

    #[test]
    fn what_is_exact_in_every_order_is_a_number() {
        let two24 = f64::from(1 << 24);
        assert!(sum(-1.0, &[(1.0, 2.0), (0.5, 3.0)]).value().is_exactly(2.5));
        assert!(sum(0.0, &[]).value().is_exactly(0.0));
        // Added in this order all is well, in another it is not.
        assert!(!sum(-two24, &[(1.0, two24), (1.0, 1.0)]).is_exact());
        assert!(sum(0.0, &[(1.0, two24)]).is_exact());
        // A tenth is not a tenth, but twice it is exact; three times it is not.
        let tenth = f64::from(0.1f32);
        assert!(sum(0.0, &[(2.0, tenth)]).is_exact() && !sum(0.0, &[(3.0, tenth)]).is_exact());
        // Flushed to zero by some runtimes.
        assert!(!sum(0.0, &[(1.0, TINY / 2.0)]).is_exact());
    }

    /// Every order of a few float32 sums lies in the range.
    #[test]
    fn every_order_is_enclosed() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) as f32 / 8_388_608.0 - 1.0) * [1.0, 1e-3, 4096.0, 1e7][(state >> 3 & 3) as usize]
        };
        let mut rounded = 0;
        for _ in 0..2000 {
            let terms: Vec<(f32, f32)> = (0..4).map(|_| (random(), random())).collect();
            let exact: Vec<(f64, f64)> = terms.iter().map(|&(w, x)| (w.into(), x.into())).collect();
            let range = sum(0.0, &exact).value();
            for start in 0..4 {
                let plain = (0..4).fold(0f32, |sum, i| {
                    let (w, x) = terms[(start + i) % 4];
                    sum + w * x
                });
                let fused = (0..4).fold(0f32, |sum, i| {
                    let (w, x) = terms[(start + i) % 4];
                    w.mul_add(x, sum)
                });
                assert!(range.contains(plain.into()) && range.contains(fused.into()), "{range:?} {plain}");
                rounded += u32::from(plain.to_bits() != fused.to_bits());
            }
        }
        assert!(rounded > 100);
    }

    #[test]
    fn overflow_is_anything() {
        let most = f64::from(f32::MAX);
        assert!(sum(0.0, &[(1.0, most), (1.0, most)]).value().is_anything());
        assert!(Range::exactly(-2.0).relu().is_exactly(0.0));
    }
}
