//! Flat completions of sampled juntas: rows in, a cover out, and how often it is right on the whole cube.
//!
//! Juntas of 8 relevant inputs and their rows come from `draw::junta`. Accuracy is taken over all 2^B points, the
//! sampled ones included, as the paper's is wherever it can; 64 points at a time.

use std::time::Instant;

use anyhow::{Result, ensure};
use macchiato::minimize::{Cover, Literal, Options, Rows, minimize_rows};
use serde::{Deserialize, Serialize};

use super::bar::{Bar, mean, rounded};
use super::draw::{self, Junta};

const RELEVANT: usize = 8;
const MAX_SECONDS: f64 = 10.0;
/// Inputs, rows, seeds, and the accuracy to reach.
const KINDS: [(usize, usize, u64, f64); 5] = [
    (12, 1000, 10, 0.96),
    (15, 4000, 10, 0.999),
    (20, 4000, 10, 0.999),
    (23, 4000, 10, 0.999),
    (20, 1 << 20, 3, 1.0),
];
/// Bit x of `LOW[i]` is bit i of x.
const LOW: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// Results of the `juntas` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) kinds: Vec<Kind>,
}

/// One kind of sample: so many inputs, so many rows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) inputs: usize,
    pub(crate) relevant: usize,
    pub(crate) rows: usize,
    pub(crate) seeds: usize,
    pub(crate) accuracy_bar: f64,
    pub(crate) mean_accuracy: f64,
    pub(crate) least_accuracy: f64,
    pub(crate) mean_terms: f64,
    pub(crate) mean_lower_bound: f64,
    pub(crate) mean_seconds: f64,
    pub(crate) most_seconds: f64,
}

struct Fit {
    accuracy: f64,
    terms: usize,
    lower_bound: usize,
    seconds: f64,
}

pub(crate) fn run(quick: bool) -> Result<Section> {
    let mut section = Section { bars: Vec::new(), kinds: Vec::new() };
    for (inputs, rows, seeds, bar) in KINDS {
        let seeds = if quick { 1 } else { seeds };
        let fits = (0..seeds).map(|seed| fit(inputs, rows, seed)).collect::<Result<Vec<Fit>>>()?;
        let kind = summed_up(inputs, rows, bar, &fits);
        eprintln!(
            "juntas: {inputs} inputs, {rows} rows: accuracy {:.4}, {:.1} terms, {:.3} s",
            kind.mean_accuracy, kind.mean_terms, kind.mean_seconds
        );
        section.bars.push(Bar::at_least(
            format!("accuracy, {inputs} inputs, {rows} rows"),
            bar,
            kind.mean_accuracy,
        ));
        let what = format!("seconds of the slowest fit, {inputs} inputs, {rows} rows");
        section.bars.push(Bar::at_most(what, MAX_SECONDS, kind.most_seconds));
        section.kinds.push(kind);
    }
    Ok(section)
}

fn fit(inputs: usize, count: usize, seed: u64) -> Result<Fit> {
    let (junta, rows) = draw::junta(inputs, RELEVANT, count, seed);
    let start = Instant::now();
    let answer = minimize_rows(&rows, &Options::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let cube = Cube::new(&answer.cover);
    ensure!(cube.agrees(&rows), "{inputs} inputs, {count} rows, seed {seed}: a wrong cover");
    Ok(Fit {
        accuracy: cube.accuracy(&junta),
        terms: answer.cover.terms(),
        lower_bound: answer.lower_bound,
        seconds,
    })
}

fn summed_up(inputs: usize, rows: usize, bar: f64, fits: &[Fit]) -> Kind {
    let mean_of = |of: fn(&Fit) -> f64| rounded(mean(fits.iter().map(of)));
    Kind {
        inputs,
        relevant: RELEVANT,
        rows,
        seeds: fits.len(),
        accuracy_bar: bar,
        // Not rounded: one wrong point of millions is not 1.000.
        mean_accuracy: mean(fits.iter().map(|fit| fit.accuracy)),
        least_accuracy: fits.iter().map(|fit| fit.accuracy).fold(1.0, f64::min),
        mean_terms: mean_of(|fit| fit.terms as f64),
        mean_lower_bound: mean_of(|fit| fit.lower_bound as f64),
        mean_seconds: mean_of(|fit| fit.seconds),
        most_seconds: rounded(fits.iter().map(|fit| fit.seconds).fold(0.0, f64::max)),
    }
}

/// A cover's values on the whole cube: bit x % 64 of word x / 64.
struct Cube(Vec<u64>);

impl Cube {
    fn new(cover: &Cover) -> Self {
        let inputs = cover.shape().inputs();
        let mut words = vec![0; 1 << inputs.saturating_sub(6)];
        for term in 0..cover.terms() {
            let (mut low, mut care, mut value) = (u64::MAX, 0, 0);
            for i in 0..inputs {
                let literal = cover.literal(term, i);
                if literal == Literal::Free {
                    continue;
                }
                let positive = literal == Literal::Positive;
                if let Some(column) = LOW.get(i) {
                    low &= if positive { *column } else { !column };
                } else {
                    care |= 1 << (i - 6);
                    value |= usize::from(positive) << (i - 6);
                }
            }
            for word in (0..words.len()).filter(|word| word & care == value) {
                words[word] |= low;
            }
        }
        Self(words)
    }

    fn value(&self, x: u64) -> bool {
        self.0[(x / 64) as usize] >> (x % 64) & 1 == 1
    }

    fn agrees(&self, rows: &Rows) -> bool {
        (0..rows.len()).all(|row| {
            let x = (0..rows.inputs())
                .fold(0, |x, i| x | u64::from(rows.literal(row, i) == Literal::Positive) << i);
            self.value(x) == rows.label(row)
        })
    }

    fn accuracy(&self, junta: &Junta) -> f64 {
        let points = 1u64 << junta.inputs();
        (0..points).filter(|&x| self.value(x) == junta.value(x)).count() as f64 / points as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use macchiato::minimize::Shape;

    #[test]
    fn the_cube_has_the_covers_values() {
        let cover = draw::cover(9, 1, 5, 2);
        assert_eq!(cover.shape(), Shape::new(9, 1));
        let cube = Cube::new(&cover);
        for x in 0..512u64 {
            let point: Vec<bool> = (0..9).map(|i| x >> i & 1 == 1).collect();
            assert_eq!(cube.value(x), cover.evaluate(0, &point));
        }
    }
}
