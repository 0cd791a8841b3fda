mod arrays;
mod files;
mod pla;
mod room;
mod text;

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
            names: sink::default_names(table.names.len() - 1).collect(),
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
