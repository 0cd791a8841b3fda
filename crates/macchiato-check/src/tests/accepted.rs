//! What is true is accepted: all gates, both formats, random circuits of any depth.

use super::build::{Form, PAPER, Random, Xor, compile, cube, forms, shared, small};
use super::verdict;
use crate::{Certificate, Circuit, Verdict};

#[test]
fn every_form_of_every_gate() {
    let mut random = Random(4);
    let mut circuits = vec![small(), shared()];
    circuits.extend((0..40).map(|_| random.circuit(6, 8)));
    for (round, circuit) in circuits.iter().enumerate() {
        for form in forms() {
            let compiled = compile(circuit, form);
            let found = verdict(&compiled);
            assert!(found.is_accepted(), "round {round}, {form:?}: {found}\n{circuit:?}");
            let read = Certificate::read(compiled.certificate(b"").as_bytes()).expect("it was accepted");
            let read = Circuit::of(&read).expect("it was accepted");
            for x in cube(circuit.inputs) {
                let wanted = circuit.at(&x);
                assert!(read.at(|input| x[input]).into_iter().eq(wanted.iter().map(|&v| v as u64)));
                for backwards in [false, true] {
                    let found = compiled.at(&x, backwards);
                    assert!(
                        found.iter().map(|f| f.to_bits()).eq(wanted.iter().map(|&v| (v as f32).to_bits()))
                    );
                }
            }
        }
    }
}

/// The circuit that is read is the one that was compiled, without relays and helpers.
#[test]
fn relays_and_helpers_are_put_together() {
    for form in forms() {
        let text = compile(&shared(), form).certificate(b"");
        let circuit =
            Circuit::of(&Certificate::read(text.as_bytes()).expect("it is one")).expect("it has one");
        let read: Vec<usize> = circuit.gates.iter().map(|gate| gate.operands.len()).collect();
        let wanted: Vec<usize> = shared().gates.iter().map(|(_, reads)| reads.len()).collect();
        assert_eq!(read, wanted, "{form:?}");
    }
}

#[test]
fn the_summary_says_what_was_established() {
    let Verdict::Accepted(summary) = verdict(&compile(&small(), PAPER)) else { panic!("accepted") };
    assert_eq!((summary.inputs, summary.gates), (3, 6));
    assert_eq!(summary.outputs, [("y1".to_owned(), 1)]);
    assert_eq!(summary.widths, [6, 6, 4, 2, 1], "the paper's (2B, 2P, 2M, M, 1)");
    assert_eq!(summary.weights, 18 + 6 + 36 + 6 + 24 + 4 + 8 + 2 + 2 + 1);
    let text = Verdict::Accepted(summary).to_string();
    assert!(text.starts_with("accepted\n") && text.contains("2^3"), "{text}");
}

#[test]
fn zeros_may_be_negative() {
    let mut compiled = compile(&small(), PAPER);
    compiled.layers[1].rows[0][4] = -0.0;
    compiled.layers[0].biases[0] = -0.0;
    assert!(verdict(&compiled).is_accepted());
}

#[test]
fn names_may_be_anything_that_json_can_say() {
    let mut compiled = compile(&small(), PAPER);
    compiled.edit("\"x1\"", r#""age > 41, \"or so\" \\ \u001f\n\t""#);
    compiled.edit("\"x2\"", "\"\u{1f600} \u{e9}\"");
    compiled.edit("\"y1\"", "\"\"");
    assert!(verdict(&compiled).is_accepted());
}

/// Slopes, offsets and bases other than the compiler's are as good if they answer right.
#[test]
fn other_banks_are_accepted() {
    let mut compiled = compile(&small(), Form { literals: false, ..PAPER });
    // not (3 - 3 c, cut off at 0): 0 where the count is 0, and 1 from 1 on, three times.
    let or = compiled.gates.iter().position(|gate| gate.rule == "or").expect("an or");
    compiled.gates[or].base = 1;
    let places = [compiled.gates[or].neurons[0][0], compiled.gates[or].neurons[1][0]];
    compiled.gates[or].neurons = vec![[places[0], -1, 1, -1], [places[1], 0, 5, 0]];
    compiled.derive();
    assert!(verdict(&compiled).is_accepted());
}

#[test]
fn a_sum_reads_what_it_wants_and_ends_as_an_output() {
    for xor in [Xor::Flat, Xor::Triangle] {
        let compiled = compile(&shared(), Form { xor, linear: true, ..PAPER });
        let Verdict::Accepted(summary) = verdict(&compiled) else { panic!("accepted") };
        assert_eq!(summary.outputs[2], ("y3".to_owned(), 6));
    }
}
