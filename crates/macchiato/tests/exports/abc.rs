//! Berkeley ABC proves PLA, BLIF, binary AIGER and Verilog equal to the circuit; what it does not read (ASCII AIGER)
//! or what another tool shall read too (Verilog, binary AIGER) comes to it through Yosys as BLIF.
//!
//! The reference is a BLIF file written here: the truth table where it is small, else a node for each gate.

use crate::corpus::{Case, FACTOR, doctored, faithful, folder, run};
use crate::tool::tool;
use macchiato::circuit::{Circuit, Rule, Source};
use macchiato::export::{ExportError, ExportFormat, write};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Inputs are compared by position where the tool keeps it, so that their order is proven too.
fn reference(case: &Case) -> String {
    let inputs: Vec<String> = (0..case.inputs()).map(|i| format!("i{i}")).collect();
    let inputs = inputs.join(" ");
    let body = if case.is_small() { truth_tables(case, &inputs) } else { gates(&case.reference) };
    format!(".model reference\n.inputs {inputs}\n.outputs {}\n{body}.end\n", bit_names(case).join(" "))
}

/// `y0`, or `y0[0]`, `y0[1]` and so on for a sum.
fn bit_names(case: &Case) -> Vec<String> {
    let name = |o: usize| match case.reference.most(o) {
        1 => vec![format!("y{o}")],
        _ => (0..case.bits()[o]).map(|bit| format!("y{o}[{bit}]")).collect(),
    };
    (0..case.reference.outputs().len()).flat_map(name).collect()
}

fn truth_tables(case: &Case, inputs: &str) -> String {
    let (answers, names) = (case.answers().into_bytes(), bit_names(case));
    let mut out = String::new();
    for (bit, name) in names.iter().enumerate() {
        let mut rows = String::new();
        for k in (0..case.points()).filter(|k| answers[k * names.len() + bit] == b'1') {
            let x = k * FACTOR;
            rows.extend((0..case.inputs()).map(|i| if x >> i & 1 == 1 { '1' } else { '0' }));
            rows.push_str(" 1\n");
        }
        // ABC wants a constant to be a node without inputs, and stops at a table that is 1 everywhere.
        let (inputs, rows) = match rows.lines().count() {
            0 => ("", String::new()),
            ones if ones == case.points() => ("", "1\n".to_owned()),
            _ => (inputs, rows),
        };
        let _ = write!(out, ".names {inputs} {name}\n{rows}");
    }
    out
}

/// Each gate of a circuit of AND, OR and XOR by two operands at a time.
fn gates(circuit: &Circuit) -> String {
    let mut out = String::new();
    let name = |source: Source| match source {
        Source::Input(input) => format!("i{input}"),
        Source::Gate(gate) => format!("g{gate}"),
    };
    for (g, gate) in circuit.gates().iter().enumerate() {
        let (first, rows): (&str, [&str; 2]) = match gate.rule {
            Rule::And => ("1\n", ["11 1\n", "10 1\n"]),
            Rule::Or => ("", ["1- 1\n-1 1\n", "1- 1\n-0 1\n"]),
            Rule::Xor => ("", ["10 1\n01 1\n", "11 1\n00 1\n"]),
            _ => panic!("wide circuits do not count"),
        };
        let _ = write!(out, ".names s{g}_0\n{first}");
        for (k, literal) in gate.literals.iter().enumerate() {
            let row = rows[usize::from(!literal.positive)];
            let _ = write!(out, ".names s{g}_{k} {} s{g}_{}\n{row}", name(literal.source), k + 1);
        }
        let _ = writeln!(out, ".names s{g}_{} g{g}\n1 1", gate.literals.len());
    }
    for (o, output) in circuit.outputs().iter().enumerate() {
        let digit = u8::from(output.literal.positive);
        let _ = writeln!(out, ".names {} y{o}\n{digit} 1", name(output.literal.source));
    }
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
                // ABC reads no arithmetic in Verilog: there Yosys stands between them.
                let reads = format != ExportFormat::Verilog || case.is_staged();
                if let Some(file) = self.write(case, k, format).filter(|_| reads) {
                    of_case.push(format!("cec -n {k}.ref.blif {file}"));
                }
            }
            let _ = writeln!(
                script,
                "design -reset\nread_verilog {k}.v\nhierarchy -auto-top\nproc\nopt -fast\ntechmap\nopt -fast\naigmap"
            );
            let _ = writeln!(script, "write_blif {k}.v.blif");
            of_case.push(format!("cec -n {k}.ref.blif {k}.v.blif"));
            // Yosys reorders the inputs of an AIGER file: here they have the reference's names, and those count.
            let plain = case.renamed(|i| format!("i{i}"), |o| format!("y{o}"));
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
            Err(ExportError::NotTwoLevel { .. }) if !case.is_small() => return None,
            Err(ExportError::SumOutput { .. }) if case.bits().iter().any(|&bits| bits > 1) => return None,
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
        assert!(verdicts.len() >= 5, "{}", case.name);
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
