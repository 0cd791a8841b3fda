//! Reading a frame: one pass over the bytes, from a file or a stream.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use super::{Compression, Format, Frame, FrameOptions, Place, ReadError, csv, npy, npz, pla};

/// Bytes read at once: a row of a CSV file with the most columns fits in, which keeps it on the fast path.
const BUFFER: usize = 1 << 18;

pub(super) fn file(path: &Path, options: &FrameOptions) -> Result<Frame, ReadError> {
    let source = path.display().to_string();
    let (format, compression, file) = open(path, options.format)?;
    match format {
        Format::Npz => npz::read(file, &source, options),
        #[cfg(feature = "parquet")]
        Format::Parquet => super::parquet::read(file, &source, options),
        _ => stream(compression.reader(file), &source, format, options),
    }
}

pub(super) fn stream(
    reader: impl Read,
    source: &str,
    format: Format,
    options: &FrameOptions,
) -> Result<Frame, ReadError> {
    let mut reader = match without_mark(reader) {
        Ok(reader) => BufReader::with_capacity(BUFFER, reader),
        Err(reason) => return Err(ReadError::io(Place::start(source), reason)),
    };
    match format {
        Format::Csv => csv::read(&mut reader, source, b',', options),
        Format::Tsv => csv::read(&mut reader, source, b'\t', options),
        Format::Pla => pla::read(&mut reader, source, options),
        Format::Npy => npy::read(&mut reader, source, options),
        Format::Npz | Format::Parquet => Err(ReadError::NotStreamable { file: source.to_owned(), format }),
    }
}

/// Opens the file at `path`, of the format that it is said to be of or that its ending names.
fn open(path: &Path, format: Option<Format>) -> Result<(Format, Compression, File), ReadError> {
    let source = path.display().to_string();
    let (format, compression) = match format {
        Some(format) => (format, Compression::from_path(path)),
        None => Format::from_path(path)?,
    };
    if !format.streams() && compression != Compression::None {
        return Err(ReadError::Compressed { file: source, format });
    }
    #[cfg(not(feature = "parquet"))]
    if format == Format::Parquet {
        return Err(ReadError::ParquetMissing { file: source });
    }
    match File::open(path) {
        Ok(file) => Ok((format, compression, file)),
        Err(reason) => Err(ReadError::Io { place: Place::start(&source), reason }),
    }
}

/// Passes over a byte order mark, which editors on Windows put before the first line.
fn without_mark(mut reader: impl Read) -> io::Result<impl Read> {
    let mut start = Vec::new();
    reader.by_ref().take(3).read_to_end(&mut start)?;
    if start == b"\xef\xbb\xbf" {
        start.clear();
    }
    Ok(Cursor::new(start).chain(reader))
}
