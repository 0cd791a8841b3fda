//! Python 3 without packages: `predict` for one row, `predict_row` for a row by name.

use super::formula::Formula;
use super::names;
use super::statements::{Answer, Dialect, program};
use std::fmt::Write;

struct Python;

impl Dialect for Python {
    const COMMENT: [&'static str; 2] = ["# ", ""];
    const NOT: &'static str = "not ";
    const AND: &'static str = " and ";
    const OR: &'static str = " or ";
    const XOR: &'static str = " ^ ";
    const ZERO: &'static str = "False";
    const ONE: &'static str = "True";
    const CLOSE: &'static str = "\n\n";

    fn function(&self, label: &str) -> String {
        format!("_{label}")
    }

    fn open(&self, name: &str, reads: [bool; 2], _: Option<usize>) -> String {
        format!("def {}:\n", self.call(name, reads))
    }

    fn call(&self, name: &str, [x, g]: [bool; 2]) -> String {
        let arguments: Vec<&str> =
            [(x, "x"), (g, "g")].iter().filter(|(reads, _)| *reads).map(|(_, a)| *a).collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn bind(&self, name: &str, array: char, i: usize) -> String {
        match array {
            // Python's style wants two blanks before a comment.
            'x' => format!("{name} = bool(x[{i}]) "),
            _ => format!("{name} = {array}[{i}]"),
        }
    }

    fn first(&self, product: &str) -> String {
        format!("value = {product}")
    }

    fn next(&self, product: &str, xor: bool) -> String {
        // `and` binds tighter than `or`.
        if xor { format!("value ^= {product}") } else { format!("value = value or {product}") }
    }

    fn zero(&self, _: usize) -> String {
        "count = 0".to_owned()
    }

    fn add(&self, name: &str, positive: bool, weight: u32, _: usize) -> String {
        let value = if positive { name.to_owned() } else { format!("(not {name})") };
        if weight == 1 { format!("count += {value}") } else { format!("count += {weight} * {value}") }
    }

    fn at_least(&self, least: u64, _: usize) -> String {
        format!("count >= {least}")
    }

    fn within(&self, from: u64, to: u64, _: usize) -> String {
        if from == to { format!("count == {from}") } else { format!("{from} <= count <= {to}") }
    }

    fn result(&self, value: &str) -> String {
        format!("return {value}")
    }

    fn output(&self, array: char, i: usize, positive: bool) -> String {
        match (array, positive) {
            ('x', true) => format!("bool(x[{i}])"),
            (_, true) => format!("{array}[{i}]"),
            (_, false) => format!("not {array}[{i}]"),
        }
    }
}

pub(super) fn file(formula: &Formula<'_>) -> String {
    let program = program(formula, &Python);
    let mut out = format!("# {}.\n\nINPUTS = [\n", formula.title());
    for name in formula.inputs {
        let _ = writeln!(out, "    {},", names::quoted(name));
    }
    out.push_str("]\n");
    let values: Vec<&str> =
        program.outputs.iter().map(|(Answer::Bit(value) | Answer::Sum(value, _))| value.as_str()).collect();
    let (mut several, mut answer) = ("", values.join(", "));
    if values.len() > 1 {
        out.push_str("\nOUTPUTS = [\n");
        for output in formula.outputs {
            let _ = writeln!(out, "    {},", names::quoted(&output.name));
        }
        out.push_str("]\n");
        (several, answer) = ("; a list of the values of OUTPUTS", format!("[{answer}]"));
    }
    let mut whole = String::new();
    if !program.calls.is_empty() {
        let _ = writeln!(whole, "    g = [False] * {}", program.calls.len());
    }
    for (g, call) in program.calls.iter().enumerate() {
        let _ = writeln!(whole, "    g[{g}] = {call}");
    }
    let _ = write!(
        out,
        "\n\n\
         {functions}\
         def predict(x):\n    \
             \"\"\"One row: a value for each of INPUTS, in that order{several}.\"\"\"\n    \
             if len(x) != {inputs}:\n        \
                 raise ValueError(f\"{{len(x)}} values for {inputs} inputs\")\n\
         {whole}    return {answer}\n\n\n\
         def predict_row(row):\n    \
             \"\"\"One row: a mapping with a value for each of INPUTS.\"\"\"\n    \
             return predict([row[name] for name in INPUTS])\n",
        functions = program.functions,
        inputs = formula.inputs.len(),
    );
    out
}
