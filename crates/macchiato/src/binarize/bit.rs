//! One bit: a test of one column, and how it reads.

use crate::frame::shown;

/// A test of one column.
#[derive(Debug, Clone, PartialEq)]
pub struct Bit {
    /// Number of the column among [`super::Binarizer::columns`].
    pub column: usize,
    /// What is asked of it.
    pub test: Test,
}

/// What is asked of a value; a missing one fails every test but [`Test::Missing`].
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Is it true?
    True,
    /// Is it greater than this?
    Above(f64),
    /// Is it this number?
    Equals(f64),
    /// Is it this level?
    Is(String),
    /// Is it a level that is rare in the training rows, or unseen there?
    Other,
    /// Is there none?
    Missing,
}

impl Test {
    /// The test of the column `name` in words, or its negation.
    ///
    /// ```
    /// use macchiato::binarize::Test;
    ///
    /// assert_eq!(Test::Above(41.5).words("age", true), "age > 41.5");
    /// assert_eq!(Test::Above(41.5).words("age", false), "age <= 41.5");
    /// assert_eq!(Test::Is("Private".into()).words("job", false), "job != Private");
    /// ```
    #[must_use]
    pub fn words(&self, name: &str, positive: bool) -> String {
        let number = |value: &f64| shown(*value);
        match (self, positive) {
            (Self::True, true) => name.to_owned(),
            (Self::True, false) => format!("not {name}"),
            (Self::Above(cut), true) => format!("{name} > {}", number(cut)),
            (Self::Above(cut), false) => format!("{name} <= {}", number(cut)),
            (Self::Equals(value), true) => format!("{name} = {}", number(value)),
            (Self::Equals(value), false) => format!("{name} != {}", number(value)),
            (Self::Is(level), true) => format!("{name} = {level}"),
            (Self::Is(level), false) => format!("{name} != {level}"),
            (Self::Other, true) => format!("{name} is other"),
            (Self::Other, false) => format!("{name} is not other"),
            (Self::Missing, true) => format!("{name} is missing"),
            (Self::Missing, false) => format!("{name} is not missing"),
        }
    }
}
