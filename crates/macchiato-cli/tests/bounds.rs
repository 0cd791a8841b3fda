//! `macchiato bounds` as its users meet it: a plan in words and as JSON, its inverse, counts, influences from a file, one-line faults.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn macchiato(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).arg("bounds").args(arguments.split_whitespace());
    command.output().expect("the command starts")
}

fn words(folder: &Path, arguments: &str) -> String {
    let output = macchiato(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(folder: &Path, arguments: &str) -> Value {
    serde_json::from_str(&words(folder, &format!("{arguments} --json"))).expect("JSON")
}

/// The one line of a failure.
fn fault(folder: &Path, arguments: &str) -> String {
    let output = macchiato(folder, arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments}");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

const STUDY: &str = "rows --inputs 40 --junta 5 --confidence 0.95";

#[test]
fn how_many_rows_do_i_need() {
    let folder = folder();
    let text = words(folder.path(), &format!("{STUDY} --error 0.05"));
    assert!(text.starts_with("A rule that needs at most 5 of 40 inputs, with confidence 95 %.\n"), "{text}");
    let answer = json(folder.path(), &format!("{STUDY} --error 0.05"));
    let rows = answer["needed"]["consistent"].as_u64().unwrap();
    assert!(text.contains(&format!("Ordinary rows: {rows}\n")), "{text}");
    assert!(text.contains("Assumed: ") && text.lines().all(|line| line.chars().count() <= 120), "{text}");
    // The same rows buy that error, and one less does not.
    let bought = |rows: u64| {
        let answer = json(folder.path(), &format!("{STUDY} --rows {rows}"));
        answer["rows_buy"]["consistent"].as_f64().unwrap()
    };
    assert!(bought(rows) <= 0.05 && bought(rows - 1) > 0.05);
    let pairs = answer["needed"]["pairs"]["sharper"]["averaged"].as_u64().unwrap();
    let answer = json(folder.path(), &format!("{STUDY} --pairs {pairs}"));
    let epsilon = answer["pairs_buy"]["sharper"]["averaged"].as_f64().unwrap();
    assert!(epsilon <= 0.0625 && epsilon > 0.062, "{epsilon}");
    let text = words(folder.path(), &format!("{STUDY} --pairs {pairs} --rows {rows}"));
    assert!(text.contains("rows promise") && text.contains("paired samples promise"), "{text}");
}

#[test]
fn how_many_rules_there_are() {
    let folder = folder();
    assert!(
        words(folder.path(), "count --inputs 3 --junta 1")
            .starts_with("rules that need at most 1 of 3 inputs: 8\n")
    );
    let answer = json(folder.path(), "count --inputs 4 --junta 4 --influence 0.5");
    assert_eq!(answer["count"], "65536");
    assert!(answer["influential"]["ln_upper"].as_f64().unwrap() < 65536f64.ln());
    let large = json(folder.path(), "count --inputs 10000 --junta 20 --influence 0.3");
    assert!(large["count"].is_null() && large["ln_count"].as_f64().unwrap() > 726_000.0);
}

#[test]
fn influences_of_a_file() {
    let folder = folder();
    // x AND y, with z: x matters where y is 1, z never.
    let mut text = "x,y,z,input,label,label_flipped,w\n".to_owned();
    for n in 0..600 {
        let (x, y) = (n / 3 % 2, n / 6 % 2);
        let (input, flipped) = [("x", (1 - x) * y), ("y", x * (1 - y)), ("z", x * y)][n % 3];
        writeln!(text, "{x},{y},{},{input},{},{flipped},{}", n % 2, x * y, 1 + y).unwrap();
    }
    fs::write(folder.path().join("pairs.csv"), &text).unwrap();
    let answer = json(folder.path(), "influences pairs.csv");
    let line = |answer: &Value, at: usize| {
        let line = &answer["influences"][at];
        (
            line["value"].as_f64().unwrap(),
            line["interval"]["low"].as_f64().unwrap(),
            line["interval"]["high"].as_f64().unwrap(),
        )
    };
    let (value, low, high) = line(&answer, 0);
    assert!((value - 0.5).abs() < 1e-12 && low > 0.4 && high < 0.6);
    assert!((line(&answer, 2).0).abs() < 1e-12 && line(&answer, 2).2 < 0.03);
    assert_eq!(answer["method"], "clopper-pearson");
    // Rows with y = 1 weigh twice as much: x matters on two thirds.
    let weighted = json(folder.path(), "influences pairs.csv --weight w --most-weight 2");
    assert!((line(&weighted, 0).0 - 2.0 / 3.0).abs() < 1e-12 && weighted["method"] == "hoeffding");
    let uniform = json(folder.path(), "influences pairs.csv --to-uniform 0.5,2");
    assert!((uniform["influences"][0]["uniform"]["low"].as_f64().unwrap() - low / 2.0).abs() < 1e-12);
    let shown = words(folder.path(), "influences pairs.csv --from-uniform 0.5,2");
    assert!(shown.starts_with("input ") && shown.contains("\nz ") && shown.contains("there"), "{shown}");
    // Without columns of inputs the flips name them.
    fs::write(folder.path().join("bare.csv"), "input,label,label_flipped\nb,0,1\na,1,1\n").unwrap();
    let bare = json(folder.path(), "influences bare.csv");
    assert_eq!(
        (&bare["influences"][0]["input"], &bare["influences"][1]["differing"]),
        (&"a".into(), &1.into())
    );
}

#[test]
fn faults_name_the_remedy() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("no_label.csv", "x,input,label\n0,x,1\n");
    write("unknown.csv", "x,input,label,label_flipped\n0,x,1,0\n0,q,1,0\n");
    write("gap.csv", "x,input,label,label_flipped\n0,x,1,0\n0,x,,0\n");
    write("heavy.csv", "x,input,label,label_flipped,w\n0,x,1,0,3\n");
    for (arguments, remedy) in [
        ("rows --inputs 40 --junta 41 --error 0.1", "give a number from 1 to 40"),
        ("rows --inputs 40 --junta 5 --error 1.5", "the error is 1.5: give a number above 0 and below 1"),
        ("rows --inputs 40 --junta 5 --error 0.1 --width 4", "give a width of at least 5"),
        ("rows --inputs 40 --junta 5 --rows 2 --stages 3", "give at least 3 rows, or fewer stages"),
        ("rows --inputs 40 --junta 5 --error 0.1 --gap 0", "epsilon is 0: give a number above 0 and below 1"),
        ("rows --inputs 5000 --junta 100 --error 0.1", "allow more error, or a rule of fewer inputs"),
        ("count --inputs 0 --junta 1", "give at least 1"),
        ("count --inputs 4 --junta 2 --influence 2", "give a number above 0 and at most 1"),
        ("influences no_label.csv", "no_label.csv: no column \"label_flipped\""),
        (
            "influences unknown.csv",
            "unknown.csv: pair 2 flips \"q\", which is no column: name one of the inputs",
        ),
        ("influences gap.csv", "gap.csv: pair 2 has no label: fill it in"),
        ("influences heavy.csv --weight w --most-weight 2", "heavy.csv: weight 3"),
        ("influences missing.csv", "missing.csv"),
    ] {
        let text = fault(folder.path(), arguments);
        assert!(text.contains(remedy), "{arguments}: {text}");
    }
    for question in ["rows --inputs 40 --junta 5 --error 0.1", "influences heavy.csv"] {
        let refused = macchiato(folder.path(), &format!("{question} --confidence 1"));
        let text = String::from_utf8(refused.stderr).expect("text");
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{text}");
        assert!(text.contains("give a decimal between 0 and 1, such as 0.95"), "{text}");
    }
}
