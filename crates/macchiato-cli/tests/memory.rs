//! Data that unfold to more than `--max-memory`: one line, exit code 2, nothing written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use macchiato::frame::{Compression, Format, Frame, Values, write_to};

fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
    command.current_dir(folder).args(line.split_whitespace()).stdin(Stdio::null()).output().expect("it runs")
}

/// A few kilobytes that are a megabyte and a half of bits.
fn bomb(format: Format, compression: Compression) -> Vec<u8> {
    let rows = 400_000;
    let columns = vec![Values::Boolean { bits: vec![0u64; rows / 64].into(), missing: None }; 30];
    let names = (0..30).map(|column| format!("c{column}")).collect();
    let table = Frame { source: String::new(), names, columns, rows, weights: None };
    let mut bytes = Vec::new();
    write_to(&mut bytes, &table, format, compression, None).expect("written");
    bytes
}

#[test]
fn every_command_that_reads_data_has_a_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    for (name, format) in [("t.csv", Format::Csv), ("t.pla", Format::Pla), ("t.npy", Format::Npy)] {
        fs::write(folder.join(format!("{name}.gz")), bomb(format, Compression::Gzip)).expect("written");
        fs::write(folder.join(format!("{name}.zst")), bomb(format, Compression::Zstd)).expect("written");
    }
    fs::write(folder.join("t.pla"), format!(".i 1\n.o 1\n{}", "0 1\n".repeat(300_000))).expect("written");
    fs::write(folder.join("t.csv"), format!("a,b,y\n{}", "0,1,0\n".repeat(200_000))).expect("written");
    fs::write(folder.join("data.csv"), "a,b,y\n0,0,0\n0,1,0\n1,0,0\n1,1,1\n").expect("written");
    fs::write(folder.join("table.csv"), "a,y\n1.5,u\n2.5,v\n1.5,u\n2.5,v\n").expect("written");
    for line in [
        "fit data.csv --out bits.json --quiet",
        "fit table.csv --out typed.json --quiet",
        "ask state.json --inputs 2 -k 1",
    ] {
        assert_eq!(run(folder, line).status.code(), Some(0), "{line}");
    }
    let before = fs::read_dir(folder).expect("a folder").count();
    for line in [
        "fit t.csv.gz --out m.json",
        "fit t.pla.gz",
        "fit t.npy.gz",
        "fit t.csv.zst",
        "fit t.pla.zst",
        "fit t.npy.zst",
        "fit data.csv --validation t.csv.gz",
        "predict bits.json t.csv.gz",
        "predict typed.json t.csv.gz --out p.csv",
        "evaluate bits.json t.csv.gz",
        "evaluate typed.json t.csv.gz",
        "explain bits.json --row 1 t.csv.gz",
        "show bits.json --rows t.csv.gz",
        "report bits.json --out r.html --rows t.csv.gz",
        "bounds error bits.json t.csv.gz",
        "bounds model bits.json --rows t.csv.gz",
        "bounds influences t.csv.gz",
        "ask state.json --answers t.csv.gz",
        "compile bits.json --out n.onnx --certificate n.cert --rows t.csv",
        "minimize t.pla",
    ] {
        let ran = run(folder, &format!("{line} --max-memory 1MiB"));
        let said = String::from_utf8(ran.stderr).expect("text");
        assert!(said.contains("--max-memory") && said.lines().count() == 1, "{line}: {said}");
        assert!(said.contains("1 MiB") || said.contains("1048576 bytes"), "{line}: {said}");
        assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0), "{line}");
    }
    assert_eq!(fs::read_dir(folder).expect("a folder").count(), before, "nothing was written");
    let wrong = run(folder, "fit data.csv --max-memory lots");
    assert!(wrong.status.code() == Some(2) && String::from_utf8_lossy(&wrong.stderr).contains("500MiB"));
    assert_eq!(run(folder, "fit data.csv --max-memory 1MiB").status.code(), Some(0));
}

/// Standard input is kept until it is known what it holds.
#[test]
fn standard_input_counts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = format!("a,y\n{}", "0,1\n".repeat(300_000));
    for line in ["fit - --format csv --max-memory 1MiB", "minimize - --max-memory 1MiB"] {
        let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("macchiato"));
        let text = if line.starts_with("fit") {
            text.clone()
        } else {
            text.replace("a,y\n", ".i 1\n.o 1\n").replace(',', " ")
        };
        let ran = command
            .current_dir(folder.path())
            .args(line.split(' '))
            .write_stdin(text)
            .output()
            .expect("it runs");
        let said = String::from_utf8(ran.stderr).expect("text");
        assert!(said.contains("<stdin>") && said.contains("--max-memory"), "{line}: {said}");
        assert_eq!(ran.status.code(), Some(2), "{line}");
    }
}
