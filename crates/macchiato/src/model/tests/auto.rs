//! Models of the method `auto`.

use super::paper::{read, text};
use super::{Model, Rows};
use crate::circuit::{Circuit, Gate, Literal as Wire, Output, Rule};
use crate::fit::{Candidate, DataTrace, DecidedBy, Decision, Fit, Found, Shape, StageTrace, Stop, Trace};
use crate::learn::{AutoParams, fit_auto};
use crate::model::{Alternative, ClassCircuit, Method};
use crate::project::CellCounts;
use crate::stage::Stage;
use crate::staged::Staged;
use macchiato_minimize::{Budget, Cover, Literal, Shape as CoverShape};
use proptest::prelude::*;

pub(super) const GOLDEN: &str = include_str!("../golden_auto.json");

fn stage(inputs: Vec<usize>, terms: &[&str]) -> Stage {
    let mut cover = Cover::new(CoverShape::new(inputs.len(), 1));
    for term in terms {
        let literal = |character| match character {
            '1' => Literal::Positive,
            '0' => Literal::Negative,
            _ => Literal::Free,
        };
        cover.push(&term.chars().map(literal).collect::<Vec<_>>(), &[true]);
    }
    Stage { inputs, cover }
}

fn seen(stage: &Stage, shape: Shape, cells: (u64, u64), errors: (usize, usize)) -> StageTrace {
    StageTrace {
        inputs: stage.inputs.clone(),
        found: Found::Evidence { shape, against: 0 },
        rows: 16,
        cells: CellCounts { on: cells.0, off: cells.1, tied: 0 },
        terms: stage.cover.terms(),
        literals: stage.cover.literals(),
        lower_bound: stage.cover.terms(),
        errors_before: errors.0,
        errors_after: errors.1,
        error_weight_after: errors.1 as u64 * 1_000_000,
        changed: true,
        seconds: None,
    }
}

/// Whether two or three of a, b, c are 1, XOR d, on all 16 rows: written by hand, so that no learner decides on these bytes.
pub(super) fn sample() -> Model {
    let (a, b, c, d) = (0xaaaa_u64, 0xcccc, 0xf0f0, 0xff00);
    let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let columns = [a, b, c, d].map(|column| vec![column]).to_vec();
    let labels = vec![(a & b | a & c | b & c) ^ d];
    let rows = Rows::named((names, "y".to_owned()), columns, labels, (16, None)).expect("rows");
    let stages = vec![stage(vec![0, 1, 2], &["11-", "1-1", "-11"]), stage(vec![3], &["1"])];
    let candidate =
        |name: &str, conditions, nats, right| Candidate { name: name.to_owned(), conditions, nats, right };
    let tree = || candidate("tree", 1, None, Some(3));
    let trace = Trace {
        data: DataTrace { rows: 16, distinct: 16, contradictory: 0, tied: 0, positive: 8, weighted: false },
        stages: vec![
            seen(&stages[0], Shape::Count, (4, 4), (8, 8)),
            seen(&stages[1], Shape::Table, (1, 1), (8, 0)),
        ],
        stop: Stop::ResidualZero,
        errors: 0,
        decision: Some(Decision {
            by: DecidedBy::HeldOut,
            asked: 4,
            candidates: vec![candidate("tables", 7, Some(9.125), Some(4)), tree()],
            cut_short: None,
        }),
        seconds_for_pairs: 0.0,
    };
    let staged = Staged { inputs: rows.names().to_vec(), target: rows.target().to_owned(), stages };
    let params = AutoParams { k: Some(3), ..AutoParams::default() };
    let circuit = staged.plain().simplified();
    let mut model = Model::of_fit(Fit { circuit, stages: staged.stages, trace }, Method::Auto(params), &rows);
    // The last input alone, which a reader may take instead.
    let (or, output) = (Gate::new(Rule::Or, vec![Wire::input(3)]), Output::new("y", Wire::gate(0)));
    let alone = Circuit::new(rows.names().to_vec(), vec![or], vec![output]).expect("a circuit");
    let own = &mut model.circuits[0];
    let fit = Fit::from_circuit(alone.clone(), own.trace.of_another(&rows, &alone));
    own.alternatives.push(Alternative { circuit: ClassCircuit::new(fit, false, &rows), found: tree() });
    model
}

#[test]
fn a_size_takes_the_best_circuit_that_it_has_room_for() {
    let model = sample();
    for size in [0, 1, 6, 100] {
        let small = model.at(size);
        assert_eq!(small.circuits()[0].support(), [3], "{size}");
        assert_eq!(small.circuits()[0].trace().errors, 8);
        assert_eq!(small.circuits()[0].alternatives(), model.circuits()[0].alternatives());
        let decision = small.circuits()[0].trace().decision.clone().expect("a decision");
        assert_eq!(
            decision.candidates.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["tree", "tables"]
        );
        assert_eq!(read(&text(&small)), Ok(small.clone()));
        assert_eq!(small.at(size), small);
    }
}

#[test]
fn the_file_is_the_same_bytes_for_ever() {
    assert_eq!(text(&sample()), GOLDEN);
    assert_eq!(read(GOLDEN), Ok(sample()));
    let documented = include_str!("../../../../../docs/model.md");
    assert!(documented.contains(GOLDEN), "docs/model.md shows this file");
}

/// Each line: what to replace in the golden file, by what, and what is said then.
const LIES: &[(&str, &str, &str)] = &[
    (
        "\"k\": 3",
        "\"k\": 5",
        "method.k: K is 5: a stage needs at least 1 and at most the 4 inputs that the rows have",
    ),
    (
        "\"k\": 3",
        "\"k\": 0",
        "method.k: K is 0: a stage needs at least 1 and at most the 4 inputs that the rows have",
    ),
    ("\"k\": 3", "\"k\": 2", "circuits[0].trace.stages[0].inputs: 3 is more than 2, the method's k"),
    ("\"k\": 3, ", "", "@method: missing field `k`"),
    ("\"m\": 20", "\"m\": 0", "method.m: m is 0: at least one stage is needed"),
    ("\"m\": 20", "\"m\": 1", "circuits[0].trace.stages: 2 is more than 1, the method's m"),
    ("\"effort\": 5", "\"effort\": 0", "method.effort: effort is 0: it goes from 1 (quick) to 9 (thorough)"),
    (
        "\"effort\": 5",
        "\"effort\": 10",
        "method.effort: effort is 10: it goes from 1 (quick) to 9 (thorough)",
    ),
    ("\"effort\": 5", "\"effort\": 256", "@method.effort: invalid value: integer `256`, expected u8"),
    (
        "\"seed\": 0",
        "\"seed\": 0, \"tau\": \"0\"",
        "@method.tau: unknown field `tau`, expected one of `name`, `k`, `m`, `effort`, `seed`, `pick`, `gates`",
    ),
    (
        "\"residual_zero\"",
        "\"stuck\"",
        "circuits[0].trace.stop: models of the method auto have no such thing",
    ),
    (
        "\"residual_zero\"",
        "\"no_active_input\"",
        "circuits[0].trace.stop: models of the method auto have no such thing",
    ),
    (
        "\"errors\": 0",
        "\"errors\": 1",
        "circuits[0].trace.errors: 1 differs from 0, the errors that the stages leave",
    ),
    (
        "\"rows\": 16,\n            \"errors_before\"",
        "\"rows\": 15,\n            \"errors_before\"",
        "circuits[0].trace.stages[0].rows: 15 differs from 16, the number of rows",
    ),
    (
        "\"errors_before\": 8",
        "\"errors_before\": 7",
        "circuits[0].trace.stages[0].errors_before: 7 differs from 8, the errors left until then",
    ),
    (
        "\"shape\": \"count\",\n",
        "",
        "circuits[0].trace.stages[0].shape: missing: models of the method auto have it",
    ),
    ("\"shape\": \"count\"", "\"shape\": null", "@circuits[0].trace.stages[0].shape: expected value"),
    (
        "\"shape\": \"count\"",
        "\"shape\": \"round\"",
        "@circuits[0].trace.stages[0].shape: unknown variant `round`, expected one of `table`, `count`, `wide`, `constant`",
    ),
    (
        "\"shape\": \"count\"",
        "\"shape\": \"constant\"",
        "circuits[0].trace.stages[0].shape: this stage has literals, so it is not constant",
    ),
    (
        "\"shape\": \"count\",\n            \"against\": 0",
        "\"shape\": \"count\"",
        "circuits[0].trace.stages[0].against: missing: models of the method auto have it",
    ),
    (
        "\"against\": 0",
        "\"against\": 9",
        "circuits[0].trace.stages[0].against: 9 is more than 8, the cells with a majority",
    ),
    (
        "\"against\": 0",
        "\"against\": 0, \"influences\": [[0, 0], [0, 0], [0, 0], [0, 0]]",
        "circuits[0].trace.stages[0].influences: models of the method auto have no such thing",
    ),
    (
        "\"held_out\"",
        "\"luck\"",
        "@circuits[0].trace.decision.by: unknown variant `luck`, expected one of `evidence`, `held_out`, `validation`",
    ),
    (
        "\"held_out\"",
        "\"evidence\"",
        "circuits[0].trace.decision.asked: 4 differs from 0, since evidence decided",
    ),
    (
        "\"asked\": 4",
        "\"asked\": 4, \"cut_short\": \"search\"",
        "circuits[0].trace.decision.cut_short: only an interrupted fit is cut short",
    ),
    ("\"asked\": 4", "\"asked\": 0", "circuits[0].trace.decision.asked: there must be at least one"),
    (
        "\"asked\": 4",
        "\"asked\": 17",
        "circuits[0].trace.decision.asked: 17 is more than 16, the number of rows",
    ),
    (
        "\"right\": 4",
        "\"right\": 5",
        "circuits[0].trace.decision.candidates[0].right: 5 is more than 4, the rows that were asked",
    ),
    (
        "\"nats\": 9.125",
        "\"nats\": -0.5",
        "circuits[0].trace.decision.candidates[0].nats: nats are neither negative nor more than a trillion",
    ),
    (
        "\"nats\": 9.125",
        "\"nats\": 1e13",
        "circuits[0].trace.decision.candidates[0].nats: nats are neither negative nor more than a trillion",
    ),
    (
        "\"nats\": 9.125",
        "\"nats\": 1e999",
        "@circuits[0].trace.decision.candidates[0].nats: number out of range",
    ),
    (
        "{\"name\": \"tree\", \"conditions\": 1, \"right\": 3}",
        "[\"tree\", null, 3]",
        "@circuits[0].trace.decision.candidates[1]: invalid type: sequence, expected an object",
    ),
    (
        "[\n            {\"name\": \"tables\", \"conditions\": 7, \"nats\": 9.125, \"right\": 4},\n            {\"name\": \"tree\", \"conditions\": 1, \"right\": 3}\n          ]",
        "[]",
        "circuits[0].trace.decision.candidates: there must be at least one",
    ),
    (
        "\"right\": 3},\n          \"gates\"",
        "\"right\": 5},\n          \"gates\"",
        "circuits[0].alternatives[0].found.right: 5 is more than 4, the rows that were asked",
    ),
    (
        "\"input\": \"d\"}], \"rows\": 8}],",
        "\"input\": \"e\"}], \"rows\": 8}],",
        "circuits[0].alternatives[0].gates[0].literals[0]: \"e\" is no input of this model",
    ),
    (
        "\"errors\": 8,\n          \"cells\"",
        "\"errors\": 7,\n          \"cells\"",
        "circuits[0].alternatives[0].cells.answers: 8 differs from 7, its errors",
    ),
    (
        "\"errors\": 8,\n          \"cells\"",
        "\"errors\": 17,\n          \"cells\"",
        "circuits[0].alternatives[0].errors: 17 is more than 16, the number of rows",
    ),
    (
        "\"decision\": {",
        "\"decision\": null, \"decision\": {",
        "@circuits[0].trace.decision: invalid type: null, expected an object",
    ),
];

#[test]
fn every_lie_is_told_apart() {
    for (from, to, line) in LIES {
        assert!(GOLDEN.contains(from), "{from}");
        let said = read(&GOLDEN.replacen(from, to, 1)).expect_err(line);
        match line.strip_prefix('@') {
            None => assert_eq!(said, format!("m.json: {line}"), "{from} -> {to}"),
            // With a line and a column.
            Some(line) => {
                let place = said.strip_suffix(line).and_then(|said| said.strip_prefix("m.json:"));
                let numbers: Option<Vec<usize>> =
                    place.map(|place| place.split(':').flat_map(|number| number.trim().parse()).collect());
                assert_eq!(numbers.map(|numbers| numbers.len()), Some(2), "{said}");
            }
        }
    }
}

#[test]
fn without_a_cap_a_stage_may_read_every_input() {
    let mut model = sample();
    model.method = Method::Auto(AutoParams { seed: u64::MAX, ..AutoParams::default() });
    let written = text(&model);
    assert!(written.contains("\"k\": null, \"m\": 20, \"effort\": 5, \"seed\": 18446744073709551615"));
    assert_eq!(read(&written), Ok(model));
}

fn arbitrary_decision() -> impl Strategy<Value = Decision> {
    let by = prop::sample::select(vec![DecidedBy::Evidence, DecidedBy::HeldOut, DecidedBy::Validation]);
    let nats = prop::option::of(0u64..10_000_000_000_000);
    let candidate = (".{0,9}", nats, prop::option::of(any::<prop::sample::Index>()));
    (by, prop::collection::vec(candidate, 1..4)).prop_map(|(by, candidates)| {
        let asked = usize::from(by != DecidedBy::Evidence);
        let candidate = |(name, nats, right): (_, Option<u64>, Option<prop::sample::Index>)| Candidate {
            name,
            conditions: 2,
            nats: nats.map(|thousandths| thousandths as f64 / 1e3),
            right: right.map(|right| right.index(asked + 1)),
        };
        Decision { by, asked, candidates: candidates.into_iter().map(candidate).collect(), cut_short: None }
    })
}

fn arbitrary_fit() -> impl Strategy<Value = Model> {
    (1usize..6, 1usize..80).prop_flat_map(|(inputs, rows)| {
        let columns = prop::collection::vec(prop::collection::vec(any::<u64>(), 2), inputs + 1);
        let weights = prop::option::of(prop::collection::vec(1u64..5_000_000, rows));
        let params = (prop::option::of(1..=inputs), 1usize..6, 1u8..=9, any::<u64>());
        (columns, weights, params, prop::option::of(arbitrary_decision())).prop_map(
            move |(columns, weights, (k, m, effort, seed), decision)| {
                // Names that JSON must escape.
                let names = (0..inputs).map(|i| format!("\"{i}\\ é\n")).collect();
                let (mut columns, target) = (columns, "\"y\\ é\n".to_owned());
                let labels = columns.remove(inputs);
                let rows = Rows::named((names, target), columns, labels, (rows, weights)).expect("rows");
                let params = AutoParams { k, m, effort, seed, ..AutoParams::default() };
                let checked = params.clone().check(&rows).expect("parameters");
                let mut fit = fit_auto(&rows, None, &checked, &Budget::unlimited()).expect("a fit");
                fit.trace.decision = decision.or(fit.trace.decision);
                Model::of_fit(fit, Method::Auto(params), &rows)
            },
        )
    })
}

proptest! {
    // Each case is a fit.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn writing_what_was_read_gives_the_same_bytes(model in arbitrary_fit()) {
        let first = text(&model);
        let second = read(&first).expect("what was written can be read");
        prop_assert_eq!(&second.circuits[0].circuit, &model.circuits[0].circuit);
        prop_assert_eq!(text(&second), first);
        let plain = model.without_timings();
        prop_assert_eq!(read(&text(&plain)), Ok(plain));
    }
}
