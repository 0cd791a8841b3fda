//! z3 proves the SMT-LIB file equal to the circuit: their difference is unsatisfiable.
//!
//! The reference is the truth table where it is small, else the gates one by one, both written here.

use crate::corpus::{Case, FACTOR, doctored, faithful, folder, run};
use crate::tool::python_with;
use macchiato::circuit::{Gate, Literal, Rule, Source};
use macchiato::export::ExportFormat;
use serde_json::{Value, json};
use std::fs;

/// For each file among the arguments, what z3 says of its difference from the reference beside it. The constants are
/// taken in the order in which the file declares them.
const DIFFERENCE: &str = r#"
import functools, json, sys, z3

def shannon(bits, inputs):
    if not inputs:
        return z3.BoolVal(bits == "1")
    half = len(bits) // 2
    low, high = shannon(bits[:half], inputs[:-1]), shannon(bits[half:], inputs[:-1])
    return low if bits[:half] == bits[half:] else z3.If(inputs[-1], high, low)

def circuit(gates, inputs):
    values = []
    joins = {"and": z3.And, "or": z3.Or, "xor": lambda parts: functools.reduce(z3.Xor, parts, z3.BoolVal(False))}
    for rule, *literals in gates:
        operands = [(inputs if at[1] == "i" else values)[int(at[2:])] == (at[0] == "+") for at in literals]
        values.append(joins[rule](operands))
    return values[-1]

for file in sys.argv[2:]:
    text = open(file, encoding="utf-8").read()
    reference = json.load(open(file + ".reference"))
    lines = text.splitlines()
    symbols = [line[len("(declare-const "):-len(" Bool)")] for line in lines if line.startswith("(declare-const ")]
    inputs = [z3.Bool(symbol.strip("|")) for symbol in symbols]
    names = reference["outputs"]
    if len(names) == 1:
        target = [line for line in lines if line.startswith("(define-fun ")][-1]
        names = [target[len("(define-fun "):target.index(" () Bool")]]
    widths, differences, at = reference["bits"], [], 0
    for name, width in zip(names, widths):
        def table(bit):
            bits = ["?"] * reference["points"]
            for k in range(len(bits)):
                bits[k * int(sys.argv[1]) % len(bits)] = reference["table"][k * sum(widths) + bit]
            return shannon("".join(bits), inputs)
        if f"(define-fun {name} () Int" in text:
            value = z3.parse_smt2_string(text + f"\n(assert (= {name} 0))")[0].arg(0)
            differences.append(value != z3.Sum([z3.If(table(at + bit), 1 << bit, 0) for bit in range(width)]))
        else:
            value = z3.parse_smt2_string(text + f"\n(assert {name})")[0]
            expected = table(at) if "table" in reference else circuit(reference["gates"], inputs)
            differences.append(z3.Xor(value, expected))
        at += width
    solver = z3.Solver()
    solver.add(z3.Or(differences))
    print(solver.check())
"#;

fn reference(case: &Case) -> Value {
    let outputs: Vec<&String> = case.reference.outputs().iter().map(|output| &output.name).collect();
    if case.is_small() {
        return json!({"outputs": outputs, "bits": case.bits(), "points": case.points(), "table": case.answers()});
    }
    let literal = |literal: &Literal| {
        let sign = if literal.positive { '+' } else { '-' };
        match literal.source {
            Source::Input(input) => format!("{sign}i{input}"),
            Source::Gate(gate) => format!("{sign}g{gate}"),
        }
    };
    let gate = |gate: &Gate| {
        let rule = match gate.rule {
            Rule::And => "and",
            Rule::Or => "or",
            Rule::Xor => "xor",
            _ => panic!("wide circuits do not count"),
        };
        std::iter::once(rule.to_owned()).chain(gate.literals.iter().map(literal)).collect::<Vec<_>>()
    };
    let gates: Vec<Vec<String>> = case.reference.gates().iter().map(gate).collect();
    json!({"outputs": outputs, "bits": case.bits(), "points": 0, "gates": gates})
}

fn check(cases: &[Case], test: &str, expected: &str) {
    let Some(python) = python_with("z3", test) else { return };
    let folder = folder(test);
    let mut arguments = vec!["-c".to_owned(), DIFFERENCE.to_owned(), FACTOR.to_string()];
    for (k, case) in cases.iter().enumerate() {
        let file = format!("{k}.smt2");
        fs::write(folder.join(&file), case.bytes(ExportFormat::Smtlib)).expect("a file can be written");
        fs::write(folder.join(format!("{file}.reference")), reference(case).to_string())
            .expect("a file can be written");
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
