//! Berkeley ABC proves PLA, BLIF, binary AIGER and Verilog equal to the circuit; what it does not read (ASCII AIGER)
//! or what another tool shall read too (Verilog, binary AIGER) comes to it through Yosys as BLIF.
//!
//! The reference is a BLIF file written here: the truth table where it is small, else a node for each gate.

use crate::corpus::{Case, doctored, faithful, folder, run};
use crate::tool::tool;
use macchiato::export::{ExportError, ExportFormat, write};
use macchiato::staged::Staged;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Inputs are compared by position where the tool keeps it, so that their order is proven too.
fn reference(case: &Case) -> String {
    let circuit = &case.reference;
    let inputs: Vec<String> = (0..circuit.inputs.len()).map(|i| format!("i{i}")).collect();
    let inputs = inputs.join(" ");
    let body = if case.is_small() { truth_table(circuit, &inputs) } else { gates(circuit, &inputs) };
    format!(".model reference\n.inputs {inputs}\n.outputs y\n{body}.end\n")
}

fn truth_table(circuit: &Staged, inputs: &str) -> String {
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
fn gates(circuit: &Staged, inputs: &str) -> String {
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

    /// For each case the comparisons to make, after Yosys has translated what it shall.
    fn write_all(&self, cases: &[Case]) -> Vec<Vec<String>> {
        let mut script = String::new();
        let mut comparisons = Vec::new();
        for (k, case) in cases.iter().enumerate() {
            fs::write(self.folder.join(format!("{k}.ref.blif")), reference(case))
                .expect("a file can be written");
            let mut of_case = Vec::new();
            for format in
                [ExportFormat::Pla, ExportFormat::Blif, ExportFormat::AigerBinary, ExportFormat::Verilog]
            {
                if let Some(file) = self.write(case, k, format) {
                    of_case.push(format!("cec -n {k}.ref.blif {file}"));
                }
            }
            let _ = writeln!(script, "design -reset\nread_verilog {k}.v\nhierarchy -auto-top\nproc\naigmap");
            let _ = writeln!(script, "write_blif {k}.v.blif");
            of_case.push(format!("cec -n {k}.ref.blif {k}.v.blif"));
            // Yosys reorders the inputs of an AIGER file: here they have the reference's names, and those count.
            let plain = case.renamed(|i| format!("i{i}"), "y");
            for format in [ExportFormat::AigerAscii, ExportFormat::AigerBinary] {
                let file = format!("{k}.plain.{}", format.extension());
                fs::write(self.folder.join(&file), plain.bytes(format)).expect("a file can be written");
                let _ = writeln!(script, "design -reset\nread_aiger {file}\nwrite_blif {file}.blif");
                of_case.push(format!("cec {k}.ref.blif {file}.blif"));
            }
            comparisons.push(of_case);
        }
        fs::write(self.folder.join("translate.ys"), script).expect("a file can be written");
        run(&self.yosys, &["-q", "-s", "translate.ys"], &self.folder);
        comparisons
    }

    /// The file of one export, where the circuit has it.
    fn write(&self, case: &Case, k: usize, format: ExportFormat) -> Option<String> {
        let mut bytes = Vec::new();
        match write(&case.exported, format, &mut bytes) {
            Err(ExportError::TooWide { .. }) if !case.is_small() => return None,
            Err(error) => panic!("{}: {error}", case.name),
            Ok(_) => {}
        }
        let file = format!("{k}.{}", format.extension());
        fs::write(self.folder.join(&file), bytes).expect("a file can be written");
        Some(file)
    }

    /// Every comparison of every case, and whether ABC finds its two files equal.
    fn verdicts(&self, cases: &[Case]) -> Vec<Vec<(String, bool)>> {
        let ask = |(k, commands): (usize, Vec<String>)| {
            let said = run(&self.abc, &["-q", &commands.join("; ")], &self.folder);
            let verdicts: Vec<bool> = said
                .lines()
                .filter_map(|line| match line {
                    line if line.contains("Networks are equivalent") => Some(true),
                    line if line.contains("Networks are NOT EQUIVALENT") => Some(false),
                    _ => None,
                })
                .collect();
            assert_eq!(verdicts.len(), commands.len(), "{}: ABC gave no verdict: {said}", cases[k].name);
            commands.into_iter().zip(verdicts).collect()
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
        for (command, equal) in verdicts {
            assert!(equal, "{}: {command}", case.name);
        }
    }
}

#[test]
fn abc_and_yosys_find_doctored_exports() {
    let Some(tools) = Tools::find("abc_and_yosys_find_doctored_exports") else { return };
    let cases = doctored();
    for (case, verdicts) in cases.iter().zip(tools.verdicts(&cases)) {
        for (command, equal) in verdicts {
            assert!(!equal, "{}: {command}", case.name);
        }
    }
}
