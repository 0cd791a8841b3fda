//! Records `decides`, and what the gates of changed networks answer.

use crate::of_the_checker::build::{
    Circuit, Compiled, Form, Op, PAPER, Random, compile, cube, forms, g, shared, small, x,
};
use macchiato_replay::{DECIDES, Decided, Now, Unfound, check_decides, find_gates};

/// A record that the changed network decides as the certified one did.
fn record(changed: &Compiled, certified: &Compiled) -> String {
    let text = certified.certificate(&changed.network());
    text.replacen("macchiato-certificate 1\n", DECIDES, 1)
}

fn ask(changed: &Compiled, certified: &Compiled) -> Decided {
    check_decides(record(changed, certified).as_bytes(), &changed.network())
}

/// A little of everything that is not 0 is added to it.
fn shaken(compiled: &Compiled, random: &mut Random, most: f32) -> Compiled {
    let mut changed = compiled.clone();
    for layer in &mut changed.layers {
        for number in layer.rows.iter_mut().flatten().chain(&mut layer.biases) {
            if *number != 0.0 {
                *number += most * (random.below(2001) as f32 / 1000.0 - 1.0);
            }
        }
    }
    changed
}

/// Whether every output is above 1/2 where the circuit holds and nowhere else, added forwards and backwards.
fn decides(changed: &Compiled, circuit: &Circuit) -> bool {
    cube(circuit.inputs).all(|point| {
        [false, true].into_iter().all(|backwards| {
            let outputs = changed.at(&point, backwards);
            circuit.at(&point).into_iter().zip(outputs).all(|(value, output)| (value == 1) == (output > 0.5))
        })
    })
}

/// Outputs that are 0 or 1.
fn boolean(mut circuit: Circuit) -> Circuit {
    let sums: Vec<usize> = (0..circuit.gates.len()).filter(|&g| circuit.gates[g].0 == Op::Sum).collect();
    circuit.outputs.retain(|output| sums.iter().all(|&sum| output.from != g(sum).from));
    circuit
}

#[test]
fn shaken_networks_decide_as_before() {
    let mut random = Random(23);
    let mut circuits = vec![small(), boolean(shared())];
    circuits.extend((0..6).map(|_| boolean(random.circuit(5, 5))));
    for circuit in circuits.into_iter().filter(|circuit| !circuit.outputs.is_empty()) {
        for form in forms() {
            let certified = compile(&circuit, form);
            for most in [0.0, 0.0002] {
                let changed = shaken(&certified, &mut random, most);
                let file = changed.network();
                let tuned = find_gates(certified.certificate(b"").as_bytes(), &file).expect("gates");
                assert!(tuned.between.is_empty(), "{form:?}: {:?}", tuned.between);
                assert!(tuned.gates.iter().all(|now| *now == Now::Same), "{form:?}: {tuned:?}");
                let far = tuned.largest_difference;
                assert!(far < 0.5 && (most > 0.0 || far == 0.0), "{form:?}: {far}");
                let found = ask(&changed, &certified);
                assert!(matches!(found, Decided::Holds { .. }), "{form:?}: {found}");
                assert!(!found.to_string().contains("equal"));
                assert!(decides(&changed, &circuit), "{form:?}");
            }
        }
    }
}

/// Any change of one weight: the answer agrees with brute force, and few networks of few inputs are left open.
#[test]
fn one_changed_weight() {
    for circuit in [small(), boolean(shared())] {
        let certified = compile(&circuit, Form { literals: false, ..PAPER });
        let (mut holds, mut differs, mut open) = (0, 0, 0);
        for l in 0..certified.layers.len() {
            for n in 0..certified.layers[l].rows.len() {
                for w in 0..=certified.layers[l].rows[n].len() {
                    for value in [-1.0, -0.4, 0.0, 0.3, 0.6, 1.1, 3.0] {
                        let mut changed = certified.clone();
                        let layer = &mut changed.layers[l];
                        *layer.rows[n].get_mut(w).unwrap_or(&mut layer.biases[n]) = value;
                        match ask(&changed, &certified) {
                            Decided::Holds { .. } => {
                                assert!(decides(&changed, &circuit), "{l} {n} {w} {value}");
                                holds += 1;
                            }
                            Decided::Differs { point, which: (o, _), circuit: wanted, .. } => {
                                assert_eq!(circuit.at(&point)[o], i64::try_from(wanted).expect("small"));
                                assert_ne!(changed.at(&point, false)[o] > 0.5, wanted == 1);
                                differs += 1;
                            }
                            Decided::Undecided { .. } => open += 1,
                            Decided::Refused(refusal) => panic!("{refusal}"),
                        }
                    }
                }
            }
        }
        assert!(holds > 50 && differs > 50 && open < 10, "{holds} {differs} {open}");
    }
}

#[test]
fn a_record_speaks_of_one_file_and_is_no_certificate() {
    let certified = compile(&small(), PAPER);
    let (text, file) = (record(&certified, &certified), certified.network());
    assert_eq!(check_decides(text.as_bytes(), &file).exit_code(), 0);
    let other = shaken(&certified, &mut Random(1), 0.01).network();
    let found = check_decides(text.as_bytes(), &other).to_string();
    assert!(found.starts_with("rejected: network: the file's SHA-256 is"), "{found}");
    let certificate = certified.certificate(&file);
    assert_eq!(check_decides(certificate.as_bytes(), &file).exit_code(), 2);
    assert!(!macchiato_check::check(text.as_bytes(), &file).is_accepted());
    // A gate's rule that is not the network's.
    let lie = text.replacen(" or +", " and +", 1);
    assert_ne!(lie, text);
    assert_eq!(check_decides(lie.as_bytes(), &file).exit_code(), 1);
}

#[test]
fn a_zero_that_moved_is_named() {
    let certified = compile(&small(), Form { literals: false, ..PAPER });
    let mut changed = certified.clone();
    let zero = changed.layers[0].rows[0].iter().position(|weight| *weight == 0.0).expect("a zero");
    changed.layers[0].rows[0][zero] = 0.25;
    match find_gates(certified.certificate(b"").as_bytes(), &changed.network()) {
        Err(Unfound::Gate { gate: 0, why }) => {
            assert!(why.starts_with("the weight of neuron 1.0 on input 2 is 0.25"), "{why}");
        }
        found => panic!("{found:?}"),
    }
}

/// A gate whose answer lies at 1/2 is no gate, and says where.
#[test]
fn a_value_between_has_a_witness() {
    let circuit = Circuit { inputs: 2, gates: vec![(Op::And, vec![x(0), x(1)])], outputs: vec![g(0)] };
    let certified = compile(&circuit, Form { literals: false, narrow: true, ..PAPER });
    let mut changed = certified.clone();
    // Their sum is a little more than 1/2, or rounded to it.
    changed.layers[0].rows[0] = vec![0.3, 0.2];
    changed.layers[0].biases[0] = 0.0;
    let tuned = find_gates(certified.certificate(b"").as_bytes(), &changed.network()).expect("gates");
    let between = tuned.between.first().expect("a witness");
    assert_eq!((between.gate, between.point.as_deref()), (0, Some(&[true, true][..])));
    assert!(between.output.0 <= 0.5 && between.output.1 > 0.5, "{between:?}");
}
