//! How good it is: accuracy, who is taken for whom, and how the errors fall stage by stage.

use std::fmt::Write as _;

use super::escape::{Text, count, percent, thousands};
use super::measure::Measured;
use super::view::View;
use crate::model::ClassCircuit;

/// A confusion table of more classes is summed up.
const CLASSES: usize = 16;
/// Curves that are drawn.
const CURVES: usize = 12;
/// The plot's size, and its margins left, top, right, bottom.
const SIZE: (f64, f64) = (460.0, 220.0);
const MARGIN: (f64, f64, f64, f64) = (52.0, 14.0, 14.0, 34.0);

/// The section of the page.
pub(super) fn section(out: &mut String, view: &View<'_>) {
    if view.circuits.is_empty() {
        return;
    }
    out.push_str("<section id=\"accuracy\" aria-labelledby=\"accuracy-h\"><h2 id=\"accuracy-h\">Accuracy</h2><div class=\"tables\">");
    for (name, rows) in [("Training rows", &view.train), ("Test rows", &view.test)] {
        if let Some(rows) = rows {
            confusion(out, view, name, rows);
        }
    }
    for (c, class) in view.model.circuits().iter().enumerate().take(CURVES) {
        curve(out, view, c, class);
    }
    out.push_str("</div>");
    if view.train.is_none() && view.test.is_none() {
        out.push_str(
            "<p class=\"quiet\">As the model recorded its training. With labelled rows (<code>--rows</code>, <code>--test</code>) \
             this section also counts which answers were given for which class.</p>",
        );
    }
    if view.circuits.len() > CURVES {
        let _ = write!(
            out,
            "<p class=\"quiet\">The first {CURVES} of {} circuits are drawn.</p>",
            view.circuits.len()
        );
    }
    out.push_str("</section>");
}

fn confusion(out: &mut String, view: &View<'_>, name: &str, rows: &Measured<'_>) {
    let classes = view.model.classes();
    let _ = write!(
        out,
        "<div class=\"block\"><h3>{name}</h3><p class=\"big\">{}</p><p class=\"quiet\">right of {} in {}; always {}: {}; balanced {}; {} wrong</p>",
        percent(rows.accuracy()),
        count(rows.rows, "row"),
        Text(rows.sample.source),
        Text(classes.get(rows.majority().0).map_or("", String::as_str)),
        percent(rows.majority().1),
        percent(rows.balanced_accuracy()),
        thousands(rows.wrong())
    );
    if classes.len() > CLASSES {
        let _ = write!(
            out,
            "<p class=\"quiet\">{} are too many for a table here.</p></div>",
            count(classes.len(), "classe")
        );
        return;
    }
    let weighted = if rows.sample.weights.is_some() { ", by weight" } else { "" };
    let _ = write!(
        out,
        "<p class=\"quiet\">Rows{weighted}: down the true {1}, across the answer</p><div class=\"scroll\" tabindex=\"0\" \
         role=\"region\" aria-label=\"Confusion on {0}\"><table class=\"confusion\"><thead><tr><td></td>",
        name.to_lowercase(),
        Text(view.model.target())
    );
    for class in classes {
        let _ = write!(out, "<th scope=\"col\">{}</th>", Text(class));
    }
    out.push_str("</tr></thead><tbody>");
    for (label, (class, counts)) in classes.iter().zip(&rows.confusion).enumerate() {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", Text(class));
        for (answer, &value) in counts.iter().enumerate() {
            let class = match (label == answer, value > 0.0) {
                (true, _) => "right",
                (false, true) => "wrong",
                (false, false) => "none",
            };
            // Rows are whole numbers; weights need not be.
            let shown = if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") };
            let _ = write!(out, "<td class=\"{class}\">{shown}</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></div>");
}

/// One line of a plot.
struct Line {
    name: &'static str,
    class: &'static str,
    points: Vec<f64>,
}

fn curve(out: &mut String, view: &View<'_>, c: usize, class: &ClassCircuit) {
    let trace = class.trace();
    let recorded = || {
        let share = |errors: usize| 1.0 - errors as f64 / trace.data.rows.max(1) as f64;
        let first = trace.errors_before(0);
        std::iter::once(first).chain(trace.stages.iter().map(|stage| stage.errors_after)).map(share).collect()
    };
    let train = view.train.as_ref().map_or_else(recorded, |train| train.curves[c].clone());
    let mut lines = vec![Line { name: "training rows", class: "train", points: train }];
    if let Some(test) = &view.test {
        lines.push(Line { name: "test rows", class: "test", points: test.curves[c].clone() });
    }
    let title = if view.circuits.len() > 1 {
        format!("{}, after each stage", class.target())
    } else {
        "After each stage".to_owned()
    };
    let stages = lines[0].points.len().max(2) - 1;
    let lowest = lines.iter().flat_map(|line| &line.points).copied().fold(1.0, f64::min);
    // From a round tenth below the lowest up to 1.
    let floor = ((lowest * 10.0).floor() / 10.0).clamp(0.0, 0.9);
    let (width, height) = SIZE;
    let (left, top, right, bottom) = MARGIN;
    let x = |stage: usize| left + (width - left - right) * stage as f64 / stages as f64;
    let y = |share: f64| top + (height - top - bottom) * (1.0 - share) / (1.0 - floor);
    let _ = write!(
        out,
        "<figure class=\"curve\"><figcaption><b>{}</b> {}</figcaption><svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Accuracy after each stage, from {} to {}\">",
        Text(&title),
        lines
            .iter()
            .map(|line| format!("<span class=\"key {}\">{}</span>", line.class, line.name))
            .collect::<Vec<_>>()
            .join(" "),
        percent(lines[0].points.first().copied().unwrap_or(0.0)),
        percent(lines[0].points.last().copied().unwrap_or(0.0)),
    );
    for step in 0..=4 {
        let share = floor + (1.0 - floor) * f64::from(step) / 4.0;
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{left} {0:.1}H{1}\"/><text class=\"end\" x=\"{2}\" y=\"{0:.1}\">{3:.0} %</text>",
            y(share),
            width - right,
            left - 8.0,
            100.0 * share
        );
    }
    let every = stages.div_ceil(10);
    for stage in (0..=stages).step_by(every) {
        let _ = write!(
            out,
            "<text class=\"middle\" x=\"{:.1}\" y=\"{}\">{stage}</text>",
            x(stage),
            height - bottom + 18.0
        );
    }
    for line in &lines {
        let points: Vec<String> = line
            .points
            .iter()
            .enumerate()
            .map(|(t, &share)| format!("{:.1} {:.1}", x(t), y(share)))
            .collect();
        let _ = write!(out, "<path class=\"line {}\" d=\"M{}\"/>", line.class, points.join("L"));
        for (t, &share) in line.points.iter().enumerate() {
            let _ = write!(
                out,
                "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{}, after stage {t}: {}</title></circle>",
                line.class,
                x(t),
                y(share),
                line.name,
                percent(share)
            );
        }
    }
    out.push_str("</svg><details><summary>The same as a table</summary><table><thead><tr><th scope=\"col\">after stage</th>");
    for line in &lines {
        let _ = write!(out, "<th scope=\"col\">{}</th>", line.name);
    }
    out.push_str("</tr></thead><tbody>");
    for t in 0..lines[0].points.len() {
        let _ = write!(out, "<tr><th scope=\"row\">{t}</th>");
        for line in &lines {
            let _ =
                write!(out, "<td>{}</td>", line.points.get(t).map_or(String::new(), |&share| percent(share)));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></details></figure>");
}
