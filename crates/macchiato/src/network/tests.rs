use super::*;
use crate::bits;
use crate::certify::{NetworkFormat, certify};
use crate::circuit::CircuitError;
use crate::circuit::{self, Circuit, Gate, Output, Rule};
use crate::stage::Stage;
use crate::staged::Staged;
use macchiato_minimize::{Cover, Literal, Shape};
use proptest::prelude::*;

fn gates(circuits: &[&Staged]) -> Result<Circuit, CircuitError> {
    let circuits: Vec<Circuit> = circuits.iter().map(|circuit| circuit.gates()).collect();
    Circuit::beside(&circuits.iter().collect::<Vec<_>>())
}

pub(crate) fn any_circuit(
    inputs: std::ops::RangeInclusive<usize>,
    stages: usize,
) -> impl Strategy<Value = Staged> {
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
            Staged { inputs: (1..=inputs).map(|i| format!("x{i}")).collect(), target: "y".into(), stages }
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
                for (literals, linear_output) in [(true, false), (false, true)] {
                    all.push(CompileOptions { and, or, xor, literals, linear_output });
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

/// The network is the circuit on every point, in numbers of both kinds, and the checker accepts it in both formats.
fn equals(circuit: &Circuit, options: &CompileOptions) -> Result<(), TestCaseError> {
    let (columns, rows) = cube(circuit.inputs().len());
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let compiled = compile(circuit, options).expect("small gates");
    let network = &compiled.network;
    let integers: Vec<i32> = network.evaluate(&columns, rows);
    let floats: Vec<f32> = network.evaluate(&columns, rows);
    let words = circuit.evaluate(&columns, bits::words(rows));
    let width = circuit.outputs().len();
    for row in 0..rows {
        let point: Vec<bool> = columns.iter().map(|column| bits::get(column, row)).collect();
        let wanted: Vec<i32> = circuit.at(&point).iter().map(|&value| value as i32).collect();
        let range = row * width..(row + 1) * width;
        prop_assert_eq!(&integers[range.clone()], &wanted[..], "{:?}", options);
        prop_assert!(floats[range].iter().zip(&wanted).all(|(f, &i)| f.to_bits() == (i as f32).to_bits()));
        prop_assert!(words.iter().zip(&wanted).all(|(words, &i)| bits::get(words, row) == (i != 0)));
        let point: Vec<i32> = point.into_iter().map(i32::from).collect();
        prop_assert_eq!(network.outputs_at(&point), wanted);
    }
    for format in [NetworkFormat::Onnx, NetworkFormat::Safetensors] {
        let text = certify(circuit, &compiled, format, &format.file(network), None);
        prop_assert!(text.is_ok(), "{:?}: {:?}", options, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_network_is_the_circuit_on_the_cube(circuit in circuit::tests::circuits()) {
        for options in every_option() {
            equals(&circuit, &options)?;
        }
    }

    #[test]
    fn so_is_that_of_the_papers_circuits(circuits in any_circuits()) {
        let all: Vec<&Staged> = circuits.iter().collect();
        let gates = gates(&all).expect("the same inputs");
        for x in 0..1usize << circuits[0].inputs.len() {
            let point: Vec<bool> = (0..circuits[0].inputs.len()).map(|i| x >> i & 1 == 1).collect();
            let wanted: Vec<u64> = circuits.iter().map(|circuit| u64::from(circuit.at(&point))).collect();
            prop_assert_eq!(gates.at(&point), wanted);
        }
        for options in every_option().into_iter().step_by(7) {
            equals(&gates, &options)?;
        }
    }

    /// Algorithm 2 and Appendix F.3, layer by layer.
    #[test]
    fn depth_and_width_are_as_stated(circuit in any_circuit(1..=8, 12)) {
        prop_assume!(!circuit.stages.is_empty());
        let m = circuit.stages.len();
        let p: usize = circuit.stages.iter().map(|stage| stage.normal_terms().len()).sum();
        let gates = circuit.gates();
        for options in every_option() {
            let compiled = compile(&gates, &options).expect("small gates");
            let mut widths = compiled.network.widths();
            if options.literals {
                prop_assert_eq!(widths.remove(0), 2 * circuit.inputs.len());
            }
            prop_assert_eq!(widths.remove(0), if options.and == AndGate::Two { 2 * p } else { p });
            let ors = if options.or == OrGate::Two { vec![2 * m] } else { vec![m, m] };
            prop_assert_eq!(&widths[..ors.len()], &ors[..]);
            let xor = &widths[ors.len()..];
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

    /// At most two neurons for each change of the rule, whatever the number of operands.
    #[test]
    fn a_rule_costs_two_neurons_for_each_change(answers in proptest::collection::vec(any::<bool>(), 1..40)) {
        let most = answers.len() as u64 - 1;
        let bank = Bank::new(most, |count| u64::from(answers[count as usize]));
        let changes = answers.windows(2).filter(|two| two[0] != two[1]).count();
        prop_assert!(bank.neurons.len() <= (2 * changes).max(1));
        for count in 0..=most {
            prop_assert_eq!(bank.value(count), i64::from(answers[count as usize]));
        }
    }
}

/// Circuits over the same inputs, of different numbers of stages.
fn any_circuits() -> impl Strategy<Value = Vec<Staged>> {
    proptest::collection::vec(any_circuit(1..=6, 6), 1..=4).prop_map(|circuits| {
        let widest = circuits.iter().map(|circuit| &circuit.inputs).max_by_key(|inputs| inputs.len());
        let inputs = widest.cloned().unwrap_or_default();
        let numbered = |(at, circuit): (usize, Staged)| Staged {
            inputs: inputs.clone(),
            target: format!("y{at}"),
            ..circuit
        };
        circuits.into_iter().enumerate().map(numbered).collect()
    })
}

#[test]
fn the_papers_widths_come_out() {
    let stage = |input: usize| {
        let mut cover = Cover::new(Shape::new(1, 1));
        cover.push(&[Literal::Positive], &[true]);
        Stage { inputs: vec![input], cover }
    };
    let circuit = |target: &str, stages: &[usize]| Staged {
        inputs: vec!["a".into(), "b".into(), "c".into()],
        target: target.into(),
        stages: stages.iter().copied().map(stage).collect(),
    };
    let (three, one, none) = (circuit("p", &[0, 1, 2]), circuit("q", &[1]), circuit("r", &[]));
    let widths = |circuits: &[&Staged], xor: XorGate| {
        let options = CompileOptions { xor, literals: true, ..CompileOptions::default() };
        compile(&gates(circuits).expect("the same inputs"), &options).expect("small").network.widths()
    };
    assert_eq!(widths(&[&three], XorGate::Flat), [6, 6, 6, 3, 1], "2B, 2P, 2M, M, 1");
    assert_eq!(widths(&[&three], XorGate::Triangle), [6, 6, 6, 2, 1, 2, 1]);
    // Outputs share the literals; what is ready early is relayed.
    assert_eq!(widths(&[&three, &one], XorGate::Flat), [6, 8, 8, 4, 2]);
    let other = Staged { inputs: vec!["a".into()], ..none.clone() };
    assert_eq!(gates(&[]), Err(CircuitError::Nothing));
    assert_eq!(gates(&[&three, &other]), Err(CircuitError::OtherInputs { circuit: 1, target: "r".into() }));
    let twice = gates(&[&three, &one, &three]).expect("the same inputs");
    assert_eq!(
        compile(&twice, &CompileOptions::default()),
        Err(CompileError::SameTarget { first: "p".into(), second: "p".into() })
    );
    let network = compile(&none.gates(), &CompileOptions::default()).expect("small").network;
    assert_eq!((network.widths(), network.at(&[1, 1, 1])), (vec![2, 1], 0), "a circuit without stages is 0");
}

#[test]
fn what_is_too_wide_for_float32_is_folded_or_refused() {
    let inputs: Vec<String> = (0..5000).map(|i| format!("x{i}")).collect();
    let literals = || (0..5000).map(circuit::Literal::input).collect();
    let output = vec![Output::new("y", circuit::Literal::gate(0))];
    let circuit = |rule| {
        Circuit::new(inputs.clone(), vec![Gate::new(rule, literals())], output.clone()).expect("valid")
    };
    let compiled = compile(&circuit(Rule::Xor), &CompileOptions::default()).expect("folded");
    assert!(compiled.largest_partial_sum < 1 << 24);
    let file = to_onnx(&compiled.network);
    certify(&circuit(Rule::Xor), &compiled, NetworkFormat::Onnx, &file, None).expect("accepted");
    let even = Rule::Counts((0..2500).map(|i| (2 * i, 2 * i)).collect());
    let refused = compile(&circuit(even), &CompileOptions::default()).expect_err("too wide");
    assert!(matches!(refused, CompileError::TooWide { sum: 16_777_216.., .. }), "{refused}");
}

#[test]
fn constants_and_redundant_terms_are_normalized() {
    use Literal::{Free, Negative, Positive};
    let stage = |terms: &[[Literal; 2]]| {
        let mut cover = Cover::new(Shape::new(2, 1));
        for term in terms {
            cover.push(term, &[true]);
        }
        Stage { inputs: vec![3, 5], cover }.normal_terms()
    };
    assert_eq!(stage(&[]), [vec![(3, true), (3, false)]]);
    assert_eq!(stage(&[[Free, Free], [Positive, Free]]), [vec![(3, true)], vec![(3, false)]]);
    let kept = stage(&[[Positive, Negative], [Positive, Free], [Positive, Free], [Negative, Free]]);
    assert_eq!(kept, [vec![(3, true)], vec![(3, false)]]);
}
