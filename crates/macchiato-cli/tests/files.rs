//! Outputs that would replace an input or each other, links, and what killed processes leave behind.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const ROWS: &str = "a,b,y\n0,0,0\n0,1,0\n1,0,0\n1,1,1\n";
const LOGIC: &str = ".i 2\n.o 1\n.type fr\n01 1\n10 1\n00 0\n.e\n";

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).args(line.split_whitespace()).stdin(Stdio::null()).output().expect("it runs")
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.csv"), ROWS).expect("written");
    fs::write(at("a.pla"), LOGIC).expect("written");
    fs::create_dir(at("sub")).expect("a folder");
    symlink("../a.csv", at("sub/link.csv")).expect("a link");
    symlink("new.json", at("soon.json")).expect("a link");
    fs::hard_link(at("a.csv"), at("same.csv")).expect("a link");
    assert!(run(folder.path(), "fit a.csv --out m.json --quiet").status.success());
    folder
}

/// Every file and its bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().expect("text");
    let mut all: Vec<_> =
        entries.map(|entry| (name(&entry), fs::read(entry.path()).unwrap_or_default())).collect();
    all.sort();
    all
}

#[test]
fn no_output_replaces_an_input_or_another_output() {
    let folder = folder();
    let before = contents(folder.path());
    for (line, said) in [
        ("fit a.csv --out a.csv", "a.csv: --out would replace a file that is read"),
        ("fit a.csv --out ./a.csv", "./a.csv: --out would replace a file that is read"),
        ("fit a.csv --out sub/link.csv", "sub/link.csv: --out would replace a file that is read"),
        ("fit sub/link.csv --out a.csv", "a.csv: --out would replace a file that is read"),
        ("fit a.csv --out same.csv", "same.csv: --out would replace a file that is read"),
        ("fit a.csv --validation m.json --out m.json", "m.json: --out would replace a file that is read"),
        ("compile m.json --out m.json --format onnx", "m.json: --out would replace a file that is read"),
        ("compile m.json --out n.onnx --certificate ./n.onnx", "--out and --certificate are the same file"),
        ("compile m.json --out new.json --format onnx --certificate soon.json", "are the same file"),
        ("compile m.json --out n.onnx --certificate sub/../n.onnx", "are the same file"),
        ("compile m.json --out n.onnx --certificate c --raw c", "--certificate and --raw are the same file"),
        ("compile m.json --out - --format onnx --certificate -", "both want standard output"),
        ("compile m.json --rows a.csv --out n.onnx --certificate a.csv", "--certificate would replace"),
        ("export m.json --to c --out m.json", "--out would replace"),
        ("report m.json --out m.json", "--out would replace"),
        ("report m.json --rows a.csv --out a.csv", "--out would replace"),
        ("predict m.json a.csv --out a.csv", "--out would replace"),
        ("minimize a.pla --out a.pla", "--out would replace"),
        ("ask s.json --inputs 2 -k 1 --out ./s.json", "the state and --out are the same file"),
        (
            "gen junta --inputs 4 --support 2 --rows 9 --out r.csv --test ./r.csv --test-rows 5",
            "are the same file",
        ),
        // Refused before anything is read: there is no such file.
        ("fit none.csv --out ./none.csv", "none.csv: --out would replace a file that is read"),
    ] {
        let ran = run(folder.path(), line);
        let stderr = String::from_utf8(ran.stderr).expect("text");
        assert!(stderr.contains(said) && stderr.lines().count() == 1, "{line}: {stderr}");
        assert_eq!(ran.status.code(), Some(2), "{line}");
        assert_eq!(contents(folder.path()), before, "{line}");
    }
    for line in [
        "minimize a.pla --out /dev/null",
        "compile m.json --format onnx --out /dev/null --certificate /dev/null",
    ] {
        assert!(run(folder.path(), line).status.success(), "{line}");
    }
    // The sheet that was answered is replaced by the next one.
    assert!(run(folder.path(), "ask s.json --inputs 2 -k 1 --out sheet.csv").status.success());
    let sheet = fs::read_to_string(folder.path().join("sheet.csv")).expect("text").replacen(",\n", ",1\n", 1);
    fs::write(folder.path().join("sheet.csv"), sheet).expect("written");
    let ran = run(folder.path(), "ask s.json --answers sheet.csv --out sheet.csv");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_link_to_a_file_that_is_not_there_yet_is_followed() {
    let folder = folder();
    assert!(run(folder.path(), "fit a.csv --out soon.json --quiet").status.success());
    assert!(fs::symlink_metadata(folder.path().join("soon.json")).expect("a link").is_symlink());
    assert_eq!(
        fs::read(folder.path().join("new.json")).unwrap(),
        fs::read(folder.path().join("m.json")).unwrap()
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_process_left_is_removed_by_the_next() {
    let folder = folder();
    let left = folder.path().join(".macchiato-4194999-0.tmp");
    fs::write(&left, "half").expect("written");
    assert!(run(folder.path(), "fit a.csv --out m.json --quiet").status.success());
    assert!(!left.exists());
}
