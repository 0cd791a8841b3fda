//! Python 3 without packages: `predict` for one row, `predict_row` for a row by name.

use super::formula::Formula;
use super::names;
use super::statements::{Dialect, functions};
use std::fmt::Write;

const ROW: Dialect = Dialect {
    comment: ["# ", ""],
    // Python's style wants two blanks before a comment.
    bind: |name, i| format!("{name} = bool(x[{i}]) "),
    not: "not ",
    and: " and ",
    or: " or ",
    zero: "False",
    one: "True",
    first: |product| format!("stage = {product}"),
    // `and` binds tighter than `or`.
    next: |product| format!("stage = stage or {product}"),
    clear: "y = False",
    flip: |stage| format!("y ^= {stage}"),
    result: |value| format!("return {value}"),
    close: "\n\n",
};

pub(super) fn file(formula: &Formula<'_>) -> String {
    let target = names::comment(formula.target);
    let mut out = format!("# {target}: an XOR of sums of products.\n\nINPUTS = [\n");
    for name in formula.inputs {
        let _ = writeln!(out, "    {},", names::quoted(name));
    }
    let [stages, whole] = functions(formula, &ROW, "_stage", &|name, _| format!("def {name}(x):\n"));
    let _ = write!(
        out,
        "]\n\n\n\
         {stages}\
         def predict(x):\n    \
             \"\"\"One row: a value for each of INPUTS, in that order.\"\"\"\n    \
             if len(x) != {inputs}:\n        \
                 raise ValueError(f\"{{len(x)}} values for {inputs} inputs\")\n\
         {whole}\n\n\
         def predict_row(row):\n    \
             \"\"\"One row: a mapping with a value for each of INPUTS.\"\"\"\n    \
             return predict([row[name] for name in INPUTS])\n",
        inputs = formula.inputs.len(),
    );
    out
}
