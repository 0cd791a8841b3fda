//! The learner's gate: twelve small tables of different kinds, each with a floor for the accuracy on fresh rows and a ceiling
//! for the literals of the rule. Whatever decides between candidates, it must clear them all.
//!
//! Floors are a percent or less below what was reached when they were set, so that a worse decision shows. Tried on `decide`:
//!
//! | sabotage | fails |
//! |---|---|
//! | the first candidate, or the smallest: the majority | noisy table, wide rule, comparator, vote, box, mixed, classes |
//! | the largest | noisy table, wide rule, comparator, vote, noise, box, mixed, classes |
//! | the most rows held out right, whatever evidence says | noisy table, vote, noise |
//! | the fewest rows held out right | noisy table, wide rule, comparator, vote, box, mixed, classes |
//! | never a wide rule | wide rule, comparator |
//! | what evidence chose, without asking rows held out | wide rule, comparator |
//!
//! Table, parity, parity and table, and count are decided by evidence before any rows are held out.

use crate::made::{Cell, Draw, literals, made};
use macchiato::minimize::Budget;

/// What a table must be learned with.
struct Bar {
    accuracy: f64,
    literals: usize,
}

/// Learns from `rows` rows, and asks 3000 fresh ones.
fn clears(name: &str, rows: usize, row: impl Fn(&mut Draw) -> (Vec<Cell>, &'static str), bar: &Bar) {
    let (train, test) = (made(rows, 1, &row), made(3000, 2, &row));
    let rule = train.learn(2, &Budget::unlimited());
    let (accuracy, size) = (test.accuracy(&rule), literals(&rule));
    assert!(
        accuracy >= bar.accuracy,
        "{name}: right on {accuracy} of fresh rows, at least {} asked",
        bar.accuracy
    );
    assert!(size <= bar.literals, "{name}: {size} literals, at most {} asked", bar.literals);
}

fn bits(x: &[bool]) -> Vec<Cell> {
    x.iter().map(|&x| Cell::Bit(x)).collect()
}

fn class(one: bool) -> &'static str {
    if one { "yes" } else { "no" }
}

/// The number that some bits spell.
fn number(x: &[bool]) -> u32 {
    x.iter().fold(0, |number, &bit| 2 * number + u32::from(bit))
}

fn ones(x: &[bool]) -> usize {
    x.iter().filter(|&&bit| bit).count()
}

#[test]
fn a_table_of_few_inputs_among_many() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(20);
        let answer =
            0b1001_0110_1100_1010_0011_1101_0110_0001u32 >> number(&[x[2], x[5], x[11], x[13], x[17]]) & 1;
        (bits(&x), class(answer == 1))
    };
    clears("table", 500, rule, &Bar { accuracy: 1.0, literals: 40 });
}

#[test]
fn a_table_under_noise() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(14);
        let answer = if x[1] { x[4] ^ x[7] } else { x[9] } ^ draw.chance(10);
        (bits(&x), class(answer))
    };
    clears("noisy table", 600, rule, &Bar { accuracy: 0.893, literals: 10 });
}

#[test]
fn a_long_parity() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(30);
        (bits(&x), class(ones(&x[3..14]) % 2 == 1))
    };
    clears("parity", 200, rule, &Bar { accuracy: 1.0, literals: 11 });
}

#[test]
fn a_parity_beside_a_table() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(16);
        (bits(&x), class(x[0] ^ x[1] ^ x[2] ^ (x[5] && x[6] || x[7] && x[8])))
    };
    clears("parity and table", 600, rule, &Bar { accuracy: 1.0, literals: 8 });
}

#[test]
fn how_many_inputs_are_1() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(9);
        (bits(&x), class(matches!(ones(&x), 3 | 4 | 7)))
    };
    clears("count", 250, rule, &Bar { accuracy: 0.99, literals: 1400 });
}

#[test]
fn a_sum_of_products_over_many_inputs() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(40);
        let terms =
            [&[0, 1, 2][..], &[3, 4, 5, 6], &[7, 8, 9], &[10, 11, 12, 13], &[14, 15, 16, 17], &[18, 19, 20]];
        (bits(&x), class(terms.iter().any(|term| term.iter().all(|&input| x[input]))))
    };
    clears("wide rule", 1500, rule, &Bar { accuracy: 0.99, literals: 26 });
}

#[test]
fn a_comparison_of_two_numbers() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(20);
        (bits(&x), class(number(&x[..10]) > number(&x[10..])))
    };
    clears("comparator", 800, rule, &Bar { accuracy: 0.96, literals: 130 });
}

#[test]
fn a_weighted_vote() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(30);
        let weights = [7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1];
        let votes: u32 = weights.iter().zip(&x).map(|(weight, &bit)| weight * u32::from(bit)).sum();
        (bits(&x), class(votes > 26))
    };
    clears("vote", 1200, rule, &Bar { accuracy: 0.855, literals: 200 });
}

#[test]
fn nothing_but_noise() {
    let rule = |draw: &mut Draw| {
        let x = draw.bits(12);
        let answer = draw.chance(70);
        (bits(&x), class(answer))
    };
    clears("noise", 400, rule, &Bar { accuracy: 0.69, literals: 0 });
}

#[test]
fn a_box_of_numbers_under_noise() {
    let rule = |draw: &mut Draw| {
        let x: Vec<f64> = (0..4).map(|_| draw.number()).collect();
        let answer = (x[0] > 0.3 && x[1] < 0.6) ^ draw.chance(8);
        (x.into_iter().map(Cell::Number).collect(), class(answer))
    };
    clears("box", 700, rule, &Bar { accuracy: 0.912, literals: 4 });
}

/// Age, job, smoker and a number that says nothing; some ages are missing, some classes wrong.
pub(crate) fn mixed(draw: &mut Draw) -> (Vec<Cell>, &'static str) {
    let age = 20.0 + (60.0 * draw.number()).floor();
    let job = ["cook", "clerk", "baker", "smith"][draw.below(4) as usize];
    let (smoker, other) = (draw.bit(), draw.number());
    let answer = (age > 45.0 && smoker || job == "smith" && age > 30.0) ^ draw.chance(5);
    let shown = if draw.chance(5) { f64::NAN } else { age };
    let cells = vec![Cell::Number(shown), Cell::Level(job), Cell::Bit(smoker), Cell::Number(other)];
    (cells, class(answer))
}

#[test]
fn columns_of_every_kind_with_gaps() {
    clears("mixed", 900, mixed, &Bar { accuracy: 0.935, literals: 10 });
}

/// Two of three numbers tell three classes apart; some classes are wrong.
pub(crate) fn three_kinds(draw: &mut Draw) -> (Vec<Cell>, &'static str) {
    let (x, y, z) = (draw.number(), draw.number(), draw.number());
    let kind =
        if draw.chance(5) { draw.below(3) } else { u64::from(x > 0.4) + u64::from(x > 0.4 && y > 0.5) };
    (vec![Cell::Number(x), Cell::Number(y), Cell::Number(z)], ["a", "b", "c"][kind as usize])
}

#[test]
fn three_classes() {
    clears("classes", 600, three_kinds, &Bar { accuracy: 0.95, literals: 8 });
}
