//! What a page is made of, that nothing of the data becomes markup, and that its weights and gates are the network's.

use super::measure::Measured;
use super::table::Squares;
use super::view::{Drawn, Shown};
use super::*;
use crate::fit::{PaperParams, fit_paper};
use crate::frame::{self, Format, FrameOptions};
use crate::generate::{self, sample};
use crate::minimize::{Budget, Cover, Literal, Shape};
use crate::model::{Confidence, Examples, FitOptions, Holdout, Method, Target};
use crate::network::{CompileOptions, compile};
use crate::rows::Rows;
use crate::stage::Stage;
use crate::staged::Staged;
use proptest::prelude::*;
use std::fmt::Write as _;

const SCRIPT: &str = "<script>alert(1)</script>";

fn model(rows: &Rows, k: usize, m: usize) -> Model {
    let params = PaperParams { k, m, ..PaperParams::default() };
    let checked = params.clone().check(rows).expect("good parameters");
    let fit = fit_paper(rows, &checked, &Budget::unlimited()).expect("a fit");
    Model::of_fit(fit, Method::Paper(params), rows).without_timings()
}

/// `a XOR b`, and another input, under these names.
fn exclusive_or(names: [&str; 3], target: &str) -> (Model, Rows) {
    let columns = vec![vec![0b1010_1010], vec![0b1100_1100], vec![0b1111_0000]];
    let names = (names.map(str::to_owned).to_vec(), target.to_owned());
    let rows = Rows::named(names, columns, vec![0b0110_0110], (8, None)).expect("rows");
    (model(&rows, 2, 4), rows)
}

fn classifier(text: &str) -> (Model, Frame, Vec<u32>) {
    let options = FrameOptions { last: Some(frame::Kind::Category), ..FrameOptions::default() };
    let mut frame = frame::read_from(text.as_bytes(), "t.csv", Format::Csv, &options).expect("a table");
    let name = frame.names.last().expect("a target").clone();
    let values = frame.take(&name).expect("the target");
    let target = Target::new(&name, &values, frame.rows).expect("classes");
    let params = PaperParams { k: 3, m: 4, ..PaperParams::default() };
    let options = FitOptions { method: Method::Paper(params), ..FitOptions::default() };
    let examples = Examples { columns: &frame, target: &target, weights: None };
    let made = Model::fit(&examples, None, &options, &Budget::unlimited(), |_| {}).expect("a model");
    let codes = target.codes().to_vec();
    (made, frame, codes)
}

fn labels(rows: &Rows) -> Vec<u32> {
    (0..rows.len()).map(|row| u32::from(crate::bits::get(rows.labels(), row))).collect()
}

/// The page of a model with its rows as training and test rows.
fn page(model: &Model, rows: &Rows) -> String {
    let (labels, frame) = (labels(rows), rows.clone().into_frame("rows.csv"));
    let rows = Sample { source: "rows.csv", frame: &frame, labels: &labels, weights: None };
    let report = Report { train: Some(rows), test: Some(rows), ..Report::new(model) };
    report.html().expect("a page")
}

/// The JSON that the page's script reads.
fn data(page: &str) -> serde_json::Value {
    let from = page.find("id=\"data\">").expect("data") + 10;
    let to = from + page[from..].find("</script>").expect("an end");
    serde_json::from_str(&page[from..to]).expect("JSON")
}

/// The sections and headings, in order.
fn outline(page: &str) -> Vec<&str> {
    let after = |at: usize, open: &str, close: char| {
        let from = at + open.len();
        &page[from..from + page[from..].find(close).expect("an end")]
    };
    page.match_indices("<section id=\"").map(|(at, open)| after(at, open, '"')).collect()
}

#[test]
fn a_page_has_its_parts_in_order() {
    let (model, rows) = exclusive_or(["up", "down", "rain"], "light");
    let page = page(&model, &rows);
    assert_eq!(
        outline(&page),
        ["live", "accuracy", "influence", "stages", "circuit", "network", "certificate"]
    );
    assert!(page.contains("<strong>light is 1</strong> exactly where"), "the rule in words");
    assert!(page.contains("said: <strong class=\"verdict good\">accepted</strong>"), "the verdict");
    assert!(page.contains("100.0 %"), "the accuracy");
    assert_eq!(
        page.matches("<table data-vars=").count(),
        model.circuits()[0].stages().len(),
        "a map for each stage"
    );
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing to load");
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let (model, rows) = exclusive_or(["up", "down", "rain"], "light");
    assert_eq!(page(&model, &rows), page(&model, &rows));
}

#[test]
fn names_are_only_ever_text() {
    let (model, rows) =
        exclusive_or([SCRIPT, "</script><img src=x onerror=alert(2)>", "--><!--"], "\"><svg onload=x>");
    let page = page(&model, &rows);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<svg onload") && !page.contains("-->"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    let fragment = fragment(model.circuits()[0].circuit(), model.circuits()[0].stages(), model.words());
    assert!(!fragment.contains("<script") && !fragment.contains("<img"));
}

#[test]
fn classes_and_levels_are_only_ever_text() {
    let mut text = format!("{SCRIPT},size,\"</script><i>\"\n");
    for row in 0..60 {
        let level = if row % 2 == 0 { "<script>" } else { "b" };
        let class = ["<u>one</u>", "two", "three"][(row % 2) + usize::from(row % 2 == 1 && row > 30)];
        let _ = writeln!(text, "{level},{row},{class}");
    }
    let (classifier, frame, codes) = classifier(&text);
    let rows = Sample { source: "<t>.csv", frame: &frame, labels: &codes, weights: None };
    let report = Report { train: Some(rows), ..Report::new(&classifier) };
    let page = report.html().expect("a page");
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<u>") && !page.contains("<i>") && !page.contains("<t>"));
    assert_eq!(data(&page)["classes"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_single_class_has_a_page_without_circuits() {
    let (classifier, ..) = classifier("a,y\n1,same\n2,same\n3,same\n");
    let page = Report::new(&classifier).html().expect("a page");
    assert!(page.contains("y = same, whatever the columns are"));
    assert_eq!(outline(&page), Vec::<&str>::new());
}

#[test]
fn rows_put_aside_bound_the_error() {
    let (model, rows) = exclusive_or(["a", "b", "c"], "y");
    assert!(!page(&model, &rows).contains("True error"));
    let holdout = Holdout { rows: 1000, wrong: 12, confidence: Confidence::default() };
    let page = page(&model.with_holdout(holdout), &rows);
    assert!(page.contains(
        "<dt>True error, 95 % sure</dt><dd><b>≤ 2.0 %</b> <span>12 of 1,000 put aside wrong</span>"
    ));
}

#[test]
fn a_model_without_stages_has_a_page() {
    let rows = Rows::new(vec![vec![0b10]], vec![0b00], 2).expect("rows");
    let page = page(&model(&rows, 1, 3), &rows);
    assert!(page.contains("never, whatever the inputs are"));
    assert_eq!(data(&page)["gates"][0][0], "g1.1");
    assert_eq!(data(&page)["gates"][1][0], "x1");
}

#[test]
fn literals_of_neurons_are_inputs_of_the_page() {
    let mut text = "size,y\n".to_owned();
    for row in 0..40 {
        let _ = writeln!(text, "{row},{}", ["a", "b", "c"][row / 14]);
    }
    let (classifier, ..) = classifier(&text);
    let data = data(&Report::new(&classifier).html().expect("a page"));
    let read: Vec<u64> = serde_json::from_value(data["read"].clone()).expect("numbers");
    for gate in data["gates"].as_array().expect("gates") {
        let key = gate[0].as_str().expect("a key");
        if let Some(input) = key.strip_prefix('l') {
            assert!(read.contains(&input[..input.len() - 1].parse().expect("a number")), "{key}");
        }
    }
    assert_eq!(data["names"].as_array().map(Vec::len), Some(read.len()));
    assert_eq!(data["tests"].as_array().map(Vec::len), Some(read.len()));
}

#[test]
fn the_weights_of_the_page_are_those_of_the_network() {
    let target = generate::Target::junta(9, 5, 3).expect("a target");
    let rows = sample(&target, 300, 3).expect("rows");
    let model = model(&rows, 4, 5);
    let data = data(&page(&model, &rows));
    let network = compile(model.circuits()[0].circuit(), &CompileOptions::default()).expect("small").network;
    let layers = data["layers"].as_array().expect("layers");
    assert_eq!(layers.len(), network.layers.len());
    for (layer, expected) in layers.iter().zip(&network.layers) {
        let mut rows: Vec<Vec<(u32, i32)>> = Vec::new();
        for weights in layer["weights"].as_array().expect("weights") {
            let row = if let Some(earlier) = weights.as_u64() {
                rows[earlier as usize].clone()
            } else {
                let numbers: Vec<i32> = serde_json::from_value(weights.clone()).expect("numbers");
                numbers.chunks(2).map(|pair| (pair[0].unsigned_abs(), pair[1])).collect()
            };
            rows.push(row);
        }
        assert_eq!(rows, expected.weights);
        assert_eq!(layer["bias"], serde_json::json!(expected.biases));
        assert_eq!(layer["relu"], true);
    }
}

#[test]
fn twenty_stages_and_many_rows_stay_under_a_megabyte() {
    let target = generate::Target::junta(17, 14, 7).expect("a target");
    let rows = sample(&target, 100_000, 7).expect("rows");
    let model = model(&rows, 9, 20);
    assert_eq!(model.circuits()[0].stages().len(), 20);
    let bytes = page(&model, &rows).len();
    assert!(bytes < 1_000_000, "{bytes} bytes");
}

#[test]
fn rows_of_another_model_are_refused() {
    let (model, _) = exclusive_or(["a", "b", "c"], "y");
    let frame = Rows::new(vec![vec![0]], vec![0], 1).expect("rows").into_frame("x.csv");
    for (labels, why) in [
        (vec![0], "no column \"a\""),
        (vec![0, 1], "not as many rows as labels"),
        (vec![7], "none of the model's classes"),
    ] {
        let rows = Sample { source: "x.csv", frame: &frame, labels: &labels, weights: None };
        let report = Report { test: Some(rows), ..Report::new(&model) };
        let error = report.html().expect_err("not a page").to_string();
        assert!(error.starts_with("x.csv: ") && error.contains(why), "{error}");
    }
}

fn any_circuit(inputs: usize) -> impl Strategy<Value = Staged> {
    let literal = prop_oneof![Just(Literal::Negative), Just(Literal::Positive), Just(Literal::Free)];
    let cover = proptest::collection::vec(proptest::collection::vec(literal, inputs), 0..5);
    proptest::collection::vec(cover, 0..4).prop_map(move |stages| {
        let stage = |terms: Vec<Vec<Literal>>| {
            let mut cover = Cover::new(Shape::new(inputs, 1));
            for term in &terms {
                cover.push(term, &[true]);
            }
            Stage { inputs: (0..inputs).collect(), cover }
        };
        let names = (1..=inputs).map(|i| format!("x{i}")).collect();
        Staged { inputs: names, target: "y".into(), stages: stages.into_iter().map(stage).collect() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What the neurons of a gate carry is the gate's value, and every neuron has a gate.
    #[test]
    fn neurons_carry_their_gates(circuit in any_circuit(4)) {
        let mut other = circuit.clone();
        other.target = "z".into();
        other.stages.reverse();
        let gates = [circuit.gates(), other.gates()];
        let circuits = [&circuit, &other];
        let shown: Vec<Shown<'_>> = (0..2).map(|c| Shown::new(c, &gates[c], &circuits[c].stages)).collect();
        let drawn = Drawn::new(&shown).expect("a network");
        prop_assert!(drawn.keys.iter().flatten().all(|key| !key.is_empty()));
        for point in 0..16u32 {
            let x: Vec<bool> = (0..4).map(|i| point >> i & 1 == 1).collect();
            let mut values: Vec<Vec<i32>> = vec![x.iter().map(|&bit| i32::from(bit)).collect()];
            for layer in &drawn.compiled.network.layers {
                let before = &values[values.len() - 1];
                let sum = |(row, bias): (&Vec<(u32, i32)>, &i32)| {
                    row.iter().fold(*bias, |sum, &(from, weight)| sum + weight * before[from as usize]).max(0)
                };
                let after = layer.weights.iter().zip(&layer.biases).map(sum).collect();
                values.push(after);
            }
            let stages: Vec<&Stage> = circuits.iter().flat_map(|circuit| &circuit.stages).collect();
            for (key, base, parts) in &drawn.carried {
                let carried: i32 = base + parts.iter().map(|&(layer, at, times)| times * values[layer][at]).sum::<i32>();
                let mut numbers = key[1..].trim_end_matches(['+', '-']).split('.').map(|n| n.parse::<usize>().expect("a number"));
                let first = numbers.next().expect("a number");
                let own = match &key[..1] {
                    "l" => x[first] == key.ends_with('+'),
                    "t" => {
                        let term = stages[first - 1].terms().nth(numbers.next().expect("a term") - 1).expect("that term");
                        term.iter().all(|&(input, positive)| x[input] == positive)
                    }
                    // The only gate of a circuit without stages is 0.
                    "g" => false,
                    "s" => stages[first - 1].at(&x),
                    _ => circuits[first - 1].at(&x),
                };
                prop_assert_eq!(carried, i32::from(own), "{} at {:?}", key, x);
            }
        }
    }

    /// A stage's table is the stage, cell by cell; a square of a picture counts its cells.
    #[test]
    fn tables_are_the_stages(circuit in prop_oneof![any_circuit(5), any_circuit(14)]) {
        for stage in &circuit.stages {
            let cells = Squares::new(circuit.inputs.len(), stage, None).expect("few inputs");
            let wide = cells.inputs.len();
            let rest = wide.saturating_sub(12);
            let mut ones = vec![0u32; 1 << (wide - rest)];
            for point in 0..1usize << wide {
                let mut x = vec![false; circuit.inputs.len()];
                for (place, &input) in cells.inputs.iter().enumerate() {
                    x[input] = point >> (wide - 1 - place) & 1 == 1;
                }
                ones[point >> rest] += u32::from(stage.at(&x));
            }
            prop_assert_eq!(&cells.ones, &ones);
        }
    }
}

#[test]
fn rows_are_measured_as_they_are_answered() {
    let (model, rows) = exclusive_or(["a", "b", "c"], "y");
    let frame = rows.clone().into_frame("rows");
    let mut labels = labels(&rows);
    labels[3] ^= 1;
    let weights = [1, 1, 1, 5, 0, 0, 1, 1].map(|weight| weight * crate::rows::WEIGHT_UNIT);
    let weighted = Sample { source: "", frame: &frame, labels: &labels, weights: Some(&weights) };
    let measured = Measured::new(&model, weighted).expect("rows");
    assert_eq!((measured.wrong(), measured.rows), (1, 8));
    assert!((measured.accuracy() - 0.5).abs() < 1e-12);
    let last = measured.curves[0].last().copied().expect("a curve");
    assert!((last - 0.5).abs() < 1e-12);
    let plain = Sample { weights: None, ..weighted };
    let measured = Measured::new(&model, plain).expect("rows");
    assert!((measured.accuracy() - 0.875).abs() < 1e-12 && measured.balanced_accuracy() > 0.87);
}
