//! `macchiato predict`.

use super::command::{Folder, ROWS};

/// The labels of [`ROWS`], one a line.
fn labels() -> String {
    let labels: Vec<&str> = ROWS.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    labels.join("\n") + "\n"
}

#[test]
fn one_label_a_line_with_or_without_the_target_in_any_order() {
    let folder = Folder::with_model();
    assert_eq!(folder.run("predict model.json data.csv").succeeds(), labels());
    let without: Vec<String> = ROWS
        .lines()
        .map(|line| {
            line.split(',').take(4).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(",")
        })
        .collect();
    let ran = folder.pipe("predict model.json - --format csv", &(without.join("\n") + "\n"));
    assert_eq!(ran.succeeds(), labels());
    let model = folder.text("model.json");
    assert_eq!(folder.pipe("predict - data.csv", &model).succeeds(), labels());
}

#[test]
fn the_table_has_a_column_more() {
    let folder = Folder::with_model();
    assert_eq!(folder.run("predict model.json data.csv --out out.csv").succeeds(), "");
    let text = folder.text("out.csv");
    assert!(text.starts_with("a,b,c,d,y,y_predicted\n0,0,0,0,0,0\n1,0,0,0,1,1\n"), "{text}");
    let ran = folder.run("predict model.json data.csv --out - --column guess");
    assert_eq!(ran.succeeds(), text.replace("y_predicted", "guess"));
    assert!(folder.run("predict model.json data.csv --out out.pla").succeeds().is_empty());
    assert!(folder.text("out.pla").contains(".ob y_predicted\n"));
}

#[test]
fn json_counts_and_lists() {
    let folder = Folder::with_model();
    let object = folder.run("predict model.json data.csv --json").json();
    assert_eq!((&object["rows"], &object["counts"]), (&14.into(), &serde_json::json!([7, 7])));
    assert_eq!(object["labels"].as_array().map(Vec::len), Some(14));
    let object = folder.run("predict model.json data.csv --json --out out.tsv").json();
    assert!(object.get("labels").is_none());
    assert_eq!(folder.names(), ["data.csv", "model.json", "out.tsv"]);
}

#[test]
fn other_inputs_than_the_model_s_are_named() {
    let folder = Folder::with_model();
    folder.put("few.csv", b"a,c,y\n0,0,1\n");
    folder.put("many.csv", b"a,b,c,d,e,f,y\n0,0,0,0,0,0,1\n");
    folder.refuses(
        "predict model.json few.csv --out out.csv",
        "few.csv: no columns \"b\", \"d\", which the model reads",
    );
    folder.refuses(
        "predict model.json many.csv",
        "many.csv: columns \"e\", \"f\": not among the model's 4 inputs: remove, or add --ignore-extra",
    );
    assert_eq!(folder.run("predict model.json many.csv --ignore-extra").succeeds(), "0\n");
    folder.refuses(
        "predict model.json data.csv --out o.csv --column y",
        "data.csv: there is a column \"y\" already: choose another name with --column",
    );
    folder.refuses(
        "predict model.json data.csv --out o.npz",
        "o.npz: npz files are read but not written: write .csv, .tsv, .pla or .npy",
    );
    folder.refuses(
        "predict - -",
        "the model and the data cannot both be standard input: name a file for one of them",
    );
}

#[test]
fn arrays_are_read_by_position() {
    let folder = Folder::with_model();
    folder.put("four.npy", &array(4, &[1, 0, 0, 0, 0, 0, 1, 1]));
    assert_eq!(folder.run("predict model.json four.npy").succeeds(), "1\n1\n");
    folder.put("five.npy", &array(5, &[1, 0, 0, 0, 1, 0, 0, 1, 1, 0]));
    assert_eq!(folder.run("predict model.json five.npy").succeeds(), "1\n1\n");
    assert_eq!(folder.run("evaluate model.json five.npy --json").json()["accuracy"], 0.5);
    folder.put("three.npy", &array(3, &[1, 0, 0]));
    folder.refuses("predict model.json three.npy", "three.npy: 3 columns where the model reads 4 inputs");
    folder.put("six.npy", &array(6, &[1, 0, 0, 0, 0, 0]));
    folder.refuses("predict model.json six.npy", "six.npy: 6 columns where the model reads 4 inputs");
}

/// A `.npy` file of bytes.
pub(crate) fn array(columns: usize, cells: &[u8]) -> Vec<u8> {
    let rows = cells.len() / columns;
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(cells);
    bytes
}
