//! Every fit is certified and checked: circuits of all gate options, both file formats, with and without training rows; and
//! lies about any of them are caught.

use macchiato::certify::{CertifyError, NetworkFormat, TrainedOutput, Training};
use macchiato::check::{Verdict, check};
use macchiato::circuit::Circuit;
use macchiato::fit::{Fit, Found, PaperParams, Selection, fit_paper};
use macchiato::frame::{Compression, Format, Values, write_to};
use macchiato::generate::{Target, sample};
use macchiato::learn::{AutoParams, fit_auto};
use macchiato::minimize::{Budget, Cover, Literal, Shape};
use macchiato::model::Method;
use macchiato::network::{AndGate, CompileOptions, Compiled, OrGate, XorGate, to_onnx, to_safetensors};
use macchiato::replay::replay;
use macchiato::rows::Rows;
use macchiato::stage::Stage;
use macchiato::staged::Staged;
use std::fs;
use std::path::Path;

fn compile_several(circuits: &[&Circuit], options: &CompileOptions) -> (Circuit, Compiled) {
    let circuit = Circuit::beside(circuits).expect("the same inputs");
    let compiled = macchiato::network::compile(&circuit, options).expect("small gates");
    (circuit, compiled)
}

fn compile(circuit: &Circuit, options: &CompileOptions) -> Compiled {
    compile_several(&[circuit], options).1
}

fn certify(
    circuit: &Circuit,
    compiled: &Compiled,
    format: NetworkFormat,
    network: &[u8],
    training: Option<&Training<'_>>,
) -> Result<String, CertifyError> {
    macchiato::certify::certify(circuit, compiled, format, network, training)
}

/// The stages of a fit as they were learned, or its circuit, where it has none.
fn staged(fit: &Fit) -> Circuit {
    if fit.stages.is_empty() {
        return fit.circuit.clone();
    }
    let target = fit.circuit.outputs()[0].name.clone();
    Staged { inputs: fit.circuit.inputs().to_vec(), target, stages: fit.stages.clone() }.gates()
}

fn learned(seed: u64, selection: Selection) -> (Rows, Method, Fit) {
    let target = Target::junta(9, 5, seed).expect("a target");
    let rows = sample(&target, 300, seed).expect("rows");
    let mut params = PaperParams::new(3, 6);
    params.selection = selection;
    let fit = fit_paper(&rows, &params.clone().check(&rows).expect("checked"), &Budget::unlimited())
        .expect("a fit");
    (rows, Method::Paper(params), fit)
}

/// The same rows with other labels in one word, and weights.
fn flipped(rows: &Rows, (word, bits): (usize, u64), weights: Option<Vec<u64>>) -> Rows {
    let mut labels = rows.labels().to_vec();
    labels[word] ^= bits;
    let names = (rows.names().to_vec(), rows.target().to_owned());
    Rows::named(names, rows.columns().to_vec(), labels, (rows.len(), weights)).expect("rows")
}

/// Rows with some labels wrong, so that stages have majorities to weigh.
fn learned_auto(seed: u64, k: Option<usize>) -> (Rows, Method, Fit) {
    let target = Target::junta(9, 5, seed).expect("a target");
    let rows = flipped(&sample(&target, 300, seed).expect("rows"), (2, 0x0040_1000_8000_0201), None);
    let params =
        AutoParams::with(|params| (params.k, params.m, params.effort, params.seed) = (k, 6, 2, seed));
    let fit = fit_auto(&rows, None, &params.clone().check(&rows).expect("checked"), &Budget::unlimited())
        .expect("a fit");
    (rows, Method::Auto(params), fit)
}

fn csv(rows: &Rows) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, &rows.clone().into_frame("rows"), Format::Csv, Compression::None, None)
        .expect("CSV");
    bytes
}

fn every_option() -> impl Iterator<Item = CompileOptions> {
    let ands = [AndGate::Two, AndGate::Narrow];
    let ors = [OrGate::Two, OrGate::Deep];
    let xors = [XorGate::Flat, XorGate::Triangle, XorGate::Depth(1), XorGate::Depth(2)];
    ands.into_iter().flat_map(move |and| {
        ors.into_iter().flat_map(move |or| {
            xors.into_iter().flat_map(move |xor| {
                [false, true].into_iter().map(move |flag| {
                    let mut options = CompileOptions::default();
                    (options.and, options.or, options.xor) = (and, or, xor);
                    (options.literals, options.linear_output) = (!flag, !flag);
                    options
                })
            })
        })
    })
}

#[test]
fn every_option_and_format_is_accepted() {
    for seed in 0..3 {
        let (rows, method, fit) = learned(seed, Selection::Influence);
        let bytes = csv(&rows);
        for options in every_option() {
            let compiled = compile(&staged(&fit), &options);
            let training = Training::new("csv", &bytes, &method, &fit.trace);
            for (format, network) in [
                (NetworkFormat::Onnx, to_onnx(&compiled.network)),
                (NetworkFormat::Safetensors, to_safetensors(&compiled.network)),
            ] {
                let text =
                    certify(&staged(&fit), &compiled, format, &network, Some(&training)).expect("accepted");
                assert!(
                    check(text.as_bytes(), &network).is_accepted() && replay(text.as_bytes(), &bytes).is_ok(),
                    "{options:?}"
                );
            }
        }
    }
}

#[test]
fn random_selection_is_replayed_too() {
    let (rows, method, fit) = learned(5, Selection::Random);
    let compiled = compile(&staged(&fit), &CompileOptions::default());
    let bytes = csv(&rows);
    let training = Training::new("csv", &bytes, &method, &fit.trace);
    let network = to_onnx(&compiled.network);
    certify(&staged(&fit), &compiled, NetworkFormat::Onnx, &network, Some(&training)).expect("accepted");
}

#[test]
fn stages_chosen_by_evidence_are_replayed_too() {
    for seed in 0..4 {
        for k in [None, Some(3)] {
            let (rows, method, fit) = learned_auto(seed, k);
            let compiled = compile(&staged(&fit), &CompileOptions::default());
            let bytes = csv(&rows);
            let training = Training::new("csv", &bytes, &method, &fit.trace);
            let network = to_safetensors(&compiled.network);
            let text =
                certify(&staged(&fit), &compiled, NetworkFormat::Safetensors, &network, Some(&training))
                    .expect("accepted");
            let params = if k.is_some() { "\ntraining auto k 3 m 6\n" } else { "\ntraining auto m 6\n" };
            assert!(text.contains(params) && !text.contains("\ntraining influence "), "{text}");
            let replayed = replay(text.as_bytes(), &bytes);
            assert!(replayed.is_ok(), "{replayed:?}");
        }
    }
}

/// The same rows with weights that go against some of the labels, in a column of their own.
fn weighted(seed: u64) -> (Rows, Vec<u8>) {
    let target = Target::junta(9, 5, seed).expect("a target");
    let weights = (0..300).map(|row| [1_000_000, 250_000, 3_000_000, 500_000, 1_500_000][row % 5]).collect();
    let rows = sample(&target, 300, seed).expect("rows");
    let rows = flipped(&rows, (1, 0x0101_0101_0101_0101), Some(weights));
    let mut text = rows.names().join(",") + &format!(",{},w\n", rows.target());
    for row in 0..rows.len() {
        for column in rows.columns().iter().map(Vec::as_slice).chain([rows.labels()]) {
            text.push_str(if macchiato::bits::get(column, row) { "1," } else { "0," });
        }
        text.push_str(["1", "0.25", "3.000", ".5", "1.5"][row % 5]);
        text.push('\n');
    }
    (rows, text.into_bytes())
}

fn accepted(fit: &Fit, training: &Training<'_>) -> String {
    let compiled = compile(&staged(fit), &CompileOptions::default());
    let network = to_onnx(&compiled.network);
    certify(&staged(fit), &compiled, NetworkFormat::Onnx, &network, Some(training)).expect("accepted")
}

#[test]
fn weights_and_shares_are_replayed_too() {
    for seed in 0..4 {
        for split in [false, true] {
            let (rows, bytes) = weighted(seed);
            let mut params = PaperParams::new(3, 5);
            params.split = split;
            let checked = params.clone().check(&rows).expect("checked");
            let fit = fit_paper(&rows, &checked, &Budget::unlimited()).expect("a fit");
            let method = Method::Paper(params);
            let claims = Training::new("csv", &bytes, &method, &fit.trace);
            let training = Training { weight: Some("w"), ..claims.clone() };
            let text = accepted(&fit, &training);
            assert!(text.contains(" weight \"w\"\n") && text.contains(" split\n") == split, "{text}");
            // Whoever leaves the weights out, or the shares, says something else of the same rows.
            let compiled = compile(&staged(&fit), &CompileOptions::default());
            let network = to_onnx(&compiled.network);
            let refused = certify(&staged(&fit), &compiled, NetworkFormat::Onnx, &network, Some(&claims));
            assert!(matches!(refused, Err(CertifyError::Training { .. })), "{refused:?}");
            let other = text.replace(" split\n", "\n");
            assert_eq!(replay(other.as_bytes(), &bytes).is_err(), split, "{other}");
        }
        let (rows, bytes) = weighted(seed);
        let params = AutoParams::with(|params| (params.m, params.effort, params.seed) = (6, 2, seed));
        let checked = params.clone().check(&rows).expect("checked");
        let fit = fit_auto(&rows, None, &checked, &Budget::unlimited()).expect("a fit");
        let method = Method::Auto(params);
        let claims = Training::new("csv", &bytes, &method, &fit.trace);
        accepted(&fit, &Training { weight: Some("w"), ..claims });
    }
}

#[test]
fn several_outputs_are_replayed_each() {
    let target = Target::junta(9, 5, 3).expect("a target");
    let rows = sample(&target, 300, 3).expect("rows");
    let mut table = rows.clone().into_frame("rows");
    let second: Vec<u64> = rows.columns()[2].iter().zip(&rows.columns()[4]).map(|(a, b)| a ^ b).collect();
    let (inputs, first) = (table.columns.len() - 1, table.columns.len());
    table.columns.push(Values::Boolean { bits: second.into(), missing: None });
    table.names.push("second".into());
    let bytes = {
        let mut bytes = Vec::new();
        write_to(&mut bytes, &table, Format::Csv, Compression::None, None).expect("CSV");
        bytes
    };
    let of = |target: usize| {
        let mut table = table.clone();
        let other = if target == inputs { first } else { inputs };
        table.columns.remove(other);
        table.names.remove(other);
        let rows = Rows::from_frame(table, None).expect("rows");
        let params = PaperParams::new(3, 6);
        let checked = params.clone().check(&rows).expect("checked");
        (Method::Paper(params), fit_paper(&rows, &checked, &Budget::unlimited()).expect("a fit"))
    };
    let fits = [of(inputs), of(first)];
    let (circuit, compiled) =
        compile_several(&[&staged(&fits[0].1), &staged(&fits[1].1)], &CompileOptions::default());
    let network = to_onnx(&compiled.network);
    let trained = |output: usize, fit: usize| TrainedOutput {
        output,
        class: "1",
        method: &fits[fit].0,
        trace: &fits[fit].1.trace,
    };
    let claims = |parts: Vec<TrainedOutput<'_>>| {
        let training = Training { fits: parts, ..Training::new("csv", &bytes, &fits[0].0, &fits[0].1.trace) };
        macchiato::certify::certify(&circuit, &compiled, NetworkFormat::Onnx, &network, Some(&training))
    };
    let text = claims(vec![trained(0, 0), trained(1, 1)]).expect("accepted");
    assert!(text.contains("\ntraining output 0\n") && text.contains("\ntraining output 1\n"), "{text}");
    let replayed = macchiato::replay::replay_outputs(text.as_bytes(), &bytes).expect("replayed");
    assert_eq!(replayed.iter().map(|(output, _)| *output).collect::<Vec<_>>(), [0, 1]);
    claims(vec![trained(1, 1)]).expect("one of them alone");
    let swapped = claims(vec![trained(0, 1), trained(1, 0)]);
    assert!(matches!(swapped, Err(CertifyError::Training { .. })), "{swapped:?}");
}

/// One lie about a stage of `auto`, and what the checker says of it.
type Lie = (fn(&mut Fit), &'static str);

#[test]
fn lies_about_evidence_are_refused() {
    let (rows, method, honest) = learned_auto(1, Some(4));
    let bytes = csv(&rows);
    let compiled = compile(&staged(&honest), &CompileOptions::default());
    let network = to_onnx(&compiled.network);
    let lies: [Lie; 7] = [
        (|fit| fit.trace.data.rows += 1, "rows, where the certificate says"),
        (|fit| fit.trace.stages[0].errors_before += 1, "rows in error before it"),
        (|fit| fit.trace.stages[0].errors_after += 1, "rows in error after it"),
        (|fit| fit.trace.stages[0].cells.on += 1, "cells with majority 1"),
        (|fit| fit.trace.stages[0].cells.off += 1, "cells with majority 0"),
        (|fit| fit.trace.stages[0].cells.tied += 1, "tied cells"),
        (
            |fit| match &mut fit.trace.stages[0].found {
                Found::Evidence { against, .. } => *against += 1,
                Found::Influence(_) => panic!("a stage of auto"),
            },
            "cells whose majority its cover is against",
        ),
    ];
    for (lie, why) in lies {
        let mut fit = honest.clone();
        lie(&mut fit);
        let training = Training::new("csv", &bytes, &method, &fit.trace);
        match certify(&staged(&fit), &compiled, NetworkFormat::Onnx, &network, Some(&training)) {
            Err(CertifyError::Training { verdict }) => assert!(verdict.contains(why), "{verdict}"),
            other => panic!("{why}: {other:?}"),
        }
    }
    let narrow = Method::Auto(AutoParams::with(|params| params.k = Some(1)));
    let training = Training::new("csv", &bytes, &narrow, &honest.trace);
    match certify(&staged(&honest), &compiled, NetworkFormat::Onnx, &network, Some(&training)) {
        Err(CertifyError::Training { verdict }) => {
            assert!(verdict.contains("inputs, more than k, which is 1"), "{verdict}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_lie_about_what_a_circuit_of_any_shape_gets_wrong_is_refused() {
    let mut circuits = 0;
    for seed in 0..4 {
        let (rows, method, honest) = learned_auto(seed, None);
        circuits += usize::from(honest.stages.is_empty());
        let bytes = csv(&rows);
        let compiled = compile(&staged(&honest), &CompileOptions::default());
        let network = to_onnx(&compiled.network);
        for lie in [1, -1] {
            let mut fit = honest.clone();
            fit.trace.errors = fit.trace.errors.wrapping_add_signed(lie);
            let training = Training::new("csv", &bytes, &method, &fit.trace);
            let verdict = certify(&staged(&fit), &compiled, NetworkFormat::Onnx, &network, Some(&training));
            match verdict {
                // Stages say what each of them gets wrong, and nothing of the whole.
                Ok(_) => assert!(!honest.stages.is_empty()),
                Err(CertifyError::Training { verdict }) => {
                    assert!(
                        verdict.contains(&format!("rows in error: {}, not ", honest.trace.errors)),
                        "{verdict}"
                    );
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    assert!(circuits > 0, "some circuit has no stages");
}

#[test]
fn rows_of_another_training_are_refused() {
    let (_, method, fit) = learned(1, Selection::Influence);
    let (others, ..) = learned(2, Selection::Influence);
    let compiled = compile(&staged(&fit), &CompileOptions::default());
    let bytes = csv(&others);
    let training = Training::new("csv", &bytes, &method, &fit.trace);
    let refused =
        certify(&staged(&fit), &compiled, NetworkFormat::Onnx, &to_onnx(&compiled.network), Some(&training));
    assert!(matches!(refused, Err(CertifyError::Training { .. })), "{refused:?}");
}

/// A bias moved by one is rejected twice over: with the honest certificate for the digest, and with a certificate made for
/// the forged file for the neuron.
#[test]
fn a_moved_bias_is_rejected_wherever_it_is() {
    let (_, _, fit) = learned(3, Selection::Influence);
    let compiled = compile(&staged(&fit), &CompileOptions::default());
    let honest = to_onnx(&compiled.network);
    let text = certify(&staged(&fit), &compiled, NetworkFormat::Onnx, &honest, None).expect("accepted");
    let widths = compiled.network.widths();
    assert!(widths.iter().sum::<usize>() > 20);
    for (layer, neurons) in widths.into_iter().enumerate() {
        for neuron in 0..neurons {
            let mut forged = compiled.clone();
            forged.network.layers[layer].biases[neuron] += 1;
            let network = to_onnx(&forged.network);
            let verdict = check(text.as_bytes(), &network);
            assert!(
                matches!(&verdict, Verdict::Rejected { why, .. } if why.contains("SHA-256")),
                "{verdict}"
            );
            match certify(&staged(&fit), &forged, NetworkFormat::Onnx, &network, None) {
                Err(CertifyError::NotAccepted { verdict }) => assert!(verdict.contains("bias"), "{verdict}"),
                other => panic!("layer {layer}, neuron {neuron}: {other:?}"),
            }
        }
    }
}

/// Whether one of two switches is on, or somebody moves in the dark, an odd number of these: the rule of `fit --example`.
fn light() -> Staged {
    let stage = |inputs: &[usize]| {
        let mut cover = Cover::new(Shape::new(inputs.len(), 1));
        cover.push(&vec![Literal::Positive; inputs.len()], &[true]);
        Stage { inputs: inputs.to_vec(), cover }
    };
    let inputs = ["upstairs", "downstairs", "dark", "motion", "rain", "weekend", "tv", "heating"];
    Staged {
        inputs: inputs.map(str::to_owned).to_vec(),
        target: "light".to_owned(),
        stages: vec![stage(&[0]), stage(&[1]), stage(&[2, 3])],
    }
}

/// Networks and certificates that were once written are written again byte for byte, and accepted for ever. `MACCHIATO_BLESS=1` writes the
/// files instead; once a version is released they must not change.
#[test]
fn certificates_are_the_golden_bytes() {
    let light = light();
    let never = Staged { target: "never".to_owned(), stages: Vec::new(), ..light.clone() };
    let dark =
        Staged { target: "dark and motion".to_owned(), stages: light.stages[2..].to_vec(), ..light.clone() };
    let [light, never, dark] = [&light, &never, &dark].map(Staged::gates);
    let (one, several) = (vec![&light], vec![&light, &never, &dark]);
    let flat = CompileOptions::default();
    let (mut triangle, mut depth) = (flat, flat);
    (triangle.and, triangle.or, triangle.xor) = (AndGate::Narrow, OrGate::Deep, XorGate::Triangle);
    (depth.xor, depth.linear_output) = (XorGate::Depth(2), true);
    let (onnx, safetensors) = (NetworkFormat::Onnx, NetworkFormat::Safetensors);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/certificates");
    for (name, circuits, options, format) in [
        ("one-flat", &one, flat, onnx),
        ("one-paper", &one, CompileOptions::paper(), onnx),
        ("one-triangle", &one, triangle, safetensors),
        ("one-depth", &one, depth, safetensors),
        ("several-flat", &several, flat, onnx),
        ("several-triangle", &several, triangle, safetensors),
        ("several-depth", &several, depth, onnx),
    ] {
        let (circuit, compiled) = compile_several(circuits, &options);
        let network = match format {
            NetworkFormat::Onnx => to_onnx(&compiled.network),
            NetworkFormat::Safetensors => to_safetensors(&compiled.network),
        };
        let text =
            macchiato::certify::certify(&circuit, &compiled, format, &network, None).expect("accepted");
        let paths = [folder.join(format!("{name}.{}", format.name())), folder.join(format!("{name}.cert"))];
        if std::env::var_os("MACCHIATO_BLESS").is_some() {
            fs::write(&paths[0], &network).expect("the golden file can be written");
            fs::write(&paths[1], &text).expect("the golden file can be written");
        }
        let [golden, certificate] = paths.map(|path| fs::read(path).expect("the golden file can be read"));
        assert!(check(&certificate, &golden).is_accepted(), "{name}");
        assert!(golden == network, "{name}");
        assert!(certificate == text.as_bytes(), "{name}:\n{text}");
    }
}
