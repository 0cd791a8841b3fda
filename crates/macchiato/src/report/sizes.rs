//! The front of accuracy against size: a curve of the circuits that the fit found, on which one chooses what to read.
//!
//! Links and the style of what they lead to do it all, so it works without a script and by the keyboard.

use std::fmt::Write as _;

use super::escape::{Text, count, percent};
use super::rule;
use super::view::{Shown, View};
use crate::model::{Alternative, ClassCircuit};

/// Width and height of the drawing, and what its frame takes.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 40.0;

/// The section of the page, where there is something to choose.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    let circuits = || view.model.circuits().iter().enumerate();
    if circuits().all(|(_, circuit)| circuit.alternatives().len() < 2) {
        return;
    }
    out.push_str(
        "<section id=\"sizes\" aria-labelledby=\"sizes-h\"><h2 id=\"sizes-h\">Shorter and longer</h2>\
         <p>The best circuits that the fit found, each better than all shorter ones. Choose a point to read its rule; \
         <code>macchiato show --size N --out FILE</code> makes a model of it.</p>",
    );
    for (c, circuit) in circuits().filter(|(_, circuit)| circuit.alternatives().len() > 1) {
        front(out, view, c, circuit);
    }
    out.push_str("</section>");
}

/// The curve of one circuit and the rules behind its points.
fn front(out: &mut String, view: &View<'_>, c: usize, own: &ClassCircuit) {
    let alone = view.model.circuits().len() == 1;
    out.push_str("<div class=\"sizes\">");
    if !alone {
        let _ = write!(out, "<h3>{}</h3>", Text(own.target()));
    }
    let asked = own.trace().decision.as_ref().map_or(0, |decision| decision.asked);
    let rate = |other: &Alternative| match other.found().right {
        Some(right) if asked > 0 => right as f64 / asked as f64,
        _ => other.circuit().trace().accuracy(),
    };
    let all = own.alternatives();
    let rates: Vec<f64> = all.iter().map(rate).collect();
    let rows = if asked > 0 {
        format!("{} that it did not learn from", count(asked, "row"))
    } else {
        "training rows".to_owned()
    };
    curve(out, c, own, &rates, &rows);
    for (a, (other, rate)) in all.iter().zip(&rates).enumerate() {
        let class = if is_own(own, other) { "one taken" } else { "one" };
        let _ = write!(
            out,
            "<div class=\"{class}\" id=\"size-{}-{}\"><p class=\"quiet\">{}, right on {} of the {rows}{}</p>",
            c + 1,
            a + 1,
            count(other.conditions(), "condition"),
            percent(*rate),
            if is_own(own, other) { "; this is the circuit of this page." } else { "." },
        );
        rule::rule(out, &Shown::new(c, other.circuit().circuit(), &[]), view.words, alone);
        out.push_str("</div>");
    }
    out.push_str("</div>");
}

/// Whether it is the one that the model has, or as long and as good.
fn is_own(own: &ClassCircuit, other: &Alternative) -> bool {
    let taken = own.trace().decision.as_ref().and_then(|decision| decision.candidates.first());

    taken.is_some_and(|taken| {
        (taken.conditions, taken.right) == (other.found().conditions, other.found().right)
    })
}

/// The drawing: conditions to the right, by their square root so that short ones have room, and the rate upwards.
fn curve(out: &mut String, c: usize, own: &ClassCircuit, rates: &[f64], rows: &str) {
    let all = own.alternatives();
    let most = all.last().map_or(1.0, |last| last.conditions().max(1) as f64).sqrt();
    let low = rates.iter().copied().fold(1.0, f64::min);
    let high = rates.iter().copied().fold(0.0, f64::max);
    let range = (high - low).max(1e-3);
    let place = |a: usize| {
        let x = LEFT + (WIDTH - LEFT - RIGHT) * (all[a].conditions() as f64).sqrt() / most;
        (x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (rates[a] - low) / range)
    };
    let _ = write!(
        out,
        "<svg class=\"front\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" aria-label=\"Accuracy by number of conditions\">\
         <text class=\"axis\" x=\"{x}\" y=\"{top:.0}\" text-anchor=\"end\">{}</text>\
         <text class=\"axis\" x=\"{x}\" y=\"{bottom:.0}\" text-anchor=\"end\">{}</text>\
         <text class=\"axis\" x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">conditions; upwards the share right of the {rows}</text>",
        percent(high),
        percent(low),
        x = LEFT - 10.0,
        top = TOP + 4.0,
        bottom = HEIGHT - BOTTOM + 4.0,
        middle = (LEFT + WIDTH - RIGHT) / 2.0,
        below = HEIGHT - 6.0,
    );
    let mut steps = String::new();
    for a in 0..all.len() {
        let (x, y) = place(a);
        let _ = if a == 0 { write!(steps, "M{x:.1} {y:.1}") } else { write!(steps, "H{x:.1}V{y:.1}") };
    }
    let _ = write!(out, "<path class=\"steps\" d=\"{steps}\"/>");
    // The whole column under a point leads to it, as a finger is wide. Numbers that would stand in each other are left out; the link says them all the same.
    let mut free = f64::MIN;
    for (a, other) in all.iter().enumerate() {
        let (x, y) = place(a);
        let taken = if is_own(own, other) { " class=\"taken\"" } else { "" };
        let _ = write!(
            out,
            "<a href=\"#size-{}-{}\" aria-label=\"{}, right on {}\"{taken}><rect x=\"{:.1}\" y=\"{:.1}\" width=\"24\" height=\"{:.1}\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\"/>",
            c + 1,
            a + 1,
            count(other.conditions(), "condition"),
            percent(rates[a]),
            x - 12.0,
            y - 12.0,
            HEIGHT - BOTTOM + 36.0 - y,
        );
        if x > free {
            let _ = write!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - BOTTOM + 20.0,
                other.conditions()
            );
            free = x + 22.0;
        }
        out.push_str("</a>");
    }
    out.push_str("</svg>");
}
