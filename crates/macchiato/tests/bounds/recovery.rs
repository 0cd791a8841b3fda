//! Influence recovery and occupancy.

use crate::{holds_and_half_is_caught, holds_tightly_and_half_is_caught};
use macchiato::bounds::recovery::{Class, occupancy, pairs_needed, pairs_to_see};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Counts of ones at 64 positions, a bit of each count a word: adding a word costs two operations on average.
#[derive(Clone, Default)]
struct Counters {
    planes: [u64; 14],
    added: u64,
}

impl Counters {
    fn add(&mut self, word: u64) {
        self.added += 1;
        let mut carry = word;
        for plane in &mut self.planes {
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
            if carry == 0 {
                return;
            }
        }
    }

    fn share(&self, position: usize) -> f64 {
        let bits = self.planes.iter().enumerate().map(|(plane, word)| (word >> position & 1) << plane);
        bits.sum::<u64>() as f64 / self.added.max(1) as f64
    }
}

/// `thm:simultaneous-influence-recovery`: 200 random functions of 10 inputs.
#[test]
fn influences_of_a_finite_class() {
    const INPUTS: usize = 10;
    const WORDS: usize = 4;
    const FUNCTIONS: usize = 200;
    let mut random = ChaCha8Rng::seed_from_u64(2026);
    // The values of 50 functions at each point, for each of four words.
    let values: Vec<[u64; WORDS]> =
        (0..1 << INPUTS).map(|_| std::array::from_fn(|_| random.random::<u64>() >> 14)).collect();
    let derivative = |point: usize, input: usize| -> [u64; WORDS] {
        std::array::from_fn(|word| values[point][word] ^ values[point ^ 1 << input][word])
    };
    let mut influences = vec![[[0f64; FUNCTIONS / WORDS]; WORDS]; INPUTS];
    for (input, influences) in influences.iter_mut().enumerate() {
        for (word, influences) in influences.iter_mut().enumerate() {
            let mut counters = Counters::default();
            (0..1 << INPUTS).for_each(|point| counters.add(derivative(point, input)[word]));
            influences.iter_mut().enumerate().for_each(|(at, influence)| *influence = counters.share(at));
        }
    }
    let (epsilon, delta) = (0.2, 0.1);
    let class = Class::finite(INPUTS as u64, (FUNCTIONS as f64).ln()).unwrap();
    let fails = |random: &mut ChaCha8Rng, pairs: u64| {
        let mut counters = vec![<[Counters; WORDS]>::default(); INPUTS];
        for _ in 0..pairs {
            let (point, input) = (random.random_range(0..1 << INPUTS), random.random_range(0..INPUTS));
            let words = derivative(point, input);
            counters[input].iter_mut().zip(words).for_each(|(counters, word)| counters.add(word));
        }
        counters.iter().zip(&influences).any(|(counters, influences)| {
            let words = counters.iter().zip(influences);
            let deviates = |(counters, influences): (&Counters, &[f64; FUNCTIONS / WORDS])| {
                (0..FUNCTIONS / WORDS).any(|at| (counters.share(at) - influences[at]).abs() > epsilon)
            };
            words.into_iter().any(deviates)
        })
    };
    let needed = pairs_needed(&class, epsilon, delta).unwrap();
    holds_and_half_is_caught(delta, needed.averaged, fails);
    holds_and_half_is_caught(delta, needed.best_split, fails);
}

/// `thm:junta-influence-recovery` by derivatives: for S = 2 those are 0, 1 and the other inputs and their complements (`x_j` is that of
/// `x_i AND x_j`), so that the greatest deviation over all 2-juntas is the greatest of a mean of `x_j` from 1/2.
#[test]
fn influences_of_juntas() {
    const INPUTS: usize = 20;
    let (epsilon, delta) = (0.2, 0.1);
    let needed = pairs_needed(&Class::junta_derivatives(INPUTS as u64, 2).unwrap(), epsilon, delta).unwrap();
    holds_and_half_is_caught(delta, needed.averaged, |random, pairs| {
        let mut counters = vec![Counters::default(); INPUTS];
        for _ in 0..pairs {
            let input = random.random_range(0..INPUTS);
            counters[input].add(random.random());
        }
        let deviates = |counters: &Counters, j: usize| (counters.share(j) - 0.5).abs() > epsilon;
        (0..INPUTS).any(|i| (0..INPUTS).any(|j| i != j && deviates(&counters[i], j)))
    });
}

/// `lem:uniform-occupancy` with the exact tail; Chernoff's number leaves a margin.
#[test]
fn every_input_gets_its_pairs() {
    let (inputs, per_input, delta) = (20usize, 50u64, 0.05);
    let fails = |random: &mut ChaCha8Rng, draws: u64| {
        let mut counts = vec![0; inputs];
        (0..draws).for_each(|_| counts[random.random_range(0..inputs)] += 1);
        counts.iter().any(|&count| count < per_input)
    };
    let draws = occupancy(inputs as u64, per_input, delta).unwrap();
    holds_tightly_and_half_is_caught(delta, draws.exact, fails);
    holds_and_half_is_caught(delta, draws.chernoff, fails);
}

/// Every relevant input shows a pair that differs: the parity of three ANDs of two, each input with influence 1/2 on its own.
#[test]
fn every_relevant_input_is_seen() {
    let (inputs, delta) = (30u64, 0.1);
    let pairs = pairs_to_see(inputs, 6, 0.5, 1, delta).unwrap();
    holds_tightly_and_half_is_caught(delta, pairs, |random, pairs| {
        let mut seen = 0u64;
        for _ in 0..pairs {
            let (point, input) = (random.random::<u64>(), random.random_range(0..inputs));
            // Flipping an input changes its AND, and so the parity, where the other input of the AND is 1.
            if input < 6 && point >> (input ^ 1) & 1 == 1 {
                seen |= 1 << input;
            }
        }
        seen != 0b11_1111
    });
}
