//! Reads a PLA file line by line.
//!
//! Takes any buffered reader, gives a [`Pla`] or the first fault with its line and column. Lenient where real files
//! are: rows without a gap, with `|`, or cut over several lines; `#` comments at any place; a title before the sizes;
//! `.e` missing, or followed by anything. Nothing is ever allocated by a number that the file claims: memory grows with the bytes read.

use std::io::{BufRead, Read};

use super::error::{PlaError, Place};
use super::header::{Flow, Header};
use super::line::{Line, is_space, shown};
use super::{MAX_LINE, Pla, PlaType, Plane};
use crate::cube::{Literal, Shape};

/// Reads the PLA file `reader`, which messages call `file`.
///
/// # Errors
/// The first fault, as [`PlaError`] lists them.
///
/// ```
/// use macchiato_minimize::pla;
///
/// let error = pla::read(".i 2\n.o 1\n0x 1\n".as_bytes(), "a.pla").unwrap_err();
/// assert_eq!(error.to_string(), "a.pla:3:2: `x` is no input value: write `0`, `1`, or `-` for a free input");
/// ```
pub fn read(mut reader: impl BufRead, file: &str) -> Result<Pla, PlaError> {
    let mut header = Header::default();
    let mut body: Option<Body> = None;
    let mut text = Vec::new();
    let mut number = 0;
    loop {
        text.clear();
        number += 1;
        let place = || Place { file: file.to_owned(), line: number, column: 1 };
        let length = Read::by_ref(&mut reader)
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut text)
            .map_err(|reason| PlaError::Io { place: place(), reason })?;
        if length > MAX_LINE {
            return Err(PlaError::LineTooLong { place: place() });
        }
        let mut line = Line::new(file, number, &text);
        if length == 0 || read_line(&mut line, &mut header, &mut body)? == Flow::End {
            return finish(&line, header, body);
        }
    }
}

fn read_line(line: &mut Line<'_>, header: &mut Header, body: &mut Option<Body>) -> Result<Flow, PlaError> {
    let mut row_ended = None;
    loop {
        line.skip_space();
        if header.wants_names() {
            header.names(line)?;
            line.skip_space();
        }
        let Some(&byte) = line.rest().first() else { return Ok(Flow::More) };
        let row_open = body.as_ref().is_some_and(|body| body.row.seen > 0);
        if byte == b'.' && !row_open {
            if header.keyword(line, body.is_some())? == Flow::End {
                return Ok(Flow::End);
            }
            continue;
        }
        let body = match body {
            None if header.shape().is_err() && line.is_title() => return Ok(Flow::More),
            Some(body) => body,
            None => body.insert(Body::new(line, header)?),
        };
        if let Some(began) = row_ended {
            let expected = body.width();
            return Err(PlaError::RowTooLong { place: line.place(line.at), line: began, expected });
        }
        row_ended = body.read_row(line)?;
    }
}

fn finish(line: &Line<'_>, mut header: Header, body: Option<Body>) -> Result<Pla, PlaError> {
    header.close_names();
    let body = body.map_or_else(|| Body::new(line, &header), Ok)?;
    if body.row.seen > 0 {
        return Err(body.too_short(line));
    }
    let pla = Pla {
        file: line.file.to_owned(),
        kind: body.pla_type,
        input_names: header.input_names,
        output_names: header.output_names,
        notes: header.notes,
        on: body.on,
        dont_care: body.dont_care,
        off: body.off,
    };
    pla.check_consistent()?;
    Ok(pla)
}

/// The rows read so far and the one under way.
struct Body {
    shape: Shape,
    pla_type: PlaType,
    row: Row,
    on: Plane,
    dont_care: Plane,
    off: Plane,
}

struct Row {
    /// The input part, in front of room for the outputs of one set.
    cube: Vec<u64>,
    on: Vec<u64>,
    dont_care: Vec<u64>,
    off: Vec<u64>,
    /// Values read, inputs and outputs together.
    seen: usize,
    /// Where the row begins.
    line: usize,
    column: usize,
}

impl Body {
    fn new(line: &Line<'_>, header: &Header) -> Result<Self, PlaError> {
        let size_missing = |keyword| PlaError::SizeMissing { place: line.place(line.at), keyword };
        let shape = header.shape().map_err(size_missing)?;
        let none = vec![0; shape.output_words()];
        Ok(Self {
            shape,
            pla_type: header.pla_type(),
            row: Row {
                cube: shape.universe(),
                on: none.clone(),
                dont_care: none.clone(),
                off: none,
                seen: 0,
                line: 0,
                column: 0,
            },
            on: Plane::new(shape),
            dont_care: Plane::new(shape),
            off: Plane::new(shape),
        })
    }

    const fn width(&self) -> usize {
        self.shape.inputs() + self.shape.outputs()
    }

    /// Reads values up to the end of the row or of the line; gives the row's first line if the row is complete.
    fn read_row(&mut self, line: &mut Line<'_>) -> Result<Option<usize>, PlaError> {
        while let Some(&byte) = line.text.get(line.at) {
            match byte {
                b'#' => return Ok(None),
                b'|' => {}
                _ if is_space(byte) => {}
                b'.' => return Err(self.too_short(line)),
                _ => self.value(line, byte)?,
            }
            line.at += 1;
            if self.row.seen == self.width() {
                return Ok(Some(self.end_row()));
            }
        }
        Ok(None)
    }

    fn value(&mut self, line: &Line<'_>, byte: u8) -> Result<(), PlaError> {
        let row = &mut self.row;
        let place = || line.place(line.at);
        if row.seen == 0 {
            (row.line, row.column) = (line.number, line.at + 1);
        }
        if row.seen < self.shape.inputs() {
            let literal = match byte {
                b'0' => Literal::Negative,
                b'1' => Literal::Positive,
                b'-' | b'2' => Literal::Free,
                _ => return Err(PlaError::BadInput { place: place(), found: shown(&line.rest()[..1]) }),
            };
            self.shape.set_literal(&mut row.cube, row.seen, literal);
        } else {
            let output = row.seen - self.shape.inputs();
            let set = match byte {
                b'1' | b'4' => Some(&mut row.on),
                b'0' | b'3' => self.pla_type.gives_off().then_some(&mut row.off),
                b'-' | b'2' => self.pla_type.gives_dont_care().then_some(&mut row.dont_care),
                b'~' => None,
                _ => return Err(PlaError::BadOutput { place: place(), found: shown(&line.rest()[..1]) }),
            };
            if let Some(set) = set {
                set[output / 64] |= 1 << (output % 64);
            }
        }
        row.seen += 1;
        Ok(())
    }

    fn end_row(&mut self) -> usize {
        let row = &mut self.row;
        let sets = [
            (&mut row.on, &mut self.on),
            (&mut row.dont_care, &mut self.dont_care),
            (&mut row.off, &mut self.off),
        ];
        for (outputs, plane) in sets {
            if outputs.iter().any(|&word| word != 0) {
                self.shape.output_part_mut(&mut row.cube).copy_from_slice(outputs);
                plane.push(&row.cube, row.line);
                outputs.fill(0);
            }
        }
        row.seen = 0;
        row.line
    }

    fn too_short(&self, line: &Line<'_>) -> PlaError {
        let place = Place { file: line.file.to_owned(), line: self.row.line, column: self.row.column };
        PlaError::RowTooShort { place, found: self.row.seen, expected: self.width() }
    }
}
