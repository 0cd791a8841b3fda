//! Changed networks in onnxruntime decide what their records say, and z3 proves the properties that are exported.

use super::{random_circuits, run, tool};
use macchiato::certify::{NetworkFormat, certify};
use macchiato::circuit::Circuit;
use macchiato::export::vnnlib::properties;
use macchiato::network::{CompileOptions, TunedLayer, compile, to_onnx, to_tuned_onnx};
use macchiato::recertify::recertify;
use macchiato::staged::Staged;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

/// Weights of a network, each that is not 0 moved a little, and some of them much.
fn moved(network: &macchiato::network::Network, rng: &mut ChaCha8Rng) -> Vec<TunedLayer> {
    let mut before = network.inputs;
    let mut layers = Vec::new();
    for layer in &network.layers {
        let mut weights = vec![0.0f32; before * layer.width()];
        for (n, row) in layer.weights.iter().enumerate() {
            for &(from, weight) in row {
                let much = if rng.random_range(0..40) == 0 { -weight as f32 } else { 0.0 };
                weights[n * before + from as usize] =
                    weight as f32 + much + rng.random_range(-0.004f32..0.004);
            }
        }
        let biases =
            layer.biases.iter().map(|&bias| bias as f32 + rng.random_range(-0.004f32..0.004)).collect();
        layers.push(TunedLayer { weights, biases });
        before = layer.width();
    }
    layers
}

/// Every record that is issued for a network of up to 14 inputs is true in onnxruntime at every point, also with its columns in another
/// order and with neurons of zeros.
#[test]
fn onnxruntime_decides_what_records_say() {
    let Some(python) = tool::python_with("onnx, onnxruntime", "onnxruntime_decides_what_records_say") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let (mut jobs, mut changed) = (Vec::new(), 0);
    for at in 0..60 {
        let inputs = if at == 0 { 14 } else { rng.random_range(2..=9) };
        let circuits: Vec<Circuit> = random_circuits(&mut rng, inputs, 4).iter().map(Staged::gates).collect();
        let circuit = Circuit::beside(&circuits.iter().collect::<Vec<_>>()).expect("the same inputs");
        let Ok(compiled) = compile(&circuit, &CompileOptions::default()) else { continue };
        let certificate =
            certify(&circuit, &compiled, NetworkFormat::Onnx, &to_onnx(&compiled.network), None)
                .expect("accepted");
        let file =
            to_tuned_onnx(&compiled.network, &moved(&compiled.network, &mut rng)).expect("the same shapes");
        let now = recertify(certificate.as_bytes(), &file).expect("an answer");
        if now.record.is_err() {
            continue;
        }
        changed += usize::from(!now.changes.is_empty());
        let path = folder.path().join(format!("{at}.onnx"));
        std::fs::write(&path, file).expect("a file");
        let point = |x: usize| (0..inputs).map(|i| x >> i & 1 == 1).collect::<Vec<bool>>();
        let on = |o: usize| {
            (0..1usize << inputs).filter(|&x| now.circuit.at(&point(x))[o] == 1).collect::<Vec<_>>()
        };
        let on: Vec<Vec<usize>> = (0..circuit.outputs().len()).map(on).collect();
        jobs.push(json!({"onnx": path, "inputs": inputs, "on": on, "seed": at}));
    }
    assert!(jobs.len() >= 30 && changed >= 10, "{} records, {changed} of changed circuits", jobs.len());
    let mut lie = jobs[0].clone();
    let on = lie["on"][0].as_array_mut().expect("a list");
    if on.pop().is_none() {
        on.push(json!(0));
    }
    jobs.push(lie);
    let mut answers = run(&python, "run_decisions.py", &jobs);
    assert!(answers.pop().expect("the lie").starts_with("differs"));
    assert_eq!(answers, vec!["same"; jobs.len() - 1]);
}

#[test]
fn z3_proves_exported_properties() {
    let Some(python) = tool::python_with("onnx, z3", "z3_proves_exported_properties") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    let mut jobs = Vec::new();
    for at in 0..8 {
        let inputs = rng.random_range(1..=5);
        let circuits: Vec<Circuit> = random_circuits(&mut rng, inputs, 3).iter().map(Staged::gates).collect();
        let circuit = Circuit::beside(&circuits.iter().collect::<Vec<_>>()).expect("the same inputs");
        let Ok(compiled) = compile(&circuit, &CompileOptions::default()) else { continue };
        let path = folder.path().join(format!("{at}.onnx"));
        std::fs::write(&path, to_onnx(&compiled.network)).expect("a file");
        for file in properties(&circuit).expect("sums of products") {
            jobs.push(json!({"onnx": path, "inputs": inputs, "vnnlib": file.text}));
        }
    }
    // A question that has an answer: without its last line nothing is asked of the output.
    let mut open = jobs[0].clone();
    let text =
        open["vnnlib"].as_str().expect("a text").trim_end().rsplit_once('\n').expect("lines").0.to_owned();
    open["vnnlib"] = json!(text);
    jobs.push(open);
    let mut answers = run(&python, "prove_properties.py", &jobs);
    assert_eq!(answers.pop().as_deref(), Some("sat"));
    assert!(answers.len() > 20);
    assert_eq!(answers, vec!["unsat"; answers.len()]);
}
