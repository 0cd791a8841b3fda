//! The training rows, read from their file: CSV, TSV or PLA, as the certificate says.
//!
//! Empty lines do not count, a byte order mark neither. Linear in the file.

mod cell;
mod columns;
mod names;
mod pla;

use crate::Refusal;
use crate::rows::Rows;
use crate::training::{Part, RowsFormat, Training};
use macchiato_check::{Certificate, Fault, reject};
use std::ops::Range;

/// Reads the file of a certificate's training rows, with the labels of one output, and keeps those rows of it, counted from 0.
pub(crate) fn read(
    training: &Training,
    bytes: &[u8],
    certificate: &Certificate,
    part: &Part,
    kept: Range<u64>,
) -> Result<Rows, Refusal> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = good.split(|&byte| byte == b'\n').count();
        Refusal::Rows(Fault { line, column: 1, why: "this line is no UTF-8".to_owned() })
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let lines = lines.enumerate().map(|(l, line)| (l + 1, line)).filter(|(_, line)| !line.is_empty());
    let mut rows = Rows::empty(certificate.inputs.len(), kept);
    let separator = match training.format {
        RowsFormat::Csv => ',',
        RowsFormat::Tsv => '\t',
        RowsFormat::Pla if training.table.is_some() => {
            return Ok(reject("rows", "a PLA file has no columns to test")?);
        }
        RowsFormat::Pla if training.weight.is_some() => {
            return Ok(reject("rows", "a PLA file has no weights")?);
        }
        RowsFormat::Pla => {
            let target = certificate.outputs.get(part.output).map_or("", |output| &output.name);
            pla::read(&mut rows, lines, &certificate.inputs, target)?;
            return Ok(rows);
        }
    };
    columns::read(&mut rows, lines, separator, certificate, training, part)?;
    Ok(rows)
}
