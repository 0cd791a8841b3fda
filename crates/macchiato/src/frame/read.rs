//! Reading a frame: at most two passes over the bytes.
//!
//! The type of a column is known when all of its cells are seen. The first pass takes each column for the narrowest type so far;
//! what turns out to be text after its cells became numbers is read again, as a category from the start.

use std::io::Read;
use std::path::Path;

use super::builder::{Builder, Pass};
use super::{Frame, FrameOptions};
use crate::table::room::Room;
use crate::table::{self, Format, Place, ReadError, ReadOptions, csv, npy, npz};

pub(super) fn file(path: &Path, options: &FrameOptions) -> Result<Frame, ReadError> {
    let source = path.display().to_string();
    let (format, ..) = table::open(path, options.format)?;
    if format == Format::Pla {
        return table::read(path, &plain(options)).map(Frame::from);
    }
    let room = Room::new(options.max_bytes);
    passes(|again| {
        let (format, compression, file) = table::open(path, options.format)?;
        let start = |line, names| Builder::new(&source, line, names, options, again, room);
        match format {
            Format::Npz => npz::read(file, &source, options.weight.as_deref(), start),
            #[cfg(feature = "parquet")]
            Format::Parquet => table::parquet::read(file, &source, start),
            _ => pass(compression.reader(file), &source, format, (options, room), again),
        }
    })
}

pub(super) fn stream(
    reader: impl Read,
    source: &str,
    format: Format,
    options: &FrameOptions,
) -> Result<Frame, ReadError> {
    if format == Format::Pla {
        return table::read_from(reader, source, format, &plain(options)).map(Frame::from);
    }
    if !format.streams() {
        return Err(ReadError::NotStreamable { file: source.to_owned(), format });
    }
    let (mut bytes, room) = (Vec::new(), Room::new(options.max_bytes));
    if let Err(reason) = reader.take(room.left(0).saturating_add(1)).read_to_end(&mut bytes) {
        return Err(ReadError::io(Place::start(source), reason));
    }
    let used = bytes.capacity() as u64;
    if room.is_exceeded(used) {
        return Err(room.fault(source));
    }
    self::bytes(&bytes, source, format, options, room.beside(used))
}

/// Reads what is in memory already, which counts only as far as `room` says.
pub(super) fn bytes(
    bytes: &[u8],
    source: &str,
    format: Format,
    options: &FrameOptions,
    room: Room,
) -> Result<Frame, ReadError> {
    if format == Format::Pla {
        return table::read_from(bytes, source, format, &plain(options)).map(Frame::from);
    }
    passes(|again| pass(bytes, source, format, (options, room), again))
}

/// The same options for a table of bits.
fn plain(options: &FrameOptions) -> ReadOptions {
    ReadOptions { format: options.format, weight: options.weight.clone(), max_bytes: options.max_bytes }
}

/// One pass, and a second one if there are columns to be read as categories from the start.
fn passes(mut pass: impl FnMut(&[usize]) -> Result<Pass, ReadError>) -> Result<Frame, ReadError> {
    let mut again = Vec::new();
    loop {
        match pass(&again)? {
            Pass::Frame(frame) => return Ok(frame),
            // A category takes every text, so the columns of one pass are never those of the next.
            Pass::Again(columns) => again.extend(columns),
        }
    }
}

fn pass(
    reader: impl Read,
    source: &str,
    format: Format,
    (options, room): (&FrameOptions, Room),
    again: &[usize],
) -> Result<Pass, ReadError> {
    let mut reader = table::buffered(reader, source)?;
    let start = |line, names| Builder::new(source, line, names, options, again, room);
    match format {
        Format::Csv => csv::read(&mut reader, source, b',', start),
        Format::Tsv => csv::read(&mut reader, source, b'\t', start),
        Format::Npy => npy::read(&mut reader, source, start),
        _ => Err(ReadError::NotStreamable { file: source.to_owned(), format }),
    }
}
