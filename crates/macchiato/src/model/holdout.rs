//! Rows that were put aside before a fit, and how many of them the model gets wrong: what a bound on its error is made of.
//!
//! The bound itself is not kept: it follows from these numbers ([`crate::bounds::holdout`]), so that a file cannot
//! contradict itself.

use std::fmt;
use std::str::FromStr;

/// How sure a statement is: a decimal strictly between 0 and 1, exactly.
///
/// ```
/// use macchiato::model::Confidence;
///
/// let confidence: Confidence = "0.95".parse()?;
/// assert_eq!((confidence.risk(), confidence.percent().as_str()), (0.05, "95 %"));
/// assert_eq!("95".parse::<Confidence>().unwrap_err().to_string(),
///     r#"confidence is "95": give a decimal between 0 and 1, such as 0.95, with at most 9 digits"#);
/// # Ok::<(), macchiato::model::ConfidenceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confidence {
    /// In units of 10^-9: from 1 to 999,999,999.
    units: u32,
}

const SCALE: u32 = 1_000_000_000;

/// Not a decimal between 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("confidence is {text:?}: give a decimal between 0 and 1, such as 0.95, with at most 9 digits")]
pub struct ConfidenceError {
    text: String,
}

impl Confidence {
    /// The probability of being wrong that is accepted, the paper's delta: 0.05 at a confidence of 0.95.
    #[must_use]
    pub fn risk(self) -> f64 {
        f64::from(SCALE - self.units) / f64::from(SCALE)
    }

    /// As a person says it: `95 %`.
    #[must_use]
    pub fn percent(self) -> String {
        let digits = format!("{:09}", self.units);
        let (whole, rest) = digits.split_at(2);
        let (whole, rest) = (whole.trim_start_matches('0'), rest.trim_end_matches('0'));
        let whole = if whole.is_empty() { "0" } else { whole };
        if rest.is_empty() { format!("{whole} %") } else { format!("{whole}.{rest} %") }
    }
}

impl Default for Confidence {
    /// 0.95.
    fn default() -> Self {
        Self { units: SCALE / 20 * 19 }
    }
}

impl FromStr for Confidence {
    type Err = ConfidenceError;

    fn from_str(text: &str) -> Result<Self, ConfidenceError> {
        let error = || ConfidenceError { text: text.to_owned() };
        let (whole, fraction) = text.split_once('.').ok_or_else(error)?;
        let zero = whole.bytes().all(|byte| byte == b'0');
        if !zero || fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error());
        }
        match format!("{fraction:0<9}").parse() {
            Ok(units) if units > 0 => Ok(Self { units }),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0.{}", format!("{:09}", self.units).trim_end_matches('0'))
    }
}

impl serde::Serialize for Confidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What the held-out rows said.
///
/// They were drawn at random from all rows before anything looked at them, and neither the model nor what turns a table
/// into its bits was learned from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Holdout {
    /// How many there were, at least 1; a row of weight 3 is three draws of it.
    pub rows: u64,
    /// How many of them the model gets wrong.
    pub wrong: u64,
    /// The confidence that was asked for.
    pub confidence: Confidence,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidences_are_exact_decimals() {
        for (text, shown, percent) in [
            ("0.95", "0.95", "95 %"),
            (".9", "0.9", "90 %"),
            ("0.999500000", "0.9995", "99.95 %"),
            ("0.05", "0.05", "5 %"),
            ("00.000000001", "0.000000001", "0.0000001 %"),
        ] {
            let confidence: Confidence = text.parse().expect(text);
            assert_eq!((confidence.to_string().as_str(), confidence.percent().as_str()), (shown, percent));
            assert_eq!(confidence.to_string().parse(), Ok(confidence));
        }
        assert_eq!("0.95".parse(), Ok(Confidence::default()));
        for text in ["0", "0.0", "1", "1.0", "-0.5", "0.1234567891", "0.5e-1", "", ".", "0.9%", "+.5", "0.+5"]
        {
            assert!(text.parse::<Confidence>().is_err(), "{text}");
        }
    }
}
