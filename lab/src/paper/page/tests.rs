use super::super::method::Method;
use super::super::outcome::{Ended, Outcome};
use super::super::results::Results;
use super::super::view::View;
use super::super::{CONFIGURATIONS, STAGES};
use super::*;

fn results(outcomes: Vec<Outcome>) -> Results {
    Results { cpus: 2, outcomes: outcomes.into_iter().map(|outcome| (outcome.piece(), outcome)).collect() }
}

fn of(id: usize, method: Method, accuracies: [f64; 2]) -> [Outcome; 2] {
    [0, 1].map(|seed| Outcome::new((id, method, seed), 0.5, vec![accuracies[seed as usize]; STAGES]))
}

#[test]
fn means_that_are_far_are_marked_and_only_those() {
    // The paper has 0.842 and 0.848.
    let mut outcomes = of(1, Method::Paper, [0.88, 0.884]).to_vec();
    outcomes.extend(of(2, Method::Paper, [0.88, 0.90]));
    let results = results(outcomes);
    let view = View(&results);
    assert!(view.far(&CONFIGURATIONS[0], (Method::Paper, STAGES)).is_none(), "0.040 is not more than 0.04");
    let far = view.far(&CONFIGURATIONS[1], (Method::Paper, STAGES)).unwrap();
    assert!((far - 0.042).abs() < 1e-9);
    let cell = |at: usize| cells::ours(view, &CONFIGURATIONS[at], (Method::Paper, STAGES));
    assert_eq!((cell(0), cell(1)), ("0.882 ± 0.003".to_owned(), "0.890 ± 0.014 **≠**".to_owned()));
}

#[test]
fn a_difference_without_a_sentence_says_so() {
    let results = results(of(2, Method::Paper, [0.88, 0.90]).into());
    let text = differences::section(View(&results));
    let line =
        "- Configuration 2, Algorithm 1, stage 20: 0.890 where the paper has 0.848 (+0.042): not explained.";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_difference_with_a_sentence_has_it() {
    let results = results(of(10, Method::Paper, [0.82, 0.83]).into());
    let text = differences::section(View(&results));
    assert!(text.contains("stage 20: 0.825 where the paper has 0.918 (-0.093): On a full table"), "{text}");
}

#[test]
fn budgets_and_failures_are_told() {
    let mut outcomes = of(9, Method::FlatEspresso, [0.53, 0.53]).to_vec();
    outcomes[1].ended = Ended::Budget;
    outcomes.push(Outcome::failed((10, Method::FlatEspresso, 0), 30.0, "no cover"));
    outcomes.push(Outcome::failed((10, Method::FlatEspresso, 1), 30.0, "no cover"));
    let results = results(outcomes);
    let cell = |at: usize| cells::ours(View(&results), &CONFIGURATIONS[at], (Method::FlatEspresso, STAGES));
    assert_eq!(cell(8), "0.530 ± 0.000 **≠** (budget hit: 1 of 2)");
    assert_eq!(cell(9), "no cover in time");
}

#[test]
fn the_page_shows_every_figure_that_it_comes_with() {
    let results = results(CONFIGURATIONS.iter().flat_map(|c| of(c.id, Method::Paper, [0.7, 0.8])).collect());
    let files = files(&results);
    assert_eq!(files.len(), 2 + CONFIGURATIONS.len());
    for (name, text) in &files[1..] {
        assert!(files[0].1.contains(&format!("({name})")), "{name}");
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n") && !text.contains("NaN"), "{name}");
    }
}
