//! Writes a frame so that [`super::read`] gives its values back; the same frame gives the same bytes.
//!
//! Numbers have as many digits as tell them apart, a gap is an empty cell, weights are a first column `weight`. PLA files and `NumPy` arrays
//! hold Boolean columns only; these are spelled 64 rows at a time, a word of each column.

use std::io::{self, Write};

use super::{Columns, Compression, Format, Frame, NO_LEVEL, Values, shown};
use crate::bits;

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// What the destination reports.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// A format that is only read.
    #[error("{format} files are read but not written: write .csv, .tsv, .pla or .npy")]
    Format {
        /// The format.
        format: Format,
    },
    /// Numbers and texts, in a format that has no place for them.
    #[error("{format} files hold nothing but 0 and 1 here: write .csv or .tsv")]
    Typed {
        /// The format.
        format: Format,
    },
    /// A target that is no column.
    #[error("no column is named {name:?}, which should be the target")]
    NoTarget {
        /// The name asked for.
        name: String,
    },
    /// A name that the format cannot spell.
    #[error("{name:?} cannot be a column's name in a {format} file: rename it{}", hint(*.format))]
    Name {
        /// The name.
        name: String,
        /// The format.
        format: Format,
    },
    /// Weights, in a format that has no place for them.
    #[error("{format} files cannot hold row weights: write .csv or .tsv")]
    Weights {
        /// The format.
        format: Format,
    },
    /// A [`Frame`] whose parts do not fit together.
    #[error("the table is damaged: {columns} columns, {names} names and {rows} rows do not fit together")]
    Damaged {
        /// Number of columns.
        columns: usize,
        /// Number of names.
        names: usize,
        /// Number of rows.
        rows: usize,
    },
}

const fn hint(format: Format) -> &'static str {
    if matches!(format, Format::Pla) { ", or write .csv" } else { "" }
}

/// Writes `frame`; the column `target`, where one is named, comes last, where readers look for it.
///
/// # Errors
/// What `out` reports, and whatever `format` has no room for, as [`WriteError`] lists it.
///
/// ```
/// use macchiato::frame::{self, Compression, Format, FrameOptions};
///
/// let text = "age,job\n41.5,clerk\n,\"cook, sous\"\n";
/// let frame = frame::read_from(text.as_bytes(), "data.csv", Format::Csv, &FrameOptions::default())?;
/// let mut written = Vec::new();
/// frame::write_to(&mut written, &frame, Format::Csv, Compression::None, None)?;
/// assert_eq!(written, text.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_to(
    out: &mut dyn Write,
    frame: &Frame,
    format: Format,
    compression: Compression,
    target: Option<&str>,
) -> Result<(), WriteError> {
    let mut columns = frame.columns.iter().zip(frame.names());
    let whole = frame.names.len() == frame.columns.len()
        && columns.all(|(column, name)| column.check(name, frame.rows).is_ok())
        && frame.weights.as_ref().is_none_or(|weights| weights.len() == frame.rows);
    if !whole {
        let (columns, names) = (frame.columns.len(), frame.names.len());
        return Err(WriteError::Damaged { columns, names, rows: frame.rows });
    }
    if frame.weights.is_some() && !matches!(format, Format::Csv | Format::Tsv) {
        return Err(WriteError::Weights { format });
    }
    let mut order: Vec<usize> = (0..frame.names.len()).collect();
    if let Some(target) = target {
        let last = frame.names.iter().position(|name| name == target);
        let last = last.ok_or_else(|| WriteError::NoTarget { name: target.to_owned() })?;
        order.remove(last);
        order.push(last);
    }
    check_names(frame, format)?;
    let plain = |&column: &usize| match &frame.columns[column] {
        Values::Boolean { bits, missing: None } => Some(&**bits),
        _ => None,
    };
    let plain = order.iter().map(plain).collect::<Option<Vec<&[u64]>>>();
    let plain = plain.map(|columns| Plain { frame, order: &order, columns });
    compression.write(out, |out| match (format, plain) {
        (Format::Csv, plain) => write_lines(out, frame, (&order, plain), b','),
        (Format::Tsv, plain) => write_lines(out, frame, (&order, plain), b'\t'),
        (Format::Pla, Some(plain)) => plain.write_pla(out),
        (Format::Npy, Some(plain)) => plain.write_npy(out),
        (Format::Pla | Format::Npy, None) => Err(WriteError::Typed { format }),
        (Format::Npz | Format::Parquet, _) => Err(WriteError::Format { format }),
    })
}

/// That a reader takes every name for the same name.
fn check_names(frame: &Frame, format: Format) -> Result<(), WriteError> {
    let is_name = |name: &str| match format {
        Format::Csv | Format::Tsv => {
            !name.is_empty() && name == name.trim_ascii() && !(frame.weights.is_some() && name == "weight")
        }
        Format::Pla => {
            !name.is_empty()
                && !name.starts_with('#')
                && !name.bytes().any(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
        }
        _ => true,
    };
    match frame.names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(WriteError::Name { name: name.clone(), format }),
        None => Ok(()),
    }
}

fn write_lines(
    out: &mut dyn Write,
    frame: &Frame,
    (order, plain): (&[usize], Option<Plain<'_>>),
    delimiter: u8,
) -> Result<(), WriteError> {
    let names = order.iter().map(|&column| quoted(&frame.names[column], delimiter));
    let names: Vec<_> = frame.weights.iter().map(|_| "weight".to_owned()).chain(names).collect();
    writeln!(out, "{}", names.join(&char::from(delimiter).to_string()))?;
    if let Some(plain) = plain {
        let mut line = vec![delimiter; 2 * order.len()];
        line[2 * order.len() - 1] = b'\n';
        return Spelling { line, zero: b'0', delimiter }.write(out, &plain, |at| 2 * at);
    }
    let mut line = Vec::new();
    for row in 0..frame.rows {
        line.clear();
        if let Some(weights) = &frame.weights {
            write_weight(&mut line, weights[row])?;
            line.push(delimiter);
        }
        for (i, &column) in order.iter().enumerate() {
            if i > 0 {
                line.push(delimiter);
            }
            write_cell(&mut line, &frame.columns[column], row, delimiter)?;
        }
        // A blank line would be no row.
        if line.is_empty() {
            line.extend_from_slice(b"\"\"");
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

fn write_cell(line: &mut Vec<u8>, column: &Values<'_>, row: usize, delimiter: u8) -> io::Result<()> {
    match column {
        _ if column.is_missing(row) => Ok(()),
        Values::Boolean { bits, .. } => write!(line, "{}", u8::from(bits::get(bits, row))),
        Values::Number(values) => write!(line, "{}", shown(values[row])),
        Values::Category { codes, .. } if codes[row] == NO_LEVEL => Ok(()),
        Values::Category { codes, levels } => {
            write!(line, "{}", quoted(&levels[codes[row] as usize], delimiter))
        }
    }
}

fn quoted(name: &str, delimiter: u8) -> String {
    let special = |byte| byte == delimiter || matches!(byte, b'"' | b'\r' | b'\n');
    if name.bytes().any(special) || name.starts_with('\u{feff}') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// A frame of nothing but 0 and 1.
struct Plain<'a> {
    frame: &'a Frame,
    /// The numbers of the columns as they are written, and their bits in that order.
    order: &'a [usize],
    columns: Vec<&'a [u64]>,
}

impl Plain<'_> {
    fn write_pla(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        let names: Vec<_> = self.order.iter().map(|&column| self.frame.names[column].as_str()).collect();
        let inputs = names.len() - 1;
        write!(out, ".i {inputs}\n.o 1\n.ilb")?;
        for name in &names[..inputs] {
            write!(out, " {name}")?;
        }
        write!(out, "\n.ob {}\n.type fr\n.p {}\n", names[inputs], self.frame.rows)?;
        let mut line = vec![b' '; inputs + 3];
        line[inputs + 2] = b'\n';
        let spelling = Spelling { line, zero: b'0', delimiter: b' ' };
        spelling.write(out, self, |at| if at == inputs { at + 1 } else { at })?;
        Ok(out.write_all(b".e\n")?)
    }

    fn write_npy(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        let (rows, columns) = (self.frame.rows, self.columns.len());
        let mut header =
            format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
        // The elements begin at a multiple of 64, after ten bytes before the header and a line end after it.
        header.push_str(&" ".repeat(63 - (header.len() + 10) % 64));
        out.write_all(b"\x93NUMPY\x01\x00")?;
        out.write_all(&(header.len() as u16 + 1).to_le_bytes())?;
        writeln!(out, "{header}")?;
        Spelling { line: vec![0; columns], zero: 0, delimiter: 0 }.write(out, self, |at| at)
    }
}

/// How a format spells its rows: each is a copy of `line` with `zero` or the byte after it at the place of each column.
struct Spelling {
    line: Vec<u8>,
    zero: u8,
    /// What follows a weight.
    delimiter: u8,
}

impl Spelling {
    fn write(
        &self,
        out: &mut dyn Write,
        plain: &Plain<'_>,
        place: impl Fn(usize) -> usize,
    ) -> Result<(), WriteError> {
        let (length, all) = (self.line.len(), plain.frame.rows);
        let mut block = self.line.repeat(64.min(all));
        for word in 0..bits::words(all) {
            for (at, column) in plain.columns.iter().enumerate() {
                let mut values = column[word];
                for row in block.chunks_exact_mut(length) {
                    row[place(at)] = self.zero + (values & 1) as u8;
                    values >>= 1;
                }
            }
            let rows = 64 * word..all.min(64 * word + 64);
            let block = &block[..rows.len() * length];
            match &plain.frame.weights {
                None => out.write_all(block)?,
                Some(weights) => {
                    for (row, &weight) in block.chunks_exact(length).zip(&weights[rows]) {
                        write_weight(out, weight)?;
                        out.write_all(&[self.delimiter])?;
                        out.write_all(row)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn write_weight(out: &mut dyn Write, millionths: u64) -> io::Result<()> {
    write!(out, "{}", millionths / 1_000_000)?;
    if !millionths.is_multiple_of(1_000_000) {
        write!(out, ".{:06}", millionths % 1_000_000)?;
    }
    Ok(())
}
