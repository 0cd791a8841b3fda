//! One claim with its bar and what was measured.

use std::fmt::Write;

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

/// The closing table of a run: every claim, its bar, what was measured, whether it was met.
pub(crate) fn closing_table<'a>(bars: impl Iterator<Item = &'a Bar>) -> String {
    let mut text = format!("{:<78}{:>12} {:>12}  met\n", "claim", "bar", "measured");
    let (mut all, mut met) = (0, 0);
    for bar in bars {
        let sign = if bar.rule == Rule::AtMost { "<=" } else { ">=" };
        let limit = format!("{sign} {}", number(bar.bar));
        let verdict = if bar.met { "yes" } else { "NO" };
        let note = bar.note.as_ref().map_or(String::new(), |note| format!(", {note}"));
        let _ = writeln!(text, "{:<78}{limit:>12} {:>12}  {verdict}{note}", bar.what, number(bar.measured));
        all += 1;
        met += usize::from(bar.met);
    }
    let _ = writeln!(text, "{met} of {all} bars met");
    text
}

/// At most four decimals, without trailing zeros.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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

    #[test]
    fn the_closing_table_says_what_was_not_met() {
        let bars = [Bar::at_most("mean terms", 15.0, 14.0), Bar::at_least("speed", 3.0, 2.5)];
        let text = closing_table(bars.iter());
        assert!(text.lines().any(|line| line.starts_with("speed") && line.ends_with("NO")), "{text}");
        assert!(text.ends_with("1 of 2 bars met\n"), "{text}");
    }
}
