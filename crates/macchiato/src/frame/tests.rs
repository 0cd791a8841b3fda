mod arrays;
mod files;
mod pla;
mod room;
mod text;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use super::*;
use crate::bits;
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn parse(format: Format, bytes: impl AsRef<[u8]>) -> Result<Frame, ReadError> {
    read_from(bytes.as_ref(), "t", format, &FrameOptions::default())
}

fn plain(text: impl AsRef<[u8]>) -> Frame {
    parse(Format::Csv, text).unwrap_or_else(|error| panic!("{error}"))
}

fn message(format: Format, bytes: impl AsRef<[u8]>) -> String {
    parse(format, bytes).expect_err("a fault").to_string()
}

fn weighted(format: Format, bytes: impl AsRef<[u8]>) -> Result<Frame, ReadError> {
    let options = FrameOptions { weight: Some("w".into()), ..FrameOptions::default() };
    read_from(bytes.as_ref(), "t", format, &options)
}

fn written(table: &Frame, format: Format, compression: Compression, target: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, table, format, compression, Some(target)).unwrap_or_else(|error| panic!("{error}"));
    bytes
}

/// The rows as text, one character a cell.
fn rows(table: &Frame) -> Vec<String> {
    let cell = |column: &Values<'_>, row| match column {
        Values::Boolean { bits, missing: None } if bits::get(bits, row) => '1',
        Values::Boolean { missing: None, .. } => '0',
        _ => '?',
    };
    (0..table.rows).map(|row| table.columns.iter().map(|column| cell(column, row)).collect()).collect()
}

/// Boolean columns.
fn booleans(names: Vec<String>, columns: Vec<Vec<u64>>, rows: usize) -> Frame {
    let columns = columns.into_iter().map(|bits| Values::Boolean { bits: bits.into(), missing: None });
    Frame { source: "t".into(), names, columns: columns.collect(), rows, weights: None }
}

/// A file in a folder of its own, which goes when the guard does.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// The message of a file's fault, without its folder.
fn file_message(name: &str, bytes: &[u8], options: &FrameOptions) -> String {
    let (folder, path) = file(name, bytes);
    let message = read(&path, options).expect_err("a fault").to_string();
    message.replace(&format!("{}/", folder.path().display()), "")
}

/// An array as `numpy.save` writes it.
fn npy(descr: &str, fortran: bool, shape: &str, elements: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    raw_npy(&format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n"), elements)
}

fn raw_npy(header: &str, elements: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(elements);
    bytes
}

fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
    for (at, (name, bytes)) in arrays.iter().enumerate() {
        let method = if at == 0 { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
        zip.start_file(format!("{name}.npy"), SimpleFileOptions::default().compression_method(method))
            .unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z_,\"#.\u{e9}\u{feff}-][a-z \n\r\t,\"#0-9]{0,4}[a-z\"]"
}

fn table() -> impl Strategy<Value = Frame> {
    (1usize..70, 1usize..200, any::<bool>()).prop_flat_map(|(columns, rows, weighted)| {
        let word = prop::collection::vec(any::<u64>(), bits::words(rows));
        let weight = prop::collection::vec(0u64..5_000_000, rows);
        (prop::collection::hash_set(name(), columns), prop::collection::vec(word, columns), weight).prop_map(
            move |(names, mut columns, weights)| {
                for column in &mut columns {
                    *column.last_mut().unwrap() &= bits::last_mask(rows);
                }
                let mut names: Vec<_> = names.into_iter().collect();
                names.sort();
                Frame { weights: weighted.then_some(weights), ..booleans(names, columns, rows) }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bits_that_are_written_read_back(table in table()) {
        let options = FrameOptions {
            weight: table.weights.as_ref().map(|_| "weight".to_owned()),
            ..FrameOptions::default()
        };
        let target = table.names.last().unwrap();
        for format in [Format::Csv, Format::Tsv] {
            let bytes = written(&table, format, Compression::None, target);
            prop_assert_eq!(&read_from(bytes.as_slice(), "t", format, &options).unwrap(), &table);
        }
        let plain = Frame {
            names: builder::default_names(table.names.len() - 1).collect(),
            weights: None,
            ..table
        };
        for format in [Format::Pla, Format::Npy] {
            let bytes = written(&plain, format, Compression::None, "y");
            prop_assert_eq!(&parse(format, bytes).unwrap(), &plain);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "([01,\t\n\r\" .#|~-]|\\.i 2\n|\\.o 1\n|\\.type fr\n|\\.ilb|a|\u{e9}){0,60}") {
        for format in [Format::Csv, Format::Tsv, Format::Pla, Format::Npy] {
            let _ = parse(format, &text);
            let _ = weighted(format, format!("w,{text}"));
            let _ = parse(format, raw_npy(&format!("{{'descr': {text}"), b""));
        }
    }

    /// Rows of plain bits and rows of anything else take different paths, to the same table.
    #[test]
    fn the_fast_path_is_the_slow_path(columns in 1usize..20, values in prop::collection::vec(any::<bool>(), 1..400), crlf in any::<bool>()) {
        let rows = values.len().div_ceil(columns);
        let cell = |at: usize| values.get(at).copied().unwrap_or_default();
        let text = |word: fn(bool, usize) -> &'static str| {
            let names = (0..columns).map(|i| format!("c{i}")).collect::<Vec<_>>();
            let lines = (0..rows).map(|row| {
                (0..columns).map(|i| word(cell(row * columns + i), row + i)).collect::<Vec<_>>().join(",")
            });
            let end = if crlf { "\r\n" } else { "\n" };
            [names.join(",")].into_iter().chain(lines).collect::<Vec<_>>().join(end)
        };
        let digits = plain(text(|bit, _| if bit { "1" } else { "0" }));
        let mixed = plain(text(|bit, at| match (bit, at % 3) {
            (true, 0) => "yes",
            (false, 0) => "\"0\"",
            (true, _) => "1",
            (false, _) => "0",
        }));
        prop_assert_eq!(digits, mixed);
    }
}

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
        // What has become a number is a word again, as it was spelled.
        (&["yes", "Yes", "maybe"], Kind::Category, "yes Yes maybe"),
        (&["01", "2.50", "x", ""], Kind::Category, "01 2.50 x "),
        (&["yes", "no", "3"], Kind::Category, "yes no 3"),
        (&["3", "yes"], Kind::Category, "3 yes"),
        (&["0", "1", "yes", "x"], Kind::Category, "0 1 yes x"),
        (&["1", "2.5", "", "1e3", "x"], Kind::Category, "1 2.5  1e3 x"),
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
    write_to(&mut bytes, &frame, Format::Csv, Compression::Gzip, None).expect("written");
    std::fs::write(&path, bytes).expect("written");
    let again = read(&path, &FrameOptions::default()).expect("a frame");
    assert_eq!((again.columns, again.names), (frame.columns, frame.names));
    let pla = folder.path().join("d.pla");
    std::fs::write(&pla, ".i 1\n.o 1\n.type fr\n0 1\n1 0\n.e\n").expect("written");
    assert_eq!(rows(&read(&pla, &FrameOptions::default()).expect("a frame")), ["01", "10"]);
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
        write_to(&mut written, &frame, Format::Csv, Compression::None, None).expect("written");
        let types = frame.names.iter().cloned().zip(frame.columns.iter().map(Values::kind)).collect();
        let options = FrameOptions { types, ..FrameOptions::default() };
        let again = read_from(written.as_slice(), "d.csv", Format::Csv, &options).expect("a frame");
        for (before, after) in frame.columns.iter().zip(&again.columns) {
            prop_assert_eq!(cells(before, frame.rows), cells(after, frame.rows));
            prop_assert_eq!(before.kind(), after.kind());
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), tsv in any::<bool>()) {
        let format = if tsv { Format::Tsv } else { Format::Csv };
        let _ = read_from(bytes.as_slice(), "d", format, &FrameOptions::default());
        let _ = read_from([b"a,b\n".as_slice(), &bytes].concat().as_slice(), "d", format, &FrameOptions::default());
    }
}
