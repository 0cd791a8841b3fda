//! One lie each, told with a fresh digest, and rejected for its own reason.

use super::build::{Circuit, Compiled, Form, Layer, PAPER, Xor, compile, small};
use super::{assert_rejected, verdict};
use crate::check;

/// The small circuit in the paper's form, tampered with. Its literals +0 -0 +1 -1 +2 -2 are the neurons 1.0 to 1.5, its terms
/// 1.1, 1.2 and 2.1 are 2.0 to 2.5, its ORs 3.0 to 3.3, its XOR 4.0, 4.1 and 5.0.
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
    let one_off = "neuron 2.0 of and 1.1 (line 26): its weight on neuron 1.0 is 2, where 1 must be";
    forged(one_off, |c| c.layers[1].rows[0][0] = 2.0);
    forged("its weight on neuron 1.4 is 1, where 0 must be", |c| c.layers[1].rows[0][4] = 1.0);
    forged("its weight on neuron 1.0 is 0, where 1 must be", |c| c.layers[1].rows[0][0] = 0.0);
    forged("is 1.0000001, where 1 must be", |c| c.layers[1].rows[0][0] = 1.0f32.next_up());
    forged("is NaN, where 0 must be", |c| c.layers[1].rows[0][4] = f32::NAN);
    forged("is inf, where 0 must be", |c| c.layers[2].rows[3][0] = f32::INFINITY);
    forged("its weight on input 2 is 0.5, where 0 must be", |c| c.layers[0].rows[0][2] = 0.5);
    forged("neuron 5.0 of xor 1 (line 31): its weight on neuron 4.1 is -1, where -2 must be", |c| {
        c.layers[4].rows[0][1] = -1.0;
    });
}

#[test]
fn a_bias() {
    forged("neuron 2.0 of and 1.1 (line 26): its bias is 0, where -1 must be", |c| {
        c.layers[1].biases[0] = 0.0;
    });
    forged("its bias is NaN", |c| c.layers[1].biases[0] = f32::NAN);
    forged("neuron 3.0 of or 1 (line 29): its bias is -1, where 0 must be", |c| {
        c.layers[2].biases.swap(0, 1);
    });
}

#[test]
fn neurons_that_moved() {
    // The rows change places, the certificate does not follow.
    forged("neuron 2.0", |c| {
        c.layers[1].rows.swap(0, 2);
        c.layers[1].biases.swap(0, 2);
    });
    // The inputs change places in the file.
    forged("its weight on input 0 is 0, where 1 must be", |c| {
        c.layers[0].rows.iter_mut().for_each(|r| r.swap(0, 1));
    });
    // The certificate swaps the two neurons of a difference: it would be negative.
    forged("neuron 2.0 of and 1.1 (line 26): its bias is -1, where -2 must be", |c| {
        c.line("and 1.1", "and 1.1 two : 2.1 2.0");
    });
    forged("neuron 2.0 belongs to another gate", |c| c.line("and 1.1", "and 1.1 two : 2.0 2.0"));
    forged("and 1.2 (line 27): neuron 2.1 belongs to another gate", |c| {
        c.line("and 1.2", "and 1.2 two : 2.2 2.1");
    });
    forged("the network has no neuron 2.6", |c| c.line("and 1.2", "and 1.2 two : 2.2 2.6"));
    forged("neurons of layer 9 read what layer 0 makes", |c| c.line("literal +0", "literal +0 : 9.0"));
    forged("the network has no neuron 1.18446744073709551615", |c| {
        c.line("literal +0", "literal +0 : 1.18446744073709551615");
    });
    forged("neurons of layer 3 read what layer 1 makes", |c| c.line("and 1.2", "and 1.2 two : 3.0 3.1"));
    forged("and 1.2 (line 27): neuron 3.1 must be in layer 2", |c| {
        c.line("and 1.2", "and 1.2 two : 2.2 3.1");
    });
    forged("neuron 3.0 must be in the layer after 4", |c| {
        c.line("xor 1", "xor 1 flat s1 s2 : 4.0 4.1 > 3.0");
    });
}

#[test]
fn neurons_too_many_and_too_few() {
    forged("neuron 2.6: it belongs to no gate", |c| {
        c.layers[1].rows.push(vec![0.0; 6]);
        c.layers[1].biases.push(0.0);
        c.layers[2].rows.iter_mut().for_each(|row| row.push(0.0));
        c.line("layer 2", "layer 2 7 relu");
    });
    forged("layer 2: width 5 in the file, 6 in the certificate", |c| {
        c.layers[1].rows.pop();
        c.layers[1].biases.pop();
        c.layers[2].rows.iter_mut().for_each(|row| row.truncate(5));
    });
    forged("layer 2: width 6 in the file, 7 in the certificate", |c| c.line("layer 2", "layer 2 7 relu"));
    forged("the file has 5 layers, the certificate 6", |c| {
        c.line("layers", "layers 6");
        c.line("layer 5", "layer 5 1 relu\nlayer 6 1 relu");
    });
    forged("layer 3: it reads 5 values where there are 6", |c| {
        c.layers[2].rows.iter_mut().for_each(|row| row.truncate(5));
    });
    forged("the file and the certificate disagree about its ReLU", |c| c.line("layer 5", "layer 5 1 linear"));
    forged("layer 5: the file and the certificate disagree", |c| c.layers[4].relu = false);
}

#[test]
fn gates_too_many_and_too_few() {
    forged("no gate makes its literal of input 1", |c| drop(c.drop("literal -1")));
    forged("neuron 1.1: it belongs to no gate", |c| drop(c.drop("literal -0")));
    forged("or 1 (line 28): one of its terms has no gate", |c| drop(c.drop("and 1.1")));
    forged("xor 1 (line 30): no gate makes s1", |c| drop(c.drop("or 1")));
    forged("stage 1: no XOR reads it", |c| drop(c.drop("xor 1")));
    forged("literal +0 (line 21): there is such a gate already", |c| {
        c.line("literal -0", "literal +0 : 1.1");
    });
    forged("and 1.1 (line 27): there is such a gate already", |c| c.line("and 1.2", "and 1.1 two : 2.2 2.3"));
    forged("or 1 (line 30): there is such a gate already", |c| c.line("or 2", "or 1 two : 3.2 3.3"));
    forged("stage 2: no XOR reads it", |c| c.line("xor 1", "xor 1 flat s1 : 4.0 > 5.0"));
    forged("s1 is read a second time", |c| c.line("xor 1", "xor 1 flat s1 s1 : 4.0 4.1 > 5.0"));
    forged("1 neurons for 2 inputs", |c| c.line("xor 1", "xor 1 flat s1 s2 : 4.0 > 5.0"));
}

#[test]
fn another_circuit() {
    // A cube that is wider than the network's, a literal of the other sign, of another input, a term too many.
    forged("neuron 2.0 of and 1.1 (line 26): its bias is -1, where 0 must be", |c| {
        c.line("term 1 +0", "term 1 +0");
    });
    forged("its weight on neuron 1.0 is 1, where 0 must be", |c| c.line("term 1 +0", "term 1 -0 -1"));
    forged("its weight on neuron 1.2 is 1, where 0 must be", |c| c.line("term 2", "term 2 -1 -2"));
    forged("or 1 (line 30): one of its terms has no gate", |c| c.line("term 1 +1", "term 1 +1\nterm 1 +0"));
    forged("stage 3: no gate realizes it", |c| {
        c.line("stages", "stages 3");
        c.line("term 2", "term 2 +1 -2\nstage 3 inputs 0\nterm 3 +0");
        c.line("or 1", "and 3.1 narrow : 2.6\nor 1 two : 3.0 3.1");
        c.layers[1].rows.push(vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        c.layers[1].biases.push(0.0);
        c.layers[2].rows.iter_mut().for_each(|row| row.push(0.0));
        c.line("layer 2", "layer 2 7 relu");
    });
}

#[test]
fn another_form() {
    forged("neuron 2.1: it belongs to no gate", |c| c.line("and 1.1", "and 1.1 narrow : 2.0"));
    forged("neuron 3.1 must be in the layer after 3", |c| c.line("or 1", "or 1 deep : 3.0 3.1"));
    let deep = Form { deep: true, ..PAPER };
    forged_in(deep, "neuron 4.0 must be in layer 3", |c| c.line("or 1", "or 1 two : 3.0 4.0"));
    let mixed = "neurons of layer 5 read what layer 3 makes";
    forged_in(deep, mixed, |c| {
        c.line("or 1", "or 1 two : 3.0 3.1");
        c.line("or 2", "or 2 deep : 3.2 4.1");
        c.layers[2].rows.push(vec![0.0; 6]);
        c.layers[2].biases.push(0.0);
        c.layers[3].rows.iter_mut().for_each(|row| row.push(0.0));
        c.line("layer 3", "layer 3 3 relu");
    });
}

#[test]
fn folds() {
    let circuit =
        Circuit { inputs: 3, stages: (0..5).map(|t| (vec![t % 3], vec![vec![(t % 3, false)]])).collect() };
    let triangle = Form { xor: Xor::Triangle, ..PAPER };
    let forged = |reason: &str, from: &str, to: &str| {
        let mut compiled = compile(&circuit, triangle);
        assert!(verdict(&compiled).is_accepted());
        compiled.line(from, to);
        assert_rejected(&verdict(&compiled), reason);
    };
    let first = "xor 1 fold 4 s1 s2 s3 s4 s5 : 4.0 4.1 > 5.0";
    assert!(compile(&circuit, triangle).lines.iter().any(|line| line == first));
    forged(
        "inputs that add up to 5 need a fold higher than 2",
        "xor 1",
        "xor 1 fold 2 s1 s2 s3 s4 s5 : 4.0 4.1 > 5.0",
    );
    forged("its bias is -4, where -3 must be", "xor 1", "xor 1 fold 3 s1 s2 s3 s4 s5 : 4.0 4.1 > 5.0");
    forged("inputs that add up to 4 need a fold higher than 1", "xor 2", "xor 2 fold 1 v1 : 6.0 6.1 > 7.0");
    forged("the last XOR must be `flat` or `fold 1`", "xor 3", "xor 3 fold 2 v2 : 8.0 8.1 > 9.0");
    forged("`flat` reads an input that is not Boolean", "xor 2", "xor 2 flat v1 : 6.0 > 7.0");
    forged("1 neurons where a fold has two", "xor 2", "xor 2 fold 2 v1 : 6.0 > 7.0");
    forged("s5 is read a second time", "xor 2", "xor 2 fold 2 v1 s5 : 6.0 6.1 > 7.0");
}

#[test]
fn an_output_elsewhere() {
    forged("the last XOR must end in neuron 6.0", |c| {
        c.line("layers", "layers 6");
        c.line("layer 5", "layer 5 1 relu\nlayer 6 1 relu");
        c.layers.push(Layer { rows: vec![vec![1.0]], biases: vec![0.0], relu: true });
    });
    // Two XORs side by side, of which the first leads nowhere.
    forged("xor 1: no later XOR reads it", |c| {
        c.line("xor 1", "xor 1 flat s1 : 4.0 > 5.0\nxor 2 flat s2 : 4.1 > 5.1");
        c.layers[4].rows.push(vec![0.0; 2]);
        c.layers[4].biases.push(0.0);
        c.layers.push(Layer { rows: vec![vec![1.0, 0.0]], biases: vec![0.0], relu: true });
        c.line("layers", "layers 6");
        c.line("layer 5", "layer 5 2 relu\nlayer 6 1 relu");
    });
}

#[test]
fn the_sum() {
    forged("sum: the largest partial sum is 7, not 8", |c| c.line("sum", "sum 8"));
    forged("sum: the largest partial sum is 7, not 6", |c| c.line("sum", "sum 6"));
    // Folds that are far too high are exact in whole numbers, but not in float32.
    let high = compile(&small(), Form { xor: Xor::From((1 << 24) - 5), ..PAPER });
    assert!(verdict(&high).is_accepted());
    let mut higher = compile(&small(), Form { xor: Xor::From((1 << 24) - 1), ..PAPER });
    higher.line("sum", "sum 16777215");
    assert_rejected(
        &verdict(&higher),
        "neuron 4.1: a partial sum can reach 16777219, where float32 is exact only",
    );
}

#[test]
fn without_stages() {
    let circuit = Circuit { inputs: 2, stages: Vec::new() };
    let zero = compile(&circuit, PAPER);
    assert!(verdict(&zero).is_accepted());
    let forged = |reason: &str, tamper: fn(&mut Compiled)| {
        let mut forged = zero.clone();
        tamper(&mut forged);
        assert_rejected(&verdict(&forged), reason);
    };
    forged("neuron 1.0: it must be the `zero`", |c| drop(c.drop("zero")));
    forged("neuron 1.0 of zero (line 10): its bias is 1, where 0 must be", |c| c.layers[0].biases[0] = 1.0);
    forged("its weight on input 1 is 1, where 0 must be", |c| c.layers[0].rows[0][1] = 1.0);
    forged("neuron 1.0 belongs to another gate", |c| c.line("zero", "zero : 1.0\nzero : 1.0"));
    // A literal owns the only neuron, so that the network is an input where the circuit is 0.
    forged("neuron 1.0: it must be the `zero` of a circuit without stages", |c| {
        c.line("zero", "literal +0 : 1.0");
        c.layers[0].rows[0][0] = 1.0;
        c.line("sum", "sum 1");
    });
}

#[test]
fn another_file() {
    let compiled = compile(&small(), PAPER);
    let network = compiled.network();
    let certificate = compiled.certificate(&network);
    let mut other = network.clone();
    *other.last_mut().expect("bytes") ^= 1;
    assert_rejected(&check(certificate.as_bytes(), &other, None), "the file's SHA-256 is");
    other.push(0);
    assert_rejected(&check(certificate.as_bytes(), &other, None), "the file has more than the");
    assert_rejected(&check(certificate.as_bytes(), &[], None), "the file has 0 bytes");
    let safetensors = Compiled { onnx: false, ..compiled.clone() };
    let network = safetensors.network();
    let wrong = safetensors.certificate(&network).replace("network safetensors", "network onnx");
    assert_rejected(&check(wrong.as_bytes(), &network, None), "network, byte");
    let network = compiled.network();
    let wrong = compiled.certificate(&network).replace("network onnx", "network safetensors");
    assert_rejected(&check(wrong.as_bytes(), &network, None), "a header of");
}
