//! CSV and TSV files: a header line, then one line for each row.
//!
//! Most files hold nothing but `0`, `1`, delimiters and line ends. Such rows are recognized as a whole in the read
//! buffer and their bits taken without looking for cells; any other row goes through `csv-core`, which knows quotes. Both
//! count lines alike. Blank lines and carriage returns are passed over; names and cells are trimmed.

use std::io::BufRead;

use csv_core::ReadRecordResult;

use super::builder::Builder;
use super::{Frame, FrameOptions, Place, ReadError};

/// The longest row that is read, in bytes.
const MAX_ROW: usize = 1 << 24;

pub(super) fn read(
    reader: &mut dyn BufRead,
    source: &str,
    delimiter: u8,
    options: &FrameOptions,
) -> Result<Frame, ReadError> {
    let mut records = Records::new(reader, source, delimiter);
    if !records.next()? {
        return Err(ReadError::Empty { place: Place::start(source), expected: "a header line" });
    }
    let names = records.names()?;
    let mut builder = Builder::new(source, records.began, names, options)?;
    loop {
        if builder.takes_booleans() {
            records.plain_rows(&mut builder)?;
        }
        if !records.next()? {
            return builder.finish(records.line);
        }
        records.row(&mut builder)?;
    }
}

/// The rows of the file, one at a time, taken apart into cells.
struct Records<'a> {
    reader: &'a mut dyn BufRead,
    source: &'a str,
    delimiter: u8,
    core: csv_core::Reader,
    /// The line on which the next byte stands, and the one on which this row began.
    line: usize,
    began: usize,
    /// The cells of this row, one after the other, and where each ends.
    text: Vec<u8>,
    ends: Vec<usize>,
    cells: usize,
}

impl<'a> Records<'a> {
    fn new(reader: &'a mut dyn BufRead, source: &'a str, delimiter: u8) -> Self {
        let core = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        let (text, ends) = (vec![0; 1 << 10], vec![0; 1 << 7]);
        Self { reader, source, delimiter, core, line: 1, began: 1, text, ends, cells: 0 }
    }

    fn place(&self) -> Place {
        Place::new(self.source, self.line, 1)
    }

    /// The bytes at hand; none at the end of the file.
    fn fill(&mut self) -> Result<&[u8], ReadError> {
        let place = self.place();
        self.reader.fill_buf().map_err(|reason| ReadError::io(place, reason))
    }

    /// Takes the rows of plain `0` and `1` that lie whole in the buffer.
    fn plain_rows(&mut self, builder: &mut Builder) -> Result<(), ReadError> {
        let (delimiter, width) = (self.delimiter, 2 * builder.width() - 1);
        let text = self.fill()?;
        let (mut used, mut rows) = (0, 0);
        while let Some((row, rest)) = text[used..].split_at_checked(width) {
            let end = match rest {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                _ => break,
            };
            if !is_plain(row, delimiter) {
                break;
            }
            builder.booleans(row.iter().step_by(2).copied())?;
            builder.end_row()?;
            used += width + end;
            rows += 1;
        }
        self.reader.consume(used);
        self.line += rows;
        Ok(())
    }

    /// Goes to the next row; false at the end of the file.
    #[allow(clippy::naive_bytecount)] // Not worth a crate on the slow path.
    fn next(&mut self) -> Result<bool, ReadError> {
        self.skip_line_ends()?;
        (self.began, self.cells) = (self.line, 0);
        let (mut length, mut size) = (0, 0);
        while size <= MAX_ROW {
            let place = self.place();
            let bytes = self.reader.fill_buf().map_err(|reason| ReadError::io(place, reason))?;
            let at_end = bytes.is_empty();
            if at_end && size == 0 {
                return Ok(false);
            }
            // A line end closes the last row, unless it falls into a quote that nothing else closes.
            let bytes = if at_end { &b"\n"[..] } else { bytes };
            let (result, taken, written, ends) =
                self.core.read_record(bytes, &mut self.text[length..], &mut self.ends[self.cells..]);
            if !at_end {
                self.line += bytes[..taken].iter().filter(|&&byte| byte == b'\n').count();
                self.reader.consume(taken);
                size += taken;
            }
            length += written;
            self.cells += ends;
            match result {
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
                ReadRecordResult::InputEmpty if at_end => {
                    return Err(ReadError::OpenQuote { place: Place::new(self.source, self.began, 1) });
                }
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
            }
        }
        Err(ReadError::RowTooLong { place: Place::new(self.source, self.began, 1), max: MAX_ROW })
    }

    /// Passes over blank lines and what is left of the line end before.
    fn skip_line_ends(&mut self) -> Result<(), ReadError> {
        loop {
            let bytes = self.fill()?;
            let all = bytes.len();
            let ends = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
            let (skipped, lines) = ends
                .fold((0, 0), |(skipped, lines), &byte| (skipped + 1, lines + usize::from(byte == b'\n')));
            self.reader.consume(skipped);
            self.line += lines;
            if skipped < all || all == 0 {
                return Ok(());
            }
        }
    }

    fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends[..self.cells]).map(|(start, &end)| &self.text[start..end])
    }

    /// This row as the names of the columns.
    fn names(&self) -> Result<Vec<String>, ReadError> {
        let place = |column| Place::new(self.source, self.began, column + 1);
        // With two columns the line may be a header still: pandas numbers columns from 0 where it has no names.
        if self.cells > 2 && self.cells().all(|cell| matches!(cell.trim_ascii(), b"0" | b"1")) {
            return Err(ReadError::MissingHeader { place: place(0) });
        }
        let names = self.cells().enumerate().map(|(column, name)| match std::str::from_utf8(name) {
            Ok(name) => Ok(name.trim_ascii().to_owned()),
            Err(_) => Err(ReadError::NotText { place: place(column) }),
        });
        names.collect()
    }

    /// This row as values.
    fn row(&self, builder: &mut Builder) -> Result<(), ReadError> {
        let (found, expected) = (self.cells, builder.width());
        if found != expected {
            let place = Place::new(self.source, self.began, found.min(expected) + 1);
            return Err(ReadError::RowLength { place, found, expected });
        }
        for (column, text) in self.cells().enumerate() {
            builder.text(self.began, column, text)?;
        }
        builder.end_row()
    }
}

/// Whether `row` is `0` and `1` in turn with delimiters. Looks at all of it, which is faster than to stop early.
fn is_plain(row: &[u8], delimiter: u8) -> bool {
    let pairs = row.chunks_exact(2);
    let last = pairs.remainder().iter().fold(0, |odd, &cell| odd | (cell ^ b'0'));
    let odd = pairs.fold(last, |odd, pair| odd | (pair[0] ^ b'0') | ((pair[1] ^ delimiter) << 1));
    odd & !1 == 0
}
