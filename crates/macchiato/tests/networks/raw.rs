//! Networks that start from a table, in onnxruntime: on rows with gaps, levels that nobody has seen and numbers at the cuts they say
//! what it predicts, with its probabilities, around the certified layers.

use macchiato::binarize::Test;
use macchiato::bits;
use macchiato::certify::{NetworkFormat, certify};
use macchiato::frame::{self, Format, Frame, FrameOptions, Kind, NO_LEVEL, Values};
use macchiato::learn::AutoParams;
use macchiato::minimize::Budget;
use macchiato::model::{Examples, FitOptions, Method, Model, Target};
use macchiato::network::{CompileOptions, RawError, RawNumbers, compile, to_onnx, to_raw_onnx};
use macchiato::staged::Staged;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Columns of every type, most of them named as something in an ONNX file of ours.
const HEADER: &str = "x,W1,y,codes1,age";

/// Rows of random cells; `new` ones have levels that the others have not.
fn rows(rng: &mut ChaCha8Rng, count: usize, classes: usize, new: bool) -> String {
    let mut text = format!("{HEADER},kind\n");
    for _ in 0..count {
        let x = f64::from(rng.random_range(-80..80)) / 8.0;
        let levels: &[&str] =
            if new { &["u", "v", "w", "été", "unseen"] } else { &["u", "v", "w", "été"] };
        let w = levels[rng.random_range(0..levels.len())];
        let (y, code, age) = (rng.random::<bool>(), rng.random_range(0..5), rng.random_range(18..90));
        let kind =
            (usize::from(x > 1.5) + usize::from(w == "u") + usize::from(y && age > 40) + code / 3) % classes;
        let mut cells = [x.to_string(), w.into(), y.to_string(), code.to_string(), age.to_string()];
        for cell in &mut cells {
            if rng.random_range(0..12) == 0 {
                cell.clear();
            }
        }
        let _ = writeln!(text, "{},k{kind}", cells.join(","));
    }
    text
}

fn read(text: &str, classifier: Option<&Model>) -> Frame {
    let types = classifier.map(|classifier| classifier.binarizer().kinds()).unwrap_or_default();
    let mut options = FrameOptions::default();
    (options.last, options.types) = (Some(Kind::Category), types);
    frame::read_from(text.as_bytes(), "data.csv", Format::Csv, &options).expect("a frame")
}

fn learn(text: &str) -> Model {
    let mut frame = read(text, None);
    let values = frame.take("kind").expect("the last column");
    let target = Target::new("kind", &values, frame.rows).expect("a target");
    let options = FitOptions::by(Method::Auto(AutoParams::with(|params| (params.effort, params.m) = (1, 4))));
    let train = Examples { columns: &frame, target: &target, weights: None };
    Model::fit(&train, None, &options, &Budget::unlimited(), |_| {}).expect("a classifier")
}

/// Rows whose numbers are the cuts and values that the classifier asks for.
fn at_the_cuts(classifier: &Model) -> String {
    let mut text = String::new();
    for bit in classifier.binarizer().bits() {
        if let Test::Above(number) | Test::Equals(number) = bit.test {
            let mut cells = vec![String::new(); classifier.binarizer().columns().len()];
            cells[bit.column] = number.to_string();
            let _ = writeln!(text, "{},k0", cells.join(","));
        }
    }
    text
}

fn cells(values: &Values<'_>, rows: usize) -> Value {
    let cell = |row: usize| match values {
        _ if values.is_missing(row) => Value::Null,
        Values::Boolean { bits, .. } => json!(u8::from(bits::get(bits, row))),
        Values::Number(numbers) => json!(numbers[row]),
        Values::Category { codes, levels } => {
            assert_ne!(codes[row], NO_LEVEL);
            json!(levels[codes[row] as usize])
        }
    };
    (0..rows).map(cell).collect()
}

/// The files of one classifier and what they must answer on `text`.
fn job(folder: &Path, name: &str, classifier: &Model, text: &str) -> Value {
    let frame = read(text, Some(classifier));
    let circuit = classifier.circuit().expect("the same inputs");
    let compiled = compile(&circuit, &CompileOptions::default()).expect("small gates");
    let network = to_onnx(&compiled.network);
    certify(&circuit, &compiled, NetworkFormat::Onnx, &network, None).expect("accepted");
    let raw = to_raw_onnx(&compiled.network, classifier, RawNumbers::Float64).expect("a raw network");
    let path = |ending: &str| folder.join(format!("{name}.{ending}"));
    std::fs::write(path("onnx"), network).expect("a file");
    std::fs::write(path("raw.onnx"), raw).expect("a file");

    let classes = classifier.predict(&frame).expect("classes");
    let labels: Vec<&str> =
        classes.iter().map(|&class| classifier.classes()[class as usize].as_str()).collect();
    let probabilities = classifier.predict_proba(&frame).expect("probabilities");
    let probabilities: Vec<&[f64]> = probabilities.chunks(classifier.classes().len()).collect();
    let columns: serde_json::Map<String, Value> = frame
        .names
        .iter()
        .zip(&frame.columns)
        .map(|(name, values)| (name.clone(), cells(values, frame.rows)))
        .collect();
    json!({
        "raw": path("raw.onnx"),
        "network": path("onnx"),
        "columns": columns,
        "labels": labels,
        "probabilities": probabilities,
    })
}

#[test]
fn onnxruntime_reads_the_table_as_the_classifier_does() {
    let name = "onnxruntime_reads_the_table_as_the_classifier_does";
    let Some(python) = super::tool::python_with("onnx, onnxruntime", name) else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut jobs = Vec::new();
    for classes in [2, 3, 4] {
        let classifier = learn(&rows(&mut rng, 400, classes, false));
        let text = rows(&mut rng, 500, classes, true) + &at_the_cuts(&classifier);
        jobs.push(job(folder.path(), &classes.to_string(), &classifier, &text));
    }
    // The last job lies about one answer.
    let mut lie = jobs[1].clone();
    let share = &mut lie["probabilities"][17][1];
    *share = json!(share.as_f64().expect("a share").next_up());
    jobs.push(lie);
    let answers = super::run(&python, "run_raw_networks.py", &jobs);
    assert_eq!(answers[..3], vec!["same"; 3]);
    assert!(answers[3].starts_with("onnxruntime differs at 1 of "), "{}", answers[3]);
}

#[test]
fn what_has_no_raw_network() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let classifier = learn(&rows(&mut rng, 100, 2, false));
    let circuit = Staged { inputs: vec!["a".into()], target: "t".into(), stages: Vec::new() };
    let network = compile(&circuit.gates(), &CompileOptions::default()).expect("small").network;
    let bits = classifier.binarizer().bits().len();
    let refused = to_raw_onnx(&network, &classifier, RawNumbers::Float64);
    assert_eq!(refused, Err(RawError::OtherBits { inputs: 1, bits }));

    let names = vec!["job".to_owned(), "kind".to_owned()];
    let column = |levels: [&str; 2]| Values::Category {
        codes: (0..40).map(|row| row % 2).collect::<Vec<u32>>().into(),
        levels: levels.map(str::to_owned).to_vec().into(),
    };
    let mut frame = Frame {
        source: "memory".into(),
        names,
        columns: vec![column(["", "cook"]), column(["no", "yes"])],
        rows: 40,
        weights: None,
    };
    let values = frame.take("kind").expect("a column");
    let target = Target::new("kind", &values, 40).expect("a target");
    let train = Examples { columns: &frame, target: &target, weights: None };
    let model =
        Model::fit(&train, None, &FitOptions::default(), &Budget::unlimited(), |_| {}).expect("a model");
    let circuit = Staged { inputs: model.binarizer().names(), ..circuit };
    let network = compile(&circuit.gates(), &CompileOptions::default()).expect("small").network;
    assert_eq!(
        to_raw_onnx(&network, &model, RawNumbers::Float64),
        Err(RawError::Unspellable { column: "job".into(), level: String::new() })
    );
}
