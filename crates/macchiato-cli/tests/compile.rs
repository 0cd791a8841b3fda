//! `macchiato compile` and `macchiato check`, as a user runs them.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

fn macchiato(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("macchiato").expect("the command is built");
    command.current_dir(folder);
    command
}

/// A folder with training rows and the model that was learned from them.
fn learned() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let gen_junta =
        ["gen", "junta", "--inputs", "8", "--support", "5", "--rows", "200", "--out", "train.csv"];
    macchiato(folder.path()).args(gen_junta).assert().success();
    let fit = "fit train.csv --method paper -k 3 -m 5 --out model.json --quiet";
    macchiato(folder.path()).args(fit.split(' ')).assert().success();
    folder
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.output().expect("it runs").stdout).expect("text")
}

#[test]
fn every_form_of_the_network_is_accepted() {
    let folder = learned();
    for (out, options) in [
        ("a.onnx", vec![]),
        ("b.onnx", vec!["--prune=false", "--linear-output"]),
        ("c.safetensors", vec!["--xor", "triangle", "--and", "narrow", "--or", "deep"]),
        ("d.bin", vec!["--format", "onnx", "--xor", "depth=2"]),
    ] {
        let mut compile = macchiato(folder.path());
        compile
            .args(["compile", "model.json", "--out", out, "--certificate", "net.cert", "--quiet"])
            .args(options);
        compile.args(["--rows", "train.csv"]).assert().success();
        let answer = stdout(macchiato(folder.path()).args(["check", out, "net.cert", "--rows", "train.csv"]));
        assert!(answer.starts_with("accepted\n") && answer.contains("replayed on 200 rows"), "{answer}");
    }
}

/// `scripts/proof` has Coq prove such files.
#[test]
fn the_theorem_has_every_gate_and_every_weight() {
    let folder = learned();
    let compile = "compile model.json --out net.onnx --theorem net.v --certificate net.cert --json";
    let summary = stdout(macchiato(folder.path()).args(compile.split(' ')));
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let (theorem, certificate) = (read("net.v"), read("net.cert"));
    let network =
        theorem.split("Definition the_network").nth(1).and_then(|rest| rest.split("Definition").next());
    let numbers = network.expect("a network").split(|c: char| !c.is_ascii_digit() && c != '-');
    let nonzero = numbers.filter(|word| !["", "0"].contains(word)).count();
    // Biases besides the weights that are not 0.
    assert!(nonzero as u64 > summary["weights"].as_u64().expect("a number"), "{theorem}");
    let gates = certificate.lines().filter(|line| line.starts_with("gate ")).count();
    assert_eq!(theorem.matches("Gate (Rule ").count() + theorem.matches("Gate Relay ").count(), gates);
    assert!(theorem.contains("check the_certificate the_network = Some the_circuit"));
}

#[test]
fn a_file_that_was_changed_is_rejected_with_exit_code_1() {
    let folder = learned();
    let compile = ["compile", "model.json", "--out", "net.onnx", "--certificate", "net.cert", "--quiet"];
    macchiato(folder.path()).args(compile).assert().success();
    let path = folder.path().join("net.onnx");
    let mut bytes = fs::read(&path).expect("the network");
    let last = bytes.len() / 2;
    bytes[last] ^= 1;
    fs::write(&path, bytes).expect("a changed network");
    let check = macchiato(folder.path()).args(["check", "net.onnx", "net.cert", "--json"]).assert().code(1);
    let answer: serde_json::Value = serde_json::from_slice(&check.get_output().stdout).expect("JSON");
    assert_eq!(answer["verdict"], "rejected");
    fs::write(folder.path().join("net.cert"), "macchiato-certificate 9\n").expect("a certificate");
    macchiato(folder.path()).args(["check", "net.onnx", "net.cert"]).assert().code(2);
}

#[test]
fn bad_usage_leaves_nothing_behind() {
    let folder = learned();
    let cases: [(&[&str], &str); 5] = [
        (&["compile", "model.json", "--out", "net.xyz"], "no ending .onnx or .safetensors"),
        (&["compile", "missing.json", "--out", "net.onnx"], "missing.json"),
        (&["compile", "model.json", "--out", "net.onnx", "--xor", "depth=0"], "depth=D"),
        (
            &[
                "compile",
                "model.json",
                "--out",
                "net.onnx",
                "--certificate",
                "net.cert",
                "--rows",
                "model.json",
            ],
            ".csv, .tsv or .pla",
        ),
        // Its certificate is read first.
        (&["check", "net.onnx", "net.cert"], "net.cert"),
    ];
    for (arguments, message) in cases {
        let failed = macchiato(folder.path()).args(arguments).assert().code(2);
        let text = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(text.contains(message), "{arguments:?}: {text}");
    }
    let other = [
        "gen",
        "junta",
        "--inputs",
        "8",
        "--support",
        "5",
        "--rows",
        "200",
        "--seed",
        "9",
        "--out",
        "other.csv",
    ];
    macchiato(folder.path()).args(other).assert().success();
    let wrong =
        ["compile", "model.json", "--out", "net.onnx", "--certificate", "net.cert", "--rows", "other.csv"];
    macchiato(folder.path()).args(wrong).assert().code(2);
    assert!(!folder.path().join("net.onnx").exists() && !folder.path().join("net.cert").exists());
}

/// A network whose biases were moved by training is asked what it computes; what is written is accepted.
#[test]
fn a_changed_network_is_certified_again() {
    let folder = learned();
    let run = |words: &str| macchiato(folder.path()).args(words.split(' ')).output().expect("it runs");
    let compile = "compile model.json --out net.safetensors --certificate net.cert --quiet";
    assert!(run(compile).status.success());
    let same =
        run("recertify net.safetensors net.cert --decides a.decides --rows train.csv --model model.json");
    let text = String::from_utf8(same.stdout).expect("text");
    assert!(
        same.status.success() && text.starts_with("circuit      every gate answers as before\n"),
        "{text}"
    );
    assert!(text.contains("of 200 rows, 0 are answered otherwise"), "{text}");
    // The last number of the file is the output's bias: everything is above 1/2 now.
    let path = folder.path().join("net.safetensors");
    let mut bytes = fs::read(&path).expect("a network");
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&0.75f32.to_le_bytes());
    fs::write(&path, bytes).expect("a network");
    let words =
        "recertify net.safetensors net.cert --decides b.decides --out new.onnx --certificate new.cert --json";
    let changed = run(words);
    let object: serde_json::Value = serde_json::from_slice(&changed.stdout).expect("JSON");
    assert_eq!(object["changes"], serde_json::json!(["the output is always true now"]));
    assert_eq!((object["verdict"].as_str(), object["decides"].as_bool()), (Some("found"), Some(true)));
    assert!(run("check new.onnx new.cert --quiet").status.success());
    let record = fs::read_to_string(folder.path().join("b.decides")).expect("a record");
    assert!(record.starts_with("macchiato-decides 1\nnetwork safetensors sha256 "), "{record}");
    assert_eq!(run("check net.safetensors net.cert --quiet").status.code(), Some(1));
    let clash = run("recertify net.safetensors net.cert --out net.cert");
    assert_eq!(clash.status.code(), Some(2));
}

#[test]
fn a_folder_for_verifiers() {
    let folder = learned();
    let export = ["export", "model.json", "--to", "vnnlib", "--out", "questions", "--quiet"];
    macchiato(folder.path()).args(export).assert().success();
    let read = |name: &str| fs::read_to_string(folder.path().join("questions").join(name)).expect(name);
    let list = read("instances.csv");
    assert!(list.ends_with("network.onnx,output-0-else.vnnlib,60\n"), "{list}");
    for line in list.lines() {
        let name = line.split(',').nth(1).expect("a file");
        assert!(read(name).contains("(declare-const Y_0 Real)"), "{name}");
    }
    // Not over what is there, and nothing is left behind.
    macchiato(folder.path()).args(export).assert().code(2);
    let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").flatten().filter(hidden).count(), 0);
}
