//! A thousand inputs and ten thousand terms.

use super::build::{Circuit, Form, PAPER, Random, Term, compile};
use crate::check;
use std::time::Instant;

/// Not timed by an assertion; `cargo test --release big -- --nocapture` shows how long it takes.
#[test]
fn a_large_circuit() {
    let mut random = Random(11);
    let (inputs, terms) = if cfg!(debug_assertions) { (200, 500) } else { (1000, 10_000) };
    let stages = (0..20)
        .map(|_| {
            let terms: Vec<Term> = (0..terms / 20)
                .map(|_| {
                    let mut chosen: Vec<usize> = (0..8).map(|_| random.below(inputs)).collect();
                    chosen.sort_unstable();
                    chosen.dedup();
                    chosen.into_iter().map(|input| (input, random.below(2) == 0)).collect()
                })
                .collect();
            ((0..inputs).collect(), terms)
        })
        .collect();
    let circuit = Circuit { inputs, stages };
    let compiled = compile(&circuit, Form { prune: true, ..PAPER });
    let network = compiled.network();
    let certificate = compiled.certificate(&network);
    let begun = Instant::now();
    let verdict = check(certificate.as_bytes(), &network, None);
    println!("{} MB checked in {:?}", network.len() >> 20, begun.elapsed());
    assert!(verdict.is_accepted(), "{verdict}");
}
