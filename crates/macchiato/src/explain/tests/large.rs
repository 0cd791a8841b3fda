//! Circuits of many inputs, whose points cannot be listed.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Stages of random terms over random inputs.
fn random(
    inputs: usize,
    stages: usize,
    terms: usize,
    (width, literals): (usize, usize),
    seed: u64,
) -> Circuit {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
    let stages = (0..stages).map(|_| {
        let mut chosen: Vec<usize> = (0..inputs).collect();
        while chosen.len() > width {
            chosen.remove(below(chosen.len()));
        }
        let mut cover = Cover::new(Shape::new(width, 1));
        for _ in 0..terms {
            let mut term = vec![Literal::Free; width];
            for _ in 0..literals {
                term[below(width)] = if below(2) == 0 { Literal::Positive } else { Literal::Negative };
            }
            cover.push(&term, &[true]);
        }
        Stage { inputs: chosen, cover }
    });
    let stages = stages.collect();
    Circuit { inputs: (1..=inputs).map(|i| format!("x{i}")).collect(), target: "y".to_owned(), stages }
}
