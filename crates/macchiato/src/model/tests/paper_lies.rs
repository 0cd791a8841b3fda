//! Lies in the golden file of the paper's method: each is told apart, with its place and its reason.

use super::paper::{GOLDEN, read};

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
        "m.json:18:9: method.tau: unknown field `tau`, expected one of `name`, `k`, `m`, `effort`, `seed`, `pick`, `gates`",
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
