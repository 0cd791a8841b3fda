//! C by the C compiler, Rust by rustc, Python by Python: compiled without a warning, run, and compared point by point.
//!
//! One program for all cases; it prints two lines for each, one by each of the two functions of the export.

use crate::corpus::{Case, FACTOR, agrees, doctored, faithful, folder, run};
use crate::tool::{skip, tool};
use macchiato::export::ExportFormat;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the program of a language and gives what it prints.
type Language = fn(&[Case], &Path, &str) -> Option<String>;

fn check(language: Language, cases: &[Case], test: &str, expected: bool) {
    let Some(said) = language(cases, &folder(test), test) else { return };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2 * cases.len(), "{said}");
    for (case, lines) in cases.iter().zip(lines.chunks(2)) {
        for line in lines {
            assert_eq!(agrees(case, &[line]), expected, "{}", case.name);
        }
    }
}

/// The program in `variable`, or else the one on the path; where it does not start, `test` is recorded as skipped.
fn compiler(variable: &str, otherwise: &str, test: &str) -> Option<PathBuf> {
    let program = std::env::var_os(variable).filter(|value| !value.is_empty()).unwrap_or(otherwise.into());
    let starts = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !starts {
        skip(test, &format!("{} does not start", program.display()));
        return None;
    }
    Some(program.into())
}

fn write_exports(cases: &[Case], folder: &Path, format: ExportFormat, stem: &str) {
    for (k, case) in cases.iter().enumerate() {
        let file = folder.join(format!("{stem}{k}.{}", format.extension()));
        fs::write(file, case.bytes(format)).expect("a file can be written");
    }
}

fn c(cases: &[Case], folder: &Path, test: &str) -> Option<String> {
    let cc = compiler("CC", "cc", test)?;
    write_exports(cases, folder, ExportFormat::C, "c");
    let (mut includes, mut calls) = (String::from("#include <stdio.h>\n"), String::new());
    for (k, case) in cases.iter().enumerate() {
        let name = case.defined(ExportFormat::C, "\nint ");
        let _ = writeln!(includes, "#include \"c{k}.c\"");
        let _ = writeln!(
            calls,
            "  {{ enum {{ B = {inputs}, N = {points} }};
    unsigned char x[B]; uint64_t w[B];
    for (uint64_t k = 0; k < N; k++) {{
      for (int i = 0; i < B; i++) x[i] = k * {FACTOR}u >> i & 1 ? 7 : 0;
      putchar('0' + {name}(x));
    }}
    putchar('\\n');
    for (uint64_t k = 0; k < N; k += 64) {{
      for (int i = 0; i < B; i++) {{
        w[i] = 0;
        for (uint64_t r = 0; r < 64; r++) w[i] |= ((k + r) * {FACTOR}u >> i & 1) << r;
      }}
      uint64_t y = {name}_64(w);
      for (uint64_t r = 0; r < 64 && k + r < N; r++) putchar('0' + (int)(y >> r & 1));
    }}
    putchar('\\n'); }}",
            inputs = case.inputs(),
            points = case.points(),
        );
    }
    fs::write(folder.join("main.c"), format!("{includes}int main(void) {{\n{calls}  return 0;\n}}\n"))
        .expect("a file can be written");
    let flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "program", "main.c"];
    run(&cc, &flags, folder);
    Some(run(&folder.join("program"), &[], folder))
}

fn rust(cases: &[Case], folder: &Path, test: &str) -> Option<String> {
    let rustc = compiler("RUSTC", "rustc", test)?;
    write_exports(cases, folder, ExportFormat::Rust, "r");
    let (mut modules, mut calls) = (String::from("#![deny(warnings)]\n"), String::new());
    for (k, case) in cases.iter().enumerate() {
        let _ = writeln!(modules, "mod r{k};");
        let _ = writeln!(
            calls,
            "    show({points}, |k| r{k}::predict(&std::array::from_fn(|i| bit(k, i))));
    show({points}, |k| {{
        let word = |i| (0..64).fold(0, |word, r| word | u64::from(bit(k / 64 * 64 + r, i)) << r);
        r{k}::predict_64(&std::array::from_fn(word)) >> (k % 64) & 1 == 1
    }});",
            points = case.points(),
        );
    }
    let shared = format!(
        "fn bit(k: u64, i: usize) -> bool {{ k * {FACTOR} >> i & 1 == 1 }}
fn show(points: u64, answer: impl Fn(u64) -> bool) {{
    println!(\"{{}}\", (0..points).map(|k| if answer(k) {{ '1' }} else {{ '0' }}).collect::<String>());
}}"
    );
    fs::write(folder.join("main.rs"), format!("{modules}{shared}\nfn main() {{\n{calls}}}\n"))
        .expect("a file can be written");
    run(&rustc, &["--edition=2024", "-o", "program", "main.rs"], folder);
    Some(run(&folder.join("program"), &[], folder))
}

/// The arguments are pairs: a module and its number of points.
const RUN_PYTHON: &str = r#"
import importlib, sys
sys.path.insert(0, ".")
FACTOR = int(sys.argv[1])
for name, points in zip(sys.argv[2::2], sys.argv[3::2]):
    module = importlib.import_module(name)
    rows = [[k * FACTOR >> i & 1 for i in range(len(module.INPUTS))] for k in range(int(points))]
    print("".join(str(int(module.predict(row))) for row in rows))
    print("".join(str(int(module.predict_row(dict(zip(module.INPUTS, row))))) for row in rows))
"#;

fn python(cases: &[Case], folder: &Path, test: &str) -> Option<String> {
    let python = tool("MACCHIATO_PYTHON", test)?;
    write_exports(cases, folder, ExportFormat::Python, "p");
    let mut arguments = vec!["-W".to_owned(), "error".into(), "-B".into(), "-c".into(), RUN_PYTHON.into()];
    arguments.push(FACTOR.to_string());
    for (k, case) in cases.iter().enumerate() {
        arguments.extend([format!("p{k}"), case.points().to_string()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Some(run(&python, &arguments, folder))
}

#[test]
fn compiled_c_answers_like_the_circuit() {
    check(c, &faithful(), "compiled_c_answers_like_the_circuit", true);
}

#[test]
fn doctored_c_is_found() {
    check(c, &doctored(), "doctored_c_is_found", false);
}

#[test]
fn compiled_rust_answers_like_the_circuit() {
    check(rust, &faithful(), "compiled_rust_answers_like_the_circuit", true);
}

#[test]
fn doctored_rust_is_found() {
    check(rust, &doctored(), "doctored_rust_is_found", false);
}

#[test]
fn python_answers_like_the_circuit() {
    check(python, &faithful(), "python_answers_like_the_circuit", true);
}

#[test]
fn doctored_python_is_found() {
    check(python, &doctored(), "doctored_python_is_found", false);
}
