//! Endings, compression, streams that fail, and what is written.

use super::*;

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
    let options = FrameOptions { format: Some(Format::Csv), ..FrameOptions::default() };
    let (_folder, path) = file("data.txt", b"a,b\n0,1\n");
    assert_eq!(rows(&read(&path, &options).unwrap()), ["01"]);
    let missing = read("no/such.csv".as_ref(), &options).unwrap_err().to_string();
    assert_eq!(missing, "no/such.csv:1:1: cannot be read: No such file or directory (os error 2)");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_asks_for_its_feature() {
    assert_eq!(
        file_message("t.parquet", b"", &FrameOptions::default()),
        "t.parquet: Parquet files need the `parquet` feature: build with `--features parquet`"
    );
}

/// Rows that do not compress away.
fn noisy(rows: usize, columns: usize) -> Frame {
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
    booleans(names, columns, rows)
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
            let back = read(&path, &FrameOptions::default()).unwrap();
            assert_eq!(back.source, path.display().to_string());
            assert!(Frame { source: "t".into(), ..back } == table, "{format}{ending}");
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
            let message = file_message(&name, &bytes[..length], &FrameOptions::default());
            assert!(
                message.ends_with(": the file ends early: it was cut off, so get it again"),
                "{length}: {message}"
            );
        }
        let mut damaged = bytes.clone();
        damaged[..4].fill(b'0');
        let message = file_message(&format!("t.csv.{ending}"), &damaged, &FrameOptions::default());
        assert!(message.starts_with(&format!("t.csv.{ending}:1:1: cannot be read: ")), "{message}");
        for at in (0..bytes.len()).step_by(31) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let (_folder, path) = file(&format!("t.csv.{ending}"), &damaged);
            // A header's comment or time may change unseen; the rows may not.
            if let Ok(back) = read(&path, &FrameOptions::default()) {
                assert_eq!(rows(&back), rows(&table), "{at}");
            }
        }
    }
}

#[test]
fn frames_and_members_one_after_the_other_are_one_file() {
    let table = plain("a,y\n0,1\n");
    for (compression, ending) in [(Compression::Gzip, "gz"), (Compression::Zstd, "zst")] {
        let mut bytes = written(&table, Format::Csv, compression, "y");
        if compression == Compression::Zstd {
            bytes.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]); // A frame to be skipped.
        }
        let more = Frame { names: vec!["1".into(), "0".into()], ..table.clone() };
        bytes.extend(written(&more, Format::Csv, compression, "0"));
        let (_folder, path) = file(&format!("t.csv.{ending}"), &bytes);
        assert_eq!(rows(&read(&path, &FrameOptions::default()).unwrap()), ["01", "10", "01"]);
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
            read_from(text.as_bytes().chain(Broken), "t", format, &FrameOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), "t:3:1: cannot be read: the disk is on fire");
    }
}

#[test]
fn what_a_format_cannot_hold_is_not_written() {
    let table = plain("a b,y\n0,1\n");
    let weights = Frame { weights: Some(vec![1_500_000]), ..plain("weight,y\n0,1\n") };
    let fault = |table: &Frame, format, target: &str| {
        write_to(&mut Vec::new(), table, format, Compression::None, Some(target)).unwrap_err().to_string()
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
    let damaged = Frame { rows: 65, ..table.clone() };
    let damage = "the table is damaged: 2 columns, 2 names and 65 rows do not fit together";
    assert_eq!(fault(&damaged, Format::Csv, "y"), damage);
    let (_folder, path) = file("full", b"");
    let mut read_only = File::open(path).unwrap();
    let error = write_to(&mut read_only, &table, Format::Csv, Compression::None, Some("y")).unwrap_err();
    assert!(matches!(&error, WriteError::Io(_)) && error.to_string().starts_with("cannot be written: "));
}

#[test]
fn the_target_is_written_last() {
    let table = plain("y,\"a,b\"\n0,1\n1,1\n");
    assert_eq!(written(&table, Format::Csv, Compression::None, "y"), b"\"a,b\",y\n1,0\n1,1\n");
    let weights = Frame { weights: Some(vec![1_500_000, 2_000_000]), ..table };
    assert_eq!(
        written(&weights, Format::Tsv, Compression::None, "y"),
        b"weight\ta,b\ty\n1.500000\t1\t0\n2\t1\t1\n"
    );
}
