//! How much each input matters for the answer, as bars, and which do not matter at all.
//!
//! An input's influence is the share of points at which changing it, and nothing else, changes the circuit's answer: over all
//! points that the circuit can tell apart, and over rows where there are any. A bar with a pale end is a range: counting
//! stopped before the share was known exactly.

use std::fmt::Write as _;

use super::escape::{Text, count, percent, shortened};
use super::view::View;
use crate::explain::{CircuitExplanation, FeatureInfluence, Matters};

/// Inputs that get a bar.
const BARS: usize = 40;
/// Inputs that are named as without influence.
const NAMED: usize = 60;

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    let Some(explanation) = &view.explanation else { return };
    let rows = explanation.rows.map_or("", |_| {
        if view.train.is_some() { ", and the share of training rows" } else { ", and the share of test rows" }
    });
    let what = if view.model.is_plain() { "input" } else { "column" };
    let _ = write!(
        out,
        "<section id=\"influence\" aria-labelledby=\"influence-h\"><h2 id=\"influence-h\">Influence</h2>\
         <p>For each {what} the share of all situations that the circuit can tell apart{rows}, in which another value of it, and of \
         nothing else, changes the answer.</p><div class=\"tables\">"
    );
    for circuit in &explanation.circuits {
        bars(out, circuit, explanation.circuits.len() > 1, (what, explanation.rows));
    }
    out.push_str("</div></section>");
}

fn bars(out: &mut String, circuit: &CircuitExplanation, titled: bool, (what, rows): (&str, Option<usize>)) {
    out.push_str("<div class=\"bars\">");
    if titled {
        let _ = write!(out, "<h3>{}</h3>", Text(&circuit.target));
    }
    let (without, shown): (Vec<_>, Vec<_>) =
        circuit.features.iter().partition(|feature| feature.matters == Matters::No);
    if !shown.is_empty() {
        let _ = write!(
            out,
            "<table><thead><tr><th scope=\"col\">{}</th><th scope=\"col\" colspan=\"2\">changes the answer<span class=\"key\">in all \
             situations</span>{}</th></tr></thead><tbody>",
            if what == "input" { "Input" } else { "Column" },
            if rows.is_some() { " <span class=\"key rows\">on rows</span>" } else { "" }
        );
        for feature in shown.iter().take(BARS) {
            bar(out, feature, rows);
        }
        out.push_str("</tbody></table>");
    }
    if shown.len() > BARS {
        let _ = write!(
            out,
            "<p class=\"quiet\">And {} with less influence.</p>",
            count(shown.len() - BARS, what)
        );
    }
    if !without.is_empty() {
        let names: Vec<String> = without
            .iter()
            .take(NAMED)
            .map(|feature| Text(&shortened(&feature.feature, 60)).to_string())
            .collect();
        let more = if without.len() > NAMED {
            format!(" and {} more", without.len() - NAMED)
        } else {
            String::new()
        };
        let _ = write!(
            out,
            "<p class=\"quiet\">Proven not to matter, whatever the others are: {}{more}.</p>",
            names.join(", ")
        );
    }
    out.push_str("</div>");
}

/// The bar over all points and, thinner, the one over rows.
fn bar(out: &mut String, feature: &FeatureInfluence, rows: Option<usize>) {
    let (low, high) = feature.points.share_bounds();
    let share = match feature.points.share() {
        Some(share) => percent(share),
        None if high > 0.0 => format!("{} to {}", percent(low), percent(high)),
        None => "?".to_owned(),
    };
    let on_rows = match (feature.rows, rows) {
        (Some(some), Some(all)) if all > 0 => Some(some as f64 / all as f64),
        _ => None,
    };
    let stages: Vec<String> = feature.stages.iter().take(20).map(ToString::to_string).collect();
    let _ = write!(
        out,
        "<tr><th scope=\"row\" title=\"read by stages {}\">{}</th><td class=\"bar\"><svg viewBox=\"0 0 100 14\" \
         preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"range\" width=\"{:.2}\" height=\"8\"/><rect width=\"{:.2}\" \
         height=\"8\"/>",
        stages.join(", "),
        Text(&shortened(&feature.feature, 80)),
        100.0 * high,
        100.0 * low
    );
    if let Some(share) = on_rows {
        let _ = write!(out, "<rect class=\"rows\" y=\"10\" width=\"{:.2}\" height=\"4\"/>", 100.0 * share);
    }
    let _ = write!(out, "</svg></td><td>{share}");
    if let Some(share) = on_rows {
        let _ = write!(out, " <span class=\"quiet\">{} of rows</span>", percent(share));
    }
    out.push_str("</td></tr>");
}
