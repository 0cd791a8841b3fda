//! Distillation: rows made up from the real ones and labelled by a teacher (Bucila, Caruana & Niculescu-Mizil 2006).
//!
//! A student that is a sum of products needs many rows to learn what an ensemble knows; the ensemble can label as many as
//! it is asked. A row is made of two real ones that are near each other, half of the bits from each, and of one bit in
//! eight from any other: near enough to the real rows to be like new ones, far enough that the student must generalize. Rows
//! of which the teacher is unsure are left out: they would cost the student most of its cubes and teach it noise.

use rand_chacha::rand_core::Rng;

use crate::random::Stream;
use crate::wide::sample::{Sample, below};
use macchiato_minimize::Budget;
use rayon::prelude::*;

/// How to make rows up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rehearsal {
    /// Rows to have, the real ones among them.
    pub(crate) rows: usize,
    /// Nearest rows among which the partner of a row is drawn.
    pub(crate) neighbours: usize,
    /// Neighbours are sought among this many rows, since seeking takes the square of their number.
    pub(crate) parents: usize,
    /// Seed of all draws.
    pub(crate) seed: u64,
}

impl Default for Rehearsal {
    fn default() -> Self {
        Self { rows: 200_000, neighbours: 8, parents: 8192, seed: 0 }
    }
}

/// Rows that the teacher is asked about at a time.
const BATCH: usize = 1 << 14;

/// The real rows with their labels, and made-up ones with those of the teacher, which answers none when unsure. There are
/// fewer rows than asked if it is unsure of most, or the budget is spent.
pub(crate) fn rehearse(
    sample: &Sample,
    rehearsal: &Rehearsal,
    teacher: impl Fn(&Sample) -> Vec<Option<bool>>,
    budget: &Budget,
) -> Sample {
    let mut rehearsed = sample.clone();
    let mut rng = Stream::Rehearsing.of(rehearsal.seed);
    let mut parents: Vec<u32> = (0..sample.len() as u32).collect();
    for k in 0..parents.len().min(rehearsal.parents) {
        let other = k + below(&mut rng, sample.len() - k);
        parents.swap(k, other);
    }
    parents.truncate(rehearsal.parents);
    let parents = sample.subset(&parents);
    let near = neighbours(&parents, rehearsal.neighbours);
    if near.first().is_none_or(Vec::is_empty) {
        return rehearsed;
    }
    let mut row = Vec::new();
    let mut left = 2 * rehearsal.rows.saturating_sub(sample.len());
    while left > 0 && rehearsed.len() < rehearsal.rows && !budget.spent() {
        let mut batch = Sample::new(sample.inputs());
        for _ in 0..left.min(BATCH) {
            let a = below(&mut rng, parents.len());
            let b = near[a][below(&mut rng, near[a].len())] as usize;
            let c = below(&mut rng, parents.len());
            row.clear();
            for ((a, b), c) in parents.row(a).iter().zip(parents.row(b)).zip(parents.row(c)) {
                let half = rng.next_u64();
                let eighth = rng.next_u64() & rng.next_u64() & rng.next_u64();
                row.push((a & half | b & !half) & !eighth | c & eighth);
            }
            batch.push(&row, false);
        }
        left -= batch.len();
        for (r, label) in teacher(&batch).into_iter().enumerate() {
            if let (Some(label), true) = (label, rehearsed.len() < rehearsal.rows) {
                rehearsed.push(batch.row(r), label);
            }
        }
    }
    rehearsed
}

/// For each row the `most` others that differ from it in the fewest inputs.
fn neighbours(sample: &Sample, most: usize) -> Vec<Vec<u32>> {
    let of = |r: usize| {
        let mut nearest: Vec<(u32, u32)> = Vec::with_capacity(most + 1);
        for q in (0..sample.len()).filter(|&q| q != r) {
            let distance =
                sample.row(r).iter().zip(sample.row(q)).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
            if nearest.len() < most || nearest.last().is_some_and(|last| distance < last.0) {
                let at = nearest.partition_point(|known| known.0 <= distance);
                nearest.insert(at, (distance, q as u32));
                nearest.truncate(most);
            }
        }
        nearest.into_iter().map(|(_, q)| q).collect()
    };
    (0..sample.len()).into_par_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;

    #[test]
    fn neighbours_are_the_nearest_rows() {
        let sample = random_rows(40, 100, 1, |_| false);
        let distance = |a: usize, b: usize| (sample.row(a)[0] ^ sample.row(b)[0]).count_ones();
        for (r, near) in neighbours(&sample, 5).iter().enumerate() {
            let farthest = near.iter().map(|&q| distance(r, q as usize)).max();
            let closer = (0..100).filter(|&q| q != r && Some(distance(r, q)) < farthest).count();
            assert!(near.len() == 5 && closer < 5);
        }
    }

    #[test]
    fn real_rows_stay_and_made_up_ones_are_the_teachers() {
        let sample = random_rows(70, 50, 2, |row| row[1] & 1 == 1);
        let answer = |row: &[u64]| (row[0] & 3 != 0).then_some(row[0] & 4 != 0);
        let teacher = |rows: &Sample| (0..rows.len()).map(|r| answer(rows.row(r))).collect();
        let rehearsal = Rehearsal { rows: 500, parents: 40, ..Rehearsal::default() };
        let rehearsed = rehearse(&sample, &rehearsal, teacher, &Budget::unlimited());
        assert_eq!(rehearsed.len(), 500);
        assert!((0..50).all(|r| rehearsed.row(r) == sample.row(r) && rehearsed.label(r) == sample.label(r)));
        assert!((50..500).all(|r| answer(rehearsed.row(r)) == Some(rehearsed.label(r))));
    }

    #[test]
    fn unsure_teachers_and_lone_rows_end() {
        let rows_of = |sample: &Sample, answer: Option<bool>| {
            let teacher = |rows: &Sample| vec![answer; rows.len()];
            rehearse(sample, &Rehearsal::default(), teacher, &Budget::unlimited()).len()
        };
        assert_eq!(rows_of(&random_rows(10, 20, 3, |_| true), None), 20);
        assert_eq!(rows_of(&random_rows(10, 1, 3, |_| true), Some(true)), 1);
        assert_eq!(rows_of(&Sample::new(3), Some(true)), 0);
    }
}
