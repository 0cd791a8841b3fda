//! Networks with other weights than the certified ones.

use crate::of_the_checker::build::{
    Circuit, Compiled, Form, Op, PAPER, Random, compile, cube, forms, g, shared, small, x,
};
use macchiato_replay::{Behaviour, check_behaviour};

fn ask(changed: &Compiled, certified: &Compiled) -> Behaviour {
    // The certificate names another file: that must not matter.
    check_behaviour(certified.certificate(b"").as_bytes(), &changed.network())
}

/// The circuit over more inputs than can be tried one by one.
fn wide(circuit: &Circuit) -> Circuit {
    Circuit { inputs: 40, ..circuit.clone() }
}

/// Whether the network gives the circuit's values on the points that differ in the first three inputs.
fn is_right(changed: &Compiled, circuit: &Circuit) -> bool {
    cube(3).all(|mut point| {
        point.resize(circuit.inputs, false);
        let wanted = circuit.at(&point).into_iter().map(|value| (value as f32).to_bits());
        changed.at(&point, false).into_iter().map(f32::to_bits).eq(wanted)
    })
}

#[test]
fn compiled_networks_are_equal_both_ways() {
    let mut random = Random(8);
    let mut circuits = vec![small(), shared()];
    circuits.extend((0..6).map(|_| random.circuit(5, 5)));
    for circuit in circuits {
        for form in forms() {
            let compiled = compile(&circuit, form);
            assert_eq!(ask(&compiled, &compiled), Behaviour::Equal { how: "every point was evaluated" });
            let compiled = compile(&wide(&circuit), form);
            let found = ask(&compiled, &compiled);
            assert!(
                matches!(found, Behaviour::Equal { how } if how.starts_with("gate by gate")),
                "{form:?}: {found}"
            );
        }
    }
}

/// Any change of one weight: the answer agrees with brute force.
#[test]
fn one_changed_weight() {
    for circuit in [small(), wide(&small()), shared()] {
        let certified = compile(&circuit, Form { literals: false, ..PAPER });
        let (mut equal, mut differs) = (0, 0);
        for l in 0..certified.layers.len() {
            for n in 0..certified.layers[l].rows.len() {
                for w in 0..=certified.layers[l].rows[n].len() {
                    for value in [-1.0, 0.0, 0.5, 1.0, 3.0] {
                        let mut changed = certified.clone();
                        let layer = &mut changed.layers[l];
                        *layer.rows[n].get_mut(w).unwrap_or(&mut layer.biases[n]) = value;
                        match ask(&changed, &certified) {
                            Behaviour::Equal { .. } => {
                                assert!(is_right(&changed, &circuit), "{l} {n} {w} {value}");
                                equal += 1;
                            }
                            Behaviour::Differs { point, which, circuit: value, .. } => {
                                let o = which.map_or(0, |(number, _)| number);
                                assert_eq!(circuit.at(&point)[o], i64::try_from(value).expect("small"));
                                assert_ne!(changed.at(&point, false)[o].to_bits(), (value as f32).to_bits());
                                differs += 1;
                            }
                            Behaviour::Undecided { .. } => assert_eq!(circuit.inputs, 40),
                            Behaviour::Refused(refusal) => panic!("{refusal}"),
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
    for circuit in [small(), wide(&small())] {
        let certified = compile(&circuit, Form { narrow: true, ..PAPER });
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

/// Right in exact arithmetic, wrong where it runs: a neuron that nothing needs holds 2^24, which the AND adds and takes off again.
#[test]
fn what_float32_rounds_is_not_accepted() {
    for inputs in [3, 40] {
        let gates = vec![(Op::And, vec![x(0), x(1), x(2)]), (Op::Or, vec![x(0)]), (Op::Or, vec![g(0)])];
        let circuit = Circuit { inputs, gates, outputs: vec![g(2)] };
        let certified = compile(&circuit, Form { literals: false, narrow: true, ..PAPER });
        let mut changed = certified.clone();
        let unused = certified.gates[1].neurons[0][0];
        let unused = usize::try_from(unused).expect("a place");
        changed.layers[0].rows[unused].fill(0.0);
        changed.layers[0].biases[unused] = 16_777_216.0;
        for n in 0..changed.layers[1].rows.len() {
            changed.layers[1].rows[n][unused] = 1.0;
            changed.layers[1].biases[n] -= 16_777_216.0;
        }
        let found = ask(&changed, &certified);
        assert!(!matches!(found, Behaviour::Equal { .. }), "{inputs}: {found}");
    }
}

/// Each output is asked for, and the one that differs is named.
#[test]
fn behaviour_speaks_of_all_outputs() {
    for circuit in [shared(), wide(&shared())] {
        let certified = compile(&circuit, Form { deep: true, linear: true, ..PAPER });
        for o in 0..circuit.outputs.len() {
            let mut changed = certified.clone();
            changed.layers.last_mut().expect("a layer").biases[o] += 1.0;
            let found = ask(&changed, &certified);
            let Behaviour::Differs { which: Some((number, name)), .. } = &found else {
                panic!("{o}: {found}")
            };
            assert_eq!((*number, name.as_str()), (o, format!("y{}", o + 1).as_str()));
        }
    }
}

#[test]
fn other_layers_are_refused() {
    let certified = compile(&small(), PAPER);
    let other = compile(&small(), Form { literals: false, ..PAPER });
    let found = ask(&other, &certified);
    assert_eq!(found.exit_code(), 1, "{found}");
    assert!(
        found.to_string().starts_with("rejected: network: the file has 4 layers, the certificate 5"),
        "{found}"
    );
    assert_eq!(check_behaviour(b"", b"").exit_code(), 2);
}

/// A signal that a gate counts twice is the same signal: half of its weight is not all of it.
#[test]
fn a_literal_that_is_read_twice() {
    let gates = vec![(Op::Least(2), vec![x(0), x(0), x(1)])];
    let circuit = Circuit { inputs: 40, gates, outputs: vec![g(0)] };
    let certified = compile(&circuit, Form { literals: false, ..PAPER });
    assert!(matches!(ask(&certified, &certified), Behaviour::Equal { .. }));
    let mut changed = certified.clone();
    changed.layers[0].rows.iter_mut().for_each(|row| row[0] = 1.0);
    assert!(!is_right(&changed, &circuit));
    let found = ask(&changed, &certified);
    assert!(!matches!(found, Behaviour::Equal { .. }), "{found}");
}

/// The certificate is not checked against its own file here, so its places may lie: then nothing is shown.
#[test]
fn places_that_lie() {
    // The output is claimed to be the relay of input 0, one layer too early; the file gives input 1.
    let mut compiled = Compiled::new(40);
    compiled.push("relay", &[x(0)], 1, 0, &[[1, 0, 1]]);
    compiled.push("relay", &[x(1)], 1, 0, &[[1, 0, 1]]);
    compiled.push("relay", &[g(1)], 2, 0, &[[1, 0, 1]]);
    compiled.output(2, 1);
    compiled.derive();
    assert!(matches!(ask(&compiled, &compiled), Behaviour::Equal { .. }));
    let mut lie = compiled.clone();
    lie.outputs[0].1 = 0;
    let found = ask(&compiled, &lie);
    assert!(!matches!(found, Behaviour::Equal { .. }), "{found}");
    // Two gates with one neuron: each is right alone, but the file has one of them.
    let mut lie = compiled.clone();
    lie.gates[0].neurons[0][0] = 1;
    lie.gates[0].reads = vec![x(1)];
    lie.gates[2].rule = "and".to_owned();
    lie.gates[2].reads = vec![g(0), g(1)];
    lie.gates[2].neurons[0][2] = -1;
    let found = ask(&compiled, &lie);
    assert!(!matches!(found, Behaviour::Equal { .. }), "{found}");
}
