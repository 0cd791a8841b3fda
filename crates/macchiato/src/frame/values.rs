//! The values of one column, borrowed where another library owns them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::FrameError;
use crate::bits;

/// The code of a category that is missing.
pub const NO_LEVEL: u32 = u32::MAX;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// True or false.
    Boolean,
    /// A finite number, which is compared.
    Number,
    /// A text of a few, which is looked up.
    Category,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Boolean => "Boolean",
            Self::Number => "number",
            Self::Category => "category",
        })
    }
}

/// The values of a column, one for each row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values<'a> {
    /// True or false.
    Boolean {
        /// A bit column ([`crate::bits`]); a bit whose row is missing does not count.
        bits: Cow<'a, [u64]>,
        /// The bit column of the rows without a value, where there are any.
        missing: Option<Cow<'a, [u64]>>,
    },
    /// Finite numbers; NaN is missing.
    Number(Cow<'a, [f64]>),
    /// Texts.
    Category {
        /// The number of each row's level, [`NO_LEVEL`] where it is missing.
        codes: Cow<'a, [u32]>,
        /// The texts, all different, in any order; not all of them need to occur.
        levels: Cow<'a, [String]>,
    },
}

impl Values<'_> {
    /// What they are.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Boolean { .. } => Kind::Boolean,
            Self::Number(_) => Kind::Number,
            Self::Category { .. } => Kind::Category,
        }
    }

    /// The same, borrowed from these.
    #[must_use]
    pub fn borrowed(&self) -> Values<'_> {
        match self {
            Self::Boolean { bits, missing } => Values::Boolean {
                bits: Cow::Borrowed(bits),
                missing: missing.as_ref().map(|missing| Cow::Borrowed(&**missing)),
            },
            Self::Number(values) => Values::Number(Cow::Borrowed(values)),
            Self::Category { codes, levels } => {
                Values::Category { codes: Cow::Borrowed(codes), levels: Cow::Borrowed(levels) }
            }
        }
    }

    /// The same, owned.
    #[must_use]
    pub fn into_owned(self) -> Values<'static> {
        match self {
            Self::Boolean { bits, missing } => Values::Boolean {
                bits: bits.into_owned().into(),
                missing: missing.map(|missing| missing.into_owned().into()),
            },
            Self::Number(values) => Values::Number(values.into_owned().into()),
            Self::Category { codes, levels } => {
                Values::Category { codes: codes.into_owned().into(), levels: levels.into_owned().into() }
            }
        }
    }

    /// Whether `row` has no value.
    ///
    /// # Panics
    /// If there are not that many rows.
    #[must_use]
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Boolean { missing, .. } => missing.as_ref().is_some_and(|missing| bits::get(missing, row)),
            Self::Number(values) => values[row].is_nan(),
            Self::Category { codes, .. } => codes[row] == NO_LEVEL,
        }
    }

    /// Whether some of the first `rows` rows have no value.
    ///
    /// # Panics
    /// If there are not that many rows.
    #[must_use]
    pub fn has_gaps(&self, rows: usize) -> bool {
        match self {
            Self::Boolean { missing, .. } => missing
                .as_ref()
                .is_some_and(|missing| bits::ones(missing).next().is_some_and(|row| row < rows)),
            Self::Number(values) => values[..rows].iter().any(|value| value.is_nan()),
            Self::Category { codes, .. } => codes[..rows].contains(&NO_LEVEL),
        }
    }

    /// The same as bits, where they are a category of nothing but `0` and `1` without a gap.
    ///
    /// # Panics
    /// If there are not that many rows.
    #[must_use]
    pub fn as_bits(&self, rows: usize) -> Option<Values<'static>> {
        let Self::Category { codes, levels } = self else { return None };
        if self.has_gaps(rows) || !levels.iter().all(|level| matches!(level.as_str(), "0" | "1")) {
            return None;
        }
        let mut column = bits::Column::default();
        codes[..rows]
            .iter()
            .for_each(|&code| column.push(levels.get(code as usize).is_some_and(|level| level == "1")));
        Some(Values::Boolean { bits: column.into_words().into(), missing: None })
    }

    /// The rows with these numbers, in this order.
    ///
    /// # Panics
    /// If one reaches past the last row.
    #[must_use]
    pub fn pick(&self, rows: &[usize]) -> Values<'static> {
        let pick = |column: &[u64]| {
            let mut picked = vec![0u64; bits::words(rows.len())];
            for (to, &from) in rows.iter().enumerate() {
                picked[to / 64] |= u64::from(bits::get(column, from)) << (to % 64);
            }
            Cow::Owned(picked)
        };
        match self {
            Self::Boolean { bits, missing } => {
                Values::Boolean { bits: pick(bits), missing: missing.as_ref().map(|missing| pick(missing)) }
            }
            Self::Number(values) => Values::Number(rows.iter().map(|&row| values[row]).collect()),
            Self::Category { codes, levels } => Values::Category {
                codes: rows.iter().map(|&row| codes[row]).collect(),
                levels: levels.clone().into_owned().into(),
            },
        }
    }

    /// Checks that there is one value for each of `rows` rows, that numbers are finite and that codes have a level;
    /// messages call the column `name`.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, name: &str, rows: usize) -> Result<(), FrameError> {
        let column = || name.to_owned();
        let length = |found: usize, expected: usize| {
            if found == expected {
                Ok(())
            } else {
                Err(FrameError::Length { column: column(), found, expected })
            }
        };
        match self {
            Self::Boolean { bits, missing } => {
                length(bits.len(), bits::words(rows))?;
                missing.as_ref().map_or(Ok(()), |missing| length(missing.len(), bits::words(rows)))
            }
            Self::Number(values) => {
                length(values.len(), rows)?;
                match values.iter().position(|value| value.is_infinite()) {
                    Some(row) => Err(FrameError::Infinite { column: column(), row }),
                    None => Ok(()),
                }
            }
            Self::Category { codes, levels } => {
                length(codes.len(), rows)?;
                let none = |code: u32| code != NO_LEVEL && code as usize >= levels.len();
                match codes.iter().position(|&code| none(code)) {
                    Some(row) => Err(FrameError::Code {
                        column: column(),
                        row,
                        code: codes[row],
                        levels: levels.len(),
                    }),
                    None => Ok(()),
                }
            }
        }
    }
}

/// The order of texts such as levels and classes: numbers first, by their value, then the rest.
pub(crate) fn by_number_or_text(a: &str, b: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

/// A number as a person writes it: a power of ten only where there would be many zeros.
pub(crate) fn shown(value: f64) -> String {
    if value == 0.0 || (1e-5..1e16).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}
