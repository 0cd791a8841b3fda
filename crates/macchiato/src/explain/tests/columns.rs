//! Tables: bits of one column go together, and explanations speak of rows that there can be.

use super::*;
use crate::binarize::{Binarizer, Bit, Column, Test};
use crate::explain::subject::{Decision, Part};
use crate::frame::Kind;
use crate::model::Keys;
use crate::words::Words;

/// A number with gaps, a category with gaps and rare levels, a Boolean column, and a whole number.
fn binarizer() -> Binarizer {
    let column = |name: &str, kind, gaps, levels: &[&str]| Column {
        name: name.to_owned(),
        kind,
        gaps,
        levels: levels.iter().map(|&level| level.to_owned()).collect(),
    };
    let columns = vec![
        column("age", Kind::Number, true, &[]),
        column("job", Kind::Category, true, &["clerk", "cook", "pilot"]),
        column("smoker", Kind::Boolean, false, &[]),
        column("doors", Kind::Number, false, &[]),
    ];
    let tests = [
        (0, Test::Above(20.0)),
        (0, Test::Above(41.5)),
        (0, Test::Above(60.0)),
        (0, Test::Missing),
        (1, Test::Is("clerk".into())),
        (1, Test::Is("cook".into())),
        (1, Test::Other),
        (1, Test::Missing),
        (2, Test::True),
        (3, Test::Above(3.5)),
        (3, Test::Equals(3.0)),
        (3, Test::Equals(5.0)),
    ];
    Binarizer::new(columns, tests.into_iter().map(|(column, test)| Bit { column, test }).collect())
}

const BITS: usize = 12;

/// A row of the table; none is a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    age: Option<f64>,
    job: Option<&'static str>,
    smoker: bool,
    doors: f64,
}

/// Rows that show all that there can be in such a table.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for age in [None, Some(10.0), Some(20.0), Some(30.0), Some(41.5), Some(50.0), Some(60.0), Some(61.0)] {
        for job in [None, Some("clerk"), Some("cook"), Some("pilot"), Some("baker")] {
            for smoker in [false, true] {
                rows.extend([2.0, 3.0, 4.0, 5.0, 6.0].map(|doors| Row { age, job, smoker, doors }));
            }
        }
    }
    rows
}

fn bits(row: &Row) -> Vec<bool> {
    let age = |cut: f64| row.age.is_some_and(|age| age > cut);
    vec![
        age(20.0),
        age(41.5),
        age(60.0),
        row.age.is_none(),
        row.job == Some("clerk"),
        row.job == Some("cook"),
        row.job == Some("baker"),
        row.job.is_none(),
        row.smoker,
        row.doors > 3.5,
        (row.doors - 3.0).abs() < 0.1,
        (row.doors - 5.0).abs() < 0.1,
    ]
}

/// The columns in which two rows differ.
fn different(a: &Row, b: &Row) -> u32 {
    u32::from(a.age != b.age)
        | u32::from(a.job != b.job) << 1
        | u32::from(a.smoker != b.smoker) << 2
        | u32::from((a.doors - b.doors).abs() > 0.1) << 3
}

/// What a person would take a condition to say.
fn holds(condition: &str, row: &Row) -> bool {
    if let Some(other) = condition.strip_suffix(" and not missing") {
        return holds(other, row) && row.job.is_some();
    }
    if let Some((first, second)) = condition.split_once(" or ") {
        let missing = if first.starts_with("age") || first.ends_with("age") || first.contains(" age ") {
            row.age.is_none()
        } else {
            row.job.is_none()
        };
        return holds(first, row) || if second == "missing" { missing } else { holds(second, row) };
    }
    if let Some((_, levels)) = condition.split_once(" in {") {
        let levels: Vec<&str> = levels.trim_end_matches('}').split(", ").collect();
        let within = row.job.is_some_and(|job| levels.contains(&job));
        return within != condition.starts_with("job not");
    }
    let parse = |text: &str| text.parse::<f64>().expect("a number");
    let compare = |a: f64, sign: &str, b: f64| match sign {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        "=" => (a - b).abs() < 0.1,
        "!=" => (a - b).abs() > 0.1,
        _ => panic!("{condition}"),
    };
    let number = |name: &str| if name == "age" { row.age } else { Some(row.doors) };
    match condition.split(' ').collect::<Vec<_>>().as_slice() {
        [name, "is", "missing"] => {
            if *name == "age" {
                row.age.is_none()
            } else {
                row.job.is_none()
            }
        }
        ["job", "is", "not", "missing"] => row.job.is_some(),
        ["age", "is", "a", "number"] => row.age.is_some(),
        ["job", "is", "other"] => row.job == Some("baker"),
        ["job", "=", level] => row.job == Some(level),
        ["job", "!=", level] => row.job != Some(level),
        ["smoker", "=", truth] => row.smoker == (*truth == "1"),
        [low, first, name, second, high] => number(name)
            .is_some_and(|value| compare(parse(low), first, value) && compare(value, second, parse(high))),
        [name, sign, bound] => number(name).is_some_and(|value| compare(value, sign, parse(bound))),
        words => panic!("{words:?}"),
    }
}

fn subject<'a>(circuit: &'a Staged, binarizer: &'a Binarizer) -> Subject<'a> {
    Subject {
        target: &circuit.target,
        words: Words::Bits(binarizer),
        parts: vec![Part {
            circuit: circuit.gates().shortened(),
            target: &circuit.target,
            stages: &circuit.stages,
            keys: Keys::Nothing,
            trace: None,
        }],
        decision: Decision::Bit,
    }
}

/// Sums of few literals, so that no answer is rare.
fn any_bits() -> impl Strategy<Value = Staged> {
    let term = proptest::collection::vec((0..BITS, any::<bool>()), 1..4);
    let stages = proptest::collection::vec(proptest::collection::vec(term, 1..4), 1..4);
    stages.prop_map(|stages| {
        let stage = |terms: &Vec<Vec<(usize, bool)>>| {
            let mut cover = Cover::new(Shape::new(BITS, 1));
            for term in terms {
                let mut literals = vec![Literal::Free; BITS];
                for &(bit, positive) in term {
                    literals[bit] = if positive { Literal::Positive } else { Literal::Negative };
                }
                cover.push(&literals, &[true]);
            }
            Stage { inputs: (0..BITS).collect(), cover }
        };
        let inputs = (0..BITS).map(|i| format!("bit {i}")).collect();
        Staged { inputs, target: "risk".to_owned(), stages: stages.iter().map(stage).collect() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn predictions_are_as_brute_force_has_them(circuit in any_bits(), number in any::<usize>()) {
        let (binarizer, rows) = (binarizer(), rows());
        let row = rows[number % rows.len()];
        let answer = |other: &Row| circuit.at(&bits(other));
        let subject = subject(&circuit, &binarizer);
        let (point, options) = (Point::of_bits(&bits(&row)), ExplainOptions::default());
        let why = explain_prediction(&subject, &point, &options, &Budget::unlimited()).expect("an explanation");
        prop_assert_eq!(&why.answer, if answer(&row) { "1" } else { "0" });

        let asked = |other: &Row| why.reason.conditions.iter().all(|condition| holds(&condition.text, other));
        prop_assert!(asked(&row), "{:?} {:?}", row, why.reason);
        prop_assert!(rows.iter().filter(|other| asked(other)).all(|other| answer(other) == answer(&row)));
        let forced = |set: u32| {
            rows.iter().all(|other| different(&row, other) & set != 0 || answer(other) == answer(&row))
        };
        let smallest = (0u32..16).filter(|&set| forced(set)).map(u32::count_ones).min();
        prop_assert_eq!(Some(why.reason.conditions.len() as u32), smallest);
        prop_assert!(why.reason.is_smallest());

        let others = rows.iter().filter(|other| answer(other) != answer(&row));
        let nearest = others.map(|other| different(&row, other).count_ones()).min();
        match (&why.counterfactual, nearest) {
            (Counterfactual::Impossible, None) => {}
            (Counterfactual::Found { changes, .. }, Some(nearest)) => {
                prop_assert_eq!(changes.len() as u32, nearest);
                prop_assert!(why.counterfactual.is_nearest());
                let place = |name: &str| ["age", "job", "smoker", "doors"].iter().position(|n| *n == name);
                let mask = changes.iter().fold(0, |mask, change| mask | 1 << place(&change.feature).unwrap_or(9));
                let changed = |other: &&Row| {
                    different(&row, other) & !mask == 0 && changes.iter().all(|change| holds(&change.to, other))
                };
                let examples: Vec<&Row> = rows.iter().filter(changed).collect();
                prop_assert!(!examples.is_empty());
                prop_assert!(examples.iter().all(|other| answer(other) != answer(&row)), "{:?}", changes);
            }
            (found, nearest) => prop_assert!(false, "{found:?} {nearest:?}"),
        }
    }

    /// A column matters exactly if some row's answer changes with it alone.
    #[test]
    fn influences_are_of_columns(circuit in any_bits()) {
        let (binarizer, rows) = (binarizer(), rows());
        let columns: Vec<Vec<u64>> = (0..BITS)
            .map(|bit| {
                let mut column = crate::bits::Column::default();
                for row in &rows {
                    column.push(bits(row)[bit]);
                }
                column.into_words()
            })
            .collect();
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let data = Data { columns: &columns, labels: &[], rows: rows.len() };
        let subject = subject(&circuit, &binarizer);
        let options = ExplainOptions::default();
        let model = explain_model(&subject, Some(&data), &options, &Budget::unlimited()).expect("an explanation");
        prop_assert_eq!(model.circuits[0].features.len(), 4);
        for influence in &model.circuits[0].features {
            let column = ["age", "job", "smoker", "doors"].iter().position(|n| *n == influence.feature).unwrap();
            let sensitive = |row: &&Row| {
                rows.iter().any(|other| {
                    different(row, other) == 1 << column && circuit.at(&bits(other)) != circuit.at(&bits(row))
                })
            };
            let number = rows.iter().filter(sensitive).count();
            prop_assert_eq!(influence.rows, Some(number), "{}", influence.feature);
            prop_assert_eq!(influence.matters == Matters::Yes, number > 0);
            prop_assert_eq!(influence.points.is_zero(), Some(number == 0));
        }
    }
}

/// One stage of one term over these bits.
fn term(literals: &[(usize, bool)]) -> Staged {
    let mut cover = Cover::new(Shape::new(BITS, 1));
    let literal = |bit| match literals.iter().find(|(other, _)| *other == bit) {
        Some((_, true)) => Literal::Positive,
        Some((_, false)) => Literal::Negative,
        None => Literal::Free,
    };
    cover.push(&(0..BITS).map(literal).collect::<Vec<_>>(), &[true]);
    let stage = Stage { inputs: (0..BITS).collect(), cover };
    Staged { inputs: vec![String::new(); BITS], target: "risk".to_owned(), stages: vec![stage] }
}

#[test]
fn conditions_are_as_weak_as_they_can_be() {
    let binarizer = binarizer();
    // age > 41.5 and job != cook
    let circuit = term(&[(1, true), (5, false)]);
    let why = |row: &Row| {
        let options = ExplainOptions::default();
        let point = Point::of_bits(&bits(row));
        explain_prediction(&subject(&circuit, &binarizer), &point, &options, &Budget::unlimited()).unwrap()
    };
    let texts = |why: &PredictionExplanation| -> Vec<String> {
        why.reason.conditions.iter().map(|condition| condition.text.clone()).collect()
    };
    let change = |why: &PredictionExplanation| match &why.counterfactual {
        Counterfactual::Found { changes, .. } => changes.iter().map(|change| change.to.clone()).collect(),
        _ => Vec::new(),
    };
    let clerk = why(&Row { age: Some(50.0), job: Some("clerk"), smoker: true, doors: 4.0 });
    assert_eq!(texts(&clerk), ["age > 41.5", "job != cook"]);
    assert_eq!(change(&clerk), ["age <= 41.5 or missing"]);
    let young = why(&Row { age: Some(30.0), job: Some("clerk"), smoker: true, doors: 4.0 });
    assert_eq!(texts(&young), ["age <= 41.5 or missing"]);
    assert_eq!(change(&young), ["age > 41.5"]);
    let cook = why(&Row { age: Some(50.0), job: Some("cook"), smoker: true, doors: 4.0 });
    assert_eq!(
        (texts(&cook), change(&cook)),
        (vec!["job = cook".to_owned()], vec!["job != cook".to_owned()])
    );
}

/// A column of whole numbers has no value between two of them, unless a row shows one.
#[test]
fn whole_numbers_stay_whole() {
    let binarizer = binarizer();
    // doors > 3.5, but not 5: with whole numbers that is 4 or 6 and more.
    let circuit = term(&[(9, true), (11, false)]);
    let subject = subject(&circuit, &binarizer);
    let why = |point: &[bool]| {
        explain_prediction(&subject, &Point::of_bits(point), &ExplainOptions::default(), &Budget::unlimited())
    };
    let mut point = vec![false; BITS];
    let low = why(&point).unwrap();
    assert_eq!(low.reason.conditions[0].text, "doors <= 3.5");
    point[9] = true;
    let high = why(&point).unwrap();
    assert_eq!(high.reason.conditions[0].text, "3.5 < doors < 5 or doors > 5");
    // No number is 5 and not above 3.5.
    point[9] = false;
    point[11] = true;
    assert_eq!(why(&point).unwrap_err(), ExplainError::Bits { name: "doors".to_owned() });
}
