//! The results page: the verdict, every table side by side, the tables without noise fold by fold.

use std::fmt::Write;

use super::results::Results;
use super::verdict::{Line, NOISE_FREE, largest_shortfall, lines};
use crate::bar::{self, Rule, mean, number};
use crate::duration::duration;
use crate::figures::{count, times};
use crate::folds::FOLDS;

/// What a run ends with: the bar, and what was not measured.
pub(crate) fn closing_table(results: &Results) -> String {
    let lines = lines(results);
    format!(
        "{}\n{}{}",
        verdict(results, &lines),
        bar::closing_table(results.bars.iter()),
        gaps(results, &lines)
    )
}

/// The page.
pub(crate) fn markdown(results: &Results) -> String {
    let lines = lines(results);
    let mut text = format!("# Raw tables, defaults only\n\n{}\n", opening(results));
    text.push_str(&verdict(results, &lines));
    text.push_str(&bars(results));
    text.push_str(&gaps(results, &lines));
    text.push_str(&side_by_side(&lines));
    text.push_str(&without_noise(&lines));
    text.push_str(
        "Made from [tables.json](tables.json), which holds the values of every fold, by \
         `cargo run --release -p lab -- tables`.\n",
    );
    text
}

/// What was done, and with what.
fn opening(results: &Results) -> String {
    let settings = &results.settings;
    let limit =
        settings.time_limit.map_or("without a time limit".to_owned(), |limit| format!("within {limit} s"));
    format!(
        "A table goes in as its file is: numbers, categories, gaps. Macchiato's classifier beside scikit-learn's \
         `DecisionTreeClassifier(random_state=0)`; [what else a user would pick](peers.md) has more methods, on bits.\n\n\
         - {FOLDS} fixed stratified folds, each method fitted on four fifths of the rows and judged by the rest; means over \
         folds. A target of two values as it is, otherwise the largest class against the rest (marked *).\n\
         - Macchiato ({}) types and binarizes the columns itself, all options at their defaults, {limit}. The tree ({}) has \
         the same columns as numbers. Each fit is a process of its own, one after the other, on {} of {}. Reading is not timed; a fit of less than a second is repeated, and its time is the median.\n\
         - Literals of Macchiato are the tests in the terms of its circuit, under an XOR of its stages; in words the tests that \
         a term makes of one column are one condition, such as `41.5 < age <= 60`. Literals of the tree are the conditions on \
         the ways to the leaves of the positive class, the tree as an OR of terms; `peers.md` counts the other leaves too.\n\
         - *limit* is the accuracy of the best function of the columns, below 1 where equal rows have different classes.\n",
        settings.macchiato,
        settings.tree,
        count(settings.threads, "thread"),
        count(results.cpus, "CPU"),
    )
}

/// The bar in a sentence.
fn verdict(results: &Results, lines: &[Line<'_>]) -> String {
    let [no_worse, _, fewer, learned] = &results.bars[..] else {
        return "Nothing is measured yet.\n".to_owned();
    };
    let shortfall = largest_shortfall(lines)
        .map_or("never below it".to_owned(), |(name, by)| format!("largest shortfall {by:.4} ({name})"));
    let all = results.tables.len();
    format!(
        "No worse than the tree on {} of {all} tables; {shortfall}; fewer literals on {} of {all}; {} of {} tables without \
         noise learned in full.\n",
        number(no_worse.measured),
        number(fewer.measured),
        number(learned.measured),
        NOISE_FREE.len()
    )
}

fn bars(results: &Results) -> String {
    if results.bars.is_empty() {
        return "\n".to_owned();
    }
    let mut text = "\n| the bar | asked | measured | met |\n|---|---:|---:|---|\n".to_owned();
    for bar in &results.bars {
        let rule = if bar.rule == Rule::AtMost { "at most" } else { "at least" };
        let (asked, measured) = (number(bar.bar), number(bar.measured));
        let met = if bar.met { "yes" } else { "**no**" };
        let _ = writeln!(text, "| {} | {rule} {asked} | {measured} | {met} |", bar.what);
    }
    text + "\n"
}

/// What is not in the figures, and which of them a time limit cut short.
fn gaps(results: &Results, lines: &[Line<'_>]) -> String {
    let is_measured = |name: &str| lines.iter().any(|line| line.shape.name == name);
    let folds = |name: &str| results.runs.iter().filter(|run| run.table == name).count();
    let mut text = String::new();
    let gap = |name: &str| format!("{name} ({} of {FOLDS} folds)", folds(name));
    let missing: Vec<String> = results
        .tables
        .iter()
        .map(|shape| shape.name.as_str())
        .filter(|name| !is_measured(name))
        .map(gap)
        .collect();
    if !missing.is_empty() {
        let _ = writeln!(text, "Not measured yet, and not counted: {}.\n", missing.join(", "));
    }
    let cut = lines.iter().filter(|line| line.interrupted() > 0);
    let cut: Vec<String> =
        cut.map(|line| format!("{} ({})", line.shape.name, count(line.interrupted(), "fold"))).collect();
    if !cut.is_empty() {
        let _ = writeln!(text, "Cut short by the time limit: {}.\n", cut.join(", "));
    }
    text
}

/// Every table.
fn side_by_side(lines: &[Line<'_>]) -> String {
    let mut text = "## Side by side\n\n\
         | table | rows | columns | accuracy | of the tree | difference | limit | literals | in words | of the tree | \
         tree's over ours | stages / terms | fit | of the tree | ours over the tree's |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for line in lines {
        let star = if line.shape.largest_against_rest { " *" } else { "" };
        let _ = writeln!(
            text,
            "| {}{star} | {} | {} | {:.4} | {:.4} | {:+.4} | {:.4} | {} | {} | {} | {} | {} / {} | {} | {} | {} |",
            line.shape.name,
            line.shape.rows,
            line.shape.columns,
            line.accuracy.ours,
            line.accuracy.tree,
            line.difference(),
            line.shape.limit,
            tenths(line.literals.ours),
            tenths(line.conditions),
            tenths(line.literals.tree),
            times(fewer(line)),
            tenths(line.stages),
            tenths(line.terms.ours),
            duration(line.seconds.ours),
            duration(line.seconds.tree),
            times(slower(line)),
        );
    }
    if !lines.is_empty() {
        let over = |figure: fn(&Line<'_>) -> f64| mean(lines.iter().map(figure));
        let _ = writeln!(
            text,
            "| mean, of ratios geometric | | | {:.4} | {:.4} | {:+.4} | {:.4} | | | | {} | | | | {} |",
            over(|line| line.accuracy.ours),
            over(|line| line.accuracy.tree),
            mean(lines.iter().map(Line::difference)),
            over(|line| line.shape.limit),
            times(over(|line| fewer(line).ln()).exp()),
            times(over(|line| slower(line).ln()).exp()),
        );
    }
    text + "\n"
}

/// The tree's literals over ours; a constant counts as one.
fn fewer(line: &Line<'_>) -> f64 {
    line.literals.tree.max(1.0) / line.literals.ours.max(1.0)
}

/// Our seconds over the tree's.
fn slower(line: &Line<'_>) -> f64 {
    line.seconds.ours.max(1e-6) / line.seconds.tree.max(1e-6)
}

/// A mean of counts.
fn tenths(x: f64) -> String {
    if x >= 99.95 { format!("{x:.0}") } else { format!("{x:.1}") }
}

/// The tables that can be learned in full.
fn without_noise(lines: &[Line<'_>]) -> String {
    let folds: Vec<String> = (1..=FOLDS).map(|fold| format!("fold {fold}")).collect();
    let mut text = format!(
        "## Without noise\n\n\
         What a known rule has made, fitted on the four fifths of the rows that are not in the fold.\n\n\
         | table | limit | {} | all at the limit | of the tree |\n|---|---:|{}---|---:|\n",
        folds.join(" | "),
        "---:|".repeat(FOLDS)
    );
    let chosen = NOISE_FREE.iter().filter_map(|name| lines.iter().find(|line| line.shape.name == *name));
    for line in chosen {
        let _ = write!(text, "| {} | {:.3} |", line.shape.name, line.shape.limit);
        for run in &line.runs {
            let _ = write!(text, " {:.3} |", run.macchiato.accuracy);
        }
        let all = if line.is_at_limit(line.accuracy.ours) { "yes" } else { "**no**" };
        let _ = writeln!(text, " {all} | {:.3} |", line.accuracy.tree);
    }
    text + "\n"
}

#[cfg(test)]
mod tests;
