use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn any_rows() -> impl Strategy<Value = (usize, Vec<(u128, bool)>)> {
    prop_oneof![1usize..6, Just(64), Just(65), 90usize..128].prop_flat_map(|inputs| {
        // Few distinct values, so that rows repeat.
        let row = (0u128..40, any::<bool>());
        (Just(inputs), proptest::collection::vec(row, 1..200))
    })
}

fn build(inputs: usize, list: &[(u128, bool)]) -> Rows {
    let spread =
        |x: u128, i: usize| (x.wrapping_mul(0x9e37_79b9_7f4a_7c15_0123_4567_89ab_cdef) >> (i % 100)) & 1 == 1;
    let mut columns = vec![bits::Column::default(); inputs];
    let mut labels = bits::Column::default();
    for &(x, label) in list {
        for (i, column) in columns.iter_mut().enumerate() {
            column.push(spread(x, i));
        }
        labels.push(label);
    }
    let columns = columns.into_iter().map(bits::Column::into_words).collect();
    Rows::new(columns, labels.into_words(), list.len()).expect("rows")
}

fn row(rows: &Rows, at: usize) -> Vec<bool> {
    rows.columns().iter().map(|column| bits::get(column, at)).collect()
}

proptest! {
    #[test]
    fn distinct_rows_vote((inputs, list) in any_rows()) {
        let rows = build(inputs, &list);
        let mut votes: BTreeMap<Vec<bool>, [usize; 2]> = BTreeMap::new();
        for at in 0..rows.len() {
            votes.entry(row(&rows, at)).or_default()[usize::from(bits::get(rows.labels(), at))] += 1;
        }
        let distinct = rows.distinct();
        prop_assert_eq!(distinct.count, votes.len());
        prop_assert_eq!(distinct.repeated, rows.len() - votes.len());
        let ties = votes.values().filter(|v| v[0] == v[1]).count();
        prop_assert_eq!(distinct.tied, ties);
        prop_assert_eq!(bits::count(&distinct.members), votes.len() - ties);
        for member in bits::ones(&distinct.members) {
            let v = votes[&row(&rows, member)];
            prop_assert_eq!(bits::get(&distinct.labels, member), v[1] > v[0]);
        }
    }

    #[test]
    fn slices_hold_their_rows((inputs, list) in any_rows(), cut in 0usize..200) {
        let rows = build(inputs, &list);
        let from = cut % rows.len();
        let part = rows.slice(from, rows.len());
        for at in 0..part.len() {
            prop_assert_eq!(row(&part, at), row(&rows, from + at));
            prop_assert_eq!(bits::get(part.labels(), at), bits::get(rows.labels(), from + at));
        }
        prop_assert_eq!(bits::count(part.labels()), (from..rows.len()).filter(|&r| bits::get(rows.labels(), r)).count());
    }
}

#[test]
fn weights_outvote_numbers() {
    let weights = Some(vec![1_000_000, 1_000_000, 2_500_000]);
    let names = (vec!["a".into()], "y".into());
    let rows = Rows::named(names, vec![vec![0b000]], vec![0b011], (3, weights)).expect("rows");
    let distinct = rows.distinct();
    assert_eq!((distinct.contradictory, distinct.tied), (1, 0));
    assert!(!bits::get(&distinct.labels, 0));
}

#[test]
fn messages_name_the_file_and_the_remedy() {
    let frame = |names: &[&str], rows: usize| Frame {
        source: "data.csv".into(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
        columns: vec![Values::Boolean { bits: vec![0].into(), missing: None }; names.len()],
        rows,
        weights: None,
    };
    let message = |frame: Frame, target| Rows::from_frame(frame, target).expect_err("refused").to_string();
    assert_eq!(message(frame(&["a", "y"], 0), None), "data.csv: no rows to learn from");
    assert_eq!(message(frame(&["a", "b"], 2), Some("y")), "data.csv: no column \"y\"; the columns are a, b");
    assert_eq!(message(frame(&["y"], 2), None), "data.csv: no inputs besides the target \"y\"");
    let mut numbers = frame(&["a", "y"], 2);
    numbers.columns[0] = Values::Number(vec![1.0, 2.5].into());
    assert_eq!(
        message(numbers, None),
        "data.csv: column \"a\" is not Boolean throughout: use 0/1, true/false or yes/no in every row"
    );
}

#[test]
fn rows_of_booleans_are_those_of_columns() {
    let points = [[false, true, true], [true, true, false], [false, false, true]];
    let by_row = Rows::from_bools(points.map(|x| (x, x[0] || x[2]))).expect("rows");
    let column = |i: usize| points.map(|x| x[i]);
    let labels = points.map(|x| x[0] || x[2]);
    let by_column =
        Rows::from_columns([("x1", column(0)), ("x2", column(1)), ("x3", column(2)), ("y", labels)]);
    assert_eq!(by_column.as_ref(), Ok(&by_row));
    assert_eq!(by_row, Rows::new(vec![vec![0b010], vec![0b011], vec![0b101]], vec![0b111], 3).expect("rows"));

    let message = |rows: Result<Rows, RowsError>| rows.expect_err("refused").to_string();
    let ragged = [(vec![true, false], true), (vec![true], false)];
    assert_eq!(message(Rows::from_bools(ragged)), "inputs of row 1: 1, where there should be 2");
    let long = [(vec![true], true), (vec![true, true], false)];
    assert_eq!(message(Rows::from_bools(long)), "inputs of row 1: 2, where there should be 1");
    assert_eq!(message(Rows::from_bools([([false; 0], true)])), "rows: no inputs besides the target \"y\"");
    assert_eq!(message(Rows::from_bools([([true], true); 0])), "rows: no rows to learn from");
    let uneven = [("a", vec![true, false]), ("y", vec![true])];
    assert_eq!(message(Rows::from_columns(uneven)), "rows of column \"y\": 1, where there should be 2");
    assert_eq!(message(Rows::from_columns([("y", [true])])), "rows: no inputs besides the target \"y\"");
}

#[test]
fn names_and_weights_are_as_many_as_there_should_be() {
    let rows = |names: &[&str], weights| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Rows::named((names, "y".into()), vec![vec![1], vec![2]], vec![3], (2, weights))
    };
    assert!(rows(&["a", "b"], Some(vec![1, 1])).is_ok());
    for (found, message) in [
        (rows(&["a"], None), "names: 1, where there should be 2"),
        (rows(&["a", "b", "c"], None), "names: 3, where there should be 2"),
        (rows(&["a", "b"], Some(vec![1])), "weights: 1, where there should be 2"),
    ] {
        assert_eq!(found.expect_err(message).to_string(), message);
    }
}
