//! Laws of the rows engine, checked point by point on small inputs, and its accuracy on sampled juntas.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;
use rand::RngExt;
use rand::seq::SliceRandom;

use super::*;
use crate::budget::Budget;

/// A cube of up to 6 inputs: the points x with x & bound == value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Small {
    bound: u32,
    value: u32,
}

impl Small {
    fn has(self, x: u32) -> bool {
        x & self.bound == self.value
    }

    fn points(self, inputs: usize) -> impl Iterator<Item = u32> {
        (0..1 << inputs).filter(move |&x| self.has(x))
    }

    fn contains(self, other: Self) -> bool {
        self.bound & !other.bound == 0 && other.value & self.bound == self.value
    }

    fn meets(self, other: Self) -> bool {
        (self.value ^ other.value) & self.bound & other.bound == 0
    }

    fn literals(self, inputs: usize) -> Vec<Literal> {
        let literal = |i| match (self.bound >> i & 1, self.value >> i & 1) {
            (0, _) => Literal::Free,
            (_, 1) => Literal::Positive,
            _ => Literal::Negative,
        };
        (0..inputs).map(literal).collect()
    }

    fn terms(cover: &Cover) -> Vec<Self> {
        let read = |term| {
            let mut cube = Self { bound: 0, value: 0 };
            for i in 0..cover.shape().inputs() {
                let literal = cover.literal(term, i);
                cube.bound |= u32::from(literal != Literal::Free) << i;
                cube.value |= u32::from(literal == Literal::Positive) << i;
            }
            cube
        };
        (0..cover.terms()).map(read).collect()
    }
}

#[derive(Debug, Clone)]
struct Case {
    inputs: usize,
    rows: Vec<(Small, bool)>,
}

impl Case {
    fn rows(&self) -> Rows {
        let mut rows = Rows::new(self.inputs);
        for &(cube, label) in &self.rows {
            rows.push(&cube.literals(self.inputs), label);
        }
        rows
    }

    fn side(&self, label: bool) -> impl Iterator<Item = Small> {
        self.rows.iter().filter(move |row| row.1 == label).map(|row| row.0)
    }

    fn is_covered_by(&self, terms: &[Small]) -> bool {
        self.side(true).all(|row| terms.iter().any(|term| term.contains(row)))
            && self.side(false).all(|row| !terms.iter().any(|term| term.meets(row)))
    }

    /// The fewest implicants that cover every ON point, by trying all.
    fn minimum(&self) -> usize {
        let points = |cube: Small| cube.points(self.inputs).fold(0u32, |set, x| set | 1 << x);
        let on = self.side(true).map(points).fold(0, |a, b| a | b);
        let off = self.side(false).map(points).fold(0, |a, b| a | b);
        let all = (0..1u32 << self.inputs).flat_map(|bound| {
            (0..1u32 << self.inputs)
                .filter(move |value| value & !bound == 0)
                .map(move |value| Small { bound, value })
        });
        let implicants: Vec<u32> = all.map(points).filter(|set| set & off == 0 && set & on != 0).collect();
        let mut reached = vec![0u32];
        for terms in 0.. {
            if reached.iter().any(|set| on & !set == 0) {
                return terms;
            }
            let mut next: Vec<u32> =
                reached.iter().flat_map(|set| implicants.iter().map(move |i| (set | i) & on)).collect();
            next.sort_unstable();
            next.dedup();
            reached = next;
        }
        unreachable!()
    }
}

/// Rows without contradictions: a row that meets an earlier one of the other label is left out.
fn cases(inputs: std::ops::RangeInclusive<usize>, cubes: bool) -> impl Strategy<Value = Case> {
    let row = (any::<u32>(), any::<u32>(), any::<u32>(), any::<bool>());
    (inputs, prop::collection::vec(row, 0..48)).prop_map(move |(inputs, drawn)| {
        let mask = (1u32 << inputs) - 1;
        let mut rows: Vec<(Small, bool)> = Vec::new();
        for (value, a, b, label) in drawn {
            let bound = if cubes { (a | b) & mask } else { mask };
            let cube = Small { bound, value: value & bound };
            if rows.iter().all(|&(other, known)| known == label || !cube.meets(other)) {
                rows.push((cube, label));
            }
        }
        Case { inputs, rows }
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    prop_oneof![cases(0..=6, true), cases(0..=6, false)]
}

fn with_budget(budget: Budget) -> Options {
    Options { budget, ..Options::default() }
}

proptest! {
    #[test]
    fn on_is_inside_off_is_outside_and_terms_are_prime(case in any_case()) {
        let answer = minimize_rows(&case.rows(), &Options::default()).unwrap();
        let terms = Small::terms(&answer.cover);
        prop_assert!(case.is_covered_by(&terms));
        prop_assert!(answer.lower_bound <= terms.len() && !answer.interrupted);
        for term in terms {
            for i in (0..case.inputs).filter(|i| term.bound >> i & 1 == 1) {
                let wider = Small { bound: term.bound & !(1 << i), value: term.value & !(1 << i) };
                prop_assert!(case.side(false).any(|off| wider.meets(off)), "{term:?} grows along {i}");
            }
        }
    }

    #[test]
    fn a_spent_budget_still_gives_a_cover(case in any_case()) {
        let spent = Budget::unlimited().with_time_limit(Duration::ZERO);
        let answer = minimize_rows(&case.rows(), &with_budget(spent)).unwrap();
        prop_assert!(case.is_covered_by(&Small::terms(&answer.cover)));
        prop_assert!(answer.lower_bound <= answer.cover.terms());
        let trivial = case.side(true).next().is_none() || case.side(false).next().is_none();
        prop_assert_eq!(answer.interrupted, !trivial);
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes(case in any_case(), seed in any::<u64>()) {
        let options = Options { seed, ..Options::default() };
        let first = minimize_rows(&case.rows(), &options).unwrap();
        let second = minimize_rows(&case.rows(), &options).unwrap();
        prop_assert_eq!(first.cover, second.cover);
        prop_assert_eq!(first.lower_bound, second.lower_bound);
    }

    #[test]
    fn the_bound_is_below_the_minimum(case in prop_oneof![cases(0..=3, true), cases(0..=4, false)]) {
        let answer = minimize_rows(&case.rows(), &Options::default()).unwrap();
        let minimum = case.minimum();
        prop_assert!(answer.lower_bound <= minimum, "{} > {minimum}", answer.lower_bound);
        prop_assert!(minimum <= answer.cover.terms());
    }

    #[test]
    fn contradictions_name_a_pair_that_meets(case in any_case(), x in any::<u32>(), cube in any::<u32>()) {
        let mask = (1u32 << case.inputs) - 1;
        let mut case = case;
        let bound = mask & !cube;
        case.rows.push((Small { bound, value: x & bound }, true));
        case.rows.push((Small { bound: mask, value: x & mask }, false));
        match minimize_rows(&case.rows(), &Options::default()) {
            Err(MinimizeError::Contradiction { on, off, output: None }) => {
                prop_assert!(case.rows[on].1 && !case.rows[off].1);
                prop_assert!(case.rows[on].0.meets(case.rows[off].0));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}

#[test]
fn every_table_of_three_inputs_gets_its_minimum() {
    for code in 0..3usize.pow(8) {
        let cell = |x: u32| code / 3usize.pow(x) % 3;
        let rows: Vec<(Small, bool)> = (0..8u32)
            .filter(|&x| cell(x) < 2)
            .map(|value| (Small { bound: 7, value }, cell(value) == 1))
            .collect();
        let case = Case { inputs: 3, rows };
        if case.side(true).next().is_none() {
            continue;
        }
        let answer = minimize_rows(&case.rows(), &Options::default()).unwrap();
        assert_eq!(answer.cover.terms(), case.minimum(), "{case:?}");
    }
}

#[test]
fn degenerate_rows_follow_appendix_d3() {
    let answer = |labels: &[bool]| {
        let mut rows = Rows::new(2);
        (0..).zip(labels).for_each(|(x, &label)| rows.push_bits(&[x], label));
        minimize_rows(&rows, &Options::default()).unwrap()
    };
    let shape = Shape::new(2, 1);
    assert_eq!(answer(&[]).cover, Cover::new(shape));
    assert_eq!(answer(&[false, false]).cover, Cover::new(shape));
    assert_eq!(answer(&[true, true]).cover, Cover::universe(shape));
    assert!(answer(&[]).proven_optimal() && answer(&[true]).proven_optimal());
}

#[test]
fn a_cancelled_run_says_so_and_exact_admits_its_gap() {
    let (rows, _) = junta(12, 8, 300, 1);
    let cancelled = Budget::unlimited().with_cancel(Arc::new(AtomicBool::new(true)));
    assert!(minimize_rows(&rows, &with_budget(cancelled)).unwrap().interrupted);
    let exact = minimize_rows(&rows, &Options { exact: true, ..Options::default() }).unwrap();
    assert_eq!(exact.notes.contains(&Note::NotExact), !exact.proven_optimal());
}

/// `sample` distinct points of a random `size`-junta over `inputs` inputs, and the share of the cube that a cover gets right.
fn junta(inputs: usize, size: usize, sample: usize, seed: u64) -> (Rows, impl Fn(&Cover) -> f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut support: Vec<usize> = (0..inputs).collect();
    support.shuffle(&mut rng);
    support.truncate(size);
    let table: Vec<bool> = (0..1 << size).map(|_| rng.random()).collect();
    let value = move |x: u64| {
        table[support.iter().enumerate().fold(0, |cell, (k, &i)| cell | ((x >> i & 1) as usize) << k)]
    };
    let mut points: Vec<u64> = (0..1 << inputs).collect();
    points.shuffle(&mut rng);
    let mut rows = Rows::new(inputs);
    points[..sample].iter().for_each(|&x| rows.push_bits(&[x], value(x)));
    let accuracy = move |cover: &Cover| {
        let terms = Small::terms(cover);
        let right = |x: &&u64| terms.iter().any(|term| term.has(**x as u32)) == value(**x);
        points.iter().filter(right).count() as f64 / points.len() as f64
    };
    (rows, accuracy)
}

fn mean_accuracy(inputs: usize, sample: usize, seeds: u64) -> f64 {
    let one = |seed| {
        let (rows, accuracy) = junta(inputs, 8, sample, seed);
        accuracy(&minimize_rows(&rows, &Options::default()).unwrap().cover)
    };
    (0..seeds).map(one).sum::<f64>() / seeds as f64
}

#[test]
fn completions_of_sampled_juntas_generalize() {
    assert!(mean_accuracy(12, 1000, 10) >= 0.96);
    assert!(mean_accuracy(15, 4000, 2) >= 0.999);
    assert!(mean_accuracy(20, 4000, 1) >= 0.999);
}

#[test]
fn many_rows_are_sampled_without_losing_the_function() {
    assert!((mean_accuracy(16, 1 << 16, 1) - 1.0).abs() < f64::EPSILON);
}

#[test]
fn wide_rows_with_repetitions() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut rows = Rows::new(300);
    for _ in 0..400 {
        let words: [u64; 5] = std::array::from_fn(|_| rng.random());
        let label = words[4] >> 43 & 1 == 1 || (words[0] & words[2] & 1) == 1;
        rows.push_bits(&words, label);
        rows.push_bits(&words, label);
    }
    let answer = minimize_rows(&rows, &Options::default()).unwrap();
    assert_eq!((answer.cover.terms(), answer.cover.literals()), (2, 3));
}
