//! Each stage: its formula, what it corrected, the rows of its terms, and its table.

use std::fmt::Write as _;

use super::escape::{Text, count, thousands};
use super::kmap;
use super::measure::Measured;
use super::table::{self, Squares};
use super::view::{Shown, View, term_key};
use crate::fit::{Found, Shape};
use crate::model::ClassCircuit;
use crate::stage::Signed;
use crate::words::{Symbols, Words};

/// Terms that are listed; the rest is counted.
const TERMS: usize = 40;
/// Stages that are shown; the rest is counted.
const STAGES: usize = 60;

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    if view.circuits.iter().all(|circuit| circuit.stages.is_empty()) {
        return;
    }
    out.push_str(
        "<section id=\"stages\" aria-labelledby=\"stages-h\"><h2 id=\"stages-h\">Stages</h2>\
         <p>A stage holds where one of its terms holds, and a term where all of its conditions do. Each stage flips the \
         answer that the stages before it give. Its table shows the stage for all values of the inputs that it reads; the \
         frame is the input in the live panel.",
    );
    if view.train.is_some() {
        out.push_str(
            " The small number in a cell counts its training rows; a dotted or pale cell has none, so what it holds is \
             the learner’s guess.",
        );
    }
    out.push_str("</p>");
    for (c, (circuit, class)) in view.circuits.iter().zip(view.model.circuits()).enumerate() {
        if circuit.stages.is_empty() {
            continue;
        }
        if view.circuits.len() > 1 {
            let _ = write!(out, "<h3>{}</h3>", Text(circuit.target));
        }
        let heading = if view.circuits.len() > 1 { "h4" } else { "h3" };
        let train = view.train.as_ref();
        let coverage = train.map(|train| class.learned().coverage(&train.bits(), train.rows));
        let about = About { heading, class: Some(class), train, coverage: coverage.as_deref() };
        cards(out, circuit, view.words, view.first_stage(c), &about);
    }
    out.push_str("</section>");
}

/// What is known beside the circuit itself.
pub(super) struct About<'a> {
    /// The level of a stage's heading, `h3` where nothing stands between it and the section's.
    pub(super) heading: &'static str,
    pub(super) class: Option<&'a ClassCircuit>,
    pub(super) train: Option<&'a Measured<'a>>,
    /// Training rows on which each gate of the model holds.
    pub(super) coverage: Option<&'a [usize]>,
}

/// The stages of one circuit, numbered from `first` on.
pub(super) fn cards(
    out: &mut String,
    circuit: &Shown<'_>,
    words: Words<'_>,
    first: usize,
    about: &About<'_>,
) {
    out.push_str("<div class=\"stages\">");
    for t in 0..circuit.stages.len().min(STAGES) {
        card(out, circuit, words, (t, first), about);
    }
    out.push_str("</div>");
    if circuit.stages.len() > STAGES {
        let _ = write!(
            out,
            "<p class=\"quiet\">{} are not shown; the live panel and its check have them all.</p>",
            count(circuit.stages.len() - STAGES, "more stage")
        );
    }
}

fn card(
    out: &mut String,
    circuit: &Shown<'_>,
    words: Words<'_>,
    (t, first): (usize, usize),
    about: &About<'_>,
) {
    let (stage, number) = (&circuit.stages[t], first + t);
    let terms: Vec<Vec<Signed>> = stage.terms().collect();
    let _ = write!(
        out,
        "<article class=\"stage\" data-k=\"s{number}\"><{0}><span class=\"led\" aria-hidden=\"true\"></span>Stage {1}</{0}>",
        about.heading,
        t + 1
    );
    let traces = about.class.map(ClassCircuit::trace);
    if let Some((all, trace)) = traces.and_then(|all| Some((all, all.stages.get(t)?))) {
        let shape = match &trace.found {
            Found::Influence(_) => "chosen by influence",
            Found::Evidence { shape: Shape::Table, .. } => "a table",
            Found::Evidence { shape: Shape::Count, .. } => "a count of its inputs",
            Found::Evidence { shape: Shape::Wide, .. } => "few terms over many inputs",
            Found::Evidence { shape: Shape::Constant, .. } => "a constant",
        };
        let _ = write!(
            out,
            "<p class=\"facts\"><span>errors <b>{} → {}</b></span><span>{}</span><span>{shape}</span></p>",
            thousands(all.errors_before(t)),
            thousands(trace.errors_after),
            count(terms.len(), "term"),
        );
    }
    out.push_str("<div class=\"body\"><ul class=\"terms\" data-rove aria-label=\"Terms\">");
    if terms.is_empty() {
        out.push_str("<li>0, never</li>");
    }
    // With rows the terms are counted on them, otherwise the model says what it saw.
    let coverage = about.class.map(|class| match about.coverage {
        Some(counted) => class.of_terms(counted, t),
        None => class.of_terms(class.coverage(), t),
    });
    for (p, term) in terms.iter().take(TERMS).enumerate() {
        let conditions: Vec<String> = words
            .conditions(term, Symbols::UNICODE)
            .iter()
            .map(|text| format!("<span>{}</span>", Text(text)))
            .collect();
        let text = if conditions.is_empty() {
            "1, always".to_owned()
        } else {
            conditions.join(" <span class=\"op\">∧</span> ")
        };
        let _ = write!(
            out,
            "<li><span class=\"term\" data-k=\"{}\"><span class=\"led\" aria-hidden=\"true\"></span>{text}</span>",
            term_key(number, p + 1)
        );
        if let Some(rows) = coverage.and_then(|coverage| coverage.get(p)) {
            let _ = write!(out, " <span class=\"quiet\">{}</span>", count(*rows, "row"));
        }
        out.push_str("</li>");
    }
    if terms.len() > TERMS {
        let _ = write!(out, "<li class=\"quiet\">and {}</li>", count(terms.len() - TERMS, "more term"));
    }
    out.push_str("</ul>");
    let name = |literal: Signed| words.term(&[literal], Symbols::UNICODE);
    match Squares::new(circuit.circuit.inputs().len(), stage, about.train) {
        Some(cells) if cells.inputs.is_empty() => {}
        Some(cells) if cells.inputs.len() <= kmap::INPUTS => kmap::kmap(out, &cells, name),
        Some(cells) => cells.heat_map(out, name),
        None => table::terms(out, stage),
    }
    out.push_str("</div></article>");
}
