//! `lem:coordinate-selection-recovery`: influences within epsilon of the truth, and the gap, select the same inputs.

use macchiato::bounds::measure::{ask, uniform};
use macchiato::influence::{Influence, Neighbours};
use macchiato::residual::Residual;
use macchiato::rows::Rows;
use macchiato::select::{Threshold, top_k};
use proptest::prelude::*;
use std::convert::Infallible;

/// Influences are multiples of `1 / UNIT`, as is everything here.
const UNIT: u64 = 1000;

fn influences(values: &[u64]) -> Vec<Influence> {
    values.iter().map(|&differing| Influence { differing, pairs: UNIT }).collect()
}

fn tau(value: u64) -> Threshold {
    format!("0.{value:03}").parse().unwrap()
}

proptest! {
    /// At most K are active: those above are above `tau + epsilon`, those below have no influence or less than `tau - epsilon`.
    #[test]
    fn up_to_k_active_inputs(
        draws in proptest::collection::vec((0u8..6, 0u64..1_000_000, 0u64..1_000_000), 1..12),
        k in 1usize..6,
        tau_units in 0u64..400,
        epsilon in 0u64..150,
    ) {
        let mut chosen = 0;
        let truth: Vec<u64> = draws.iter().map(|&(group, draw, _)| match group {
            0 | 1 if chosen < k => {
                chosen += 1;
                tau_units + epsilon + 1 + draw % (UNIT - tau_units - epsilon)
            }
            2 | 3 if tau_units > epsilon => draw % (tau_units - epsilon),
            _ => 0,
        }).collect();
        let seen = perturbed(&truth, &draws, epsilon);
        prop_assert_eq!(
            top_k(&influences(&seen), k, tau(tau_units)),
            top_k(&influences(&truth), k, tau(tau_units))
        );
    }

    /// More than K are active: the K greatest are more than `2 epsilon` above the others, which may lie anywhere.
    #[test]
    fn more_than_k_active_inputs(
        draws in proptest::collection::vec((0u8..6, 0u64..1_000_000, 0u64..1_000_000), 2..12),
        tau_units in 0u64..400,
        epsilon in 0u64..150,
        margin in 1u64..100,
    ) {
        let k = draws.len().div_ceil(3);
        let highest_other = tau_units + margin;
        let truth: Vec<u64> = draws.iter().enumerate().map(|(input, &(_, draw, _))| {
            if input % 3 == 1 && input / 3 < k {
                let low = highest_other + 2 * epsilon + 1;
                low + draw % (UNIT - low + 1)
            } else if input == 0 {
                highest_other
            } else {
                draw % (highest_other + 1)
            }
        }).collect();
        let above = truth.iter().filter(|&&value| value > highest_other).count();
        let seen = perturbed(&truth, &draws, epsilon);
        prop_assert_eq!(
            top_k(&influences(&seen), above.max(1), tau(tau_units)),
            top_k(&influences(&truth), above.max(1), tau(tau_units))
        );
    }
}

proptest! {
    /// `lem:zero-influence-preservation`: an input that the function does not need shows no differing pair, neither between rows nor in
    /// paired samples.
    #[test]
    fn no_influence_shows_none(table in any::<u16>(), points in proptest::collection::vec(0u64..32, 1..64), seed in any::<u64>()) {
        // The first four of five inputs.
        let label = |point: u64| table >> (point & 15) & 1 == 1;
        let column = |bit: &dyn Fn(u64) -> bool| vec![points.iter().rev().fold(0, |word, &point| word << 1 | u64::from(bit(point)))];
        let columns = (0..5).map(|input| column(&|point| point >> input & 1 == 1)).collect();
        let rows = Rows::new(columns, column(&label), points.len()).unwrap();
        let seen = Neighbours::new(&rows).influences(&rows, &Residual::new(&rows));
        prop_assert_eq!(seen[4].differing, 0);
        let point = |x: &[bool]| x.iter().rev().fold(0, |point, &bit| point << 1 | u64::from(bit));
        let asked = ask(5, 20, 0.05, uniform(seed), |x| Ok::<_, Infallible>(label(point(x)))).unwrap();
        prop_assert_eq!(asked[4].differing, 0);
    }
}

/// Each off by at most epsilon, within [0, 1]; what is 0 stays 0 (`lem:zero-influence-preservation`).
fn perturbed(truth: &[u64], draws: &[(u8, u64, u64)], epsilon: u64) -> Vec<u64> {
    let shifted = |(&value, &(_, _, draw)): (&u64, &(u8, u64, u64))| match value {
        0 => 0,
        value => (value + draw % (2 * epsilon + 1)).saturating_sub(epsilon).min(UNIT),
    };
    truth.iter().zip(draws).map(shifted).collect()
}

/// The gap is needed: a hair less, and the estimates select another input.
#[test]
fn without_the_gap_another_input_is_selected() {
    let epsilon = 50;
    let truth = [300, 300 - 2 * epsilon + 1];
    assert_eq!(top_k(&influences(&truth), 1, tau(0)), [0]);
    assert_eq!(top_k(&influences(&[truth[0] - epsilon, truth[1] + epsilon]), 1, tau(0)), [1]);
}
