//! Models of rows of 0 and 1: those of the paper's method, their golden bytes, and lies that are told apart.

use super::*;
use crate::fit::{PaperParams, Selection, fit_paper};

/// `a XOR b XOR (c AND d)` on all 16 rows but the last two, with K = 3: two inputs too few for one stage.
pub(super) fn sample() -> Model {
    let columns = vec![vec![0xaaaa], vec![0xcccc], vec![0xf0f0], vec![0xff00]];
    let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let labels = vec![0x6666 ^ 0xf000];
    let rows = Rows::named((names, "y".to_owned()), columns, labels, (14, None)).expect("rows");
    let params =
        PaperParams { k: 3, m: 5, tau: "0.05".parse().expect("a decimal"), ..PaperParams::default() };
    fit(&rows, params)
}

fn fit(rows: &Rows, params: PaperParams) -> Model {
    let checked = params.clone().check(rows).expect("parameters");
    let fit = fit_paper(rows, &checked, &Budget::unlimited()).expect("a fit");
    Model::of_fit(fit, Method::Paper(params), rows)
}

pub(super) fn text(model: &Model) -> String {
    let mut bytes = Vec::new();
    model.write(&mut bytes).expect("written");
    String::from_utf8(bytes).expect("text")
}

pub(super) fn read(text: &str) -> Result<Model, String> {
    Model::read(text.as_bytes(), "m.json").map_err(|error| error.to_string())
}

const GOLDEN: &str = include_str!("../golden.json");

#[test]
fn the_file_is_the_same_bytes_for_ever() {
    assert_eq!(text(&sample().without_timings()), GOLDEN);
    assert_eq!(read(GOLDEN), Ok(sample().without_timings()));
    let documented = include_str!("../../../../../docs/model.md");
    assert!(documented.contains(GOLDEN), "docs/model.md shows this file");
}

#[test]
fn times_are_kept_where_they_are_wanted() {
    let mut model = sample();
    model.circuits[0].trace.seconds_for_pairs = 0.000_123_4;
    let first = text(&model);
    assert!(
        first.contains("\"seconds_for_pairs\": 0.000123,\n") && first.contains("\"minimize\": "),
        "{first}"
    );
    let second = read(&first).expect("a model");
    assert_eq!(text(&second), first);
    assert_eq!(text(&second.without_timings()), GOLDEN);
}

/// Each line: what to replace in the golden file, by what, and what is said then.
const LIES: &[(&str, &str, &str)] = &[
    (
        "macchiato-model",
        "macchiato",
        "m.json: format: \"macchiato\" is not \"macchiato-model\": this is no model",
    ),
    ("\"version\": 1", "\"version\": 2", "m.json: version: 2 is unknown: this program reads 1"),
    ("\"version\": 1", "\"version\": -1", "m.json:3:15: version: invalid value: integer `-1`, expected u64"),
    ("\"paper\"", "\"magic\"", "m.json: method.name: \"magic\" is unknown: the methods are paper, auto"),
    (
        "\"paper\"",
        "\"auto\"",
        "m.json:18:9: method.tau: unknown field `tau`, expected one of `name`, `k`, `m`, `effort`, `seed`",
    ),
    (
        "\"residual_zero\"",
        "\"no_evidence\"",
        "m.json: circuits[0].trace.stop: models of the method paper have no such thing",
    ),
    (
        "\"errors\": 0",
        "\"errors\": 0, \"decision\": {\"by\": \"evidence\", \"asked\": 0, \"candidates\": []}",
        "m.json: circuits[0].trace.decision: models of the method paper have no such thing",
    ),
    (
        "\"lower_bound\": 2",
        "\"lower_bound\": 2, \"shape\": \"table\"",
        "m.json: circuits[0].trace.stages[0].shape: models of the method paper have no such thing",
    ),
    (
        "\"lower_bound\": 2",
        "\"lower_bound\": 2, \"against\": 0",
        "m.json: circuits[0].trace.stages[0].against: models of the method paper have no such thing",
    ),
    (
        "\"lower_bound\": 2,\n            \"influences\": [[7, 7], [6, 6], [2, 6], [2, 6]]",
        "\"lower_bound\": 2",
        "m.json: circuits[0].trace.stages[0].influences: missing: models of the method paper have it",
    ),
    (
        "\"k\": 3",
        "\"k\": 5",
        "m.json: method.k: K is 5: a stage needs at least 1 and at most the 4 inputs that the rows have",
    ),
    (
        "\"k\": 3",
        "\"k\": 0",
        "m.json: method.k: K is 0: a stage needs at least 1 and at most the 4 inputs that the rows have",
    ),
    ("\"k\": 3", "\"k\": 2", "m.json: circuits[0].trace.stages[0].inputs: 3 is more than 2, the method's k"),
    ("\"k\": 3", "\"k\": \"3\"", "m.json:16:12: method.k: invalid type: string \"3\", expected usize"),
    ("\"m\": 5", "\"m\": 0", "m.json: method.m: m is 0: at least one stage is needed"),
    ("\"m\": 5", "\"m\": 1", "m.json: circuits[0].trace.stages: 2 is more than 1, the method's m"),
    (
        "\"0.05\"",
        "\"1.05\"",
        "m.json: method.tau: tau is \"1.05\": give a decimal from 0 to below 1, such as 0 or 0.05, with at most 18 digits",
    ),
    (
        "\"select\": \"influence\"",
        "\"select\": \"luck\"",
        "m.json:19:20: method.select: unknown variant `luck`, expected `influence` or `random`",
    ),
    ("\"m\": 5", "\"m\": 5, \"m\": 5", "m.json:17:15: method: duplicate field `m`"),
    (
        "\"m\": 5",
        "\"m\": 5, \"n\": 5",
        "m.json:17:15: method.n: unknown field `n`, expected one of `name`, `k`, `m`, `tau`, `select`, `split`, `seed`, `stop_when_stuck`",
    ),
    ("{\"name\": \"b\"", "{\"name\": \"a\"", "m.json: columns[1].name: \"a\" occurs twice"),
    (
        "{\"column\": \"b\"}",
        "{\"column\": \"e\"}",
        "m.json: tests[1].column: \"e\" is no column of this model",
    ),
    (
        "[\"a\", \"b\", \"c\"]",
        "[\"a\", \"b\", \"e\"]",
        "m.json: circuits[0].trace.stages[0].inputs[2]: \"e\" is no input of this model",
    ),
    (
        "[\"a\", \"b\", \"c\"]",
        "[\"a\", \"c\", \"b\"]",
        "m.json: circuits[0].trace.stages[0].inputs[2]: \"b\" is out of order: a stage lists its inputs in the order of the model's inputs",
    ),
    (
        "[\"a\", \"b\", \"c\"]",
        "[\"a\", \"b\", \"b\"]",
        "m.json: circuits[0].trace.stages[0].inputs[2]: \"b\" occurs twice",
    ),
    ("[\"a\", \"b\", \"c\"]", "[]", "m.json: circuits[0].trace.stages[0].inputs: there must be at least one"),
    (
        "{\"on\": 3, \"off\": 3, \"tied\": 2}",
        "[3, 3, 2]",
        "m.json:69:21: circuits[0].trace.stages[0].cells: invalid type: sequence, expected an object",
    ),
    // Gates.
    (
        "{\"input\": \"c\"}, {\"input\": \"d\"}",
        "{\"input\": \"c\"}, {\"input\": \"e\"}",
        "m.json: circuits[0].gates[3].literals[1]: \"e\" is no input of this model",
    ),
    (
        "{\"input\": \"c\"}, {\"input\": \"d\"}",
        "{\"input\": \"c\"}, {\"input\": \"b\"}",
        "m.json: circuits[0].gates[3]: this is not what the stages of the trace have here: terms of their inputs, their OR, and in the end the XOR of all",
    ),
    (
        "{\"gate\": 0}, {\"gate\": 1}",
        "{\"gate\": 0}",
        "m.json: circuits[0].gates[2]: this is not what the stages of the trace have here: terms of their inputs, their OR, and in the end the XOR of all",
    ),
    (
        "{\"gate\": 0}, {\"gate\": 1}",
        "{\"gate\": 0}, {\"gate\": 2}",
        "m.json: circuits[0].gates[2]: gate 2 reads gate 2, which is not there before it",
    ),
    (
        "{\"gate\": 0}, {\"gate\": 1}",
        "{\"gate\": 0}, {\"gate\": 1, \"input\": \"a\"}",
        "m.json: circuits[0].gates[2].literals[1]: a literal has either an input or a gate",
    ),
    (
        "{\"gate\": 0}, {\"gate\": 1}",
        "{\"gate\": 0}, {\"gate\": 1, \"points\": 1001}",
        "m.json: circuits[0].gates[2]: gate 2 has a literal of 1001 points: give 1 to 1000, and 1 in an XOR",
    ),
    (
        "\"rule\": \"or\"",
        "\"rule\": \"sum\"",
        "m.json: circuits[0].gates[2].rule: a model answers 0 or 1: a sum is no gate of one",
    ),
    (
        "\"rule\": \"or\"",
        "\"rule\": \"at least\"",
        "m.json: circuits[0].gates[2].least: missing: this rule has it",
    ),
    (
        "\"rule\": \"or\"",
        "\"rule\": \"or\", \"least\": 1",
        "m.json: circuits[0].gates[2].least: this rule has no such key",
    ),
    (
        "{\"stage\": 1}",
        "{\"term\": 1}",
        "m.json: circuits[0].gates[2].role: a role is a stage, a term of a stage, an output or a name",
    ),
    (
        "{\"stage\": 1, \"term\": 1}",
        "{\"stage\": 0, \"term\": 1}",
        "m.json: circuits[0].gates[0]: this is not what the stages of the trace have here: terms of their inputs, their OR, and in the end the XOR of all",
    ),
    (
        "\"output\": {\"gate\": 5}",
        "\"output\": {\"gate\": 6}",
        "m.json: circuits[0].output: output 0 reads gate 6, which is not there before it",
    ),
    (
        "\"output\": {\"gate\": 5}",
        "\"output\": {\"gate\": 5, \"points\": 2}",
        "m.json: circuits[0].output.points: an output has no points",
    ),
    (
        "\"output\": {\"gate\": 5}",
        "\"output\": {\"gate\": 4}",
        "m.json: circuits[0].gates[6]: this is not what the stages of the trace have here: terms of their inputs, their OR, and in the end the XOR of all",
    ),
    (
        "\"role\": {\"stage\": 1}, \"rows\": 7",
        "\"role\": {\"stage\": 1}",
        "m.json: circuits[0].gates[2].rows: missing: a gate of a model says on how many training rows it holds",
    ),
];

#[test]
fn every_lie_is_told_apart() {
    for (from, to, line) in LIES {
        assert!(GOLDEN.contains(from), "{from}");
        assert_eq!(read(&GOLDEN.replacen(from, to, 1)), Err((*line).to_owned()), "{from} -> {to}");
    }
}

/// The same for numbers of the trace, by key; only the first of that key changes.
#[test]
fn every_wrong_count_is_told_apart() {
    for (key, value, said) in [
        ("rows", "15", "m.json: circuits[0].gates[0].rows: 15 is more than 14, the number of rows"),
        ("distinct", "15", "m.json: circuits[0].trace.data.distinct: 15 is more than 14, the number of rows"),
        (
            "contradictory",
            "15",
            "m.json: circuits[0].trace.data.contradictory: 15 is more than 14, the distinct rows",
        ),
        ("tied", "1", "m.json: circuits[0].trace.data.tied: 1 is more than 0, the contradictory rows"),
        ("positive", "15", "m.json: circuits[0].trace.data.positive: 15 is more than 14, the number of rows"),
        ("errors", "15", "m.json: circuits[0].trace.errors: 15 is more than 14, the number of rows"),
        (
            "errors",
            "1",
            "m.json: circuits[0].trace.errors: 1 differs from 0, the errors that the stages leave",
        ),
        (
            "errors_before",
            "1",
            "m.json: circuits[0].trace.stages[0].errors_before: 1 differs from 7, the errors left until then",
        ),
        (
            "errors_after",
            "15",
            "m.json: circuits[0].trace.stages[0].errors_after: 15 is more than 14, the rows of the stage",
        ),
        (
            "lower_bound",
            "9",
            "m.json: circuits[0].trace.stages[0].lower_bound: 9 is more than 2, the terms of the stage",
        ),
        ("on", "15", "m.json: circuits[0].trace.stages[0].cells: 20 is more than 14, the rows of the stage"),
        (
            "on",
            "18446744073709551615",
            "m.json: circuits[0].trace.stages[0].cells: 18446744073709551615 is more than 14, the rows of the stage",
        ),
        (
            "influences",
            "[[1, 1]]",
            "m.json: circuits[0].trace.stages[0].influences: 1 entries where there must be one for each of the 4 inputs",
        ),
        (
            "influences",
            "[[2, 1], [0, 0], [0, 0], [0, 0]]",
            "m.json: circuits[0].trace.stages[0].influences[0]: 2 is more than 1, the pairs seen",
        ),
        (
            "changed",
            "true, \"seconds\": {\"select\": -1, \"project\": 0, \"minimize\": 0, \"update\": 0}",
            "m.json: circuits[0].trace.stages[0].seconds: seconds are neither negative nor more than a billion",
        ),
        (
            "errors",
            "0, \"seconds_for_pairs\": 1e300",
            "m.json: circuits[0].trace.seconds_for_pairs: seconds are neither negative nor more than a billion",
        ),
    ] {
        // The first one after the head of the file.
        let circuits = GOLDEN.find("\"circuits\"").expect("circuits");
        let start = circuits + GOLDEN[circuits..].find(&format!("\"{key}\": ")).expect(key) + key.len() + 4;
        let rest = &GOLDEN[start..];
        let end = match rest.as_bytes()[0] {
            b'[' if rest.starts_with("[[") => rest.find("]]").expect("an end") + 2,
            b'[' => rest.find(']').expect("an end") + 1,
            _ => rest.find([',', '}', '\n']).expect("an end"),
        };
        let lie = format!("{}{value}{}", &GOLDEN[..start], &rest[end..]);
        assert_eq!(read(&lie), Err(said.to_owned()), "{key} {value}");
    }
}

#[test]
fn other_files_get_one_line() {
    for (text, line) in [
        ("", "m.json:1:1: EOF while parsing a value"),
        ("a,b,y\n0,1,1\n", "m.json:1:1: expected value"),
        ("{\"format\": \"macchiato-model\"}", "m.json:1:29: missing field `version`"),
        ("[1, 2]", "m.json:1:1: invalid type: sequence, expected an object"),
        (&GOLDEN[..GOLDEN.len() / 2], ""),
        (&format!("{GOLDEN}x"), ""),
        (&"[".repeat(100_000), ""),
    ] {
        let said = read(text).expect_err("no model");
        assert!(!said.contains('\n') && said.starts_with("m.json:"), "{said}");
        if !line.is_empty() {
            assert_eq!(said, line);
        }
    }
}

fn arbitrary_fit() -> impl Strategy<Value = Model> {
    let shape = (1usize..6, 1usize..80);
    shape.prop_flat_map(|(inputs, rows)| {
        let columns = prop::collection::vec(prop::collection::vec(any::<u64>(), 2), inputs);
        let weights = prop::option::of(prop::collection::vec(1u64..5_000_000, rows));
        let params = (1..=inputs, 1usize..6, any::<[bool; 3]>(), any::<u64>(), 0u32..100);
        (columns, any::<[u64; 2]>(), weights, params).prop_map(move |(columns, labels, weights, params)| {
            let (k, m, [random, split, stop_when_stuck], seed, tau) = params;
            // Names that JSON must escape.
            let mut names: Vec<String> = (0..=inputs).map(|i| format!("\"{i}\\ é\n")).collect();
            let target = names.remove(inputs);
            let rows = Rows::named((names, target), columns, labels.to_vec(), (rows, weights)).expect("rows");
            let selection = if random { Selection::Random } else { Selection::Influence };
            let tau = format!("0.{tau:02}").parse().expect("a decimal");
            let split = split && rows.len() >= m;
            fit(&rows, PaperParams { k, m, tau, selection, split, seed, stop_when_stuck })
        })
    })
}

proptest! {
    #[test]
    fn writing_what_was_read_gives_the_same_bytes(model in arbitrary_fit()) {
        let first = text(&model);
        let second = read(&first).expect("what was written can be read");
        prop_assert_eq!(&second.circuits[0].circuit, &model.circuits[0].circuit);
        prop_assert_eq!(text(&second), first);
        let plain = model.without_timings();
        prop_assert_eq!(read(&text(&plain)), Ok(plain));
    }

    /// Whatever happens to the bytes, reading gives a model that writes itself or one line.
    #[test]
    fn mutated_bytes_never_panic(
        golden in prop::sample::select(vec![GOLDEN, auto::GOLDEN]),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, prop::collection::vec(any::<u8>(), 0..4)), 1..4),
    ) {
        let mut bytes = golden.as_bytes().to_vec();
        for (at, length, put) in cuts {
            let from = at.index(bytes.len().max(1)).min(bytes.len());
            let to = (from + length).min(bytes.len());
            bytes.splice(from..to, put);
        }
        match Model::read(bytes.as_slice(), "m.json") {
            Ok(model) => prop_assert!(read(&text(&model)).is_ok()),
            Err(error) => prop_assert!(error.to_string().starts_with("m.json:")),
        }
    }

    /// A digit or a letter in place of another: the likelier mistakes.
    #[test]
    fn mistyped_characters_never_panic(
        golden in prop::sample::select(vec![GOLDEN, auto::GOLDEN]),
        at in any::<prop::sample::Index>(),
        put in "[0-9\\-\\[\\]{},:\"a-z]",
    ) {
        let mut text = golden.to_owned();
        let at = at.index(text.len());
        text.replace_range(at..=at, &put);
        if let Ok(model) = read(&text) {
            prop_assert!(read(&self::text(&model)).is_ok());
        }
    }
}

#[test]
fn what_held_out_rows_said_is_kept_and_checked() {
    let confidence = "0.9".parse().expect("a confidence");
    let model = sample().without_timings().with_holdout(Holdout { rows: 20, wrong: 3, confidence });
    let written = text(&model);
    let line = "  \"holdout\": {\"rows\": 20, \"wrong\": 3, \"confidence\": \"0.9\"}\n}\n";
    assert!(written.ends_with(line), "{written}");
    assert_eq!(read(&written), Ok(model));
    for (from, to, message) in [
        ("\"rows\": 20,", "\"rows\": 0,", "m.json: holdout.rows: there must be at least one"),
        (
            "\"wrong\": 3",
            "\"wrong\": 21",
            "m.json: holdout.wrong: 21 is more than 20, the rows that were held out",
        ),
        (
            "\"0.9\"}",
            "\"1.0\"}",
            "m.json: holdout.confidence: confidence is \"1.0\": give a decimal between 0 and 1, such as 0.95, with at most 9 digits",
        ),
    ] {
        assert_eq!(read(&written.replacen(from, to, 1)), Err(message.to_owned()));
    }
    for (from, to) in [("\"0.9\"}", "0.9}"), ("\"wrong\": 3, ", ""), ("\"0.9\"}", "\"0.9\", \"bound\": 1}")] {
        assert!(read(&written.replacen(from, to, 1)).is_err(), "{to}");
    }
    let none = written.replacen("{\"rows\": 20, \"wrong\": 3, \"confidence\": \"0.9\"}", "null", 1);
    assert!(read(&none).is_err(), "absent, not null");
}
