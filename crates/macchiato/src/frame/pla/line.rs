//! One line of a learner's PLA file, taken apart into words and values; it knows its place, for messages.

use macchiato_minimize::pla::{self, PlaError};

use super::super::{MAX_INPUTS, Place, ReadError};

/// One line and how far it is read.
pub(super) struct Line<'a> {
    pub(super) source: &'a str,
    pub(super) number: usize,
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Line<'a> {
    pub(super) fn place(&self, at: usize) -> pla::Place {
        pla::Place { file: self.source.to_owned(), line: self.number, column: at + 1 }
    }

    pub(super) fn field(&self, at: usize) -> Place {
        Place::new(self.source, self.number, at + 1)
    }

    /// What is left before the line's end; nothing where a comment begins.
    pub(super) fn rest(&self) -> &'a [u8] {
        match &self.text[self.at..] {
            [b'#', ..] => &[],
            rest => rest,
        }
    }

    /// A line before the sizes that is no row: `espresso` passes over such titles, and real files have them.
    pub(super) fn is_title(&self) -> bool {
        self.rest().iter().any(|byte| !is_space(*byte) && !b"01-2~|".contains(byte))
    }

    pub(super) fn skip_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|&&byte| is_space(byte)).count();
    }

    /// A keyword or a value: up to white space or a comment.
    pub(super) fn word(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().take_while(|&&byte| !is_space(byte) && byte != b'#').count();
        self.at += length;
        &rest[..length]
    }

    /// All words up to the line's end; a `#` inside a name is part of it.
    pub(super) fn names(&mut self) -> Result<Vec<String>, PlaError> {
        let mut names = Vec::new();
        self.skip_space();
        while !self.rest().is_empty() {
            let rest = self.rest();
            let name = rest.split(|&byte| is_space(byte)).next().unwrap_or_default();
            let text = std::str::from_utf8(name);
            names.push(text.map_err(|_| PlaError::NameNotText { place: self.place(self.at) })?.to_owned());
            self.at += name.len();
            self.skip_space();
        }
        Ok(names)
    }

    /// The value, `0` or `1`, that `byte` at the cursor spells.
    pub(super) fn value(&self, byte: u8, is_input: bool) -> Result<u8, ReadError> {
        let found = || shown(&[byte]);
        match (byte, is_input) {
            (b'0' | b'1', _) => Ok(byte),
            (b'-' | b'2', true) => Err(ReadError::FreeInputs { place: self.field(self.at) }),
            (_, true) => Err(PlaError::BadInput { place: self.place(self.at), found: found() }.into()),
            // Berkeley's synonyms.
            (b'3', false) => Ok(b'0'),
            (b'4', false) => Ok(b'1'),
            (b'-' | b'2' | b'~', false) => {
                Err(ReadError::NoLabel { place: self.field(self.at), found: byte.into() })
            }
            (_, false) => Err(PlaError::BadOutput { place: self.place(self.at), found: found() }.into()),
        }
    }
}

/// The digits at the cursor and where they begin.
pub(super) fn digits<'a>(line: &mut Line<'a>, keyword: &'static str) -> Result<(&'a [u8], usize), PlaError> {
    line.skip_space();
    let start = line.at;
    let word = line.word();
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return Err(PlaError::BadNumber { place: line.place(start), keyword, found: shown(word) });
    }
    Ok((word, start))
}

/// The number at the cursor, capped, and the same as the first time.
pub(super) fn size(
    line: &mut Line<'_>,
    keyword: &'static str,
    first: Option<usize>,
) -> Result<usize, PlaError> {
    let (word, start) = digits(line, keyword)?;
    let place = line.place(start);
    let size: Option<usize> = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    let Some(size) = size.filter(|&size| size <= MAX_INPUTS) else {
        return Err(PlaError::TooLarge { place, keyword });
    };
    match first {
        Some(first) if first != size => {
            let (first, second) = (first.to_string(), size.to_string());
            Err(PlaError::Redeclared { place, keyword, first, second })
        }
        _ => Ok(size),
    }
}

/// The names, if there are as many as there should be.
pub(super) fn counted(
    names: Vec<String>,
    expected: usize,
    place: pla::Place,
    keyword: &'static str,
) -> Result<Vec<String>, PlaError> {
    let found = names.len();
    if found == expected { Ok(names) } else { Err(PlaError::WrongNames { place, keyword, found, expected }) }
}

pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A word of the file for a message: printable, and not longer than a glance.
pub(super) fn shown(word: &[u8]) -> String {
    const GLANCE: usize = 32;
    let (start, dots) = if word.len() > GLANCE { (&word[..GLANCE], "...") } else { (word, "") };
    format!("{}{dots}", start.escape_ascii())
}
