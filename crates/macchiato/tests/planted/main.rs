//! Rules that are planted in random rows, with and without wrong labels, are found by the search that is meant to find them.

use macchiato::bits;
use macchiato::circuit::Circuit;
use macchiato::learn::{AutoParams, Family, Settings, answers, score, search};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random rows of a function, some labels wrong.
fn rows(inputs: usize, count: usize, wrong: f64, seed: u64, label: impl Fn(&[bool]) -> bool) -> Rows {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut columns = vec![vec![0u64; bits::words(count)]; inputs];
    let mut labels = vec![0u64; bits::words(count)];
    for row in 0..count {
        let x: Vec<bool> = (0..inputs).map(|_| rng.random()).collect();
        for (column, &bit) in columns.iter_mut().zip(&x) {
            if bit {
                bits::set(column, row);
            }
        }
        if label(&x) != rng.random_bool(wrong) {
            bits::set(&mut labels, row);
        }
    }
    Rows::new(columns, labels, count).expect("rows")
}

/// The share of rows that a circuit is right on.
fn rate(circuit: &Circuit, rows: &Rows) -> f64 {
    let answers = answers(circuit, rows);
    let right = (0..rows.len()).filter(|&row| bits::get(&answers, row) == bits::get(rows.labels(), row));
    right.count() as f64 / rows.len() as f64
}

/// A search finds a planted rule with no, few and many wrong labels: its best circuit is right on fresh rows.
fn finds(
    family: Family,
    inputs: usize,
    count: usize,
    least: [f64; 3],
    label: impl Fn(&[bool]) -> bool + Copy,
) {
    let fresh = rows(inputs, 4000, 0.0, 99, label);
    for (wrong, least) in [0.0, 0.05, 0.15].into_iter().zip(least) {
        let train = rows(inputs, count, wrong, 7, label);
        let params = AutoParams::default().check(&train).expect("parameters");
        let found = search(family, &train, &params, &Settings::default(), &Budget::unlimited());
        let best = found.iter().max_by(|a, b| a.score().total_cmp(&b.score())).expect("a circuit");
        let rate = rate(&best.circuit, &fresh);
        assert!(rate >= least, "{} with {wrong} wrong: {rate}, {:?}", best.recipe, best.circuit.gates());
        // The score is that of the circuit as it stands.
        let again = score(&best.circuit, &train);
        assert!(best.score() >= again - 1e-9, "{} is {again}", best.score());
    }
}

/// A word of some bits, the first one least.
fn word(x: &[bool]) -> u64 {
    x.iter().enumerate().map(|(at, &bit)| u64::from(bit) << at).sum()
}

#[test]
fn a_chain_carries() {
    finds(Family::Chain, 16, 1500, [1.0, 0.99, 0.97], |x| word(&x[..8]) + word(&x[8..]) >= 256);
}

#[test]
fn a_chain_compares() {
    finds(Family::Chain, 20, 1500, [1.0, 0.99, 0.97], |x| word(&x[..10]) < word(&x[10..]));
}

#[test]
fn a_chain_is_found_below_two_linear_inputs() {
    let label = |x: &[bool]| (word(&x[..8]) + word(&x[8..])) >> 7 & 1 == 1;
    finds(Family::Chain, 16, 2000, [1.0, 0.99, 0.97], label);
}

#[test]
fn a_count_is_a_majority() {
    finds(Family::Count, 24, 1500, [1.0, 0.99, 0.97], |x| x[..15].iter().filter(|&&bit| bit).count() >= 8);
}

#[test]
fn a_count_is_exactly_two_of_six() {
    finds(Family::Count, 14, 1200, [1.0, 1.0, 1.0], |x| x[3..9].iter().filter(|&&bit| bit).count() == 2);
}

#[test]
fn points_are_a_scorecard() {
    let label = |x: &[bool]| {
        let points = [5, 4, 3, 3, 2, 2, 1];
        let sum: u32 = points.iter().zip(&x[2..]).map(|(&points, &bit)| u32::from(bit) * points).sum();
        sum >= 10
    };
    finds(Family::Points, 14, 2000, [0.99, 0.97, 0.95], label);
}

#[test]
fn a_graph_joins_what_goes_on_alike() {
    // Two parities say what comes next: four states, which a tree would have to learn along every path.
    let label = |x: &[bool]| match (x[0] ^ x[1], x[2] ^ x[3]) {
        (false, _) => x[4] && (x[5] || x[6]),
        (true, false) => x[7] && !x[8],
        (true, true) => !(x[4] && (x[5] || x[6])),
    };
    finds(Family::Graph, 12, 2500, [1.0, 0.99, 0.95], label);
}

#[test]
fn a_graph_compares_multiples_of_words() {
    let words = |x: &[bool]| (word(&x[..10]), word(&x[10..]).max(1));
    finds(Family::Graph, 20, 2900, [0.93, 0.91, 0.88], |x| words(x).0 / words(x).1 % 2 == 1);
    // The last bit of a remainder: an input hides the quotient, and another one says whether it counts.
    finds(Family::Graph, 20, 2900, [0.93, 0.9, 0.85], |x| words(x).0 % words(x).1 % 2 == 1);
}

#[test]
fn rules_vote() {
    let label = |x: &[bool]| {
        let rules = [x[0] && x[1], x[2] && !x[3], x[4] && x[5], !x[6] && x[7], x[8] && x[9]];
        rules.iter().filter(|&&rule| rule).count() >= 2
    };
    finds(Family::Rules, 12, 2500, [0.97, 0.95, 0.9], label);
}
