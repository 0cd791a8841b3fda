//! Arrays for Python, in `NumPy`'s format 1.0: rows as points and labels, or any numbers.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use macchiato::bits;
use macchiato::rows::Rows;

/// Writes the points of `rows`, of at most 64 inputs, to `x` and their labels to `y`; input i is bit i of a point.
pub(crate) fn write_points(rows: &Rows, x: &Path, y: &Path) -> Result<()> {
    let point = |row| {
        rows.columns().iter().enumerate().fold(0, |x, (i, column)| x | u64::from(bits::get(column, row)) << i)
    };
    let points: Vec<u8> = (0..rows.len()).flat_map(|row| point(row).to_le_bytes()).collect();
    let labels: Vec<u8> = (0..rows.len()).map(|row| u8::from(bits::get(rows.labels(), row))).collect();
    write_array(x, "<u8", &[rows.len()], &points)?;
    write_array(y, "|u1", &[rows.len()], &labels)
}

/// Writes an array of `NumPy`'s type `kind` by its bytes, the last dimension running fastest.
pub(crate) fn write_array(path: &Path, kind: &str, shape: &[usize], data: &[u8]) -> Result<()> {
    let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
    let mut header =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({},), }}", shape.join(","));
    // The data begin at a multiple of 64 bytes; ten come before the header, and a line's end closes it.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    fs::write(path, bytes).with_context(|| path.display().to_string())
}
