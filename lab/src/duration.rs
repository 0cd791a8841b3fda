//! Times in words.

/// `1.2 ms`, `3.40 s`, `12 s`, `2 min`, `1.5 h`.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.0995 => format!("{:.1} ms", s * 1000.0),
        s if s < 9.95 => format!("{s:.2} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_for_people() {
        assert_eq!(
            [0.0012, 3.4, 10.0, 600.0, 9000.0].map(duration),
            ["1.2 ms", "3.40 s", "10 s", "10 min", "2.5 h"]
        );
    }
}
