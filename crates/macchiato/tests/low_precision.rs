//! Why TF32 and bfloat16 are outside of the certificate's claim: an exact network, run as accelerators run it in those formats,
//! is right up to 2,048 and 256 terms that are true at once, and wrong from the next one on.
//!
//! Both formats round what a layer reads, to 11 and 8 bits, and add up in float32.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::circuit::{Circuit, Gate, Literal, Output, Rule};
use macchiato::network::{Activation, CompileOptions, Network, compile, to_onnx};

/// The OR of so many inputs.
fn or_of(terms: usize) -> Circuit {
    let inputs = (0..terms).map(|input| format!("x{input}")).collect();
    let or = Gate::new(Rule::Or, (0..terms).map(Literal::input).collect());
    Circuit::new(inputs, vec![or], vec![Output::new("y", Literal::gate(0))]).expect("valid")
}

/// To the nearest number of so many bits, ties to even.
fn rounded(value: f32, bits: u32) -> f32 {
    let drop = 24 - bits;
    let half = (1 << (drop - 1)) - 1 + (value.to_bits() >> drop & 1);
    f32::from_bits((value.to_bits() + half) >> drop << drop)
}

/// The output where every input is 1, with what each layer reads rounded.
fn at_ones(network: &Network, bits: u32) -> f32 {
    let mut values = vec![1.0; network.inputs];
    for layer in &network.layers {
        let read: Vec<f32> = values.iter().map(|&value| rounded(value, bits)).collect();
        let neuron = |(row, &bias): (&Vec<(u32, i32)>, &i32)| {
            let sum = row.iter().fold(0.0, |sum, &(from, weight)| sum + weight as f32 * read[from as usize]);
            let sum = sum + bias as f32;
            if layer.activation == Activation::Relu { sum.max(0.0) } else { sum }
        };
        values = layer.weights.iter().zip(&layer.biases).map(neuron).collect();
    }
    values[0]
}

#[test]
#[allow(clippy::float_cmp)] // Whole numbers.
fn tf32_and_bfloat16_fail_where_the_documents_say() {
    for (bits, most) in [(8, 256), (11, 2048)] {
        let options = CompileOptions::default();
        let right = compile(&or_of(most), &options).expect("exact").network;
        assert_eq!(at_ones(&right, bits), 1.0, "{most} terms, {bits} bits");
        let circuit = or_of(most + 1);
        let wrong = compile(&circuit, &options).expect("exact");
        assert_eq!(at_ones(&wrong.network, 23), 1.0, "almost float32");
        assert_eq!(at_ones(&wrong.network, bits), 0.0, "{} terms, {bits} bits", most + 1);
        if bits == 8 {
            // The checker accepts it all the same: its claim is about float32.
            certify(&circuit, &wrong, NetworkFormat::Onnx, &to_onnx(&wrong.network), None).expect("accepted");
        }
    }
}
