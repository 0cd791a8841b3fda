//! BLIF, the Berkeley Logic Interchange Format: a node of rows for each stage, then a chain of XORs.
//!
//! Long lists continue after a backslash, as the format has it.

use super::formula::{Formula, Term};
use super::names;
use std::fmt::Write;

/// The length past which a list continues on the next line.
const WIDTH: usize = 100;

pub(super) fn file(formula: &Formula<'_>) -> String {
    let inputs: Vec<String> = formula.inputs.iter().map(|name| names::word(name)).collect();
    let target = names::word(formula.target);
    let all = [inputs.as_slice(), std::slice::from_ref(&target)].concat();
    let (stage, xor) = (names::fresh("stage", &all), names::fresh("xor", &all));
    let mut out = format!("# {}: an XOR of sums of products\n", names::comment(formula.target));
    let _ = writeln!(out, ".model {}", names::function(formula.target));
    list(&mut out, ".inputs", &inputs);
    list(&mut out, ".outputs", std::slice::from_ref(&target));
    for (t, terms) in formula.stages.iter().enumerate() {
        node(&mut out, &inputs, terms, format!("{stage}{}", t + 1));
    }
    let last = formula.stages.len();
    match last {
        // A node without rows is constant 0.
        0 => list(&mut out, ".names", std::slice::from_ref(&target)),
        1 => {
            list(&mut out, ".names", &[format!("{stage}1"), target]);
            out.push_str("1 1\n");
        }
        _ => {
            for t in 2..=last {
                let so_far = if t == 2 { format!("{stage}1") } else { format!("{xor}{}", t - 1) };
                let sum = if t == last { target.clone() } else { format!("{xor}{t}") };
                list(&mut out, ".names", &[so_far, format!("{stage}{t}"), sum]);
                out.push_str("10 1\n01 1\n");
            }
        }
    }
    out.push_str(".end\n");
    out
}

/// One stage over the inputs that it reads.
fn node(out: &mut String, inputs: &[String], terms: &[Term], name: String) {
    let mut support: Vec<usize> = terms.iter().flatten().map(|&(input, _)| input).collect();
    support.sort_unstable();
    support.dedup();
    let mut header: Vec<String> = support.iter().map(|&input| inputs[input].clone()).collect();
    header.push(name);
    list(out, ".names", &header);
    for term in terms {
        let mut literals = term.iter().copied().peekable();
        for &input in &support {
            let sign = literals.next_if(|&(read, _)| read == input);
            out.push(sign.map_or('-', |(_, positive)| if positive { '1' } else { '0' }));
        }
        out.push_str(if support.is_empty() { "1\n" } else { " 1\n" });
    }
}

fn list(out: &mut String, keyword: &str, words: &[String]) {
    out.push_str(keyword);
    let mut column = keyword.len();
    for word in words {
        if column + 1 + word.len() > WIDTH {
            out.push_str(" \\\n");
            column = 0;
        }
        let _ = write!(out, " {word}");
        column += 1 + word.len();
    }
    out.push('\n');
}
