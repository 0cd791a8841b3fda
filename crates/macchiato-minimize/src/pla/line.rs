//! One line of a PLA file, taken apart into words; it knows its place, for messages.

use super::error::Place;

/// One line and how far it is read.
pub(super) struct Line<'a> {
    pub(super) file: &'a str,
    pub(super) number: usize,
    pub(super) text: &'a [u8],
    /// The byte to be read next.
    pub(super) at: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(file: &'a str, number: usize, text: &'a [u8]) -> Self {
        // Editors on Windows put a byte order mark before the first line.
        let at = if number == 1 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        debug_assert!(text.trim_ascii_end().len() >= at);
        Self { file, number, text: text.trim_ascii_end(), at }
    }

    pub(super) fn place(&self, at: usize) -> Place {
        Place { file: self.file.to_owned(), line: self.number, column: at + 1 }
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

    pub(super) fn at_first_word(&self) -> bool {
        self.text[..self.at].iter().all(|&byte| is_space(byte))
    }

    /// Words from the cursor to the line's end or a comment.
    pub(super) fn words(&self) -> usize {
        let words = self.text[self.at..].split(|&byte| is_space(byte)).filter(|word| !word.is_empty());
        words.take_while(|word| word[0] != b'#').count()
    }

    pub(super) fn skip_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|&&byte| is_space(byte)).count();
    }

    /// A keyword or a value: up to white space or a comment.
    pub(super) fn word(&mut self) -> &'a [u8] {
        self.take_while(|byte| !is_space(byte) && byte != b'#')
    }

    /// A name, which may hold a `#` but does not begin with one, and the space after it.
    pub(super) fn name(&mut self) -> &'a [u8] {
        let name = self.take_while(|byte| !is_space(byte));
        self.skip_space();
        name
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let (word, _) = rest.split_at(rest.iter().take_while(|&&byte| keep(byte)).count());
        self.at += word.len();
        word
    }
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
