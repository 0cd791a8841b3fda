//! Exact binomial tails, and the confidence limits that follow from them (Clopper and Pearson).
//!
//! A tail is the probability of its first term, by Loader's saddle point (no difference of large logarithms), times the sum of
//! the ratios to it, which are positive and fall; the continued fraction of the incomplete beta function would cancel where
//! `n` is large and `p` small. All in log space, so that tails far below the smallest float keep their value; in software
//! arithmetic (`libm`), so that every machine gives the same bits. A tail costs a few standard deviations of steps at most.

use std::f64::consts::PI;

/// How far the logarithm of a tail may be off, generously; limits are moved outward by as much.
const SLACK: f64 = 1e-7;

/// A confidence interval for a probability.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// `ln P(X <= k)` for `X` binomial with `n` trials of probability `p`. A `p` outside [0, 1] counts as the nearest of the two.
///
/// ```
/// use macchiato::bounds::binomial::ln_tail_at_most;
///
/// // No success in 10 trials of a fair coin.
/// assert!((ln_tail_at_most(10, 0.5, 0) - 10.0 * 0.5_f64.ln()).abs() < 1e-12);
/// ```
#[must_use]
pub fn ln_tail_at_most(n: u64, p: f64, k: u64) -> f64 {
    let p = probability(p);
    if k >= n { 0.0 } else { ln_upper(n, 1.0 - p, p, n - k) }
}

/// `ln P(X >= k)` for `X` binomial with `n` trials of probability `p`. A `p` outside [0, 1] counts as the nearest of the two.
///
/// ```
/// use macchiato::bounds::binomial::ln_tail_at_least;
///
/// // 900 successes in 1000 trials of a fair coin: far below what a float holds next to 1.
/// assert!(ln_tail_at_least(1000, 0.5, 900) < -360.0);
/// ```
#[must_use]
pub fn ln_tail_at_least(n: u64, p: f64, k: u64) -> f64 {
    let p = probability(p);
    match k {
        0 => 0.0,
        k if k > n => f64::NEG_INFINITY,
        k => ln_upper(n, p, 1.0 - p, k),
    }
}

/// The one-sided upper confidence limit for a probability of which `successes` were seen in `trials`: with probability at
/// least `1 - alpha` over the trials, the limit is at or above the truth.
///
/// It is the `p` at which `successes` or fewer would come with probability `alpha`, rounded up. Without trials it is 1.
///
/// ```
/// use macchiato::bounds::binomial::upper_limit;
///
/// // The rule of three: no error in 100 rows says "below 3 %" at 95 %.
/// let limit = upper_limit(0, 100, 0.05);
/// assert!(limit > 0.0295 && limit < 0.0296);
/// ```
#[must_use]
pub fn upper_limit(successes: u64, trials: u64, alpha: f64) -> f64 {
    if successes >= trials || alpha.is_nan() || alpha <= 0.0 {
        return 1.0;
    }
    let level = libm::log(alpha) - SLACK;
    first_where(|p| ln_tail_at_most(trials, p, successes) <= level)
}

/// The one-sided lower confidence limit: with probability at least `1 - alpha` over the trials, it is at or below the truth.
/// Without trials it is 0.
///
/// ```
/// use macchiato::bounds::binomial::lower_limit;
///
/// assert_eq!(lower_limit(0, 100, 0.05), 0.0);
/// assert!(lower_limit(90, 100, 0.05) > 0.83);
/// ```
#[must_use]
pub fn lower_limit(successes: u64, trials: u64, alpha: f64) -> f64 {
    if successes == 0 || successes > trials || alpha.is_nan() || alpha <= 0.0 {
        return 0.0;
    }
    let level = libm::log(alpha) - SLACK;
    // The last p whose tail is still at most alpha: the float before the first whose tail is greater.
    first_where(|p| ln_tail_at_least(trials, p, successes) > level).next_down().max(0.0)
}

/// The two-sided interval: each limit fails with probability at most `alpha / 2`.
///
/// ```
/// use macchiato::bounds::binomial::interval;
///
/// let both = interval(50, 100, 0.05);
/// assert!(both.low > 0.398 && both.low < 0.399 && both.high > 0.601 && both.high < 0.602);
/// ```
#[must_use]
pub fn interval(successes: u64, trials: u64, alpha: f64) -> Interval {
    Interval {
        low: lower_limit(successes, trials, alpha / 2.0),
        high: upper_limit(successes, trials, alpha / 2.0),
    }
}

fn probability(p: f64) -> f64 {
    if p.is_nan() { 0.0 } else { p.clamp(0.0, 1.0) }
}

/// The first float in [0, 1] at which a property that once true stays true is true; 1 if it is nowhere. Positive floats are
/// ordered as their bits are, so that limits near 0 are as sharp as all others.
fn first_where(is_true: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0, 1f64.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        if is_true(f64::from_bits(middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    f64::from_bits(high)
}

/// `ln P(X >= k)` for `1 <= k <= n`. Both probabilities are given: next to 1 one of them says what the other cannot.
fn ln_upper(n: u64, p: f64, q: f64, k: u64) -> f64 {
    if p == 0.0 {
        return f64::NEG_INFINITY;
    }
    if q == 0.0 {
        return 0.0;
    }
    if k == n {
        return n as f64 * ln_of(p, q);
    }
    if k as f64 > n as f64 * p {
        (ln_mass(n, p, q, k) + libm::log(sum_from(n, p, q, k))).min(0.0)
    } else {
        // P(X >= k) = 1 - P(n - X >= n - k + 1), and the latter is well below 1 here: nothing cancels.
        let other = match n - k + 1 {
            zeros if zeros == n => n as f64 * ln_of(q, p),
            zeros => ln_mass(n, q, p, zeros) + libm::log(sum_from(n, q, p, zeros)),
        };
        libm::log1p(-libm::exp(other.min(0.0)))
    }
}

/// `ln p`, where `q = 1 - p` may be the more exact of the two.
fn ln_of(p: f64, q: f64) -> f64 {
    if q < 0.5 { libm::log1p(-q) } else { libm::log(p) }
}

/// `ln P(X = k)` for `0 < k < n`: Loader, *Fast and accurate computation of binomial probabilities* (2000).
fn ln_mass(n: u64, p: f64, q: f64, k: u64) -> f64 {
    let (all, ones, zeros) = (n as f64, k as f64, (n - k) as f64);
    let stirling = stirling_error(n) - stirling_error(k) - stirling_error(n - k);
    let deviances = deviance(ones, all * p) + deviance(zeros, all * q);
    stirling - deviances + 0.5 * libm::log(all / (2.0 * PI * ones * zeros))
}

/// `ln n! - ln(sqrt(2 pi n) (n/e)^n)`, for `n >= 1`.
fn stirling_error(n: u64) -> f64 {
    let x = n as f64;
    if n <= 16 {
        let factorial: u64 = (1..=n).product();
        return libm::log(factorial as f64) - (x + 0.5) * libm::log(x) + x - 0.5 * libm::log(2.0 * PI);
    }
    let y = x * x;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * y)) / y) / y) / y) / x
}

/// `x ln(x / mean) + mean - x`, without cancellation where `x` is next to `mean`.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * libm::log(x / mean) + mean - x;
    }
    let v = (x - mean) / (x + mean);
    let (mut sum, mut power) = ((x - mean) * v, 2.0 * x * v);
    for j in 1..1000 {
        power *= v * v;
        let next = sum + power / f64::from(2 * j + 1);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

/// `P(X >= k) / P(X = k)` for `k` above the mean: the ratios of successive terms are below 1 and fall, so that the terms left
/// out sum to less than a geometric series.
fn sum_from(n: u64, p: f64, q: f64, k: u64) -> f64 {
    let odds = p / q;
    let (mut term, mut sum) = (1.0, 1.0);
    for j in k..n {
        let ratio = (n - j) as f64 / (j + 1) as f64 * odds;
        term *= ratio;
        sum += term;
        if term < f64::EPSILON * sum * (1.0 - ratio) {
            break;
        }
    }
    sum
}

/// `ln C(n, k)`, without a difference of large logarithms; `-inf` for `k > n`.
pub(super) fn ln_choose(n: u64, k: u64) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    if k == 0 || k == n {
        return 0.0;
    }
    let k = k.min(n - k);
    let (p, q) = (k as f64 / n as f64, (n - k) as f64 / n as f64);
    ln_mass(n, p, q, k) - k as f64 * libm::log(p) - (n - k) as f64 * ln_of(q, p)
}

#[cfg(test)]
mod tests;
