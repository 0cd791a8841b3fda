//! A leaf of a growing graph: its rows, squeezed together, and the tests that would split it.
//!
//! A test of k signals makes 2^k cells; its gain is the evidence of the cells less that of the leaf, less the nats that name the test. Counts of two
//! or three signals come from populations of ANDs by inclusion and exclusion, so a pair costs two populations of the leaf's words.

use super::super::score::Evidence;
use crate::bits;

/// Tests that a leaf remembers, for joins and for restarts.
pub(super) const REMEMBERED: usize = 12;

/// Nats that say how many signals a node tests: one, two or three.
const SIZE: f64 = 1.1;

/// Up to three signals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Test {
    signals: [u32; 3],
    size: u8,
}

impl Test {
    fn new(signals: &[usize]) -> Self {
        let mut test = Self { signals: [0; 3], size: signals.len() as u8 };
        for (to, &from) in test.signals.iter_mut().zip(signals) {
            *to = from as u32;
        }
        test
    }

    pub(super) fn signals(&self) -> impl Iterator<Item = usize> + '_ {
        self.signals[..usize::from(self.size)].iter().map(|&signal| signal as usize)
    }

    pub(super) const fn size(&self) -> usize {
        self.size as usize
    }

    pub(super) const fn cells(&self) -> usize {
        1 << self.size
    }
}

/// Rows by cell and label.
pub(super) type Cells = [[u32; 2]; 8];

/// What all leaves share.
pub(super) struct World<'a> {
    /// The columns of the signals.
    pub(super) signals: &'a [&'a [u64]],
    pub(super) evidence: &'a Evidence,
    /// Signals among which pairs and triples are looked for.
    pub(super) pairs: usize,
    pub(super) triples: usize,
    /// Triples are tried where nothing gains more than this.
    pub(super) stuck: f64,
}

impl World<'_> {
    /// Nats that name a test of `size` signals.
    pub(super) fn price(&self, size: usize) -> f64 {
        let n = self.signals.len() as f64;
        SIZE + match size {
            1 => libm::log(n),
            2 => 2.0 * libm::log(n) - std::f64::consts::LN_2,
            _ => 3.0 * libm::log(n) - libm::log(6.0),
        }
    }

    fn gain(&self, cells: &[[u32; 2]], whole: f64) -> f64 {
        cells.iter().map(|&[zeros, ones]| self.evidence.cell(zeros, ones)).sum::<f64>()
            - whole
            - self.price(cells.len().trailing_zeros() as usize)
    }
}

/// Rows with labels, some of them complemented on the way here.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) slot: usize,
    pub(super) rows: Vec<u32>,
    pub(super) labels: Vec<u64>,
    pub(super) zeros: u32,
    pub(super) ones: u32,
    /// LE of all.
    pub(super) evidence: f64,
    /// Columns of the signals on these rows alone, one after the other; none where no test could gain.
    columns: Vec<u64>,
    /// The best tests with their gains.
    pub(super) tests: Vec<(f64, Test)>,
}

impl Leaf {
    pub(super) fn new(slot: usize, rows: Vec<u32>, labels: Vec<u64>, world: &World<'_>) -> Self {
        let ones = bits::count(&labels) as u32;
        let zeros = rows.len() as u32 - ones;
        let evidence = world.evidence.cell(zeros, ones);
        let mut leaf =
            Self { slot, rows, labels, zeros, ones, evidence, columns: Vec::new(), tests: Vec::new() };
        if -evidence > world.price(1) {
            leaf.squeeze(world);
            leaf.search(world);
        }
        leaf
    }

    /// The gain of the best test, or 0.
    pub(super) fn gain(&self) -> f64 {
        self.tests.first().map_or(0.0, |test| test.0.max(0.0))
    }

    fn squeeze(&mut self, world: &World<'_>) {
        let words = self.labels.len();
        self.columns = Vec::with_capacity(words * world.signals.len());
        for signal in world.signals {
            let mut word = 0u64;
            for (at, &row) in self.rows.iter().enumerate() {
                let row = row as usize;
                word |= (signal[row / 64] >> (row % 64) & 1) << (at % 64);
                if at % 64 == 63 {
                    self.columns.push(word);
                    word = 0;
                }
            }
            if !self.rows.len().is_multiple_of(64) {
                self.columns.push(word);
            }
        }
    }

    fn column(&self, signal: usize) -> &[u64] {
        let words = self.labels.len();
        &self.columns[signal * words..(signal + 1) * words]
    }

    fn remember(&mut self, gain: f64, signals: &[usize]) {
        if self.tests.len() == REMEMBERED {
            if self.tests[REMEMBERED - 1].0 >= gain {
                return;
            }
            self.tests.pop();
        }
        let at = self.tests.partition_point(|test| test.0 >= gain);
        self.tests.insert(at, (gain, Test::new(signals)));
    }

    fn search(&mut self, world: &World<'_>) {
        let n = world.signals.len();
        let (all, whole) = ([self.zeros, self.ones], self.evidence);
        let single: Vec<[u32; 2]> =
            (0..n).map(|signal| populations(self.column(signal), &self.labels)).collect();
        // The best gain that a signal has been part of, without its price.
        let mut merit: Vec<f64> = Vec::with_capacity(n);
        for (signal, &a) in single.iter().enumerate() {
            let cells = [[all[0] - a[0], all[1] - a[1]], a];
            let gain = world.gain(&cells, whole);
            merit.push(gain + world.price(1));
            if -whole > world.price(1) {
                self.remember(gain, &[signal]);
            }
        }
        if -whole <= world.price(2) {
            return;
        }
        let among = leaders(&merit, world.pairs);
        for (at, &i) in among.iter().enumerate() {
            let a = single[i];
            for &j in &among[at + 1..] {
                let b = single[j];
                let ab = populations_of_two(self.column(i), self.column(j), &self.labels);
                let cells = pair(all, a, b, ab);
                let gain = world.gain(&cells, whole);
                if self.tests.len() < REMEMBERED || gain > self.tests[REMEMBERED - 1].0 {
                    self.remember(gain, &[i, j]);
                }
                let value = gain + world.price(2);
                merit[i] = merit[i].max(value);
                merit[j] = merit[j].max(value);
            }
        }
        if -whole <= world.price(3) || self.gain() > world.stuck {
            return;
        }
        let among = leaders(&merit, world.triples);
        let mut both = vec![0u64; self.labels.len()];
        for (at, &i) in among.iter().enumerate() {
            for (next, &j) in among.iter().enumerate().skip(at + 1) {
                for ((both, a), b) in both.iter_mut().zip(self.column(i)).zip(self.column(j)) {
                    *both = a & b;
                }
                let ab = populations(&both, &self.labels);
                for &k in &among[next + 1..] {
                    let ac = populations_of_two(self.column(i), self.column(k), &self.labels);
                    let bc = populations_of_two(self.column(j), self.column(k), &self.labels);
                    let abc = populations_of_two(&both, self.column(k), &self.labels);
                    let cells = triple(all, [single[i], single[j], single[k]], [ab, ac, bc], abc);
                    let gain = world.gain(&cells, whole);
                    if self.tests.len() < REMEMBERED || gain > self.tests[REMEMBERED - 1].0 {
                        self.remember(gain, &[i, j, k]);
                    }
                }
            }
        }
    }

    /// The cells of a test on these rows.
    pub(super) fn cells(&self, test: &Test, world: &World<'_>) -> Cells {
        let mut cells = Cells::default();
        let signals: Vec<usize> = test.signals().collect();
        if self.columns.is_empty() {
            for (at, &row) in self.rows.iter().enumerate() {
                let cell = cell(&signals, world, row);
                cells[cell][usize::from(bits::get(&self.labels, at))] += 1;
            }
            return cells;
        }
        let all = [self.zeros, self.ones];
        let one = |i: usize| populations(self.column(i), &self.labels);
        let two = |i: usize, j: usize| populations_of_two(self.column(i), self.column(j), &self.labels);
        match signals[..] {
            [i] => {
                let a = one(i);
                cells[..2].copy_from_slice(&[[all[0] - a[0], all[1] - a[1]], a]);
            }
            [i, j] => cells[..4].copy_from_slice(&pair(all, one(i), one(j), two(i, j))),
            [i, j, k] => {
                let both: Vec<u64> = self.column(i).iter().zip(self.column(j)).map(|(a, b)| a & b).collect();
                let abc = populations_of_two(&both, self.column(k), &self.labels);
                cells = triple(all, [one(i), one(j), one(k)], [two(i, j), two(i, k), two(j, k)], abc);
            }
            _ => {}
        }
        cells
    }

    /// The rows and labels of each cell of a test.
    pub(super) fn split(&self, test: &Test, world: &World<'_>) -> Vec<(Vec<u32>, Vec<u64>)> {
        let signals: Vec<usize> = test.signals().collect();
        let mut parts = vec![(Vec::new(), Vec::new()); test.cells()];
        for (at, &row) in self.rows.iter().enumerate() {
            let (rows, labels) = &mut parts[cell(&signals, world, row)];
            if rows.len().is_multiple_of(64) {
                labels.push(0u64);
            }
            if bits::get(&self.labels, at) {
                bits::set(labels, rows.len());
            }
            rows.push(row);
        }
        parts
    }

    /// Both leaves' rows, the labels of the second complemented if `flip`.
    pub(super) fn union(&self, other: &Self, flip: bool) -> (Vec<u32>, Vec<u64>) {
        let rows: Vec<u32> = self.rows.iter().chain(&other.rows).copied().collect();
        let mut labels = vec![0u64; bits::words(rows.len())];
        for at in bits::ones(&self.labels) {
            bits::set(&mut labels, at);
        }
        for at in 0..other.rows.len() {
            if bits::get(&other.labels, at) != flip {
                bits::set(&mut labels, self.rows.len() + at);
            }
        }
        (rows, labels)
    }
}

fn cell(signals: &[usize], world: &World<'_>, row: u32) -> usize {
    let bit =
        |(at, &signal): (usize, &usize)| usize::from(bits::get(world.signals[signal], row as usize)) << at;
    signals.iter().enumerate().map(bit).sum()
}

/// The best signals by merit, ties by index, in increasing order.
fn leaders(merit: &[f64], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..merit.len()).collect();
    if merit.len() > most {
        order.sort_by(|&a, &b| merit[b].total_cmp(&merit[a]).then(a.cmp(&b)));
        order.truncate(most);
        order.sort_unstable();
    }
    order
}

/// Rows of a column by label.
#[inline]
fn populations(column: &[u64], labels: &[u64]) -> [u32; 2] {
    let (mut all, mut ones) = (0, 0);
    for (a, y) in column.iter().zip(labels) {
        all += a.count_ones();
        ones += (a & y).count_ones();
    }
    [all - ones, ones]
}

#[inline]
fn populations_of_two(a: &[u64], b: &[u64], labels: &[u64]) -> [u32; 2] {
    let (mut all, mut ones) = (0, 0);
    for ((a, b), y) in a.iter().zip(b).zip(labels) {
        let both = a & b;
        all += both.count_ones();
        ones += (both & y).count_ones();
    }
    [all - ones, ones]
}

#[inline]
fn pair(all: [u32; 2], a: [u32; 2], b: [u32; 2], ab: [u32; 2]) -> [[u32; 2]; 4] {
    let of = |label: usize| {
        let (only_a, only_b) = (a[label] - ab[label], b[label] - ab[label]);
        [all[label] - only_a - only_b - ab[label], only_a, only_b, ab[label]]
    };
    let (zeros, ones) = (of(0), of(1));
    std::array::from_fn(|cell| [zeros[cell], ones[cell]])
}

#[inline]
fn triple(all: [u32; 2], one: [[u32; 2]; 3], two: [[u32; 2]; 3], abc: [u32; 2]) -> Cells {
    let mut cells = Cells::default();
    for label in 0..2 {
        let [a, b, c] = one.map(|count| count[label]);
        let [ab, ac, bc] = two.map(|count| count[label]);
        let abc = abc[label];
        let counts = [
            all[label] + ab + ac + bc - a - b - c - abc,
            a + abc - ab - ac,
            b + abc - ab - bc,
            ab - abc,
            c + abc - ac - bc,
            ac - abc,
            bc - abc,
            abc,
        ];
        for (cell, count) in cells.iter_mut().zip(counts) {
            cell[label] = count;
        }
    }
    cells
}
