//! The tables of small, made-up results.

use super::super::bar::Bar;
use super::*;

fn results() -> Results {
    let kind = |inputs, dont_care_percent, terms| tables::Kind {
        inputs,
        dont_care_percent,
        instances: 20,
        espresso_mean_terms: terms + 1.0,
        mean_terms: terms,
        mean_lower_bound: terms - 0.25,
        better_percent: 2.0,
        proven_optimal: 3,
        seconds: 0.125,
    };
    let bars = vec![Bar::at_most("mean terms", 15.0, 14.0), Bar::at_least("speed", 3.0, 2.5)];
    let kinds = vec![kind(6, 0, 14.0), kind(6, 30, 10.0), kind(10, 0, 150.0)];
    Results { tables: Some(tables::Section { bars, kinds, large_samples: Vec::new() }), ..Results::default() }
}

#[test]
fn one_row_for_each_number_of_inputs() {
    let text = markdown(&results());
    assert!(
        text.contains("| 6 inputs, 20 tables | 15.00 / 11.00 |  | 14.00 / 10.00 | 13.75 / 9.75 |  |\n"),
        "{text}"
    );
    assert!(text.contains("| 10 inputs, 20 tables | 151.0 |  | 150.0 | 149.8 |  |\n"), "{text}");
}

#[test]
fn results_survive_their_file() {
    let text = serde_json::to_string(&results()).unwrap();
    let back: Results = serde_json::from_str(&text).unwrap();
    assert_eq!(markdown(&back), markdown(&results()));
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
}
