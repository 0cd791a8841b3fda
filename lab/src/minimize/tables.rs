//! Random tables of one output, against the means that Espresso has on tables of the same kind.
//!
//! For 6, 8, 10 and 12 inputs and 0, 30 and 70 % don't-care, the tables of seeds 0..20 (`draw::table`). The published
//! means were taken on 20 other tables of this distribution; the `peer` part compares on the same ones. The
//! mean of 20 tables is a noisy one, so for 6 and 8 inputs the mean of 1000 stands beside it.

use std::time::Instant;

use anyhow::{Result, ensure};
use macchiato::minimize::{Cover, Literal, Options, Table, minimize_table};
use serde::{Deserialize, Serialize};

use super::bar::{Bar, mean, rounded};
use super::draw;

/// Don't-care percentages, in the order of the published means.
pub(crate) const DONT_CARE: [u32; 3] = [0, 30, 70];
/// Inputs, and Espresso's published mean terms at each don't-care percentage.
const ESPRESSO: [(usize, [f64; 3]); 4] = [
    (6, [14.35, 10.20, 4.35]),
    (8, [47.60, 31.25, 13.50]),
    (10, [166.0, 111.9, 45.0]),
    (12, [606.5, 397.4, 152.4]),
];
const INSTANCES: u64 = 20;
/// Instances of the large samples, and the most inputs for which there is one.
const MANY: (u64, usize) = (1000, 8);

/// Results of the `tables` part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Section {
    pub(crate) bars: Vec<Bar>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) large_samples: Vec<Kind>,
}

/// One kind of table: so many inputs, so much don't-care.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) inputs: usize,
    pub(crate) dont_care_percent: u32,
    pub(crate) instances: usize,
    pub(crate) espresso_mean_terms: f64,
    pub(crate) mean_terms: f64,
    pub(crate) mean_lower_bound: f64,
    pub(crate) better_percent: f64,
    pub(crate) proven_optimal: usize,
    pub(crate) seconds: f64,
}

pub(crate) fn run(quick: bool) -> Result<Section> {
    let mut section = Section { bars: Vec::new(), kinds: Vec::new(), large_samples: Vec::new() };
    let instances = if quick { 3 } else { INSTANCES };
    for kind in kinds(instances, if quick { 10 } else { usize::MAX }) {
        let kind = kind?;
        section.bars.push(bar(&kind));
        section.kinds.push(kind);
    }
    if !quick {
        for kind in kinds(MANY.0, MANY.1) {
            let kind = kind?;
            section.bars.push(bar(&kind));
            section.large_samples.push(kind);
        }
    }
    Ok(section)
}

/// Measures every kind of at most `max_inputs` inputs.
fn kinds(instances: u64, max_inputs: usize) -> impl Iterator<Item = Result<Kind>> {
    let rows = ESPRESSO.into_iter().filter(move |(inputs, _)| *inputs <= max_inputs);
    rows.flat_map(move |(inputs, published)| {
        let levels = DONT_CARE.into_iter().zip(published);
        levels.map(move |(dont_care, espresso)| measure(inputs, dont_care, espresso, instances))
    })
}

/// No more terms than Espresso; from 8 inputs on, 3 % fewer.
fn bar(kind: &Kind) -> Bar {
    let Kind { inputs, dont_care_percent, instances, espresso_mean_terms: espresso, .. } = kind;
    eprintln!(
        "tables: {inputs} inputs, {dont_care_percent} % don't-care: {:.2} terms, Espresso {espresso:.2}, at least {:.2}",
        kind.mean_terms, kind.mean_lower_bound
    );
    let what = format!(
        "mean terms of {instances}, {inputs} inputs, {dont_care_percent} % don't-care (Espresso {espresso})"
    );
    let margin = if *inputs >= 8 { 0.97 } else { 1.0 };
    Bar::at_most(what, rounded(margin * espresso), kind.mean_terms).with_lower_bound(kind.mean_lower_bound)
}

fn measure(inputs: usize, dont_care_percent: u32, espresso: f64, instances: u64) -> Result<Kind> {
    let mut answers = Vec::new();
    let mut seconds = 0.0;
    for seed in 0..instances {
        let table = draw::table(inputs, dont_care_percent, seed)?;
        let start = Instant::now();
        let answer = minimize_table(&table, &Options::default())?;
        seconds += start.elapsed().as_secs_f64();
        ensure!(
            agrees(&answer.cover, &table),
            "{inputs} inputs, {dont_care_percent} %, seed {seed}: a wrong cover"
        );
        answers.push(answer);
    }
    let mean_terms = mean(answers.iter().map(|answer| answer.cover.terms() as f64));
    Ok(Kind {
        inputs,
        dont_care_percent,
        instances: answers.len(),
        espresso_mean_terms: espresso,
        mean_terms: rounded(mean_terms),
        mean_lower_bound: rounded(mean(answers.iter().map(|answer| answer.lower_bound as f64))),
        better_percent: rounded(100.0 * (1.0 - mean_terms / espresso)),
        proven_optimal: answers.iter().filter(|answer| answer.proven_optimal()).count(),
        seconds: rounded(seconds),
    })
}

/// Whether a cover has the value of every specified cell: judged from its literals alone.
pub(crate) fn agrees(cover: &Cover, table: &Table) -> bool {
    let terms: Vec<(usize, usize)> = (0..cover.terms())
        .map(|term| {
            (0..table.inputs()).fold((0, 0), |(care, value), i| match cover.literal(term, i) {
                Literal::Positive => (care | 1 << i, value | 1 << i),
                Literal::Negative => (care | 1 << i, value),
                Literal::Free => (care, value),
            })
        })
        .collect();
    (0..table.cells()).all(|x| {
        table.cell(x).is_none_or(|label| label == terms.iter().any(|(care, value)| x & care == *value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use macchiato::minimize::Shape;

    #[test]
    fn a_cover_agrees_with_its_table_only() {
        let xor = Table::from_fn(2, |x| Some(x == 1 || x == 2)).unwrap();
        let mut cover = Cover::new(Shape::new(2, 1));
        cover.push(&[Literal::Positive, Literal::Negative], &[true]);
        assert!(!agrees(&cover, &xor));
        cover.push(&[Literal::Negative, Literal::Positive], &[true]);
        assert!(agrees(&cover, &xor));
    }
}
