//! `fit --holdout`, `macchiato bounds` and `macchiato ask`: what rows prove.

use super::command::{Folder, ROWS};

/// 400 rows of a junta of three out of ten inputs.
const GEN: &str =
    "gen junta --inputs 10 --support 3 --rows 400 --seed 3 --out train.csv --test fresh.csv --test-rows 500";

/// A table of numbers and names with three classes: the size decides, `tint` does not.
fn classes() -> String {
    let row = |i: u32| {
        let (size, tint) = (i * 7 % 90, ["red", "blue", "green"][(i * 5 % 3) as usize]);
        format!("{size},{tint},{}\n", ["small", "medium", "large"][(size / 30) as usize])
    };
    std::iter::once("size,tint,kind\n".to_owned()).chain((0..180).map(row)).collect()
}

#[test]
fn rows_put_aside_bound_the_error_and_the_file_keeps_it() {
    let folder = Folder::new(ROWS);
    folder.run(GEN).succeeds();
    let ran = folder.run("fit train.csv --holdout 0.25 --confidence 0.9 --out model.json");
    let line = "error     with 90 % confidence it errs on at most 2.3 % of such rows (0 of 100 held-out rows wrong)\n";
    assert!(ran.succeeds().contains(line), "{}", ran.stdout());
    assert!(ran.stdout().contains("rows      300 of 10 inputs;"), "{}", ran.stdout());
    let model = folder.text("model.json");
    assert!(model.contains("\"holdout\": {\"rows\": 100, \"wrong\": 0, \"confidence\": \"0.9\"}"), "{model}");
    folder.run("--threads 1 fit train.csv --holdout 0.25 --confidence 0.9 --out same.json").succeeds();
    assert_eq!(folder.text("same.json"), model);
    let shown = folder.run("show model.json");
    assert!(shown.succeeds().contains("error: with 90 % confidence"), "{}", shown.stdout());
    let object = folder.run("show model.json --json").json();
    assert_eq!((&object["holdout"]["rows"], &object["holdout"]["confidence"]), (&100.into(), &"0.9".into()));
    assert!((object["holdout"]["error_at_most"].as_f64().expect("a number") - 0.022_763).abs() < 1e-5);
    let compiled = folder.run("compile model.json --out net.onnx --certificate net.cert");
    compiled.succeeds();
    let both = "error        of the network as of its circuit, since they agree on all 0/1 inputs:\n             with 90 %";
    assert!(compiled.stderr().contains(both), "{}", compiled.stderr());
    folder.run("check net.onnx net.cert").succeeds();
    folder.refuses(
        "compile model.json --out other.onnx --certificate other.cert --rows train.csv",
        "train.csv: the model put 100 of its rows aside, so its training cannot be replayed on all of them: leave --rows out",
    );
}

#[test]
fn without_holdout_nothing_changes() {
    let folder = Folder::with_model();
    assert!(!folder.text("model.json").contains("holdout"));
    assert!(!folder.run("show model.json").succeeds().contains("error:"));
    assert!(folder.run("show model.json --json").json().get("holdout").is_none());
}

#[test]
fn classifiers_are_judged_by_their_classes() {
    let folder = Folder::new(&classes());
    let ran = folder.run("fit data.csv --holdout 0.3 --out model.json");
    assert!(ran.succeeds().contains("of 54 held-out rows wrong)\n"), "{}", ran.stdout());
    assert!(ran.stdout().contains("rows      126 of 2 columns"), "{}", ran.stdout());
    let shown = folder.run("show model.json");
    assert!(
        shown.succeeds().starts_with("kind, all classes together\nerror: with 95 %"),
        "{}",
        shown.stdout()
    );
    let object = folder.run("fit data.csv --holdout 0.3 --json").json();
    assert_eq!(object["holdout"]["rows"], 54);
    assert!(object["models"][0].get("holdout").is_none());
    // Several circuits answer together with the training rows: a network alone does not.
    let compiled = folder.run("compile model.json --out net.onnx");
    compiled.succeeds();
    assert!(!compiled.stderr().contains("error "), "{}", compiled.stderr());
    folder.put("fresh.csv", b"size,tint,kind\n5,red,small\n50,blue,large\n88,red,huge\n");
    let object = folder.run("bounds error model.json fresh.csv --json").json();
    assert_eq!((&object["wrong"], &object["rows"]), (&2.into(), &3.into()));
}

#[test]
fn weights_are_numbers_of_rows() {
    let folder = Folder::new("a,b,n,y\n0,0,30,0\n0,1,30,1\n1,0,30,1\n1,1,30,0\n");
    let ran = folder.run("fit data.csv --weight n --holdout 0.5 --method paper -k 2");
    assert!(ran.succeeds().contains("(0 of 60 held-out rows wrong)"), "{}", ran.stdout());
    folder.put("half.csv", b"a,b,n,y\n0,0,1,0\n0,1,2.5,1\n");
    let line = "row 2 has the weight 2.5, which is no number of rows: only whole weights can be";
    folder
        .refuses("fit half.csv --weight n --holdout 0.5", &format!("half.csv: {line} held out and counted"));
}

#[test]
fn what_cannot_be_put_aside_is_refused() {
    let folder = Folder::new(ROWS);
    for share in ["0", "1", "20", "-1"] {
        folder.refuses(
            &format!("fit data.csv --holdout={share}"),
            &format!(
                "--holdout {share}: give the share of the rows to put aside, between 0 and 1, such as 0.2"
            ),
        );
    }
    folder.refuses("fit data.csv --holdout 0.01", "data.csv: a holdout of 0.01 puts 0 of 14 rows aside: ...");
    let ran = folder.run("fit data.csv --holdout 0.2 --confidence 95");
    assert!(ran.stderr().contains("give a decimal between 0 and 1, such as 0.95"), "{}", ran.stderr());
    assert_eq!(folder.run("fit data.csv --confidence 0.9").0.status.code(), Some(2));
}

#[test]
fn errors_are_bounded_by_counts_and_by_fresh_rows() {
    let folder = Folder::new(ROWS);
    assert_eq!(
        folder.run("bounds error --wrong 12 --of 1000").succeeds(),
        "with 95 % confidence it errs on at most 2.0 % of such rows (12 of 1000 held-out rows wrong)\n"
    );
    assert_eq!(
        folder.run("bounds error --wrong 0 --of 100 --below 0.01").succeeds(),
        "with 95 % confidence it errs on at most 3.0 % of such rows (0 of 100 held-out rows wrong)\n\
         to show at most 1.0 %: 299 rows without an error, or about 299 with errors as frequent as here\n"
    );
    let object = folder.run("bounds error --wrong 3 --of 50 --below 0.05 --confidence 0.99 --json").json();
    assert_eq!(object["below"]["rows_at_this_rate"], serde_json::Value::Null);
    assert_eq!(object["below"]["rows_without_error"], 90);
    folder.run(GEN).succeeds();
    folder.run("fit train.csv --quiet --out model.json").succeeds();
    let ran = folder.run("bounds error model.json fresh.csv");
    assert!(ran.succeeds().ends_with("(0 of 500 held-out rows wrong)\n"), "{}", ran.stdout());
    folder.refuses(
        "bounds error model.json train.csv",
        "train.csv: these are the rows that the model was learned from, or look like them: only rows that it has never seen bound its error",
    );
    folder.refuses("bounds error --wrong 3 --of 2", "--wrong 3 is more than --of 2");
    folder.refuses("bounds error --wrong 0 --of 0", "--of 0: without rows nothing is known");
    folder.refuses(
        "bounds error --wrong 0 --of 9 --below 2",
        "--below 2: give a share between 0 and 1, such as 0.01",
    );
}

#[test]
fn stages_are_read_against_rows() {
    let folder = Folder::new(ROWS);
    folder.run(GEN).succeeds();
    folder.run("fit train.csv --method paper -k 3 -m 4 --quiet --out model.json").succeeds();
    let object = folder.run("bounds model model.json --rows train.csv --json").json();
    assert_eq!((&object["origin"], &object["rows"]), (&"training".into(), &400.into()));
    let first = &object["stages"][0];
    assert_eq!(first["inputs"].as_array().map(Vec::len), Some(10));
    let text = folder.run("bounds model model.json --rows train.csv");
    assert!(text.succeeds().contains("taken as those that it was learned from"), "{}", text.stdout());
    let fresh = folder.run("bounds model model.json --rows fresh.csv --fresh");
    assert!(fresh.succeeds().contains("and so does every network of it whose certificate is accepted\n"));
    assert!(fresh.stdout().lines().all(|line| line.chars().count() <= 130), "{}", fresh.stdout());
    folder.refuses(
        "bounds model model.json --rows train.csv --fresh",
        "train.csv: these are the rows that the model was learned from, or look like them: leave --fresh out",
    );
    folder.put("table.csv", classes().as_bytes());
    folder.run("fit table.csv --quiet --out classes.json").succeeds();
    folder.refuses(
        "bounds model classes.json --rows table.csv",
        "classes.json: its tests of columns depend on each other, ...",
    );
}

/// Answers a sheet as `x2 AND x5` would.
fn answered(sheet: &str) -> String {
    let mut lines = sheet.lines();
    let mut text = lines.next().expect("a heading").to_owned() + "\n";
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let label = cells[1] == "1" && cells[4] == "1";
        text.extend([line, if label { "1" } else { "0" }, "\n"]);
    }
    text
}

#[test]
fn labels_are_asked_for_until_the_inputs_are_certain() {
    let folder = Folder::new("");
    let begin = folder.run("ask study.json --inputs 12 -k 2 --smallest 0.2 --out ask.csv --batch 200");
    assert!(
        begin.succeeds().starts_with("labels      0 known, 104 more asked for in ask.csv\n"),
        "{}",
        begin.stdout()
    );
    let mut rounds = 0;
    let mut last = String::new();
    while folder.run("ask study.json --json").json()["certified"] == false {
        folder.put("ask.csv", answered(&folder.text("ask.csv")).as_bytes());
        folder
            .run("ask study.json --answers ask.csv --out ask.csv --batch 200")
            .succeeds()
            .clone_into(&mut last);
        rounds += 1;
        assert!(rounds < 60);
    }
    assert!(last.contains("\nin          x"), "{last}");
    let end = "certified   with 95 % confidence, provided that no influence is above 0 and below 0.2\n";
    assert!(last.ends_with(end), "{last}");
    let object = folder.run("ask study.json --json").json();
    assert_eq!(object["selected"], serde_json::json!(["x2", "x5"]));
    assert_eq!(object["asked"], 0);
}

#[test]
fn answers_may_be_partial_and_must_not_contradict() {
    let folder = Folder::new("");
    folder.run("ask study.json --inputs 3 -k 1 --out ask.csv").succeeds();
    folder.refuses("ask study.json --answers ask.csv", "ask.csv: no labels: fill in the column \"y\" ...");
    folder.put("some.csv", b"y,x3,x1,x2\n1,0,0,0\n,1,1,1\n");
    assert_eq!(folder.run("ask study.json --answers some.csv --json").json()["labels"], 1);
    folder.put("other.csv", b"x1,x2,x3,y\n0,0,1,1\n0,0,0,0\n");
    folder.refuses(
        "ask study.json --answers other.csv",
        "other.csv: row 2: this point was answered 1 before: labels must be a function of the inputs",
    );
    assert_eq!(folder.run("ask study.json --json").json()["labels"], 1, "refused as a whole");
    folder.put("gap.csv", b"x1,x2,x3,y\n0,,1,1\n");
    folder.refuses(
        "ask study.json --answers gap.csv",
        "gap.csv: row 1 has a label and no value in column \"x2\"",
    );
    folder.put("short.csv", b"x1,x2,y\n0,0,1\n");
    folder.refuses("ask study.json --answers short.csv", "short.csv: no column \"x3\": ...");
    folder.put("long.csv", b"x1,x2,x3,x4,y\n0,0,0,1,1\n");
    folder.refuses("ask study.json --answers long.csv", "long.csv: unknown: \"x4\": ...");
    folder.refuses("ask study.json --inputs 4 -k 1", "study.json: there is a question already: ...");
    folder.refuses("ask none.json", "none.json: no question there: begin one with --inputs and -k");
    folder.refuses(
        "ask new.json --inputs 30 -k 1",
        "with tau = 0 no number of labels shows that one of 30 inputs ...",
    );
    folder.put("bad.json", b"{\"format\":\"x\"}");
    folder.refuses("ask bad.json", "bad.json: ...");
    // Eight rows are all there are.
    let row = |x: u8| format!("{},{},{},{}", x & 1, x >> 1 & 1, x >> 2, u8::from(x == 0));
    let all = (0..8).map(row).collect::<Vec<_>>().join("\n");
    folder.put("all.csv", format!("x1,x2,x3,y\n{all}").as_bytes());
    let ran = folder.run("ask study.json --answers all.csv");
    assert!(
        ran.succeeds().ends_with("certified   by all 2^3 points: nothing is left to chance\n"),
        "{}",
        ran.stdout()
    );
}
