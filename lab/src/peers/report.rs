//! The results page: ratios first, then what was not measured, then every data set.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::binarize::{CUTS, MAX_VALUES};
use super::data::Family;
use super::method::Method;
use super::outcome::{Measured, Outcome};
use super::ratios::{Ratio, TIE};
use super::results::{Results, Run, Shape};
use crate::bar::mean;
use crate::figures::{count, times};
use crate::folds::FOLDS;

/// A method and its accuracy, for the line of progress.
pub(crate) fn short(method: Method, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Measured(figures) => format!("{} {:.3}", method.name(), figures.accuracy),
        Outcome::TimeLimit => format!("{} over the limit", method.name()),
        Outcome::Failed { why } => format!("{} FAILED ({why})", method.name()),
    }
}

/// What a run ends with: the ratios, and what was not measured.
pub(crate) fn closing_table(results: &Results) -> String {
    format!("{}{}", ratio_tables(results), gaps(results))
}

/// The page.
pub(crate) fn markdown(results: &Results) -> String {
    let mut text = format!(
        "# What a user would pick instead\n\n{}- The classifier itself on the raw tables: [estimators.md](estimators.md).\n",
        method_notes(results)
    );
    text.push_str("\n## Against Macchiato\n\n");
    text.push_str(
        "Times and sizes are the method's over Macchiato's: above 1 the method is slower or larger. Geometric means over \
         data sets, of draws that both finished.\n\n",
    );
    text.push_str(&ratio_tables(results));
    text.push_str(&gaps(results));
    for family in Family::ALL {
        text.push_str(&data_tables(results, family));
    }
    text.push_str(
        "Made from [peers.json](peers.json), which `cargo run --release -p lab -- peers` writes.\n",
    );
    text
}

/// What was done, and with what.
fn method_notes(results: &Results) -> String {
    let libraries: Vec<String> = results
        .methods
        .iter()
        .filter_map(|library| Some(format!("{} ({})", library.method.title(), library.version.as_ref()?)))
        .collect();
    let settings = results.settings;
    format!(
        "- Methods, with their defaults: {}.\n\
         - Every method learns the same bits in a process of its own, one after the other, on {} of {}, within {} s for \
         the fit. Reading rows and bringing them into the form that a method takes is not timed.\n\
         - The paper's configurations are drawn by seeds. Raw tables are binarized by the lab, the same bits for all: one-hot \
         up to {MAX_VALUES} values, {CUTS} quantile cuts for numbers, fitted on training rows; the target is the largest \
         class against the rest; {FOLDS} fixed folds. Contest functions are learned from the training file and judged by the validation file.\n\
         - Rules are leaves or terms, literals the conditions in them. A circuit's terms are under an XOR of its stages, a tree's \
         leaves include those that answer 0, and an ensemble adds its trees up.\n\
         - Algorithm 1 runs on the configurations only: it needs rows that differ in one input.\n\
         - Accuracies less than {} points apart are ties.\n",
        libraries.join(", "),
        count(settings.threads, "thread"),
        count(results.cpus, "CPU"),
        settings.budget,
        TIE * 100.0,
    )
}

fn title(family: Family) -> &'static str {
    match family {
        Family::Configurations => "The paper's configurations",
        Family::Tables => "PMLB's tables",
        Family::Contest => "The contest's functions",
    }
}

fn ratio_tables(results: &Results) -> String {
    let mut text = String::new();
    for family in Family::ALL {
        let ratios: Vec<&Ratio> = results.ratios.iter().filter(|ratio| ratio.family == family).collect();
        if ratios.is_empty() {
            continue;
        }
        let runs = || results.runs.iter().filter(move |run| run.family == family);
        let draws = runs().map(|run| run.draw + 1).max().unwrap_or(0);
        let sets = results.data.iter().filter(|shape| shape.family == family).count();
        let _ = writeln!(
            text,
            "| {}: {}, {} | accuracy | Macchiato's is higher by | it wins, ties, loses | fit time | prediction time | rules | \
             literals | finished |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|",
            title(family),
            count(sets, "data set"),
            count(draws, family.draw())
        );
        for ratio in ratios {
            ratio_line(&mut text, ratio);
        }
        text.push('\n');
    }
    text
}

fn ratio_line(text: &mut String, ratio: &Ratio) {
    let _ = write!(text, "| {} |", ratio.method.title());
    match &ratio.paired {
        Some(paired) if ratio.method == Method::Macchiato => {
            let _ = write!(text, " {:.2} % | | | 1 | 1 | 1 | 1 |", 100.0 * paired.accuracy);
        }
        Some(paired) => {
            let _ = write!(
                text,
                " {:.2} % | {:+.2} points | {}, {}, {} | {} | {} | {} | {} |",
                100.0 * paired.accuracy,
                100.0 * paired.difference,
                paired.wins,
                paired.ties,
                paired.losses,
                times(paired.fit),
                times(paired.predict),
                times(paired.rules),
                times(paired.literals)
            );
        }
        None => text.push_str(" | | | | | | |"),
    }
    let all = ratio.measured + ratio.time_limit + ratio.failed;
    let _ = write!(text, " {} of {all}", ratio.measured);
    for (count, what) in [
        (ratio.time_limit, "over the limit"),
        (ratio.failed, "failed"),
        (ratio.interrupted, "cut short at the limit"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text.push_str(" |\n");
}

/// What is not in the figures, and why.
fn gaps(results: &Results) -> String {
    let mut lines = Vec::new();
    for library in &results.methods {
        if let Some(why) = &library.missing {
            lines.push(format!("- {} was not installed: {why}", library.method.title()));
        }
    }
    for family in Family::ALL {
        if !results.runs.iter().any(|run| run.family == family) {
            let skipped = results.skipped.contains(&family);
            let why = if skipped { "the data were not there" } else { "it was not asked for" };
            lines.push(format!("- {}: not measured, {why}.", title(family)));
        }
    }
    let mut failures: BTreeMap<(Method, &str), usize> = BTreeMap::new();
    for run in &results.runs {
        if let Outcome::Failed { why } = &run.outcome {
            *failures.entry((run.method, why)).or_default() += 1;
        }
    }
    for ((method, why), times) in failures {
        lines.push(format!("- {} failed on {}: `{why}`", method.title(), count(times, "draw")));
    }
    if lines.is_empty() { String::new() } else { format!("Not measured:\n\n{}\n\n", lines.join("\n")) }
}

/// The figures of some draws in words.
type Figure = fn(&[&Measured]) -> String;

/// A family's data sets: accuracy, seconds, size.
fn data_tables(results: &Results, family: Family) -> String {
    let shapes: Vec<&Shape> = results.data.iter().filter(|shape| shape.family == family).collect();
    let runs: Vec<&Run> = results.runs.iter().filter(|run| run.family == family).collect();
    let methods: Vec<Method> =
        Method::ALL.into_iter().filter(|method| runs.iter().any(|run| run.method == *method)).collect();
    if shapes.is_empty() || methods.is_empty() {
        return String::new();
    }
    let mut text = format!("## {}\n", title(family));
    let figures: [(&str, Figure); 4] = [
        ("Accuracy, %", |all| format!("{:.1}", 100.0 * mean(all.iter().map(|f| f.accuracy)))),
        ("Seconds of a fit", |all| seconds(mean(all.iter().map(|f| f.fit_seconds)))),
        ("Milliseconds of a prediction", |all| seconds(1e3 * mean(all.iter().map(|f| f.predict_seconds)))),
        ("Rules / literals", |all| {
            let (rules, literals) =
                (all.iter().map(|f| f.rules as f64), all.iter().map(|f| f.literals as f64));
            format!("{:.0} / {:.0}", mean(rules), mean(literals))
        }),
    ];
    for (what, figure) in figures {
        let _ = write!(text, "\n| {what} | inputs | rows |");
        for method in &methods {
            let _ = write!(text, " {} |", method.title());
        }
        let _ = writeln!(text, "\n|---|---:|---:|{}", "---:|".repeat(methods.len()));
        for shape in &shapes {
            let _ = write!(text, "| {} | {} | {} |", shape.name, shape.inputs, shape.rows);
            for &method in &methods {
                let here: Vec<&&Run> =
                    runs.iter().filter(|run| run.method == method && run.data == shape.name).collect();
                let _ = write!(text, " {} |", cell(&here, figure));
            }
            text.push('\n');
        }
    }
    text.push_str("\nA star: some draws were not finished, and are left out.\n\n");
    text
}

/// The mean of the draws that were finished, or why there is none.
fn cell(runs: &[&&Run], figure: Figure) -> String {
    let finished: Vec<&Measured> = runs.iter().filter_map(|run| run.measured()).collect();
    let star = if finished.len() < runs.len() { "*" } else { "" };
    match runs.first().map(|run| &run.outcome) {
        _ if !finished.is_empty() => format!("{}{star}", figure(&finished)),
        Some(Outcome::TimeLimit) => "limit".to_owned(),
        Some(_) => "failed".to_owned(),
        None => String::new(),
    }
}

fn seconds(seconds: f64) -> String {
    if seconds >= 10.0 { format!("{seconds:.0}") } else { format!("{seconds:.3}") }
}

#[cfg(test)]
mod tests;
