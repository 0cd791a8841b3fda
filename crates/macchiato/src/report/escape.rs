//! Text from the data inside a page: as text of HTML and SVG, and inside the JSON that the page's script reads.
//!
//! Nothing from a model or a table reaches the page but through these two. Characters that a reader cannot see, or that change
//! how others show, are spelled out.

use std::fmt::{self, Display, Write as _};

use serde::Serialize;

use crate::export::names;
pub(super) use crate::words::thousands;

/// Text that is only ever text, also between the quotes of an attribute.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in names::visible(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The first `longest` characters, and an ellipsis where there are more.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    let mut characters = text.chars();
    let head: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() { format!("{head}…") } else { head }
}

/// JSON that ends no `script` element, opens no comment and is one line for every reader.
pub(super) fn json(value: &impl Serialize) -> std::io::Result<String> {
    let text = serde_json::to_string(value)?;
    // All four occur only inside strings, where an escape says the same.
    Ok(text
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029"))
}

/// A number of things with separated thousands: `12,345 rows`.
pub(super) fn count(number: usize, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// `97.5 %`; 100 % only where nothing is missing, and 0 % only where there is nothing.
pub(super) fn percent(share: f64) -> String {
    let shown = match share {
        share if share >= 1.0 => 100.0,
        share if share > 0.0 => (100.0 * share).clamp(0.1, 99.9),
        _ => 0.0,
    };
    format!("{shown:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        let name = "<script>alert('1')</script> & \"x\"\u{202e}\u{2028}";
        assert_eq!(
            Text(name).to_string(),
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;\\u202e\\u2028"
        );
    }

    #[test]
    fn json_stays_inside_its_element() -> std::io::Result<()> {
        let text = json(&["</script><!--\u{2028}\u{2029}"])?;
        assert_eq!(text, "[\"\\u003c/script\\u003e\\u003c!--\\u2028\\u2029\"]");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text)?, ["</script><!--\u{2028}\u{2029}"]);
        Ok(())
    }

    #[test]
    fn figures_do_not_flatter() {
        assert_eq!([percent(0.9999), percent(1.0), percent(0.0001)], ["99.9 %", "100.0 %", "0.1 %"]);
        assert_eq!([thousands(7), thousands(1234), thousands(1_000_000)], ["7", "1,234", "1,000,000"]);
        assert_eq!([shortened("abc", 3), shortened("abcd", 3)], ["abc", "abc…"]);
    }
}
