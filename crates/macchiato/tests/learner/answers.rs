//! The answers of today: what rules learned from known rows say of those rows and of others, as digests in
//! `testdata/answers.json`. A change of the learner's insides that should not change what is learned proves here that it
//! does not; one that should rewrites the file, with `UPDATE=1`, and shows which tables are concerned.

use crate::gate;
use crate::interrupted::measurements;
use crate::made::{Draw, Made, made};
use macchiato::bits;
use macchiato::circuit::Circuit;
use macchiato::fit::{PaperParams, fit_paper};
use macchiato::generate::{Target, sample, with_noise};
use macchiato::learn::{AutoParams, fit_auto};
use macchiato::minimize::Budget;
use macchiato::model::Method;
use macchiato::rows::Rows;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Random points that are asked beside the rows.
const POINTS: usize = 4096;

/// Tables of bits.
fn tables() -> Vec<(&'static str, Rows)> {
    let rows = |target: Target, rows: usize| sample(&target, rows, 5).expect("rows");
    let noisy = |rows: Rows| with_noise(rows, 0.05, 5).expect("noise");
    vec![
        ("junta", rows(Target::junta(12, 5, 5).expect("a target"), 400)),
        ("noisy junta", noisy(rows(Target::junta(12, 4, 6).expect("a target"), 500))),
        ("juntas", rows(Target::juntas(12, 2, 4, 5).expect("a target"), 900)),
        ("parity", rows(Target::parity(24, 9, 5).expect("a target"), 150)),
        ("comparator", rows(Target::comparator(12).expect("a target"), 500)),
        ("multiplexer", rows(Target::multiplexer(2).expect("a target"), 60)),
        ("noisy adder", noisy(rows(Target::adder(4).expect("a target"), 200))),
        ("wide rule", rows(Target::dnf(30, 5, 4, 5).expect("a target"), 800)),
        ("every row", rows(Target::junta(6, 6, 5).expect("a target"), 64)),
    ]
}

/// Tables of columns.
fn columns() -> Vec<(&'static str, Made)> {
    vec![
        ("measurements", measurements(600, 3)),
        ("mixed columns", made(500, 3, gate::mixed)),
        ("three classes", made(400, 3, gate::three_kinds)),
    ]
}

fn methods() -> [(&'static str, Method); 2] {
    let auto = AutoParams::with(|params| params.effort = 2);
    [("auto", Method::Auto(auto)), ("paper", Method::Paper(PaperParams::default()))]
}

fn circuit(rows: &Rows, method: &Method) -> Circuit {
    let budget = Budget::unlimited();
    match method {
        Method::Auto(params) => {
            let params = params.clone().check(rows).expect("parameters");
            fit_auto(rows, None, &params, &budget).expect("a fit").circuit
        }
        Method::Paper(params) => {
            let mut params = params.clone();
            params.k = params.k.min(rows.inputs());
            fit_paper(rows, &params.check(rows).expect("parameters"), &budget).expect("a fit").circuit
        }
        other => panic!("{other:?} has no answers yet"),
    }
}

/// The circuit's answers on the rows, then on random points, one byte each.
fn answers(circuit: &Circuit, rows: &Rows) -> Vec<u8> {
    let mut draw = Draw::new(6);
    let point = |row: usize| rows.columns().iter().map(|column| bits::get(column, row)).collect();
    let mut points: Vec<Vec<bool>> = (0..rows.len()).map(point).collect();
    points.extend((0..POINTS).map(|_| draw.bits(rows.inputs())));
    points.iter().map(|point| u8::from(circuit.at(point) == [1])).collect()
}

fn digest(bytes: &[u8]) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[test]
fn the_answers_are_those_of_the_file() {
    let mut found = BTreeMap::new();
    for (method, how) in methods() {
        for (name, rows) in tables() {
            let circuit = circuit(&rows, &how);
            found.insert(format!("{name}, {method}"), digest(&answers(&circuit, &rows)));
        }
        for (name, train) in columns() {
            let classifier = train.learn_by(how.clone(), &Budget::unlimited());
            let fresh = match name {
                "measurements" => measurements(POINTS, 6),
                "mixed columns" => made(POINTS, 6, gate::mixed),
                _ => made(POINTS, 6, gate::three_kinds),
            };
            let classes = [&train, &fresh].map(|rows| classifier.predict(&rows.frame).expect("classes"));
            let bytes: Vec<u8> = classes.iter().flatten().map(|&class| class as u8).collect();
            found.insert(format!("{name}, {method}"), digest(&bytes));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/answers.json");
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&found).expect("JSON") + "\n";
        std::fs::write(&path, text).expect("a file that can be written");
    }
    let text = std::fs::read_to_string(&path).expect("testdata/answers.json");
    let known: BTreeMap<String, String> = serde_json::from_str(&text).expect("digests by name");
    let others: Vec<&String> = found.keys().filter(|name| found.get(*name) != known.get(*name)).collect();
    assert!(
        others.is_empty(),
        "other answers than in testdata/answers.json: {others:?}; if meant, UPDATE=1 writes it"
    );
    assert_eq!(
        known.len(),
        found.len(),
        "testdata/answers.json names tables that are no more: UPDATE=1 writes it"
    );
}
