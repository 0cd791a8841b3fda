//! `macchiato espresso`: Berkeley's options, its output, its exit codes.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// The majority of three, 1 or open on three cells more, and a second output.
const MAJORITY: &str =
    ".i 3\n.o 2\n.ilb a b c\n.ob y z\n.type fd\n011 1-\n101 10\n110 1-\n111 11\n001 -0\n.e\n";

fn espresso(folder: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).arg("espresso").args(arguments).write_stdin(stdin);
    command.output().expect("the command starts")
}

/// What it writes where all goes well.
fn written(arguments: &[&str]) -> String {
    let folder = folder();
    let output = espresso(folder.path(), arguments, MAJORITY);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn folder() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("in.pla"), MAJORITY).expect("written");
    fs::write(folder.path().join("wrong.pla"), ".i 3\n.o 2\n--- 11\n.e\n").expect("written");
    folder
}

/// The rows of a result, sorted: their order is no promise of Berkeley's.
fn rows(text: &str) -> Vec<&str> {
    let mut rows: Vec<&str> = text.lines().filter(|line| line.starts_with(['0', '1', '-'])).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn files_pipes_and_separate_values_give_what_berkeley_gives() {
    let result = written(&["in.pla"]);
    assert!(result.starts_with(".i 3\n.o 2\n.ilb a b c\n.ob y z\n.p 2\n"), "{result}");
    assert_eq!(rows(&result), ["--1 10", "11- 11"]);
    for arguments in
        [&[][..], &["-"], &["-Dexact", "in.pla"], &["-D", "exact", "-o", "f", "-d", "-v", "irred"]]
    {
        assert_eq!(written(arguments), result);
    }
    assert_eq!(written(&["-x", "in.pla"]), "");
}

#[test]
fn the_sets_are_written_in_berkeleys_letters() {
    let result = written(&["-ofd", "in.pla"]);
    assert!(result.starts_with(".type fd\n.i 3\n.o 2\n.ilb a b c\n.ob y z\n.p 5\n"), "{result}");
    assert!(result.ends_with(".end\n"));
    assert_eq!(rows(&result), ["--1 1~", "001 2~", "011 ~2", "11- 11", "110 ~2"]);
    assert!(written(&["-o", "fr", "in.pla"]).starts_with(".type fr\n"));
    assert!(written(&["-o", "fdr", "in.pla"]).starts_with(".type fdr\n"));
}

#[test]
fn complements_say_so_and_outputs_can_stand_alone() {
    let result = written(&["-epos", "in.pla"]);
    assert!(result.contains("#.phase 00\n.p 3\n"), "{result}");
    assert_eq!(rows(&result), ["-0- 01", "-00 10", "0-0 11"]);
    assert!(
        rows(&written(&["-Dso", "in.pla"])).iter().all(|row| row.ends_with(" 10") || row.ends_with(" 01"))
    );
    assert_eq!(rows(&written(&["-Decho", "in.pla"])), ["011 10", "101 10", "110 10", "111 11"]);
    assert!(written(&["-s", "-x", "in.pla"]).starts_with("# ESPRESSO\tTime was "));
}

#[test]
fn verify_tells_right_from_wrong_and_failures_are_1() {
    let folder = folder();
    fs::write(folder.path().join("right.pla"), written(&["in.pla"])).expect("written");
    let asked = |arguments: &[&str]| espresso(folder.path(), arguments, "");
    assert_eq!(asked(&["-Dverify", "in.pla", "right.pla"]).status.code(), Some(0));
    let wrong = asked(&["-Dverify", "in.pla", "wrong.pla"]);
    assert_eq!(wrong.status.code(), Some(1));
    for (arguments, reason) in [
        (&["-Dopo", "in.pla"][..], "-Dopo is not supported"),
        (&["-okiss", "in.pla"], "-okiss is not supported: f, fd, fr and fdr are"),
        (&["-eeat", "in.pla"], "-eeat is not supported"),
        (&["-q", "in.pla"], "-q: there is no such option of espresso, or none that is supported"),
        (&["in.pla", "wrong.pla"], "wrong.pla: too many files"),
        (&["in.pla", "-o"], "-o needs a value"),
    ] {
        let output = asked(arguments);
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("macchiato: {reason}\n"));
        assert_eq!(output.status.code(), Some(1));
    }
}

#[cfg(unix)]
#[test]
fn under_the_name_espresso_the_command_is_berkeleys() {
    let folder = folder();
    let name = folder.path().join("espresso");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("macchiato"), &name).expect("linked");
    let output = Command::new(&name).current_dir(folder.path()).args(["-Dexact", "in.pla"]).output();
    assert_eq!(String::from_utf8_lossy(&output.expect("it starts").stdout), written(&["in.pla"]));
}
