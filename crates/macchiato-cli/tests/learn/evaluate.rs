//! `macchiato evaluate`.

use super::command::Folder;

/// Five rows on which the model of `y = (a XOR b) XOR (c AND d)` errs once, on a row with label 0.
const TEST: &str = "a,b,c,d,y\n1,0,0,0,1\n0,1,0,0,1\n0,0,0,0,0\n1,1,0,0,0\n1,0,1,0,0\n";

#[test]
fn the_counts_are_those_of_the_rows() {
    let folder = Folder::with_model();
    folder.put("test.csv", TEST.as_bytes());
    let ran = folder.run("evaluate model.json test.csv --stages");
    let expected = "rows                5 rows\n\
                    accuracy            0.8000   95 % confidence: 0.2836 to 0.9949\n\
                    without a rule      0.6000   always 0\n\
                    balanced accuracy   0.8333\n\
                    \n\
                    \x20                   y = 1   y = 0\n\
                    answer 1                2       1\n\
                    answer 0                0       2\n\
                    \n\
                    after stage 1       0.8000\n\
                    after stage 2       0.8000\n";
    assert_eq!(ran.succeeds(), expected);
}

#[test]
fn json_has_its_fields() {
    let folder = Folder::with_model();
    let object = folder.run("evaluate model.json data.csv --json").json();
    assert_eq!((&object["rows"], &object["accuracy"]), (&14.into(), &1.0.into()));
    assert_eq!(object["balanced_accuracy"], 1.0);
    assert_eq!((&object["majority"], &object["majority_accuracy"]), (&"0".into(), &0.5.into()));
    assert_eq!(object["accuracy_interval"][1], 1.0);
    assert_eq!(object["classes"], serde_json::json!(["0", "1"]));
    assert_eq!(object["confusion"], serde_json::json!([[7, 0], [0, 7]]));
    let stages = object["stage_accuracy"].as_array().expect("a list");
    assert_eq!((stages.len(), &stages[1]), (2, &1.0.into()));
    assert_eq!(stages[0], 12.0 / 14.0);
}

/// Ten classes, whose table fits on a line of a terminal.
#[test]
fn a_table_of_many_classes_fits() {
    let rows: Vec<String> = (0..200).map(|row| format!("{},digit {}\n", row % 10, row % 10)).collect();
    let folder = Folder::new(&format!("size,number that was drawn\n{}", rows.concat()));
    folder.run("fit data.csv --effort 1 --quiet --out m.json").succeeds();
    let ran = folder.run("evaluate m.json data.csv");
    let widest = ran.succeeds().lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(130), "{}", ran.stdout());
    assert!(ran.stdout().contains("\nwithout a rule      0.1000   always digit 0\n"), "{}", ran.stdout());
}

#[test]
fn weights_and_another_target_count() {
    let folder = Folder::with_model();
    folder.put("test.csv", b"a,b,c,d,w,truth\n1,0,0,0,1.5,1\n0,1,0,0,0.5,0\n");
    let object = folder.run("evaluate model.json test.csv --target truth --weight w --json").json();
    assert_eq!((&object["accuracy"], &object["confusion"][1][1]), (&0.75.into(), &1.5.into()));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::with_model();
    folder.put("unlabelled.csv", b"a,b,c,d\n0,0,0,0\n");
    folder.refuses(
        "evaluate model.json unlabelled.csv",
        "unlabelled.csv: no column \"y\" to compare with: name the one with the labels after --target",
    );
    folder.put("wide.csv", b"a,b,c,d,e,y\n0,0,0,0,0,1\n");
    folder.refuses(
        "evaluate model.json wide.csv",
        "wide.csv: column \"e\": not among the model's 4 inputs: remove, or add --ignore-extra",
    );
    let text = folder.text("model.json");
    folder.put("cut.json", &text.as_bytes()[..text.len() / 2]);
    let ran = folder.run("evaluate cut.json data.csv");
    assert_eq!((ran.0.status.code(), ran.stdout()), (Some(2), ""));
    assert!(ran.stderr().starts_with("macchiato: cut.json:") && ran.stderr().lines().count() == 1);
    folder.put("new.json", text.replace("\"version\": 1", "\"version\": 9").as_bytes());
    folder.refuses("evaluate new.json data.csv", "new.json: version: 9 is unknown: this program reads 1");
    folder.refuses("evaluate data.csv data.csv", "data.csv:1:1: expected value");
}
