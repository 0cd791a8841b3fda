use super::*;
use crate::bits;
use crate::frame::{Frame, NO_LEVEL, Values};
use proptest::prelude::*;

fn frame(columns: Vec<(&str, Values<'static>)>, rows: usize) -> Frame {
    let (names, columns): (Vec<_>, Vec<_>) =
        columns.into_iter().map(|(name, values)| (name.to_owned(), values)).unzip();
    Frame { source: "frame".to_owned(), names, columns, rows, weights: None }
}

fn category(cells: &[&str]) -> Values<'static> {
    let mut levels: Vec<String> = Vec::new();
    let code = |cell: &&str| {
        if cell.is_empty() {
            return NO_LEVEL;
        }
        let known = levels.iter().position(|level| level == cell);
        known.unwrap_or_else(|| {
            levels.push((*cell).to_owned());
            levels.len() - 1
        }) as u32
    };
    let codes = cells.iter().map(code).collect();
    Values::Category { codes, levels: levels.into() }
}

fn learn(frame: &Frame, codes: &[u32]) -> Binarizer {
    let labels = Labels { codes, classes: 2, weights: None };
    Binarizer::learn(frame, &labels, &BinarizeOptions::default()).expect("bits")
}

#[test]
fn every_kind_of_column_has_its_tests() {
    let frame = frame(
        vec![
            ("doors", Values::Number(vec![2.0, 3.0, 5.0, 3.0, 2.0, 5.0].into())),
            ("job", category(&["clerk", "clerk", "cook", "cook", "baker", ""])),
            (
                "smoker",
                Values::Boolean { bits: vec![0b11_0101].into(), missing: Some(vec![0b10_0000].into()) },
            ),
            ("same", Values::Number(vec![7.0; 6].into())),
        ],
        6,
    );
    let binarizer = learn(&frame, &[0, 1, 0, 1, 0, 1]);
    assert_eq!(
        binarizer.names(),
        [
            "doors = 2",
            "doors = 3",
            "doors = 5",
            "job = clerk",
            "job = cook",
            "job is other",
            "job is missing",
            "smoker"
        ]
    );
    assert!(binarizer.columns()[2].gaps, "its gap is that of the job");
    assert_eq!(binarizer.words(7, false), "not smoker");
    assert_eq!(binarizer.words(3, false), "job != clerk");
}

#[test]
fn unseen_levels_are_others_where_there_are_others() {
    let train = frame(vec![("job", category(&["cook", "clerk", "cook", "clerk", "baker", "smith"]))], 6);
    let binarizer = learn(&train, &[0, 1, 0, 1, 0, 1]);
    assert_eq!(binarizer.names(), ["job = clerk", "job = cook", "job is other"]);
    let rows = frame(vec![("job", category(&["pilot", "clerk", "", "smith"]))], 4);
    assert_eq!(binarizer.apply(&rows), Ok(vec![vec![0b0010], vec![0], vec![0b1001]]));
    let train = frame(vec![("job", category(&["cook", "clerk", "cook", "clerk"]))], 4);
    let binarizer = learn(&train, &[0, 1, 0, 1]);
    assert_eq!(binarizer.apply(&rows), Ok(vec![vec![0b0010]]));
}

/// A level whose bit said nothing new is still not one of the others.
#[test]
fn a_level_without_a_bit_is_no_other() {
    let twin = Values::Boolean { bits: vec![0b00_0011].into(), missing: None };
    let train = frame(
        vec![("twin", twin), ("job", category(&["cook", "cook", "clerk", "clerk", "baker", "smith"]))],
        6,
    );
    let binarizer = learn(&train, &[0, 1, 0, 1, 0, 1]);
    assert_eq!(binarizer.names(), ["twin", "job = clerk", "job is other"]);
    assert_eq!(binarizer.apply(&train), Ok(vec![vec![0b00_0011], vec![0b00_1100], vec![0b11_0000]]));
}

#[test]
fn where_nothing_varies_there_is_one_bit_that_never_holds() {
    let frame = frame(vec![("same", Values::Number(vec![7.0; 3].into()))], 3);
    let (binarizer, columns) = Binarizer::learn_and_apply(
        &frame,
        &Labels { codes: &[0, 1, 0], classes: 2, weights: None },
        &BinarizeOptions::default(),
    )
    .expect("bits");
    assert_eq!((binarizer.names(), columns), (vec!["same is missing".to_owned()], vec![vec![0]]));
}

#[test]
fn other_columns_than_at_training_are_named() {
    let numbers = || Values::Number(vec![1.0, 2.0, 3.0, 4.0].into());
    let bits = || Values::Boolean { bits: vec![0b0101].into(), missing: None };
    let train = frame(vec![("age", numbers()), ("smoker", bits())], 4);
    let binarizer = learn(&train, &[0, 1, 1, 0]);
    let said = |columns| binarizer.apply(&frame(columns, 4)).expect_err("refused").to_string();
    assert_eq!(said(vec![("age", numbers())]), "no column \"smoker\", which the training rows had");
    assert_eq!(
        said(vec![("age", category(&["old", "young", "old", "old"])), ("smoker", bits())]),
        "column \"age\" holds category values where the training rows had number values: convert it"
    );
    assert_eq!(
        said(vec![("age", numbers()), ("smoker", numbers())]),
        "column \"smoker\", row 1: 2 is not Boolean, as the training rows were: use 0 and 1"
    );
    assert_eq!(
        said(vec![("age", Values::Number(vec![1.0, f64::INFINITY, 0.0, 1.0].into())), ("smoker", bits())]),
        "column \"age\", row 1: the number is infinite: make it finite, or NaN where it is missing"
    );
    assert_eq!(
        said(vec![("age", Values::Number(vec![1.0].into())), ("smoker", bits())]),
        "column \"age\" has 1 entries where 4 hold the rows"
    );
    // 0 and 1 do for a Boolean column, and the other way round; other columns and another order do not matter.
    let zero_one = Values::Number(vec![1.0, 0.0, 1.0, 0.0].into());
    let rows = frame(vec![("more", numbers()), ("smoker", zero_one), ("age", numbers())], 4);
    assert_eq!(binarizer.apply(&rows), binarizer.apply(&train));
}

#[test]
fn labels_are_checked() {
    let train = frame(vec![("age", Values::Number(vec![1.0, 2.0].into()))], 2);
    let said = |codes: &[u32], weights: Option<&[u64]>| {
        let labels = Labels { codes, classes: 2, weights };
        Binarizer::learn(&train, &labels, &BinarizeOptions::default()).expect_err("refused").to_string()
    };
    assert_eq!(said(&[0], None), "1 labels for 2 rows");
    assert_eq!(said(&[0, 2], None), "row 1: class 2 of 2");
    assert_eq!(said(&[0, 1], Some(&[1])), "1 weights for 2 rows");
}

#[test]
fn equal_names_are_numbered() {
    let columns = [("a", "b = c"), ("a = b", "c")].map(|(name, level)| Column {
        name: name.to_owned(),
        kind: Kind::Category,
        gaps: false,
        levels: vec![level.to_owned()],
    });
    let bit = |column: usize| Bit { column, test: Test::Is(columns[column].levels[0].clone()) };
    let binarizer = Binarizer::new(columns.to_vec(), vec![bit(0), bit(1)]);
    assert_eq!(binarizer.names(), ["a = b = c", "a = b = c (2)"]);
}

/// A test on one value, as its words say.
fn holds(column: &Column, test: &Test, values: &Values<'_>, row: usize) -> bool {
    if values.is_missing(row) {
        return *test == Test::Missing;
    }
    match (values, test) {
        (Values::Boolean { bits, .. }, Test::True) => bits::get(bits, row),
        (Values::Number(values), Test::Above(cut)) => values[row] > *cut,
        (Values::Number(values), Test::Equals(wanted)) => values[row] == *wanted,
        (Values::Category { codes, levels }, Test::Is(level)) => levels[codes[row] as usize] == *level,
        (Values::Category { codes, levels }, Test::Other) => {
            !column.levels.contains(&levels[codes[row] as usize])
        }
        _ => false,
    }
}

fn arbitrary_values(rows: usize) -> impl Strategy<Value = Values<'static>> {
    let words = bits::words(rows);
    let number = prop_oneof![
        4 => (-3i8..6).prop_map(f64::from),
        2 => any::<i16>().prop_map(|value| f64::from(value) / 100.0),
        1 => Just(f64::NAN),
    ];
    let masked = move |mut column: Vec<u64>| {
        column[words - 1] &= bits::last_mask(rows);
        column
    };
    prop_oneof![
        (
            prop::collection::vec(any::<u64>(), words),
            prop::option::of(prop::collection::vec(any::<u64>(), words))
        )
            .prop_map(move |(bits, missing)| Values::Boolean {
                bits: masked(bits).into(),
                missing: missing.map(|missing| masked(missing).into()),
            }),
        prop::collection::vec(number, rows).prop_map(|values| Values::Number(values.into())),
        prop::collection::vec(prop_oneof![6 => 0u32..5, 1 => Just(NO_LEVEL)], rows).prop_map(|codes| {
            let levels: Vec<String> = ["b", "a", "10", "9", "e"].map(str::to_owned).to_vec();
            Values::Category { codes: codes.into(), levels: levels.into() }
        }),
    ]
}

fn arbitrary_frame() -> impl Strategy<Value = (Frame, Vec<u32>)> {
    (1usize..140, 1usize..5).prop_flat_map(|(rows, width)| {
        let columns = prop::collection::vec(arbitrary_values(rows), width);
        (columns, prop::collection::vec(0u32..3, rows)).prop_map(move |(columns, codes)| {
            let names = (0..columns.len()).map(|i| format!("c{i}")).collect();
            (Frame { source: "any".to_owned(), names, columns, rows, weights: None }, codes)
        })
    })
}

fn arbitrary_cuts() -> impl Strategy<Value = Cuts> {
    prop_oneof![Just(Cuts::Auto), Just(Cuts::Evidence), (0usize..20).prop_map(Cuts::Quantile)]
}

proptest! {
    #[test]
    fn bits_are_the_tests_and_say_something_new((frame, codes) in arbitrary_frame(), cuts in arbitrary_cuts()) {
        let labels = Labels { codes: &codes, classes: 3, weights: None };
        let (binarizer, columns) =
            Binarizer::learn_and_apply(&frame, &labels, &cuts.into()).expect("bits");
        prop_assert_eq!(&binarizer.apply(&frame).expect("the same rows"), &columns);
        for (Bit { column, test }, made) in binarizer.bits().iter().zip(&columns) {
            let known = &binarizer.columns()[*column];
            for row in 0..frame.rows {
                prop_assert_eq!(bits::get(made, row), holds(known, test, &frame.columns[*column], row));
            }
        }
        let booleans = frame.columns.iter().filter(|column| column.kind() == Kind::Boolean).count();
        prop_assert_eq!(binarizer.bits().iter().filter(|bit| bit.test == Test::True).count(), booleans);
        let mask = |column: &Vec<u64>, flip: u64| {
            let mut column: Vec<u64> = column.iter().map(|word| word ^ flip).collect();
            *column.last_mut().expect("a word") &= bits::last_mask(frame.rows);
            column
        };
        for (i, column) in columns.iter().enumerate() {
            // What the table says itself stays as it is.
            if binarizer.bits()[i].test == Test::True {
                continue;
            }
            if columns.len() > 1 {
                prop_assert!((1..frame.rows).contains(&bits::count(column)));
            }
            for other in &columns[..i] {
                prop_assert!(mask(column, 0) != *other && mask(column, u64::MAX) != *other);
            }
        }
    }

    /// The order of a category's codes does not matter, nor what its unused levels are.
    #[test]
    fn codes_have_no_order((frame, codes) in arbitrary_frame()) {
        let turned = frame.columns.iter().map(|column| match column {
            Values::Category { codes, levels } => {
                let last = levels.len() as u32;
                let turn = |&code: &u32| if code == NO_LEVEL { code } else { last - code };
                let levels: Vec<String> =
                    std::iter::once("unused".to_owned()).chain(levels.iter().rev().cloned()).collect();
                Values::Category { codes: codes.iter().map(turn).collect(), levels: levels.into() }
            }
            other => other.clone(),
        });
        let turned = Frame { columns: turned.collect(), ..frame.clone() };
        prop_assert_eq!(learn3(&frame, &codes), learn3(&turned, &codes));
    }

    /// A row of weight 3 is as good as the row three times.
    #[test]
    fn whole_weights_are_repetitions((frame, codes) in arbitrary_frame(), seed in any::<u64>()) {
        let times = |row: &usize| 1 + (seed >> (row * 7 % 60)) % 4;
        let weights: Vec<u64> = (0..frame.rows).map(|row| times(&row) * 1_000_000).collect();
        let labels = Labels { codes: &codes, classes: 3, weights: Some(&weights) };
        let (weighted, _) =
            Binarizer::learn_and_apply(&frame, &labels, &BinarizeOptions::default()).expect("bits");
        let rows: Vec<usize> =
            (0..frame.rows).flat_map(|row| std::iter::repeat_n(row, times(&row) as usize)).collect();
        let repeated = Frame {
            columns: frame.columns.iter().map(|column| column.pick(&rows)).collect(),
            rows: rows.len(),
            ..frame.clone()
        };
        let codes: Vec<u32> = rows.iter().map(|&row| codes[row]).collect();
        prop_assert_eq!(weighted, learn3(&repeated, &codes).0);
    }
}

fn learn3(frame: &Frame, codes: &[u32]) -> (Binarizer, Vec<Vec<u64>>) {
    let labels = Labels { codes, classes: 3, weights: None };
    Binarizer::learn_and_apply(frame, &labels, &BinarizeOptions::default()).expect("bits")
}
