use super::*;

#[test]
fn the_constants_are_those_of_the_proof() {
    // B = 10, |H| = 200, epsilon = 0.2, delta = 0.1: ln(4 * 10 * 200 / 0.1) / 0.08 = 141.1...
    let class = Class::finite(10, 200f64.ln()).unwrap();
    let pairs = pairs_needed(&class, 0.2, 0.1).unwrap();
    assert_eq!(pairs.per_input, 142);
    assert_eq!(pairs.chernoff, 2840);
    assert!(pairs.exact_tail < pairs.chernoff && pairs.best_split <= pairs.exact_tail);
    assert!(pairs.averaged < pairs.best_split);
    assert_eq!(pairs.needed(), pairs.averaged);
}

#[test]
fn pairs_and_accuracy_are_inverse() {
    for (inputs, support) in [(1, 1), (20, 2), (40, 5), (1000, 8)] {
        for class in [Class::juntas(inputs, support), Class::junta_derivatives(inputs, support)] {
            let class = class.unwrap();
            for epsilon in [0.3, 0.1, 0.02] {
                let pairs = pairs_needed(&class, epsilon, 0.05).unwrap();
                let bought = |pairs| epsilon_bought(&class, pairs, 0.05).unwrap();
                assert!(bought(pairs.averaged).averaged <= epsilon * (1.0 + 1e-12));
                assert!(bought(pairs.averaged - 1).averaged > epsilon);
                assert!(bought(pairs.exact_tail).paper <= epsilon);
                assert!(bought(pairs.exact_tail - 1).paper > epsilon, "{inputs} {support} {epsilon}");
            }
        }
    }
}

#[test]
fn the_exact_tail_is_the_first_that_suffices() {
    for (inputs, per_input, delta) in [(2, 1, 0.4), (10, 50, 0.05), (300, 7, 1e-6), (1, 5, 0.1)] {
        let draws = occupancy(inputs, per_input, delta).unwrap().exact;
        let missing = |draws| {
            inputs as f64
                * super::super::binomial::ln_tail_at_most(draws, 1.0 / inputs as f64, per_input - 1).exp()
        };
        assert!(inputs == 1 || missing(draws) <= delta && missing(draws - 1) > delta);
        assert!(inputs > 1 || draws == per_input);
    }
    // Past what the tail is summed for, next to the mean.
    let many = occupancy(100, 1_000_000_000, 0.05).unwrap();
    assert!(many.exact < 100_100_000_000 && many.exact > 100_000_000_000);
}

#[test]
fn nothing_is_promised_for_too_few_pairs() {
    let class = Class::juntas(40, 5).unwrap();
    assert_eq!(epsilon_bought(&class, 0, 0.05).unwrap(), Bought { paper: 1.0, averaged: 1.0 });
    assert_eq!(epsilon_bought(&class, 40, 0.05).unwrap(), Bought { paper: 1.0, averaged: 1.0 });
}

#[test]
fn large_studies_stay_finite() {
    let class = Class::juntas(10_000, 20).unwrap();
    let pairs = pairs_needed(&class, 0.1, 0.05).unwrap();
    assert!(pairs.needed() > 10_000 * 36_000_000 && pairs.chernoff < 10_000 * 80_000_000);
    assert_eq!(pairs_needed(&Class::juntas(100_000, 60).unwrap(), 0.1, 0.05), Err(BoundsError::TooMany));
}
