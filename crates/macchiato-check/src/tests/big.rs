//! A thousand inputs and ten thousand terms, and a chain of five hundred gates.

use super::build::{Circuit, Form, Op, PAPER, Random, Read, compile, g, x};
use super::cases::check;
use std::time::Instant;

/// Not timed by an assertion; `cargo test --release big -- --nocapture` shows how long it takes.
fn accepted(circuit: &Circuit) {
    let compiled = compile(circuit, Form { literals: false, ..PAPER });
    let network = compiled.network();
    let certificate = compiled.certificate(&network);
    let begun = Instant::now();
    let verdict = check(certificate.as_bytes(), &network);
    println!("{} MB checked in {:?}", network.len() >> 20, begun.elapsed());
    assert!(verdict.is_accepted(), "{verdict}");
}

#[test]
fn a_wide_circuit() {
    let mut random = Random(11);
    let (inputs, terms) = if cfg!(debug_assertions) { (200, 500) } else { (1000, 10_000) };
    let mut gates: Vec<(Op, Vec<Read>)> = Vec::new();
    for _ in 0..terms {
        let mut chosen: Vec<usize> = (0..8).map(|_| random.below(inputs)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let literal = |&input: &usize| Read { positive: random.below(2) == 0, ..x(input) };
        gates.push((Op::And, chosen.iter().map(literal).collect()));
    }
    gates.extend((0..20).map(|t| (Op::Or, (t * terms / 20..(t + 1) * terms / 20).map(g).collect())));
    gates.push((Op::Xor, (terms..terms + 20).map(g).collect()));
    accepted(&Circuit { inputs, gates, outputs: vec![g(terms + 20)] });
}

/// Each gate reads the one before and an input, which is relayed to it.
#[test]
fn a_deep_circuit() {
    let depth = 500;
    let mut gates = vec![(Op::Xor, vec![x(0), x(1)])];
    for at in 1..depth {
        let op = [Op::And, Op::Or, Op::Xor][at % 3].clone();
        gates.push((op, vec![g(at - 1), !x(at % 40)]));
    }
    accepted(&Circuit { inputs: 40, gates, outputs: vec![g(depth - 1)] });
}
