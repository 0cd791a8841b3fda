//! Several outputs: what is true is accepted, and each lie about which output is which is rejected for its own reason.

use super::build::{Circuit, Compiled, Form, Layer, PAPER, Random, compile_several, cube, forms, three};
use super::{assert_rejected, assert_unreadable, verdict};
use crate::{Behaviour, OutputSummary, Verdict, check, check_behaviour};

/// Random circuits over the same inputs.
fn circuits(random: &mut Random, outputs: usize) -> Vec<Circuit> {
    let drawn: Vec<Circuit> = (0..outputs).map(|_| random.circuit(5, 5)).collect();
    let inputs = drawn.iter().map(|circuit| circuit.inputs).max().unwrap_or(1);
    drawn.into_iter().map(|circuit| Circuit { inputs, ..circuit }).collect()
}

#[test]
fn every_form_is_accepted_and_is_the_circuits() {
    let mut random = Random(12);
    for round in 0..8 {
        let circuits = circuits(&mut random, 2 + round % 4);
        for form in forms() {
            let compiled = compile_several(&circuits, form);
            let found = verdict(&compiled);
            assert!(found.is_accepted(), "round {round}, {form:?}: {found}");
            for x in cube(circuits[0].inputs) {
                let wanted: Vec<u32> =
                    circuits.iter().map(|circuit| f32::from(u8::from(circuit.at(&x))).to_bits()).collect();
                for backwards in [false, true] {
                    let found = compiled.outputs_at(&x, backwards);
                    assert_eq!(found.into_iter().map(f32::to_bits).collect::<Vec<u32>>(), wanted);
                }
            }
        }
    }
}

#[test]
fn the_summary_names_every_output() {
    let Verdict::Accepted(summary) = verdict(&compile_several(&three(), PAPER)) else { panic!("accepted") };
    let output = |name: &str, stages, terms| OutputSummary { name: name.to_owned(), stages, terms };
    assert_eq!(summary.outputs, [output("y1", 2, 3), output("y2", 0, 0), output("y3", 1, 2)]);
    assert_eq!(summary.widths, [6, 10, 6, 3, 3]);
    let text = Verdict::Accepted(summary).to_string();
    assert!(text.contains("  circuits     3 over the same 3 inputs, one for each output\n"), "{text}");
    assert!(text.contains("  output 2     \"y3\": the XOR of 1 stages with 2 terms\n"), "{text}");
}

/// The text that the forgeries below change.
#[test]
fn the_certificate() {
    let compiled = compile_several(&three(), PAPER);
    let text = compiled.certificate(&compiled.network());
    assert!(text.starts_with("macchiato-certificate 2\n"));
    let kept = |line: &&str| !line.starts_with("input") && !line.starts_with("literal");
    let lines: Vec<&str> = text.lines().skip(2).filter(kept).collect();
    let wanted = "outputs 3|output 0 \"y1\"|output 1 \"y2\"|output 2 \"y3\"|layers 5|layer 1 6 relu|layer 2 10 relu|\
        layer 3 6 relu|layer 4 3 relu|layer 5 3 relu|stages 3|stage 1 output 0 inputs 0 1|term 1 +0 -1|term 1 +1|\
        stage 2 output 0 inputs 1 2|term 2 +1 -2|stage 3 output 2 inputs 0 2|term 3 +0|term 3 -2|\
        and 1.1 two : 2.0 2.1|and 1.2 two : 2.2 2.3|and 2.1 two : 2.4 2.5|and 3.1 two : 2.6 2.7|and 3.2 two : 2.8 2.9|\
        or 1 two : 3.0 3.1|or 2 two : 3.2 3.3|or 3 two : 3.4 3.5|xor 1 flat s1 s2 : 4.0 4.1 > 5.0|\
        xor 2 flat s3 : 4.2 > 5.2|zero 1 : 5.1|sum 7|end";
    assert_eq!(lines.join("|"), wanted);
}

#[track_caller]
fn forged(reason: &str, tamper: impl FnOnce(&mut Compiled)) {
    let mut compiled = compile_several(&three(), PAPER);
    assert!(verdict(&compiled).is_accepted());
    tamper(&mut compiled);
    assert_rejected(&verdict(&compiled), reason);
}

fn swap_outputs(layer: &mut Layer, a: usize, b: usize) {
    layer.rows.swap(a, b);
    layer.biases.swap(a, b);
}

#[test]
fn outputs_that_changed_places() {
    // In the file alone.
    forged("neuron 5.0 of xor 1 (line 40): its weight on neuron 4.0 is 0, where 1 must be", |c| {
        swap_outputs(&mut c.layers[4], 0, 2);
    });
    // In the file and in the gates, but not in the circuits.
    forged("xor 1: the last XOR must end in neuron 5.0", |c| {
        swap_outputs(&mut c.layers[4], 0, 2);
        c.line("xor 1", "xor 1 flat s1 s2 : 4.0 4.1 > 5.2");
        c.line("xor 2", "xor 2 flat s3 : 4.2 > 5.0");
    });
    forged("zero (line 42): it must be neuron 5.1, not 5.2", |c| {
        swap_outputs(&mut c.layers[4], 1, 2);
        c.line("xor 2", "xor 2 flat s3 : 4.2 > 5.1");
        c.line("zero", "zero 1 : 5.2");
    });
}

#[test]
fn the_circuit_of_another_output() {
    // The third output repeats the first one.
    forged("neuron 5.2 of xor 2 (line 41): its weight on neuron 4.0 is 1, where 0 must be", |c| {
        c.layers[4].rows[2] = c.layers[4].rows[0].clone();
    });
    forged("xor 2 (line 41): s1 is read a second time", |c| c.line("xor 2", "xor 2 flat s1 : 4.2 > 5.2"));
    forged("xor 2 (line 41): neuron 5.0 belongs to another gate", |c| {
        c.line("xor 2", "xor 2 flat s3 : 4.2 > 5.0");
    });
    // A stage of the third output is counted with the first.
    forged("xor 1 (line 40): s3 belongs to output 2, what is before it to 0", |c| {
        c.line("xor 1", "xor 1 flat s1 s3 : 4.0 4.1 > 5.0");
        c.line("xor 2", "xor 2 flat s2 : 4.2 > 5.2");
    });
    forged("xor 2 (line 41): v1 belongs to output 0, what is before it to 2", |c| {
        c.line("xor 2", "xor 2 flat s3 v1 : 4.2 > 5.2");
    });
    // The stage says so itself: then the XOR mixes outputs.
    forged("xor 1 (line 40): s2 belongs to output 1, what is before it to 0", |c| {
        c.line("stage 2", "stage 2 output 1 inputs 1 2");
        c.drop("zero");
    });
    forged("xor 2: the last XOR must end in neuron 5.1", |c| {
        c.line("stage 3", "stage 3 output 1 inputs 0 2");
        c.drop("zero");
    });
    // Two XORs for one output, of which only one is its circuit.
    forged("xor 1: no later XOR reads it", |c| {
        c.line("xor 1", "xor 1 flat s1 : 4.0 > 5.0\nxor 2 flat s2 : 4.1 > 5.1");
        c.line("xor 2 flat s3", "xor 3 flat s3 : 4.2 > 5.2");
        c.drop("zero");
    });
}

#[test]
fn an_output_without_stages() {
    forged("neuron 5.1: it must be the `zero` of a circuit without stages", |c| drop(c.drop("zero")));
    forged("neuron 5.1 of zero (line 42): its bias is 1, where 0 must be", |c| c.layers[4].biases[1] = 1.0);
    forged("neuron 5.1 of zero (line 42): its weight on neuron 4.2 is 1, where 0 must be", |c| {
        c.layers[4].rows[1][2] = 1.0;
    });
    forged("zero (line 43): neuron 5.1 belongs to another gate", |c| {
        c.line("zero", "zero 1 : 5.1\nzero 1 : 5.1");
    });
    forged("zero (line 42): it must be neuron 5.1, not 4.1", |c| c.line("zero", "zero 1 : 4.1"));
    // Literals own the neurons of outputs that are constant 0.
    let none = Circuit { inputs: 2, stages: Vec::new() };
    let mut compiled = compile_several(&[none.clone(), none], PAPER);
    assert!(verdict(&compiled).is_accepted());
    compiled.line("zero 0", "literal +0 : 1.0");
    compiled.layers[0].rows[0][0] = 1.0;
    compiled.line("sum", "sum 1");
    assert_rejected(&verdict(&compiled), "neuron 1.0: it must be the `zero` of a circuit without stages");
}

#[test]
fn the_width() {
    forged("layer 5: width 4 in the file, 3 in the certificate", |c| {
        c.layers[4].rows.push(vec![0.0; 3]);
        c.layers[4].biases.push(0.0);
        c.onnx = false;
    });
    forged("network output: it has 4 columns, not 3", |c| {
        c.layers[4].rows.push(vec![0.0; 3]);
        c.layers[4].biases.push(0.0);
    });
    forged("network output: it has 2 columns, not 3", |c| {
        c.layers[4].rows.pop();
        c.layers[4].biases.pop();
    });
}

#[track_caller]
fn faulty(from: &str, to: &str, place: (usize, usize), reason: &str) {
    let compiled = compile_several(&three(), PAPER);
    let network = compiled.network();
    let text = compiled.certificate(&network);
    assert!(text.contains(from), "{from:?} in\n{text}");
    assert_unreadable(&check(text.replacen(from, to, 1).as_bytes(), &network, None), place, reason);
}

#[test]
fn the_records() {
    faulty("certificate 2", "certificate 1", (7, 1), "\"outputs\" where `target` must be");
    faulty("outputs 3", "outputs 1", (7, 9), "the number of outputs is 1, not from 2 to 65535");
    faulty("outputs 3", "outputs 65536", (7, 9), "not from 2 to 65535");
    faulty("outputs 3", "outputs 2", (10, 1), "\"output\" where `layers` must be");
    faulty("outputs 3", "outputs 4", (11, 1), "\"layers\" where `output` must be");
    faulty("output 1 \"y2\"", "output 1 \"y1\"", (9, 10), "a second output is named \"y1\"");
    faulty("output 1", "output 2", (9, 8), "the output's number is 2, not from 1 to 1");
    faulty("layer 5 3", "layer 5 1", (16, 9), "the last layer has width 1, not 3");
    faulty("layer 5 3", "layer 5 4", (16, 9), "the last layer has width 4, not 3");
    faulty("stage 2 output 0", "stage 2", (21, 9), "\"inputs\" where `output` must be");
    faulty("stage 3 output 2", "stage 3 output 3", (23, 16), "the stage's output is 3, not from 0 to 2");
    faulty("stage 1 output 0", "stage 1 output 2", (21, 16), "the stage's output is 0, not from 2 to 2");
    faulty("zero 1 :", "zero :", (42, 6), "\":\" is no number");
    faulty("zero 1 :", "zero 0 :", (42, 6), "`zero` is for a circuit without stages");
    faulty("zero 1 :", "zero 3 :", (42, 6), "the output is 3, not from 0 to 2");
    let training = format!("sum 7\ndata csv sha256 {} bytes 1 rows 1", "0".repeat(64));
    faulty("sum 7", &training, (44, 1), "\"data\" where `end` must be");
}

#[test]
fn rows_cannot_be_replayed() {
    let compiled = compile_several(&three(), PAPER);
    let network = compiled.network();
    let found = check(compiled.certificate(&network).as_bytes(), &network, Some(b"x1,x2,x3,y1\n"));
    assert_rejected(&found, "training");
}

fn ask(changed: &Compiled, certified: &Compiled) -> Behaviour {
    check_behaviour(certified.certificate(b"").as_bytes(), &changed.network())
}

/// The same circuits over few inputs, and over more than can be tried one by one.
fn narrow_and_wide() -> [Vec<Circuit>; 2] {
    [3, 40].map(|inputs| three().into_iter().map(|circuit| Circuit { inputs, ..circuit }).collect())
}

#[test]
fn behaviour_speaks_of_all_outputs() {
    for circuits in narrow_and_wide() {
        for form in [PAPER, Form { deep: true, linear: true, ..PAPER }] {
            let certified = compile_several(&circuits, form);
            let found = ask(&certified, &certified);
            assert!(matches!(found, Behaviour::Equal { .. }), "{found}");
            for (o, bias) in [(0, 1.0), (1, 1.0), (2, -1.0)] {
                let mut changed = certified.clone();
                changed.layers.last_mut().expect("a layer").biases[o] = bias;
                let found = ask(&changed, &certified);
                let Behaviour::Differs { which: Some((number, name)), point, circuit, .. } = &found else {
                    panic!("output {o}: {found}");
                };
                assert_eq!((*number, name.as_str()), (o, ["y1", "y2", "y3"][o]));
                assert_eq!(circuits[o].at(point), *circuit);
                assert!(found.to_string().contains(&format!(": output {o} {name:?}: the network gives ")));
            }
        }
    }
}

/// A difference that no probe meets is not accepted, and the output is named.
#[test]
fn an_output_that_is_open() {
    let [_, circuits] = narrow_and_wide();
    let certified = compile_several(&circuits, PAPER);
    let mut changed = certified.clone();
    // Read by the last output's neuron alone: twice what it was, where it is 1, and half of that later.
    changed.layers[3].rows[2].iter_mut().for_each(|weight| *weight *= 2.0);
    changed.layers[4].rows[2].iter_mut().for_each(|weight| *weight *= 0.5);
    assert!(matches!(ask(&changed, &certified), Behaviour::Equal { .. }));
    // The zero reads a term that is 1 almost never: the gate by gate way cannot follow what a gate should not read.
    let wide = (0..38).map(|i| (i, i % 2 == 0)).collect();
    let rare = Circuit { inputs: 40, stages: vec![((0..38).collect(), vec![wide])] };
    let none = Circuit { inputs: 40, stages: Vec::new() };
    let certified = compile_several(&[rare, none], PAPER);
    let mut sly = certified.clone();
    sly.layers[4].rows[1][0] = 1.0;
    let found = ask(&sly, &certified);
    assert_eq!(found.exit_code(), 3, "{found}");
    assert!(found.to_string().contains("its neurons read others than the gate's inputs"), "{found}");
}
