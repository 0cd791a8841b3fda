//! C99 without libraries: a function of one row of bytes, and one of 64 rows, a word for each input.

use super::formula::Formula;
use super::names;
use super::statements::{Dialect, functions};

const ROW: Dialect = Dialect {
    comment: ["/* ", " */"],
    bind: |name, i| format!("const int {name} = x[{i}] != 0;"),
    not: "!",
    // Compilers suspect a mistake in `!a & b`.
    and: " && ",
    or: " | ",
    zero: "0",
    one: "1",
    first: |product| format!("int stage = {product};"),
    next: |product| format!("stage |= {product};"),
    clear: "int y = 0;",
    flip: |stage| format!("y ^= {stage};"),
    result: |value| format!("return {value};"),
    close: "}\n\n",
};

const ROWS: Dialect = Dialect {
    bind: |name, i| format!("const uint64_t {name} = x[{i}];"),
    not: "~",
    and: " & ",
    one: "~(uint64_t)0",
    first: |product| format!("uint64_t stage = {product};"),
    clear: "uint64_t y = 0;",
    ..ROW
};

pub(super) fn file(formula: &Formula<'_>) -> String {
    let (name, inputs) = (names::function(formula.target), formula.inputs.len());
    let target = names::comment(formula.target);
    let unused = |reads: bool| if reads { "" } else { "    (void)x;\n" };
    let open_row = |name: &str, reads: bool| {
        format!("static int {name}(const unsigned char x[{inputs}]) {{\n{}", unused(reads))
    };
    let open_rows = |name: &str, reads: bool| {
        format!("static uint64_t {name}(const uint64_t x[{inputs}]) {{\n{}", unused(reads))
    };
    let [stages, row] = functions(formula, &ROW, &format!("{name}_stage"), &open_row);
    let [stages_64, rows] = functions(formula, &ROWS, &format!("{name}_64_stage"), &open_rows);
    let unused = unused(!formula.stages.is_empty());
    format!(
        "/* {target}: an XOR of sums of products. */\n\
         #include <stdint.h>\n\n\
         {stages}\
         /* One row: x holds a byte for each input, 0 or not; the answer is 0 or 1. */\n\
         int {name}(const unsigned char x[{inputs}]) {{\n{unused}{row}}}\n\n\
         {stages_64}\
         /* 64 rows: bit r of x[i] is input i of row r, bit r of the answer is row r's. */\n\
         uint64_t {name}_64(const uint64_t x[{inputs}]) {{\n{unused}{rows}}}\n"
    )
}
