//! Rust without dependencies: `predict` for one row, `predict_64` for 64 rows, a word for each input.

use super::formula::Formula;
use super::names;
use super::statements::{Dialect, functions};

const ROW: Dialect = Dialect {
    comment: ["// ", ""],
    bind: |name, i| format!("let {name} = x[{i}];"),
    not: "!",
    and: " & ",
    or: " | ",
    zero: "false",
    one: "true",
    first: |product| format!("let mut stage = {product};"),
    next: |product| format!("stage |= {product};"),
    clear: "let mut y = false;",
    flip: |stage| format!("y ^= {stage};"),
    result: str::to_owned,
    close: "}\n\n",
};

const ROWS: Dialect = Dialect { zero: "0", one: "u64::MAX", clear: "let mut y = 0;", ..ROW };

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs = formula.inputs.len();
    let target = names::comment(formula.target);
    let x = |reads: bool| if reads { "x" } else { "_x" };
    let open = |word: &'static str| {
        move |name: &str, reads: bool| format!("fn {name}({}: &[{word}; {inputs}]) -> {word} {{\n", x(reads))
    };
    let [stages, row] = functions(formula, &ROW, "stage", &open("bool"));
    let [stages_64, rows] = functions(formula, &ROWS, "stage_64_", &open("u64"));
    let x = x(!formula.stages.is_empty());
    format!(
        "// {target}: an XOR of sums of products.\n\n\
         {stages}\
         /// One row: a value for each input.\n\
         pub fn predict({x}: &[bool; {inputs}]) -> bool {{\n{row}}}\n\n\
         {stages_64}\
         /// 64 rows: bit r of `x[i]` is input i of row r, bit r of the answer is row r's.\n\
         pub fn predict_64({x}: &[u64; {inputs}]) -> u64 {{\n{rows}}}\n"
    )
}
