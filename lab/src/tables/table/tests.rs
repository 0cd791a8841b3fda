use super::*;
use macchiato::frame::Format;

use crate::folds::FOLDS;

fn table(text: &str) -> Result<Table> {
    let mut options = FrameOptions::default();
    options.last = Some(Kind::Category);
    let frame = frame::read_from(text.as_bytes(), "t.tsv", Format::Tsv, &options)?;
    Table::new("t".to_owned(), PathBuf::new(), frame)
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
    assert_eq!(table.positive, [false, true, false, false], "the last class is the positive one");
    assert!(!table.shape().largest_against_rest);
    let target = table.part(&[0, 1, 2, 3]).unwrap().target;
    assert_eq!((target.classes().join(" ").as_str(), target.codes()), ("-1.0 1.0", &[0, 1, 0, 0][..]));
}

#[test]
fn of_more_classes_the_largest_is_learned() {
    let table = rows(&["a", "b", "b", "c"]);
    assert_eq!(table.positive, [false, true, true, false]);
    assert!(table.shape().largest_against_rest);
    assert_eq!(table.part(&[0, 1, 2, 3]).unwrap().target.codes(), [0, 1, 1, 0]);
}

#[test]
fn folds_share_the_rows_and_both_forms_have_the_same() {
    let table = rows(&["0", "1"].repeat(25));
    let mut seen = Vec::new();
    for fold in 0..FOLDS {
        let (train, test) = table.fold(fold).unwrap();
        assert_eq!((train.frame.rows, test.frame.rows), (40, 10));
        assert_eq!(test.target.codes().iter().sum::<u32>(), 5, "stratified");
        let (_, numbers) = table.numbers(fold).unwrap();
        let Values::Number(first) = &test.frame.columns[0] else { panic!("a column of numbers") };
        for (row, numbers) in numbers.chunks(table.width()).enumerate() {
            let class = f64::from(test.target.codes()[row]);
            assert_eq!(numbers, [first[row], first[row] % 2.0, class]);
            seen.push(first[row]);
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
fn equal_rows_with_different_classes_lower_the_limit() {
    let table = table("a\tb\ttarget\n1\t0.5\t0\n1\t0.5\t1\n1\t0.5\t1\n0\t\t1\n0\t\t0\n").unwrap();
    assert!((table.shape().limit - 0.6).abs() < 1e-12);
    assert!((rows(&["0", "1", "1"]).shape().limit - 1.0).abs() < 1e-12);
}

#[test]
fn gaps_are_no_numbers_and_words_are_refused() {
    let gap = table("a\ttarget\n1.5\t0\n\t1\n").unwrap().numbers_of(&[0, 1]).unwrap();
    assert!(gap[2].is_nan() && gap[3] > 0.5, "{gap:?}");
    let words = table("job\ttarget\ncook\t0\nclerk\t1\n").unwrap().numbers_of(&[0]).unwrap_err();
    assert!(words.to_string().contains("\"job\""), "{words}");
    assert!(table("a\tb\n1\t0\n").is_err(), "no target");
}
