//! Known functions of 24 inputs and more, as rows to learn from and fresh rows; every second one has wrong labels to learn from.

use anyhow::Result;
use macchiato::bits;
use macchiato::generate::{Target, sample, with_noise};
use macchiato::rows::Rows;

/// Rows to learn from: as many as graphs are looked for at length with; and fresh ones.
const ROWS: usize = 3000;
const FRESH: usize = 5000;

/// Wrong labels of every second rule.
const WRONG: f64 = 0.05;

/// Of all rules.
const SEED: u64 = 77;

/// Its name, rows to learn from and fresh ones.
type Rule = (String, (Rows, Rows));

/// All of them.
pub(super) fn all() -> Result<Vec<Rule>> {
    let mut rules = vec![
        of("carry of 12 + 12 bits", &Target::adder(12)?)?,
        of("comparison of 12 bits", &Target::comparator(12)?)?,
        of("parity of 9 of 24", &Target::parity(24, 9, SEED)?)?,
        of("XOR of three times 4 of 24", &Target::juntas(24, 3, 4, SEED)?)?,
        of("16 to 1 selector", &Target::multiplexer(4)?)?,
        of("12 products of 4 of 24", &Target::dnf(24, 12, 4, SEED)?)?,
    ];
    let numbers = [
        ("last bit of a / b, 8 bits", (|a, b| a / b.max(1) % 2 == 1) as fn(u64, u64) -> bool),
        ("second bit of a mod b, 8 bits", |a, b| (a % b.max(1)) >> 1 & 1 == 1),
        ("middle bit of a times b, 6 bits", |a, b| ((a & 63) * (b & 63)) >> 5 & 1 == 1),
        ("at least 9 of 16, or the first three", |a, b| {
            (a.count_ones() + b.count_ones()) >= 9 || a >> 5 == 7
        }),
    ];
    for (name, rule) in numbers {
        rules.push((name.to_owned(), (numbered(rule, ROWS, SEED)?, numbered(rule, FRESH, SEED + 1)?)));
    }
    for (at, (_, (train, _))) in rules.iter_mut().enumerate().filter(|(at, _)| at % 2 == 1) {
        *train = with_noise(train.clone(), WRONG, SEED + at as u64)?;
    }
    Ok(rules)
}

fn of(name: &str, target: &Target) -> Result<Rule> {
    Ok((name.to_owned(), (sample(target, ROWS, SEED)?, sample(target, FRESH, SEED + 1)?)))
}

/// Rows of two numbers of eight bits, highest bits first.
fn numbered(rule: fn(u64, u64) -> bool, rows: usize, seed: u64) -> Result<Rows> {
    let drawn = sample(&Target::parity(16, 1, 0)?, rows, seed)?;
    let mut labels = bits::Column::default();
    for row in 0..rows {
        let number = |from: usize| {
            (from..from + 8)
                .fold(0, |number, bit| number << 1 | u64::from(bits::get(&drawn.columns()[bit], row)))
        };
        labels.push(rule(number(0), number(8)));
    }
    Ok(Rows::new(drawn.columns().to_vec(), labels.into_words(), rows)?)
}
