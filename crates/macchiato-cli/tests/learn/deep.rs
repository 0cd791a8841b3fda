//! Models whose circuits have no stages, through every command that reads a model.

use super::command::Folder;

/// `2 * (a AND b) + 2 * NOT c + a >= 3`, on all eight rows.
const MODEL: &str = r#"{
  "format": "macchiato-model",
  "version": 1,
  "target": "y",
  "classes": ["0", "1"],
  "positive": "1",
  "columns": [
    {"name": "a", "type": "boolean", "gaps": false},
    {"name": "b", "type": "boolean", "gaps": false},
    {"name": "c", "type": "boolean", "gaps": false}
  ],
  "tests": [{"column": "a"}, {"column": "b"}, {"column": "c"}],
  "method": {"name": "auto", "k": null, "m": 20, "effort": 5, "seed": 0},
  "circuits": [{"gates": [
    {"rule": "and", "literals": [{"input": "a"}, {"input": "b"}], "rows": 2},
    {
      "rule": "at least",
      "least": 3,
      "literals": [{"gate": 0, "points": 2}, {"input": "c", "negated": true, "points": 2}, {"input": "a"}],
      "role": {"name": "score"},
      "rows": 3
    }
  ],
  "output": {"gate": 1},
  "trace": {
    "data": {"rows": 8, "distinct": 8, "contradictory": 0, "tied": 0, "positive": 3, "weighted": false},
    "stop": "residual_zero",
    "errors": 0,
    "stages": []
  },
  "cells": {"prior": 0.02, "answers": [[5, 0], [0, 3]]}
  }]
}
"#;

const ROWS: &str = "a,b,c,y\n0,0,0,0\n1,0,0,1\n0,1,0,0\n1,1,0,1\n0,0,1,0\n1,0,1,0\n0,1,1,0\n1,1,1,1\n";

fn folder() -> Folder {
    let folder = Folder::new(ROWS);
    folder.put("m.json", MODEL.as_bytes());
    folder
}

#[test]
fn it_is_shown_and_used() {
    let folder = folder();
    let shown = folder.run("show m.json --ascii");
    let text = shown.succeeds();
    assert!(text.contains("2 gates, 5 literals; right on 100.0 %"), "{text}");
    assert!(text.contains("\ny = 1 if score = 2 * (a & b) + 2 * !c + a >= 3\n"), "{text}");
    let object = folder.run("show m.json --json --ascii").json();
    assert_eq!(object["circuits"][0]["formula"], "2 * (a & b) + 2 * !c + a >= 3");
    assert_eq!(folder.run("predict m.json data.csv").succeeds(), "0\n1\n0\n1\n0\n0\n0\n1\n");
    assert!(folder.run("evaluate m.json data.csv").succeeds().contains("accuracy            1.0000"));
}

#[test]
fn it_is_explained() {
    let folder = folder();
    let whole = folder.run("explain m.json");
    assert!(whole.succeeds().contains("is 1 on 3 of 8 points (37.5 %)"), "{}", whole.stdout());
    let one = folder.run("explain m.json --input a=1,b=1,c=1");
    let text = one.succeeds();
    assert!(
        text.contains("2 * (a ∧ b)") && text.contains("at least 3 of 5 points: 3 points hold, so 1"),
        "{text}"
    );
}

#[test]
fn it_is_compiled_checked_reported_and_exported() {
    let folder = folder();
    folder.run("compile m.json --out n.onnx --certificate n.cert --quiet").succeeds();
    let checked = folder.run("check n.onnx n.cert --model m.json");
    assert!(checked.succeeds().contains("names and circuits are those of the model"), "{}", checked.stdout());
    let ran = folder.run("compile m.json --out o.onnx --certificate o.cert --rows data.csv");
    ran.succeeds();
    assert!(ran.stderr().contains("accepted by the checker, training replayed"), "{}", ran.stderr());
    folder.run("report m.json --rows data.csv --out page.html --quiet").succeeds();
    let page = folder.text("page.html");
    assert!(page.contains("Scorecard: score is at least 3 of 5 points"), "a scorecard");
    for format in
        ["pla", "blif", "aiger", "verilog", "smtlib", "c", "rust", "python", "dot", "svg", "latex", "json"]
    {
        folder.run(&format!("export m.json --to {format} --out x.{format} --quiet")).succeeds();
    }
}
