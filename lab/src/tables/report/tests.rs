use super::*;
use crate::tables::example::{run, shape};
use crate::tables::verdict;

fn results() -> Results {
    let mut runs: Vec<_> = (0..FOLDS).map(|fold| run("car", fold, 0.95, 0.9)).collect();
    runs.extend((0..FOLDS).map(|fold| run("monk1", fold, if fold == 2 { 0.9 } else { 1.0 }, 1.0)));
    runs.push(run("vote", 0, 0.9, 0.9));
    let mut car = shape("car", 1.0);
    car.largest_against_rest = true;
    let mut results =
        Results { tables: vec![car, shape("monk1", 1.0), shape("vote", 0.99)], runs, ..Results::default() };
    results.bars = verdict::bars(&results);
    results
}

#[test]
fn every_figure_is_on_the_page() {
    let page = markdown(&results());
    for line in [
        "No worse than the tree on 1 of 3 tables; largest shortfall 0.0200 (monk1); fewer literals on 2 of 3; 0 of 7 \
         tables without noise learned in full.",
        "| of 3 tables, those on which it has fewer literals | at least 3 | 2 | **no** |",
        "Not measured yet, and not counted: vote (1 of 5 folds).",
        "| car * | 100 | 6 | 0.9500 | 0.9000 | +0.0500 | 1.0000 | 12.0 | 10.0 | 30.0 | 2.5 | 2.0 / 4.0 | 0.50 s | \
         0.25 s | 2.0 |",
        "| mean, of ratios geometric | | | 0.9650 | 0.9500 | +0.0150 | 1.0000 | | | | 2.5 | | | | 2.0 |",
        "| monk1 | 1.000 | 1.000 | 1.000 | 0.900 | 1.000 | 1.000 | **no** | 1.000 |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\n{page}");
    }
    assert!(!page.contains("Cut short"), "{page}");
}

#[test]
fn a_fit_that_was_cut_short_is_named() {
    let mut results = results();
    results.runs[3].macchiato.interrupted = true;
    assert!(markdown(&results).contains("Cut short by the time limit: car (1 fold).\n"));
}

#[test]
fn there_is_a_page_before_the_first_run() {
    assert!(markdown(&Results::default()).starts_with("# Raw tables"));
}
