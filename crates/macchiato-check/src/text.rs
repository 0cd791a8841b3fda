//! Lines and fields, with the place of everything that is wrong.
//!
//! [`Lines`] takes the bytes of a certificate, gives one [`Line`] after the other and knows its number; a line gives one
//! field after the other and knows its column. Fields are separated by exactly one space, lines end with exactly one line
//! feed, numbers have one spelling: two different texts never mean the same by accident of layout. Nothing is copied, and
//! nothing is reserved by a number that the text claims.

use crate::verdict::Fault;

/// float32 holds every whole number up to here, so that sums below it are exact. No number of a gate reaches it.
pub const EXACT: u64 = 1 << 24;
/// The longest certificate, in bytes.
pub const MAX_TEXT: usize = 256 << 20;
/// The longest line, in bytes.
pub const MAX_LINE: usize = 16 << 20;
/// The longest name, in bytes after decoding.
pub const MAX_NAME: usize = 1024;

/// The lines of a text that are still to be read.
pub struct Lines<'a> {
    rest: &'a str,
    number: usize,
}

/// One line, and how far it has been read.
pub struct Line<'a> {
    /// All of it.
    pub text: &'a str,
    /// Bytes read.
    at: usize,
    /// Where the last field began.
    field: usize,
    /// Its number, from 1.
    pub number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text, which must be UTF-8 of a bounded length.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let fault = |line, column, why: String| Err(Fault { line, column, why });
        if bytes.len() > MAX_TEXT {
            return fault(1, 1, format!("the file is longer than {MAX_TEXT} bytes"));
        }
        match std::str::from_utf8(bytes) {
            Ok(rest) => Ok(Self { rest, number: 0 }),
            Err(error) => {
                let lines = bytes.split_at(error.valid_up_to()).0.split(|&byte| byte == b'\n');
                let column = lines.clone().next_back().map_or(0, <[u8]>::len) + 1;
                fault(lines.count(), column, "this byte is no UTF-8".to_owned())
            }
        }
    }

    /// The next line. There must be one: only the record `end` may be the last.
    pub fn line(&mut self) -> Result<Line<'a>, Fault> {
        self.number += 1;
        let fault = |column, why: &str| Err(Fault { line: self.number, column, why: why.to_owned() });
        let Some((text, rest)) = self.rest.split_once('\n') else {
            return match self.rest.len() {
                0 => fault(1, "the file ends before its line `end`"),
                length => fault(length + 1, "the file ends within a line"),
            };
        };
        if text.len() > MAX_LINE {
            return fault(MAX_LINE + 1, "the line is longer than 16 MiB");
        }
        self.rest = rest;
        Ok(Line::new(text, self.number))
    }

    /// The first field of the next line, to choose what to read.
    #[must_use]
    pub fn peek(&self) -> &'a str {
        self.rest.split([' ', '\n']).next().unwrap_or_default()
    }

    /// After `end` there must be nothing.
    pub fn done(&self) -> Result<(), Fault> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Fault { line: self.number + 1, column: 1, why: "there is text after the line `end`".to_owned() })
    }
}

impl<'a> Line<'a> {
    /// A line that stands alone, with its number.
    #[must_use]
    pub fn new(text: &'a str, number: usize) -> Self {
        Self { text, at: 0, field: 0, number }
    }

    /// A fault at the field that was read last.
    pub fn wrong<T>(&self, why: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { line: self.number, column: self.field + 1, why: why.into() })
    }

    /// Steps over the space before a field and gives the rest of the line.
    fn begin(&mut self, what: &str) -> Result<&'a str, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.field = self.at;
        match rest.strip_prefix(' ') {
            _ if self.at == 0 => return Ok(rest),
            None if rest.is_empty() => return self.wrong(format!("the line ends before {what}")),
            None => return self.wrong("a space must separate the fields"),
            Some(_) => self.at += 1,
        }
        self.field = self.at;
        Ok(rest.split_at(1).1)
    }

    /// The next field.
    pub fn word(&mut self, what: &str) -> Result<&'a str, Fault> {
        let rest = self.begin(what)?;
        let word = rest.split(' ').next().unwrap_or_default();
        self.at += word.len();
        if word.is_empty() { self.wrong(format!("{what} is missing")) } else { Ok(word) }
    }

    /// A field that must read `keyword`.
    pub fn keyword(&mut self, keyword: &str) -> Result<(), Fault> {
        match self.word(&format!("`{keyword}`"))? {
            found if found == keyword => Ok(()),
            found => self.wrong(format!("{} where `{keyword}` must be", quoted(found))),
        }
    }

    /// A field that must be a number from `least` to `most`.
    pub fn number(&mut self, what: &str, least: u64, most: u64) -> Result<u64, Fault> {
        let word = self.word(what)?;
        match decimal(word) {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            Some(number) => self.wrong(format!("{what} is {number}, not from {least} to {most}")),
            None => self.wrong(format!("{} is no number", quoted(word))),
        }
    }

    /// As [`Line::number`], for what counts things in memory.
    pub fn count(&mut self, what: &str, least: usize, most: usize) -> Result<usize, Fault> {
        let number = self.number(what, least as u64, most as u64)?;
        // At most `most`, which is a usize.
        Ok(usize::try_from(number).unwrap_or(most))
    }

    /// A field that `read` takes; `what` says what that is.
    pub fn parse<T>(&mut self, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Fault> {
        let word = self.word(what)?;
        match read(word) {
            Some(value) => Ok(value),
            None => self.wrong(format!("{} is not {what}", quoted(word))),
        }
    }

    /// A field that is a JSON string, as every writer of JSON has it that leaves all but control characters as they are.
    pub fn name(&mut self, what: &str) -> Result<String, Fault> {
        let rest = self.begin(what)?;
        let Some((name, after)) = string(rest).filter(|(name, _)| name.len() <= MAX_NAME) else {
            return self.wrong(format!("{what} must be a JSON string of at most {MAX_NAME} bytes"));
        };
        self.at += rest.len() - after.len();
        Ok(name)
    }

    /// Whether there is a further field.
    #[must_use]
    pub fn more(&self) -> bool {
        self.at < self.text.len()
    }

    /// The line must end here.
    pub fn end(mut self) -> Result<(), Fault> {
        self.field = self.at;
        if self.more() { self.wrong("the record has ended, the line has not") } else { Ok(()) }
    }
}

/// A number without sign or leading zeros.
#[must_use]
pub fn decimal(word: &str) -> Option<u64> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    // `parse` would take a sign, which `plain` excludes.
    word.parse().ok().filter(|_| plain)
}

/// A whole number, maybe negative, of less than 2^24 in size.
#[must_use]
pub fn signed(word: &str) -> Option<i64> {
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |digits| (-1, digits));
    let size = decimal(digits).filter(|&size| size < EXACT && (sign > 0 || size > 0))?;
    Some(sign * i64::try_from(size).ok()?)
}

/// The JSON string at the start of a text, in which control characters are escaped, and what comes after it.
fn string(text: &str) -> Option<(String, &str)> {
    let (mut name, mut symbols) = (String::new(), text.strip_prefix('"')?.chars());
    loop {
        name.push(match symbols.next()? {
            '"' => return Some((name, symbols.as_str())),
            '\\' => escaped(&mut symbols)?,
            '\0'..' ' => return None,
            symbol => symbol,
        });
    }
}

/// The character that is meant by what follows a backslash.
fn escaped(symbols: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match symbols.next()? {
        symbol @ ('"' | '\\') => symbol,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            char::from_u32((0..4).try_fold(0, |code, _| Some(code * 16 + symbols.next()?.to_digit(16)?))?)?
        }
        _ => return None,
    })
}

/// A word of the text for a message: short, and without anything that could confuse a terminal.
#[must_use]
pub fn quoted(word: &str) -> String {
    let shown: String = word.chars().take(40).collect();
    format!("{shown:?}")
}
