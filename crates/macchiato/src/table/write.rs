//! Writes a table so that [`super::read`] gives it back; the same table gives the same bytes.
//!
//! The target is written last, where readers look for it. `NumPy` arrays have no names. Weights go to CSV and TSV files,
//! as a first column `weight`. Rows are spelled 64 at a time, a word of each column.

use std::io::{self, Write};

use super::{Compression, Format, Table};
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
    /// A [`Table`] whose parts do not fit together.
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

/// Writes `table` with the column `target` last.
///
/// # Errors
/// What `out` reports, and whatever `format` has no room for, as [`WriteError`] lists it.
///
/// ```
/// use macchiato::table::{Compression, Format, Table, write_to};
///
/// let names = ["a", "b", "y"].map(str::to_owned).to_vec();
/// let columns = vec![vec![0b011], vec![0b110], vec![0b100]];
/// let table = Table { source: "made up".into(), names, columns, rows: 3, weights: None };
/// let mut text = Vec::new();
/// write_to(&mut text, &table, Format::Pla, Compression::None, "y")?;
/// assert_eq!(text, b".i 2\n.o 1\n.ilb a b\n.ob y\n.type fr\n.p 3\n10 0\n11 0\n01 1\n.e\n");
/// # Ok::<(), macchiato::table::WriteError>(())
/// ```
pub fn write_to(
    out: &mut dyn Write,
    table: &Table,
    format: Format,
    compression: Compression,
    target: &str,
) -> Result<(), WriteError> {
    let words = bits::words(table.rows);
    if table.columns.len() != table.names.len()
        || table.columns.iter().any(|column| column.len() != words)
        || table.weights.as_ref().is_some_and(|weights| weights.len() != table.rows)
    {
        let (columns, names) = (table.columns.len(), table.names.len());
        return Err(WriteError::Damaged { columns, names, rows: table.rows });
    }
    if table.weights.is_some() && !matches!(format, Format::Csv | Format::Tsv) {
        return Err(WriteError::Weights { format });
    }
    let last = table.names.iter().position(|name| name == target);
    let last = last.ok_or_else(|| WriteError::NoTarget { name: target.to_owned() })?;
    let order: Vec<_> = (0..table.names.len()).filter(|&column| column != last).chain([last]).collect();
    check_names(table, format)?;
    compression.write(out, |out| match format {
        Format::Csv => write_lines(out, table, &order, b','),
        Format::Tsv => write_lines(out, table, &order, b'\t'),
        Format::Pla => write_pla(out, table, &order),
        Format::Npy => write_npy(out, table, &order),
        Format::Npz | Format::Parquet => Err(WriteError::Format { format }),
    })
}

/// That a reader takes every name for the same name.
fn check_names(table: &Table, format: Format) -> Result<(), WriteError> {
    let is_name = |name: &str| match format {
        Format::Csv | Format::Tsv => {
            !name.is_empty() && name == name.trim_ascii() && !(table.weights.is_some() && name == "weight")
        }
        Format::Pla => {
            !name.is_empty()
                && !name.starts_with('#')
                && !name.bytes().any(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
        }
        _ => true,
    };
    match table.names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(WriteError::Name { name: name.clone(), format }),
        None => Ok(()),
    }
}

fn write_lines(out: &mut dyn Write, table: &Table, order: &[usize], delimiter: u8) -> Result<(), WriteError> {
    let names = order.iter().map(|&column| quoted(&table.names[column], delimiter));
    let names: Vec<_> = table.weights.iter().map(|_| "weight".to_owned()).chain(names).collect();
    writeln!(out, "{}", names.join(&char::from(delimiter).to_string()))?;
    let mut line = vec![delimiter; 2 * order.len()];
    line[2 * order.len() - 1] = b'\n';
    Spelling { line, zero: b'0', delimiter }.write(out, table, order, |at| 2 * at)
}

pub(crate) fn quoted(name: &str, delimiter: u8) -> String {
    let special = |byte| byte == delimiter || matches!(byte, b'"' | b'\r' | b'\n');
    if name.bytes().any(special) || name.starts_with('\u{feff}') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

fn write_pla(out: &mut dyn Write, table: &Table, order: &[usize]) -> Result<(), WriteError> {
    let names: Vec<_> = order.iter().map(|&column| table.names[column].as_str()).collect();
    let inputs = order.len() - 1;
    write!(out, ".i {inputs}\n.o 1\n.ilb")?;
    for name in &names[..inputs] {
        write!(out, " {name}")?;
    }
    write!(out, "\n.ob {}\n.type fr\n.p {}\n", names[inputs], table.rows)?;
    let mut line = vec![b' '; inputs + 3];
    line[inputs + 2] = b'\n';
    let spelling = Spelling { line, zero: b'0', delimiter: b' ' };
    spelling.write(out, table, order, |at| if at == inputs { at + 1 } else { at })?;
    Ok(out.write_all(b".e\n")?)
}

fn write_npy(out: &mut dyn Write, table: &Table, order: &[usize]) -> Result<(), WriteError> {
    let (rows, columns) = (table.rows, order.len());
    let mut header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // The elements begin at a multiple of 64, after ten bytes before the header and a line end after it.
    header.push_str(&" ".repeat(63 - (header.len() + 10) % 64));
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16 + 1).to_le_bytes())?;
    writeln!(out, "{header}")?;
    Spelling { line: vec![0; columns], zero: 0, delimiter: 0 }.write(out, table, order, |at| at)
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
        table: &Table,
        order: &[usize],
        place: impl Fn(usize) -> usize,
    ) -> Result<(), WriteError> {
        let length = self.line.len();
        let mut block = self.line.repeat(64.min(table.rows));
        for word in 0..bits::words(table.rows) {
            for (at, &column) in order.iter().enumerate() {
                let mut values = table.columns[column][word];
                for row in block.chunks_exact_mut(length) {
                    row[place(at)] = self.zero + (values & 1) as u8;
                    values >>= 1;
                }
            }
            let rows = 64 * word..table.rows.min(64 * word + 64);
            let block = &block[..rows.len() * length];
            match &table.weights {
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

pub(crate) fn write_weight(out: &mut dyn Write, millionths: u64) -> io::Result<()> {
    write!(out, "{}", millionths / 1_000_000)?;
    if !millionths.is_multiple_of(1_000_000) {
        write!(out, ".{:06}", millionths % 1_000_000)?;
    }
    Ok(())
}
