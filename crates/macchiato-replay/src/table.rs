//! The tests of a table as a certificate names them: which column each input asks, and what.
//!
//! Written again here, beside the learner's own, so that nothing of it has to be believed: cells are trimmed, the words of [`MISSING`]
//! are no value, and a cell without a value fails every test but `missing`.

use macchiato_check::Fault;
use macchiato_check::text::{Line, quoted};

/// The words for a cell without a value, besides the empty cell.
const MISSING: [&str; 7] = ["NA", "N/A", "NaN", "nan", "null", "None", "?"];

/// The column of the classes, and the test behind each input of the network.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) target: String,
    pub(crate) tests: Vec<(String, Test)>,
}

/// What is asked of a cell.
#[derive(Debug)]
pub(crate) enum Test {
    True,
    Missing,
    Above(f64),
    Equals(f64),
    Is(String),
    /// A text that is none of these.
    Other(Vec<String>),
}

impl Test {
    /// `true`, `missing`, `above X`, `equals X`, `is TEXT`, or `other TEXT ...`.
    pub(crate) fn read(line: &mut Line<'_>) -> Result<Self, Fault> {
        let word = line.word("a test")?;
        let number = |line: &mut Line<'_>| {
            let word = line.word("a number")?;
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => line.wrong(format!("{} is no finite number", quoted(word))),
            }
        };
        Ok(match word {
            "true" => Self::True,
            "missing" => Self::Missing,
            "above" => Self::Above(number(line)?),
            "equals" => Self::Equals(number(line)?),
            "is" => Self::Is(line.name("a level")?),
            "other" => {
                let mut levels = Vec::new();
                while line.more() {
                    levels.push(line.name("a level")?);
                }
                Self::Other(levels)
            }
            other => return line.wrong(format!("{} is no test", quoted(other))),
        })
    }

    /// Whether a cell passes; none where it is not of the kind that the test asks about.
    pub(crate) fn passes(&self, cell: &str, truth: impl Fn(&str) -> Option<bool>) -> Option<bool> {
        let missing = cell.is_empty() || MISSING.contains(&cell);
        let number = || cell.parse::<f64>().ok().filter(|number| number.is_finite());
        match self {
            Self::Missing => Some(missing),
            _ if missing => Some(false),
            Self::True => truth(cell),
            Self::Above(cut) => number().map(|number| number > *cut),
            #[allow(clippy::float_cmp)] // Equal as the learner compares: bit for bit, but for the sign of 0.
            Self::Equals(value) => number().map(|number| number == *value),
            Self::Is(level) => Some(cell == level),
            Self::Other(levels) => Some(!levels.iter().any(|level| level == cell)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Test;

    fn passes(test: &str, cell: &str) -> Option<bool> {
        let mut line = macchiato_check::text::Line::new(test, 1);
        let truth = |cell: &str| ["no", "yes"].iter().position(|word| *word == cell).map(|at| at == 1);
        Test::read(&mut line).expect("a test").passes(cell, truth)
    }

    #[test]
    fn cells_are_asked_as_the_learner_asks() {
        for (test, cell, expected) in [
            ("above 41.5", "42", Some(true)),
            ("above 41.5", "41.5", Some(false)),
            ("above 41.5", "?", Some(false)),
            ("above 41.5", "old", None),
            ("equals 0", "-0.0", Some(true)),
            ("missing", "NA", Some(true)),
            ("missing", "na", Some(false)),
            ("is \"cook\"", "cook", Some(true)),
            ("other \"cook\" \"clerk\"", "baker", Some(true)),
            ("other \"cook\" \"clerk\"", "clerk", Some(false)),
            ("other \"cook\" \"clerk\"", "", Some(false)),
            ("true", "yes", Some(true)),
            ("true", "2", None),
        ] {
            assert_eq!(passes(test, cell), expected, "{test}: {cell}");
        }
    }

    #[test]
    fn what_is_no_test_is_refused() {
        for test in ["odd", "above inf", "above x", "is cook", "equals"] {
            assert!(Test::read(&mut macchiato_check::text::Line::new(test, 1)).is_err(), "{test}");
        }
    }
}
