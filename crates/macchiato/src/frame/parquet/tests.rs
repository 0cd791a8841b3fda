use std::fs;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, LargeStringArray, ListArray,
    RecordBatch, StringArray, UInt64Array,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::super::builder::Builder;
use super::super::{ReadOptions, Table};
use super::*;
use crate::bits;
use crate::frame::{self, FrameOptions, Values};

fn parquet(columns: Vec<(&str, ArrayRef)>, compression: Compression) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn table(bytes: &[u8], weight: Option<&str>) -> Result<Table, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    fs::write(&path, bytes).unwrap();
    let options = ReadOptions { weight: weight.map(str::to_owned), ..ReadOptions::default() };
    read(fs::File::open(path).unwrap(), "t", |line, names| Builder::new("t", line, names, &options))
}

fn message(columns: Vec<(&str, ArrayRef)>) -> String {
    table(&parquet(columns, Compression::UNCOMPRESSED), None).expect_err("a fault").to_string()
}

#[test]
fn columns_of_every_type_are_read_over_batches() {
    let rows = BATCH + 70;
    let bit = |row: usize| row.is_multiple_of(3);
    let word = |row| if bit(row) { "yes" } else { "no" };
    let columns = || -> Vec<(&str, ArrayRef)> {
        vec![
            ("bool", Arc::new((0..rows).map(|row| Some(bit(row))).collect::<BooleanArray>())),
            ("int", Arc::new(Int8Array::from_iter_values((0..rows).map(|row| i8::from(bit(row)))))),
            (
                "float",
                Arc::new(Float64Array::from_iter_values((0..rows).map(|row| f64::from(u8::from(bit(row)))))),
            ),
            ("text", Arc::new(StringArray::from_iter_values((0..rows).map(word)))),
            ("large", Arc::new(LargeStringArray::from_iter_values((0..rows).map(word)))),
            (
                "category",
                Arc::new((0..rows).map(word).collect::<DictionaryArray<arrow_array::types::Int8Type>>()),
            ),
            ("w", Arc::new(Float64Array::from_iter_values((0..rows).map(|_| 0.3)))),
            ("y", Arc::new(UInt64Array::from_iter_values((0..rows).map(|row| u64::from(bit(row)))))),
        ]
    };
    for compression in
        [Compression::SNAPPY, Compression::ZSTD(ZstdLevel::default()), Compression::GZIP(<_>::default())]
    {
        let table = table(&parquet(columns(), compression), Some("w")).unwrap();
        assert_eq!(table.names, ["bool", "int", "float", "text", "large", "category", "y"]);
        assert_eq!((table.rows, table.weights), (rows, Some(vec![300_000; rows])));
        for column in &table.columns {
            assert!((0..rows).all(|row| bits::get(column, row) == bit(row)));
        }
    }
}

#[test]
fn faults_of_parquet_files_name_row_and_column() {
    let column = |cells: Vec<Option<i8>>| -> ArrayRef { Arc::new(Int8Array::from(cells)) };
    assert_eq!(
        message(vec![("a", column(vec![Some(1), None]))]),
        "t:2:1: \"null\" is not Boolean in column \"a\": use 0/1, true/false or yes/no"
    );
    assert_eq!(
        message(vec![("a", column(vec![Some(1)])), ("b", column(vec![Some(-7)]))]),
        "t:1:2: \"-7\" is not Boolean in column \"b\": use 0/1, true/false or yes/no"
    );
    let list = ListArray::from_iter_primitive::<Int8Type, _, _>([Some([Some(1)])]);
    let message_of_list = message(vec![("a", Arc::new(list))]);
    assert!(message_of_list.starts_with("t:1:1: column \"a\" is of type List("), "{message_of_list}");
    assert_eq!(message(vec![("a", column(vec![]))]), "t:1:1: there are no rows: add at least one");
    let empty = table(b"", None).unwrap_err().to_string();
    assert_eq!(empty, "t:1:1: the file is empty: expected a Parquet file");
    let whole = parquet(vec![("a", column(vec![Some(1)]))], Compression::SNAPPY);
    let cut = table(&whole[..whole.len() - 9], None).unwrap_err().to_string();
    assert!(cut.starts_with("t: this Parquet file is damaged or ends early: "), "{cut}");
}

#[test]
fn a_frame_has_numbers_categories_and_gaps() {
    let category: DictionaryArray<arrow_array::types::Int8Type> =
        ["red", "blue", "red"].into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("size", Arc::new(Float64Array::from(vec![Some(1.5), None, Some(f64::NAN)]))),
        ("colour", Arc::new(category)),
        ("text", Arc::new(StringArray::from(vec![Some("a"), None, Some("b")]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    fs::write(&path, parquet(columns, Compression::UNCOMPRESSED)).unwrap();
    let frame = frame::read(&path, &FrameOptions::default()).expect("a frame");
    let [Values::Number(size), Values::Category { codes, levels }, text, flag] = frame.columns.as_slice()
    else {
        panic!("{frame:?}");
    };
    assert!(size[0] > 1.4 && size[1].is_nan() && size[2].is_nan());
    assert_eq!((&**codes, &**levels), (&[0, 1, 0][..], &["red".to_owned(), "blue".into()][..]));
    assert!(text.is_missing(1) && !text.is_missing(2));
    assert_eq!(*flag, Values::Boolean { bits: vec![0b001].into(), missing: Some(vec![0b010].into()) });
}
