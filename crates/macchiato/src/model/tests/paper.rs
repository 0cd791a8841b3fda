//! Models of rows of 0 and 1: those of the paper's method, and their golden bytes; `paper_lies` changes them.

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

pub(super) const GOLDEN: &str = include_str!("../golden.json");

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
