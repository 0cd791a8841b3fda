//! Rust without dependencies: `predict` for one row, `predict_64` for 64 rows, a word for each input.
//!
//! In the second a count is kept in words of which word p holds bit p of 64 counts.

use super::formula::{Formula, is_count};
use super::statements::{Answer, Dialect, Program, program};
use crate::circuit::Rule;
use std::fmt::Write;

/// One row, or 64.
struct Rust {
    rows: bool,
    inputs: usize,
    gates: usize,
}

impl Rust {
    const fn word(&self) -> &'static str {
        if self.rows { "u64" } else { "bool" }
    }
}

impl Dialect for Rust {
    const COMMENT: [&'static str; 2] = ["// ", ""];
    const NOT: &'static str = "!";
    const AND: &'static str = " & ";
    const OR: &'static str = " | ";
    const XOR: &'static str = " ^ ";
    // Words and truth values spell them differently: see `typed`.
    const ZERO: &'static str = "ZERO";
    const ONE: &'static str = "ONE";
    const CLOSE: &'static str = "}\n\n";

    fn function(&self, label: &str) -> String {
        if self.rows { format!("{label}_64") } else { label.to_owned() }
    }

    fn open(&self, name: &str, [x, g]: [bool; 2], sum: Option<usize>) -> String {
        let word = self.word();
        let parameters = [(x, 'x', self.inputs), (g, 'g', self.gates)];
        let parameters: Vec<String> = parameters
            .iter()
            .filter(|(reads, ..)| *reads)
            .map(|(_, array, length)| format!("{array}: &[{word}; {length}]"))
            .collect();
        let result = match sum {
            None => word.to_owned(),
            Some(bits) if self.rows => format!("[u64; {bits}]"),
            Some(_) => "u32".to_owned(),
        };
        format!("fn {name}({}) -> {result} {{\n", parameters.join(", "))
    }

    fn call(&self, name: &str, [x, g]: [bool; 2]) -> String {
        let arguments: Vec<&str> =
            [(x, "x"), (g, "&g")].iter().filter(|(reads, _)| *reads).map(|(_, a)| *a).collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn bind(&self, name: &str, array: char, i: usize) -> String {
        format!("let {name} = {array}[{i}];")
    }

    fn first(&self, product: &str) -> String {
        format!("let mut value = {};", self.typed(product))
    }

    fn next(&self, product: &str, xor: bool) -> String {
        format!("value {}= {};", if xor { '^' } else { '|' }, self.typed(product))
    }

    fn zero(&self, bits: usize) -> String {
        if self.rows {
            format!("let mut count = [0u64; {bits}];")
        } else {
            "let mut count = 0u32;".to_owned()
        }
    }

    fn add(&self, name: &str, positive: bool, weight: u32, _: usize) -> String {
        let not = if positive { "" } else { "!" };
        match weight {
            _ if self.rows => format!("add(&mut count, {not}{name}, {weight});"),
            1 => format!("count += u32::from({not}{name});"),
            _ => format!("count += {weight} * u32::from({not}{name});"),
        }
    }

    fn at_least(&self, least: u64, _: usize) -> String {
        if self.rows { format!("at_least(&count, {least})") } else { format!("count >= {least}") }
    }

    fn within(&self, from: u64, to: u64, bits: usize) -> String {
        // `&` binds tighter than the `|` between ranges.
        if self.rows {
            format!("{} & !{}", self.at_least(from, bits), self.at_least(to + 1, bits))
        } else {
            format!("({from}..={to}).contains(&count)")
        }
    }

    fn result(&self, value: &str) -> String {
        self.typed(value)
    }

    fn output(&self, array: char, i: usize, positive: bool) -> String {
        format!("{}{array}[{i}]", if positive { "" } else { "!" })
    }
}

impl Rust {
    /// The value with constants of the right type.
    fn typed(&self, value: &str) -> String {
        let [zero, one] = if self.rows { ["0", "u64::MAX"] } else { ["false", "true"] };
        // Identifiers are in lower case, so these words stand for nothing else.
        value.replace(Self::ZERO, zero).replace(Self::ONE, one)
    }
}

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs = formula.inputs.len();
    let gates = formula.nodes().filter(|(_, gate)| gate.rule != Rule::Sum).count();
    let row = program(formula, &Rust { rows: false, inputs, gates });
    let rows = program(formula, &Rust { rows: true, inputs, gates });
    let bits: usize = rows.outputs.iter().map(Answer::bits).sum();
    let x = if row.reads_x { "x" } else { "_x" };
    let answer = match row.outputs.as_slice() {
        [Answer::Bit(_)] => "bool".to_owned(),
        [Answer::Sum(..)] => "u32".to_owned(),
        many => format!("[u32; {}]", many.len()),
    };
    let (answer_64, words) = match bits {
        1 => ("u64".to_owned(), "bit r of the answer is row r's".to_owned()),
        _ => (
            format!("[u64; {bits}]"),
            "bit r of the answers is row r's, a word for each bit of each output".to_owned(),
        ),
    };
    let several = if row.outputs.len() > 1 { "; the answers in order" } else { "" };
    format!(
        "// {}.\n\n{}\
         /// One row: a value for each input{several}.\n\
         pub fn predict({x}: &[bool; {inputs}]) -> {answer} {{\n{}}}\n\n\
         {}{}\
         /// 64 rows: bit r of `x[i]` is input i of row r, {words}.\n\
         pub fn predict_64({x}: &[u64; {inputs}]) -> {answer_64} {{\n{}}}\n",
        formula.title(),
        row.functions,
        body(&row, "false", &answers(&row)),
        helpers(formula),
        rows.functions,
        body(&rows, "0", &answers_64(&rows)),
    )
}

fn body(program: &Program, zero: &str, answers: &str) -> String {
    let mut out = String::new();
    if !program.calls.is_empty() {
        let _ = writeln!(out, "    let mut g = [{zero}; {}];", program.calls.len());
    }
    for (g, call) in program.calls.iter().enumerate() {
        let _ = writeln!(out, "    g[{g}] = {call};");
    }
    out + answers
}

fn answers(program: &Program) -> String {
    match program.outputs.as_slice() {
        [Answer::Bit(value) | Answer::Sum(value, _)] => format!("    {value}\n"),
        many => {
            let value = |answer: &Answer| match answer {
                Answer::Bit(value) => format!("u32::from({value})"),
                Answer::Sum(value, _) => value.clone(),
            };
            format!("    [{}]\n", many.iter().map(value).collect::<Vec<_>>().join(", "))
        }
    }
}

fn answers_64(program: &Program) -> String {
    if let [Answer::Bit(value)] = program.outputs.as_slice() {
        return format!("    {value}\n");
    }
    if let [Answer::Sum(call, _)] = program.outputs.as_slice() {
        // A sum of one bit answers with one word.
        let first = if program.outputs[0].bits() == 1 { "[0]" } else { "" };
        return format!("    {call}{first}\n");
    }
    let (mut out, mut values) = (String::new(), Vec::new());
    for (o, answer) in program.outputs.iter().enumerate() {
        match answer {
            Answer::Bit(value) => values.push(value.clone()),
            Answer::Sum(call, bits) => {
                let _ = writeln!(out, "    let sum{o} = {call};");
                values.extend((0..*bits).map(|bit| format!("sum{o}[{bit}]")));
            }
        }
    }
    format!("{out}    [{}]\n", values.join(", "))
}

/// Adding to 64 counts at once, and comparing them.
fn helpers(formula: &Formula<'_>) -> String {
    let counting = || formula.nodes().filter(|(_, gate)| is_count(&gate.rule) && !gate.literals.is_empty());
    let mut out = String::new();
    if counting().next().is_some() {
        out.push_str(ADD);
    }
    if counting().any(|(_, gate)| gate.rule != Rule::Sum) {
        out.push_str(AT_LEAST);
    }
    out
}

const ADD: &str = "\
/// Adds the weight to the 64 counts where the word is 1.
fn add(count: &mut [u64], word: u64, weight: u32) {
    for from in 0..count.len().min(32) {
        let mut carry = if weight >> from & 1 == 1 { word } else { 0 };
        for bit in &mut count[from..] {
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
    }
}

";

const AT_LEAST: &str = "\
/// Where the 64 counts are at least this.
fn at_least(count: &[u64], least: u64) -> u64 {
    if least >> count.len() != 0 {
        return 0;
    }
    let step = |above, (p, bit): (usize, &u64)| if least >> p & 1 == 1 { above & bit } else { above | bit };
    count.iter().enumerate().fold(u64::MAX, step)
}

";
