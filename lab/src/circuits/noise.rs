//! The learner on labels some of which are wrong: known rules of 32 inputs, judged by fresh rows whose labels are all right.

use anyhow::Result;
use macchiato::bits;
use macchiato::generate::{Target, sample, with_noise};
use macchiato::learn::{AutoParams, fit_auto};
use macchiato::minimize::Budget;
use macchiato::rows::Rows;
use serde::{Deserialize, Serialize};
use std::time::Instant;

use crate::accuracy::accuracy;
use crate::bar::{mean, rounded};

/// Inputs of every rule: two words of 16 bits.
const INPUTS: usize = 32;

/// Training rows, and fresh ones.
const ROWS: usize = 6400;
const FRESH: usize = 10_000;

/// A rule counts as found from this accuracy on.
const FOUND: f64 = 0.99;

/// Shares of wrong labels.
const SHARES: [f64; 2] = [0.05, 0.15];

/// All rules under every share.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Results {
    seeds: u64,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Rule {
    name: String,
    wrong_labels: f64,
    /// Share of seeds in which it is right on at least 0.99 of the fresh rows.
    found: f64,
    accuracy: f64,
    least_accuracy: f64,
    conditions: f64,
    seconds: f64,
}

/// Rows of a rule: learned from, and fresh ones.
type Drawn = (Rows, Rows);

/// A name, and rows by seed.
type Known = (&'static str, fn(u64) -> Result<Drawn>);

/// The rules.
fn rules() -> [Known; 5] {
    fn of(target: &Target, seed: u64) -> Result<Drawn> {
        Ok((sample(target, ROWS, seed)?, sample(target, FRESH, seed + 1000)?))
    }
    [
        ("carry of 16 + 16 bits", |seed| of(&Target::adder(INPUTS / 2)?, seed)),
        ("comparison of 16 bits", |seed| of(&Target::comparator(INPUTS / 2)?, seed)),
        ("parity of 10", |seed| of(&Target::parity(INPUTS, 10, seed)?, seed)),
        ("majority of 15", |seed| {
            let (train, fresh) = of(&Target::parity(INPUTS, 1, seed)?, seed)?;
            Ok((majority(&train)?, majority(&fresh)?))
        }),
        ("8-junta", |seed| of(&Target::junta(INPUTS, 8, seed)?, seed)),
    ]
}

/// The same points, labelled by whether most of the first 15 inputs are 1.
fn majority(rows: &Rows) -> Result<Rows> {
    let mut labels = bits::Column::default();
    for row in 0..rows.len() {
        let ones = rows.columns()[..15].iter().filter(|column| bits::get(column, row)).count();
        labels.push(ones > 7);
    }
    Ok(Rows::new(rows.columns().to_vec(), labels.into_words(), rows.len())?)
}

/// Measures every rule with `seeds` draws of rows and wrong labels.
pub(super) fn measure(seeds: u64) -> Result<Results> {
    let mut measured = Vec::new();
    for (name, draw) in rules() {
        for share in SHARES {
            let (mut right, mut conditions, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
            for seed in 0..seeds {
                let (train, fresh) = draw(seed)?;
                let train = with_noise(train, share, seed)?;
                let begin = Instant::now();
                let fit =
                    fit_auto(&train, None, &AutoParams::default().check(&train)?, &Budget::unlimited())?;
                seconds.push(begin.elapsed().as_secs_f64());
                right.push(accuracy(&fit.circuit, &fresh));
                conditions.push(macchiato::learn::conditions(&fit.circuit) as f64);
            }
            let found = right.iter().filter(|&&right| right >= FOUND).count() as f64 / seeds as f64;
            let rule = Rule {
                name: name.to_owned(),
                wrong_labels: share,
                found: rounded(found),
                accuracy: rounded(mean(right.iter().copied())),
                least_accuracy: rounded(right.iter().copied().fold(1.0, f64::min)),
                conditions: rounded(mean(conditions)),
                seconds: rounded(mean(seconds)),
            };
            eprintln!("{rule:?}");
            measured.push(rule);
        }
    }
    Ok(Results { seeds, rules: measured })
}
