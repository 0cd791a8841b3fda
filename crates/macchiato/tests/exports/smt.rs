//! z3 proves the SMT-LIB file equal to the circuit: their difference is unsatisfiable.
//!
//! The reference is the truth table where it is small, else the terms of every stage, both written here.

use crate::corpus::{Case, FACTOR, doctored, faithful, folder, run};
use crate::tool::python_with;
use macchiato::export::ExportFormat;
use std::fs;

/// For each file among the arguments, what z3 says of its difference from the reference beside it. The constants are
/// taken in the order in which the file declares them.
const DIFFERENCE: &str = r#"
import sys, z3

def shannon(bits, inputs):
    if not inputs:
        return z3.BoolVal(bits == "1")
    half = len(bits) // 2
    low, high = shannon(bits[:half], inputs[:-1]), shannon(bits[half:], inputs[:-1])
    return low if bits[:half] == bits[half:] else z3.If(inputs[-1], high, low)

def circuit(lines, inputs):
    parity = z3.BoolVal(False)
    for line in lines:
        terms = [[inputs[int(at[1:])] == (at[0] == "+") for at in term.split()] for term in line.split(";")[:-1]]
        parity = z3.Xor(parity, z3.Or([z3.And(term) for term in terms]))
    return parity

for file in sys.argv[2:]:
    text = open(file, encoding="utf-8").read()
    lines = text.splitlines()
    symbols = [line[len("(declare-const "):-len(" Bool)")] for line in lines if line.startswith("(declare-const ")]
    target = [line for line in lines if line.startswith("(define-fun ")][-1]
    target = target[len("(define-fun "):target.index(" () Bool")]
    value = z3.parse_smt2_string(text + f"\n(assert {target})")[0]
    inputs = [z3.Bool(symbol.strip("|")) for symbol in symbols]
    kind, *rest = open(file + ".reference").read().split("\n")
    if kind == "table":
        bits = ["?"] * len(rest[0])
        for k, bit in enumerate(rest[0]):
            bits[k * int(sys.argv[1]) % len(bits)] = bit
        reference = shannon("".join(bits), inputs)
    else:
        reference = circuit(rest, inputs)
    solver = z3.Solver()
    solver.add(z3.Xor(value, reference))
    print(solver.check())
"#;

fn reference(case: &Case) -> String {
    if case.is_small() {
        return format!("table\n{}", case.answers());
    }
    let literal = |(input, positive): (usize, bool)| format!("{}{input} ", if positive { '+' } else { '-' });
    let term = |term: Vec<(usize, bool)>| term.into_iter().map(literal).collect::<String>() + ";";
    let stages = case.reference.stages.iter().map(|stage| stage.terms().map(term).collect::<String>());
    format!("stages\n{}", stages.collect::<Vec<_>>().join("\n"))
}

fn check(cases: &[Case], test: &str, expected: &str) {
    let Some(python) = python_with("z3", test) else { return };
    let folder = folder(test);
    let mut arguments = vec!["-c".to_owned(), DIFFERENCE.to_owned(), FACTOR.to_string()];
    for (k, case) in cases.iter().enumerate() {
        let file = format!("{k}.smt2");
        fs::write(folder.join(&file), case.bytes(ExportFormat::Smtlib)).expect("a file can be written");
        fs::write(folder.join(format!("{file}.reference")), reference(case)).expect("a file can be written");
        arguments.push(file);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = run(&python, &arguments, &folder);
    assert_eq!(said.lines().count(), cases.len(), "{said}");
    for (case, verdict) in cases.iter().zip(said.lines()) {
        assert_eq!(verdict, expected, "{}", case.name);
    }
}

#[test]
fn z3_proves_smtlib_equal() {
    check(&faithful(), "z3_proves_smtlib_equal", "unsat");
}

#[test]
fn z3_finds_doctored_smtlib() {
    check(&doctored(), "z3_finds_doctored_smtlib", "sat");
}
