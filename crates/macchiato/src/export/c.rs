//! C99 without libraries: a function of one row of bytes, and one of 64 rows, a word for each input.
//!
//! In the second a count is kept in words of which word p holds bit p of 64 counts.

use super::formula::{Formula, is_count};
use super::statements::{Answer, Dialect, Program, program};
use crate::circuit::Rule;
use std::fmt::Write;

/// One row, or 64 of a program whose function has this name.
struct C<'a> {
    name: &'a str,
    rows: bool,
    inputs: usize,
    gates: usize,
}

impl C<'_> {
    const fn word(&self) -> &'static str {
        if self.rows { "uint64_t" } else { "int" }
    }

    fn x(&self) -> String {
        format!("const {} x[{}]", if self.rows { "uint64_t" } else { "unsigned char" }, self.inputs)
    }
}

struct Row<'a>(C<'a>);
struct Rows<'a>(C<'a>);

impl Dialect for Row<'_> {
    const COMMENT: [&'static str; 2] = ["/* ", " */"];
    const NOT: &'static str = "!";
    // Compilers suspect a mistake in `!a & b`.
    const AND: &'static str = " && ";
    const OR: &'static str = " | ";
    const XOR: &'static str = " ^ ";
    const ZERO: &'static str = "0";
    const ONE: &'static str = "1";
    const CLOSE: &'static str = "}\n\n";

    fn function(&self, label: &str) -> String {
        format!("{}_{label}", self.0.name)
    }

    fn open(&self, name: &str, reads: [bool; 2], _: Option<usize>) -> String {
        open(&self.0, name, reads, None)
    }

    fn call(&self, name: &str, reads: [bool; 2]) -> String {
        call(name, reads)
    }

    fn bind(&self, name: &str, array: char, i: usize) -> String {
        let test = if array == 'x' { " != 0" } else { "" };
        format!("const int {name} = {array}[{i}]{test};")
    }

    fn first(&self, product: &str) -> String {
        format!("int value = {product};")
    }

    fn next(&self, product: &str, xor: bool) -> String {
        format!("value {}= {product};", if xor { '^' } else { '|' })
    }

    fn zero(&self, _: usize) -> String {
        "int count = 0;".to_owned()
    }

    fn add(&self, name: &str, positive: bool, weight: u32, _: usize) -> String {
        let points = if weight == 1 { String::new() } else { format!("{weight} * ") };
        format!("count += {points}{}{name};", if positive { "" } else { "!" })
    }

    fn at_least(&self, least: u64, _: usize) -> String {
        format!("count >= {least}")
    }

    fn within(&self, from: u64, to: u64, _: usize) -> String {
        if from == to { format!("(count == {from})") } else { format!("(count >= {from} && count <= {to})") }
    }

    fn result(&self, value: &str) -> String {
        format!("return {value};")
    }

    fn output(&self, array: char, i: usize, positive: bool) -> String {
        match (array, positive) {
            ('x', true) => format!("x[{i}] != 0"),
            ('x', false) => format!("x[{i}] == 0"),
            (_, true) => format!("{array}[{i}]"),
            (_, false) => format!("!{array}[{i}]"),
        }
    }
}

impl Dialect for Rows<'_> {
    const COMMENT: [&'static str; 2] = Row::COMMENT;
    const NOT: &'static str = "~";
    const AND: &'static str = " & ";
    const OR: &'static str = " | ";
    const XOR: &'static str = " ^ ";
    const ZERO: &'static str = "0";
    const ONE: &'static str = "~(uint64_t)0";
    const CLOSE: &'static str = Row::CLOSE;

    fn function(&self, label: &str) -> String {
        format!("{}_{label}_64", self.0.name)
    }

    fn open(&self, name: &str, reads: [bool; 2], sum: Option<usize>) -> String {
        open(&self.0, name, reads, sum)
    }

    fn call(&self, name: &str, reads: [bool; 2]) -> String {
        call(name, reads)
    }

    fn bind(&self, name: &str, array: char, i: usize) -> String {
        format!("const uint64_t {name} = {array}[{i}];")
    }

    fn first(&self, product: &str) -> String {
        format!("uint64_t value = {product};")
    }

    fn next(&self, product: &str, xor: bool) -> String {
        format!("value {}= {product};", if xor { '^' } else { '|' })
    }

    fn zero(&self, bits: usize) -> String {
        format!("uint64_t count[{bits}] = {{0}};")
    }

    fn add(&self, name: &str, positive: bool, weight: u32, bits: usize) -> String {
        format!("{}_Add(count, {bits}, {}{name}, {weight});", self.0.name, if positive { "" } else { "~" })
    }

    fn at_least(&self, least: u64, bits: usize) -> String {
        format!("{}_AtLeast(count, {bits}, {least})", self.0.name)
    }

    fn within(&self, from: u64, to: u64, bits: usize) -> String {
        format!("({} & ~{})", self.at_least(from, bits), self.at_least(to + 1, bits))
    }

    fn result(&self, value: &str) -> String {
        // A sum is left in `y`.
        if value == "count" { copied() } else { format!("return {value};") }
    }

    fn output(&self, array: char, i: usize, positive: bool) -> String {
        format!("{}{array}[{i}]", if positive { "" } else { "~" })
    }
}

fn copied() -> String {
    "for (unsigned p = 0; p < sizeof count / sizeof *count; p++) y[p] = count[p];".to_owned()
}

fn open(c: &C<'_>, name: &str, [x, g]: [bool; 2], sum: Option<usize>) -> String {
    let mut parameters = Vec::new();
    if x {
        parameters.push(c.x());
    }
    if g {
        parameters.push(format!("const {} g[{}]", c.word(), c.gates));
    }
    if let Some(bits) = sum {
        parameters.push(format!("uint64_t y[{bits}]"));
    }
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let word = if sum.is_some() { "void" } else { c.word() };
    format!("static {word} {name}({parameters}) {{\n")
}

fn call(name: &str, [x, g]: [bool; 2]) -> String {
    let arguments: Vec<&str> =
        [(x, "x"), (g, "g")].iter().filter(|(reads, _)| *reads).map(|(_, a)| *a).collect();
    format!("{name}({})", arguments.join(", "))
}

pub(super) fn file(formula: &Formula<'_>) -> String {
    let (name, inputs) = (formula.function(), formula.inputs.len());
    let gates = formula.nodes().filter(|(_, gate)| gate.rule != Rule::Sum).count();
    let c = |rows: bool| C { name: &name, rows, inputs, gates };
    let (row, rows) = (program(formula, &Row(c(false))), program(formula, &Rows(c(true))));
    let bits: usize = rows.outputs.iter().map(Answer::bits).sum();
    let several = formula.outputs.len() > 1;
    let answer = match formula.outputs.len() {
        1 if bits > 1 => "the answer is the sum".to_owned(),
        1 => "the answer is 0 or 1".to_owned(),
        _ => format!("y gets the {} answers in order", formula.outputs.len()),
    };
    let answer_64 = match bits {
        1 => "bit r of the answer is row r's".to_owned(),
        _ => format!("bit r of y is row r's, a word for each bit of each output, {bits} in all"),
    };
    let head = |result: &str, suffix: &str, x: &str, y: Option<String>| match y {
        None => format!("{result} {name}{suffix}({x}) {{\n"),
        Some(y) => format!("void {name}{suffix}({x}, {y}) {{\n"),
    };
    format!(
        "/* {}. */\n#include <stdint.h>\n\n{}\
         /* One row: x holds a byte for each input, 0 or not; {answer}. */\n{}{}}}\n\n\
         {}{}\
         /* 64 rows: bit r of x[i] is input i of row r, {answer_64}. */\n{}{}}}\n",
        formula.title(),
        row.functions,
        head("int", "", &c(false).x(), several.then(|| format!("int y[{}]", formula.outputs.len()))),
        body(&row, "int", several),
        helpers(formula, &name),
        rows.functions,
        head("uint64_t", "_64", &c(true).x(), (bits > 1).then(|| format!("uint64_t y[{bits}]"))),
        body(&rows, "uint64_t", bits > 1),
    )
}

/// The calls, and the answers as what is returned or in `y`.
fn body(program: &Program, word: &str, into_y: bool) -> String {
    let mut out = String::new();
    if !program.reads_x {
        out.push_str("    (void)x;\n");
    }
    if !program.calls.is_empty() {
        let _ = writeln!(out, "    {word} g[{}];", program.calls.len());
    }
    for (g, call) in program.calls.iter().enumerate() {
        let _ = writeln!(out, "    g[{g}] = {call};");
    }
    let mut at = 0;
    for answer in &program.outputs {
        let _ = match answer {
            Answer::Sum(call, _) if word == "uint64_t" => {
                if !into_y {
                    out.push_str("    uint64_t y[1];\n");
                }
                let end = if into_y { "" } else { "\n    return y[0];" };
                let place = if at == 0 { "y".to_owned() } else { format!("y + {at}") };
                let (head, arguments) = call.split_at(call.find('(').map_or(call.len(), |open| open + 1));
                let comma = if arguments == ")" { "" } else { ", " };
                writeln!(out, "    {head}{}{comma}{place});{end}", arguments.trim_end_matches(')'))
            }
            Answer::Bit(value) | Answer::Sum(value, _) if into_y => writeln!(out, "    y[{at}] = {value};"),
            Answer::Bit(value) | Answer::Sum(value, _) => writeln!(out, "    return {value};"),
        };
        at += if word == "uint64_t" { answer.bits() } else { 1 };
    }
    out
}

/// Adding to 64 counts at once, and comparing them.
fn helpers(formula: &Formula<'_>, name: &str) -> String {
    let counting = || formula.nodes().filter(|(_, gate)| is_count(&gate.rule) && !gate.literals.is_empty());
    let mut out = String::new();
    if counting().next().is_some() {
        let _ = write!(
            out,
            "/* Adds the weight to the 64 counts where the word is 1. */\n\
             static void {name}_Add(uint64_t count[], int bits, uint64_t word, unsigned weight) {{\n    \
                 for (int from = 0; from < bits; from++) {{\n        \
                     uint64_t carry = weight >> from & 1 ? word : 0;\n        \
                     for (int p = from; carry != 0 && p < bits; p++) {{\n            \
                         const uint64_t sum = count[p] ^ carry;\n            \
                         carry &= count[p];\n            \
                         count[p] = sum;\n        \
                     }}\n    \
                 }}\n\
             }}\n\n"
        );
    }
    if counting().any(|(_, gate)| gate.rule != Rule::Sum) {
        let _ = write!(
            out,
            "/* Where the 64 counts are at least this. */\n\
             static uint64_t {name}_AtLeast(const uint64_t count[], int bits, uint64_t least) {{\n    \
                 uint64_t above = ~(uint64_t)0;\n    \
                 for (int p = 0; p < bits; p++)\n        \
                     above = least >> p & 1 ? above & count[p] : above | count[p];\n    \
                 return least >> bits ? 0 : above;\n\
             }}\n\n"
        );
    }
    out
}
