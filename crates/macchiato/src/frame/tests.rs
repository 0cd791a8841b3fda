use super::*;
use crate::bits;
use crate::frame::{self, Compression, ReadOptions};
use proptest::prelude::*;

fn csv(text: &str) -> Result<Frame, String> {
    with(text, &FrameOptions::default())
}

fn with(text: &str, options: &FrameOptions) -> Result<Frame, String> {
    read_from(text.as_bytes(), "d.csv", Format::Csv, options).map_err(|error| error.to_string())
}

/// Each row's value as text; a gap is empty.
fn cells(column: &Values<'_>, rows: usize) -> Vec<String> {
    let cell = |row: usize| match column {
        _ if column.is_missing(row) => String::new(),
        Values::Boolean { bits, .. } => u8::from(bits::get(bits, row)).to_string(),
        Values::Number(values) => values[row].to_string(),
        Values::Category { codes, levels } => levels[codes[row] as usize].clone(),
    };
    (0..rows).map(cell).collect()
}

/// The kind and the cells of a column with these cells.
fn column(text: &[&str], known: Option<Kind>) -> Result<(Kind, String), String> {
    let types = known.map(|kind| ("c".to_owned(), kind)).into_iter().collect();
    let quoted: Vec<String> = text.iter().map(|cell| format!("\"{cell}\",0\n")).collect();
    let frame =
        with(&format!("c,d\n{}", quoted.concat()), &FrameOptions { types, ..FrameOptions::default() })?;
    Ok((frame.columns[0].kind(), cells(&frame.columns[0], frame.rows).join(" ")))
}

#[test]
fn a_column_is_of_the_narrowest_type_that_holds_its_cells() {
    for (text, kind, values) in [
        (&["1", "0", "yes", "F"][..], Kind::Boolean, "1 0 1 0"),
        (&["1", "", "0", "NA"], Kind::Boolean, "1  0 "),
        (&["0", "1", "2"], Kind::Number, "0 1 2"),
        (&["0", "?", "-1.5e3"], Kind::Number, "0  -1500"),
        (&["1.0", "+2", " 3 "], Kind::Number, "1 2 3"),
        (&["N/A", "NaN", "nan", "null", "None", "7"], Kind::Number, "     7"),
        (&["red", "blue", "red"], Kind::Category, "red blue red"),
        (&["yes", "no", "maybe"], Kind::Category, "yes no maybe"),
        // What was forgotten is read again as it stands.
        (&["yes", "Yes", "maybe"], Kind::Category, "yes Yes maybe"),
        (&["01", "2.50", "x", ""], Kind::Category, "01 2.50 x "),
        (&["yes", "no", "3"], Kind::Category, "yes no 3"),
        (&["3", "yes"], Kind::Category, "3 yes"),
        (&["", "?"], Kind::Category, " "),
    ] {
        assert_eq!(column(text, None), Ok((kind, values.to_owned())), "{text:?}");
    }
}

#[test]
fn a_known_type_is_kept_to() {
    assert_eq!(column(&["01", "2", "1"], Some(Kind::Category)), Ok((Kind::Category, "01 2 1".to_owned())));
    assert_eq!(column(&["1", "0"], Some(Kind::Number)), Ok((Kind::Number, "1 0".to_owned())));
    assert_eq!(column(&["", ""], Some(Kind::Boolean)), Ok((Kind::Boolean, " ".to_owned())));
    for (cell, kind, said) in [
        (
            "red",
            Kind::Number,
            "d.csv:2:1: \"red\" is no number in column \"c\": correct it, or leave the cell empty",
        ),
        (
            "yes",
            Kind::Number,
            "d.csv:2:1: \"yes\" is no number in column \"c\": correct it, or leave the cell empty",
        ),
        (
            "2",
            Kind::Boolean,
            "d.csv:2:1: \"2\" is not Boolean in column \"c\": use 0/1, true/false or yes/no",
        ),
    ] {
        assert_eq!(column(&[cell], Some(kind)), Err(said.to_owned()));
    }
}

#[test]
fn infinite_numbers_are_refused_with_their_place() {
    for cell in ["inf", "-Infinity", "1e999"] {
        assert_eq!(
            column(&["2", cell], None),
            Err(format!(
                "d.csv:3:1: {cell:?} is not finite in column \"c\": remove the row, or leave the cell empty"
            ))
        );
    }
    // In a column of words it is a word.
    assert_eq!(column(&["up", "inf"], None), Ok((Kind::Category, "up inf".to_owned())));
}

#[test]
fn faults_of_tables_are_faults_of_frames() {
    for (text, said) in [
        ("", "d.csv:1:1: the file is empty: expected a header line"),
        ("a,b\n", "d.csv:2:1: there are no rows: add at least one"),
        ("a,a\n1,2\n", "d.csv:1:2: column 1 is named \"a\" too: rename one of the two"),
        ("a,b\n1\n", "d.csv:2:2: this row has 1 cells where the header names 2: complete it"),
    ] {
        assert_eq!(csv(text), Err(said.to_owned()));
    }
    let latin = read_from(&b"a,b\ncaf\xe9,1\n"[..], "d.csv", Format::Csv, &FrameOptions::default());
    assert_eq!(
        latin.expect_err("no text").to_string(),
        "d.csv:2:1: this cell is not UTF-8 text in column \"a\": save the file as UTF-8"
    );
}

#[test]
fn weights_and_the_last_column_are_what_they_are_said_to_be() {
    let options =
        FrameOptions { weight: Some("w".to_owned()), last: Some(Kind::Category), ..FrameOptions::default() };
    let frame = with("a,y,w\n1.5,1,2\n2,0,0.5\n", &options).expect("a frame");
    assert_eq!((frame.weights, frame.names), (Some(vec![2_000_000, 500_000]), vec!["a".into(), "y".into()]));
    assert_eq!(frame.columns[1].kind(), Kind::Category);
}

#[test]
fn arrays_have_gaps_and_numbers() {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }");
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    for value in [1.5, f64::NAN, -2.0, 1.0, 0.0, 1.0] {
        bytes.extend_from_slice(&f64::to_le_bytes(value));
    }
    let frame = read_from(bytes.as_slice(), "a.npy", Format::Npy, &FrameOptions::default()).expect("a frame");
    assert_eq!(cells(&frame.columns[0], 3), ["1.5", "", "-2"]);
    assert_eq!(
        (frame.columns[1].kind(), cells(&frame.columns[1], 3).join("")),
        (Kind::Boolean, "101".into())
    );
    let at = bytes.len() - 8;
    bytes[at..].copy_from_slice(&f64::NEG_INFINITY.to_le_bytes());
    let error = read_from(bytes.as_slice(), "a.npy", Format::Npy, &FrameOptions::default());
    assert_eq!(
        error.expect_err("not finite").to_string(),
        "a.npy:3:2: \"-inf\" is not finite in column \"y\": remove the row, or leave the cell empty"
    );
}

#[test]
fn files_are_read_as_streams_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "a,b\n1,x\n2,\ny,z\n";
    let frame = csv(text).expect("a frame");
    let path = folder.path().join("d.csv.gz");
    let mut bytes = Vec::new();
    write_to(&mut bytes, &frame, Format::Csv, Compression::Gzip).expect("written");
    std::fs::write(&path, bytes).expect("written");
    let again = read(&path, &FrameOptions::default()).expect("a frame");
    assert_eq!((again.columns, again.names), (frame.columns, frame.names));
    let pla = folder.path().join("d.pla");
    std::fs::write(&pla, ".i 1\n.o 1\n.type fr\n0 1\n1 0\n.e\n").expect("written");
    let table = table::read(&pla, &ReadOptions::default()).expect("a table");
    assert_eq!(read(&pla, &FrameOptions::default()).expect("a frame"), Frame::from(table));
}

fn arbitrary_cell() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(vec!["0", "1", "yes", "No", "", "NA", "?", "2", "-3.25", "1e-7", "red", "a,b", "\"q\""])
            .prop_map(str::to_owned),
        1 => any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(|value| value.to_string()),
        1 => "[a-z ]{0,3}",
    ]
}

proptest! {
    /// Whatever is read is written so that it is read back.
    #[test]
    fn what_is_written_is_read_back(
        rows in prop::collection::vec(prop::collection::vec(arbitrary_cell(), 3), 1..20),
    ) {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let text = "a,b,c\n".to_owned() + &rows.iter().map(line).collect::<String>();
        let frame = csv(&text).expect("a frame");
        let mut written = Vec::new();
        write_to(&mut written, &frame, Format::Csv, Compression::None).expect("written");
        let types = frame.names.iter().cloned().zip(frame.columns.iter().map(Values::kind)).collect();
        let options = FrameOptions { types, ..FrameOptions::default() };
        let again = read_from(written.as_slice(), "d.csv", Format::Csv, &options).expect("a frame");
        for (before, after) in frame.columns.iter().zip(&again.columns) {
            prop_assert_eq!(cells(before, frame.rows), cells(after, frame.rows));
            prop_assert_eq!(before.kind(), after.kind());
        }
    }

    /// A file of bits without gaps is the same table either way.
    #[test]
    fn bits_are_bits(rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 2), 1..70)) {
        let line = |row: &Vec<bool>| format!("{},{}\n", u8::from(row[0]), if row[1] { "yes" } else { "no" });
        let text = "a,b\n".to_owned() + &rows.iter().map(line).collect::<String>();
        let table = table::read_from(text.as_bytes(), "d.csv", Format::Csv, &ReadOptions::default());
        prop_assert_eq!(csv(&text).expect("a frame"), Frame::from(table.expect("a table")));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), tsv in any::<bool>()) {
        let format = if tsv { Format::Tsv } else { Format::Csv };
        let _ = read_from(bytes.as_slice(), "d", format, &FrameOptions::default());
        let _ = read_from([b"a,b\n".as_slice(), &bytes].concat().as_slice(), "d", format, &FrameOptions::default());
    }
}
