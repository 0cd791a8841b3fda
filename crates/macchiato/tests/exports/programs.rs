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
    let (mut includes, mut calls) = (String::from("#include <stdio.h>\n"), String::new());
    for (k, case) in cases.iter().enumerate() {
        // All files go into one program, and several define functions of one name.
        let apart = |text: String| text.replace("predict", &format!("c{k}_predict"));
        let file = format!("c{k}.c");
        fs::write(folder.join(&file), apart(case.text(ExportFormat::C))).expect("a file can be written");
        let _ = writeln!(includes, "#include \"{file}\"");
        let own =
            if case.is_single() { case.defined(ExportFormat::C, "\nint ") } else { "predict".to_owned() };
        let own = apart(own);
        let (bits, outputs) = (case.bits(), case.bits().len());
        let all: usize = bits.iter().sum();
        let widths: Vec<String> = bits.iter().map(ToString::to_string).collect();
        let row = if outputs == 1 { format!("y[0] = {own}(x)") } else { format!("{own}(x, y)") };
        let rows = if all == 1 { format!("z[0] = {own}_64(w)") } else { format!("{own}_64(w, z)") };
        let _ = writeln!(
            calls,
            "static void c{k}(void) {{ enum {{ B = {inputs}, N = {points} }};
    unsigned char x[B]; uint64_t w[B]; int y[{outputs}]; uint64_t z[{all}]; const int widths[] = {{{widths}}};
    for (uint64_t k = 0; k < N; k++) {{
      for (int i = 0; i < B; i++) x[i] = k * {FACTOR}u >> i & 1 ? 7 : 0;
      {row};
      for (int o = 0; o < {outputs}; o++) for (int b = 0; b < widths[o]; b++) putchar('0' + (y[o] >> b & 1));
    }}
    putchar('\\n');
    for (uint64_t k = 0; k < N; k += 64) {{
      for (int i = 0; i < B; i++) {{
        w[i] = 0;
        for (uint64_t r = 0; r < 64; r++) w[i] |= ((k + r) * {FACTOR}u >> i & 1) << r;
      }}
      {rows};
      for (uint64_t r = 0; r < 64 && k + r < N; r++) for (int b = 0; b < {all}; b++) putchar('0' + (int)(z[b] >> r & 1));
    }}
    putchar('\\n'); }}",
            inputs = case.inputs(),
            points = case.points(),
            widths = widths.join(", "),
        );
    }
    calls.push_str("int main(void) {\n");
    for k in 0..cases.len() {
        let _ = writeln!(calls, "  c{k}();");
    }
    fs::write(folder.join("main.c"), format!("{includes}{calls}  return 0;\n}}\n"))
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
        let (bits, points) = (case.bits(), case.points());
        let all: usize = bits.iter().sum();
        let row = if case.is_single() { "[u32::from(answer)]" } else { "answer" };
        let rows = if all == 1 { "[answer]" } else { "answer" };
        let _ = writeln!(modules, "mod r{k};");
        let _ = writeln!(
            calls,
            "    show({points}, |k| {{
        let answer = r{k}::predict(&std::array::from_fn(|i| bit(k, i)));
        {row}.iter().zip({bits:?}).flat_map(|(&y, bits)| (0..bits).map(move |b| y >> b & 1 == 1)).collect()
    }});
    show({points}, |k| {{
        let word = |i| (0..64).fold(0, |word, r| word | u64::from(bit(k / 64 * 64 + r, i)) << r);
        let answer = r{k}::predict_64(&std::array::from_fn(word));
        {rows}.iter().map(|y| y >> (k % 64) & 1 == 1).collect()
    }});"
        );
    }
    let shared = format!(
        "fn bit(k: u64, i: usize) -> bool {{ k * {FACTOR} >> i & 1 == 1 }}
fn show(points: u64, answer: impl Fn(u64) -> Vec<bool>) {{
    println!(\"{{}}\", (0..points).flat_map(answer).map(|y| if y {{ '1' }} else {{ '0' }}).collect::<String>());
}}"
    );
    fs::write(folder.join("main.rs"), format!("{modules}{shared}\nfn main() {{\n{calls}}}\n"))
        .expect("a file can be written");
    run(&rustc, &["--edition=2024", "-o", "program", "main.rs"], folder);
    Some(run(&folder.join("program"), &[], folder))
}

/// The arguments are triples: a module, its number of points, and the bits of its outputs.
const RUN_PYTHON: &str = r#"
import importlib, sys
sys.path.insert(0, ".")
FACTOR = int(sys.argv[1])
for name, points, bits in zip(sys.argv[2::3], sys.argv[3::3], sys.argv[4::3]):
    module, widths = importlib.import_module(name), [int(width) for width in bits.split()]
    rows = [[k * FACTOR >> i & 1 for i in range(len(module.INPUTS))] for k in range(int(points))]
    def show(answer):
        values = answer if isinstance(answer, list) else [answer]
        return "".join(str(int(value) >> bit & 1) for value, width in zip(values, widths) for bit in range(width))
    print("".join(show(module.predict(row)) for row in rows))
    print("".join(show(module.predict_row(dict(zip(module.INPUTS, row)))) for row in rows))
"#;

fn python(cases: &[Case], folder: &Path, test: &str) -> Option<String> {
    let python = tool("MACCHIATO_PYTHON", test)?;
    write_exports(cases, folder, ExportFormat::Python, "p");
    let mut arguments = vec!["-W".to_owned(), "error".into(), "-B".into(), "-c".into(), RUN_PYTHON.into()];
    arguments.push(FACTOR.to_string());
    for (k, case) in cases.iter().enumerate() {
        let bits: Vec<String> = case.bits().iter().map(ToString::to_string).collect();
        arguments.extend([format!("p{k}"), case.points().to_string(), bits.join(" ")]);
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
