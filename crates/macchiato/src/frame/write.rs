//! Writes a frame as lines of text, so that [`super::read`] gives its values back; the same frame gives the same bytes.
//!
//! Numbers have as many digits as tell them apart, a gap is an empty cell, weights are a first column `weight`.

use std::io::Write;

use super::{Columns, Frame, NO_LEVEL, Values, shown};
use crate::bits;
use crate::table::{Compression, Format, WriteError, quoted, write_weight};

/// Writes `frame` as CSV or TSV.
///
/// # Errors
/// What `out` reports, another format, and columns that do not fit together.
///
/// ```
/// use macchiato::frame::{self, FrameOptions};
/// use macchiato::table::{Compression, Format};
///
/// let text = "age,job\n41.5,clerk\n,\"cook, sous\"\n";
/// let frame = frame::read_from(text.as_bytes(), "data.csv", Format::Csv, &FrameOptions::default())?;
/// let mut written = Vec::new();
/// frame::write_to(&mut written, &frame, Format::Csv, Compression::None)?;
/// assert_eq!(written, text.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_to(
    out: &mut dyn Write,
    frame: &Frame,
    format: Format,
    compression: Compression,
) -> Result<(), WriteError> {
    let delimiter = match format {
        Format::Csv => b',',
        Format::Tsv => b'\t',
        _ => return Err(WriteError::Typed { format }),
    };
    let whole = frame.names.len() == frame.columns.len()
        && frame
            .columns
            .iter()
            .zip(frame.names())
            .all(|(column, name)| column.check(name, frame.rows).is_ok())
        && frame.weights.as_ref().is_none_or(|weights| weights.len() == frame.rows);
    if !whole {
        let (columns, names) = (frame.columns.len(), frame.names.len());
        return Err(WriteError::Damaged { columns, names, rows: frame.rows });
    }
    compression.write(out, |out| write_lines(out, frame, delimiter))
}

fn write_lines(out: &mut dyn Write, frame: &Frame, delimiter: u8) -> Result<(), WriteError> {
    let names = frame.names.iter().map(|name| quoted(name, delimiter));
    let names: Vec<_> = frame.weights.iter().map(|_| "weight".to_owned()).chain(names).collect();
    writeln!(out, "{}", names.join(&char::from(delimiter).to_string()))?;
    let mut line = Vec::new();
    for row in 0..frame.rows {
        line.clear();
        if let Some(weights) = &frame.weights {
            write_weight(&mut line, weights[row])?;
            line.push(delimiter);
        }
        for (i, column) in frame.columns.iter().enumerate() {
            if i > 0 {
                line.push(delimiter);
            }
            write_cell(&mut line, column, row, delimiter)?;
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

fn write_cell(line: &mut Vec<u8>, column: &Values<'_>, row: usize, delimiter: u8) -> std::io::Result<()> {
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
