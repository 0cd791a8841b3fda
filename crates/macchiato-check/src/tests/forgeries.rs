//! One lie each about the small circuit, told with a fresh digest, and rejected for its own reason.

use super::build::{Circuit, Compiled, Form, Op, PAPER, Xor, compile, g, small, x};
use super::{assert_rejected, verdict};
use crate::check;

/// The small circuit in the paper's form, tampered with. Its literals are gates 0 to 5 and neurons 1.0 to 1.5, its terms gates 6
/// to 8 and neurons 2.0 to 2.5, its ORs gates 9 and 10 and neurons 3.0 to 3.3, its XOR gate 11, neurons 4.0 and 4.1, and the
/// output gate 12, neuron 5.0.
#[track_caller]
fn forged(reason: &str, tamper: impl FnOnce(&mut Compiled)) {
    forged_in(PAPER, reason, tamper);
}

#[track_caller]
fn forged_in(form: Form, reason: &str, tamper: impl FnOnce(&mut Compiled)) {
    let mut compiled = compile(&small(), form);
    assert!(verdict(&compiled).is_accepted());
    tamper(&mut compiled);
    assert_rejected(&verdict(&compiled), reason);
}

#[test]
fn a_weight() {
    let one_off = "neuron 2.0 of gate 6 (line 20): its weight on neuron 1.0 is 2, where 1 must be";
    forged(one_off, |c| c.layers[1].rows[0][0] = 2.0);
    forged("its weight on neuron 1.4 is 1, where 0 must be", |c| c.layers[1].rows[0][4] = 1.0);
    forged("its weight on neuron 1.0 is 0, where 1 must be", |c| c.layers[1].rows[0][0] = 0.0);
    forged("is 1.0000001, where 1 must be", |c| c.layers[1].rows[0][0] = 1.0f32.next_up());
    forged("is NaN, where 0 must be", |c| c.layers[1].rows[0][4] = f32::NAN);
    forged("is inf, where 0 must be", |c| c.layers[2].rows[3][0] = f32::INFINITY);
    forged("its weight on input 2 is 0.5, where 0 must be", |c| c.layers[0].rows[0][2] = 0.5);
    forged("neuron 5.0 of gate 12 (line 26): its weight on neuron 4.1 is -1, where -2 must be", |c| {
        c.layers[4].rows[0][1] = -1.0;
    });
}

#[test]
fn a_bias() {
    forged("neuron 2.0 of gate 6 (line 20): its bias is 0, where -1 must be", |c| {
        c.layers[1].biases[0] = 0.0;
    });
    forged("its bias is NaN", |c| c.layers[1].biases[0] = f32::NAN);
    forged("neuron 3.0 of gate 9 (line 23): its bias is -1, where 0 must be", |c| {
        c.layers[2].biases.swap(0, 1);
    });
}

#[test]
fn neurons_that_moved() {
    // The rows change places, the certificate does not follow.
    forged("neuron 2.0 of gate 6", |c| {
        c.layers[1].rows.swap(0, 2);
        c.layers[1].biases.swap(0, 2);
    });
    // The inputs change places in the file.
    forged("its weight on input 0 is 0, where 1 must be", |c| {
        c.layers[0].rows.iter_mut().for_each(|row| row.swap(0, 1));
    });
    // The certificate swaps the two neurons of a difference.
    forged("neuron 2.1 of gate 6 (line 20): its bias is -2, where -1 must be", |c| {
        c.gates[6].neurons[0][0] = 1;
        c.gates[6].neurons[1][0] = 0;
    });
    forged("gate 6 (line 20): neuron 2.0 belongs to two gates", |c| c.gates[6].neurons[1][0] = 0);
    forged("gate 7 (line 21): neuron 2.1 belongs to two gates", |c| c.gates[7].neurons[1][0] = 1);
    forged("there is no neuron 2.6", |c| c.gates[7].neurons[1][0] = 6);
    forged("there is no neuron 1.18446744073709551615", |c| c.edit("| 0 1", "| 18446744073709551615 1"));
    forged("gate 7 (line 21): it reads a signal of layer 1, not of the layer before", |c| {
        c.gates[7].layer = 3;
    });
    forged("gate 12 (line 26): it reads a signal of layer 4", |c| c.gates[12].layer = 4);
}

#[test]
fn neurons_too_many_and_too_few() {
    forged("neuron 2.6: it belongs to no gate", |c| {
        c.widths[1] = 7;
        c.derive();
    });
    forged("layer 2: inputs and neurons are (6, 5) in the file, (6, 6) by the certificate", |c| {
        c.layers[1].rows.pop();
        c.layers[1].biases.pop();
        c.layers[2].rows.iter_mut().for_each(|row| row.truncate(5));
    });
    forged("layer 2: inputs and neurons are (6, 6) in the file, (6, 7) by the certificate", |c| {
        c.widths[1] = 7;
    });
    forged("the file has 5 layers, the certificate 6", |c| {
        c.widths.push(1);
        c.activations.push(true);
    });
    forged("layer 3: inputs and neurons are (5, ", |c| {
        c.layers[2].rows.iter_mut().for_each(|row| row.truncate(5));
    });
    forged("layer 5: the file and the certificate disagree about its ReLU", |c| c.activations[4] = false);
    forged("layer 5: the file and the certificate disagree", |c| c.layers[4].relu = false);
}

#[test]
fn gates_too_many_and_too_few() {
    forged("neuron 1.1: it belongs to no gate", |c| {
        // Nothing reads it.
        c.gates[1].neurons.clear();
        c.gates[1].rule = "least 16777216".to_owned();
    });
    forged("gate 11 (line 25): at count 1 of 2 it gives 0", |c| {
        c.gates[11].neurons.remove(0);
        c.gates[11].neurons[0][3] = 0;
    });
    forged("gate 11 (line 25): at count 2 of 2 it gives 2", |c| c.gates[11].neurons.truncate(1));
    forged("gate 13 (line 27): neuron 5.0 belongs to two gates", |c| c.gates.push(c.gates[12].clone()));
}

#[test]
fn another_circuit() {
    // A cube that is wider than the network's, a literal of the other sign, of another input, a term too many.
    forged("gate 6 (line 20): at count 1 of 1 it gives 0", |c| c.gates[6].reads.truncate(1));
    forged("neuron 2.0 of gate 6 (line 20): its weight on neuron 1.0 is 1, where 0 must be", |c| {
        c.gates[6].reads[0] = g(1);
    });
    forged("its weight on neuron 1.2 is 1, where 0 must be", |c| c.gates[8].reads[0] = g(3));
    forged("neuron 3.2 of gate 10 (line 24): its weight on neuron 2.0 is 0, where 1 must be", |c| {
        c.gates[10].reads.push(g(6));
    });
    forged("neuron 2.0 of gate 6 (line 20): its bias is -1, where 0 must be", |c| {
        c.gates[6].reads[0] = !g(0);
    });
    forged("gate 9 (line 23): at count 1 of 2 it gives 1", |c| c.gates[9].rule = "and".to_owned());
    forged("gate 9 (line 23): at count 2 of 2 it gives 1", |c| c.gates[9].rule = "xor".to_owned());
    forged("gate 11 (line 25): at count 2 of 2 it gives 0", |c| c.gates[11].rule = "or".to_owned());
}

#[test]
fn another_form() {
    forged("neuron 2.1: it belongs to no gate", |c| {
        // A narrow AND, and its readers follow.
        c.gates[6].neurons.pop();
        c.derive();
    });
    let deep = Form { deep: true, ..PAPER };
    let nor = compile(&small(), deep).gates.iter().position(|gate| gate.rule == "nor").expect("one");
    forged_in(deep, "at count 0 of 2 it gives 1", |c| c.gates[nor].rule = "or".to_owned());
    forged_in(deep, "its bias is 1, where 0 must be", |c| {
        c.gates[nor + 1].reads[0].positive = true;
    });
    // The file follows: right as a gate, but the circuit knows no such reading.
    forged_in(deep, "it reads a helper that is not for it", |c| {
        c.gates[nor + 1].reads[0].positive = true;
        c.derive();
    });
}

#[test]
fn folds() {
    let gates = vec![(Op::Xor, vec![x(0), x(1), x(2), !x(0), !x(1)])];
    let circuit = Circuit { inputs: 3, gates, outputs: vec![g(0)] };
    let triangle = Form { literals: false, xor: Xor::Triangle, ..PAPER };
    let forged = |reason: &str, tamper: fn(&mut Compiled)| {
        let mut compiled = compile(&circuit, triangle);
        assert!(verdict(&compiled).is_accepted());
        tamper(&mut compiled);
        compiled.derive();
        assert_rejected(&verdict(&compiled), reason);
    };
    assert_eq!(compile(&circuit, triangle).gates[0].neurons, [[0, 1, 0, 1], [1, 1, -4, -2]]);
    forged("gate 0 (line 13): at count 5 of 5 it gives -1", |c| c.gates[0].neurons[1][2] = -2);
    forged("gate 0 (line 13): at count 1 of 5 it gives 0", |c| c.gates[0].neurons[0][3] = 0);
    forged("gate 2 (line 15): at count 2 of 2 it gives 2", |c| c.gates[2].neurons[1][3] = 0);
    forged("gate 1 (line 14): at count 3 of 4 it gives 2", |c| c.gates[1].neurons[1][3] = -1);
    forged("gate 2 (line 15): it reads a helper that is not for it", |c| {
        c.gates[2].rule = "counts 1-1".into();
    });
    forged("output 0: gate 0 is not neuron 4.0 alone", |c| c.outputs[0].1 = 0);
    forged("gate 1 (line 14): it negates a signal that is not 0 or 1", |c| {
        c.gates[1].reads[0].positive = false;
    });
    forged("gate 1 (line 14): it reads a helper that is not for it", |c| {
        c.gates[1].reads[0] = 3 * c.gates[1].reads[0];
        c.gates[1].neurons = vec![[0, 1, 0, 1], [1, 1, -1, 0]];
        c.gates[2].neurons = vec![[0, 0, 0, 0], [1, 0, 0, 0]];
        c.gates[2].rule = "least 16777216".to_owned();
    });
    forged("gate 1 (line 14): it reads a helper that another gate has read", |c| {
        c.gates[1].reads.push(g(0));
        c.gates[1].neurons = vec![[0, 1, 0, 1], [1, 1, -5, 0]];
        c.gates[2].neurons = vec![[0, 0, 0, 0], [1, 0, 0, 0]];
        c.gates[2].rule = "least 16777216".to_owned();
    });
}

#[test]
fn an_output_elsewhere() {
    forged("output 0: gate 12 is not neuron 6.0 alone", |c| {
        let gate = c.push("relay", &[g(12)], 6, 0, &[[1, 0, 1]]);
        assert_eq!(gate, 13);
        c.derive();
    });
    forged("output 0: gate 11 is not neuron 5.0 alone", |c| c.outputs[0].1 = 11);
    forged("output 0: its gate goes up to 1, not to 2", |c| c.outputs[0].2 = 2);
    forged("output 0: its gate goes up to 1, not to 0", |c| c.outputs[0].2 = 0);
}

#[test]
fn partial_sums() {
    // Exact in whole numbers, but not in float32: a height that the count never reaches.
    let high = |height: i64| {
        let mut compiled = compile(&small(), PAPER);
        compiled.gates[11].neurons.push([2, 1, -height, 1]);
        compiled.widths[3] = 3;
        compiled.derive();
        verdict(&compiled)
    };
    // The ORs are differences of neurons of up to 2 and 1, 1 and 0: four with what is between.
    assert!(high((1 << 24) - 6).is_accepted());
    assert_rejected(
        &high((1 << 24) - 1),
        "neuron 4.2 of gate 11 (line 25): a partial sum can reach 16777219, where float32 is exact only",
    );
}

#[test]
fn another_file() {
    let compiled = compile(&small(), PAPER);
    let network = compiled.network();
    let certificate = compiled.certificate(&network);
    let mut other = network.clone();
    *other.last_mut().expect("bytes") ^= 1;
    assert_rejected(&check(certificate.as_bytes(), &other), "the file's SHA-256 is");
    other.push(0);
    assert_rejected(&check(certificate.as_bytes(), &other), "the file has more than the");
    assert_rejected(&check(certificate.as_bytes(), &[]), "the file has fewer than the");
    let safetensors = Compiled { onnx: false, ..compiled.clone() };
    let network = safetensors.network();
    let wrong = safetensors.certificate(&network).replace("network safetensors", "network onnx");
    assert_rejected(&check(wrong.as_bytes(), &network), "network, byte");
    let network = compiled.network();
    let wrong = compiled.certificate(&network).replace("network onnx", "network safetensors");
    assert_rejected(&check(wrong.as_bytes(), &network), "a header of");
}
