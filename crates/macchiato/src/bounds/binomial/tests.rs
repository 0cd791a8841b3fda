#![allow(clippy::cast_sign_loss)] // Shares of counts are positive.

use super::*;
use proptest::prelude::*;

/// `P(X = k)` summed term by term, for few trials.
fn naive(n: u64, p: f64, wanted: impl Fn(u64) -> bool) -> f64 {
    (0..=n)
        .filter(|&k| wanted(k))
        .map(|k| {
            let choices: f64 = (0..k).map(|j| (n - j) as f64 / (j + 1) as f64).product();
            choices * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
        })
        .sum()
}

/// Summed with 60 digits from the exact value of the floats.
#[test]
fn tails_agree_with_sums_in_many_digits() {
    let at_least = [
        (10, 0.3, 7, -4.547_648_878_002_189),
        (1000, 0.5, 900, -371.116_421_184_931_8),
        (1000, 0.001, 20, -43.459_624_808_839_38),
        (1_000_000, 0.25, 251_000, -4.554_872_719_225_915),
        (1_000_000, 1e-7, 5, -16.383_660_369_529_49),
        (1_000_000_000, 0.5, 500_100_000, -22.786_775_621_823_525),
        (1_000_000_000_000, 1e-12, 9, -13.697_547_451_466_432),
        (1_000_000_000_000, 1e-3, 1_000_300_000, -48.220_546_803_767_184),
        (1_000_000_000_000, 0.5, 500_018_000_000, -652.503_191_706_031_6),
    ];
    for (n, p, k, expected) in at_least {
        let found = ln_tail_at_least(n, p, k);
        assert!((found - expected).abs() < 1e-9 * expected.abs(), "{n} {p} {k}: {found}, not {expected}");
    }
    let at_most = [
        (10, 0.3, 1, -1.901_741_675_798_412_5),
        (1000, 0.5, 100, -371.116_421_184_931_8),
        (1000, 0.999, 950, -150.655_155_516_529_49),
        (1_000_000, 0.25, 249_500, -2.084_814_919_477_554),
        (1_000_000_000, 0.5, 499_950_000, -7.152_651_040_353_653),
        (1_000_000_000_000, 1e-10, 40, -25.613_501_963_481_697),
        (1_000_000_000_000, 1e-3, 999_800_000, -22.808_706_874_113_68),
        (1_000_000_000_000, 0.5, 499_982_000_000, -652.503_191_706_031_6),
        (50, 1e-20, 0, -5e-19),
    ];
    for (n, p, k, expected) in at_most {
        let found = ln_tail_at_most(n, p, k);
        assert!((found - expected).abs() < 1e-9 * expected.abs(), "{n} {p} {k}: {found}, not {expected}");
    }
}

#[test]
fn degenerate_probabilities_and_counts() {
    let impossible = |ln: f64| assert_eq!(ln.to_bits(), f64::NEG_INFINITY.to_bits());
    impossible(ln_tail_at_least(5, 0.0, 1));
    assert_eq!(ln_tail_at_least(5, 1.0, 5).to_bits(), 0f64.to_bits());
    impossible(ln_tail_at_least(5, 0.5, 6));
    impossible(ln_tail_at_most(5, 1.0, 4));
    assert_eq!(ln_tail_at_most(0, 0.5, 0).to_bits(), 0f64.to_bits());
    assert_eq!(interval(0, 0, 0.05), Interval { low: 0.0, high: 1.0 });
    // What nobody can have seen, and no confidence at all, promise nothing.
    assert_eq!(interval(3, 2, 0.05), Interval { low: 0.0, high: 1.0 });
    assert_eq!(interval(1, 2, f64::NAN), Interval { low: 0.0, high: 1.0 });
    assert_eq!(interval(1, 2, 0.0), Interval { low: 0.0, high: 1.0 });
}

proptest! {
    #[test]
    fn tails_are_sums(n in 1u64..40, p in 0.001f64..0.999, k in 0u64..41) {
        let k = k.min(n);
        let close = |found: f64, expected: f64| (found.exp() - expected).abs() < 1e-12 + 1e-11 * expected;
        prop_assert!(close(ln_tail_at_least(n, p, k), naive(n, p, |x| x >= k)));
        prop_assert!(close(ln_tail_at_most(n, p, k), naive(n, p, |x| x <= k)));
    }

    #[test]
    fn both_tails_and_nothing_else(n in 1u64..1_000_000_000, p in 0.0f64..1.0, at in 0.0f64..1.0) {
        let k = 1 + ((n - 1) as f64 * at) as u64;
        let sum = ln_tail_at_least(n, p, k).exp() + ln_tail_at_most(n, p, k - 1).exp();
        prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }

    /// On the outer side of the true limit, and next to it.
    #[test]
    fn limits_are_outward_and_tight(n in 1u64..100_000, share in 0.0f64..=1.0, alpha in 1e-12f64..0.5) {
        let k = (n as f64 * share) as u64;
        let high = upper_limit(k, n, alpha);
        prop_assert!(k == n || ln_tail_at_most(n, high, k) <= alpha.ln());
        prop_assert!(k == n || ln_tail_at_most(n, high, k) >= alpha.ln() - 1e-6);
        let low = lower_limit(k, n, alpha);
        prop_assert!(k == 0 || ln_tail_at_least(n, low, k) <= alpha.ln());
        prop_assert!(k == 0 || ln_tail_at_least(n, low, k) >= alpha.ln() - 1e-6);
        prop_assert!(low <= share.min(k as f64 / n as f64) + 1e-12 && high >= k as f64 / n as f64);
    }
}
