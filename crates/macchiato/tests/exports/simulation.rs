//! Icarus Verilog simulates the module at every point that is compared.

use crate::corpus::{Case, FACTOR, agrees, doctored, faithful, folder, run};
use crate::tool::tool;
use macchiato::export::ExportFormat;
use std::fmt::Write;
use std::fs;

/// One test bench for all cases; it prints a line for each.
fn check(cases: &[Case], test: &str, expected: bool) {
    let Some(iverilog) = tool("MACCHIATO_IVERILOG", test) else { return };
    let folder = folder(test);
    let (mut parts, mut steps) = (String::new(), String::new());
    let mut files =
        vec!["-o".to_owned(), "bench.vvp".into(), "-g2001".into(), "-Wall".into(), "bench.v".into()];
    for (k, case) in cases.iter().enumerate() {
        let file = format!("{k}.v");
        // All files go into one bench, and several define modules of one name.
        let apart = |text: &str| text.replace("predict", &format!("v{k}_predict"));
        let text = case.text(ExportFormat::Verilog);
        fs::write(folder.join(&file), apart(&text)).expect("a file can be written");
        files.push(file);
        let ports: Vec<String> = (0..case.inputs()).map(|i| format!("x{k}[{i}]")).collect();
        let module = apart(&case.defined(ExportFormat::Verilog, "\nmodule "));
        let _ = writeln!(parts, "  reg [{}:0] x{k};", case.inputs() - 1);
        let (mut ports, mut bits) = (ports, Vec::new());
        for (o, width) in case.bits().into_iter().enumerate() {
            let _ = writeln!(parts, "  wire [{}:0] y{k}_{o};", width - 1);
            ports.push(format!("y{k}_{o}"));
            bits.extend((0..width).map(|bit| format!("y{k}_{o}[{bit}]")));
        }
        let _ = writeln!(parts, "  {module} part{k}({});", ports.join(", "));
        let _ = writeln!(
            steps,
            "    for (k = 0; k < {}; k = k + 1) begin x{k} = k * 32'd{FACTOR}; #1 $write(\"%b\", {{{}}}); end\n    \
             $write(\"\\n\");",
            case.points(),
            bits.join(", ")
        );
    }
    let bench = format!("module bench;\n  integer k;\n{parts}  initial begin\n{steps}  end\nendmodule\n");
    fs::write(folder.join("bench.v"), bench).expect("a file can be written");
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run(&iverilog, &files, &folder);
    let said = run(&iverilog.with_file_name("vvp"), &["-n", "bench.vvp"], &folder);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), cases.len(), "{said}");
    for (case, line) in cases.iter().zip(lines) {
        assert_eq!(agrees(case, &[line]), expected, "{}", case.name);
    }
}

#[test]
fn simulated_verilog_answers_like_the_circuit() {
    check(&faithful(), "simulated_verilog_answers_like_the_circuit", true);
}

#[test]
fn doctored_verilog_is_found_by_simulation() {
    check(&doctored(), "doctored_verilog_is_found_by_simulation", false);
}
