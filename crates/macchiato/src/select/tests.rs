use super::*;
use crate::bits;
use crate::generate::{Target, sample, with_noise};
use crate::rows::Rows;
use macchiato_minimize::Budget;

fn sample_of(rows: &Rows) -> Sample {
    Sample::new(rows.columns().to_vec(), rows.labels().to_vec(), rows.len())
}

const LIMITS: Limits = Limits { most: 16, width: 64, triples: 1 << 30 };

#[test]
fn the_beam_finds_a_parity_of_three_that_no_pair_shows() {
    let target = Target::parity(40, 3, 5).expect("a target");
    let rows = sample(&target, 300, 5).expect("rows");
    let found = beam(&sample_of(&rows), &LIMITS, &Budget::unlimited());
    let mut support = target.support().to_vec();
    support.sort_unstable();
    assert_eq!(found[0].inputs, support);
    assert!(found.windows(2).all(|pair| pair[0].evidence >= pair[1].evidence));
}

#[test]
fn the_beam_and_a_climb_find_a_junta_with_wrong_labels() {
    let target = Target::junta(40, 6, 2).expect("a target");
    let rows = with_noise(sample(&target, 1500, 2).expect("rows"), 0.1, 2).expect("noise");
    let sample = sample_of(&rows);
    let mut support = target.support().to_vec();
    support.sort_unstable();
    let found = beam(&sample, &LIMITS, &Budget::unlimited());
    assert_eq!(found[0].inputs, support);
    // One input wrong, one missing, one too many: the hill has the same top.
    let other = (0..40).find(|i| !support.contains(i)).expect("another input");
    let swapped = support.iter().skip(1).copied().chain([other]);
    for start in [swapped.collect::<Vec<_>>(), support[1..].to_vec(), [&support[..], &[other]].concat()] {
        let mut start = start;
        start.sort_unstable();
        let top = climb(&sample, Scored::new(&sample, start), 16, &Budget::unlimited());
        assert_eq!(top.inputs, support);
        assert_eq!(top.evidence, sample.score(&support));
    }
}

#[test]
fn a_spent_budget_still_gives_a_set() {
    let target = Target::junta(30, 4, 1).expect("a target");
    let rows = sample(&target, 500, 1).expect("rows");
    let spent = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    assert!(!beam(&sample_of(&rows), &LIMITS, &spent).is_empty());
}

#[test]
fn elimination_finds_long_parities_also_with_wrong_labels() {
    for (size, rows, noise) in [(12, 120, 0.0), (9, 1500, 0.05)] {
        let target = Target::parity(50, size, 3).expect("a target");
        let rows = sample(&target, rows, 3).expect("rows");
        let rows = if noise > 0.0 { with_noise(rows, noise, 3).expect("noise") } else { rows };
        let found = parity(&sample_of(&rows), 2000, 0, &Budget::unlimited()).expect("a parity");
        let mut support = target.support().to_vec();
        support.sort_unstable();
        assert_eq!(found.inputs, support, "{noise}");
    }
}

#[test]
fn elimination_finds_nothing_in_noise() {
    let target = Target::junta(60, 10, 8).expect("a target");
    let rows = sample(&target, 300, 8).expect("rows");
    assert_eq!(parity(&sample_of(&rows), 100, 0, &Budget::unlimited()), None);
}

#[test]
fn counting_finds_a_majority_with_negated_inputs() {
    let rows = sample(&Target::junta(14, 1, 4).expect("a target"), 900, 4).expect("rows");
    let counted = [(0, true), (2, false), (3, true), (5, true), (8, false), (9, true), (13, true)];
    let mut labels = vec![0u64; bits::words(rows.len())];
    for row in 0..rows.len() {
        let held = counted.iter().filter(|&&(i, sign)| bits::get(&rows.columns()[i], row) == sign).count();
        if held >= 4 {
            bits::set(&mut labels, row);
        }
    }
    let sample = sample_of(&rows).relabelled(labels);
    let found = count(&sample, &[(0..14).collect()], 16, &Budget::unlimited()).expect("a count");
    // A count of the complements is the same function.
    let mut complement: Vec<(usize, bool)> = counted.iter().map(|&(i, sign)| (i, !sign)).collect();
    complement.sort_unstable();
    assert!(found.literals == counted || found.literals == complement, "{:?}", found.literals);
}

fn influence(differing: u64, pairs: u64) -> Influence {
    Influence { differing, pairs }
}

#[test]
fn ties_go_to_the_smaller_index_and_tau_is_strict() {
    let influences = [
        influence(1, 2),
        influence(0, 0),
        influence(2, 4),
        influence(3, 4),
        influence(1, 4),
        influence(2, 4),
    ];
    let tau = Threshold::default();
    assert_eq!(top_k(&influences, 3, tau), [0, 2, 3]);
    assert_eq!(top_k(&influences, 9, tau), [0, 2, 3, 4, 5]);
    assert_eq!(top_k(&influences, 9, "0.25".parse().expect("a decimal")), [0, 2, 3, 5]);
    assert!(top_k(&influences, 9, "0.75".parse().expect("a decimal")).is_empty());
}

#[test]
fn thresholds_are_decimals_below_one() {
    for text in ["0", "0.0", ".5", "0.05", "0.999999999999999999"] {
        let tau: Threshold = text.parse().expect("a decimal");
        assert_eq!(tau.to_string().parse(), Ok(tau));
    }
    for text in ["", ".", "1", "1.0", "-0.1", "0.x", "nan", "0.0000000000000000001"] {
        assert!(text.parse::<Threshold>().is_err(), "{text}");
    }
}
