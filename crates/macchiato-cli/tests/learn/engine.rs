//! `fit --engine`: the words go to the Python package as they are. What the package does with them is tested there.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use super::command::{Folder, Ran};
use assert_cmd::Command;

const WORDS: [&str; 9] =
    ["fit", "rows/*.parquet", "--engine", "duckdb", "--target", "risk", "--key", "id", "--quiet"];

/// Runs the command with a program that stands for Python.
fn run(folder: &Folder, python: &str, words: &[&str]) -> Ran {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder.path()).env("MACCHIATO_ENGINE_PYTHON", python).args(words);
    Ran(command.output().expect("the command starts"))
}

/// A program that is asked first whether the package is there, and then to be it.
fn stand_in(folder: &Folder, has_package: bool) -> String {
    let there = u8::from(!has_package);
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = -c ]; then exit {there}; fi\nfor word; do echo \"<$word>\"; done\nexit 7\n"
    );
    folder.put("python", script.as_bytes());
    let path = folder.path().join("python");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("may be run");
    path.to_str().expect("text").to_owned()
}

#[test]
fn the_package_gets_the_words_and_gives_the_exit_code() {
    let folder = Folder::new("");
    let python = stand_in(&folder, true);
    let ran = run(&folder, &python, &WORDS);
    let expected: String =
        ["-m", "macchiato"].iter().chain(&WORDS).flat_map(|word| ["<", word, ">\n"]).collect();
    assert_eq!((ran.stdout(), ran.0.status.code()), (expected.as_str(), Some(7)), "{}", ran.stderr());
}

#[test]
fn without_the_package_it_says_what_to_install() {
    let folder = Folder::new("");
    let python = stand_in(&folder, false);
    for python in [python.as_str(), "/nowhere/python"] {
        let ran = run(&folder, python, &WORDS);
        assert_eq!((ran.0.status.code(), ran.stdout()), (Some(2), ""));
        let line = ran.stderr();
        assert!(line.starts_with("macchiato: --engine ") && line.lines().count() == 1, "{line}");
        assert!(line.contains(python) && line.contains("pip install 'macchiato[duckdb]'"), "{line}");
    }
}

#[test]
fn what_is_for_an_engine_needs_one_and_the_target_is_named() {
    let folder = Folder::new("a,y\n0,1\n");
    for (words, missing) in [
        ("fit data.csv --key id", "--engine"),
        ("fit data.csv --sample 100", "--engine"),
        ("fit data.csv --engine duckdb", "--target"),
    ] {
        let ran = folder.run(words);
        assert_eq!(ran.0.status.code(), Some(2), "{words}");
        assert!(
            ran.stderr().contains("required arguments") && ran.stderr().contains(missing),
            "{}",
            ran.stderr()
        );
    }
}
