//! Lies that only the one gate makes possible: counts, weights, relays, depth, sharing, folds, NOR, sums, ranges, bases, slopes.
//!
//! In each the file follows the certificate, so that its weights are what its gates say: what is left to see is that the
//! gates are not what they are called.

use super::build::{Circuit, Compiled, Form, Op, PAPER, compile, g, x};
use super::{assert_rejected, verdict};

const PLAIN: Form = Form { literals: false, ..PAPER };

/// One gate over three inputs with points 1, 2 and 3, behind it the output, tampered with.
#[track_caller]
fn lie(op: Op, reason: &str, tamper: impl FnOnce(&mut Compiled)) {
    let reads =
        vec![x(0), if op == Op::Xor { x(1) } else { 2 * x(1) }, if op == Op::Xor { x(2) } else { 3 * !x(2) }];
    let circuit = Circuit { inputs: 3, gates: vec![(op, reads)], outputs: vec![g(0)] };
    of(&circuit, reason, tamper);
}

#[track_caller]
fn of(circuit: &Circuit, reason: &str, tamper: impl FnOnce(&mut Compiled)) {
    let mut compiled = compile(circuit, PLAIN);
    assert!(verdict(&compiled).is_accepted());
    tamper(&mut compiled);
    compiled.derive();
    assert_rejected(&verdict(&compiled), reason);
}

const TWO: Op = Op::Counts("2-2,4-5", &[2, 4, 5]);

#[test]
fn thresholds() {
    lie(Op::Least(4), "gate 0 (line 11): at count 3 of 6 it gives 0", |c| c.gates[0].rule = "least 3".into());
    lie(Op::Least(4), "at count 4 of 6 it gives 1", |c| c.gates[0].rule = "least 5".into());
    lie(Op::Least(4), "at count 4 of 6 it gives 1", |c| c.gates[0].rule = "least 16777216".into());
    lie(Op::Least(4), "at count 0 of 6 it gives 0", |c| c.gates[0].rule = "least 0".into());
    lie(Op::Least(4), "at count 4 of 6 it gives 1", |c| c.gates[0].rule = "and".into());
}

#[test]
fn ranges() {
    lie(TWO, "at count 5 of 6 it gives 1", |c| c.gates[0].rule = "counts 2-2,4-4".into());
    lie(TWO, "at count 3 of 6 it gives 0", |c| c.gates[0].rule = "counts 2-5".into());
    lie(TWO, "at count 6 of 6 it gives 0", |c| c.gates[0].rule = "counts 2-2,4-6".into());
    lie(TWO, "at count 0 of 6 it gives 0", |c| c.gates[0].rule = "counts 0-0,2-2,4-5".into());
}

#[test]
fn weights() {
    // A point more makes a count more that the gate was not made for.
    lie(TWO, "at count 7 of 7 it gives -1", |c| {
        // Falls at 6 and goes on falling.
        c.gates[0].reads[0].weight = 2;
    });
    lie(Op::And, "at count 5 of 5 it gives 0", |c| c.gates[0].reads[2].weight = 2);
    lie(Op::And, "at count 6 of 7 it gives 1", |c| c.gates[0].reads[2].weight = 4);
    // Odd points leave the parity as it is, but a circuit that counts them is another one.
    lie(Op::Xor, "gate 0 (line 11): a parity counts single points", |c| {
        c.gates[0].reads[2].weight = 3;
        c.gates[0].neurons = vec![[0, 1, 0, 1], [1, 1, -1, -2], [2, 1, -2, 2], [3, 1, -3, -2], [4, 1, -4, 2]];
        c.widths[0] = 5;
    });
    lie(Op::Sum, "gate 1 (line 12): at count 3 of 6 it gives 2", |c| {
        c.gates[1].neurons = vec![[0, 1, 0, 1], [1, 1, -2, -1]];
        c.widths[1] = 2;
        c.onnx = false;
    });
}

#[test]
fn operands_that_share_a_neuron_add_up() {
    let gates = vec![(Op::Least(2), vec![x(0), x(0), x(1)])];
    let circuit = Circuit { inputs: 2, gates, outputs: vec![g(0)] };
    let mut once = compile(&circuit, PLAIN);
    assert!(verdict(&once).is_accepted());
    once.layers[0].rows.iter_mut().for_each(|row| row[0] = 1.0);
    assert_rejected(&verdict(&once), "its weight on input 0 is 1, where 2 must be");
    // A signal and its negation cancel: the weight must be 0, and the constant stays.
    let gates = vec![(Op::Least(1), vec![x(0), !x(0)])];
    let mut both = compile(&Circuit { inputs: 2, gates, outputs: vec![g(0)] }, PLAIN);
    assert!(verdict(&both).is_accepted());
    both.layers[0].biases[0] = 0.0;
    assert_rejected(&verdict(&both), "its bias is 0, where 1 must be");
}

#[test]
fn slopes_offsets_coefficients_bases() {
    lie(Op::Least(4), "at count 2 of 6 it gives 1", |c| c.gates[0].neurons[0][1] = 2);
    lie(Op::Least(4), "at count 4 of 6 it gives 0", |c| c.gates[0].neurons[0][1] = -1);
    lie(Op::Least(4), "at count 3 of 6 it gives 1", |c| c.gates[0].neurons[0][2] = -2);
    lie(Op::Least(4), "at count 5 of 6 it gives -8", |c| c.gates[0].neurons[1][3] = -10);
    lie(Op::Least(4), "at count 0 of 6 it gives 1", |c| c.gates[0].base = 1);
    lie(Op::Least(4), "at count 0 of 6 it gives -1", |c| c.gates[0].base = -1);
    lie(Op::Least(4), "its neuron 0 goes up to 100663296", |c| {
        c.gates[0].neurons[0][1] = (1 << 24) - 1;
        c.gates[0].neurons[0][2] = 6;
    });
}

/// What a ReLU cuts off is not cut off on a linear layer.
#[test]
fn a_linear_last_layer() {
    let mut compiled = Compiled::new(2);
    let and = compiled.push("and", &[x(0), x(1)], 1, 0, &[[1, -1, 1]]);
    compiled.output(and, 1);
    compiled.derive();
    assert!(verdict(&compiled).is_accepted());
    compiled.activations[0] = false;
    compiled.derive();
    assert_rejected(&verdict(&compiled), "gate 0 (line 9): at count 0 of 2 it gives -1");
}

#[test]
fn relays() {
    let gates = vec![(Op::And, vec![x(0), x(1)]), (Op::Or, vec![g(0), x(2)])];
    let circuit = Circuit { inputs: 3, gates, outputs: vec![g(1)] };
    // Gate 0 the AND, 1 the relay of input 2, 2 the OR, 3 the output.
    of(&circuit, "gate 1 (line 13): at count 1 of 1 it gives 0", |c| c.gates[1].neurons[0][2] = -1);
    of(&circuit, "gate 1 (line 13): at count 1 of 1 it gives 2", |c| c.gates[1].neurons[0][3] = 2);
    of(&circuit, "gate 1 (line 13): a relay reads one signal", |c| c.gates[1].reads.push(x(1)));
    of(&circuit, "gate 1 (line 13): a relay reads one signal", |c| c.gates[1].reads.clear());
    of(&circuit, "gate 1 (line 13): a relay reads one signal, with weight 1", |c| {
        c.gates[1].reads[0].weight = 2;
    });
    of(&circuit, "gate 2 (line 14): it reads a signal of layer 0, not of the layer before", |c| {
        c.gates[2].reads[1] = x(2);
    });
    of(&circuit, "gate 3 (line 15): it reads a signal of layer 1", |c| c.gates[3].reads[0] = g(0));
    // Past all layers but the last.
    of(&circuit, "gate 3 (line 15): it reads a signal of layer 0", |c| c.gates[3].reads[0] = x(0));
}

#[test]
fn depth() {
    let mut gates = vec![(Op::Xor, vec![x(0), x(1)])];
    gates.extend((0..6).map(|at| (if at % 2 == 0 { Op::And } else { Op::Or }, vec![g(at), x(at % 2)])));
    let circuit = Circuit { inputs: 2, gates, outputs: vec![g(6)] };
    let places: Vec<usize> = {
        let compiled = compile(&circuit, PLAIN);
        (0..compiled.gates.len()).filter(|&at| ["and", "or"].contains(&&*compiled.gates[at].rule)).collect()
    };
    assert_eq!(places.len(), 6);
    for at in places {
        let reason = format!("gate {at} (line {}): at count ", at + 16);
        of(&circuit, &reason, |c| {
            let other = if c.gates[at].rule == "and" { "or" } else { "and" };
            c.gates[at].rule = other.to_owned();
        });
        of(&circuit, "it reads a signal of layer", |c| c.gates[at].layer += 1);
    }
}

#[test]
fn sharing() {
    let gates = vec![(Op::And, vec![x(0), x(1)]), (Op::Or, vec![x(0), x(1)])];
    let circuit = Circuit { inputs: 2, gates, outputs: vec![g(0), g(1), !g(0)] };
    // Gates 0, 1 and the outputs 2, 3, 4.
    of(&circuit, "output 0: gate 3 is not neuron 2.0 alone", |c| c.outputs[0].1 = 3);
    of(&circuit, "output 1: gate 2 is not neuron 2.1 alone", |c| c.outputs[1].1 = 2);
    of(&circuit, "outputs: 2 of them, and a last layer of 3 neurons", |c| {
        c.outputs.pop();
        c.onnx = false;
    });
    of(&circuit, "output 2: gate 4 is not neuron 2.2 alone", |c| {
        c.gates[4].base = 1;
        c.gates[4].reads[0].positive = true;
        c.gates[4].neurons[0][3] = -1;
        // 1 - s by the read-out of the last layer, which nobody reads out.
        c.gates[4].rule = "nor".into();
    });
    of(&circuit, "neuron 2.0 of gate 2 (line 12): its weight on neuron 1.0 is 0, where 1 must be", |c| {
        c.gates[3].neurons[0][0] = 0;
    });
    // Two gates that are the same may not be the same neuron either: outputs have one each.
    of(&circuit, "gate 3 (line 13): neuron 2.0 belongs to two gates", |c| c.gates[3] = c.gates[2].clone());
    // The readers of a shared gate see what it is, not what they would have it be.
    let mut sly = compile(&circuit, PLAIN);
    sly.layers[1].rows[2] = sly.layers[1].rows[1].clone();
    assert_rejected(
        &verdict(&sly),
        "neuron 2.2 of gate 4 (line 14): its weight on neuron 1.0 is 0, where -1 must be",
    );
}

/// NOR and then a negation is an OR; nothing else may be made of a NOR.
#[test]
fn nor() {
    let deep = |reason: &str, tamper: fn(&mut Compiled)| {
        let mut compiled = Compiled::new(2);
        compiled.push("nor", &[x(0), x(1)], 1, 0, &[[-1, 1, 1]]);
        compiled.push("or", &[!g(0)], 2, 0, &[[1, 0, 1]]);
        compiled.output(1, 1);
        compiled.derive();
        assert!(verdict(&compiled).is_accepted());
        tamper(&mut compiled);
        compiled.derive();
        assert_rejected(&verdict(&compiled), reason);
    };
    let other = "gate 1 (line 11): it reads a helper that is not for it";
    deep(other, |c| c.gates[1].rule = "and".into());
    deep(other, |c| c.gates[1].rule = "xor".into());
    deep(other, |c| c.gates[1].rule = "relay".into());
    deep(other, |c| c.gates[1].rule = "least 1".into());
    deep(other, |c| c.gates[1].reads[0].positive = true);
    deep("gate 1 (line 11): at count 2 of 2 it gives 2", |c| c.gates[1].reads.push(!g(0)));
    deep("gate 2 (line 12): it reads a helper that another gate has read", |c| {
        c.push("or", &[!g(0)], 2, 0, &[[1, 0, 1]]);
        c.output(2, 1);
    });
    deep("output 0: gate 0 is a helper", |c| {
        c.gates.pop();
        c.widths.pop();
        c.activations.pop();
        c.outputs[0].1 = 0;
    });
    deep("gate 0 (line 10): at count 0 of 2 it gives 2", |c| c.gates[0].neurons[0][2] = 2);
}

/// A parity may read a fold, and nothing else may.
#[test]
fn folds_are_for_parities() {
    let fold = |reason: &str, tamper: fn(&mut Compiled)| {
        let mut compiled = Compiled::new(3);
        compiled.push("fold", &[x(0), x(1)], 1, 0, &[[1, 0, 1], [1, -1, -2]]);
        compiled.push("relay", &[x(2)], 1, 0, &[[1, 0, 1]]);
        compiled.push("xor", &[g(0), g(1)], 2, 0, &[[1, 0, 1], [1, -1, -2]]);
        compiled.push("relay", &[g(2)], 3, 0, &[[1, 0, 1]]);
        compiled.output(3, 1);
        compiled.derive();
        assert!(verdict(&compiled).is_accepted());
        tamper(&mut compiled);
        compiled.derive();
        assert_rejected(&verdict(&compiled), reason);
    };
    let other = "gate 2 (line 14): it reads a helper that is not for it";
    fold(other, |c| {
        c.gates[2].rule = "or".into();
        c.gates[2].neurons[1][3] = -1;
    });
    fold(other, |c| {
        c.gates[2].rule = "sum".into();
        c.gates[2].neurons[1][3] = 0;
        c.outputs[0].2 = 2;
    });
    // A negated parity is a parity of one more, which the circuit would not say.
    fold(other, |c| c.gates[2].reads[0].positive = false);
    fold("gate 0 (line 12): at count 1 of 2 it gives 0", |c| c.gates[0].neurons[0][2] = -1);
    // As odd as its count, and higher than it: its reader must be right there too.
    fold("gate 2 (line 14): at count 3 of 3 it gives -1", |c| {
        c.gates[0].neurons[1][3] = -1;
        c.gates[0].neurons[0][3] = 1;
        c.gates[0].neurons[1] = [1, 1, -1, 0];
    });
}

/// Found by looking for it: the negation of a sum of nothing is 1, where a checker that adds up ranges sees counts up to 0.
#[test]
fn a_sum_of_nothing_negated() {
    let mut compiled = Compiled::new(1);
    compiled.push("sum", &[], 1, 0, &[[0, 0, 1]]);
    compiled.push("relay", &[!g(0)], 2, 0, &[[5, 0, 1]]);
    compiled.output(1, 0);
    compiled.derive();
    assert!(compiled.at(&[false], false)[0].to_bits() == 5f32.to_bits(), "where the circuit says 1");
    assert_rejected(&verdict(&compiled), "gate 1 (line 10): it negates a signal that is not 0 or 1");
}

#[test]
fn sums() {
    let gates = vec![(Op::Sum, vec![x(0), 2 * x(1)])];
    let circuit = Circuit { inputs: 2, gates, outputs: vec![g(0)] };
    of(&circuit, "output 0: its gate goes up to 3, not to 1", |c| c.outputs[0].2 = 1);
    of(&circuit, "output 0: its gate goes up to 3, not to 4", |c| c.outputs[0].2 = 4);
    of(&circuit, "gate 1 (line 11): it negates a signal that is not 0 or 1", |c| {
        c.gates[1].reads[0].positive = false;
    });
    of(&circuit, "gate 0 (line 10): at count 3 of 3 it gives 2", |c| {
        c.gates[0].neurons.push([1, 1, -2, -1]);
        c.widths[0] = 2;
    });
    of(&circuit, "gate 1 (line 11): it reads a sum, which only an output may be", |c| {
        c.gates[1].rule = "sum".into();
    });
    of(&circuit, "gate 1 (line 12): it reads a sum", |c| {
        c.gates[1].rule = "or".into();
        c.gates[1].neurons.push([1, 1, -1, -1]);
        c.widths[1] = 2;
        c.push("relay", &[g(1)], 3, 0, &[[1, 0, 1]]);
        c.outputs[0] = ("y1".into(), 2, 1);
    });
    // The same with points that hide that it is one: a sum of one input is 0 or 1.
    let gates = vec![(Op::Sum, vec![x(0)])];
    let circuit = Circuit { inputs: 2, gates, outputs: vec![g(0)] };
    of(&circuit, "gate 1 (line 11): it reads a sum", |c| c.gates[1].rule = "and".into());
    of(&circuit, "gate 1 (line 11): it reads a sum", |c| c.gates[1].reads[0].positive = false);
}

/// A constant of the read-out that the last layer cannot have: the file gives the neuron, not the read-out.
#[test]
fn a_base_on_the_last_layer() {
    let mut compiled = Compiled::new(1);
    compiled.push("relay", &[x(0)], 1, 1, &[[-1, 1, -1]]);
    compiled.output(0, 1);
    compiled.derive();
    assert_rejected(&verdict(&compiled), "output 0: gate 0 is not neuron 1.0 alone");
    // A neuron that is 0, and a read-out that is 1.
    compiled.gates[0] = super::build::Placed {
        rule: "least 0".to_owned(),
        neurons: vec![[0, 0, 0, 1]],
        ..compiled.gates[0].clone()
    };
    compiled.derive();
    assert_rejected(&verdict(&compiled), "output 0: gate 0 is not neuron 1.0 alone");
    compiled.gates[0].rule = "relay".to_owned();
    compiled.gates[0] = super::build::Placed { base: 0, neurons: vec![], ..compiled.gates[0].clone() };
    assert_rejected(&verdict(&compiled), "at count 1 of 1 it gives 0");
}

/// The neuron's own value is no bound for what is added up on the way: reading a flat XOR of r goes up to r^2.
#[test]
fn sums_on_the_way() {
    let big = (1 << 12) + 1;
    let reads = vec![x(0); big];
    let circuit = Circuit { inputs: 1, gates: vec![(Op::Xor, reads)], outputs: vec![g(0)] };
    let reason = "neuron 2.0 of gate 1 (line 10): a partial sum can reach 16785409, where float32 is exact only below 16777216";
    assert_rejected(&verdict(&compile(&circuit, PLAIN)), reason);
}

#[test]
fn counts_too_large() {
    let reads = vec![1000 * x(0); 16_778];
    let circuit = Circuit { inputs: 1, gates: vec![(Op::Or, reads)], outputs: vec![g(0)] };
    let compiled = compile(&circuit, PLAIN);
    assert_rejected(&verdict(&compiled), "its count goes up to 16778000 or more, where 2^24 is too much");
}

/// Few words must not make much work: evaluations, and readings of a wide read-out, are counted.
#[test]
fn work() {
    let mut compiled = Compiled::new(1);
    compiled.push("least 16777216", &vec![1000 * x(0); 16_000], 1, 0, &[[0, 0, 0]; 17]);
    compiled.push("relay", &[g(0)], 2, 0, &[[1, 0, 1]]);
    compiled.output(1, 1);
    compiled.derive();
    assert_rejected(
        &verdict(&compiled),
        "gate 0 (line 9): up to here the gates take more than 268435456 steps",
    );
    let mut compiled = Compiled::new(1);
    compiled.push("or", &[], 1, 0, &vec![[0, 0, 0]; 30_000]);
    compiled.push("or", &vec![g(0); 10_000], 2, 0, &[[1, 0, 1]]);
    compiled.output(1, 1);
    compiled.derive();
    assert_rejected(
        &verdict(&compiled),
        "gate 1 (line 10): up to here the gates take more than 268435456 steps",
    );
}
