//! Cells and tables of Markdown.

use std::fmt::Write;

use super::super::method::Method;
use super::super::outcome::Ended;
use super::super::statistics::Summary;
use super::super::view::{Figure, View};
use super::super::{Configuration, Published, published};
use crate::duration::duration;

/// What a cell without a figure shows.
pub(super) const NONE: &str = "—";

/// A table whose first column is text and whose others are figures.
pub(super) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|---|{}\n", head.join(" | "), "---:|".repeat(head.len() - 1));
    for row in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

pub(super) fn head(titles: &[&str]) -> Vec<String> {
    titles.iter().map(|&title| title.to_owned()).collect()
}

/// The paper's mean and deviation.
pub(super) fn paper(published: Option<Published>) -> String {
    published.map_or(NONE.to_owned(), |Published(mean, deviation)| format!("{mean:.3} ± {deviation:.3}"))
}

/// The paper's accuracy of a figure; flat Espresso has none where it failed.
pub(super) fn paper_accuracy(configuration: &Configuration, (method, stage): Figure) -> String {
    match published::accuracy(configuration, method, stage) {
        None if method == Method::FlatEspresso => "failed".to_owned(),
        published => paper(published),
    }
}

pub(super) fn paper_seconds(configuration: &Configuration, method: Method) -> String {
    match published::seconds(configuration, method) {
        None if method == Method::FlatEspresso => "failed".to_owned(),
        None => NONE.to_owned(),
        Some(Published(mean, deviation)) => seconds(mean, deviation),
    }
}

/// Mean and deviation of times, in the unit of the mean.
fn seconds(mean: f64, deviation: f64) -> String {
    match mean {
        s if s < 0.0995 => format!("{:.1} ± {:.1} ms", s * 1000.0, deviation * 1000.0),
        s if s < 99.5 => format!("{s:.2} ± {deviation:.2} s"),
        s => format!("{s:.0} ± {deviation:.0} s"),
    }
}

/// Our accuracy of a figure, with the mark and what its budget did.
pub(super) fn ours(view: View<'_>, configuration: &Configuration, figure: Figure) -> String {
    let (failed, all) = view.count(configuration.id, figure.0, |ended| matches!(ended, Ended::Failed(_)));
    let (cut, _) = view.count(configuration.id, figure.0, |ended| *ended == Ended::Budget);
    let Some(Summary { count, mean, deviation }) = view.accuracy(configuration.id, figure) else {
        return if failed > 0 { "no cover in time".to_owned() } else { NONE.to_owned() };
    };
    let mut text = format!("{mean:.3} ± {deviation:.3}");
    if view.far(configuration, figure).is_some() {
        text.push_str(" **≠**");
    }
    if all < view.seeds() {
        let _ = write!(text, " (n = {count})");
    }
    if cut > 0 {
        let _ = write!(text, " (budget hit: {cut} of {all})");
    }
    if failed > 0 {
        let _ = write!(text, " (no cover: {failed} of {all})");
    }
    text
}

pub(super) fn our_seconds(view: View<'_>, id: usize, method: Method) -> String {
    let Some(summary) = view.seconds(id, method) else { return NONE.to_owned() };
    seconds(summary.mean, summary.deviation)
}

/// Mean time alone.
pub(super) fn short_seconds(view: View<'_>, id: usize, method: Method) -> String {
    view.seconds(id, method).map_or(NONE.to_owned(), |summary| duration(summary.mean))
}

/// Mean accuracy alone.
pub(super) fn short(view: View<'_>, id: usize, figure: Figure) -> String {
    view.accuracy(id, figure).map_or(NONE.to_owned(), |summary| format!("{:.3}", summary.mean))
}

/// Mean terms and literals.
pub(super) fn size(view: View<'_>, id: usize, method: Method) -> String {
    view.size(id, method).map_or(NONE.to_owned(), |(terms, literals)| format!("{terms:.0} / {literals:.0}"))
}

/// `8 of 12, 1000 rows, K = 6`.
pub(super) fn sizes(configuration: &Configuration) -> String {
    let Configuration { id, support, inputs, rows, k, .. } = configuration;
    format!("{id}: {support} of {inputs}, {rows} rows, K = {k}")
}
