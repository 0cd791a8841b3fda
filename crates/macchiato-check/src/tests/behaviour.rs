//! Networks with other weights than the certified ones.

use super::build::{Circuit, Form, PAPER, Random, compile, cube, forms, small};
use crate::{Behaviour, check_behaviour};

fn ask(compiled: &super::build::Compiled, certificate: &super::build::Compiled) -> Behaviour {
    // The certificate names another file: that must not matter.
    check_behaviour(certificate.certificate(b"").as_bytes(), &compiled.network())
}

#[test]
fn compiled_networks_are_equal_both_ways() {
    let mut random = Random(8);
    for _ in 0..4 {
        let circuit = random.circuit(5, 5);
        // The same circuit over more inputs than can be tried one by one.
        let wide = Circuit { inputs: 40, ..circuit.clone() };
        for form in forms() {
            let compiled = compile(&circuit, form);
            assert_eq!(ask(&compiled, &compiled), Behaviour::Equal { how: "every point was evaluated" });
            let compiled = compile(&wide, form);
            let found = ask(&compiled, &compiled);
            assert!(
                matches!(found, Behaviour::Equal { how } if how.starts_with("gate by gate")),
                "{form:?}: {found}"
            );
        }
    }
}

/// Any change of one weight: the answer agrees with brute force in float64.
#[test]
fn one_changed_weight() {
    for inputs in [3, 40] {
        let circuit = Circuit { inputs, ..small() };
        let certified = compile(&circuit, Form { prune: true, ..PAPER });
        let (mut equal, mut differs) = (0, 0);
        for l in 0..certified.layers.len() {
            for n in 0..certified.layers[l].rows.len() {
                for w in 0..=certified.layers[l].rows[n].len() {
                    for value in [-1.0, 0.0, 0.5, 1.0, 3.0] {
                        let mut changed = certified.clone();
                        let layer = &mut changed.layers[l];
                        *layer.rows[n].get_mut(w).unwrap_or(&mut layer.biases[n]) = value;
                        let right = cube(3).all(|mut x| {
                            x.resize(inputs, false);
                            changed.at(&x, false).to_bits() << 1
                                == f32::from(u8::from(circuit.at(&x))).to_bits() << 1
                        });
                        match ask(&changed, &certified) {
                            Behaviour::Equal { .. } => {
                                assert!(right, "{l} {n} {w} {value}");
                                equal += 1;
                            }
                            Behaviour::Differs { point, circuit: value, .. } => {
                                assert_eq!(circuit.at(&point), value);
                                assert_ne!(
                                    changed.at(&point, false).to_bits(),
                                    f32::from(u8::from(value)).to_bits()
                                );
                                differs += 1;
                            }
                            Behaviour::Undecided { .. } => assert_eq!(inputs, 40),
                            Behaviour::Refused(verdict) => panic!("{verdict}"),
                        }
                    }
                }
            }
        }
        assert!(equal > 20 && differs > 20, "{equal} {differs}");
    }
}

#[test]
fn a_rescaled_gate_is_still_equal() {
    for inputs in [3, 40] {
        let certified = compile(&Circuit { inputs, ..small() }, Form { narrow: true, ..PAPER });
        let mut changed = certified.clone();
        // The first term twice as large, and read half as strongly.
        changed.layers[1].rows[0].iter_mut().for_each(|weight| *weight *= 2.0);
        changed.layers[1].biases[0] *= 2.0;
        changed.layers[2].rows.iter_mut().for_each(|row| row[0] *= 0.5);
        assert!(matches!(ask(&changed, &certified), Behaviour::Equal { .. }));
    }
}

#[test]
fn a_little_noise_keeps_the_decisions() {
    let certified = compile(&small(), PAPER);
    let mut noisy = certified.clone();
    let mut random = Random(5);
    for layer in &mut noisy.layers {
        for weight in layer.rows.iter_mut().flatten().chain(&mut layer.biases) {
            *weight += (random.below(2001) as f32 - 1000.0) * 1e-6;
        }
    }
    let found = ask(&noisy, &certified);
    assert!(matches!(found, Behaviour::Differs { same_decisions: Some(true), .. }), "{found}");
    assert_eq!(found.exit_code(), 1);
    let mut negated = certified.clone();
    negated.layers[4].biases[0] = 1.0;
    negated.layers[4].rows[0].iter_mut().for_each(|weight| *weight = -*weight);
    let found = ask(&negated, &certified);
    assert!(matches!(found, Behaviour::Differs { same_decisions: Some(false), .. }), "{found}");
    assert!(
        found.to_string().starts_with("rejected: input 000: the network gives 1, the circuit 0\n"),
        "{found}"
    );
}

/// An AND of all inputs, whose weights a test then spoils.
fn conjunction(inputs: usize) -> super::build::Compiled {
    let term = (0..inputs).map(|i| (i, false)).collect();
    compile(&Circuit { inputs, stages: vec![((0..inputs).collect(), vec![term])] }, PAPER)
}

/// Right in exact arithmetic, wrong where it runs: a literal that nothing needs is the constant 2^24, which each neuron
/// of the AND adds and takes off again.
#[test]
fn what_float32_rounds_is_not_accepted() {
    let large = f32::from(1u16 << 12) * f32::from(1u16 << 12);
    let certified = conjunction(2);
    let mut sly = certified.clone();
    let unused = 1;
    sly.layers[0].rows[unused].fill(0.0);
    sly.layers[0].biases[unused] = large;
    for n in 0..2 {
        sly.layers[1].rows[n][unused] = 1.0;
        sly.layers[1].biases[n] -= large;
    }
    let wrong = cube(2).filter(|x| sly.at(x, false).to_bits() << 1 != certified.at(x, false).to_bits() << 1);
    assert!(wrong.count() > 0, "float32 gives other values in some order");
    let found = ask(&sly, &certified);
    assert_eq!(found.exit_code(), 3, "{found}");
    assert!(found.to_string().starts_with("undecided: float32 may round some sums"), "{found}");
}

/// The same within the gates: each literal carries 2^23, which their sum cannot hold beside the count.
#[test]
fn what_float32_rounds_is_not_accepted_gate_by_gate() {
    let large = f32::from(1u16 << 12) * f32::from(1u16 << 11);
    let certified = conjunction(22);
    let mut sly = certified.clone();
    for literal in (0..44).step_by(2) {
        sly.layers[0].biases[literal] += large;
    }
    for n in 0..2 {
        sly.layers[1].biases[n] -= 22.0 * large;
    }
    let found = ask(&sly, &certified);
    assert_eq!(found.exit_code(), 3, "{found}");
    assert!(found.to_string().starts_with("undecided: gate 45: float32 may round its sums"), "{found}");
}

/// Decisions are called the same only where they are in every order of summation.
#[test]
fn decisions_that_float32_may_turn_are_open() {
    let certified = conjunction(2);
    let mut noisy = certified.clone();
    // The output is 0.9 or -0.1, plus what a large term and its opposite leave behind.
    let large = 1e9;
    noisy.layers[0].biases[1] = large;
    noisy.layers[0].rows[1].fill(0.0);
    noisy.layers[0].biases[3] = large;
    noisy.layers[0].rows[3].fill(0.0);
    for n in 0..2 {
        noisy.layers[1].rows[n][1] = 1.0;
        noisy.layers[1].rows[n][3] = -1.0;
    }
    noisy.layers[4].biases[0] = -0.1;
    let found = ask(&noisy, &certified);
    assert!(matches!(found, Behaviour::Undecided { .. }), "{found}");
}

/// What may overflow may be anything, also where its weight is 0: 0 times infinity is not a number.
#[test]
fn what_may_overflow_is_not_accepted() {
    let certified = conjunction(2);
    let mut sly = certified.clone();
    sly.layers[0].rows[1].fill(3e38);
    sly.layers[0].biases[1] = 3e38;
    assert_eq!(ask(&sly, &certified).exit_code(), 3);
}

#[test]
fn undecided_and_refused() {
    // A weight outside the gates that matters where all of 38 literals are 1, which no probe meets.
    let stage = ((0..38).collect(), vec![(0..38).map(|i| (i, i % 2 == 0)).collect()]);
    let certified = compile(&Circuit { inputs: 40, stages: vec![stage] }, PAPER);
    let mut sly = certified.clone();
    sly.layers[1].rows[0][78] = 0.5;
    let found = ask(&sly, &certified);
    assert_eq!(found.exit_code(), 3, "{found}");
    assert!(found.to_string().starts_with("undecided: gate 81: its neurons read others"), "{found}");
    let mut broken = certified.clone();
    broken.layers[1].rows[0][0] = f32::NAN;
    assert_eq!(ask(&broken, &certified).exit_code(), 1);
    assert_eq!(check_behaviour(b"", b"").exit_code(), 2);
    assert_eq!(check_behaviour(certified.certificate(b"").as_bytes(), b"").exit_code(), 1);
}
