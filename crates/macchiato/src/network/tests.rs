use super::*;
use crate::bits;
use crate::certify::{NetworkFormat, certify_several};
use crate::circuit::Circuit;
use crate::stage::Stage;
use macchiato_minimize::{Cover, Literal, Shape};
use proptest::prelude::*;

pub(crate) fn any_circuit(
    inputs: std::ops::RangeInclusive<usize>,
    stages: usize,
) -> impl Strategy<Value = Circuit> {
    inputs.prop_flat_map(move |inputs| {
        let literal = prop_oneof![Just(Literal::Negative), Just(Literal::Positive), Just(Literal::Free)];
        let term = proptest::collection::vec(literal, inputs);
        let cover = proptest::collection::vec(term, 0..6);
        let chosen = proptest::sample::subsequence((0..inputs).collect::<Vec<_>>(), 1..=inputs);
        proptest::collection::vec((chosen, cover), 0..=stages).prop_map(move |stages| {
            let stages = stages
                .into_iter()
                .map(|(chosen, terms)| {
                    let mut cover = Cover::new(Shape::new(chosen.len(), 1));
                    for term in terms {
                        cover.push(&term[..chosen.len()], &[true]);
                    }
                    Stage { inputs: chosen, cover }
                })
                .collect();
            Circuit { inputs: (1..=inputs).map(|i| format!("x{i}")).collect(), target: "y".into(), stages }
        })
    })
}

fn every_option() -> Vec<CompileOptions> {
    let mut all = Vec::new();
    for and in [AndGate::Two, AndGate::Narrow] {
        for or in [OrGate::Two, OrGate::Deep] {
            for xor in
                [XorGate::Flat, XorGate::Triangle, XorGate::Depth(1), XorGate::Depth(2), XorGate::Depth(3)]
            {
                for (prune, linear_output) in [(false, false), (true, true)] {
                    all.push(CompileOptions { and, or, xor, prune, linear_output });
                }
            }
        }
    }
    all
}

/// All points of the cube as bit columns.
fn cube(inputs: usize) -> (Vec<Vec<u64>>, usize) {
    let rows = 1 << inputs;
    let column = |i: usize| {
        let mut column = bits::Column::default();
        (0..rows).for_each(|x: usize| column.push(x >> i & 1 == 1));
        column.into_words()
    };
    ((0..inputs).map(column).collect(), rows)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_network_is_the_circuit_on_the_cube(circuit in any_circuit(1..=8, 12)) {
        let (columns, rows) = cube(circuit.inputs.len());
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let mut expected = circuit.evaluate(&columns, bits::words(rows));
        *expected.last_mut().expect("a word") &= bits::last_mask(rows);
        for options in every_option() {
            let network = compile(&circuit, &options).network;
            prop_assert_eq!(&network.predict(&columns, rows), &expected, "{:?}", options);
            let integers: Vec<i32> = network.evaluate(&columns, rows);
            let floats: Vec<f32> = network.evaluate(&columns, rows);
            prop_assert!(integers.iter().zip(&floats).all(|(&i, &f)| f.to_bits() == (i as f32).to_bits() && (i == 0 || i == 1)));
            let point: Vec<i32> = (0..circuit.inputs.len()).map(|i| i32::from(bits::get(columns[i], rows - 1))).collect();
            prop_assert_eq!(network.at(&point), integers[rows - 1]);
            prop_assert!(network.largest_partial_sum() < 1 << 24);
        }
    }

    #[test]
    fn depth_and_width_are_as_stated(circuit in any_circuit(1..=8, 12)) {
        prop_assume!(!circuit.stages.is_empty());
        let m = circuit.stages.len();
        for options in every_option() {
            let compiled = compile(&circuit, &options);
            let p: usize = compiled.stages.iter().map(|stage| stage.terms.len()).sum();
            let widths = compiled.network.widths();
            if !options.prune {
                prop_assert_eq!(widths[0], 2 * circuit.inputs.len());
            }
            prop_assert_eq!(widths[1], if options.and == AndGate::Two { 2 * p } else { p });
            let ors = if options.or == OrGate::Two { vec![2 * m] } else { vec![m, m] };
            prop_assert_eq!(&widths[2..2 + ors.len()], &ors[..]);
            let xor = &widths[2 + ors.len()..];
            match options.xor {
                XorGate::Flat => prop_assert_eq!(xor, &[m, 1]),
                XorGate::Triangle if m == 1 => prop_assert_eq!(xor, &[1, 1]),
                XorGate::Triangle => {
                    let steps = m.next_power_of_two().trailing_zeros() as usize;
                    prop_assert_eq!(xor, &[2, 1].repeat(steps)[..]);
                }
                XorGate::Depth(d) => {
                    prop_assert!(xor.len() <= 2 * d, "depth {} of {}", xor.len(), 2 * d);
                    prop_assert!(xor.iter().all(|&width| width <= m));
                    prop_assert!(xor.iter().sum::<usize>() <= 2 * d * m);
                }
            }
            let last = compiled.network.layers.last().expect("a layer").activation;
            prop_assert_eq!(last, if options.linear_output { Activation::Linear } else { Activation::Relu });
        }
    }
}

/// Circuits over the same inputs, of different numbers of stages.
fn any_circuits() -> impl Strategy<Value = Vec<Circuit>> {
    proptest::collection::vec(any_circuit(1..=6, 6), 1..=4).prop_map(|circuits| {
        let widest = circuits.iter().map(|circuit| &circuit.inputs).max_by_key(|inputs| inputs.len());
        let inputs = widest.cloned().unwrap_or_default();
        let numbered = |(at, circuit): (usize, Circuit)| Circuit {
            inputs: inputs.clone(),
            target: format!("y{at}"),
            ..circuit
        };
        circuits.into_iter().enumerate().map(numbered).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_network_of_several_is_each_circuit_on_the_cube(circuits in any_circuits()) {
        let (columns, rows) = cube(circuits[0].inputs.len());
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let all: Vec<&Circuit> = circuits.iter().collect();
        for options in every_option() {
            let compiled = compile_several(&all, &options).expect("the same inputs");
            let network = &compiled.network;
            let integers: Vec<i32> = network.evaluate(&columns, rows);
            let floats: Vec<f32> = network.evaluate(&columns, rows);
            let bits_of = |column: &Vec<u64>| (0..rows).map(|row| bits::get(column, row)).collect::<Vec<bool>>();
            let answers: Vec<Vec<bool>> = network.predict_all(&columns, rows).iter().map(bits_of).collect();
            for row in 0..rows {
                let point: Vec<bool> = columns.iter().map(|column| bits::get(column, row)).collect();
                let wanted: Vec<i32> = circuits.iter().map(|circuit| i32::from(circuit.at(&point))).collect();
                let range = row * all.len()..(row + 1) * all.len();
                prop_assert_eq!(&integers[range.clone()], &wanted[..], "{:?}", options);
                prop_assert!(floats[range].iter().zip(&wanted).all(|(f, &i)| f.to_bits() == (i as f32).to_bits()));
                prop_assert!(answers.iter().zip(&wanted).all(|(answers, &i)| answers[row] == (i == 1)));
                let point: Vec<i32> = point.into_iter().map(i32::from).collect();
                prop_assert_eq!(network.outputs_at(&point), wanted);
            }
            for format in [NetworkFormat::Onnx, NetworkFormat::Safetensors] {
                let file = match format {
                    NetworkFormat::Onnx => to_onnx(network),
                    NetworkFormat::Safetensors => to_safetensors(network),
                };
                let text = certify_several(&all, &compiled, format, &file);
                prop_assert!(text.is_ok(), "{:?}: {:?}", options, text);
                let version = if all.len() == 1 { "macchiato-certificate 1\n" } else { "macchiato-certificate 2\n" };
                prop_assert!(text.is_ok_and(|text| text.starts_with(version)));
            }
        }
    }

    /// Neither the network nor its certificate notices that one is a special case of several.
    #[test]
    fn several_of_one_is_one(circuit in any_circuit(1..=6, 8)) {
        for options in every_option() {
            prop_assert_eq!(&compile_several(&[&circuit], &options), &Ok(compile(&circuit, &options)));
        }
    }
}

#[test]
fn widths_of_several_are_sums_but_for_the_literals() {
    let stage = |input: usize| {
        let mut cover = Cover::new(Shape::new(1, 1));
        cover.push(&[Literal::Positive], &[true]);
        Stage { inputs: vec![input], cover }
    };
    let circuit = |target: &str, stages: &[usize]| Circuit {
        inputs: vec!["a".into(), "b".into(), "c".into()],
        target: target.into(),
        stages: stages.iter().copied().map(stage).collect(),
    };
    let (three, one, none) = (circuit("p", &[0, 1, 2]), circuit("q", &[1]), circuit("r", &[]));
    let widths = |xor: XorGate| {
        let options = CompileOptions { xor, ..CompileOptions::default() };
        compile_several(&[&three, &one, &none], &options).expect("the same inputs").network.widths()
    };
    assert_eq!(widths(XorGate::Flat), [6, 8, 8, 4, 3]);
    assert_eq!(widths(XorGate::Triangle), [6, 8, 8, 4, 2, 4, 3], "two folds for both");
    assert_eq!(widths(XorGate::Depth(2)), [6, 8, 8, 4, 3, 3, 3], "two rounds for both");
    let other = Circuit { inputs: vec!["a".into()], ..none.clone() };
    let options = CompileOptions::default();
    assert_eq!(compile_several(&[], &options), Err(CompileError::Nothing));
    let refused = compile_several(&[&three, &other], &options);
    assert_eq!(refused, Err(CompileError::OtherInputs { circuit: 1, target: "r".into() }));
    let refused = compile_several(&[&three, &one, &three], &options);
    assert_eq!(refused, Err(CompileError::SameTarget { first: "p".into(), second: "p".into() }));
}

#[test]
fn constants_and_redundant_terms_are_normalized() {
    use Literal::{Free, Negative, Positive};
    let stage = |terms: &[[Literal; 2]]| {
        let mut cover = Cover::new(Shape::new(2, 1));
        for term in terms {
            cover.push(term, &[true]);
        }
        NormalStage::new(&Stage { inputs: vec![3, 5], cover }).terms
    };
    assert_eq!(stage(&[]), [vec![(3, true), (3, false)]]);
    assert_eq!(stage(&[[Free, Free], [Positive, Free]]), [vec![(3, true)], vec![(3, false)]]);
    let kept = stage(&[[Positive, Negative], [Positive, Free], [Positive, Free], [Negative, Free]]);
    assert_eq!(kept, [vec![(3, true)], vec![(3, false)]]);
}

#[test]
fn a_circuit_without_stages_is_zero() {
    let circuit = Circuit { inputs: vec!["a".into(), "b".into()], target: "y".into(), stages: Vec::new() };
    let compiled = compile(&circuit, &CompileOptions::default());
    assert_eq!(compiled.network.widths(), [1]);
    assert_eq!(compiled.network.at(&[1, 1]), 0);
}
