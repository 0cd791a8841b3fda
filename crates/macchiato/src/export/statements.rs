//! The circuit as functions of a programming language: C, Rust and Python differ only in their [`Dialect`].
//!
//! A function for each stage, with a statement for each term; a long stage is cut into several. So neither an
//! expression nor a function grows until compilers take too long for it.

use super::formula::{Formula, Term};
use super::names;
use std::fmt::Write;

/// The most terms of one function.
const LONGEST: usize = 100;

/// How a language spells the functions.
pub(super) struct Dialect {
    /// What opens and closes a comment.
    pub(super) comment: [&'static str; 2],
    /// Binds an identifier to input i of `x`.
    pub(super) bind: fn(&str, usize) -> String,
    pub(super) not: &'static str,
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) zero: &'static str,
    pub(super) one: &'static str,
    /// Begins `stage` with a product.
    pub(super) first: fn(&str) -> String,
    /// Adds a product to `stage`.
    pub(super) next: fn(&str) -> String,
    /// Begins `y` with 0.
    pub(super) clear: &'static str,
    /// Adds the value of a stage to `y`.
    pub(super) flip: fn(&str) -> String,
    /// Gives a value back.
    pub(super) result: fn(&str) -> String,
    /// What ends a function, and what parts it from the next.
    pub(super) close: &'static str,
}

/// What opens a function of a name, and of whether it reads `x`.
pub(super) type Open<'a> = &'a dyn Fn(&str, bool) -> String;

/// The stages' functions, opened by `open` under names that begin with `prefix`; then the body of the whole's.
pub(super) fn functions(
    formula: &Formula<'_>,
    dialect: &Dialect,
    prefix: &str,
    open: Open<'_>,
) -> [String; 2] {
    let identifiers = names::identifiers(formula.inputs);
    let (mut stages, mut whole) = (String::new(), String::new());
    if formula.stages.is_empty() {
        let _ = writeln!(whole, "    {}", (dialect.result)(dialect.zero));
        return [stages, whole];
    }
    let _ = writeln!(whole, "    {}", dialect.clear);
    for (t, terms) in formula.stages.iter().enumerate() {
        let mut calls = Vec::new();
        for (part, terms) in parts(terms).enumerate() {
            let name = match part {
                0 => format!("{prefix}{}", t + 1),
                _ => format!("{prefix}{}_{}", t + 1, part + 1),
            };
            let reads = terms.iter().any(|term| !term.is_empty());
            stages.push_str(&open(&name, reads));
            sum(&mut stages, formula, &identifiers, dialect, terms);
            stages.push_str(dialect.close);
            calls.push(format!("{name}(x)"));
        }
        let _ = writeln!(whole, "    {}", (dialect.flip)(&calls.join(dialect.or)));
    }
    let _ = writeln!(whole, "    {}", (dialect.result)("y"));
    [stages, whole]
}

/// The terms in parts of which at least one exists.
fn parts(terms: &[Term]) -> impl Iterator<Item = &[Term]> {
    let empty = terms.is_empty().then_some(terms);
    empty.into_iter().chain(terms.chunks(LONGEST))
}

/// The body of one part.
fn sum(out: &mut String, formula: &Formula<'_>, identifiers: &[String], dialect: &Dialect, terms: &[Term]) {
    let [open, close] = dialect.comment;
    let mut support: Vec<usize> = terms.iter().flatten().map(|&(input, _)| input).collect();
    support.sort_unstable();
    support.dedup();
    for input in support {
        let binding = (dialect.bind)(&identifiers[input], input);
        let name = names::comment(&formula.inputs[input]);
        let _ = writeln!(out, "    {binding} {open}{name}{close}");
    }
    let literal = |&(input, positive): &(usize, bool)| {
        format!("{}{}", if positive { "" } else { dialect.not }, identifiers[input])
    };
    let product = |term: &Term| match term.as_slice() {
        [] => dialect.one.to_owned(),
        literals => literals.iter().map(literal).collect::<Vec<_>>().join(dialect.and),
    };
    let value = match terms {
        [] => dialect.zero.to_owned(),
        [term] => product(term),
        [first, rest @ ..] => {
            let _ = writeln!(out, "    {}", (dialect.first)(&product(first)));
            for term in rest {
                let _ = writeln!(out, "    {}", (dialect.next)(&product(term)));
            }
            "stage".to_owned()
        }
    };
    let _ = writeln!(out, "    {}", (dialect.result)(&value));
}
