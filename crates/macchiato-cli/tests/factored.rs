//! `macchiato minimize --factored` as its users meet it, and what ABC, which this project did not write, says of its files.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

#[allow(dead_code)] // The other tests ask for Python too.
#[path = "../../macchiato-minimize/tests/external/tool.rs"]
mod tool;

/// (a | b) & (c | d), and a choice that both outputs use.
const PLA: &str = ".i 5\n.o 3\n.ilb a b c d e\n.ob y z w\n1-1-- 100\n1--1- 100\n-11-- 100\n-1-1- 100\n\
                   11--1 010\n0-1-1 010\n10-0- 001\n0-00- 001\n----- 000\n.e\n";

fn macchiato(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).arg("minimize").args(arguments);
    command.output().expect("the command starts")
}

fn folder(text: &str) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("in.pla"), text).expect("written");
    folder
}

#[test]
fn literals_gates_and_levels_are_said() {
    let folder = folder(PLA);
    let output = macchiato(folder.path(), &["in.pla", "--factored", "--out", "out.blif"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stderr);
    // (a | b) (c | d) has 4 literals, the choice 4, z two and w two.
    assert!(said.contains("\nfactored     12 literals, 8 gates, 3 levels\n"), "{said}");
    let json = macchiato(folder.path(), &["in.pla", "--factored", "--json"]);
    let said = String::from_utf8_lossy(&json.stdout);
    assert!(said.contains("\"factored\":{\"literals\":12,\"gates\":8,\"levels\":3}"), "{said}");
    let plain = macchiato(folder.path(), &["in.pla", "--json"]);
    assert!(!String::from_utf8_lossy(&plain.stdout).contains("factored"));
}

#[test]
fn the_format_is_asked_for_or_told_by_the_ending() {
    let folder = folder(PLA);
    let blif = macchiato(folder.path(), &["in.pla", "--factored", "-q"]);
    assert!(String::from_utf8_lossy(&blif.stdout).contains("\n.model "), "BLIF where nothing is said");
    for (out, begins) in [("a.aag", "aag "), ("a.aig", "aig "), ("a.v", "module")] {
        let output = macchiato(folder.path(), &["in.pla", "--factored", "-q", "-o", out]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = fs::read(folder.path().join(out)).expect("written");
        assert!(String::from_utf8_lossy(&bytes).contains(begins), "{out}");
    }
    let odd = macchiato(folder.path(), &["in.pla", "--factored", "-q", "-o", "a.vhdl"]);
    assert_eq!(odd.status.code(), Some(2));
    let line = "macchiato: no format ends in .vhdl: name one with --to, such as --to blif or --to aiger\n";
    assert_eq!(String::from_utf8_lossy(&odd.stderr), line);
    let alone = macchiato(folder.path(), &["in.pla", "--to", "blif"]);
    assert_eq!(alone.status.code(), Some(2), "--to without --factored");
}

/// Whether ABC proves the two files equal.
fn equal(abc: &Path, folder: &Path, left: &str, right: &str) -> bool {
    let words = ["-q", &format!("cec -n {left} {right}")];
    let output =
        std::process::Command::new(abc).args(words).current_dir(folder).output().expect("ABC starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let equal = said.contains("Networks are equivalent");
    assert!(equal || said.contains("Networks are NOT EQUIVALENT"), "ABC gave no verdict: {said}");
    equal
}

/// Random rows of cubes, the same for the same seed.
fn random(seed: u64, inputs: usize, outputs: usize, rows: usize) -> String {
    let mut state = seed;
    let mut draw = |from: &[u8]| {
        // Knuth's linear congruential generator: its high bits are random enough for a test.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(from[(state >> 33) as usize % from.len()])
    };
    let mut text = format!(".i {inputs}\n.o {outputs}\n");
    for _ in 0..rows {
        text.extend((0..inputs).map(|_| draw(b"01--")));
        text.push(' ');
        text.extend((0..outputs).map(|_| draw(b"0011")));
        text.push('\n');
    }
    text + ".e\n"
}

#[test]
fn abc_proves_blif_and_aiger_equal_to_the_file() {
    let test = "abc_proves_blif_and_aiger_equal_to_the_file";
    let Some(abc) = tool::tool("MACCHIATO_ABC", test) else { return };
    let shapes = [(4, 1, 6), (6, 3, 20), (8, 8, 40), (12, 5, 60), (16, 2, 50)];
    for (seed, (inputs, outputs, rows)) in (0..4).flat_map(|seed| shapes.map(|shape| (seed, shape))) {
        let folder = folder(&random(seed, inputs, outputs, rows));
        for out in ["a.blif", "a.aig"] {
            let output = macchiato(folder.path(), &["in.pla", "--factored", "-q", "-o", out]);
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(equal(&abc, folder.path(), "in.pla", out), "{out}, seed {seed}, {inputs} inputs");
        }
    }
    // A wrong file is told from a right one.
    let folder = folder(PLA);
    let wrong = PLA.replace("1-1-- 100", "1-1-1 100");
    fs::write(folder.path().join("wrong.pla"), wrong).expect("written");
    macchiato(folder.path(), &["in.pla", "--factored", "-q", "-o", "a.blif"]);
    assert!(equal(&abc, folder.path(), "in.pla", "a.blif"));
    assert!(!equal(&abc, folder.path(), "wrong.pla", "a.blif"));
}
