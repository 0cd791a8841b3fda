//! What is to be predicted: classes with names, and one of them for each row.

use std::collections::HashMap;

use crate::bits;
use crate::frame::{FrameError, Values, by_number_or_text, shown, truth};

/// The classes of a target in their order, and that of each row.
///
/// ```
/// use macchiato::model::Target;
/// use macchiato::frame::Values;
///
/// let target = Target::new("doors", &Values::Number(vec![10.0, 2.0, 10.0, 4.0].into()), 4)?;
/// assert_eq!((target.classes().join(" "), target.codes()), ("2 4 10".to_owned(), &[2, 0, 2, 1][..]));
/// # Ok::<(), macchiato::model::TargetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    name: String,
    classes: Vec<String>,
    codes: Vec<u32>,
    /// Whether it is 0 or 1, and both are classes whichever occur.
    boolean: bool,
}

/// Why a column cannot be predicted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A row without a class.
    #[error("the target {name:?} has no value in row {row}: remove the row, or give it one")]
    Missing {
        /// The target's name.
        name: String,
        /// The row, from 0.
        row: usize,
    },
    /// More classes than there can be circuits.
    #[error(
        "the target {name:?} has {found} different values or more, and at most {most} classes are learned: is it a measure?"
    )]
    TooManyClasses {
        /// The target's name.
        name: String,
        /// Values that occur, as far as they were counted.
        found: usize,
        /// The most there can be.
        most: usize,
    },
    /// Classes of which hardly any has two rows.
    #[error(
        "the target {name:?} has {classes} classes on {rows} rows, so most of them on one row alone, from which nothing is learned: is it a name or a number of the rows?"
    )]
    RowsOfTheirOwn {
        /// The target's name.
        name: String,
        /// Its classes.
        classes: usize,
        /// The rows.
        rows: usize,
    },
    /// Values that are no column of that length.
    #[error(transparent)]
    Values(#[from] FrameError),
}

impl Target {
    /// The most classes that are learned.
    pub const MAX_CLASSES: usize = 1000;

    /// So many may have one row each: examples and tests do.
    const FEW_CLASSES: usize = 20;

    /// The target `name` with these values: only classes that occur count. They are ordered by number where they are numbers,
    /// then by text. The classes of a Boolean column are `0` and `1`, whichever occur.
    ///
    /// # Errors
    /// A row without a value, or too many classes.
    pub fn new(name: &str, values: &Values<'_>, rows: usize) -> Result<Self, TargetError> {
        values.check(name, rows)?;
        let boolean = matches!(values, Values::Boolean { .. });
        if let Some(row) = (0..rows).find(|&row| values.is_missing(row)) {
            return Err(TargetError::Missing { name: name.to_owned(), row });
        }
        // Numbers in the order in which the values come, then in their own order.
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut keys: Vec<u64> = if boolean { vec![0, 1] } else { Vec::new() };
        numbers.extend(keys.iter().map(|&key| (key, key as u32)));
        let mut codes = Vec::with_capacity(rows);
        for row in 0..rows {
            let key = match values {
                Values::Boolean { bits, .. } => bits::get(bits, row).into(),
                // 0 and -0 are one value.
                Values::Number(values) => (values[row] + 0.0).to_bits(),
                Values::Category { codes, .. } => codes[row].into(),
            };
            let next = keys.len() as u32;
            codes.push(*numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                next
            }));
            if keys.len() > Self::MAX_CLASSES {
                let (name, most) = (name.to_owned(), Self::MAX_CLASSES);
                return Err(TargetError::TooManyClasses { name, found: keys.len(), most });
            }
        }
        let text = |&key: &u64| match values {
            Values::Boolean { .. } => key.to_string(),
            Values::Number(_) => shown(f64::from_bits(key)),
            Values::Category { levels, .. } => levels[key as usize].clone(),
        };
        let mut classes: Vec<(String, usize)> = keys.iter().map(text).zip(0..).collect();
        classes.sort_by(|a, b| by_number_or_text(&a.0, &b.0));
        let mut places = vec![0; classes.len()];
        for (place, &(_, number)) in classes.iter().enumerate() {
            places[number] = place as u32;
        }
        for code in &mut codes {
            *code = places[*code as usize];
        }
        let classes = classes.into_iter().map(|(class, _)| class).collect();
        Ok(Self { name: name.to_owned(), classes, codes, boolean })
    }

    /// The same from a column that was read as texts: where all are `0` and `1`, these are the classes, whichever occur; and where all are
    /// words for true and false, different ones for the same are one class, called as the first of them in order.
    ///
    /// # Errors
    /// Those of [`Target::new`].
    pub fn spelled(name: &str, values: &Values<'_>, rows: usize) -> Result<Self, TargetError> {
        let Values::Category { codes, levels } = values else { return Self::new(name, values, rows) };
        let truths: Option<Vec<bool>> = levels.iter().map(|level| truth(level)).collect();
        let (Some(truths), false) = (truths, values.check(name, rows).is_err() || values.has_gaps(rows))
        else {
            return Self::new(name, values, rows);
        };
        if let Some(bits) = values.as_bits(rows) {
            return Self::new(name, &bits, rows);
        }
        if levels.len() <= 2 {
            return Self::new(name, values, rows);
        }
        let word = |wanted: bool| {
            let words =
                levels.iter().zip(&truths).filter(|(_, truth)| **truth == wanted).map(|(level, _)| level);
            words.min_by(|a, b| by_number_or_text(a, b)).cloned().unwrap_or_default()
        };
        let codes = codes[..rows].iter().map(|&code| u32::from(truths[code as usize])).collect();
        Self::new(name, &Values::Category { codes, levels: vec![word(false), word(true)].into() }, rows)
    }

    /// Whether there are many classes and for most of them one row: no rule could be learned, and looking for them takes long.
    pub(super) fn check_rows(&self) -> Result<(), TargetError> {
        let (classes, rows) = (self.classes.len(), self.codes.len());
        if classes > Self::FEW_CLASSES && rows < 2 * classes {
            return Err(TargetError::RowsOfTheirOwn { name: self.name.clone(), classes, rows });
        }
        Ok(())
    }

    /// The name of what is predicted.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The classes, in order.
    #[must_use]
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The number of the class that is spelled `text`, or is the same number.
    pub(super) fn class(&self, text: &str) -> Option<usize> {
        class(&self.classes, text)
    }

    /// The number of each row's class.
    #[must_use]
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The rows with these numbers, in this order; classes that none of them has are gone.
    ///
    /// # Panics
    /// If one reaches past the last row.
    #[must_use]
    pub fn pick(&self, rows: &[usize]) -> Self {
        let mut codes: Vec<u32> = rows.iter().map(|&row| self.codes[row]).collect();
        let mut there = vec![self.boolean; self.classes.len()];
        for &code in &codes {
            there[code as usize] = true;
        }
        let classes = self.classes.iter().zip(&there).filter(|(_, there)| **there);
        let classes = classes.map(|(class, _)| class.clone()).collect();
        // The new number of a class: how many before it are left.
        let mut left = 0;
        let place = |&there: &bool| {
            left += u32::from(there);
            left - u32::from(there)
        };
        let places: Vec<u32> = there.iter().map(place).collect();
        for code in &mut codes {
            *code = places[*code as usize];
        }
        Self { name: self.name.clone(), classes, codes, boolean: self.boolean }
    }
}

/// The place among classes of the one that is spelled `text`, or is the same number.
pub(super) fn class(classes: &[String], text: &str) -> Option<usize> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
    classes.iter().position(|class| class == text).or_else(|| {
        let wanted = number(text)?;
        classes.iter().position(|class| number(class) == Some(wanted))
    })
}
