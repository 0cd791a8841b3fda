//! Why TF32 and bfloat16 are outside of the certificate's claim: an exact network, run as accelerators run it in those formats,
//! is right up to 2,048 and 256 terms that are true at once, and wrong from the next one on.
//!
//! Both formats round what a layer reads, to 11 and 8 bits, and add up in float32.

use macchiato::certify::{NetworkFormat, certify};
use macchiato::circuit::Circuit;
use macchiato::minimize::{Cover, Literal, Shape};
use macchiato::network::{Activation, CompileOptions, Network, compile, to_onnx};
use macchiato::stage::Stage;

/// The OR of so many inputs, each a term of its own.
fn or_of(terms: usize) -> Circuit {
    let mut cover = Cover::new(Shape::new(terms, 1));
    for term in 0..terms {
        let literal = |input| if input == term { Literal::Positive } else { Literal::Free };
        cover.push(&(0..terms).map(literal).collect::<Vec<_>>(), &[true]);
    }
    let inputs = (0..terms).map(|input| format!("x{input}")).collect();
    Circuit { inputs, target: "y".into(), stages: vec![Stage { inputs: (0..terms).collect(), cover }] }
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
        let options = CompileOptions { prune: true, ..CompileOptions::default() };
        let right = compile(&or_of(most), &options).network;
        assert_eq!(at_ones(&right, bits), 1.0, "{most} terms, {bits} bits");
        let circuit = or_of(most + 1);
        let wrong = compile(&circuit, &options);
        assert_eq!(at_ones(&wrong.network, 23), 1.0, "almost float32");
        assert_eq!(at_ones(&wrong.network, bits), 0.0, "{} terms, {bits} bits", most + 1);
        if bits == 8 {
            // The checker accepts it all the same: its claim is about float32.
            certify(&circuit, &wrong, NetworkFormat::Onnx, &to_onnx(&wrong.network), None).expect("accepted");
        }
    }
}
