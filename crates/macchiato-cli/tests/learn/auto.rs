//! `macchiato fit` by evidence, which is the default, and what the other commands say of its models.

use super::command::{Folder, ROWS};
use super::predict::array;

/// A model of the method `auto` that no learner made: two or three of a, b, c are 1, XOR d.
const MODEL: &str = include_str!("../../../macchiato/src/model/golden_auto.json");

#[test]
fn the_example_is_right_in_every_situation() {
    let folder = Folder::new("");
    let ran = folder.run("fit --example");
    let text = ran.succeeds();
    for part in [
        "What turns on the light on the landing?",
        "method    auto (m = 20, effort = 5)\n",
        "\nlight = ",
        "100.0 % of the training rows (120 of 120); always 1: 51.7 %\n",
        "256 of all 256 situations, of which it saw 120\n",
        "unused    4 inputs: rain, weekend, tv, heating\n",
        "Next:\n  macchiato fit --example --out light.json ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!((ran.stderr(), folder.names()), ("", vec!["data.csv".to_owned()]));
}

#[test]
fn json_has_its_fields() {
    let folder = Folder::new(ROWS);
    let object = folder.run("fit data.csv --json").json();
    assert_eq!((&object["columns"], &object["rows"]), (&4.into(), &14.into()));
    assert_eq!((&object["method"], &object["interrupted"]), (&"auto".into(), &false.into()));
    assert_eq!(object["parameters"]["k"], serde_json::Value::Null);
    assert!(object["train_accuracy"].is_f64() && object["circuits"][0]["stop"].is_string());
    for stage in object["circuits"][0]["stages"].as_array().expect("a list") {
        assert!(["table", "count", "wide", "constant"].iter().any(|shape| stage["shape"] == *shape));
        assert!(stage["against"].is_u64() && stage["errors_after"].is_u64());
    }
}

#[test]
fn a_cap_is_one_that_a_table_can_keep() {
    let folder = Folder::new("");
    let names: Vec<String> = (1..=17).map(|i| format!("x{i}")).collect();
    folder.put("wide.csv", format!("{},y\n{}\n", names.join(","), ["0"; 18].join(",")).as_bytes());
    folder.refuses("fit wide.csv -k 17", "wide.csv: K is 17: with a cap every stage is a table, ...");
}

#[test]
fn every_option_is_heard() {
    let folder = Folder::new(ROWS);
    folder.run("fit data.csv -k 2 -m 3 --effort 9 --seed 7 --out m.json -q").succeeds();
    let model: serde_json::Value = serde_json::from_str(&folder.text("m.json")).expect("JSON");
    let method = serde_json::json!({"name": "auto", "k": 2, "m": 3, "effort": 9, "seed": 7});
    assert_eq!(model["method"], method);
    let shown = folder.run("show m.json");
    assert!(shown.succeeds().contains("by auto (K = 2, m = 3, effort = 9, seed 7)\n"), "{}", shown.stdout());
    for stage in model["circuits"][0]["trace"]["stages"].as_array().expect("a list") {
        assert!(stage["inputs"].as_array().is_some_and(|inputs| inputs.len() <= 2), "{stage}");
    }
    for effort in ["0", "10", "many"] {
        let ran = folder.run(&format!("fit data.csv --effort {effort}"));
        assert_eq!(ran.0.status.code(), Some(2));
        assert!(ran.stderr().contains("--effort"), "{}", ran.stderr());
    }
}

/// `a XOR b XOR c XOR (d AND e)` on all 32 points, four times: more than any of these caps allows.
#[test]
fn the_caps_are_kept() {
    let row = |x: usize| {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| x >> i & 1);
        format!("{a},{b},{c},{d},{e},{}\n", a ^ b ^ c ^ (d & e))
    };
    let folder = Folder::new(&("a,b,c,d,e,y\n".to_owned() + &(0..128).map(row).collect::<String>()));
    for k in 1..=3 {
        for m in 1..=3 {
            let object = folder.run(&format!("fit data.csv -k {k} -m {m} --out m.json --json")).json();
            let stages = object["circuits"][0]["stages"].as_array().expect("a list");
            assert!(stages.len() <= m, "-k {k} -m {m}: {} stages", stages.len());
            for stage in stages {
                let inputs = stage["inputs"].as_array().map_or(0, Vec::len);
                assert!(inputs <= k, "-k {k} -m {m}: {inputs} inputs");
            }
            folder.run("show m.json").succeeds();
        }
    }
}

#[test]
fn the_model_is_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new(ROWS);
    folder.run("fit data.csv --out one.json --threads 1").succeeds();
    folder.run("--threads 2 fit data.csv --out two.json").succeeds();
    let one = folder.text("one.json");
    assert_eq!(one, folder.text("two.json"));
    assert_eq!(folder.pipe("fit - --format csv --out -", ROWS).succeeds(), one);
}

#[test]
fn options_of_the_other_method_are_refused() {
    let folder = Folder::new(ROWS);
    for option in ["--tau 0.1", "--select random", "--split", "--stop-when-stuck", "--timings"] {
        let name = option.split(' ').next().expect("a name");
        let line = format!("{name} is an option of --method paper: choose that, or leave {name} out");
        folder.refuses(&format!("fit data.csv {option} --out m.json"), &line);
        folder.refuses(&format!("fit data.csv --method auto {option}"), &line);
    }
    for option in ["--effort 3", "--validation data.csv"] {
        let name = option.split(' ').next().expect("a name");
        let line = format!("{name} is an option of --method auto: choose that, or leave {name} out");
        folder.refuses(&format!("fit data.csv --method paper {option} --out m.json"), &line);
    }
    assert_eq!(folder.run("fit --example --validation data.csv").0.status.code(), Some(2));
}

#[test]
fn a_fit_without_time_is_valid_and_says_so() {
    let folder = Folder::new(ROWS);
    let object = folder.run("fit data.csv --time-limit 0s --json --out m.json").json();
    assert_eq!(
        (&object["circuits"][0]["stop"], &object["interrupted"]),
        (&"interrupted".into(), &true.into())
    );
    assert_eq!(object["circuits"][0]["decision"]["cut_short"], "search");
    let report = folder.run("fit data.csv --time-limit 0s --out m.json").0;
    let said = [report.stdout, report.stderr].concat();
    assert!(String::from_utf8_lossy(&said).contains("the search for tables was not finished"));
    assert!(folder.run("show m.json").succeeds().contains("stopped: it was interrupted\n"));
}

/// The cells of `ROWS`, each row's inputs in reverse and the target first.
fn reordered() -> String {
    let line = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(",") + "\n";
    ROWS.lines().map(line).collect()
}

#[test]
fn validation_rows_are_found_by_name() {
    let folder = Folder::new(ROWS);
    folder.put("same.csv", ROWS.as_bytes());
    folder.put("other.csv", reordered().as_bytes());
    folder.run("fit data.csv --validation same.csv --out same.json -q").succeeds();
    folder.run("fit data.csv --validation other.csv --out other.json -q").succeeds();
    assert_eq!(folder.text("same.json"), folder.text("other.json"));
    let tsv = ROWS.replace(',', "\t");
    folder.put("same.tsv", tsv.as_bytes());
    let piped = folder.pipe("fit - --format csv --validation same.tsv --out -", ROWS);
    assert_eq!(piped.succeeds(), folder.text("same.json"));
    let piped = folder.pipe("fit data.csv --validation - --format csv --out -", ROWS);
    assert_eq!(piped.succeeds(), folder.text("same.json"));
}

#[test]
fn validation_rows_without_names_are_read_by_position() {
    let folder = Folder::new(ROWS);
    folder.put("more.npy", &array(5, &[1, 0, 0, 0, 1, 0, 0, 1, 1, 1]));
    folder.put("more.csv", b"a,b,c,d,y\n1,0,0,0,1\n0,0,1,1,1\n");
    folder.run("fit data.csv --validation more.npy --out one.json -q").succeeds();
    folder.run("fit data.csv --validation more.csv --out two.json -q").succeeds();
    assert_eq!(folder.text("one.json"), folder.text("two.json"));
    // Two arrays have the same made-up names, whichever column is the target.
    folder.run("fit more.npy --target x2 --validation more.npy -q").succeeds();
    folder.put("four.npy", &array(4, &[1, 0, 0, 0]));
    folder.refuses(
        "fit data.csv --validation four.npy",
        "four.npy: 4 columns where the training rows have 4 inputs and a target: give both the same",
    );
}

#[test]
fn validation_rows_that_do_not_fit_are_refused() {
    let folder = Folder::new(ROWS);
    for (rows, line) in [
        (
            "a,b,c,d\n0,0,0,0\n",
            "more.csv: no column \"y\", the target of the training rows: add it, or give the labels that name",
        ),
        (
            "a,c,y\n0,0,1\n",
            "more.csv: no columns \"b\", \"d\", which the training rows have: give both files the same inputs",
        ),
        (
            "a,b,c,d,e,y\n0,0,0,0,0,1\n",
            "more.csv: column \"e\": not among the inputs of the training rows: remove from this file",
        ),
        ("a,b,c,d,a,y\n0,0,0,0,0,1\n", "more.csv:1:5: column 1 is named \"a\" too: rename one of the two"),
        ("a,b,c,d,y\n0,0,2,0,1\n", "more.csv:2:3: \"2\" is not Boolean in column \"c\": ..."),
        ("a,b,c,d,y\n", "more.csv:2:1: there are no rows: ..."),
    ] {
        folder.put("more.csv", rows.as_bytes());
        folder.refuses("fit data.csv --validation more.csv --out m.json", line);
    }
    folder.refuses("fit data.csv --validation gone.csv", "gone.csv:1:1: cannot be read: ...");
    folder.refuses(
        "fit - --format csv --validation -",
        "the data and the validation rows cannot both be standard input: name a file for one of them",
    );
    folder.put("data.csv", b"a,w,y\n0,1.5,1\n1,2,0\n");
    folder.put("more.csv", b"a,y\n0,1\n");
    folder.refuses(
        "fit data.csv --weight w --validation more.csv",
        "more.csv:1:1: no column is named \"w\", which should hold the weights: ...",
    );
}

#[test]
fn a_person_reads_shapes_and_what_decided() {
    let folder = Folder::new("");
    folder.put("m.json", MODEL.as_bytes());
    let expected = "\
y, learned from 16 rows of 4 inputs by auto (K = 3, m = 20, effort = 5)
2 stages, 4 terms, 7 literals; right on 100.0 % of the training rows
stopped: every training row is explained
decided: by 4 held-out rows: tables (4); tree (3)

y = (at least 2 of: a, b, c) ⊕ d
⊕ is exclusive or: 1 where an odd number of the stages hold

stage 1   errors 8 → 8   by how many of its 3 inputs are 1
    a ∧ b   4 rows
  ∨ a ∧ c   4 rows
  ∨ b ∧ c   4 rows

stage 2   errors 8 → 0
    d       8 rows
";
    assert_eq!(folder.run("show m.json").succeeds(), expected);
}

#[test]
fn a_program_reads_them_too() {
    let folder = Folder::new("");
    folder.put("m.json", MODEL.as_bytes());
    let object = folder.run("show m.json --json").json();
    assert_eq!((&object["method"], &object["parameters"]["k"]), (&"auto".into(), &3.into()));
    assert_eq!(
        (&object["circuits"][0]["stages"][0]["shape"], &object["circuits"][0]["stages"][0]["against"]),
        (&"count".into(), &0.into())
    );
    assert_eq!(object["circuits"][0]["stages"][1]["shape"], "table");
    let decision = serde_json::json!({
        "by": "held_out", "asked": 4,
        "candidates": [
            {"name": "tables", "conditions": 7, "nats": 9.125, "right": 4},
            {"name": "tree", "conditions": 1, "right": 3}
        ]
    });
    assert_eq!(object["circuits"][0]["decision"], decision);
    let paper = Folder::with_model();
    let object = paper.run("show model.json --json").json();
    assert!(object.get("decision").is_none() && object["circuits"][0]["stages"][0].get("shape").is_none());
}

/// The rows of [`MODEL`].
fn model_rows() -> String {
    let row = |x: u8| {
        let [a, b, c, d] = [x & 1, x >> 1 & 1, x >> 2 & 1, x >> 3 & 1];
        format!("{a},{b},{c},{d},{}\n", u8::from(a + b + c >= 2) ^ d)
    };
    "a,b,c,d,y\n".to_owned() + &(0..16).map(row).collect::<String>()
}

#[test]
fn its_training_is_replayed() {
    let folder = Folder::new(&model_rows());
    folder.put("m.json", MODEL.as_bytes());
    let compile = "compile m.json --out net.onnx --certificate net.cert --rows data.csv";
    assert!(folder.run(compile).stderr().ends_with("accepted by the checker, training replayed\n"));
    let certificate = folder.text("net.cert");
    let records = "training auto k 3 m 20\n\
                   training stage 1 gate 3 before 8 after 8 on 4 off 4 tied 0 against 0 inputs 0 1 2\n\
                   training stage 2 gate 5 before 8 after 0 on 1 off 1 tied 0 against 0 inputs 3\nend\n";
    assert!(certificate.ends_with(records), "{certificate}");
    let check = "check net.onnx net.cert --rows data.csv";
    let ran = folder.run(check);
    assert!(
        ran.succeeds().ends_with("training     replayed on 16 rows, 0 in error; every row is explained\n"),
        "{}",
        ran.stdout()
    );
    folder.put("net.cert", certificate.replacen("against 0 inputs", "against 1 inputs", 1).as_bytes());
    let ran = folder.run(check);
    assert_eq!(ran.0.status.code(), Some(1));
    assert!(
        ran.stdout().contains("stage 1 (line") && ran.stdout().contains("cover is against: 0, not 1"),
        "{}",
        ran.stdout()
    );
    folder.put("m.json", MODEL.replace("\"weighted\": false", "\"weighted\": true").as_bytes());
    folder.refuses(
        compile,
        "data.csv: the model was fitted with weights: name a column that has them (--weight)",
    );
}

#[test]
fn weights_and_shares_are_replayed() {
    let row = |row: u32| {
        let (a, b, c) = (row & 1, row >> 1 & 1, row >> 2 & 1);
        let (weight, wrong) = (if row.is_multiple_of(3) { "2" } else { "0.5" }, u32::from(row % 11 == 5));
        format!("{a},{b},{c},{weight},{}\n", (a & b ^ c) ^ wrong)
    };
    let rows = std::iter::once("a,b,c,w,y\n".to_owned()).chain((0..48).map(row)).collect::<String>();
    let folder = Folder::new(&rows);
    for options in ["", "--method paper -k 2 -m 4", "--method paper -k 2 -m 4 --split"] {
        folder.run(&format!("fit data.csv --quiet --out m.json --weight w {options}")).succeeds();
        folder
            .run("compile m.json --out net.onnx --certificate net.cert --rows data.csv --weight w --quiet")
            .succeeds();
        let ran = folder.run("check net.onnx net.cert --rows data.csv");
        assert!(ran.succeeds().contains("training     replayed on 48 rows"), "{options}: {}", ran.stdout());
    }
}

#[test]
fn what_it_learns_is_certified() {
    let folder = Folder::new(ROWS);
    for options in ["", "-k 3", "-k 2 -m 1", "--validation data.csv"] {
        folder.run(&format!("fit data.csv --quiet --out m.json {options}")).succeeds();
        folder
            .run("compile m.json --out net.safetensors --certificate net.cert --rows data.csv --quiet")
            .succeeds();
        let ran = folder.run("check net.safetensors net.cert --rows data.csv");
        assert!(ran.succeeds().contains("training     replayed on 14 rows"), "{options}: {}", ran.stdout());
    }
}
