//! What is true is accepted: all gates, both formats, random circuits.

use super::build::{PAPER, Random, compile, cube, forms, small};
use super::verdict;
use crate::{OutputSummary, TrainingSummary, Verdict};

#[test]
fn every_form_of_every_gate() {
    let mut random = Random(4);
    for round in 0..12 {
        let circuit = random.circuit(6, 6);
        for form in forms() {
            let compiled = compile(&circuit, form);
            let found = verdict(&compiled);
            assert!(found.is_accepted(), "round {round}, {form:?}: {found}");
            for x in cube(circuit.inputs) {
                let wanted = f32::from(u8::from(circuit.at(&x)));
                for backwards in [false, true] {
                    assert_eq!(compiled.at(&x, backwards).to_bits(), wanted.to_bits());
                }
            }
        }
    }
}

#[test]
fn the_summary_says_what_was_established() {
    let Verdict::Accepted(summary) = verdict(&compile(&small(), PAPER)) else { panic!("accepted") };
    let circuit = OutputSummary { name: "y".to_owned(), stages: 2, terms: 3 };
    assert_eq!((summary.inputs, &summary.outputs), (3, &vec![circuit]));
    assert_eq!(summary.widths, [6, 6, 4, 2, 1], "the paper's (2B, 2P, 2M, M, 1)");
    assert_eq!(summary.weights, 18 + 6 + 36 + 6 + 24 + 4 + 8 + 2 + 2 + 1);
    assert_eq!(summary.training, TrainingSummary::Absent);
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
    compiled.line("input 0", r#"input 0 "age > 41, \"or so\" \u00e9\ud83d\ude00""#);
    compiled.line("input 1", "input 1 \"\u{1f600} \"");
    compiled.line("target", r#"target """#);
    assert!(verdict(&compiled).is_accepted());
}
