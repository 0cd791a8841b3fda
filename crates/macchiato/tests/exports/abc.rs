//! Berkeley ABC proves PLA, BLIF, binary AIGER and Verilog equal to the circuit; what it does not read (ASCII AIGER)
//! or what another tool shall read too (Verilog, binary AIGER) comes to it through Yosys as BLIF.
//!
//! The reference is a BLIF file written here: the truth table where it is small, else a node for each gate.

use crate::corpus::{Case, doctored, faithful, folder, run};
use crate::tool::tool;
use macchiato::circuit::Circuit;
use macchiato::export::{ExportError, ExportFormat, write};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Inputs are compared by position, so that their order is proven too; names are the golden files' business.
fn reference(case: &Case) -> String {
    let circuit = &case.reference;
    let inputs: Vec<String> = (0..circuit.inputs.len()).map(|i| format!("i{i}")).collect();
    let inputs = inputs.join(" ");
    let body = if case.is_small() { truth_table(circuit, &inputs) } else { gates(circuit, &inputs) };
    format!(".model reference\n.inputs {inputs}\n.outputs y\n{body}.end\n")
}

fn truth_table(circuit: &Circuit, inputs: &str) -> String {
    let mut out = String::new();
    let width = circuit.inputs.len();
    for x in 0..1usize << width {
        let point: Vec<bool> = (0..width).map(|i| x >> i & 1 == 1).collect();
        if circuit.at(&point) {
            out.extend(point.iter().map(|&bit| if bit { '1' } else { '0' }));
            out.push_str(" 1\n");
        }
    }
    // ABC wants a node without rows to be one without inputs.
    let inputs = if out.is_empty() { "" } else { inputs };
    format!(".names {inputs} y\n{out}")
}

/// Each term as a node over all inputs, each sum and each XOR by two operands at a time.
fn gates(circuit: &Circuit, inputs: &str) -> String {
    let mut out = String::from(".names parity0\n");
    for (t, stage) in circuit.stages.iter().enumerate() {
        let _ = writeln!(out, ".names sum{t}_0");
        let mut terms = 0;
        for term in stage.terms() {
            let mut row = vec!['-'; circuit.inputs.len()];
            for (input, positive) in term {
                row[input] = if positive { '1' } else { '0' };
            }
            let (row, next) = (row.iter().collect::<String>(), terms + 1);
            let _ = writeln!(out, ".names {inputs} term{t}_{next}\n{row} 1");
            let _ = writeln!(out, ".names sum{t}_{terms} term{t}_{next} sum{t}_{next}\n1- 1\n-1 1");
            terms = next;
        }
        let _ = writeln!(out, ".names parity{t} sum{t}_{terms} parity{}\n10 1\n01 1", t + 1);
    }
    let _ = writeln!(out, ".names parity{} y\n1 1", circuit.stages.len());
    out
}

/// ABC and Yosys, and a folder for the files that they read.
struct Tools {
    abc: PathBuf,
    yosys: PathBuf,
    folder: PathBuf,
}

impl Tools {
    fn find(test: &str) -> Option<Self> {
        let (abc, yosys) = (tool("MACCHIATO_ABC", test), tool("MACCHIATO_YOSYS", test));
        Some(Self { abc: abc?, yosys: yosys?, folder: folder(test) })
    }

    /// For each case the files to compare with its reference, after Yosys has translated what it shall.
    fn write_all(&self, cases: &[Case]) -> Vec<Vec<String>> {
        let mut script = String::new();
        let mut files = Vec::new();
        for (k, case) in cases.iter().enumerate() {
            fs::write(self.folder.join(format!("{k}.ref.blif")), reference(case))
                .expect("a file can be written");
            let mut of_case = Vec::new();
            for format in [
                ExportFormat::Pla,
                ExportFormat::Blif,
                ExportFormat::AigerAscii,
                ExportFormat::AigerBinary,
                ExportFormat::Verilog,
            ] {
                let mut bytes = Vec::new();
                match write(&case.exported, format, &mut bytes) {
                    Err(ExportError::TooWide { .. }) if !case.is_small() => continue,
                    Err(error) => panic!("{}: {error}", case.name),
                    Ok(_) => {}
                }
                let file = format!("{k}.{}", format.extension());
                fs::write(self.folder.join(&file), bytes).expect("a file can be written");
                let read = match format {
                    ExportFormat::Verilog => "read_verilog",
                    ExportFormat::AigerAscii | ExportFormat::AigerBinary => "read_aiger",
                    _ => "",
                };
                if !read.is_empty() {
                    let _ = writeln!(
                        script,
                        "design -reset\n{read} {file}\nhierarchy -auto-top\nproc\naigmap\nwrite_blif {file}.blif"
                    );
                    of_case.push(format!("{file}.blif"));
                }
                // ABC knows AIGER's binary variant only.
                if format != ExportFormat::AigerAscii {
                    of_case.push(file);
                }
            }
            files.push(of_case);
        }
        fs::write(self.folder.join("translate.ys"), script).expect("a file can be written");
        run(&self.yosys, &["-q", "-s", "translate.ys"], &self.folder);
        files
    }

    /// Whether each file of each case equals the case's reference.
    fn verdicts(&self, cases: &[Case]) -> Vec<Vec<(String, bool)>> {
        let ask = |(k, files): (usize, Vec<String>)| {
            let commands: Vec<String> =
                files.iter().map(|file| format!("cec -n {k}.ref.blif {file}")).collect();
            let said = run(&self.abc, &["-q", &commands.join("; ")], &self.folder);
            let verdicts: Vec<bool> = said
                .lines()
                .filter_map(|line| match line {
                    line if line.contains("Networks are equivalent") => Some(true),
                    line if line.contains("Networks are NOT EQUIVALENT") => Some(false),
                    _ => None,
                })
                .collect();
            assert_eq!(verdicts.len(), files.len(), "{}: ABC gave no verdict: {said}", cases[k].name);
            files.into_iter().zip(verdicts).collect()
        };
        self.write_all(cases).into_iter().enumerate().map(ask).collect()
    }
}

#[test]
fn abc_and_yosys_prove_exports_equal() {
    let Some(tools) = Tools::find("abc_and_yosys_prove_exports_equal") else { return };
    let cases = faithful();
    for (case, verdicts) in cases.iter().zip(tools.verdicts(&cases)) {
        assert!(verdicts.len() >= 6, "{}", case.name);
        for (file, equal) in verdicts {
            assert!(equal, "{}: {file}", case.name);
        }
    }
}

#[test]
fn abc_and_yosys_find_doctored_exports() {
    let Some(tools) = Tools::find("abc_and_yosys_find_doctored_exports") else { return };
    let cases = doctored();
    for (case, verdicts) in cases.iter().zip(tools.verdicts(&cases)) {
        for (file, equal) in verdicts {
            assert!(!equal, "{}: {file}", case.name);
        }
    }
}
