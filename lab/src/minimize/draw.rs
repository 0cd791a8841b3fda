//! What is drawn at random: tables, juntas with their rows, covers. The draws are the specification.
//!
//! Everything comes from `ChaCha8Rng::seed_from_u64(seed)`, 32 bits at a time (`next_u32`), in the order told below, so
//! that every instance can be redrawn bit for bit in any language. `below(n)` is `(next_u32() * n) >> 32`.

use std::collections::BTreeSet;

use anyhow::Result;
use macchiato::minimize::{Cover, Literal, Rows, Shape, Table};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn below(rng: &mut ChaCha8Rng, n: u32) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as u32
}

fn bit(rng: &mut ChaCha8Rng) -> bool {
    rng.next_u32() & 1 == 1
}

/// A random table. For each cell in order two draws: the cell is don't-care if `below(100) < dont_care_percent`; its
/// label is the lowest bit of the next draw, which is made for don't-care cells too.
pub(crate) fn table(inputs: usize, dont_care_percent: u32, seed: u64) -> Result<Table> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let table = Table::from_fn(inputs, |_| {
        let open = below(&mut rng, 100) < dont_care_percent;
        let label = bit(&mut rng);
        (!open).then_some(label)
    })?;
    Ok(table)
}

/// A function of `coordinates.len()` of its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Junta {
    inputs: usize,
    /// Input `coordinates[k]` is bit k of the cell.
    coordinates: Vec<usize>,
    labels: Vec<bool>,
}

impl Junta {
    /// First the coordinates: `relevant` times one of those left, `below(number left)` in ascending order. Then a label
    /// for each cell, the lowest bit of a draw.
    fn draw(rng: &mut ChaCha8Rng, inputs: usize, relevant: usize) -> Self {
        let mut left: Vec<usize> = (0..inputs).collect();
        let coordinates =
            (0..relevant).map(|_| left.remove(below(rng, left.len() as u32) as usize)).collect();
        let labels = (0..1usize << relevant).map(|_| bit(rng)).collect();
        Self { inputs, coordinates, labels }
    }

    /// The value at the point whose input i is bit i of `x`.
    pub(crate) fn value(&self, x: u64) -> bool {
        let cell = self.coordinates.iter().enumerate().fold(0, |cell, (k, &i)| cell | (x >> i & 1) << k);
        self.labels[cell as usize]
    }

    /// Number of inputs.
    pub(crate) const fn inputs(&self) -> usize {
        self.inputs
    }
}

/// A junta of `relevant` of `inputs` inputs (at most 32) and `count` of its rows, uniform without replacement: after the
/// junta's own draws, points `next_u32() >> (32 - inputs)`, those that came before left out. All rows come in
/// ascending order, without a draw.
pub(crate) fn junta(inputs: usize, relevant: usize, count: usize, seed: u64) -> (Junta, Rows) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let junta = Junta::draw(&mut rng, inputs, relevant);
    let mut rows = Rows::new(inputs);
    let mut push = |x: u64| rows.push_bits(&[x], junta.value(x));
    if count == 1 << inputs {
        (0..1 << inputs).for_each(push);
    } else {
        let mut seen = BTreeSet::new();
        while seen.len() < count {
            let x = u64::from(rng.next_u32() >> (32 - inputs));
            if seen.insert(x) {
                push(x);
            }
        }
    }
    (junta, rows)
}

/// A random cover of several outputs, as PLA files have them. For each term: for each input `below(4)` (0 negative,
/// 1 positive, else free), then for each output `below(3)` (0 asserted); output 0 if none was.
pub(crate) fn cover(inputs: usize, outputs: usize, terms: usize, seed: u64) -> Cover {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut cover = Cover::new(Shape::new(inputs, outputs));
    for _ in 0..terms {
        let literals: Vec<Literal> = (0..inputs)
            .map(|_| match below(&mut rng, 4) {
                0 => Literal::Negative,
                1 => Literal::Positive,
                _ => Literal::Free,
            })
            .collect();
        let mut asserted: Vec<bool> = (0..outputs).map(|_| below(&mut rng, 3) == 0).collect();
        if !asserted.contains(&true) {
            asserted[0] = true;
        }
        cover.push(&literals, &asserted);
    }
    cover
}

/// A table in one line, a character for each cell in order.
pub(crate) fn spelled(table: &Table) -> String {
    (0..table.cells())
        .map(|x| match table.cell(x) {
            Some(true) => '1',
            Some(false) => '0',
            None => '-',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draws_stay_what_they_are() {
        assert_eq!(spelled(&table(4, 30, 0).unwrap()), "1100-111001000-0");
        let (junta, rows) = junta(5, 2, 6, 1);
        assert_eq!(junta.coordinates, [2, 1]);
        assert_eq!(junta.labels, [true, false, true, true]);
        let points: Vec<u32> = (0..rows.len())
            .map(|r| (0..5).map(|i| u32::from(rows.literal(r, i) == Literal::Positive) << i).sum())
            .collect();
        assert_eq!(points, [12, 7, 26, 9, 29, 22]);
    }

    #[test]
    fn a_sample_has_no_row_twice_and_the_juntas_labels() {
        let (junta, rows) = junta(8, 3, 200, 7);
        let mut seen = BTreeSet::new();
        for r in 0..rows.len() {
            let x = (0..8).map(|i| u64::from(rows.literal(r, i) == Literal::Positive) << i).sum();
            assert!(seen.insert(x));
            assert_eq!(rows.label(r), junta.value(x));
        }
        assert_eq!(seen.len(), 200);
    }

    #[test]
    fn dont_care_comes_at_its_rate() {
        let open = spelled(&table(12, 30, 3).unwrap()).matches('-').count();
        assert!((1110..1350).contains(&open), "{open} of 4096");
        assert!(!spelled(&table(8, 0, 3).unwrap()).contains('-'));
    }
}
