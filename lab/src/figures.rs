//! Counts and ratios in words.

/// `1 fold`, `2 folds`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A ratio with two digits that count.
pub(crate) fn times(ratio: f64) -> String {
    let decimals = if ratio >= 10.0 {
        0
    } else if ratio >= 1.0 {
        1
    } else if ratio >= 0.1 {
        2
    } else {
        3
    };
    format!("{ratio:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_two_digits_that_count() {
        assert_eq!([2534.4, 12.34, 1.26, 0.123, 0.0456].map(times), ["2534", "12", "1.3", "0.12", "0.046"]);
        assert_eq!([count(1, "fold"), count(2, "fold")], ["1 fold", "2 folds"]);
    }
}
