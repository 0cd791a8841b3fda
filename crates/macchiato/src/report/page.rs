//! The page around the parts: head, style, sections in reading order, data and script.
//!
//! The policy in the head allows this style and this script by their digests and nothing else: no connection, no other
//! script, not even one that slipped into the text.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::escape::{Text, count, percent, thousands};
use super::measure::Measured;
use super::view::{Shown, View};
use super::{ReportError, certificate, data, figures, gates, influences, live, neurons, rule, sizes, stages};
use crate::bounds::holdout::{ErrorBound, at_most_percent};
use crate::circuit::Circuit;
use crate::stage::Stage;
use crate::words::Words;

/// Of the rule and the stages, which notebooks show too.
const PARTS: &str = include_str!("parts.css");
/// Of the page.
const PAGE: &str = include_str!("page.css");
/// In the order in which they use each other.
const SCRIPTS: [&str; 5] = [
    include_str!("model.js"),
    include_str!("check.js"),
    include_str!("confirm.js"),
    include_str!("link.js"),
    include_str!("live.js"),
];

/// Circuits whose rules are told at the top.
const RULES: usize = 12;

/// A section's place, its name in the list at the top, and what writes it.
type Section = (&'static str, &'static str, fn(&mut String, &View<'_>));

const SECTIONS: [Section; 8] = [
    ("live", "Try it", live::section),
    ("accuracy", "Accuracy", figures::section),
    ("sizes", "Sizes", sizes::section),
    ("influence", "Influence", influences::section),
    ("stages", "Stages", stages::section),
    ("circuit", "Circuit", gates::section),
    ("network", "Network", neurons::section),
    ("certificate", "Certificate", certificate::section),
];

/// The page.
pub(super) fn page(view: &View<'_>) -> Result<String, ReportError> {
    let style = format!("{PARTS}{PAGE}");
    let script = format!("(() => {{\n\"use strict\";\n{}\n}})();", SCRIPTS.join("\n"));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; \
         style-src 'sha256-{}'; script-src 'sha256-{}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{} — Macchiato report</title>\n<style>{style}</style>\n</head>\n<body class=\"macchiato\">\n",
        digest(&style),
        digest(&script),
        Text(view.model.target())
    );
    out.push_str("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n");
    let mut body = String::new();
    let mut listed = Vec::new();
    for (id, name, write) in SECTIONS {
        let before = body.len();
        write(&mut body, view);
        if body.len() > before {
            listed.push(format!("<a href=\"#{id}\">{name}</a>"));
            body.push('\n');
        }
    }
    header(&mut out, view);
    if !listed.is_empty() {
        let _ = write!(out, "<nav aria-label=\"Sections\">{}</nav>", listed.join(""));
    }
    out.push_str("<main id=\"main\" tabindex=\"-1\">\n");
    out.push_str(&body);
    let _ = write!(
        out,
        "</main>\n<aside id=\"inspector\" aria-label=\"The gate pointed at\" hidden></aside>\n\
         <footer>Made by Macchiato {} from {}. This file is complete: it loads nothing and sends nothing.</footer>\n",
        env!("CARGO_PKG_VERSION"),
        view.source.map_or_else(|| "a model".to_owned(), |source| Text(source).to_string()),
    );
    if let Some(data) = data::json(view)? {
        let _ = write!(
            out,
            "<script type=\"application/json\" id=\"data\">{data}</script>\n<script>{script}</script>\n"
        );
    }
    out.push_str("</body>\n</html>\n");
    Ok(out)
}

/// What it is about, the rule, and a few figures.
fn header(out: &mut String, view: &View<'_>) {
    let _ = write!(
        out,
        "<header class=\"top\"><p class=\"brand\">Macchiato report</p><h1>{}</h1>",
        Text(view.model.target())
    );
    if view.circuits.is_empty() {
        let class = view.model.classes().first().map_or("", String::as_str);
        let _ = write!(
            out,
            "<div class=\"rule\"><p class=\"formula\">{} = {}, whatever the columns are</p></div>",
            Text(view.model.target()),
            Text(class)
        );
    }
    let alone = view.circuits.len() == 1;
    for circuit in view.circuits.iter().take(RULES) {
        rule::rule(out, circuit, view.words, alone);
    }
    if view.circuits.len() > RULES {
        let _ = write!(
            out,
            "<p class=\"quiet\">And {}, below.</p>",
            count(view.circuits.len() - RULES, "more circuit")
        );
    }
    if view.circuits.len() > 1 {
        out.push_str(
            "<p class=\"quiet\">One circuit for each class proposes it. Where exactly one does, that is the answer. Where several do, or \
             none, it is the class of the greatest probability: its share of the training rows on which its own circuit answers as here; of \
             equals, the first.</p>",
        );
    }
    out.push_str("<dl class=\"tiles\">");
    let mut tile = |name: &str, value: &str, about: &str| {
        let _ = write!(out, "<div><dt>{name}</dt><dd><b>{value}</b> <span>{about}</span></dd></div>");
    };
    let beside = |rows: &Measured<'_>| {
        let (class, share) = rows.majority();
        let class = view.model.classes().get(class).map_or("", String::as_str);
        format!("right of {}, where always {} has {}", thousands(rows.rows), Text(class), percent(share))
    };
    match (&view.train, view.model.circuits()) {
        (Some(train), _) => tile("Training rows", &percent(train.accuracy()), &beside(train)),
        (None, [model]) => {
            let trace = model.trace();
            tile(
                "Training rows",
                &percent(trace.accuracy()),
                &format!(
                    "right of {}, where the more frequent answer has {}",
                    thousands(trace.data.rows),
                    percent(trace.majority())
                ),
            );
        }
        (None, _) => {}
    }
    if let Some(test) = &view.test {
        tile("Test rows", &percent(test.accuracy()), &beside(test));
    }
    if let Some(holdout) = view.model.holdout().copied() {
        let limit = at_most_percent(ErrorBound::new(holdout).error_at_most);
        let about = format!("{} of {} put aside wrong", thousands(holdout.wrong), thousands(holdout.rows));
        tile(&format!("True error, {} sure", holdout.confidence.percent()), &format!("≤ {limit}"), &about);
    }
    if let Some(first) = view.circuits.first() {
        let sum =
            |size: fn(&Shown<'_>) -> usize| view.circuits.iter().map(|circuit| size(circuit)).sum::<usize>();
        let terms = view.circuits.iter().map(Shown::terms).sum();
        let stages = sum(|circuit| circuit.stages.len());
        if stages > 0 {
            tile("Circuit", &count(stages, "stage"), &count(terms, "term"));
        } else {
            let literals = sum(|shown| shown.circuit.literals());
            tile(
                "Circuit",
                &count(sum(|shown| shown.circuit.gates().len()), "gate"),
                &count(literals, "literal"),
            );
        }
        let what = if view.model.is_plain() { "input" } else { "bit" };
        tile(
            "Reads",
            &count(view.support().len(), what),
            &format!("of {}", thousands(first.circuit.inputs().len())),
        );
    }
    if let (Some(network), Some(certificate)) = (&view.network, &view.certificate) {
        let neurons = network.compiled.network.widths().iter().sum();
        tile("Network", &count(neurons, "neuron"), "exact on every input");
        tile("Certificate", &certificate.badge(), "by the checker");
    }
    out.push_str("</dl></header>\n");
}

/// The rule and the stages of one circuit, with their style.
pub(super) fn fragment(circuit: &Circuit, stages: &[Stage], words: Words<'_>) -> String {
    let circuit = &Shown::new(0, circuit, stages);
    let mut out = format!("<div class=\"macchiato\"><style>{PARTS}</style>");
    rule::rule(&mut out, circuit, words, true);
    let about = stages::About { heading: "h4", class: None, train: None, coverage: None };
    if !circuit.stages.is_empty() {
        stages::cards(&mut out, circuit, words, 1, &about);
    }
    out.push_str("</div>");
    out
}

/// SHA-256 in base64, as a policy names it.
fn digest(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = Sha256::digest(text.as_bytes());
    let mut out = String::with_capacity(44);
    for chunk in digest.chunks(3) {
        let word =
            chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            out.push(char::from(DIGITS[(word >> (18 - 6 * place) & 63) as usize]));
        }
        out.extend(std::iter::repeat_n('=', 3 - chunk.len()));
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn digests_are_those_of_browsers() {
        // The example of the Content Security Policy recommendation.
        assert_eq!(super::digest("alert('Hello, world.');"), "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }
}
