//! Durations as people write them: `10s`, `500ms`, `2m`, `1h`, `1.5s`, or plain seconds.

use std::time::Duration;

/// Reads a duration, or says how to write one.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit `{unit}`: write 500ms, 10s, 2m or 1h")),
    };
    let bad = || "write 500ms, 10s, 2m or 1h".to_owned();
    // The standard parser also takes signs, exponents and words; people who write those made a mistake.
    if !number.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return Err(bad());
    }
    let value: f64 = number.parse().map_err(|_| bad())?;
    Duration::try_from_secs_f64(value * scale).map_err(|_| "longer than any clock can count".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn units() {
        for (text, milliseconds) in [
            ("0", 0),
            ("10", 10_000),
            ("10s", 10_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("2min", 120_000),
            ("1h", 3_600_000),
            ("1.5s", 1500),
            (".5s", 500),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for text in
            ["", "s", "-1s", "+1s", "1e3s", "nan", "inf", "10 s", "1d", "1.2.3s", "9".repeat(400).as_str()]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
