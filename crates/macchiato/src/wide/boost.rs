//! Gradient-boosted trees on bits: a teacher, more accurate than any one sum of products but no such sum itself.
//!
//! Each tree is fitted to the gradient of the logistic loss (Friedman 2001, second order as in `XGBoost`). Gradients and
//! curvatures are rounded at random to a few binary digits and laid out as bit planes, so that their sums over the rows
//! with an input at 1 are popcounts, too. Nothing but + - * / of f64 is used: the same trees on every platform.

use rand_chacha::rand_core::Rng;

use crate::random::Stream;
use crate::wide::cube::Cube;
use crate::wide::sample::Sample;
use macchiato_minimize::Budget;

/// How to boost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Boosting {
    /// Number of trees.
    pub(crate) trees: usize,
    /// Most tests on a path.
    pub(crate) depth: usize,
    /// How much of each tree is added to the sum.
    pub(crate) rate: f64,
    /// Curvature added to each leaf: pulls leaves of few rows towards 0.
    pub(crate) damping: f64,
    /// Trees of wider samples try a random half of their inputs each.
    pub(crate) all_inputs: usize,
    /// Seed of the rounding and of the choice of inputs.
    pub(crate) seed: u64,
}

impl Default for Boosting {
    fn default() -> Self {
        Self { trees: 200, depth: 6, rate: 0.2, damping: 1.0, all_inputs: 64, seed: 0 }
    }
}

/// A sum of regression trees: the log odds of label 1.
#[derive(Debug, Clone)]
pub(crate) struct Boosted {
    trees: Vec<Vec<Node>>,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Leaf(f64),
    /// The input and the nodes for 0 and 1.
    Split(u32, [u32; 2]),
}

/// Binary digits of a gradient, which lies in (-1, 1), with its sign.
const GRADIENT_PLANES: usize = 6;
/// What one unit of a rounded gradient is: 1/31.
const GRADIENT_UNIT: f64 = 31.0;
/// Binary digits of a curvature, which lies in (0, 1/4].
const CURVATURE_PLANES: usize = 4;
/// What one unit of a rounded curvature is: 1/56, so that 1/4 rounded up fits.
const CURVATURE_UNIT: f64 = 56.0;
const PLANES: usize = GRADIENT_PLANES + CURVATURE_PLANES;
/// Added to rounded gradients to make them natural numbers.
const BIAS: i64 = 1 << (GRADIENT_PLANES - 1);

impl Boosted {
    /// Fits the trees one after the other, until the budget is spent.
    #[must_use]
    pub(crate) fn fit(sample: &Sample, boosting: &Boosting, budget: &Budget) -> Self {
        let mut rng = Stream::Boosting.of(boosting.seed);
        let mut scores = vec![0.0; sample.len()];
        let mut slopes = vec![0; sample.len()];
        let mut columns = Vec::new();
        let all: Vec<u32> = (0..sample.len() as u32).collect();
        let mut trees = Vec::with_capacity(boosting.trees);
        for _ in 0..boosting.trees {
            if budget.spent() {
                break;
            }
            for (r, (slope, &score)) in slopes.iter_mut().zip(&scores).enumerate() {
                *slope = rounded(sample.label(r), score, rng.next_u64());
            }
            let narrow = sample.inputs() <= boosting.all_inputs;
            let inputs = (0..sample.inputs()).filter(|_| narrow || rng.next_u64() & 1 == 1).collect();
            let nodes = Vec::new();
            let mut grower = Grower { sample, boosting, slopes: &slopes, inputs, columns, nodes };
            grower.grow(&all, boosting.depth);
            let tree = grower.nodes;
            columns = grower.columns;
            for (r, score) in scores.iter_mut().enumerate() {
                *score += value(&tree, sample.row(r));
            }
            trees.push(tree);
        }
        Self { trees }
    }

    #[cfg(test)]
    /// The log odds that each row has label 1. Tree by tree, so that a tree stays in the cache for all rows.
    #[must_use]
    pub(crate) fn scores(&self, rows: &Sample) -> Vec<f64> {
        let mut scores = vec![0.0; rows.len()];
        for tree in &self.trees {
            for (r, score) in scores.iter_mut().enumerate() {
                *score += value(tree, rows.row(r));
            }
        }
        scores
    }

    /// Of each tree its leaves: the tests on the way there, each input once, and what the leaf adds.
    pub(crate) fn leaves(&self) -> Vec<Vec<(Cube, f64)>> {
        let leaves = |tree: &Vec<Node>| {
            let (mut leaves, mut open) = (Vec::new(), vec![(0u32, Vec::new())]);
            while let Some((at, tests)) = open.pop() {
                match tree[at as usize] {
                    Node::Leaf(value) => leaves.push((tests, value)),
                    Node::Split(input, children) => {
                        for (bit, child) in [false, true].into_iter().zip(children) {
                            let mut tests = tests.clone();
                            tests.push((input as usize, bit));
                            tests.sort_unstable();
                            open.push((child, tests));
                        }
                    }
                }
            }
            leaves
        };
        self.trees.iter().map(leaves).collect()
    }
}

fn value(tree: &[Node], row: &[u64]) -> f64 {
    let mut at = 0;
    loop {
        match tree[at] {
            Node::Leaf(value) => return value,
            Node::Split(i, children) => {
                at = children[(row[i as usize / 64] >> (i % 64) & 1) as usize] as usize;
            }
        }
    }
}

/// Gradient (with its bias) and curvature of the loss of a row, rounded up or down at random so that their means are
/// right: the digits of the gradient below those of the curvature.
fn rounded(label: bool, score: f64, random: u64) -> u64 {
    let p = sigmoid(score);
    let gradient = if label { 1.0 - p } else { -p };
    let [a, b] = [random >> 32, random & 0xFFFF_FFFF].map(|half| half as f64 / 4_294_967_296.0);
    let gradient = (gradient * GRADIENT_UNIT + a).floor() as i64 + BIAS;
    let curvature = (p * (1.0 - p) * CURVATURE_UNIT + b).floor() as i64;
    (gradient | curvature << GRADIENT_PLANES).cast_unsigned()
}

/// 1 / (1 + e^-x). The exponential is a power of 1 + x/2^12, since platforms differ in the last bits of theirs.
fn sigmoid(x: f64) -> f64 {
    let mut power = 1.0 - x.abs().min(30.0) / 4096.0;
    for _ in 0..12 {
        power *= power;
    }
    if x > 0.0 { 1.0 / (1.0 + power) } else { power / (1.0 + power) }
}

/// Sums of gradients and of curvatures.
#[derive(Clone, Copy)]
struct Sums {
    gradient: f64,
    curvature: f64,
}

impl Sums {
    /// From the counts of rows and of ones in each plane.
    fn new(rows: u32, planes: [u32; PLANES]) -> Self {
        let digits = |planes: &[u32]| planes.iter().rev().fold(0, |sum, &ones| 2 * sum + i64::from(ones));
        let gradient = digits(&planes[..GRADIENT_PLANES]) - BIAS * i64::from(rows);
        let curvature = digits(&planes[GRADIENT_PLANES..]);
        Self { gradient: gradient as f64 / GRADIENT_UNIT, curvature: curvature as f64 / CURVATURE_UNIT }
    }

    fn minus(self, other: Self) -> Self {
        Self { gradient: self.gradient - other.gradient, curvature: self.curvature - other.curvature }
    }

    /// Twice the loss that the best value of a leaf saves.
    fn saved(self, damping: f64) -> f64 {
        self.gradient * self.gradient / (self.curvature + damping)
    }
}

struct Grower<'a> {
    sample: &'a Sample,
    boosting: &'a Boosting,
    slopes: &'a [u64],
    inputs: Vec<usize>,
    columns: Vec<u64>,
    nodes: Vec<Node>,
}

impl Grower<'_> {
    /// A child with less curvature than this says too little.
    const LEAST_CURVATURE: f64 = 0.5;

    fn grow(&mut self, rows: &[u32], depth: usize) -> usize {
        let words = rows.len().div_ceil(64);
        let mut planes = vec![0; PLANES * words];
        for (k, &r) in rows.iter().enumerate() {
            let slope = self.slopes[r as usize];
            for plane in 0..PLANES {
                planes[plane * words + k / 64] |= (slope >> plane & 1) << (k % 64);
            }
        }
        let total = sums(&vec![u64::MAX; words], &planes, rows.len() as u32);
        let at = self.nodes.len();
        let damping = self.boosting.damping;
        self.nodes.push(Node::Leaf(self.boosting.rate * total.gradient / (total.curvature + damping)));
        if depth > 0
            && total.curvature >= 2.0 * Self::LEAST_CURVATURE
            && let Some(input) = self.best(rows, &planes, total)
        {
            let (ones, zeros): (Vec<u32>, Vec<u32>) =
                rows.iter().partition(|&&r| self.sample.bit(r as usize, input));
            let children = [zeros, ones].map(|rows| self.grow(&rows, depth - 1) as u32);
            self.nodes[at] = Node::Split(input as u32, children);
        }
        at
    }

    /// The input whose split saves most.
    fn best(&mut self, rows: &[u32], planes: &[u64], total: Sums) -> Option<usize> {
        let words = rows.len().div_ceil(64);
        let needed = self.sample.inputs() * words;
        if self.columns.len() < needed {
            self.columns.resize(needed, 0);
        }
        self.sample.gather(rows, &mut self.columns, words, 0);
        let damping = self.boosting.damping;
        let mut best = (total.saved(damping), None);
        for &i in &self.inputs {
            let column = &self.columns[i * words..(i + 1) * words];
            let ones = column.iter().map(|word| word.count_ones()).sum();
            if ones == 0 || ones as usize == rows.len() {
                continue;
            }
            let inside = sums(column, planes, ones);
            let outside = total.minus(inside);
            if inside.curvature < Self::LEAST_CURVATURE || outside.curvature < Self::LEAST_CURVATURE {
                continue;
            }
            let saved = inside.saved(damping) + outside.saved(damping);
            if saved > best.0 {
                best = (saved, Some(i));
            }
        }
        best.1
    }
}

/// The sums over the rows of a column, of which there are `ones`.
fn sums(column: &[u64], planes: &[u64], ones: u32) -> Sums {
    let words = column.len();
    let mut counts = [0; PLANES];
    for (plane, count) in counts.iter_mut().enumerate() {
        let plane = &planes[plane * words..(plane + 1) * words];
        *count = column.iter().zip(plane).map(|(a, b)| (a & b).count_ones()).sum();
    }
    Sums::new(ones, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide::sample::random_rows;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn the_sigmoid_is_close_and_symmetric() {
        for x in [-9.0, -1.5, 0.0, 0.3, 4.0_f64] {
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 2e-4, "{x}");
            assert!((sigmoid(x) + sigmoid(-x) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn rounding_keeps_the_mean_and_stays_in_its_planes() {
        for (label, score) in [(true, -40.0), (true, 0.7), (false, 0.0), (false, 40.0)] {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let (mut gradient, mut curvature) = (0, 0);
            for _ in 0..10_000 {
                let slope = rounded(label, score, rng.next_u64());
                assert!(slope < 1 << PLANES);
                gradient += (slope & ((1 << GRADIENT_PLANES) - 1)) as i64 - BIAS;
                curvature += (slope >> GRADIENT_PLANES) as i64;
            }
            let p = sigmoid(score);
            let mean = |sum: i64, unit: f64| sum as f64 / 10_000.0 / unit;
            assert!((mean(gradient, GRADIENT_UNIT) - (f64::from(u8::from(label)) - p)).abs() < 1e-3);
            assert!((mean(curvature, CURVATURE_UNIT) - p * (1.0 - p)).abs() < 1e-3);
        }
    }

    #[test]
    fn a_majority_of_many_inputs_is_learned() {
        let majority = |row: &[u64]| row[0].count_ones() > 20;
        let (train, test) = (random_rows(41, 2000, 1, majority), random_rows(41, 2000, 2, majority));
        let boosted = Boosted::fit(&train, &Boosting::default(), &Budget::unlimited());
        let right =
            boosted.scores(&test).iter().enumerate().filter(|(r, s)| (**s > 0.0) == test.label(*r)).count();
        assert!(right > 1800, "{right}");
    }
}
