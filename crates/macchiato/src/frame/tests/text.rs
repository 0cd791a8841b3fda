//! Separated values: spellings, odd files, faults, weights.

use super::*;

#[test]
fn every_spelling_of_a_boolean_is_read() {
    let table = plain("a,b,c\n0,false,No\n1,TRUE,yes\n f ,\tn,F\nT,Y, t\n");
    assert_eq!(table.names, ["a", "b", "c"]);
    assert_eq!(rows(&table), ["000", "111", "000", "111"]);
    assert_eq!(table.weights, None);
    let tsv = parse(Format::Tsv, "a\tb\n0\tyes\n").unwrap();
    assert_eq!((tsv.names.concat(), rows(&tsv)), ("ab".to_owned(), vec!["01".to_owned()]));
}

#[test]
fn odd_csv_files_read_as_the_plain_one() {
    let expected = plain("a,b\n0,1\n1,1\n");
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
        assert_eq!(plain(text), expected, "{what}");
    }
    assert_eq!(plain("\"a,\n\"\"b\"\"\",c\n0,1\n").names, ["a,\n\"b\"", "c"]);
    // What pandas writes for a frame of two columns without names.
    assert_eq!(plain("0,1\n1,1\n").names, ["0", "1"]);
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
        ("a,b\n0,1\n\"0,1\n", "t:3:1: a quote opens in this row and never closes: close it"),
    ];
    for (text, expected) in faults {
        assert_eq!(message(Format::Csv, text), *expected, "{text:?}");
    }
    assert_eq!(
        message(Format::Csv, b"a,b\n0,\xff\n"),
        "t:2:2: this cell is not UTF-8 text in column \"b\": save the file as UTF-8"
    );
    assert_eq!(
        message(Format::Csv, b"a,\xff\n0,1\n"),
        "t:1:2: this name is not UTF-8 text: save the file as UTF-8"
    );
}

#[test]
fn an_endless_row_is_refused_before_it_fills_the_memory() {
    let fault = |byte| {
        let endless = io::repeat(byte);
        read_from(endless, "t", Format::Csv, &FrameOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(fault(b'"'), "t:1:1: this row is longer than 16777216 bytes: is a quote left open?");
    assert_eq!(fault(b','), fault(b'"'));
}

#[test]
fn columns_past_the_cap_are_refused() {
    let line = |cell: &str, columns: usize| vec![cell; columns].join(",");
    let names = |columns: usize| (0..columns).map(|i| format!("n{i}")).collect::<Vec<_>>().join(",");
    let most = MAX_INPUTS + 1;
    let table = plain(format!("{}\n{}\n", names(most), line("1", most)));
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
    let options = FrameOptions { weight: Some("x1".into()), ..FrameOptions::default() };
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
    let options = FrameOptions { weight: Some("w".into()), ..FrameOptions::default() };
    let table = read(&path, &options).unwrap();
    assert_eq!(table.names, ["x1", "x2", "y"]);
    assert_eq!(
        (rows(&table), table.weights),
        (vec!["011".into(), "110".into()], Some(vec![300_000, 4_000_000]))
    );
}
