//! The header of a `NumPy` array: a Python dictionary of `descr`, `fortran_order` and `shape`.

use std::io::Read;

use super::super::{Place, ReadError};

/// The longest header that is read, in bytes: that of a plain array has about a hundred.
const MAX_HEADER: usize = 1 << 16;

/// What the elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// Also Boolean.
    Unsigned,
    Signed,
    Float,
}

/// An array's element type, order and shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Header {
    pub(in super::super) kind: Kind,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub(in super::super) size: usize,
    pub(in super::super) big_endian: bool,
    pub(in super::super) fortran_order: bool,
    pub(in super::super) shape: Vec<usize>,
}

impl Header {
    /// Reads the header of the array `source`; the elements come next.
    pub(in super::super) fn read(reader: &mut dyn Read, source: &str) -> Result<Self, ReadError> {
        let file = || source.to_owned();
        let mut bytes = |length: usize| {
            let mut bytes = vec![0; length];
            let fault = |reason| ReadError::io(Place::start(source), reason);
            reader.read_exact(&mut bytes).map(|()| bytes).map_err(fault)
        };
        let magic = bytes(8)?;
        let length = match (&magic[..6], magic[6]) {
            (b"\x93NUMPY", 1) => bytes(2)?,
            (b"\x93NUMPY", 2 | 3) => bytes(4)?,
            _ => return Err(ReadError::NotNpy { file: file() }),
        };
        let length = length.iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
        if length > MAX_HEADER {
            return Err(ReadError::NpyHeader { file: file(), found: format!("{length} bytes") });
        }
        let text = bytes(length)?;
        let mut cursor = Cursor { source, text: &text };
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        cursor.expect("{")?;
        while !cursor.take("}") {
            match cursor.string()? {
                "descr" => {
                    cursor.expect(":")?;
                    descr = Some(cursor.descr()?);
                }
                "fortran_order" => {
                    cursor.expect(":")?;
                    let is_true = cursor.take("True");
                    if !is_true {
                        cursor.expect("False")?;
                    }
                    fortran_order = Some(is_true);
                }
                "shape" => {
                    cursor.expect(":")?;
                    shape = Some(cursor.shape()?);
                }
                _ => return Err(cursor.fault()),
            }
            if !cursor.take(",") {
                cursor.expect("}")?;
                break;
            }
        }
        match (descr, fortran_order, shape) {
            (Some((kind, size, big_endian)), Some(fortran_order), Some(shape)) => {
                Ok(Self { kind, size, big_endian, fortran_order, shape })
            }
            _ => Err(cursor.fault()),
        }
    }

    pub(in super::super) fn bad_shape(&self, source: &str, expected: &'static str) -> ReadError {
        let sizes: Vec<_> = self.shape.iter().map(usize::to_string).collect();
        let found = format!("({})", sizes.join(", "));
        ReadError::NpyShape { file: source.to_owned(), found, expected }
    }
}

/// What is left of the header's text.
struct Cursor<'a> {
    source: &'a str,
    text: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn fault(&self) -> ReadError {
        let found = super::super::cell::shown(self.text);
        ReadError::NpyHeader { file: self.source.to_owned(), found }
    }

    fn take(&mut self, token: &str) -> bool {
        self.text = self.text.trim_ascii_start();
        let rest = self.text.strip_prefix(token.as_bytes());
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), ReadError> {
        if self.take(token) { Ok(()) } else { Err(self.fault()) }
    }

    fn string(&mut self) -> Result<&'a str, ReadError> {
        let quote = if self.take("'") { b'\'' } else { b'"' };
        if quote == b'"' {
            self.expect("\"")?;
        }
        let end = self.text.iter().position(|&byte| byte == quote).ok_or_else(|| self.fault())?;
        let string = std::str::from_utf8(&self.text[..end]).map_err(|_| self.fault())?;
        self.text = &self.text[end + 1..];
        Ok(string)
    }

    /// Kind, size, and whether the highest byte comes first.
    fn descr(&mut self) -> Result<(Kind, usize, bool), ReadError> {
        let unread = |found: String| ReadError::NpyType { file: self.source.to_owned(), found };
        // The fields of a structured array.
        if self.text.trim_ascii_start().starts_with(b"[") {
            return Err(unread("records".into()));
        }
        let descr = self.string()?;
        let unread = || ReadError::NpyType { file: self.source.to_owned(), found: descr.to_owned() };
        let name = descr.trim_start_matches(['<', '>', '|', '=']);
        let (kind, size) = match name {
            "b1" | "u1" => (Kind::Unsigned, 1),
            "u2" => (Kind::Unsigned, 2),
            "u4" => (Kind::Unsigned, 4),
            "u8" => (Kind::Unsigned, 8),
            "i1" => (Kind::Signed, 1),
            "i2" => (Kind::Signed, 2),
            "i4" => (Kind::Signed, 4),
            "i8" => (Kind::Signed, 8),
            "f4" => (Kind::Float, 4),
            "f8" => (Kind::Float, 8),
            _ => return Err(unread()),
        };
        Ok((kind, size, descr.starts_with('>')))
    }

    fn shape(&mut self) -> Result<Vec<usize>, ReadError> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            let digits = self.text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (number, rest) = self.text.split_at(digits);
            let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
            shape.push(number.ok_or_else(|| self.fault())?);
            self.text = rest;
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}
