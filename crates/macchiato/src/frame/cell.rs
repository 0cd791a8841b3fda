//! What a cell says: a Boolean, or a weight in millionths.
//!
//! Text and numbers are taken exactly: nothing is rounded, and what is neither true nor false is no Boolean.

use std::fmt;

use super::WEIGHT_UNIT;

/// The Boolean that `text` spells.
pub(crate) fn boolean(text: &[u8]) -> Option<bool> {
    match text {
        b"0" => return Some(false),
        b"1" => return Some(true),
        _ => {}
    }
    let text = text.trim_ascii();
    let is_any = |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    if is_any(&["0", "false", "no", "f", "n"]) {
        Some(false)
    } else if is_any(&["1", "true", "yes", "t", "y"]) {
        Some(true)
    } else {
        None
    }
}

/// The weight that `text` spells: digits, and as wanted a point and at most six decimals that are not zeros at the end.
pub(crate) fn weight(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let point = text.iter().position(|&byte| byte == b'.');
    let (whole, decimals) = point.map_or((text, &[][..]), |at| (&text[..at], &text[at + 1..]));
    let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    if whole.len() + decimals.len() == 0 || !digits(whole) || !digits(decimals) {
        return None;
    }
    let (kept, fine) = decimals.split_at(decimals.len().min(6));
    if fine.iter().any(|&digit| digit != b'0') {
        return None;
    }
    let zeros = std::iter::repeat_n(&b'0', 6 - kept.len());
    whole
        .iter()
        .chain(kept)
        .chain(zeros)
        .try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

/// A cell for a message: printable, and not longer than a glance.
pub(crate) fn shown(text: &[u8]) -> String {
    const GLANCE: usize = 32;
    let text = String::from_utf8_lossy(text.trim_ascii());
    let mut shown: String = text.chars().take(GLANCE).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    shown
}

/// A number as arrays hold it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Single(f32),
    Double(f64),
}

impl Number {
    /// Exactly 0 and 1 are Boolean, nothing near them.
    pub(crate) const fn boolean(self) -> Option<bool> {
        match self {
            Self::Integer(0) | Self::Single(0.0) | Self::Double(0.0) => Some(false),
            Self::Integer(1) | Self::Single(1.0) | Self::Double(1.0) => Some(true),
            _ => None,
        }
    }

    /// The nearest float.
    pub(crate) const fn value(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Single(value) => value as f64,
            Self::Double(value) => value,
        }
    }

    /// The weight in millionths; a float counts as the shortest decimal that it is nearest to.
    pub(crate) fn weight(self) -> Option<u64> {
        match self {
            Self::Integer(value) => u64::try_from(value).ok()?.checked_mul(WEIGHT_UNIT),
            Self::Single(value) => weight(value.to_string().as_bytes()),
            Self::Double(value) => weight(value.to_string().as_bytes()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Single(value) => value.fmt(f),
            Self::Double(value) => value.fmt(f),
        }
    }
}
