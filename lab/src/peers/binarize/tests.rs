use super::*;
use macchiato::bits;

fn encoding(cells: &[&str]) -> Encoding {
    Encoding::fit(cells)
}

fn encoding_of(cells: &[String]) -> Encoding {
    Encoding::fit(&cells.iter().map(String::as_str).collect::<Vec<_>>())
}

fn values(values: &[&str]) -> Encoding {
    Encoding::Values(values.iter().map(ToString::to_string).collect())
}

fn bits_of(encoding: &Encoding, cell: &str) -> Vec<bool> {
    let mut columns = vec![Column::default(); encoding.bits()];
    encoding.push(cell, &mut columns);
    columns.into_iter().map(|column| bits::get(&column.into_words(), 0)).collect()
}

#[test]
fn whole_numbers_and_words_are_one_hot() {
    let three = encoding(&["2", "0", "1", "0"]);
    assert_eq!(three, values(&["0", "1", "2"]));
    assert_eq!(bits_of(&three, "1"), [false, true, false]);
    assert_eq!(bits_of(&three, "7"), [false; 3], "a value that training has not seen is none of them");
    assert_eq!(encoding(&["red", "1.5", "red", "blue"]), values(&["1.5", "blue", "red"]));
}

#[test]
fn two_values_are_one_bit_and_one_value_is_none() {
    assert_eq!(encoding(&["0", "1", "1"]), values(&["1"]));
    assert_eq!(encoding(&["5", "5"]), values(&[]));
    assert_eq!(encoding(&["5.0", "5.0"]), Encoding::Cuts(vec![]));
}

#[test]
fn words_of_many_values_keep_the_frequent_ones() {
    let mut cells: Vec<String> = (0..40).map(|i| format!("w{i:02}")).collect();
    cells.push("w39".to_owned());
    let Encoding::Values(values) = encoding_of(&cells) else { panic!("words are no numbers") };
    assert_eq!(values.len(), MAX_VALUES);
    assert!(values.contains(&"w39".to_owned()) && !values.contains(&"w29".to_owned()));
}

#[test]
fn few_measured_values_are_cut_between_all_of_them() {
    // One value has nearly all rows, and is the largest: quantiles alone would lose the column.
    let mut cells = vec!["1.5"; 99];
    cells.extend(["0.5", "-2.0"]);
    let few = encoding(&cells);
    assert_eq!(few, Encoding::Cuts(vec![-2.0, 0.5]));
    assert_eq!(bits_of(&few, "0.5"), [true, false]);
    assert_eq!(bits_of(&few, "?"), [false, false]);
}

#[test]
fn many_numbers_are_cut_at_quantiles() {
    let cells: Vec<String> = (0..900).map(|i| i.to_string()).collect();
    let Encoding::Cuts(cuts) = encoding_of(&cells) else { panic!("900 values are no classes") };
    assert_eq!(cuts, [100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0]);
    // Most are 0: the quantiles coincide, and what is left still splits the rows.
    let skewed: Vec<String> = (0..900).map(|i| if i < 850 { 0 } else { i }.to_string()).collect();
    assert_eq!(encoding_of(&skewed), Encoding::Cuts(vec![0.0]));
}

#[test]
fn the_largest_class_is_the_label_and_ties_go_to_the_smaller_text() {
    let table = RawTable::parse("a\ttarget\n1\tx\n2\ty\n3\ty\n").unwrap();
    assert_eq!(table.labels, [false, true, true]);
    assert_eq!(RawTable::parse("a\ttarget\n1\tx\n2\ta\n").unwrap().labels, [false, true]);
}

#[test]
fn faulty_tables_are_refused() {
    let refused = |text| RawTable::parse(text).unwrap_err().to_string();
    assert_eq!(refused("a\tb\n1\t2\n"), "the last column is not called target");
    assert_eq!(refused("a\ttarget\n1\t2\n1\n"), "line 3: 1 cells where the header has 2");
    assert_eq!(refused("a\ttarget\n"), "no rows");
}

#[test]
fn the_bits_are_fitted_on_training_rows_only() {
    // Each value occurs in one row, so that no fold's test rows have a value that training has seen.
    let rows: Vec<String> = (0..20).map(|i| format!("v{i}\t{}", i % 2)).collect();
    let table = RawTable::parse(&format!("a\ttarget\n{}", rows.join("\n"))).unwrap();
    let (train, test) = table.fold(0).unwrap();
    assert_eq!((train.len(), test.len(), train.inputs(), test.inputs()), (16, 4, 16, 16));
    assert!(test.columns().iter().all(|column| bits::count(column) == 0));
    assert_eq!(train.columns().iter().map(|column| bits::count(column)).sum::<usize>(), 16);
}
