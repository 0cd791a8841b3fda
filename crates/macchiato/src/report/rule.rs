//! The rule in words: what a person reads first.

use std::fmt::Write as _;

use super::escape::{Text, count};
use crate::circuit::Circuit;
use crate::stage::{Signed, Stage};
use crate::words::{Symbols, Words};

/// The longest formula that is shown in one piece, in characters.
const LONGEST: usize = 320;
/// Stages that are told, and terms of each.
const STAGES: usize = 12;
const TERMS: usize = 8;

/// The formula, where it is short enough, and what it says.
pub(super) fn rule(out: &mut String, circuit: &Circuit, words: Words<'_>) {
    let formula = words.circuit(circuit, Symbols::UNICODE);
    let target = Text(&circuit.target);
    // The target of a classifier's circuit is an equation itself.
    let is = if matches!(words, Words::Names(_)) { "=" } else { "if" };
    out.push_str("<div class=\"rule\">");
    if formula.chars().count() <= LONGEST {
        let _ = write!(
            out,
            "<p class=\"formula\"><span class=\"target\">{target}</span> <span class=\"op\">{is}</span> {}</p>",
            coloured(&formula)
        );
    }
    sentence(out, circuit, words);
    out.push_str("</div>");
}

/// A formula whose operators stand out; a name may hold the same signs, which does no harm.
fn coloured(formula: &str) -> String {
    let mut out = String::new();
    for (at, word) in formula.split(' ').enumerate() {
        if at > 0 {
            out.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = match word {
            "∧" | "∨" | "⊕" => write!(out, "<span class=\"op\">{word}</span>"),
            word => write!(out, "{}", Text(word)),
        };
    }
    out
}

fn sentence(out: &mut String, circuit: &Circuit, words: Words<'_>) {
    let named = matches!(words, Words::Names(_));
    let answer = if named { format!("{} is 1", circuit.target) } else { circuit.target.clone() };
    let answer = Text(&answer);
    let stages: Vec<&Stage> = circuit.stages.iter().filter(|stage| !stage.cover.is_empty()).collect();
    let _ = match stages.as_slice() {
        [] => write!(out, "<p>{answer} never, whatever the inputs are.</p>"),
        [stage] => {
            let terms: Vec<Vec<Signed>> = stage.terms().collect();
            match terms.as_slice() {
                [term] if term.is_empty() => write!(out, "<p>{answer} always, whatever the inputs are.</p>"),
                [term] => write!(out, "<p>{answer} exactly where {}.</p>", conditions(words, term)),
                terms => {
                    let _ = write!(out, "<p>{answer} exactly where at least one of these holds:</p><ul>");
                    for term in terms.iter().take(TERMS) {
                        let _ = write!(out, "<li>{}</li>", conditions(words, term));
                    }
                    more(out, terms.len().saturating_sub(TERMS), "term");
                    write!(out, "</ul>")
                }
            }
        }
        stages => {
            let _ = write!(out, "<p>{answer} exactly where an odd number of these hold:</p><ol>");
            for stage in stages.iter().take(STAGES) {
                let terms: Vec<Vec<Signed>> = stage.terms().collect();
                let told: Vec<String> = terms.iter().take(TERMS).map(|term| conditions(words, term)).collect();
                let or = " <span class=\"join\">or</span> ";
                let _ = write!(out, "<li>{}", told.join(or));
                if terms.len() > TERMS {
                    let _ = write!(out, "{or}{}", count(terms.len() - TERMS, "more term"));
                }
                out.push_str("</li>");
            }
            more(out, stages.len().saturating_sub(STAGES), "stage");
            write!(out, "</ol>")
        }
    };
}

fn more(out: &mut String, number: usize, what: &str) {
    if number > 0 {
        let _ = write!(out, "<li class=\"quiet\">and {}</li>", count(number, &format!("more {what}")));
    }
}

/// The conditions of a term, joined by `and`.
fn conditions(words: Words<'_>, term: &[Signed]) -> String {
    let symbols = Symbols { not: "not ", ..Symbols::WORDS };
    let conditions: Vec<String> =
        words.conditions(term, symbols).iter().map(|text| format!("<b>{}</b>", Text(text))).collect();
    if conditions.is_empty() { "always".to_owned() } else { conditions.join(" and ") }
}
