//! The day in UTC, as reports tell it. `SOURCE_DATE_EPOCH` (seconds since 1970) stands for now, as in reproducible builds.

use std::time::{SystemTime, UNIX_EPOCH};

/// `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(given.unwrap_or_else(now))
}

/// The proleptic Gregorian date of a second, by counting off years of 365 or 366 days.
fn date(seconds: u64) -> String {
    // Far past what a clock says, and few enough to count.
    let mut days = (seconds / 86400).min(3_000_000);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_of_the_calendar() {
        // From `date --utc --date=@SECONDS +%F`.
        for (seconds, date) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(super::date(seconds), date);
        }
    }
}
