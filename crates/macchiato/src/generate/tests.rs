//! The draws stay what they are, samples are uniform and without repeats, targets are what their names say.

use super::*;
use crate::bits;
use crate::rows::Rows;
use proptest::prelude::*;

fn points(rows: &Rows) -> Vec<u64> {
    let value =
        |row| rows.columns().iter().rev().fold(0, |x, column| x << 1 | u64::from(bits::get(column, row)));
    (0..rows.len()).map(value).collect()
}

fn truth(target: &Target) -> u64 {
    let point = |x: usize| -> Vec<bool> { (0..target.inputs()).map(|i| x >> i & 1 == 1).collect() };
    (0..1 << target.inputs()).fold(0, |word, x| word | u64::from(target.at(&point(x))) << x)
}

#[test]
fn the_draws_stay_what_they_are() {
    // Redrawn from the rules above by a program that shares no code with this one.
    let target = Target::junta(6, 3, 7).expect("a junta");
    assert_eq!(target.support(), [0, 1, 3]);
    assert_eq!(truth(&target), 0xcc77_cc77_cc77_cc77);
    let three = Target::juntas(6, 3, 2, 7).expect("juntas");
    assert_eq!(three.blocks(), [[0, 3], [1, 2], [4, 5]]);
    assert_eq!(truth(&three), 0x66cc_66cc_9933_66cc);
    let (train, test) = sample_pair(&target, 5, TestRows::Rows(5), 7).expect("rows");
    assert_eq!(points(&train), [9, 48, 32, 14, 61]);
    assert_eq!(points(&test), [49, 14, 42, 43, 48]);
    assert_eq!(points(&sample(&target, 20, 7).expect("rows"))[..5], [9, 49, 34, 17, 38]);
    assert_eq!(with_noise(train, 0.5, 7).expect("rows").labels(), [0b01010]);
    assert_eq!(Target::parity(9, 4, 7).expect("a parity").support(), [1, 2, 4, 6]);
    let rows = sample(&Target::parity(65, 1, 7).expect("a parity"), 2, 7).expect("rows");
    assert_eq!((rows.columns()[0][0], rows.columns()[63][0], rows.columns()[64][0]), (1, 0, 0));
    assert_eq!(truth(&Target::dnf(6, 3, 2, 7).expect("a DNF")), 0xbb33_ff55_bb33_ff55);
}

#[test]
fn a_target_stays_when_its_rows_change_and_small_samples_are_the_beginning_of_larger_ones() {
    let target = Target::junta(20, 5, 3).expect("a junta");
    assert_eq!(target, Target::junta(20, 5, 3).expect("a junta"));
    let few = points(&sample(&target, 100, 3).expect("rows"));
    assert_eq!(points(&sample(&target, 5000, 3).expect("rows"))[..100], few);
}

#[test]
fn arithmetic_is_right() {
    for bits in 1..=3 {
        let low = (1u64 << bits) - 1;
        let carry = Target::adder(bits).expect("an adder");
        let less = Target::comparator(bits).expect("a comparator");
        assert_eq!(carry.name(), "carry");
        for x in 0..1u64 << (2 * bits) {
            let (a, b) = (x & low, x >> bits);
            assert_eq!(truth(&carry) >> x & 1 == 1, a + b > low);
            assert_eq!(truth(&less) >> x & 1 == 1, a < b);
            for output in 1..=bits + 1 {
                let sum = Target::adder_output(bits, output).expect("an output");
                assert_eq!(truth(&sum) >> x & 1, (a + b) >> (output - 1) & 1);
            }
        }
    }
}

#[test]
fn a_multiplexer_looks_up() {
    let target = Target::multiplexer(2).expect("a multiplexer");
    assert_eq!(target.names(), ["a1", "a2", "d0", "d1", "d2", "d3"]);
    for x in 0..64 {
        assert_eq!(truth(&target) >> x & 1, x >> (2 + (x & 3)) & 1);
    }
}

#[test]
fn a_parity_flips_with_each_input_of_its_support() {
    let target = Target::parity(6, 4, 5).expect("a parity");
    let mask = target.support().iter().fold(0u64, |mask, i| mask | 1 << i);
    for x in 0..64u64 {
        assert_eq!(truth(&target) >> x & 1, u64::from((x & mask).count_ones()) & 1);
    }
}

#[test]
fn one_block_is_a_junta() {
    for seed in 0..20 {
        for support in [1, 3, 7] {
            let junta = Target::junta(9, support, seed).expect("a junta");
            assert_eq!(Target::juntas(9, 1, support, seed).expect("juntas"), junta);
            assert_eq!(junta.blocks(), [junta.support()]);
        }
    }
}

#[test]
fn an_xor_of_juntas_changes_with_one_block_whatever_the_others_are() {
    for seed in 0..20 {
        let target = Target::juntas(6, 2, 3, seed).expect("juntas");
        assert_eq!(target.support(), [0, 1, 2, 3, 4, 5]);
        let blocks = target.blocks();
        let mask = |block: &[usize]| block.iter().fold(0u64, |mask, i| mask | 1 << i);
        let (first, second) = (mask(blocks[0]), mask(blocks[1]));
        assert_eq!((first & second, first | second), (0, 63));
        let truth = truth(&target);
        for x in 0..64u64 {
            let rectangle = [x, x & first, x & second, 0].map(|corner| truth >> corner & 1);
            assert_eq!(rectangle.iter().fold(0, |sum, value| sum ^ value), 0);
        }
    }
}

#[test]
fn a_dnf_has_its_terms_width_and_support() {
    // One term of width w is 1 on a share of 2^-w.
    for width in 1..=6 {
        let target = Target::dnf(6, 1, width, 11).expect("a DNF");
        assert_eq!(target.support().len(), width);
        assert_eq!(truth(&target).count_ones(), 64 >> width);
    }
}

#[test]
fn all_rows_come_once_in_order_or_shuffled() {
    let target = Target::junta(11, 4, 2).expect("a junta");
    let (mut train, test) =
        sample_pair(&target, 1 << 11, TestRows::Full, 2).map(|(a, b)| (points(&a), b)).expect("rows");
    assert_eq!(points(&test), (0..1 << 11).collect::<Vec<u64>>());
    assert_ne!(train, points(&test), "--split takes rows in order: they must be mixed");
    train.sort_unstable();
    assert_eq!(train, points(&test));
}

#[test]
fn every_point_is_as_likely_at_every_place() {
    // Both ways of drawing: 3 of 8 points by shuffling, 3 of 16 by leaving out repeats.
    for inputs in [3, 4] {
        let target = Target::parity(inputs, 1, 0).expect("a parity");
        let mut seen = vec![[0u32; 16]; 3];
        let draws = 4000;
        for seed in 0..draws {
            let rows = points(&sample(&target, 3, seed).expect("rows"));
            rows.iter().zip(&mut seen).for_each(|(&x, seen)| seen[x as usize] += 1);
        }
        let cells = 1usize << inputs;
        let expected = draws as f64 / cells as f64;
        for place in seen {
            let squares = place[..cells].iter().map(|&n| (f64::from(n) - expected).powi(2) / expected);
            // Chi-square with 15 degrees of freedom is above 37.7 once in a thousand.
            assert!(squares.sum::<f64>() < 37.7, "{place:?}");
        }
    }
}

#[test]
fn noise_comes_at_its_rate_and_only_to_labels() {
    let target = Target::junta(16, 5, 1).expect("a junta");
    let clean = sample(&target, 20_000, 1).expect("rows");
    assert_eq!(with_noise(clean.clone(), 0.0, 1).expect("rows"), clean);
    let noisy = with_noise(clean.clone(), 0.1, 1).expect("rows");
    assert_eq!(noisy.columns(), clean.columns());
    let flipped: u32 = noisy.labels().iter().zip(clean.labels()).map(|(a, b)| (a ^ b).count_ones()).sum();
    assert!((1850..2150).contains(&flipped), "{flipped}");
}

#[test]
fn what_cannot_be_is_refused() {
    let message = |error: GenerateError| error.to_string();
    let refused = |target: Result<Target, GenerateError>| message(target.expect_err("refused"));
    assert_eq!(refused(Target::junta(0, 1, 0)), "0 inputs: a target has from 1 to 65535");
    assert_eq!(refused(Target::junta(5, 6, 0)), "a support of 6 inputs: it needs from 1 to 5 of the 5");
    assert_eq!(refused(Target::junta(99, 31, 0)), "a support of 31 inputs: it needs from 1 to 30 of the 99");
    assert_eq!(refused(Target::juntas(5, 1, 6, 0)), "a support of 6 inputs: it needs from 1 to 5 of the 5");
    let blocks = |inputs, blocks, support| refused(Target::juntas(inputs, blocks, support, 0));
    let remedy = "; change the blocks, the support or the inputs";
    assert_eq!(blocks(10, 2, 6), format!("2 blocks of 6 inputs: from 1 to 1 fit into 10 inputs{remedy}"));
    assert_eq!(blocks(20, 0, 6), format!("0 blocks of 6 inputs: from 1 to 3 fit into 20 inputs{remedy}"));
    assert_eq!(
        blocks(900, 3, 29),
        format!("3 blocks of 29 inputs: from 1 to 2 fit into 900 inputs{remedy}"),
        "their labels would fill the memory"
    );
    assert_eq!(
        refused(Target::adder(usize::MAX)),
        "numbers of 18446744073709551615 bits: from 1 to 32767 fit"
    );
    assert_eq!(
        refused(Target::adder_output(2, 4)),
        "output 4: the adder has outputs 1 to 3, the last of which is the carry"
    );
    assert_eq!(refused(Target::multiplexer(16)), "16 address bits: from 1 to 15 fit");
    assert_eq!(refused(Target::dnf(3, 0, 1, 0)), "0 terms: a DNF has from 1 to 65535");
    assert_eq!(refused(Target::dnf(3, 1, 4, 0)), "terms of width 4: from 1 to the 3 inputs fit");
    let small = Target::parity(3, 1, 0).expect("a parity");
    let wide = Target::parity(60_000, 1, 0).expect("a parity");
    let rows = |rows| message(sample(&small, rows, 0).expect_err("refused"));
    assert_eq!(rows(9), "9 rows without replacement: 3 inputs have from 1 to 8");
    assert_eq!(rows(0), "0 rows without replacement: 3 inputs have from 1 to 8");
    assert!(matches!(sample(&wide, usize::MAX, 0), Err(GenerateError::Rows { .. })));
    assert!(matches!(sample_pair(&wide, 1, TestRows::Full, 0), Err(GenerateError::Cube { .. })));
    let rows = sample(&small, 2, 0).expect("rows");
    assert!(matches!(with_noise(rows.clone(), f64::NAN, 0), Err(GenerateError::Noise { .. })));
    assert!(matches!(with_noise(rows, 0.51, 0), Err(GenerateError::Noise { .. })));
}

proptest! {
    #[test]
    fn samples_are_distinct_and_labelled_by_their_target(
        (inputs, share) in (1usize..14, 1usize..=64),
        wide in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let inputs = if wide { inputs + 60 } else { inputs };
        let target = Target::junta(inputs, inputs.min(3), seed).expect("a junta");
        let rows = ((1usize << inputs.min(13)) * share / 64).max(1);
        let rows = sample(&target, rows, seed).expect("rows");
        prop_assert_eq!(rows.distinct().repeated, 0);
        for row in 0..rows.len() {
            let x: Vec<bool> = rows.columns().iter().map(|column| bits::get(column, row)).collect();
            prop_assert_eq!(target.at(&x), bits::get(rows.labels(), row));
        }
    }
}
