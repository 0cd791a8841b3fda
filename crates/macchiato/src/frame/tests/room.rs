//! Files that unfold to more than they may take: refused as their rows come, whatever the format and the reader.

use super::*;

const LIMIT: u64 = 1 << 16;
const ROWS: usize = 40_000;

/// All zeros, which compress to next to nothing: twice the limit as bits.
fn bomb(format: Format, compression: Compression) -> Vec<u8> {
    let columns = vec![vec![0u64; bits::words(ROWS)]; 16];
    let names = (0..16).map(|column| format!("c{column}")).collect();
    written(&booleans(names, columns, ROWS), format, compression, "c15")
}

fn refused<T: std::fmt::Debug>(read: impl Fn(Option<u64>) -> Result<T, ReadError>, name: &str) {
    let error = read(Some(LIMIT)).expect_err(name).to_string();
    let end = format!(
        "{name}: its rows take more than 64 KiB of memory: allow more (--max-memory), or give fewer rows or columns"
    );
    assert!(error.ends_with(&end), "{error}");
    assert!(read(None).is_ok() && read(Some(1 << 30)).is_ok(), "{name}");
}

#[test]
fn bombs_of_every_format_are_refused() {
    let mut files = Vec::new();
    for (compression, ending) in
        [(Compression::None, ""), (Compression::Gzip, ".gz"), (Compression::Zstd, ".zst")]
    {
        for format in [Format::Csv, Format::Tsv, Format::Pla, Format::Npy] {
            files.push((format!("t.{format}{ending}"), bomb(format, compression)));
        }
    }
    let shape = format!("({ROWS}, 16)");
    files.push(("t.npz".into(), npz(&[("X", npy("|u1", false, &shape, &vec![0; ROWS * 16]))])));
    files.push(("columns.npz".into(), npz(&[("X", npy("|u1", true, &shape, &vec![0; ROWS * 16]))])));
    for (name, bytes) in files {
        let (_folder, path) = file(&name, &bytes);
        refused(|max_bytes| read(&path, &FrameOptions { max_bytes, ..FrameOptions::default() }), &name);
    }
}

fn frame_of(text: &str, options: &FrameOptions) -> Result<Frame, ReadError> {
    read_from(text.as_bytes(), "t", Format::Csv, options)
}

/// What is small until its last cell, and the types that take more than a bit.
#[test]
fn columns_that_widen_are_refused() {
    let zeros = "0,0\n".repeat(ROWS);
    let levels: Vec<String> = (0..2000).map(|row| format!("level {row} of many,0\n")).collect();
    let long = format!("{},0\n", "x".repeat(40_000)) + &format!("{},0\n", "y".repeat(40_000));
    for (what, text) in [
        ("numbers at the end", format!("a,b\n{zeros}2.5,0\n")),
        ("a word at the end", format!("a,b\n{zeros}word,0\n")),
        ("nothing but gaps", format!("a,b\n{}", ",0\n".repeat(ROWS))),
        ("numbers", format!("a,b\n{}", "1.5,0\n".repeat(ROWS))),
        ("levels", format!("a,b\n{}", levels.concat())),
        ("few rows of long texts", format!("a,b\n{long}")),
    ] {
        let read = |max_bytes| frame_of(&text, &FrameOptions { max_bytes, ..FrameOptions::default() });
        let error = read(Some(LIMIT)).expect_err(what).to_string();
        assert!(error.contains("more than 64 KiB"), "{what}: {error}");
        assert!(read(Some(4 << 20)).is_ok(), "{what}");
    }
    let plain = FrameOptions { max_bytes: Some(LIMIT), ..FrameOptions::default() };
    assert!(frame_of(&format!("a,b\n{zeros}"), &plain).is_ok(), "two bits a cell fit");
    let known = FrameOptions { types: [("a".to_owned(), Kind::Number)].into(), ..plain };
    assert!(frame_of(&format!("a,b\n{zeros}"), &known).is_err());
}

/// A stream is not kept; weights are.
#[test]
fn weights_count() {
    let text = format!("a,b\n{}", "0,1\n".repeat(ROWS));
    let options = FrameOptions { max_bytes: Some(LIMIT), ..FrameOptions::default() };
    assert!(frame_of(&text, &options).is_ok());
    let error = frame_of(&text, &FrameOptions { weight: Some("b".to_owned()), ..options });
    assert!(matches!(error, Err(ReadError::TooLarge { limit: LIMIT, .. })));
}

/// A spelling that no value says is kept beside it, and counts.
#[test]
fn odd_spellings_count() {
    let text = |cell: &str| format!("a,b\n{}", format!("{cell},0\n").repeat(4000));
    let options = FrameOptions { max_bytes: Some(LIMIT), ..FrameOptions::default() };
    assert!(frame_of(&text("2.5"), &options).is_ok());
    assert!(frame_of(&text("2.50"), &options).is_err());
}
