//! What is said to a person, so that nothing in it can act on the terminal.
//!
//! Column names, classes, file names and the fields of models come from anybody. Shown raw, an escape sequence in one of
//! them could erase a line and put another in its place, and a bidirectional character could turn a line around. Everything
//! that the command says passes through here: such characters are spelled out, `\u{1b}`, and only our own colours stay.
//! Files keep the true bytes, and so does a result on standard output that is no terminal. A terminal whose locale is not UTF-8 gets words
//! for our own symbols.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// What may stay besides letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Nothing: a message is one line.
    Line,
    /// Line ends and our colours: a report.
    Lines,
    /// Line ends and tabs: a result that is a file of text.
    File,
}

/// `text` with everything spelled out that could move the cursor, change the terminal or turn the text around.
pub(crate) fn visible(text: &str, layout: Layout) -> Cow<'_, str> {
    if !text.contains(|c| is_hostile(c) && !stays(c, layout)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let (Layout::Lines, Some(after)) = (layout, rest.strip_prefix(colour_mark())) {
            shown.push_str("\u{1b}[");
            rest = after;
            continue;
        }
        if is_hostile(c) && !stays(c, layout) {
            match c {
                '\n' => shown.push_str("\\n"),
                '\r' => shown.push_str("\\r"),
                '\t' => shown.push_str("\\t"),
                // Writing to a string cannot fail.
                _ => drop(write!(shown, "\\u{{{:x}}}", u32::from(c))),
            }
        } else {
            shown.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(shown)
}

/// Control characters of both sets, those that set the direction of text, and the two line ends of Unicode.
pub(crate) fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn stays(c: char, layout: Layout) -> bool {
    match c {
        '\n' => layout != Layout::Line,
        '\t' => layout == Layout::File,
        _ => false,
    }
}

/// What stands before a colour of ours until it is printed. Drawn anew by every run: no name can know it, so that nobody
/// else's text is painted green.
pub(crate) fn colour_mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\u{1b}{:016x}:", RandomState::new().build_hasher().finish()))
}

/// Our symbols, and what stands for them where they cannot be shown.
const SYMBOLS: [(&str, &str); 5] = [("∧", "and"), ("∨", "or"), ("¬", "not "), ("⊕", "xor"), ("→", "->")];

/// `text` with words for our symbols.
fn in_words(text: &str) -> String {
    SYMBOLS.iter().fold(text.to_owned(), |text, (symbol, word)| text.replace(symbol, word))
}

/// Whether the locale names an encoding other than UTF-8. Where nothing is set, as in many containers, terminals are UTF-8 today.
fn is_foreign(variable: impl Fn(&str) -> Option<String>) -> bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    named.is_some_and(|locale| {
        !["UTF-8", "UTF8"].iter().any(|encoding| locale.to_uppercase().contains(encoding))
    })
}

/// What `stream` can show of `text`. Windows asks no locale: what is written to its terminals is Unicode.
fn shown<'a>(text: &'a str, layout: Layout, stream: &impl IsTerminal) -> Cow<'a, str> {
    let text = visible(text, layout);
    let plain = cfg!(not(windows)) && stream.is_terminal() && is_foreign(|name| std::env::var(name).ok());
    if plain { Cow::Owned(in_words(&text)) } else { text }
}

/// Says lines on standard output.
pub(crate) fn say(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    // No context here: `main` must recognize a broken pipe.
    out.write_all(shown(text, Layout::Lines, &io::stdout()).as_bytes())?;
    Ok(out.flush()?)
}

/// Says lines on standard error. Nobody is there to tell if this fails, and the exit code must not depend on it.
pub(crate) fn remark(text: &str) {
    let _ = io::stderr().lock().write_all(shown(text, Layout::Lines, &io::stderr()).as_bytes());
}

/// Says in one line on standard error why the command failed.
pub(crate) fn complain(error: &anyhow::Error) {
    let line = format!("macchiato: {error:#}");
    let _ = writeln!(io::stderr().lock(), "{}", shown(line.trim_end(), Layout::Line, &io::stderr()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_the_terminal() {
        let hostile = "a\u{1b}[2K\r\u{9b}31m\u{202e}b\u{7f}\u{2069}\u{8}\nc\td";
        assert_eq!(
            visible(hostile, Layout::Line),
            "a\\u{1b}[2K\\r\\u{9b}31m\\u{202e}b\\u{7f}\\u{2069}\\u{8}\\nc\\td"
        );
        for layout in [Layout::Line, Layout::Lines, Layout::File] {
            let shown = visible(hostile, layout);
            assert!(!shown.contains(|c| is_hostile(c) && !"\n\t".contains(c)), "{layout:?}: {shown:?}");
        }
        assert!(matches!(visible("(a ∧ ¬b) ⊕ naïve\n", Layout::Lines), Cow::Borrowed(_)));
    }

    #[test]
    fn only_our_own_colours_stay() {
        let ours = format!("{}32mgood{}0m \u{1b}[32mforged\u{1b}[0m", colour_mark(), colour_mark());
        assert_eq!(visible(&ours, Layout::Lines), "\u{1b}[32mgood\u{1b}[0m \\u{1b}[32mforged\\u{1b}[0m");
        assert!(!visible(&ours, Layout::Line).contains('\u{1b}'));
    }

    #[test]
    fn symbols_are_words_where_they_cannot_be_shown() {
        assert_eq!(in_words("(a ∧ ¬b) ⊕ c ∨ naïve, 1 → 0"), "(a and not b) xor c or naïve, 1 -> 0");
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_encoding() {
        let foreign = |set: &[(&str, &str)]| {
            is_foreign(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(!foreign(&[]), "nothing is said");
        assert!(!foreign(&[("LANG", "de_CH.UTF-8")]));
        assert!(!foreign(&[("LANG", "C.utf8")]));
        assert!(foreign(&[("LANG", "C")]));
        assert!(foreign(&[("LANG", "en_US.ISO-8859-1")]));
        assert!(foreign(&[("LC_ALL", "POSIX"), ("LANG", "de_CH.UTF-8")]));
        assert!(!foreign(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]));
    }
}
