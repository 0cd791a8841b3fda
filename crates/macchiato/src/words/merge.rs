//! What one product asks of one column, in as few words as say it.

use std::borrow::Cow;

use super::Symbols;
use crate::binarize::{Binarizer, Column, Test};
use crate::frame::shown;
use crate::stage::Signed;

/// The conditions of a product over bits, column by column in the order of their first literals.
pub(super) fn conditions(binarizer: &Binarizer, literals: &[Signed], symbols: Symbols) -> Vec<String> {
    let mut columns: Vec<(usize, Vec<(&Test, bool)>)> = Vec::new();
    for &(input, positive) in literals {
        let bit = &binarizer.bits()[input];
        let known = columns.iter_mut().find(|(column, _)| *column == bit.column);
        match known {
            Some((_, tests)) => tests.push((&bit.test, positive)),
            None => columns.push((bit.column, vec![(&bit.test, positive)])),
        }
    }
    let column = |(at, tests): &(usize, Vec<(&Test, bool)>)| {
        let column = &readable(&binarizer.columns()[*at]);
        Asked::of(tests).and_then(|asked| asked.words(column, symbols)).unwrap_or_else(|| {
            tests.iter().map(|&(test, positive)| plain(test, column, positive, symbols)).collect()
        })
    };
    columns.iter().flat_map(column).collect()
}

/// The column under a name that cannot be taken for a part of the rule: in quotes where it could.
fn readable(column: &Column) -> Cow<'_, Column> {
    let name = &column.name;
    let sign = |symbol: char| "<>=!&|^()\"∧∨⊕¬".contains(symbol) || symbol.is_control();
    let words = [" and ", " or ", " if ", " is "];
    let odd = name.parse::<f64>().is_ok()
        || name.is_empty()
        || name.trim() != name
        || name.contains(sign)
        || words.iter().any(|word| name.to_lowercase().contains(word));
    if odd {
        Cow::Owned(Column { name: format!("{name:?}"), ..column.clone() })
    } else {
        Cow::Borrowed(column)
    }
}

/// One literal by itself.
fn plain(test: &Test, column: &Column, positive: bool, symbols: Symbols) -> String {
    match test {
        Test::True if !positive => format!("{}{}", symbols.not, column.name),
        _ => test.words(&column.name, positive),
    }
}

/// All that a product asks of one column.
#[derive(Default)]
struct Asked<'a> {
    lower: Option<f64>,
    upper: Option<f64>,
    equals: Option<f64>,
    unequal: Vec<f64>,
    is: Option<&'a str>,
    is_not: Vec<&'a str>,
    truth: Option<bool>,
    other: Option<bool>,
    missing: Option<bool>,
}

impl<'a> Asked<'a> {
    /// The literals taken together; none where two of the same kind contradict each other.
    fn of(tests: &[(&'a Test, bool)]) -> Option<Self> {
        let mut asked = Self::default();
        for &(test, positive) in tests {
            match (test, positive) {
                (Test::True, truth) => once(&mut asked.truth, truth)?,
                (Test::Other, truth) => once(&mut asked.other, truth)?,
                (Test::Missing, truth) => once(&mut asked.missing, truth)?,
                (Test::Above(cut), true) => {
                    asked.lower = Some(asked.lower.map_or(*cut, |lower| lower.max(*cut)));
                }
                (Test::Above(cut), false) => {
                    asked.upper = Some(asked.upper.map_or(*cut, |upper| upper.min(*cut)));
                }
                (Test::Equals(value), true) => once(&mut asked.equals, *value)?,
                (Test::Equals(value), false) => asked.unequal.push(*value),
                (Test::Is(level), true) => once(&mut asked.is, level.as_str())?,
                (Test::Is(level), false) => asked.is_not.push(level),
            }
        }
        Some(asked)
    }

    /// Whether a value could be all of this.
    fn is_possible(&self) -> bool {
        let within = |value: f64| {
            self.lower.is_none_or(|lower| value > lower) && self.upper.is_none_or(|upper| value <= upper)
        };
        let range = match (self.lower, self.upper) {
            (Some(lower), Some(upper)) => lower < upper,
            _ => true,
        };
        let equals = self.equals.is_none_or(|value| within(value) && !self.unequal.contains(&value));
        let is = self.is.is_none_or(|level| !self.is_not.contains(&level) && self.other != Some(true));
        let missing = self.missing != Some(true) || !self.needs_value();
        range && equals && is && missing
    }

    /// Whether some literal holds only where there is a value.
    fn needs_value(&self) -> bool {
        self.lower.is_some()
            || self.equals.is_some()
            || self.is.is_some()
            || self.truth == Some(true)
            || self.other == Some(true)
    }

    fn words(&self, column: &Column, symbols: Symbols) -> Option<Vec<String>> {
        if !self.is_possible() {
            return None;
        }
        let name = &column.name;
        let say = |test: &Test, positive| plain(test, column, positive, symbols);
        if self.missing == Some(true) {
            return Some(vec![say(&Test::Missing, true)]);
        }
        if let Some(value) = self.equals {
            return Some(vec![say(&Test::Equals(value), true)]);
        }
        if let Some(level) = self.is {
            return Some(vec![say(&Test::Is(level.to_owned()), true)]);
        }
        let mut words = Vec::new();
        let there = self.missing == Some(false) || self.needs_value();
        match (self.lower, self.upper) {
            (Some(lower), Some(upper)) => {
                words.push(format!("{} < {name} <= {}", shown(lower), shown(upper)));
            }
            (Some(lower), None) => words.push(say(&Test::Above(lower), true)),
            (None, Some(upper)) if column.gaps && !there => {
                words.push(format!("({} or missing)", say(&Test::Above(upper), false)));
            }
            (None, Some(upper)) => words.push(say(&Test::Above(upper), false)),
            (None, None) => {}
        }
        let says_there = !words.is_empty();
        let within = |value: &&f64| {
            self.lower.is_none_or(|lower| **value > lower) && self.upper.is_none_or(|upper| **value <= upper)
        };
        words.extend(self.unequal.iter().filter(within).map(|&value| say(&Test::Equals(value), false)));
        words.extend(self.truth.map(|truth| say(&Test::True, truth)));
        if self.other == Some(true) {
            // No level with a test of its own is among the others.
            words.push(say(&Test::Other, true));
            return Some(words);
        }
        words.extend(self.is_not.iter().map(|&level| say(&Test::Is(level.to_owned()), false)));
        words.extend(self.other.map(|_| say(&Test::Other, false)));
        if self.missing == Some(false) && !says_there && !self.needs_value() {
            words.push(say(&Test::Missing, false));
        }
        Some(words)
    }
}

/// Notes what is asked; none if something else was asked before.
fn once<T: PartialEq + Copy>(known: &mut Option<T>, asked: T) -> Option<()> {
    match *known {
        Some(before) if before != asked => None,
        _ => {
            *known = Some(asked);
            Some(())
        }
    }
}
