//! The rule in words: what a person reads first.

use std::fmt::Write as _;

use super::escape::{Text, count};
use super::view::Shown;
use crate::stage::Signed;
use crate::words::{Symbols, Words};

/// The longest formula that is shown in one piece, in characters.
const LONGEST: usize = 320;
/// Characters that are told before the rest is only counted.
const TOLD: usize = 1500;

/// What the circuit says, in words; before it the formula, where it is short enough and the circuit alone. One of several only proposes its
/// class.
pub(super) fn rule(out: &mut String, circuit: &Shown<'_>, words: Words<'_>, alone: bool) {
    out.push_str("<div class=\"rule\">");
    let said = words.circuit(circuit.circuit, Symbols::UNICODE);
    let short = said.line().chars().count() <= LONGEST;
    let always = match said.formula.as_str() {
        "0" => Some("never"),
        "1" => Some("always"),
        _ => None,
    };
    if let (Some(always), []) = (always, circuit.stages) {
        let answer = answer(words, alone);
        let target = Text(circuit.target);
        let _ =
            write!(out, "<p><strong>{target}{answer}</strong> {always}, whatever the inputs are.</p></div>");
        return;
    }
    // A circuit without stages has nothing but its formula.
    if alone && short || circuit.stages.is_empty() {
        let mut told = 0;
        for (name, text) in said.gates.iter().take_while(|(_, text)| {
            told += text.len();
            told <= TOLD
        }) {
            formula(out, name, "=", text);
        }
        // The target of a classifier's circuit is an equation itself.
        let is = match words {
            Words::Names(_) => "=",
            Words::Bits(_) if alone => "if",
            Words::Bits(_) => "is proposed if",
        };
        let text = &said.formula;
        if text.len() <= TOLD {
            formula(out, circuit.target, is, text);
        } else {
            let gate = circuit.circuit.top(0).map_or(String::new(), crate::words::rule);
            formula(out, circuit.target, is, &format!("{gate}, below"));
        }
    }
    if !circuit.stages.is_empty() {
        sentence(out, circuit, words, alone);
    }
    out.push_str("</div>");
}

fn formula(out: &mut String, name: &str, is: &str, text: &str) {
    let _ = write!(
        out,
        "<p class=\"formula\"><span class=\"target\">{}</span> <span class=\"op\">{is}</span> {}</p>",
        Text(name),
        coloured(text)
    );
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

/// What is said of the target where the circuit is 1.
const fn answer(words: Words<'_>, alone: bool) -> &'static str {
    match words {
        Words::Names(_) => " is 1",
        Words::Bits(_) if alone => "",
        Words::Bits(_) => " is proposed",
    }
}

fn sentence(out: &mut String, circuit: &Shown<'_>, words: Words<'_>, alone: bool) {
    let answer = format!("<strong>{}{}</strong>", Text(circuit.target), answer(words, alone));
    let stages: Vec<Vec<Vec<Signed>>> = circuit.stages.iter().map(|stage| stage.terms().collect()).collect();
    // A stage that always holds turns odd into even.
    let always = |terms: &Vec<Vec<Signed>>| terms.iter().any(Vec::is_empty);
    let flipped = stages.iter().filter(|terms| always(terms)).count() % 2 == 1;
    let stages: Vec<&Vec<Vec<Signed>>> =
        stages.iter().filter(|terms| !terms.is_empty() && !always(terms)).collect();
    let where_ = if flipped { "everywhere except where" } else { "exactly where" };
    let _ = match stages.as_slice() {
        [] if flipped => write!(out, "<p>{answer} always, whatever the inputs are.</p>"),
        [] => write!(out, "<p>{answer} never, whatever the inputs are.</p>"),
        [terms] if terms.len() == 1 => {
            write!(out, "<p>{answer} {where_} {}.</p>", conditions(words, &terms[0]))
        }
        [terms] => {
            let _ = write!(out, "<p>{answer} {where_} at least one of these holds:</p>");
            let told = terms.iter().map(|term| conditions(words, term));
            list(out, "ul", told, (terms.len(), "term"));
            Ok(())
        }
        stages => {
            let number = if flipped { "even" } else { "odd" };
            let _ = write!(out, "<p>{answer} exactly where an {number} number of these hold:</p>");
            let told = stages.iter().map(|terms| disjunction(words, terms));
            list(out, "ol", told, (stages.len(), "stage"));
            Ok(())
        }
    };
}

/// As many as may be told, at least one, and how many there are besides.
fn list(out: &mut String, tag: &str, items: impl Iterator<Item = String>, (all, what): (usize, &str)) {
    let _ = write!(out, "<{tag}>");
    let from = out.len();
    let mut told = 0;
    for item in items {
        let _ = write!(out, "<li>{item}</li>");
        told += 1;
        if out.len() - from > TOLD {
            break;
        }
    }
    if all > told {
        let _ = write!(out, "<li class=\"quiet\">and {}</li>", count(all - told, &format!("more {what}")));
    }
    let _ = write!(out, "</{tag}>");
}

/// The terms of a stage, joined by `or`.
fn disjunction(words: Words<'_>, terms: &[Vec<Signed>]) -> String {
    const OR: &str = " <span class=\"join\">or</span> ";
    let mut text = String::new();
    for (at, term) in terms.iter().enumerate() {
        if at > 0 {
            text.push_str(OR);
        }
        if text.len() > TOLD / 3 {
            let _ = write!(text, "{}", count(terms.len() - at, "more term"));
            break;
        }
        text.push_str(&conditions(words, term));
    }
    text
}

/// The conditions of a term, joined by `and`.
fn conditions(words: Words<'_>, term: &[Signed]) -> String {
    let symbols = Symbols { not: "not ", ..Symbols::WORDS };
    let conditions: Vec<String> =
        words.conditions(term, symbols).iter().map(|text| format!("<b>{}</b>", Text(text))).collect();
    if conditions.is_empty() { "always".to_owned() } else { conditions.join(" and ") }
}
