#![allow(clippy::cast_sign_loss)] // Sizes worked out by hand are positive.

use super::*;

/// The relevant inputs of a truth table over `inputs` inputs, and the least influence among them.
fn relevant(table: u32, inputs: u32) -> (u32, f64) {
    let cells = 1u32 << inputs;
    let (mut count, mut least) = (0, 1f64);
    for i in 0..inputs {
        let differing = (0..cells).filter(|&x| (table >> x ^ table >> (x ^ 1 << i)) & 1 == 1).count();
        if differing > 0 {
            count += 1;
            least = least.min(differing as f64 / f64::from(cells));
        }
    }
    (count, least)
}

#[test]
fn counts_agree_with_enumeration() {
    for inputs in 1..=4u32 {
        let all: Vec<(u32, f64)> = (0..1u64 << (1 << inputs)).map(|t| relevant(t as u32, inputs)).collect();
        for support in 1..=inputs {
            let (b, s) = (u64::from(inputs), u64::from(support));
            let listed = all.iter().filter(|(count, _)| *count <= support).count() as u64;
            assert_eq!(juntas(b, s).unwrap().exact, Some(listed.into()), "{inputs} {support}");
            for influence in [0.1, 0.25, 0.3, 0.5, 0.75, 1.0] {
                let listed =
                    all.iter().filter(|(count, least)| *count <= support && *least >= influence).count()
                        as u64;
                let bounds = influential_juntas(b, s, influence).unwrap();
                let (lower, upper) = (bounds.lower.unwrap(), bounds.upper.unwrap());
                assert!(lower <= listed.into() && upper >= listed.into(), "{b} {s} {influence}");
                // One input: both bounds are the count itself.
                assert!(support > 1 || lower == upper);
                let ln = (listed as f64).ln();
                assert!(bounds.ln_lower <= ln + 1e-9 && bounds.ln_upper >= ln - 1e-9);
            }
        }
    }
}

#[test]
fn ten_thousand_inputs_and_rules_of_twenty() {
    let count = juntas(10_000, 20).unwrap();
    // Almost all of it are the functions of 20 inputs: 2^20 ln 2 + ln C(10^4, 20).
    let leading =
        2f64.powi(20) * LN_2 + (0..20).map(|j| (f64::from(10_000 - j) / f64::from(j + 1)).ln()).sum::<f64>();
    assert!((count.ln - leading).abs() < 1e-5, "{} {leading}", count.ln);
    assert!(count.ln <= count.ln_lemma_sum && count.ln_lemma_sum < count.ln_lemma_closed);
    assert_eq!(count.exact.unwrap().bits(), ((count.ln / LN_2).floor() as u64) + 1);
    let bounds = influential_juntas(10_000, 20, 0.499).unwrap();
    // P(Bin(2^19, 1/2) < 0.499 2^19) is about 0.074: a share of the upper bound, and too much 20 times for the lower.
    assert!(bounds.ln_upper < count.ln && bounds.ln_upper > count.ln - 0.2);
    assert!(bounds.ln_lower < bounds.ln_upper);
    let easy = influential_juntas(10_000, 20, 0.4).unwrap();
    assert!((easy.ln_lower - count.ln).abs() < 0.05 && (easy.ln_upper - count.ln).abs() < 0.05);
}

/// Where both are at hand, logarithms by tails are those of the integers.
#[test]
fn tails_and_integers_agree() {
    for influence in [0.3, 0.45, 0.5, 0.52] {
        let exact = influential_juntas(30, 12, influence).unwrap();
        let mut upper = vec![LN_2];
        for s in 1..=12 {
            upper.push(ln_choose(30, s) + ln_tables(s) + ln_shares(s, influence).0);
        }
        assert!((ln_sum(upper.into_iter()) - exact.ln_upper).abs() < 1e-6);
    }
}

#[test]
fn logarithms_where_no_integer_fits() {
    let count = juntas(100_000, 60).unwrap();
    assert!(count.exact.is_none() && count.ln.is_finite() && count.ln >= 2f64.powi(60) * LN_2);
    assert!(influential_juntas(100_000, 60, 0.3).unwrap().ln_upper.is_finite());
    assert_eq!(juntas(10, 0), Err(BoundsError::Support { support: 0, inputs: 10, most: 10 }));
    assert_eq!(juntas(10, 11), Err(BoundsError::Support { support: 11, inputs: 10, most: 10 }));
    assert_eq!(juntas(0, 1), Err(BoundsError::NoInputs));
    assert!(influential_juntas(10, 2, 0.0).is_err() && influential_juntas(10, 2, f64::NAN).is_err());
}
