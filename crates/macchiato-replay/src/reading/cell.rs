//! The cells of a line, and what they say.

use macchiato_check::Fault;
use std::borrow::Cow;

pub(super) fn boolean(cell: &str) -> Option<bool> {
    let is = |word: &str| cell.eq_ignore_ascii_case(word);
    match () {
        () if ["1", "true", "yes", "t", "y"].into_iter().any(is) => Some(true),
        () if ["0", "false", "no", "f", "n"].into_iter().any(is) => Some(false),
        () => None,
    }
}

/// A weight from 0 on with at most six decimals that are not zeros at the end, in millionths.
pub(super) fn millionths(cell: &str) -> Option<u64> {
    let cell = cell.strip_prefix('+').unwrap_or(cell);
    let (whole, decimals) = cell.split_once('.').unwrap_or((cell, ""));
    let decimals = decimals.trim_end_matches('0');
    let digits = format!("{whole}{decimals:0<6}");
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && decimals.len() <= 6;
    digits.parse().ok().filter(|_| plain && cell.bytes().any(|byte| byte != b'.'))
}

/// Splits a line into cells, each with its column.
pub(super) fn split<'a>(
    number: usize,
    line: &'a str,
    separator: char,
    cells: &mut Vec<(usize, Cow<'a, str>)>,
) -> Result<(), Fault> {
    cells.clear();
    let mut at = 0;
    loop {
        let rest = line.get(at..).unwrap_or_default();
        let fault = |column: usize, why: &str| Err(Fault { line: number, column, why: why.to_owned() });
        let (cell, length) = match rest.strip_prefix('"') {
            None => {
                let cell = rest.split(separator).next().unwrap_or_default();
                (Cow::Borrowed(cell), cell.len())
            }
            Some(inside) => match unquote(inside) {
                Some((cell, length)) => (Cow::Owned(cell), length + 1),
                None => return fault(at + 1, "the quoted cell does not end on its line"),
            },
        };
        cells.push((at + 1, cell));
        at += length;
        match line.get(at..).unwrap_or_default().chars().next() {
            None => return Ok(()),
            Some(symbol) if symbol == separator => at += 1,
            Some(_) => return fault(at + 1, "there is text after the quoted cell"),
        }
    }
}

/// The cell after its opening quote, and its length with the closing one.
fn unquote(inside: &str) -> Option<(String, usize)> {
    let mut cell = String::new();
    let mut from = inside.char_indices().peekable();
    while let Some((at, symbol)) = from.next() {
        match symbol {
            '"' if from.next_if(|&(_, next)| next == '"').is_some() => cell.push('"'),
            '"' => return Some((cell, at + 1)),
            _ => cell.push(symbol),
        }
    }
    None
}
