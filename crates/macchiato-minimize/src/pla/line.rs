//! One line of a PLA file, taken apart into words; it knows its place, for messages.
//!
//! Public for readers that make something else of such files than covers: the keywords, comments, titles and numbers of every PLA file
//! are read here.

use super::error::{PlaError, Place};

/// One line and how far it is read.
#[derive(Debug)]
pub struct Line<'a> {
    pub(super) file: &'a str,
    pub(super) number: usize,
    pub(super) text: &'a [u8],
    /// The byte to be read next.
    pub at: usize,
}

impl<'a> Line<'a> {
    /// The `number`-th line of a file, from 1, with or without its end.
    #[must_use]
    pub fn new(file: &'a str, number: usize, text: &'a [u8]) -> Self {
        // Editors on Windows put a byte order mark before the first line.
        let at = if number == 1 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        debug_assert!(text.trim_ascii_end().len() >= at);
        Self { file, number, text: text.trim_ascii_end(), at }
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn number(&self) -> usize {
        self.number
    }

    /// All of it, without white space at its end.
    #[must_use]
    pub const fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The place of a byte.
    #[must_use]
    pub fn place(&self, at: usize) -> Place {
        Place { file: self.file.to_owned(), line: self.number, column: at + 1 }
    }

    /// What is left before the line's end; nothing where a comment begins.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        match &self.text[self.at..] {
            [b'#', ..] => &[],
            rest => rest,
        }
    }

    /// A line before the sizes that is no row: `espresso` passes over such titles, and real files have them.
    #[must_use]
    pub fn is_title(&self) -> bool {
        self.rest().iter().any(|byte| !is_space(*byte) && !b"01-2~|".contains(byte))
    }

    pub(super) fn at_first_word(&self) -> bool {
        self.text[..self.at].iter().all(|&byte| is_space(byte))
    }

    /// Words from the cursor to the line's end or a comment.
    pub(super) fn words(&self) -> usize {
        let words = self.text[self.at..].split(|&byte| is_space(byte)).filter(|word| !word.is_empty());
        words.take_while(|word| word[0] != b'#').count()
    }

    /// Goes to the next word.
    pub fn skip_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|&&byte| is_space(byte)).count();
    }

    /// A keyword or a value: up to white space or a comment.
    pub fn word(&mut self) -> &'a [u8] {
        self.take_while(|byte| !is_space(byte) && byte != b'#')
    }

    /// A name, which may hold a `#` but does not begin with one, and the space after it.
    ///
    /// # Errors
    /// A name that is no UTF-8.
    pub fn name(&mut self) -> Result<&'a str, PlaError> {
        let start = self.at;
        let name = self.take_while(|byte| !is_space(byte));
        self.skip_space();
        std::str::from_utf8(name).map_err(|_| PlaError::NameNotText { place: self.place(start) })
    }

    /// The digits after `keyword`, and where they begin.
    ///
    /// # Errors
    /// Another word, or none.
    pub fn digits(&mut self, keyword: &'static str) -> Result<(&'a [u8], usize), PlaError> {
        self.skip_space();
        let start = self.at;
        let word = self.word();
        if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
            return Err(PlaError::BadNumber { place: self.place(start), keyword, found: shown(word) });
        }
        Ok((word, start))
    }

    /// The number after `keyword`: at most `most`, and the same as the first time.
    ///
    /// # Errors
    /// No number, one that is too large, or another one than before; no outputs.
    pub fn size(
        &mut self,
        keyword: &'static str,
        first: Option<usize>,
        most: usize,
    ) -> Result<usize, PlaError> {
        let (digits, start) = self.digits(keyword)?;
        // Digits that no `usize` holds are past every cap as well.
        let size = digits
            .iter()
            .try_fold(0usize, |size, digit| size.checked_mul(10)?.checked_add(usize::from(digit - b'0')))
            .filter(|&size| size <= most)
            .ok_or_else(|| PlaError::TooLarge { place: self.place(start), keyword })?;
        if size == 0 && keyword == ".o" {
            return Err(PlaError::NoOutputs { place: self.place(start) });
        }
        if let Some(first) = first.filter(|&first| first != size) {
            return Err(PlaError::Redeclared {
                place: self.place(start),
                keyword,
                first: first.to_string(),
                second: size.to_string(),
            });
        }
        Ok(size)
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let (word, _) = rest.split_at(rest.iter().take_while(|&&byte| keep(byte)).count());
        self.at += word.len();
        word
    }
}

/// Whether a byte is white space in a PLA file.
#[must_use]
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A word of the file for a message: printable, and not longer than a glance.
#[must_use]
pub fn shown(word: &[u8]) -> String {
    const GLANCE: usize = 32;
    let (start, dots) = if word.len() > GLANCE { (&word[..GLANCE], "...") } else { (word, "") };
    format!("{}{dots}", start.escape_ascii())
}
