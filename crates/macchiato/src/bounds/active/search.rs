//! The search itself: the points one after the other, the looks at the limits, and what follows from them.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{Outcome, Place, Question};
use crate::bits;
use crate::bounds::binomial::{self, Interval};
use crate::random::Stream;

/// Points before the first look.
const FIRST_LOOK: u64 = 8;

/// A point as words, input i in bit i.
pub(super) type Point = Vec<u64>;

/// Known labels, by point.
pub(super) type Memory = BTreeMap<Point, bool>;

/// How limits follow from differing pairs, pairs, and risk: exactly, but in tests of the tests.
pub(super) type Limits = fn(u64, u64, f64) -> Interval;

pub(super) struct Search {
    question: Question,
    random: ChaCha8Rng,
    /// The point whose neighbours are compared next.
    point: Point,
    points: u64,
    pairs: u64,
    differing: Vec<u64>,
    looks: u64,
    next_look: u64,
    places: Vec<Place>,
    intervals: Vec<Interval>,
    limits: Limits,
    census: bool,
}

pub(super) fn pack(x: &[bool]) -> Point {
    let mut point = vec![0; bits::words(x.len())];
    (0..x.len()).filter(|&input| x[input]).for_each(|input| bits::set(&mut point, input));
    point
}

pub(super) fn unpack(point: &[u64], inputs: usize) -> Vec<bool> {
    (0..inputs).map(|input| bits::get(point, input)).collect()
}

fn flipped(point: &[u64], input: usize) -> Point {
    let mut point = point.to_vec();
    point[input / 64] ^= 1 << (input % 64);
    point
}

impl Search {
    pub(super) fn new(question: &Question) -> Self {
        Self::with_limits(question, binomial::interval)
    }

    pub(super) fn with_limits(question: &Question, limits: Limits) -> Self {
        let random = Stream::Asking.of(question.seed);
        let inputs = question.inputs;
        let mut search = Self {
            question: question.clone(),
            random,
            point: Vec::new(),
            points: 0,
            pairs: 0,
            differing: vec![0; inputs],
            looks: 0,
            next_look: FIRST_LOOK,
            places: vec![Place::Open; inputs],
            intervals: vec![Interval { low: 0.0, high: 1.0 }; inputs],
            limits,
            census: false,
        };
        search.draw();
        search
    }

    fn draw(&mut self) {
        let inputs = self.question.inputs;
        self.point = (0..bits::words(inputs)).map(|_| self.random.next_u64()).collect();
        if let Some(last) = self.point.last_mut() {
            *last &= bits::last_mask(inputs);
        }
    }

    pub(super) fn bits(&self, point: &[u64]) -> Vec<bool> {
        unpack(point, self.question.inputs)
    }

    fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.places.len()).filter(|&input| self.places[input] == Place::Open)
    }

    /// The points that the next step compares.
    pub(super) fn wanted(&self) -> Vec<Point> {
        let neighbours = self.open().map(|input| flipped(&self.point, input));
        std::iter::once(self.point.clone()).chain(neighbours).collect()
    }

    /// Compares the next point with its neighbours, whose labels are known; whether every input has its place then.
    pub(super) fn step(&mut self, memory: &Memory) -> bool {
        let known = |point: &[u64]| memory.get(point).copied().unwrap_or_default();
        let label = known(&self.point);
        let open: Vec<usize> = self.open().collect();
        for input in open {
            self.pairs += 1;
            self.differing[input] += u64::from(known(&flipped(&self.point, input)) != label);
        }
        self.points += 1;
        if self.points == self.next_look {
            self.look();
        }
        self.draw();
        self.done(memory)
    }

    /// Passes over a point whose labels are not known; whether the next look is due, which may change what is wanted.
    pub(super) fn skip(&mut self) -> bool {
        self.points += 1;
        self.draw();
        self.points >= self.next_look
    }

    fn look(&mut self) {
        self.looks += 1;
        self.next_look = (self.points + 1).max(self.points * 5 / 4);
        let looks = self.looks as f64;
        let risk = self.question.risk * 6.0 / (PI * PI * looks * looks) / self.question.inputs as f64;
        let open: Vec<usize> = self.open().collect();
        for &input in &open {
            let now = (self.limits)(self.differing[input], self.points, risk);
            let before = &mut self.intervals[input];
            // All limits hold at once, so the narrowest do. Should they miss each other, one of them is wrong already, and the
            // risk covers what follows.
            *before = Interval { low: before.low.max(now.low), high: before.high.min(now.high) };
        }
        self.settle();
    }

    /// Gives every open input its place where the limits say it.
    fn settle(&mut self) {
        let Question { k, tau, smallest, .. } = self.question;
        let mut highs: Vec<f64> = self.intervals.iter().map(|interval| interval.high).collect();
        let mut lows: Vec<f64> = self.intervals.iter().map(|interval| interval.low).collect();
        highs.sort_by(f64::total_cmp);
        lows.sort_by(f64::total_cmp);
        let inputs = highs.len();
        for (place, &Interval { low, high }) in self.places.iter_mut().zip(&self.intervals) {
            if *place != Place::Open {
                continue;
            }
            // Its own upper limit reaches its lower one, and its own lower limit is not above its upper one.
            let reach = inputs - highs.partition_point(|&other| other < low) - usize::from(high >= low);
            let above = inputs - lows.partition_point(|&other| other <= high) - usize::from(low > high);
            if high <= tau || above >= k || smallest.is_some_and(|smallest| high < smallest) {
                *place = Place::Out;
            } else if low > tau && reach < k {
                *place = Place::In;
            }
        }
    }

    /// Whether every input has its place, if need be by counting.
    pub(super) fn done(&mut self, memory: &Memory) -> bool {
        if self.open().next().is_none() {
            return true;
        }
        let inputs = self.question.inputs;
        if inputs < usize::BITS as usize && memory.len() == 1 << inputs {
            self.count(memory);
            return true;
        }
        false
    }

    /// All points are known: the influences themselves, and the places of all inputs by them. Ties go to the smaller index, as
    /// in the algorithm.
    fn count(&mut self, memory: &Memory) {
        let edges = memory.len() as u64 / 2;
        let differing: Vec<u64> = (0..self.question.inputs)
            .map(|input| {
                let low = memory.iter().filter(|(point, _)| !bits::get(point, input));
                low.filter(|(point, label)| memory.get(&flipped(point, input)) != Some(label)).count() as u64
            })
            .collect();
        let mut order: Vec<usize> = (0..differing.len()).collect();
        order.sort_by_key(|&input| (std::cmp::Reverse(differing[input]), input));
        let influence = |input: usize| differing[input] as f64 / edges as f64;
        for (rank, &input) in order.iter().enumerate() {
            let value = influence(input);
            self.intervals[input] = Interval { low: value, high: value };
            let selected = rank < self.question.k && value > self.question.tau;
            self.places[input] = if selected { Place::In } else { Place::Out };
        }
        self.census = true;
    }

    pub(super) fn outcome(&self, memory: &Memory) -> Outcome {
        Outcome {
            places: self.places.clone(),
            intervals: self.intervals.clone(),
            labels: memory.len(),
            pairs: self.pairs,
            certified: self.places.iter().all(|&place| place != Place::Open),
            census: self.census,
        }
    }
}
