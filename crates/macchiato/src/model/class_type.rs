//! What classes are in the program that learned them: the element type of NumPy's array of them.
//!
//! The texts of most classes say it themselves: `1` and `2` are whole numbers, `False` and `True` are Boolean. Only where they do not is it
//! kept in the model file, so that a table gives the same file from the command, which knows texts alone, as from Python.

use std::fmt;
use std::str::FromStr;

/// The element type of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClassType {
    /// `False` and `True`.
    Boolean,
    /// Whole numbers of so many bits.
    Integer {
        /// 8, 16, 32 or 64.
        bits: u8,
        /// Whether they can be negative.
        signed: bool,
    },
    /// Numbers of so many bits.
    Float {
        /// 16, 32 or 64.
        bits: u8,
    },
    /// Texts, as objects of Python.
    Text,
    /// Texts of at most so many characters.
    Fixed {
        /// How many.
        characters: u32,
    },
}

/// A name that no type has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no type of classes: give bool, int64, float64, object, U8 or the like")]
pub struct ClassTypeError(String);

/// Most digits of a decimal that a double gives back as they were.
const DIGITS: usize = 15;

impl ClassType {
    const WHOLE: Self = Self::Integer { bits: 64, signed: true };

    /// What the texts of classes say by themselves.
    #[must_use]
    pub fn of(classes: &[String]) -> Self {
        let unsigned = Self::Integer { bits: 64, signed: false };
        let wide = Self::Float { bits: 64 };
        let all = |holds: fn(&str) -> bool| classes.iter().all(|class| holds(class));
        if Self::Boolean.fits(classes) {
            Self::Boolean
        } else if all(is_plain_whole) && Self::WHOLE.fits(classes) {
            Self::WHOLE
        } else if all(is_plain_whole) && unsigned.fits(classes) {
            unsigned
        } else if all(is_plain_decimal) {
            wide
        } else {
            Self::Text
        }
    }

    /// Whether classes can be of this type.
    #[must_use]
    pub fn fits(self, classes: &[String]) -> bool {
        let fits = |class: &String| match self {
            Self::Boolean => class == "False" || class == "True",
            Self::Integer { bits, signed } => class.parse::<i128>().is_ok_and(|value| {
                let least = if signed { -(1i128 << (bits - 1)) } else { 0 };
                (least..least + (1i128 << bits)).contains(&value)
            }),
            Self::Float { .. } => class.parse::<f64>().is_ok_and(f64::is_finite),
            Self::Text => true,
            Self::Fixed { characters } => class.chars().count() <= characters as usize,
        };
        classes.iter().all(fits)
    }
}

/// A whole number spelled in the one way that programs do.
fn is_plain_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && (text == "0" || !digits.starts_with('0'))
}

/// A whole or decimal number that Python spells in the same way.
fn is_plain_decimal(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    // -0.5 has a whole part that is no number by itself.
    let whole_is_plain = is_plain_whole(whole) || (whole == "-0" && !part.is_empty());
    let part_is_plain = part.bytes().all(|digit| digit.is_ascii_digit())
        && (!text.contains('.') || !(part.is_empty() || part.ends_with('0')));
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    // Smaller ones are spelled with an exponent.
    let small = whole.ends_with('0') && whole.len() <= 2 && part.starts_with("0000");
    whole_is_plain && part_is_plain && digits <= DIGITS && !small
}

impl fmt::Display for ClassType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean => write!(f, "bool"),
            Self::Integer { bits, signed: true } => write!(f, "int{bits}"),
            Self::Integer { bits, signed: false } => write!(f, "uint{bits}"),
            Self::Float { bits } => write!(f, "float{bits}"),
            Self::Text => write!(f, "object"),
            Self::Fixed { characters } => write!(f, "U{characters}"),
        }
    }
}

impl FromStr for ClassType {
    type Err = ClassTypeError;

    fn from_str(name: &str) -> Result<Self, ClassTypeError> {
        let bits = |prefix: &str| name.strip_prefix(prefix).and_then(|bits| bits.parse::<u8>().ok());
        let found = match name {
            "bool" => Some(Self::Boolean),
            "object" => Some(Self::Text),
            _ => match (bits("int"), bits("uint"), bits("float")) {
                (Some(bits @ (8 | 16 | 32 | 64)), _, _) => Some(Self::Integer { bits, signed: true }),
                (_, Some(bits @ (8 | 16 | 32 | 64)), _) => Some(Self::Integer { bits, signed: false }),
                (_, _, Some(bits @ (16 | 32 | 64))) => Some(Self::Float { bits }),
                _ => name
                    .strip_prefix('U')
                    .and_then(|characters| characters.parse().ok())
                    .map(|characters| Self::Fixed { characters }),
            },
        };
        // One spelling each: `U07` is not `U7`.
        found.filter(|found| found.to_string() == name).ok_or_else(|| ClassTypeError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::ClassType;

    fn of(classes: &[&str]) -> String {
        ClassType::of(&classes.iter().map(|&class| class.to_owned()).collect::<Vec<_>>()).to_string()
    }

    #[test]
    fn texts_say_what_they_are_where_python_spells_them_alike() {
        assert_eq!(of(&["False", "True"]), "bool");
        assert_eq!(of(&["-3", "0", "12"]), "int64");
        assert_eq!(of(&["1", "18446744073709551615"]), "uint64");
        assert_eq!(of(&["-0.5", "1", "2.25"]), "float64");
        for texts in [["007", "8"], ["1.50", "2"], ["0.00001", "1"], ["1e5", "2"], ["-0", "1"], ["", "1"]] {
            assert_eq!(of(&texts), "object", "{texts:?}");
        }
        assert_eq!(of(&["0.1234567890123456", "1"]), "object");
        assert_eq!(of(&["False", "True", "maybe"]), "object");
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["bool", "int8", "uint64", "float16", "object", "U12"] {
            assert_eq!(name.parse::<ClassType>().map(|found| found.to_string()), Ok(name.to_owned()));
        }
        for name in ["", "int", "int7", "float8", "U", "U07", "complex128"] {
            assert!(name.parse::<ClassType>().is_err(), "{name}");
        }
    }
}
