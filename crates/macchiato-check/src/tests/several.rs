//! Several outputs: each lie about which output is which is rejected for its own reason.

use super::build::{Circuit, Compiled, Form, Layer, Op, PAPER, compile, g, x};
use super::{assert_rejected, verdict};
use crate::Verdict;

/// An XOR of two terms, a constant 0, and an OR that shares a term with the first.
fn three() -> Circuit {
    let gates = vec![
        (Op::And, vec![x(0), !x(1)]),
        (Op::And, vec![x(1), !x(2)]),
        (Op::Xor, vec![g(0), g(1)]),
        (Op::Or, vec![]),
        (Op::Or, vec![g(0), g(1)]),
    ];
    Circuit { inputs: 3, gates, outputs: vec![g(2), g(3), g(4)] }
}

const FORM: Form = Form { literals: false, ..PAPER };

#[test]
fn the_summary_names_every_output() {
    let Verdict::Accepted(summary) = verdict(&compile(&three(), FORM)) else { panic!("accepted") };
    assert_eq!(summary.outputs, ["y1", "y2", "y3"].map(|name| (name.to_owned(), 1)));
    assert_eq!(summary.gates, 5);
    let text = Verdict::Accepted(summary).to_string();
    assert!(text.contains("  circuit      5 gates over 3 inputs\n"), "{text}");
    assert!(text.contains("  output 2     \"y3\": 0 or 1\n"), "{text}");
}

/// Gates 0 and 1 are the terms, 2 the XOR, 3 the constant, 4 the OR, 6 relays the constant; 5, 7, 8 are the outputs.
#[track_caller]
fn forged(reason: &str, tamper: impl FnOnce(&mut Compiled)) {
    let mut compiled = compile(&three(), FORM);
    assert!(verdict(&compiled).is_accepted());
    tamper(&mut compiled);
    assert_rejected(&verdict(&compiled), reason);
}

fn swap_outputs(layer: &mut Layer, a: usize, b: usize) {
    layer.rows.swap(a, b);
    layer.biases.swap(a, b);
}

#[test]
fn the_gates_are_where_the_forgeries_expect_them() {
    let rules: Vec<String> = compile(&three(), FORM).gates.into_iter().map(|gate| gate.rule).collect();
    assert_eq!(rules, ["and", "and", "xor", "or", "or", "relay", "relay", "relay", "relay"]);
}

#[test]
fn outputs_that_changed_places() {
    // In the file alone.
    forged("neuron 3.0 of gate 5", |c| swap_outputs(&mut c.layers[2], 0, 2));
    // In the file and in the gates, but not in the outputs.
    forged("output 0: gate 5 is not neuron 3.0 alone", |c| {
        c.gates[5].neurons[0][0] = 2;
        c.gates[8].neurons[0][0] = 0;
        c.derive();
    });
    forged("output 1: gate 7 is not neuron 3.1 alone", |c| {
        c.gates[7].neurons[0][0] = 2;
        c.gates[8].neurons[0][0] = 1;
        c.derive();
    });
}

#[test]
fn the_circuit_of_another_output() {
    forged("neuron 3.2 of gate 8", |c| c.layers[2].rows[2] = c.layers[2].rows[0].clone());
    forged("neuron 3.2 of gate 8", |c| c.gates[8].reads[0] = g(2));
    forged("output 2: gate 5 is not neuron 3.2 alone", |c| c.outputs[2].1 = 5);
    forged("neuron 3.0 belongs to two gates", |c| c.gates[8].neurons[0][0] = 0);
}

#[test]
fn an_output_that_is_constant() {
    forged("its bias is 1, where 0 must be", |c| c.layers[2].biases[1] = 1.0);
    forged("neuron 3.1 of gate 7", |c| c.layers[2].rows[1][2] = 1.0);
    forged("neuron 3.1: it belongs to no gate", |c| {
        c.gates[7].neurons.clear();
        c.gates[7].rule = "or".to_owned();
        c.gates[7].reads.clear();
        c.derive();
    });
    // The constant reads a term, and says so.
    forged("gate 3 (line 15): at count 1 of 1 it gives 0", |c| {
        c.gates[3].reads.push(x(0));
        c.gates[3].neurons = vec![[c.gates[3].neurons[0][0], 0, 0, 1]];
        let spare = c.gates[3].neurons[0][0] as usize + 1;
        c.push("or", &[], 1, 0, &[]);
        c.gates.last_mut().expect("pushed").neurons = vec![[spare as i64, 0, 0, 1]];
        c.derive();
    });
}

#[test]
fn the_width() {
    let more = |c: &mut Compiled| {
        let before = c.layers[1].rows.len();
        c.layers[2].rows.push(vec![0.0; before]);
        c.layers[2].biases.push(0.0);
    };
    forged("layer 3: inputs and neurons are", |c| {
        more(c);
        c.onnx = false;
    });
    forged("network output: it has 4 columns, not 3", more);
    forged("network output: it has 2 columns, not 3", |c| {
        c.layers[2].rows.pop();
        c.layers[2].biases.pop();
    });
    forged("outputs: 2 of them, and a last layer of 3 neurons", |c| {
        c.outputs.pop();
        c.onnx = false;
    });
}
