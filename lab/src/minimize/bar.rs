//! One claim with its bar and what was measured.

use serde::{Deserialize, Serialize};

/// Whether a measurement must stay at or below its bar, or reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Rule {
    #[serde(rename = "at most")]
    AtMost,
    #[serde(rename = "at least")]
    AtLeast,
}

/// A line of the closing table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the results file calls the bar `bar`")]
pub(crate) struct Bar {
    pub(crate) what: String,
    pub(crate) rule: Rule,
    pub(crate) bar: f64,
    pub(crate) measured: f64,
    pub(crate) met: bool,
    /// What a reader must know to judge a bar that was not met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

impl Bar {
    pub(crate) fn at_most(what: impl Into<String>, bar: f64, measured: f64) -> Self {
        Self {
            what: what.into(),
            rule: Rule::AtMost,
            bar,
            measured: rounded(measured),
            met: measured <= bar,
            note: None,
        }
    }

    pub(crate) fn at_least(what: impl Into<String>, bar: f64, measured: f64) -> Self {
        Self {
            what: what.into(),
            rule: Rule::AtLeast,
            bar,
            measured: rounded(measured),
            met: measured >= bar,
            note: None,
        }
    }

    /// Says so if even the proven lower bound lies above the bar.
    pub(crate) fn with_lower_bound(mut self, lower_bound: f64) -> Self {
        if lower_bound > self.bar {
            self.note = Some(format!(
                "out of reach: no covers of these tables have a mean below {}",
                rounded(lower_bound)
            ));
        }
        self
    }
}

/// Six decimals: enough for every figure here, and files that do not change in digits that mean nothing.
pub(crate) fn rounded(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

/// The mean; 0 of nothing.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count == 0.0 { 0.0 } else { sum / count }
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_met_at_its_own_value() {
        assert!(Bar::at_most("terms", 4.0, 4.0).met && !Bar::at_most("terms", 4.0, 4.1).met);
        assert!(Bar::at_least("accuracy", 1.0, 1.0).met && !Bar::at_least("accuracy", 1.0, 0.999_999_9).met);
    }

    #[test]
    fn medians() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
    }
}
