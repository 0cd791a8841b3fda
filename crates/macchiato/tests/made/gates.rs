//! Deep circuits from a seed, through the public interface: every rule, points, negations, shared gates, several outputs, sums.

use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule, Source};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Circuits of a default run, and of one with `MACCHIATO_FULL=1`.
const SOME: u64 = 24;
const ALL: u64 = 300;

/// The deep circuits of this run.
pub(crate) fn all() -> impl Iterator<Item = (String, Circuit)> {
    let full = std::env::var_os("MACCHIATO_FULL").is_some();
    (0..if full { ALL } else { SOME }).map(|seed| (format!("deep{seed}"), deep(seed)))
}

/// Up to 9 inputs, now and then 14; up to 60 gates, now and then 200 in a chain of 30 levels and more. The first output is Boolean.
pub(crate) fn deep(seed: u64) -> Circuit {
    let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
    let inputs = if seed % 25 == 7 { 14 } else { rng.random_range(2..=9usize) };
    over(inputs, seed, &mut rng)
}

/// A circuit over so many inputs.
pub(crate) fn over(inputs: usize, seed: u64, rng: &mut ChaCha8Rng) -> Circuit {
    let size = if seed % 10 == 3 { 200 } else { rng.random_range(1..=60usize) };
    let mut gates: Vec<Gate> = Vec::new();
    for _ in 0..size {
        let gate = gate(rng, inputs, gates.len());
        gates.push(gate);
    }
    let booleans = gates.len();
    let mut outputs = Vec::new();
    for o in 0..rng.random_range(1..=4) {
        let literal = if o > 0 && rng.random_bool(0.3) {
            let mut literals = literals(rng, inputs, booleans, 9);
            // So that it takes two bits and more.
            literals.push(Literal::input(0).times(2));
            gates.push(Gate::new(Rule::Sum, literals));
            Literal::gate(gates.len() - 1)
        } else {
            // Mostly what is deepest.
            let at = if rng.random_bool(0.8) {
                booleans - 1 - o.min(booleans - 1)
            } else {
                rng.random_range(0..booleans)
            };
            Literal::gate(at).signed(rng.random_bool(0.7))
        };
        outputs.push(Output::new(format!("y{o}"), literal));
    }
    let names = (0..inputs).map(|i| format!("x{i}")).collect();
    Circuit::new(names, gates, outputs).expect("it is valid by construction")
}

fn gate(rng: &mut ChaCha8Rng, inputs: usize, before: usize) -> Gate {
    let kind = rng.random_range(0..6);
    let heaviest = if kind == 2 { 1 } else { [1, 1, 5, 1000][rng.random_range(0..4)] };
    let literals = literals(rng, inputs, before, heaviest);
    let most: u64 = literals.iter().map(|literal| u64::from(literal.weight)).sum();
    let rule = match kind {
        0 => Rule::And,
        1 => Rule::Or,
        2 => Rule::Xor,
        // Near the middle, where counts are least constant; now and then anywhere, even out of reach.
        3 | 4 if rng.random_bool(0.9) => Rule::AtLeast(most.div_ceil(2)),
        3 | 4 => Rule::AtLeast(rng.random_range(0..=most + 1)),
        _ => Rule::Counts(ranges(rng, most)),
    };
    Gate::new(rule, literals)
}

/// Inputs and, mostly, the latest gates, so that the circuit grows deep.
fn literals(rng: &mut ChaCha8Rng, inputs: usize, before: usize, heaviest: u32) -> Vec<Literal> {
    let many = rng.random_range(1..=6usize);
    let literal = |_: usize| {
        let source = if before > 0 && rng.random_bool(0.7) {
            let back = if rng.random_bool(0.8) {
                rng.random_range(0..before.min(6))
            } else {
                rng.random_range(0..before)
            };
            Source::Gate(before - 1 - back)
        } else {
            Source::Input(rng.random_range(0..inputs))
        };
        Literal { source, positive: rng.random_bool(0.6), weight: rng.random_range(1..=heaviest) }
    };
    (0..many).map(literal).collect()
}

fn ranges(rng: &mut ChaCha8Rng, most: u64) -> Vec<(u64, u64)> {
    let (mut ranges, mut from) = (Vec::new(), rng.random_range(0..=most / 2));
    while from <= most && ranges.len() < 5 {
        let to = from + rng.random_range(0..=most / 4);
        ranges.push((from, to));
        from = to + 2 + rng.random_range(0..=most / 4);
    }
    ranges
}

/// The gates that some output needs, and the most of them on a way to one.
fn needed(circuit: &Circuit) -> (usize, usize) {
    let mut levels = vec![0usize; circuit.gates().len()];
    let read = |literal: &Literal, level: usize, levels: &mut Vec<usize>| {
        if let Source::Gate(gate) = literal.source {
            levels[gate] = levels[gate].max(level);
        }
    };
    circuit.outputs().iter().for_each(|output| read(&output.literal, 1, &mut levels));
    for (g, gate) in circuit.gates().iter().enumerate().rev() {
        if levels[g] > 0 {
            let next = levels[g] + 1;
            gate.literals.iter().for_each(|literal| read(literal, next, &mut levels));
        }
    }
    (levels.iter().filter(|&&level| level > 0).count(), levels.into_iter().max().unwrap_or(0))
}

/// The generator reaches what its head promises, so that the exports are asked about it.
#[test]
fn deep_circuits_are_deep_and_of_every_kind() {
    let circuits: Vec<Circuit> = (0..SOME).map(deep).collect();
    let deep = circuits.iter().filter(|circuit| {
        let (needed, depth) = needed(circuit);
        needed >= 150 && depth >= 30
    });
    assert!(deep.count() >= 3);
    assert!(circuits.iter().any(|circuit| circuit.inputs().len() == 14));
    assert!(circuits.iter().any(|circuit| (0..circuit.outputs().len()).any(|o| circuit.most(o) > 1)));
    let varies = |circuit: &&Circuit| {
        let points = 1usize << circuit.inputs().len();
        let at =
            |x: usize| circuit.at(&(0..circuit.inputs().len()).map(|i| x >> i & 1 == 1).collect::<Vec<_>>());
        (1..points).any(|x| at(x) != at(0))
    };
    let varied = circuits.iter().filter(varies).count();
    assert!(varied * 4 >= circuits.len() * 3, "{varied} of {} are not constant", circuits.len());
}
