//! Names that a reader would take for one another: equal but for blanks, invisible characters, and forms that Unicode holds compatible.
//!
//! Outputs are told apart by their names alone, and nothing proves a name. So `"high"` and `"high "`, or `"m2"` and `"m²"`, must not both be
//! there. Letters of different scripts that merely look alike are not compared.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// The first two names that are alike, by place; linear in their length.
///
/// ```
/// use macchiato::network::alike;
/// assert_eq!(alike(["low", "high", "high "]), Some((1, 2)));
/// assert_eq!(alike(["a b", "ab"]), None);
/// ```
pub fn alike<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    for (at, name) in names.into_iter().enumerate() {
        if let Some(first) = seen.insert(form(name), at) {
            return Some((first, at));
        }
    }
    None
}

/// The form that alike names share: compatible forms composed, invisible characters left out, runs of blanks a single one.
fn form(name: &str) -> String {
    let visible: String = name.nfkc().filter(|&symbol| !is_invisible(symbol)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Soft hyphen, joiners and non-joiners, marks of direction, variation selectors: nobody sees them.
const fn is_invisible(symbol: char) -> bool {
    matches!(symbol,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_nobody_can_tell_apart() {
        for other in ["yes ", " yes", "yes\u{200b}", "\u{202e}yes", "ｙｅｓ", "ye\u{17f}", "yes\u{a0}\t"] {
            assert_eq!(alike(["no", "yes", other]), Some((1, 2)), "{other:?}");
        }
        assert_eq!(alike(["e\u{301}te\u{301}", "été"]), Some((0, 1)));
        assert_eq!(alike(["yes", "Yes", "y es", "yеs", "yes."]), None);
        assert_eq!(alike([]), None);
    }
}
