use super::*;
use crate::peers::ratios::ratios;
use crate::peers::results::{Library, Settings};

fn run(data: &str, draw: usize, method: Method, outcome: Outcome) -> Run {
    Run { family: Family::Contest, data: data.to_owned(), draw, method, outcome }
}

fn measured(accuracy: f64, fit_seconds: f64) -> Outcome {
    Outcome::Measured(Measured {
        accuracy,
        fit_seconds,
        predict_seconds: 0.001,
        rules: 4,
        literals: 9,
        interrupted: false,
    })
}

fn results() -> Results {
    let runs = vec![
        run("ex00", 0, Method::Macchiato, measured(0.9, 2.0)),
        run("ex00", 0, Method::Tree, measured(0.8, 0.5)),
        run("ex00", 0, Method::Ripper, Outcome::TimeLimit),
        run("ex00", 0, Method::Figs, Outcome::Failed { why: "MemoryError".to_owned() }),
    ];
    Results {
        cpus: 2,
        settings: Settings { budget: 60.0, threads: 1 },
        methods: vec![Library {
            method: Method::Xgboost,
            version: None,
            missing: Some("no wheel".to_owned()),
        }],
        skipped: vec![Family::Tables],
        data: vec![Shape {
            family: Family::Contest,
            name: "ex00".to_owned(),
            inputs: 32,
            rows: 6400,
            test_rows: 6400,
        }],
        ratios: ratios(&runs),
        runs,
        ..Results::default()
    }
}

#[test]
fn ratios_come_first_and_nothing_is_silently_dropped() {
    let page = markdown(&results());
    for line in [
        "| Macchiato | 90.00 % | | | 1 | 1 | 1 | 1 | 1 of 1 |",
        "| decision tree | 80.00 % | +10.00 points | 1, 0, 0 | 0.25 | 1.0 | 1.0 | 1.0 | 1 of 1 |",
        "| RIPPER | | | | | | | | 0 of 1, 1 over the limit |",
        "| FIGS | | | | | | | | 0 of 1, 1 failed |",
        "- xgboost was not installed: no wheel",
        "- FIGS failed on 1 draw: `MemoryError`",
        "- PMLB's tables: not measured, the data were not there.",
        "- The paper's configurations: not measured, it was not asked for.",
        "| ex00 | 32 | 6400 | 90.0 | 80.0 | limit | failed |",
        "| ex00 | 32 | 6400 | 4 / 9 | 4 / 9 | limit | failed |",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\n\n{page}");
    }
    assert!(page.find("## Against Macchiato") < page.find("## The contest's functions"));
}

#[test]
fn a_mean_over_some_draws_has_a_star() {
    let mut results = results();
    results.runs.push(run("ex00", 1, Method::Tree, Outcome::TimeLimit));
    assert!(markdown(&results).contains("| 90.0 | 80.0* | limit |"));
}

#[test]
fn ratios_have_two_digits_that_count() {
    assert_eq!([123.4, 2.345, 0.1234, 0.01234].map(times), ["123", "2.3", "0.12", "0.012"]);
}
