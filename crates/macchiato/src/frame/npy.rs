//! `NumPy` arrays: a short text header, then the elements, row by row or column by column.
//!
//! The last column is the target, as in CSV files. The header is read strictly and its numbers are never trusted: memory
//! grows with the elements that are really there, except for one row, whose length the cap on columns bounds.

mod header;

use std::io::{BufRead, Read};

use super::builder::{Builder, default_names};
use super::cell::Number;
use super::{Frame, FrameOptions, MAX_INPUTS, Place, ReadError};

pub(super) use header::Header;
use header::Kind;

pub(super) fn read(
    reader: &mut dyn BufRead,
    source: &str,
    options: &FrameOptions,
) -> Result<Frame, ReadError> {
    let at_end = reader.fill_buf().map_err(|reason| ReadError::io(Place::start(source), reason))?.is_empty();
    if at_end {
        return Err(ReadError::Empty { place: Place::start(source), expected: "a NumPy array" });
    }
    let header = Header::read(reader, source)?;
    let (rows, columns) = table_shape(&header, source)?;
    let names = default_names(columns - 1).collect();
    let mut builder = Builder::new(source, 1, names, options)?;
    fill(reader, &header, rows, columns, &mut builder)?;
    builder.finish(1)
}

/// Rows and columns of a two-dimensional array that has some of the latter, and not too many.
pub(super) fn table_shape(header: &Header, source: &str) -> Result<(usize, usize), ReadError> {
    let &[rows, columns] = header.shape.as_slice() else {
        return Err(header.bad_shape(source, "two dimensions, rows and columns"));
    };
    let place = Place::start(source);
    match columns {
        0 => Err(ReadError::NoColumns { place }),
        // The target, and perhaps the weights.
        _ if columns > MAX_INPUTS + 2 => Err(ReadError::TooManyColumns { place }),
        _ => Ok((rows, columns)),
    }
}

/// Fills the first `columns` columns from the elements of a two-dimensional array.
pub(super) fn fill(
    reader: &mut dyn Read,
    header: &Header,
    rows: usize,
    columns: usize,
    builder: &mut Builder,
) -> Result<(), ReadError> {
    if header.fortran_order {
        return (0..columns).try_for_each(|column| fill_column(reader, header, column, rows, builder));
    }
    let mut row = vec![0; columns * header.size];
    let plain_type = header.size == 1 && builder.takes_booleans();
    for line in 1..=rows {
        if let Err(reason) = reader.read_exact(&mut row) {
            return Err(ReadError::io(builder.place(line, 0), reason));
        }
        if plain_type && row.iter().fold(0, |all, cell| all | cell) <= 1 {
            builder.booleans(row.iter().copied())?;
        } else {
            for (column, cell) in row.chunks_exact(header.size).enumerate() {
                builder.number(column, number(header, cell))?;
            }
        }
        builder.end_row()?;
    }
    Ok(())
}

/// Fills one column from the next elements.
pub(super) fn fill_column(
    reader: &mut dyn Read,
    header: &Header,
    column: usize,
    rows: usize,
    builder: &mut Builder,
) -> Result<(), ReadError> {
    let mut cell = [0; 8];
    let cell = &mut cell[..header.size];
    let mut line = 0;
    let place = builder.place(0, column);
    builder.column(column, rows, || {
        line += 1;
        reader.read_exact(cell).map_err(|reason| ReadError::io(Place { line, ..place.clone() }, reason))?;
        Ok(number(header, cell))
    })
}

/// The number in the bytes of one element; there are [`Header::size`] of them.
fn number(header: &Header, bytes: &[u8]) -> Number {
    debug_assert_eq!(bytes.len(), header.size);
    let mut little = [0; 8];
    little[..bytes.len()].copy_from_slice(bytes);
    if header.big_endian {
        little[..bytes.len()].reverse();
    }
    let word = u64::from_le_bytes(little);
    match header.kind {
        Kind::Unsigned => Number::Integer(word.into()),
        Kind::Signed => {
            let unused = 64 - 8 * header.size as u32;
            Number::Integer(((word << unused).cast_signed() >> unused).into())
        }
        Kind::Float if header.size == 4 => Number::Single(f32::from_bits(word as u32)),
        Kind::Float => Number::Double(f64::from_bits(word)),
    }
}
