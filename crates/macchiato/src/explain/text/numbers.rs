//! Numbers and lists as a person reads them.

use crate::explain::{BigUint, Count};
use crate::words::{one_line, percent};

/// The widest line.
const LINE: usize = 96;

/// A number in full as long as that can be taken in; a power of two otherwise, or three digits of it.
pub(super) fn number(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() <= 15 {
        return digits;
    }
    if number.count_ones() == 1 {
        return format!("2^{}", number.bits() - 1);
    }
    format!("about {}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

/// `12 of 16 points (75.0 %)`, or the bounds.
pub(super) fn points(count: &Count) -> String {
    let of = number(&count.of);
    let what = if count.of == BigUint::from(1u8) { "point" } else { "points" };
    if let (Some(exact), Some(share)) = (count.exact(), count.share()) {
        return format!("{} of {of} {what} ({})", number(exact), percent_of(share, exact));
    }
    let (low, high) = count.share_bounds();
    format!("{} to {} of {of} {what} (not counted: too large)", percent(low), percent(high))
}

/// A share in per cent; not 0 where it is something.
pub(super) fn percent_of(share: f64, number: &BigUint) -> String {
    if share < 0.0005 && *number > BigUint::default() { "< 0.1 %".to_owned() } else { percent(share) }
}

/// Items on lines that are not too long, each after `indent` spaces but for the first.
pub(super) fn wrapped(items: &[String], indent: usize) -> String {
    let mut text = String::new();
    let mut used = indent;
    for (at, item) in items.iter().map(|item| one_line(item.as_str())).enumerate() {
        let comma = if at + 1 < items.len() { "," } else { "" };
        let width = item.chars().count() + comma.len();
        if at > 0 {
            if used + 1 + width > LINE {
                text.push('\n');
                text.push_str(&" ".repeat(indent));
                used = indent;
            } else {
                text.push(' ');
                used += 1;
            }
        }
        text.push_str(&item);
        text.push_str(comma);
        used += width;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_short() {
        let power = |bits: u32| BigUint::from(1u8) << bits;
        assert_eq!(number(&BigUint::from(123_456_789_012_345u64)), "123456789012345");
        assert_eq!(
            (number(&power(49)), number(&power(50))),
            ("562949953421312".to_owned(), "2^50".to_owned())
        );
        assert_eq!(number(&(power(200) - 1u8)), "about 1.60e60");
    }

    #[test]
    fn long_lists_are_wrapped() {
        let items: Vec<String> = (0..40).map(|i| format!("x{i} = 1")).collect();
        let text = wrapped(&items, 10);
        assert!(text.lines().skip(1).all(|line| line.starts_with("          x")));
        assert!(text.lines().all(|line| line.len() <= LINE) && text.lines().count() > 3);
        assert_eq!(wrapped(&items[..2], 4), "x0 = 1, x1 = 1");
    }
}
