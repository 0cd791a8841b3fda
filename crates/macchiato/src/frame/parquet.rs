//! Parquet files, one record batch at a time (feature `parquet`).
//!
//! Columns are Boolean, integers, floats, or text, also as dictionaries (pandas' categories); a cell without a value is
//! what an empty cell of a CSV file is.

use std::fmt::Display;
use std::fs::File;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::builder::Builder;
use super::cell::Number;
use super::{Frame, FrameOptions, Place, ReadError};

/// Rows decoded at once.
const BATCH: usize = 1 << 12;

pub(super) fn read(file: File, source: &str, options: &FrameOptions) -> Result<Frame, ReadError> {
    let place = Place::start(source);
    let length = file.metadata().map_err(|reason| ReadError::io(place.clone(), reason))?.len();
    if length == 0 {
        return Err(ReadError::Empty { place, expected: "a Parquet file" });
    }
    let fault =
        |reason: &dyn Display| ReadError::BadParquet { file: source.to_owned(), reason: reason.to_string() };
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| fault(&error))?;
    let fields = reader.schema().fields().iter();
    let names = fields.map(|field| field.name().trim_ascii().to_owned()).collect();
    let mut builder = Builder::new(source, 1, names, options)?;
    for batch in reader.with_batch_size(BATCH).build().map_err(|error| fault(&error))? {
        read_batch(&batch.map_err(|error| fault(&error))?, source, &mut builder)?;
    }
    builder.finish(1)
}

fn read_batch(batch: &RecordBatch, source: &str, builder: &mut Builder) -> Result<(), ReadError> {
    let schema = batch.schema();
    let mut columns = Vec::with_capacity(batch.num_columns());
    for (column, array) in batch.columns().iter().enumerate() {
        let cells = cells(array).ok_or_else(|| ReadError::ParquetType {
            place: Place::new(source, 1, column + 1),
            name: schema.field(column).name().clone(),
            found: array.data_type().to_string(),
        })?;
        columns.push((cells, array.logical_nulls()));
    }
    for row in 0..batch.num_rows() {
        let line = builder.rows() + 1;
        for (column, (cells, nulls)) in columns.iter().enumerate() {
            if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                builder.text(line, column, b"")?;
                continue;
            }
            match cells {
                CellReader::Numbers(number) => builder.number(column, number(row))?,
                CellReader::Texts(text) => builder.text(line, column, text(row).as_bytes())?,
            }
        }
        builder.end_row()?;
    }
    Ok(())
}

/// The cells of a column, by row.
enum CellReader<'a> {
    Numbers(Box<dyn Fn(usize) -> Number + 'a>),
    Texts(Box<dyn Fn(usize) -> &'a str + 'a>),
}

/// None where the type holds neither numbers nor text.
fn cells(array: &dyn Array) -> Option<CellReader<'_>> {
    let cells = match array.data_type() {
        DataType::Boolean => {
            let array = array.as_boolean();
            CellReader::Numbers(Box::new(|row| Number::Integer(array.value(row).into())))
        }
        DataType::Int8 => integers::<Int8Type>(array),
        DataType::Int16 => integers::<Int16Type>(array),
        DataType::Int32 => integers::<Int32Type>(array),
        DataType::Int64 => integers::<Int64Type>(array),
        DataType::UInt8 => integers::<UInt8Type>(array),
        DataType::UInt16 => integers::<UInt16Type>(array),
        DataType::UInt32 => integers::<UInt32Type>(array),
        DataType::UInt64 => integers::<UInt64Type>(array),
        DataType::Float32 => {
            let array = array.as_primitive::<Float32Type>();
            CellReader::Numbers(Box::new(|row| Number::Single(array.value(row))))
        }
        DataType::Float64 => {
            let array = array.as_primitive::<Float64Type>();
            CellReader::Numbers(Box::new(|row| Number::Double(array.value(row))))
        }
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            CellReader::Texts(Box::new(|row| array.value(row)))
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            CellReader::Texts(Box::new(|row| array.value(row)))
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            CellReader::Texts(Box::new(|row| array.value(row)))
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary_opt()?;
            // A dictionary without values has only rows without a value, which are never looked up.
            if dictionary.values().is_empty() {
                return Some(CellReader::Texts(Box::new(|_| "")));
            }
            let keys = dictionary.normalized_keys();
            match cells(dictionary.values())? {
                CellReader::Numbers(number) => CellReader::Numbers(Box::new(move |row| number(keys[row]))),
                CellReader::Texts(text) => CellReader::Texts(Box::new(move |row| text(keys[row]))),
            }
        }
        _ => return None,
    };
    Some(cells)
}

fn integers<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &dyn Array) -> CellReader<'_> {
    let array = array.as_primitive::<T>();
    CellReader::Numbers(Box::new(|row| Number::Integer(array.value(row).into())))
}

#[cfg(test)]
mod tests;
