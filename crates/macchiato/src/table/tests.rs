use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::bits;

fn parse(format: Format, bytes: impl AsRef<[u8]>) -> Result<Table, ReadError> {
    read_from(bytes.as_ref(), "t", format, &ReadOptions::default())
}

fn csv(text: impl AsRef<[u8]>) -> Table {
    parse(Format::Csv, text).unwrap_or_else(|error| panic!("{error}"))
}

fn message(format: Format, bytes: impl AsRef<[u8]>) -> String {
    parse(format, bytes).expect_err("a fault").to_string()
}

fn weighted(format: Format, bytes: impl AsRef<[u8]>) -> Result<Table, ReadError> {
    let options = ReadOptions { weight: Some("w".into()), ..ReadOptions::default() };
    read_from(bytes.as_ref(), "t", format, &options)
}

fn written(table: &Table, format: Format, compression: Compression, target: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, table, format, compression, target).unwrap_or_else(|error| panic!("{error}"));
    bytes
}

/// The rows as text, one character a cell.
fn rows(table: &Table) -> Vec<String> {
    let cell = |column: &Vec<u64>, row| if bits::get(column, row) { '1' } else { '0' };
    (0..table.rows).map(|row| table.columns.iter().map(|column| cell(column, row)).collect()).collect()
}

/// A file in a folder of its own, which goes when the guard does.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// The message of a file's fault, without its folder.
fn file_message(name: &str, bytes: &[u8], options: &ReadOptions) -> String {
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

#[test]
fn every_spelling_of_a_boolean_is_read() {
    let table = csv("a,b,c\n0,false,No\n1,TRUE,yes\n f ,\tn,F\nT,Y, t\n");
    assert_eq!(table.names, ["a", "b", "c"]);
    assert_eq!(rows(&table), ["000", "111", "000", "111"]);
    assert_eq!(table.weights, None);
    let tsv = parse(Format::Tsv, "a\tb\n0\tyes\n").unwrap();
    assert_eq!((tsv.names, tsv.columns), (vec!["a".to_owned(), "b".to_owned()], vec![vec![0], vec![1]]));
}

#[test]
fn odd_csv_files_read_as_the_plain_one() {
    let plain = csv("a,b\n0,1\n1,1\n");
    let odd = [
        ("byte order mark", "\u{feff}a,b\n0,1\n1,1\n"),
        ("byte order mark before a quote", "\u{feff}\"a\",b\n0,1\n1,1\n"),
        ("carriage returns", "a,b\r\n0,1\r\n1,1\r\n"),
        ("no end of line", "a,b\n0,1\n1,1"),
        ("blank lines", "\n\na,b\n\n0,1\r\n\r\n1,1\n\n"),
        ("spaces", " a , b\n0 , 1\n1,1 \n"),
        ("quotes", "\"a\",\"b\"\n\"0\",1\n1,\"1\"\n"),
    ];
    for (what, text) in odd {
        assert_eq!(csv(text), plain, "{what}");
    }
    assert_eq!(csv("\"a,\n\"\"b\"\"\",c\n0,1\n").names, ["a,\n\"b\"", "c"]);
    // What pandas writes for a frame of two columns without names.
    assert_eq!(csv("0,1\n1,1\n").names, ["0", "1"]);
}

#[test]
fn faults_of_csv_files_name_line_and_field() {
    let faults: &[(&str, &str)] = &[
        ("", "t:1:1: the file is empty: expected a header line"),
        ("\n\r\n", "t:1:1: the file is empty: expected a header line"),
        ("a,b\n", "t:2:1: there are no rows: add at least one"),
        ("a,b", "t:1:1: there are no rows: add at least one"),
        (
            "a,,b\n0,1,0\n",
            "t:1:2: this column has no name: name it, or remove it (pandas: `to_csv(index=False)`)",
        ),
        ("a,b,a\n0,1,0\n", "t:1:3: column 1 is named \"a\" too: rename one of the two"),
        ("0,1,0\n0,1,0\n", "t:1:1: the first line holds values, not names: put a header line before it"),
        ("a,b\n0,1\n\n1\n", "t:4:2: this row has 1 cells where the header names 2: complete it"),
        ("a,b\r\n0,1\r\n1,0,1\r\n", "t:3:3: this row has 3 cells where the header names 2: shorten it"),
        (
            "a,smoker\n0,1\n1,maybe\n",
            "t:3:2: \"maybe\" is not Boolean in column \"smoker\": use 0/1, true/false or yes/no",
        ),
        ("a,b\n0,\n", "t:2:2: \"\" is not Boolean in column \"b\": use 0/1, true/false or yes/no"),
        ("a,b\n0,2\n", "t:2:2: \"2\" is not Boolean in column \"b\": use 0/1, true/false or yes/no"),
        ("a,b\n0,1\n\"0,1\n", "t:3:1: a quote opens in this row and never closes: close it"),
        (
            "\"a\nb\",c\n0,1\n0,x\n",
            "t:4:2: \"x\" is not Boolean in column \"c\": use 0/1, true/false or yes/no",
        ),
    ];
    for (text, expected) in faults {
        assert_eq!(message(Format::Csv, text), *expected, "{text:?}");
    }
    assert_eq!(
        message(Format::Csv, b"a,b\n0,\xff\n"),
        "t:2:2: \"\u{fffd}\" is not Boolean in column \"b\": use 0/1, true/false or yes/no"
    );
    assert_eq!(
        message(Format::Csv, b"a,\xff\n0,1\n"),
        "t:1:2: this name is not UTF-8 text: save the file as UTF-8"
    );
    let long = format!("a\n{}\n", "x".repeat(99));
    let shown = "x".repeat(32);
    assert!(message(Format::Csv, long).starts_with(&format!("t:2:1: \"{shown}...\" is not Boolean")));
}

#[test]
fn an_endless_row_is_refused_before_it_fills_the_memory() {
    let fault = |byte| {
        let endless = io::repeat(byte);
        read_from(endless, "t", Format::Csv, &ReadOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(fault(b'"'), "t:1:1: this row is longer than 16777216 bytes: is a quote left open?");
    assert_eq!(fault(b','), fault(b'"'));
}

#[test]
fn columns_past_the_cap_are_refused() {
    let line = |cell: &str, columns: usize| vec![cell; columns].join(",");
    let names = |columns: usize| (0..columns).map(|i| format!("n{i}")).collect::<Vec<_>>().join(",");
    let most = MAX_INPUTS + 1;
    let table = csv(format!("{}\n{}\n", names(most), line("1", most)));
    assert_eq!((table.names.len(), table.rows), (most, 1));
    assert_eq!(
        message(Format::Csv, format!("{}\n{}\n", names(most + 1), line("1", most + 1))),
        "t:1:65537: too many columns: at most 65535 and a target are read, so remove some"
    );
    assert_eq!(
        message(Format::Npy, npy("|u1", false, "(1, 99999999)", b"")),
        "t:1:1: too many columns: at most 65535 and a target are read, so remove some"
    );
}

#[test]
fn weights_are_exact_millionths() {
    let table =
        weighted(Format::Csv, "a,w,y\n0,1,1\n1,0.5,0\n1,+12.000001,1\n0,.250000000,1\n1,3.,0\n").unwrap();
    assert_eq!(table.names, ["a", "y"]);
    assert_eq!(rows(&table), ["01", "10", "11", "01", "10"]);
    assert_eq!(table.weights, Some(vec![1_000_000, 500_000, 12_000_001, 250_000, 3_000_000]));
    for bad in ["-1", "nan", "", ".", "0.0000001", "1e3", "1,", "99999999999999999999"] {
        assert_eq!(
            weighted(Format::Tsv, format!("w\ty\n1\t1\n{bad}\t0\n")).unwrap_err().to_string(),
            format!(
                "t:3:1: {bad:?} is no weight in column \"w\": use a number from 0 on with at most 6 decimals"
            )
        );
    }
    assert_eq!(
        weighted(Format::Csv, "w,y\n9000000000000,1\n300000000000,1\n").unwrap_err().to_string(),
        "t:3:1: the weights up to here add up to more than 9 trillion: divide them all by a constant"
    );
    assert_eq!(
        weighted(Format::Csv, "a,b\n0,1\n").unwrap_err().to_string(),
        "t:1:1: no column is named \"w\", which should hold the weights: there are \"a\", \"b\""
    );
    assert_eq!(
        weighted(Format::Csv, "w\n1\n").unwrap_err().to_string(),
        "t:1:1: there are no columns of values: add at least one"
    );
}

#[test]
fn weights_come_from_arrays_too() {
    let floats = |values: [f64; 4]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let options = ReadOptions { weight: Some("x1".into()), ..ReadOptions::default() };
    for (fortran, values) in [(false, [0.1, 1.0, 2.5, 0.0]), (true, [0.1, 2.5, 1.0, 0.0])] {
        let bytes = npy("<f8", fortran, "(2, 2)", &floats(values));
        let table = read_from(bytes.as_slice(), "t", Format::Npy, &options).unwrap();
        assert_eq!(
            (rows(&table), table.weights),
            (vec!["1".into(), "0".into()], Some(vec![100_000, 2_500_000]))
        );
    }
    let arrays = [
        ("X", npy("|u1", false, "(2, 2)", &[0, 1, 1, 1])),
        ("y", npy("|b1", false, "(2,)", &[1, 0])),
        ("w", npy("<f4", false, "(2, 1)", &[0.3f32, 4.0].map(f32::to_le_bytes).concat())),
    ];
    let (_folder, path) = file("t.npz", &npz(&arrays));
    let options = ReadOptions { weight: Some("w".into()), ..ReadOptions::default() };
    let table = read(&path, &options).unwrap();
    assert_eq!(table.names, ["x1", "x2", "y"]);
    assert_eq!(
        (rows(&table), table.weights),
        (vec!["011".into(), "110".into()], Some(vec![300_000, 4_000_000]))
    );
}

#[test]
fn pla_rows_are_samples() {
    let table = parse(
        Format::Pla,
        "# head\n.i 3\n.o 1\n.ilb a b[1] c#\n.ob out\n.type fr\n.p 99\n010 1\n010 1 # again\n010 0\n1|1|1 4\n\t00\n03\n.e\nx",
    )
    .unwrap();
    assert_eq!(table.names, ["a", "b[1]", "c#", "out"]);
    assert_eq!(rows(&table), ["0101", "0101", "0100", "1111", "0000"]);
    let odd = parse(Format::Pla, "\u{feff}adder, 1986\r\n.type fr .i 2 .o 1\r\n.phase 1\r\n011\r\n10 0\r\n")
        .unwrap();
    assert_eq!((odd.names.concat(), rows(&odd)), ("x1x2y".into(), vec!["011".into(), "100".into()]));
}

#[test]
fn faults_of_pla_files_name_line_and_byte() {
    let head = ".i 2\n.o 1\n.type fr\n";
    let free = "row has free inputs; expand it or minimize it with `macchiato minimize`";
    let faults = [
        (String::new(), "1:1: the file is empty: expected `.i`".into()),
        (head.into(), "4:1: there are no rows: add at least one".into()),
        (format!("{head}01 1\n0- 1\n"), format!("5:2: {free}")),
        (
            format!("{head}01 -\n"),
            "4:4: `-` is no label: write `1` for ON or `0` for OFF, or remove the row".into(),
        ),
        (
            ".i 2\n.o 1\n01 1\n".into(),
            "3:1: rows need labels, so the type must be fr, not fd: put `.type fr` before the rows".into(),
        ),
        (
            ".type fdr\n".into(),
            "1:7: rows need labels, so the type must be fr, not fdr: put `.type fr` before the rows".into(),
        ),
        (
            ".o 2\n".into(),
            "1:1: the file has 2 outputs: exactly one is learned, so write one file for each".into(),
        ),
        (".mv 3\n".into(), "1:1: unknown keyword `.mv`: remove the line, or put `#` before it".into()),
        (
            ".i 1\n.o 1\n.phase 0\n".into(),
            "3:1: `.phase` is not supported: only binary inputs and outputs in positive phase are".into(),
        ),
        (".i two\n".into(), "1:4: `.i` needs a whole number, not `two`".into()),
        (
            ".i 65536\n".into(),
            "1:4: `.i` is too large: at most 65535 inputs and 65535 outputs are read".into(),
        ),
        (".i 2\n.i 3\n".into(), "2:4: `.i` was 2 before and cannot change to 3".into()),
        (".type q\n".into(), "1:7: unknown type `q`: `f`, `fd`, `fr` and `fdr` are known".into()),
        (
            "01 1\n".into(),
            "1:1: the numbers of inputs and outputs must be known by here: `.i` is missing".into(),
        ),
        (
            ".i 2\n".into(),
            "2:1: the numbers of inputs and outputs must be known by here: `.o` is missing".into(),
        ),
        (
            format!("{head}0x 1\n"),
            "4:2: `x` is no input value: write `0`, `1`, or `-` for a free input".into(),
        ),
        (format!("{head}01 x\n"), "4:4: `x` is no output value: write `0`, `1`, `-`, or `~`".into()),
        (
            format!("{head}01 1\n01\n.e"),
            "5:1: this row has only 2 of its 3 values: complete it, or correct `.i` or `.o`".into(),
        ),
        (
            format!("{head}01 11\n"),
            "4:5: the row of line 4 goes on after its 3 values: shorten it, or correct `.i` or `.o`".into(),
        ),
        (format!("{head}.ilb a\n"), "4:1: `.ilb` has 1 names where there are 2 to be named".into()),
        (format!("{head}.ilb a y\n01 1\n"), "5:3: column 2 is named \"y\" too: rename one of the two".into()),
    ];
    for (text, expected) in faults {
        assert_eq!(message(Format::Pla, &text), format!("t:{expected}"), "{text:?}");
    }
    assert_eq!(
        message(Format::Pla, b".i 1\n.o 1\n.ilb \xff\n"),
        "t:3:6: this name is not UTF-8 text: rename it"
    );
}

#[test]
fn arrays_of_every_type_and_order_are_read() {
    let expected = ["011", "100"];
    let cells = [0u8, 1, 1, 1, 0, 0];
    let wide = |bytes: fn(u8) -> Vec<u8>| cells.iter().flat_map(|&cell| bytes(cell)).collect::<Vec<_>>();
    let types: [(&str, Vec<u8>); 12] = [
        ("|b1", cells.to_vec()),
        ("|i1", cells.to_vec()),
        ("|u1", cells.to_vec()),
        ("<i2", wide(|cell| i16::from(cell).to_le_bytes().into())),
        (">i2", wide(|cell| i16::from(cell).to_be_bytes().into())),
        ("<u4", wide(|cell| u32::from(cell).to_le_bytes().into())),
        ("<i4", wide(|cell| i32::from(cell).to_le_bytes().into())),
        ("<i8", wide(|cell| i64::from(cell).to_le_bytes().into())),
        (">u8", wide(|cell| u64::from(cell).to_be_bytes().into())),
        ("<f4", wide(|cell| f32::from(cell).to_le_bytes().into())),
        ("<f8", wide(|cell| f64::from(cell).to_le_bytes().into())),
        (">f8", wide(|cell| f64::from(cell).to_be_bytes().into())),
    ];
    for (descr, bytes) in types {
        let table = parse(Format::Npy, npy(descr, false, "(2, 3)", &bytes)).unwrap();
        assert_eq!(rows(&table), expected, "{descr}");
        assert_eq!(table.names, ["x1", "x2", "y"]);
    }
    let columns = parse(Format::Npy, npy("|u1", true, "(2, 3)", &[0, 1, 1, 0, 1, 0])).unwrap();
    assert_eq!(rows(&columns), expected);
    let tall: Vec<u8> = (0..200).map(|row| u8::from(row % 3 == 0)).collect();
    let by_row = parse(Format::Npy, npy("|u1", false, "(200, 1)", &tall)).unwrap();
    assert_eq!(parse(Format::Npy, npy("|u1", true, "(200, 1)", &tall)).unwrap(), by_row);
}

#[test]
fn faults_of_arrays_are_named() {
    let array = |descr: &str, shape: &str, bytes: &[u8]| npy(descr, false, shape, bytes);
    let i2 = [0u16, 1, 65_535, 1].map(u16::to_le_bytes).concat();
    let faults: Vec<(Vec<u8>, &str)> = vec![
        (vec![], "t:1:1: the file is empty: expected a NumPy array"),
        (b"\x93NUM".to_vec(), "t:1:1: the file ends early: it was cut off, so get it again"),
        (b"a,b,c\n0,1,1\n".to_vec(), "t: this is no NumPy array: save it with `numpy.save`"),
        (array("|u1", "(2, 2)", &[0, 1, 1]), "t:2:1: the file ends early: it was cut off, so get it again"),
        (array("|u1", "(0, 2)", &[]), "t:1:1: there are no rows: add at least one"),
        (array("|u1", "(2, 0)", &[]), "t:1:1: there are no columns of values: add at least one"),
        (
            array("|u1", "(4,)", &[0; 4]),
            "t: the array's shape is (4): expected two dimensions, rows and columns",
        ),
        (
            array("|u1", "(2, 2)", &[0, 1, 7, 1]),
            "t:2:1: \"7\" is not Boolean in column \"x1\": use 0/1, true/false or yes/no",
        ),
        (
            array("<i2", "(2, 2)", &i2),
            "t:2:1: \"-1\" is not Boolean in column \"x1\": use 0/1, true/false or yes/no",
        ),
        (
            array("<f8", "(1, 1)", &0.5f64.to_le_bytes()),
            "t:1:1: \"0.5\" is not Boolean in column \"y\": use 0/1, true/false or yes/no",
        ),
        (
            array("<f2", "(1, 1)", &[0; 2]),
            "t: arrays of \"<f2\" are not read: convert it with `astype(\"uint8\")`",
        ),
        (
            raw_npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,), }", b""),
            "t: arrays of \"records\" are not read: convert it with `astype(\"uint8\")`",
        ),
        (
            raw_npy("{'descr': '|u1', 'fortran_order': Maybe}", b""),
            "t: the array's header is damaged at \"Maybe}\": save it again with `numpy.save`",
        ),
        (
            array("|u1", "(99999999999999999999, 2)", b""),
            "t: the array's header is damaged at \"99999999999999999999, 2), }\": save it again with `numpy.save`",
        ),
        (
            b"\x93NUMPY\x02\x00\xff\xff\xff\x7f".to_vec(),
            "t: the array's header is damaged at \"2147483647 bytes\": save it again with `numpy.save`",
        ),
        // A claim of more rows than any file has costs nothing.
        (
            array("|u1", "(18446744073709551615, 2)", &[0, 1]),
            "t:2:1: the file ends early: it was cut off, so get it again",
        ),
    ];
    for (bytes, expected) in faults {
        assert_eq!(message(Format::Npy, &bytes), expected);
    }
}

#[test]
fn archives_hold_x_and_y_or_one_array() {
    let x = npy("|u1", false, "(2, 2)", &[0, 1, 1, 1]);
    let y = |shape: &str| npy("<i8", false, shape, &[1i64, 0].map(i64::to_le_bytes).concat());
    let table = |arrays: &[(&str, Vec<u8>)]| {
        let (_folder, path) = file("t.npz", &npz(arrays));
        read(&path, &ReadOptions::default()).unwrap()
    };
    let both = table(&[("other", x.clone()), ("X", x.clone()), ("y", y("(2,)"))]);
    assert_eq!((both.names.concat(), rows(&both)), ("x1x2y".into(), vec!["011".into(), "110".into()]));
    let fortran = npy("|u1", true, "(2, 2)", &[0, 1, 1, 1]);
    assert_eq!(rows(&table(&[("y", y("(2, 1)")), ("x", fortran)])), rows(&both));
    let one = table(&[("arr_0", x.clone())]);
    assert_eq!((one.names.concat(), rows(&one)), ("x1y".into(), vec!["01".into(), "11".into()]));

    let fault = |arrays: &[(&str, Vec<u8>)]| file_message("t.npz", &npz(arrays), &ReadOptions::default());
    assert_eq!(
        fault(&[("a", x.clone()), ("b", x.clone())]),
        "t.npz: expected the arrays X and y, or a single one: there are \"a\", \"b\""
    );
    assert_eq!(
        fault(&[("X", x.clone()), ("y", npy("|u1", false, "(3,)", &[0; 3]))]),
        "t.npz: the array \"y\" has 3 rows where X has 2: save them again together"
    );
    let message = fault(&[("X", x.clone()), ("y", x.clone())]);
    assert!(
        message.ends_with("t.npz/y.npy: the array's shape is (2, 2): expected one dimension"),
        "{message}"
    );
    let whole = npz(&[("X", x), ("y", y("(2,)"))]);
    let message = file_message("t.npz", &whole[..whole.len() - 30], &ReadOptions::default());
    assert!(message.starts_with("t.npz: this archive is damaged or ends early: "), "{message}");
    assert!(message.lines().count() == 1);
}

#[test]
fn endings_name_the_format() {
    let format = |name: &str| Format::from_path(name.as_ref()).map_err(|error| error.to_string());
    assert_eq!(format("a/b.csv"), Ok((Format::Csv, Compression::None)));
    assert_eq!(format("b.TSV.GZ"), Ok((Format::Tsv, Compression::Gzip)));
    assert_eq!(format("b.pla.zst"), Ok((Format::Pla, Compression::Zstd)));
    assert_eq!(format("b.parquet"), Ok((Format::Parquet, Compression::None)));
    let unknown = "the ending names no known format: use .csv, .tsv, .pla, .npy (also with .gz or .zst), .npz or .parquet";
    for name in ["", "csv", ".csv", "a.txt", "a.gz", "a.csv.bz2"] {
        assert_eq!(format(name), Err(format!("{name}: {unknown}")));
    }
    assert_eq!(
        format("a.npz.gz"),
        Err("a.npz.gz: npz files are not read through gzip or zstd: decompress it first".into())
    );
    assert_eq!(message(Format::Npz, ""), "t: npz cannot be read from a stream: save it and name the file");
    let options = ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() };
    let (_folder, path) = file("data.txt", b"a,b\n0,1\n");
    assert_eq!(rows(&read(&path, &options).unwrap()), ["01"]);
    let missing = read("no/such.csv".as_ref(), &options).unwrap_err().to_string();
    assert_eq!(missing, "no/such.csv:1:1: cannot be read: No such file or directory (os error 2)");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_asks_for_its_feature() {
    assert_eq!(
        file_message("t.parquet", b"", &ReadOptions::default()),
        "t.parquet: Parquet files need the `parquet` feature: build with `--features parquet`"
    );
}

/// Rows that do not compress away.
fn noisy(rows: usize, columns: usize) -> Table {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 32 ^ state
    };
    let mut column = || {
        let mut words: Vec<_> = (0..bits::words(rows)).map(|_| next()).collect();
        if let Some(last) = words.last_mut() {
            *last &= bits::last_mask(rows);
        }
        words
    };
    let columns: Vec<_> = (0..columns).map(|_| column()).collect();
    let names = builder::default_names(columns.len() - 1).collect();
    Table { source: "t".into(), names, columns, rows, weights: None }
}

#[test]
fn a_hundred_thousand_rows_survive_every_compression() {
    let table = noisy(100_000, 23);
    for format in [Format::Csv, Format::Tsv, Format::Pla, Format::Npy] {
        for (compression, ending) in
            [(Compression::None, ""), (Compression::Gzip, ".gz"), (Compression::Zstd, ".zst")]
        {
            let bytes = written(&table, format, compression, "y");
            assert_eq!(bytes, written(&table, format, compression, "y"));
            let (_folder, path) = file(&format!("t.{format}{ending}"), &bytes);
            let back = read(&path, &ReadOptions::default()).unwrap();
            assert_eq!(back.source, path.display().to_string());
            assert!(Table { source: "t".into(), ..back } == table, "{format}{ending}");
        }
    }
}

#[test]
fn compressed_files_that_end_early_say_so() {
    let table = noisy(3000, 5);
    for (compression, ending) in [(Compression::Gzip, "gz"), (Compression::Zstd, "zst")] {
        let bytes = written(&table, Format::Csv, compression, "y");
        for length in (1..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
            let name = format!("t.csv.{ending}");
            let message = file_message(&name, &bytes[..length], &ReadOptions::default());
            assert!(
                message.ends_with(": the file ends early: it was cut off, so get it again"),
                "{length}: {message}"
            );
        }
        let mut damaged = bytes.clone();
        damaged[..4].fill(b'0');
        let message = file_message(&format!("t.csv.{ending}"), &damaged, &ReadOptions::default());
        assert!(message.starts_with(&format!("t.csv.{ending}:1:1: cannot be read: ")), "{message}");
        for at in (0..bytes.len()).step_by(31) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let (_folder, path) = file(&format!("t.csv.{ending}"), &damaged);
            // A header's comment or time may change unseen; the rows may not.
            if let Ok(back) = read(&path, &ReadOptions::default()) {
                assert_eq!(rows(&back), rows(&table), "{at}");
            }
        }
    }
}

#[test]
fn frames_and_members_one_after_the_other_are_one_file() {
    let table = csv("a,y\n0,1\n");
    for (compression, ending) in [(Compression::Gzip, "gz"), (Compression::Zstd, "zst")] {
        let mut bytes = written(&table, Format::Csv, compression, "y");
        if compression == Compression::Zstd {
            bytes.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]); // A frame to be skipped.
        }
        let more = Table { names: vec!["1".into(), "0".into()], ..table.clone() };
        bytes.extend(written(&more, Format::Csv, compression, "0"));
        let (_folder, path) = file(&format!("t.csv.{ending}"), &bytes);
        assert_eq!(rows(&read(&path, &ReadOptions::default()).unwrap()), ["01", "10", "01"]);
    }
}

#[test]
fn a_failing_stream_is_reported_where_it_failed() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    for (format, text) in [(Format::Csv, "a,y\n0,1\n"), (Format::Pla, ".i 1\n.o 1\n")] {
        let error =
            read_from(text.as_bytes().chain(Broken), "t", format, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), "t:3:1: cannot be read: the disk is on fire");
    }
}

#[test]
fn what_a_format_cannot_hold_is_not_written() {
    let table = csv("a b,y\n0,1\n");
    let weights = Table { weights: Some(vec![1_500_000]), ..csv("weight,y\n0,1\n") };
    let fault = |table: &Table, format, target: &str| {
        write_to(&mut Vec::new(), table, format, Compression::None, target).unwrap_err().to_string()
    };
    let none = "no column is named \"z\", which should be the target";
    assert_eq!(fault(&table, Format::Csv, "z"), none);
    let name = "\"a b\" cannot be a column's name in a pla file: rename it, or write .csv";
    assert_eq!(fault(&table, Format::Pla, "y"), name);
    let name = "\"weight\" cannot be a column's name in a csv file: rename it";
    assert_eq!(fault(&weights, Format::Csv, "y"), name);
    assert_eq!(fault(&weights, Format::Npy, "y"), "npy files cannot hold row weights: write .csv or .tsv");
    let format = "npz files are read but not written: write .csv, .tsv, .pla or .npy";
    assert_eq!(fault(&table, Format::Npz, "y"), format);
    let damaged = Table { rows: 65, ..table.clone() };
    let damage = "the table is damaged: 2 columns, 2 names and 65 rows do not fit together";
    assert_eq!(fault(&damaged, Format::Csv, "y"), damage);
    let (_folder, path) = file("full", b"");
    let mut read_only = File::open(path).unwrap();
    let error = write_to(&mut read_only, &table, Format::Csv, Compression::None, "y").unwrap_err();
    assert!(matches!(&error, WriteError::Io(_)) && error.to_string().starts_with("cannot be written: "));
}

#[test]
fn the_target_is_written_last() {
    let table = csv("y,\"a,b\"\n0,1\n1,1\n");
    assert_eq!(written(&table, Format::Csv, Compression::None, "y"), b"\"a,b\",y\n1,0\n1,1\n");
    let weights = Table { weights: Some(vec![1_500_000, 2_000_000]), ..table };
    assert_eq!(
        written(&weights, Format::Tsv, Compression::None, "y"),
        b"weight\ta,b\ty\n1.500000\t1\t0\n2\t1\t1\n"
    );
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z_,\"#.\u{e9}\u{feff}-][a-z \n\r\t,\"#0-9]{0,4}[a-z\"]"
}

fn table() -> impl Strategy<Value = Table> {
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
                Table { source: "t".into(), names, columns, rows, weights: weighted.then_some(weights) }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_reads_back(table in table()) {
        let options = ReadOptions {
            weight: table.weights.as_ref().map(|_| "weight".to_owned()),
            ..ReadOptions::default()
        };
        let target = table.names.last().unwrap();
        for format in [Format::Csv, Format::Tsv] {
            let bytes = written(&table, format, Compression::None, target);
            prop_assert_eq!(&read_from(bytes.as_slice(), "t", format, &options).unwrap(), &table);
        }
        let plain = Table {
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
    fn no_bytes_make_a_reader_panic(text in "([01,\t\n\r\" .#|~-]|\\.i 2\n|\\.o 1\n|\\.type fr\n|\\.ilb|a|\u{e9}){0,60}") {
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
        let plain = csv(text(|bit, _| if bit { "1" } else { "0" }));
        let mixed = csv(text(|bit, at| match (bit, at % 3) {
            (true, 0) => "yes",
            (false, 0) => "\"0\"",
            (true, _) => "1",
            (false, _) => "0",
        }));
        prop_assert_eq!(plain, mixed);
    }
}
