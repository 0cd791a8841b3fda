use super::*;
use macchiato::frame::Format;

use crate::folds::FOLDS;

fn table(text: &str) -> Result<Table> {
    let mut options = FrameOptions::default();
    options.last = Some(Kind::Category);
    let frame = frame::read_from(text.as_bytes(), "t.tsv", Format::Tsv, &options)?;
    Table::new("t".to_owned(), frame)
}

/// Rows `i, i % 2, class`.
fn rows(classes: &[&str]) -> Table {
    let line = |(i, class): (usize, &&str)| format!("{i}\t{}\t{class}\n", i % 2);
    let lines: String = classes.iter().enumerate().map(line).collect();
    table(&format!("n\tb\ttarget\n{lines}")).unwrap()
}

#[test]
fn two_classes_are_learned_as_they_are() {
    let table = rows(&["-1.0", "1.0", "-1.0", "-1.0"]);
    let target = table.part(&[0, 1, 2, 3]).unwrap().target;
    assert_eq!((target.classes().join(" ").as_str(), target.codes()), ("-1.0 1.0", &[0, 1, 0, 0][..]));
}

#[test]
fn of_more_classes_the_largest_is_learned() {
    let table = rows(&["a", "b", "b", "c"]);
    assert_eq!(table.part(&[0, 1, 2, 3]).unwrap().target.codes(), [0, 1, 1, 0]);
}

#[test]
fn folds_share_the_rows() {
    let table = rows(&["0", "1"].repeat(25));
    let mut seen = Vec::new();
    for fold in 0..FOLDS {
        let (train, test) = table.fold(fold).unwrap();
        assert_eq!((train.frame.rows, test.frame.rows), (40, 10));
        assert_eq!(test.target.codes().iter().sum::<u32>(), 5, "stratified");
        let Values::Number(first) = &test.frame.columns[0] else { panic!("a column of numbers") };
        for (&first, &class) in first.iter().zip(test.target.codes()) {
            assert!((first % 2.0 - f64::from(class)).abs() < 1e-9);
            seen.push(first);
        }
    }
    seen.sort_by(f64::total_cmp);
    assert_eq!(seen, (0..50).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn the_folds_are_those_of_the_peers() {
    let classes = ["x", "y", "y", "z", "y", "x", "z", "y", "y", "x"];
    let largest: Vec<bool> = classes.iter().map(|class| *class == "y").collect();
    assert_eq!(rows(&classes).folds, folds(&largest));
    // Of two classes, too, whichever is the positive one.
    assert_eq!(rows(&["0", "0", "0", "1"]).folds, folds(&[true, true, true, false]));
}

#[test]
fn a_table_without_a_target_is_refused() {
    assert!(table("a\tb\n1\t0\n").is_err());
}
