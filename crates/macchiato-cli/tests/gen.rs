//! `macchiato gen` as its users meet it: files in every format, the same bytes again, one-line faults, no leftovers.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

fn macchiato(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).arg("gen").args(arguments.split_whitespace());
    command.output().expect("the command starts")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The cells of a CSV text, without its header.
fn cells(text: &str) -> Vec<Vec<bool>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell == "1").collect()).collect()
}

#[test]
fn a_junta_and_its_test_rows() {
    let folder = folder();
    let arguments =
        "junta --inputs 8 --support 3 --rows 100 --seed 5 --out train.csv --test test.csv --test-rows full";
    let output = macchiato(folder.path(), arguments);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""));
    assert!(stderr(&output).starts_with("target       y of x"), "{}", stderr(&output));
    assert_eq!(names(folder.path()), ["test.csv", "train.csv"]);
    let train = cells(&fs::read_to_string(folder.path().join("train.csv")).unwrap());
    let test = cells(&fs::read_to_string(folder.path().join("test.csv")).unwrap());
    assert_eq!((train.len(), test.len()), (100, 256));
    let mut distinct = train.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 100);
    assert!(train.iter().all(|row| test.contains(row)), "both are rows of one target");
}

#[test]
fn one_block_is_a_junta_and_two_have_twice_its_inputs() {
    let folder = folder();
    let bytes = |arguments: &str| {
        let output = macchiato(
            folder.path(),
            &format!("{arguments} --inputs 9 --support 3 --rows 99 --out - --format csv -q"),
        );
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{arguments}");
        output.stdout
    };
    assert_eq!(bytes("juntas --blocks 1"), bytes("junta"));
    let arguments = "juntas --blocks 2 --inputs 9 --support 3 --rows 99 --out a.csv --json";
    let output = macchiato(folder.path(), arguments);
    let object: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(object["support"].as_array().expect("names").len(), 6);
}

#[test]
fn the_same_options_give_the_same_bytes_in_every_format() {
    let folder = folder();
    for ending in ["csv", "tsv", "pla", "npy", "csv.gz", "pla.zst"] {
        for name in ["a", "b"] {
            let arguments =
                format!("parity --inputs 70 --support 4 --rows 50 --seed 1 --out {name}.{ending} -q");
            let output = macchiato(folder.path(), &arguments);
            assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{ending}");
        }
        let read = |name: &str| fs::read(folder.path().join(format!("{name}.{ending}"))).unwrap();
        assert_eq!(read("a"), read("b"), "{ending}");
    }
}

#[test]
fn standard_output_needs_a_format() {
    let folder = folder();
    let output = macchiato(folder.path(), "comparator --bits 1 --rows 4 --out - --format csv -q");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert!(stdout(&output).starts_with("a1,b1,less\n"), "{}", stdout(&output));
    let mut rows = cells(stdout(&output));
    rows.sort();
    assert_eq!(
        rows.concat().into_iter().map(u8::from).collect::<Vec<_>>(),
        [0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0]
    );
}

#[test]
fn json_says_what_was_drawn() {
    let folder = folder();
    let arguments = "dnf --inputs 9 --terms 2 --width 3 --rows 300 --noise 0.1 --out a.pla --test b.pla --test-rows 20 --json";
    let output = macchiato(folder.path(), arguments);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let object: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(
        (&object["inputs"], &object["rows"], &object["test_rows"]),
        (&9.into(), &300.into(), &20.into())
    );
    assert_eq!(object["files"], serde_json::json!(["a.pla", "b.pla"]));
    let support = object["support"].as_array().expect("names");
    assert!(
        (3..=6).contains(&support.len())
            && support.iter().all(|name| name.as_str().unwrap().starts_with('x'))
    );
    let share = object["positive_share"].as_f64().expect("a number");
    assert!((0.1..0.5).contains(&share), "{share}");
}

#[test]
fn noise_is_for_the_training_labels_only() {
    let folder = folder();
    for (name, noise) in [("clean", "0"), ("noisy", "0.25")] {
        let arguments = format!(
            "adder --bits 5 --rows 800 --noise {noise} --out {name}.csv --test {name}-test.csv --test-rows 100"
        );
        assert_eq!(macchiato(folder.path(), &arguments).status.code(), Some(0));
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("clean-test.csv"), read("noisy-test.csv"));
    let (clean, noisy) = (cells(&read("clean.csv")), cells(&read("noisy.csv")));
    assert!(clean.iter().zip(&noisy).all(|(a, b)| a[..10] == b[..10]));
    let flipped = clean.iter().zip(&noisy).filter(|(a, b)| a[10] != b[10]).count();
    assert!((150..250).contains(&flipped), "{flipped}");
}

#[test]
fn what_is_drawn_can_be_learned() {
    let folder = folder();
    let arguments = "multiplexer --address 2 --rows 64 --out train.pla -q";
    assert_eq!(macchiato(folder.path(), arguments).status.code(), Some(0));
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder.path()).args(["minimize", "train.pla", "--json"]);
    let output = command.output().expect("the command starts");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object["terms"], 4, "one for each data input");
}

#[test]
fn faults_are_one_line_and_leave_nothing() {
    let folder = folder();
    for (arguments, line) in [
        (
            "junta --inputs 5 --support 6 --rows 4 --out a.pla",
            "a support of 6 inputs: it needs from 1 to 5 of the 5",
        ),
        (
            "junta --inputs 5 --support 2 --rows 33 --out a.pla",
            "33 rows without replacement: 5 inputs have from 1 to 32",
        ),
        (
            "junta --inputs 5 --support 2 --rows 0 --out a.pla",
            "0 rows without replacement: 5 inputs have from 1 to 32",
        ),
        (
            "juntas --inputs 10 --blocks 2 --support 6 --rows 4 --out a.pla",
            "2 blocks of 6 inputs: from 1 to 1 fit into 10 inputs; change the blocks, the support or the inputs",
        ),
        (
            "juntas --inputs 10 --blocks 0 --support 3 --rows 4 --out a.pla",
            "0 blocks of 3 inputs: from 1 to 3 fit into 10 inputs; change the blocks, the support or the inputs",
        ),
        (
            "juntas --inputs 10 --blocks 2 --support 0 --rows 4 --out a.pla",
            "a support of 0 inputs: it needs from 1 to 10 of the 10",
        ),
        ("parity --inputs 0 --support 1 --rows 1 --out a.pla", "0 inputs: a target has from 1 to 65535"),
        (
            "adder --bits 2 --output 4 --rows 3 --out a.pla",
            "output 4: the adder has outputs 1 to 3, the last of which is the carry",
        ),
        (
            "dnf --inputs 4 --terms 1 --width 5 --rows 3 --out a.pla",
            "terms of width 5: from 1 to the 4 inputs fit",
        ),
        (
            "comparator --bits 2 --rows 3 --noise 0.7 --out a.pla",
            "noise 0.7: the rate of flipped labels goes from 0 to 0.5",
        ),
        (
            "comparator --bits 20 --rows 3 --out a.pla --test b.pla --test-rows full",
            "all rows of 40 inputs: at most 31 inputs fit; give a number of test rows",
        ),
        (
            "comparator --bits 2 --rows 3 --out a.pla --test a.pla --test-rows 2",
            "a.pla: the training rows and the test rows need a file each",
        ),
        (
            "comparator --bits 2 --rows 3 --out -",
            "standard output has no ending that names its format: add --format csv, tsv, pla or npy",
        ),
        (
            "comparator --bits 2 --rows 3 --out a.parquet",
            "a.parquet: parquet files are read but not written: write .csv, .tsv, .pla or .npy",
        ),
        ("comparator --bits 2 --rows 3 --out no/a.pla", "no/a.pla: its folder does not exist"),
        (
            "junta --inputs 60000 --support 3 --rows 4294967295 --out a.pla",
            "4294967295 rows of 60000 inputs do not fit in memory",
        ),
    ] {
        let output = macchiato(folder.path(), arguments);
        assert_eq!(stderr(&output), format!("macchiato: {line}\n"), "{arguments}");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{arguments}");
        assert!(names(folder.path()).is_empty(), "{arguments}");
    }
    for arguments in [
        "junta --inputs 5 --rows 3 --out a.pla",
        "parity --inputs 5 --support 2 --rows many --out a.pla",
        "parity --inputs 5 --support 2 --rows 3 --out a.pla --test b.pla",
        "parity --inputs 5 --support 2 --rows 3 --out a.pla --test b.pla --test-rows most",
    ] {
        assert_eq!(macchiato(folder.path(), arguments).status.code(), Some(2), "{arguments}");
        assert!(names(folder.path()).is_empty(), "{arguments}");
    }
}
