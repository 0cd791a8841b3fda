//! SMT-LIB 2: a Boolean constant for each input, a definition for each stage and one for the circuit.
//!
//! The file asserts nothing: append what is to be proven. A symbol that is not simple stands between bars; the
//! characters that bars may not hold, and the first one of a word that has a meaning of its own, are spelled `%XX`.

use super::formula::{Formula, Term};
use super::names;
use std::fmt::Write;

/// Reserved words, and symbols of the core theory: between bars they would be the same symbols.
const RESERVED: &str = "\
    ! => = and as assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun \
    declare-sort declare-sort-parameter define-const define-fun define-fun-rec define-funs-rec define-sort distinct \
    echo exists exit false forall get-assertions get-assignment get-info get-model get-option get-proof \
    get-unsat-assumptions get-unsat-core get-value if iff implies ite lambda let match not or par pop push reset \
    reset-assertions set-info set-logic set-option true xor BINARY DECIMAL HEXADECIMAL NUMERAL STRING _";

pub(super) fn file(formula: &Formula<'_>) -> String {
    let spelled: Vec<String> = formula.inputs.iter().map(|name| spell(name)).collect();
    let inputs: Vec<String> = spelled.iter().map(|name| symbol(name)).collect();
    let target = spell(formula.target);
    let stage = names::fresh("stage", &[spelled.as_slice(), std::slice::from_ref(&target)].concat());
    let target = symbol(&target);
    let mut out =
        format!("; {}: an XOR of sums of products\n(set-logic QF_UF)\n", names::comment(formula.target));
    for input in &inputs {
        let _ = writeln!(out, "(declare-const {input} Bool)");
    }
    for (t, terms) in formula.stages.iter().enumerate() {
        let products: Vec<String> = terms.iter().map(|term| product(term, &inputs)).collect();
        let sum = join("or", "false", &products, "\n  ");
        let _ = writeln!(out, "(define-fun {stage}{} () Bool {sum})", t + 1);
    }
    let stages: Vec<String> = (1..=formula.stages.len()).map(|t| format!("{stage}{t}")).collect();
    let _ = writeln!(out, "(define-fun {target} () Bool {})", join("xor", "false", &stages, " "));
    out
}

fn product(term: &Term, inputs: &[String]) -> String {
    let literal = |&(input, positive): &(usize, bool)| {
        if positive { inputs[input].clone() } else { format!("(not {})", inputs[input]) }
    };
    join("and", "true", &term.iter().map(literal).collect::<Vec<_>>(), " ")
}

/// Operators take two operands or more.
fn join(operator: &str, empty: &str, parts: &[String], between: &str) -> String {
    match parts {
        [] => empty.to_owned(),
        [one] => one.clone(),
        many => format!("({operator}{between}{})", many.join(between)),
    }
}

/// The name without what no symbol may hold.
fn spell(name: &str) -> String {
    let reserved = name.starts_with(['@', '.']) || RESERVED.split_ascii_whitespace().any(|word| word == name);
    let first = std::cell::Cell::new(reserved);
    names::percent(name, |c| !first.replace(false) && !names::hidden(c) && !matches!(c, '|' | '\\'))
}

fn symbol(spelled: &str) -> String {
    let simple = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
    if spelled.bytes().all(simple) && !spelled.starts_with(|c: char| c.is_ascii_digit()) {
        spelled.to_owned()
    } else {
        format!("|{spelled}|")
    }
}
