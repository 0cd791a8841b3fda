//! `macchiato fit` by the paper's method, and what all commands share.

use super::command::{Folder, ROWS};

#[test]
fn the_example_finds_the_rule_and_says_what_to_do_next() {
    let folder = Folder::new("");
    let ran = folder.run("fit --example --method paper");
    let text = ran.succeeds();
    let formula = "light = ((upstairs ∧ ¬downstairs) ∨ (¬upstairs ∧ downstairs)) ⊕ (dark ∧ motion)\n";
    for part in [
        formula,
        "stage 1   errors 58 → 16\n",
        "stage 2   errors 16 → 0\n",
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
    let object = folder.run("fit data.csv --method paper -k 3 -m 5 --json").json();
    assert_eq!((&object["columns"], &object["rows"]), (&4.into(), &14.into()));
    assert_eq!(
        (&object["method"], &object["circuits"][0]["stop"]),
        (&"paper".into(), &"residual_zero".into())
    );
    assert_eq!(object["train_accuracy"], 1.0);
    assert_eq!((&object["parameters"]["k"], &object["parameters"]["tau"]), (&3.into(), &"0".into()));
    assert_eq!(object["interrupted"], false);
    assert!(object["seconds"].is_f64());
    let stages = object["circuits"][0]["stages"].as_array().expect("a list");
    assert_eq!(stages.len(), 2);
    assert_eq!(stages[0]["inputs"], serde_json::json!(["a", "b", "c"]));
    for (key, values) in
        [("terms", [2, 1]), ("literals", [4, 2]), ("errors_before", [7, 2]), ("errors_after", [2, 0])]
    {
        assert_eq!([&stages[0][key], &stages[1][key]], [values[0], values[1]], "{key}");
    }
}

#[test]
fn the_model_is_the_same_bytes_on_any_number_of_threads_and_from_any_place() {
    let folder = Folder::new(ROWS);
    folder.run("fit data.csv --method paper -k 3 --out one.json --threads 1").succeeds();
    folder.run("--threads 2 fit data.csv --method paper -k 3 --out two.json").succeeds();
    let one = folder.text("one.json");
    assert_eq!(one, folder.text("two.json"));
    let ran = folder.pipe("fit - --method paper --format csv -k 3 --out -", ROWS);
    assert_eq!(ran.succeeds(), one);
    assert!(ran.stderr().contains("right     100.0 %"), "{}", ran.stderr());
    assert_eq!(folder.run("fit data.csv --method paper -k 3 --out one.json --quiet").succeeds(), "");
    assert_eq!(folder.text("one.json"), one);
    folder.run("fit data.csv --method paper -k 3 --out timed.json --timings").succeeds();
    assert!(folder.text("timed.json").contains("\"seconds\""));
    assert_eq!(folder.names(), ["data.csv", "one.json", "timed.json", "two.json"]);
}

#[test]
fn the_target_and_the_weights_can_be_any_columns() {
    let folder = Folder::new("y,w,a,b\n1,2,1,0\n0,0.5,1,0\n0,1,0,0\n0,1,0,1\n");
    let object = folder.run("fit data.csv --method paper --target y --weight w --json").json();
    assert_eq!((&object["columns"], &object["target"]), (&2.into(), &"y".into()));
    assert_eq!(object["train_accuracy"], 0.75);
}

#[test]
fn rows_without_neighbours_get_a_hint() {
    let folder = Folder::new("a,b,y\n0,0,0\n1,1,1\n");
    let ran = folder.run("fit data.csv --method paper");
    assert!(
        ran.succeeds().contains("no input's influence exceeds tau\n          influences need rows"),
        "{}",
        ran.stdout()
    );
}

#[test]
fn every_option_of_the_method_is_heard() {
    let folder = Folder::new(ROWS);
    let words = "fit data.csv --method paper -k 2 -m 3 --tau 0.05 --select random --split --seed 7 --stop-when-stuck --out m.json -q";
    folder.run(words).succeeds();
    let model: serde_json::Value = serde_json::from_str(&folder.text("m.json")).expect("JSON");
    let method = serde_json::json!({
        "name": "paper", "k": 2, "m": 3, "tau": "0.05", "select": "random", "split": true, "seed": 7,
        "stop_when_stuck": true
    });
    assert_eq!(model["method"], method);
}

#[test]
fn a_fit_without_time_is_valid_and_says_so() {
    let folder = Folder::new(ROWS);
    let object = folder.run("fit data.csv --method paper --time-limit 0s --json --out m.json").json();
    assert_eq!(
        (&object["circuits"][0]["stop"], &object["interrupted"]),
        (&"interrupted".into(), &true.into())
    );
    assert!(folder.run("show m.json").succeeds().contains("stopped: it was interrupted\n"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_stages_so_far() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("");
    folder.run("gen dnf --inputs 60 --terms 12 --width 6 --rows 60000 --noise 0.1 --out rows.csv").succeeds();
    let words = "fit rows.csv --method paper -k 60 -m 50 --select random --json --out m.json";
    let child = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"))
        .current_dir(folder.path())
        .args(words.split_whitespace())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&object["circuits"][0]["stop"], &object["interrupted"]),
        (&"interrupted".into(), &true.into())
    );
    assert_eq!(folder.names(), ["data.csv", "m.json", "rows.csv"]);
    assert!(folder.run("show m.json").succeeds().contains("stopped: it was interrupted\n"));
}

#[test]
fn bad_data_get_one_line_and_leave_nothing_behind() {
    for (data, options, line) in [
        ("", "", "data.csv:1:1: the file is empty: ..."),
        ("a,y\n", "", "data.csv:2:1: there are no rows: ..."),
        ("a,b,y\n0,1,1\n0,inf,1\n", "", "data.csv:3:2: \"inf\" is not finite in column \"b\": ..."),
        ("a,b,y\n0,1,1\n0\n", "", "data.csv:3:2: this row has 1 cells where the header names 3: ..."),
        ("a,y\n0,1\n", "--target z", "data.csv: no column \"z\"; the columns are \"a\", \"y\""),
        ("y\n0\n", "", "data.csv: no columns besides the target: add at least one"),
        ("a,y\n0,1\n", "-k 0", "K is 0: a stage needs at least one input, so give -k 1 or more"),
        ("a,y\n0,1\n", "-m 0", "m is 0: at least one stage is needed, so give -m 1 or more"),
        ("a,y\n0,1\n", "--method paper --split", "data.csv: --split shares 1 rows among 20 stages: ..."),
        (
            "a,y\n0,1\n",
            "--weight w",
            "data.csv:1:1: no column is named \"w\", which should hold the weights: ...",
        ),
    ] {
        Folder::new(data).refuses(&format!("fit data.csv --out m.json {options}"), line);
    }
}

#[test]
fn bad_places_get_one_line() {
    let folder = Folder::new(ROWS);
    folder.refuses("fit data.csv --out no/m.json", "no/m.json: its folder does not exist");
    folder.refuses(
        "fit data.csv --json --out -",
        "--json and --out - both want standard output: name a file after --out",
    );
    folder.refuses(
        "fit -",
        "standard input has no ending that names its format: add --format csv, tsv, pla or npy",
    );
    let missing = folder.run("fit gone.csv --out m.json");
    assert_eq!(missing.0.status.code(), Some(2));
    assert!(missing.stderr().starts_with("macchiato: gone.csv"), "{}", missing.stderr());
    assert_eq!(missing.stderr().lines().count(), 1);
}

#[test]
fn a_file_that_ends_early_is_refused() {
    let folder = Folder::new("");
    // The first bytes of a gzip file.
    folder.put("cut.csv.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xd4");
    let ran = folder.run("fit cut.csv.gz --out m.json");
    assert_eq!((ran.0.status.code(), ran.stdout()), (Some(2), ""));
    assert!(ran.stderr().contains("ends early") && ran.stderr().lines().count() == 1, "{}", ran.stderr());
    assert_eq!(folder.names(), ["cut.csv.gz", "data.csv"]);
}

#[test]
fn usage_mistakes_have_exit_code_2() {
    let folder = Folder::new(ROWS);
    for words in [
        "fit",
        "fit data.csv --method paper --tau 1",
        "fit data.csv --example",
        "fit data.csv --threads 0",
        "show",
        "learn",
    ] {
        assert_eq!(folder.run(words).0.status.code(), Some(2), "{words}");
    }
}

#[test]
fn every_command_has_help_with_examples_of_at_most_100_columns() {
    let folder = Folder::new("");
    for command in ["fit", "show", "predict", "evaluate", "gen", "minimize", "completions"] {
        let ran = folder.run(&format!("{command} --help"));
        let text = ran.succeeds();
        assert!(text.contains("Examples:\n") && text.contains("--threads"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn shells_complete() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.run(&format!("completions {shell}"));
        assert!(ran.succeeds().contains("evaluate"), "{shell}");
    }
}
