//! Limits for a share of which some were seen, drawn without replacement.

use crate::bounds::binomial::{self, Interval};

/// The limits of the share of all pairs that differ, if `differing` of `pairs` do that were drawn from all without replacement, each
/// choice equally likely: with probability at least `1 - risk` the share lies between them, for a `risk` of at most 1/2.
///
/// They are Clopper and Pearson's for the risk `2 (1 - exp(-risk / 2))`, a little less than `risk`. Why this is enough, for the
/// upper limit, which has half of the risk, `a` (the lower one is its mirror image): let p be the share, and k the most differing pairs out of n at
/// which the limit is below p, so that k or fewer have a binomial probability of at most `1 - exp(-a)`, which is below both a and 1/4.
///
/// * `k = 0`: without replacement fewer pairs miss all that differ, so the probability is no greater.
/// * `0 < k < n - 1`: Uhlmann (*Metrika* 10, 1966) shows that k or fewer are no more probable without replacement if p is at least
///   `(k N / (n - 1) + 1) / (N + 1)`, where N pairs are all there are. At that share their binomial probability is above 1/4, least
///   of all for `N = n` and `k = n - 2`, so p is greater.
/// * `k = n - 1`: that not all n differ has probability at most `n (1 - p)` without replacement, and `1 - p^n <= 1 - exp(-a)` means
///   that `n (1 - p) <= -n ln p <= a`. Here the binomial limits alone would miss a little too often.
///
/// ```
/// use macchiato::bounds::trace::limits;
///
/// let both = limits(20, 40, 0.05);
/// assert!(both.low < 0.35 && both.high > 0.65);
/// ```
#[must_use]
pub fn limits(differing: u64, pairs: u64, risk: f64) -> Interval {
    binomial::interval(differing, pairs, -2.0 * libm::expm1(-risk / 2.0))
}
