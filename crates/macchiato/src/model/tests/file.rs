//! The file: golden bytes, lies that are told apart, and bytes that went wrong.

use super::*;

pub(super) fn text(model: &Model) -> String {
    let mut bytes = Vec::new();
    model.write(&mut bytes).expect("written");
    String::from_utf8(bytes).expect("text")
}

pub(super) fn read(text: &str) -> Result<Model, String> {
    Model::read(text.as_bytes(), "c.json").map_err(|error| error.to_string())
}

/// A model that no learner made.
const GOLDEN: &str = include_str!("../golden_table.json");

#[test]
fn the_file_is_the_same_bytes_for_ever() {
    let model = read(GOLDEN).expect("a model");
    assert_eq!(text(&model), GOLDEN);
    let documented = include_str!("../../../../../docs/model.md");
    assert!(documented.contains(GOLDEN), "docs/model.md shows this file");
    let rule = model.words().circuit(model.circuits()[0].circuit(), crate::words::Symbols::UNICODE).formula;
    assert!(documented.contains(&rule), "{rule}");
}

#[test]
fn the_file_is_all_that_prediction_needs() {
    let model = read(GOLDEN).expect("a model");
    let rows = super::read(
        "age,job,smoker,risk\n50,clerk,no,\n50,cook,no,\n30,cook,yes,\n,baker,no,\n50,pilot,yes,\n",
    );
    assert_eq!(model.predict(&rows), Ok(vec![0, 1, 0, 1, 1]));
    let high: Vec<f64> = model.predict_proba(&rows).expect("shares").into_iter().step_by(2).collect();
    assert_eq!(high, [3.2 / 4.4, 1.0 - 5.2 / 5.4, 2.2 / 2.4, 1.0 - 5.2 / 5.4, 1.0 - 1.2 / 1.4]);
    assert_eq!((model.class("low"), model.class("none")), (Some(1), None));
}

/// Each line: what to replace in the golden file, by what, and what is said then.
const LIES: &[(&str, &str, &str)] = &[
    ("macchiato-model", "macchiato", "format: \"macchiato\" is not \"macchiato-model\": this is no model"),
    ("\"version\": 1", "\"version\": 2", "version: 2 is unknown: this program reads 1"),
    (
        "[\"high\", \"low\"]",
        "[\"low\", \"high\"]",
        "classes[1]: \"high\" is out of order: numbers come first, by value, then texts",
    ),
    ("[\"high\", \"low\"]", "[\"low\", \"low\"]", "classes[1]: \"low\" occurs twice"),
    (
        "[\"high\", \"low\"]",
        "[\"high\", \"low\"], \"class_type\": \"int8\"",
        "class_type: some class is none of this type",
    ),
    (
        "[\"high\", \"low\"]",
        "[\"high\", \"low\"], \"class_type\": \"object\"",
        "class_type: the classes say this themselves: leave it out",
    ),
    (
        "[\"high\", \"low\"]",
        "[\"high\", \"low\"], \"class_type\": \"complex\"",
        "class_type: \"complex\" is no type of classes: give bool, int64, float64, object, U8 or the like",
    ),
    ("[\"high\", \"low\"]", "[]", "classes: there must be at least one"),
    (
        "[\"high\", \"low\"]",
        "[\"high\"]",
        "positive: there is a positive class only where there are two, not 1",
    ),
    ("\"positive\": \"high\"", "\"positive\": \"none\"", "positive: \"none\" is none of the classes"),
    ("  \"positive\": \"high\",\n", "", "positive: missing: one of two classes is the positive one"),
    ("\"name\": \"job\"", "\"name\": \"age\"", "columns[1].name: \"age\" occurs twice"),
    (", \"levels\": [\"clerk\", \"cook\"]", "", "columns[1].levels: missing: categories have levels"),
    (
        "\"category\"",
        "\"number\"",
        "columns[1].levels: only categories have levels, and this is a number column",
    ),
    (
        "[\"clerk\", \"cook\"]",
        "[\"cook\", \"clerk\"]",
        "columns[1].levels[1]: \"clerk\" is out of order: numbers come first, by value, then texts",
    ),
    (
        "{\"column\": \"smoker\"}",
        "{\"column\": \"smoke\"}",
        "tests[6].column: \"smoke\" is no column of this model",
    ),
    (
        "\"above\": 41.5",
        "\"above\": 41.5, \"missing\": true",
        "tests[1]: a test asks one thing at most: above, equals, is, or one of other and missing, which are true",
    ),
    (
        "\"other\": true",
        "\"other\": false",
        "tests[5]: a test asks one thing at most: above, equals, is, or one of other and missing, which are true",
    ),
    (
        "{\"column\": \"smoker\"}",
        "{\"column\": \"smoker\", \"above\": 1.5}",
        "tests[6]: a Boolean column has no such test",
    ),
    ("\"is\": \"cook\"", "\"is\": \"baker\"", "tests[4]: a category column has no such test"),
    (
        "\"above\": 41.5",
        "\"equals\": 30.0",
        "tests[1]: this test is out of order, or occurs twice: tests follow the columns, and in a column equals, above, is, other, missing",
    ),
    (
        "{\"input\": \"smoker\"}",
        "{\"input\": \"smokes\"}",
        "circuits[0].gates[2].literals[0]: \"smokes\" is no input of this model",
    ),
    (
        "\"errors\": 1,",
        "\"errors\": 2,",
        "circuits[0].trace.errors: 2 differs from 1, the errors that the stages leave",
    ),
    ("\"prior\": 0.2", "\"prior\": 0.3", "circuits[0].cells.prior: the priors are 0.02, 0.2 and 1"),
    (
        "[[6, 0], [1, 5]]",
        "[[6, 0], [1, 6]]",
        "circuits[0].cells.answers: 13 differs from 12, the rows of the circuit",
    ),
    (
        "[[6, 0], [1, 5]]",
        "[[6, 1], [0, 5]]",
        "circuits[0].cells.answers: 6 differs from 5, the rows of its class",
    ),
    ("[[6, 0], [1, 5]]", "[[5, 1], [2, 4]]", "circuits[0].cells.answers: 3 differs from 1, its errors"),
    (
        "[[6, 0], [1, 5]]",
        "[[18446744073709551615, 0], [1, 5]]",
        "circuits[0].cells.answers: the counts add up to more than there can be",
    ),
    (
        "[[0, 0], [5, 0]]",
        "[[0], [5, 0]]",
        "circuits[0].cells.patterns[0]: 1 entries where there must be one for each of the 2 stages",
    ),
    (
        "[[1, 1], [1, 0]]",
        "[[1, 2], [1, 0]]",
        "circuits[0].cells.patterns[3]: 2 is more than 1, the terms of the stage",
    ),
    (
        "[[0, 1], [0, 2]]",
        "[[0, 0], [0, 2]]",
        "circuits[0].cells.patterns[1]: this pattern is out of order, or occurs twice",
    ),
    (
        "[[0, 0], [5, 0]]",
        "[[0, 0], [4, 0]]",
        "circuits[0].cells.patterns: the patterns do not add up to the answers",
    ),
];

#[test]
fn every_lie_is_told_apart() {
    for (from, to, line) in LIES {
        assert!(GOLDEN.contains(from), "{from}");
        assert_eq!(read(&GOLDEN.replacen(from, to, 1)), Err(format!("c.json: {line}")), "{from} -> {to}");
    }
}

#[test]
fn broken_json_is_named_by_its_place() {
    for (from, to, said) in [
        (
            "\"version\": 1",
            "\"version\": -1",
            "c.json:3:15: version: invalid value: integer `-1`, expected u64",
        ),
        (
            "\"gaps\": true",
            "\"gap\": true",
            "c.json:8:43: columns[0].gap: unknown field `gap`, expected one of `name`, `type`, `gaps`, `levels`",
        ),
        ("\"m\": 20", "\"m\": \"x\"", "c.json:21:48: method.m: invalid type: string \"x\", expected usize"),
        ("\"stop\": \"no_evidence\"", "\"stop\": \"no\"", "..."),
    ] {
        let error = read(&GOLDEN.replacen(from, to, 1)).expect_err("broken");
        match said.strip_suffix("...") {
            None => assert_eq!(error, said),
            Some(_) => {
                assert!(
                    error.starts_with("c.json:51:") && error.contains("circuits[0].trace.stop"),
                    "{error}"
                );
            }
        }
    }
}

proptest! {
    /// Whatever happens to the bytes, reading gives a model that writes itself or one line.
    #[test]
    fn mutated_bytes_never_panic(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, prop::collection::vec(any::<u8>(), 0..4)), 1..4),
    ) {
        let mut bytes = GOLDEN.as_bytes().to_vec();
        for (at, length, put) in cuts {
            let from = at.index(bytes.len().max(1)).min(bytes.len());
            let to = (from + length).min(bytes.len());
            bytes.splice(from..to, put);
        }
        match Model::read(bytes.as_slice(), "c.json") {
            Ok(model) => prop_assert!(read(&text(&model)).is_ok()),
            Err(error) => prop_assert!(error.to_string().starts_with("c.json:")),
        }
    }

    /// A digit or a letter in place of another: the likelier mistakes. What is read predicts.
    #[test]
    fn mistyped_characters_never_panic(
        at in any::<prop::sample::Index>(),
        put in "[0-9\\-\\[\\]{},:\"a-z]",
    ) {
        let mut text = GOLDEN.to_owned();
        let at = at.index(text.len());
        text.replace_range(at..=at, &put);
        if let Ok(model) = read(&text) {
            prop_assert!(read(&self::text(&model)).is_ok());
            let rows = super::read(PEOPLE);
            let _ = model.predict(&rows);
            let _ = model.predict_proba(&rows);
        }
    }
}

#[test]
fn what_held_out_rows_said_is_kept_and_checked() {
    use crate::model::Holdout;

    let holdout = Holdout { rows: 9, wrong: 9, confidence: "0.999".parse().expect("a confidence") };
    let model = read(GOLDEN).expect("a model").with_holdout(holdout);
    let written = text(&model);
    assert!(
        written.ends_with("  \"holdout\": {\"rows\": 9, \"wrong\": 9, \"confidence\": \"0.999\"}\n}\n"),
        "{written}"
    );
    assert_eq!(read(&written), Ok(model));
    let lie = written.replacen("\"wrong\": 9", "\"wrong\": 10", 1);
    let said = "c.json: holdout.wrong: 10 is more than 9, the rows that were held out";
    assert_eq!(read(&lie), Err(said.to_owned()));
}
