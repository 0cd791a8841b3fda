//! Rule induction: cubes grown one at a time, each to cover rows of label 1 that no earlier one covers.
//!
//! A cube starts as the constant 1 and takes the literal of the largest FOIL gain (Quinlan 1990) until it covers no row
//! of label 0. Other than the leaves of a tree, cubes overlap, so that each is grown from all rows of label 0 rather than from
//! what its ancestors left. A literal is chosen by a bounded draw of the rows that the cube still covers; whether the cube
//! is pure is asked of all. Cost: per literal a gather of the draw and a pass of the columns of the cube.

use rand_chacha::ChaCha8Rng;

use crate::bits;
use crate::random::Stream;
use crate::wide::cube::{Cube, Sop};
use crate::wide::entropy::log2;
use crate::wide::sample::{Sample, below};
use macchiato_minimize::Budget;

/// How to induce rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Induction {
    /// Describe the rows of label 0, and answer 1 elsewhere.
    pub(crate) negated: bool,
    /// A cube must cover so many new rows of its label more than of the other.
    pub(crate) least_rows: usize,
    /// Most rows of each label by which a literal is chosen.
    pub(crate) draw: usize,
    /// Most cubes.
    pub(crate) most_cubes: usize,
    /// Seed of the draws.
    pub(crate) seed: u64,
}

impl Default for Induction {
    fn default() -> Self {
        Self { negated: false, least_rows: 1, draw: 4000, most_cubes: 4000, seed: 0 }
    }
}

/// Learns a sum of products from rows; when the budget is spent, the cubes so far stand.
#[must_use]
pub(crate) fn induce(sample: &Sample, induction: &Induction, budget: &Budget) -> Sop {
    /// Cubes in a row that are not worth keeping before the rest is given up as noise.
    const FAILURES: usize = 16;
    let (inside, outside) =
        (0..sample.len() as u32).partition(|&r| sample.label(r as usize) != induction.negated);
    let (inside, outside) = (Side::new(sample, inside), Side::new(sample, outside));
    let rng = Stream::Rules.of(induction.seed);
    let mut inducer = Inducer { sample, induction, inside, outside, columns: Vec::new(), rng };
    let mut cubes = Vec::new();
    let mut failures = 0;
    while inducer.inside.open.iter().any(|&word| word != 0)
        && cubes.len() < induction.most_cubes
        && failures < FAILURES
        && !budget.spent()
    {
        let cube = inducer.grow();
        let covered = inducer.inside.matching(&cube);
        for (open, covered) in inducer.inside.open.iter_mut().zip(&covered) {
            *open &= !covered;
        }
        let wrong = bits::count(&inducer.outside.matching(&cube));
        if bits::count(&covered) >= wrong + induction.least_rows {
            cubes.push(cube);
            failures = 0;
        } else {
            failures += 1;
        }
    }
    for cube in &mut cubes {
        cube.sort_unstable();
    }
    Sop { cubes, negated: induction.negated }
}

/// The rows of one label.
pub(super) struct Side {
    rows: Vec<u32>,
    /// Words of a column.
    words: usize,
    columns: Vec<u64>,
    /// The rows that still count: one bit each.
    open: Vec<u64>,
}

impl Side {
    pub(super) fn new(sample: &Sample, rows: Vec<u32>) -> Self {
        let words = rows.len().div_ceil(64);
        let mut columns = vec![0; sample.inputs() * words];
        sample.gather(&rows, &mut columns, words, 0);
        let mut open = vec![u64::MAX; words];
        if let Some(last) = open.last_mut() {
            *last >>= (64 - rows.len() % 64) % 64;
        }
        Self { rows, words, columns, open }
    }

    /// Words of a column.
    pub(super) const fn words(&self) -> usize {
        self.words
    }

    /// The open rows that a literal keeps out.
    pub(super) fn misses(&self, (i, x): (usize, bool)) -> impl Iterator<Item = u64> {
        let flip = if x { u64::MAX } else { 0 };
        let column = &self.columns[i * self.words..(i + 1) * self.words];
        column.iter().zip(&self.open).map(move |(column, open)| (column ^ flip) & open)
    }

    /// The open rows in a cube.
    pub(super) fn matching(&self, cube: &[(usize, bool)]) -> Vec<u64> {
        let mut matching = self.open.clone();
        for &(i, x) in cube {
            let column = &self.columns[i * self.words..(i + 1) * self.words];
            let flip = if x { 0 } else { u64::MAX };
            for (word, column) in matching.iter_mut().zip(column) {
                *word &= column ^ flip;
            }
        }
        matching
    }

    /// Up to `most` of these rows, evenly spread from a random start, and how many rows each stands for.
    fn draw(&self, bits: &[u64], most: usize, rng: &mut ChaCha8Rng) -> (Vec<u32>, u64) {
        let total = bits::count(bits);
        let start = if total > most { below(rng, total) } else { 0 };
        let mut drawn = Vec::with_capacity(total.min(most));
        // In 64 bits everywhere: the product outgrows 32 from a million rows on.
        let (mut k, among, of) = (start as u64, most as u64, total as u64);
        for (at, &word) in bits.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                if total <= most || k * among / of != (k + 1) * among / of {
                    drawn.push(self.rows[64 * at + rest.trailing_zeros() as usize]);
                }
                k += 1;
                rest &= rest - 1;
            }
        }
        let weight = total.div_ceil(drawn.len().max(1)) as u64;
        (drawn, weight)
    }
}

struct Inducer<'a> {
    sample: &'a Sample,
    induction: &'a Induction,
    inside: Side,
    outside: Side,
    /// Of the rows by which a literal is chosen.
    columns: Vec<u64>,
    rng: ChaCha8Rng,
}

impl Inducer<'_> {
    /// A cube with open rows inside, and none outside unless no literal tells them apart.
    fn grow(&mut self) -> Cube {
        let mut cube = Cube::new();
        loop {
            let covered = [self.inside.matching(&cube), self.outside.matching(&cube)];
            if covered[1].iter().all(|&word| word == 0) {
                return cube;
            }
            let most = self.induction.draw;
            let (mut inside, weight) = self.inside.draw(&covered[0], most, &mut self.rng);
            let (mut outside, other_weight) = self.outside.draw(&covered[1], most, &mut self.rng);
            // A draw serves several literals, until it is pure or used up.
            let enough = if weight > 1 || other_weight > 1 { inside.len() / 4 } else { 0 };
            while !outside.is_empty() && inside.len() >= enough {
                let Some((i, x)) = self.best(&inside, &outside, weight, other_weight) else { return cube };
                cube.push((i, x));
                inside.retain(|&r| self.sample.bit(r as usize, i) == x);
                outside.retain(|&r| self.sample.bit(r as usize, i) == x);
            }
        }
    }

    /// The literal of the largest FOIL gain, if any has one.
    fn best(&mut self, inside: &[u32], outside: &[u32], weight: u64, other: u64) -> Option<(usize, bool)> {
        let inside_words = inside.len().div_ceil(64);
        let words = inside_words + outside.len().div_ceil(64);
        let needed = self.sample.inputs() * words;
        if self.columns.len() < needed {
            self.columns.resize(needed, 0);
        }
        self.sample.gather(inside, &mut self.columns, words, 0);
        self.sample.gather(outside, &mut self.columns, words, inside_words);

        let purity = |p: u64, n: u64| log2(p * weight) - log2(p * weight + n * other);
        let (all_p, all_n) = (inside.len() as u64, outside.len() as u64);
        let before = purity(all_p, all_n);
        let mut best = (0, None);
        for i in 0..self.sample.inputs() {
            let (p, n) = self.columns[i * words..(i + 1) * words].split_at(inside_words);
            let (p, n) = (bits::count(p) as u64, bits::count(n) as u64);
            for (p, n, x) in [(all_p - p, all_n - n, false), (p, n, true)] {
                if p > 0 && n < all_n {
                    let gain = p as i64 * (purity(p, n) - before);
                    if gain > best.0 {
                        best = (gain, Some((i, x)));
                    }
                }
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;

    fn dnf(row: &[u64]) -> bool {
        [0b111, 0b1_0001_1000, 0b110_0000_0001].iter().any(|&cube| row[0] & cube == cube)
    }

    #[test]
    fn a_small_sum_of_products_is_found_again() {
        let sop = induce(&random_rows(60, 3000, 1, dnf), &Induction::default(), &Budget::unlimited());
        let test = random_rows(60, 1000, 2, dnf);
        assert!((0..test.len()).all(|r| sop.predict(test.row(r)) == test.label(r)));
        assert_eq!(sop.cubes.len(), 3);
    }

    #[test]
    fn a_small_draw_and_both_polarities_fit_the_rows() {
        let sample = random_rows(40, 3000, 3, |row| row[0].count_ones() > 20);
        for negated in [false, true] {
            let sop = induce(
                &sample,
                &Induction { negated, draw: 100, ..Induction::default() },
                &Budget::unlimited(),
            );
            assert!((0..sample.len()).all(|r| sop.predict(sample.row(r)) == sample.label(r)));
        }
    }

    #[test]
    fn contradictory_rows_cost_no_more_than_themselves() {
        let mut sample = random_rows(40, 1000, 4, dnf);
        for r in 0..8 {
            let row = sample.row(r).to_vec();
            sample.push(&row, !sample.label(r));
        }
        let sop = induce(&sample, &Induction { least_rows: 8, ..Induction::default() }, &Budget::unlimited());
        let wrong = (0..1000).filter(|&r| sop.predict(sample.row(r)) != sample.label(r)).count();
        assert!(wrong < 80, "{wrong}");
    }

    #[test]
    fn constants() {
        let zeros = random_rows(5, 20, 5, |_| false);
        assert_eq!(induce(&zeros, &Induction::default(), &Budget::unlimited()).cubes.len(), 0);
        let ones = random_rows(5, 20, 5, |_| true);
        assert_eq!(induce(&ones, &Induction::default(), &Budget::unlimited()).cubes, [vec![]]);
    }
}
