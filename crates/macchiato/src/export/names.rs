//! Names of any characters, spelled so that a format's readers take them and distinct names stay distinct.
//!
//! Formats that allow many characters get the name with `%XX` for the bytes that they do not allow, which can be
//! decoded again. Programming languages get a plain identifier, numbered where two names would give the same one, and
//! the name itself in a comment.

use std::collections::HashSet;
use std::fmt::Write;

/// The longest part of an identifier that is taken from a name.
const LONGEST: usize = 40;

/// Words that no identifier may be: keywords of C, C++, Rust and Python, macros of C compilers, and the names that the
/// exported functions use themselves.
const TAKEN: &str = "\
    abstract add alignas alignof and and_eq as asm assert at_least async auto await become bitand bitor bool box break case catch \
    char class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    count crate decltype def default del delete do double dyn elif else enum except explicit export extern false final \
    finally float fn for friend from g gen global goto i386 if impl import in inline int is lambda len let linux long loop \
    macro match mod move mut mutable namespace new noexcept nonlocal not not_eq nullptr operator or or_eq override \
    pass priv private protected pub public raise ref register reinterpret_cast requires restrict return self short \
    signed sizeof stage static static_assert static_cast struct super switch template this thread_local throw trait \
    true try type typedef typeid typename typeof typeof_unqual union unix unsafe unsigned unsized use using value virtual \
    void volatile wchar_t where while with x xor xor_eq y yield";

/// Whether a reader cannot see the character, or it changes how others around it show.
pub(super) fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}')
}

/// The name with `%XX` for each byte of a character that `keep` refuses, and for `%`; `%` alone is the empty name.
pub(super) fn percent(name: &str, keep: impl Fn(char) -> bool) -> String {
    if name.is_empty() {
        return "%".to_owned();
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c != '%' && keep(c) {
            out.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// The name as one word of ASCII, for readers that split at blanks and take `#` for a comment; ABC also splits PLA files
/// at bars, and Verilog at parentheses, commas and semicolons even in escaped identifiers.
pub(super) fn word(name: &str) -> String {
    percent(name, |c| c.is_ascii_graphic() && !matches!(c, '#' | '|' | '\\' | '(' | ')' | ',' | ';'))
}

/// What a person sees: backslash, control and other hidden characters as escapes, all else as it is.
pub(crate) fn visible(name: &str) -> String {
    escaped(name, false)
}

/// A string literal that is the same in JSON and Python.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", escaped(name, true))
}

/// The name as a JSON string that closes no comment in any language and opens none.
pub(super) fn comment(name: &str) -> String {
    quoted(name).replace('/', "\\/").replace("/*", "/\\u002a")
}

fn escaped(name: &str, quotes: bool) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    for c in name.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' if quotes => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // All hidden characters have four digits or fewer.
            c if hidden(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// An identifier in lower case for each name: no two are equal and none is [`TAKEN`].
pub(super) fn identifiers(names: &[String]) -> Vec<String> {
    let slugs: Vec<String> = names.iter().map(|name| slug(name)).collect();
    let mut taken: HashSet<String> = TAKEN.split_ascii_whitespace().map(str::to_owned).collect();
    let mut chosen: Vec<Option<String>> = vec![None; names.len()];
    // A name that is an identifier already keeps its spelling, whatever comes before it.
    for (i, (name, slug)) in names.iter().zip(&slugs).enumerate() {
        if name == slug && !slug.ends_with("_t") && taken.insert(slug.clone()) {
            chosen[i] = Some(slug.clone());
        }
    }
    let number = |(i, slug): (usize, String)| {
        if let Some(chosen) = chosen[i].take() {
            return chosen;
        }
        let mut candidate = slug;
        while candidate.ends_with("_t") || !taken.insert(candidate.clone()) {
            let _ = write!(candidate, "_{i}");
        }
        candidate
    };
    slugs.into_iter().enumerate().map(number).collect()
}

/// `predict_` and the target as an identifier; no keyword begins so.
pub(super) fn function(target: &str) -> String {
    format!("predict_{}", slug(target))
}

/// Letters, digits and single underscores, beginning with a letter.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if slug.len() >= LONGEST {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.truncate(slug.trim_end_matches('_').len());
    match slug.bytes().next() {
        None => "input".to_owned(),
        Some(b'0'..=b'9') => format!("input_{slug}"),
        Some(_) => slug,
    }
}

/// `stem`, with underscores until no name begins with it: a prefix for names of the format's own.
pub(super) fn fresh(stem: &str, names: &[String]) -> String {
    let mut prefix = stem.to_owned();
    while names.iter().any(|name| name.starts_with(&prefix)) {
        prefix.push('_');
    }
    prefix
}

/// The same by letters: Rust wants single underscores.
pub(super) fn fresh_identifier(stem: &str, names: &[String]) -> String {
    let mut prefix = stem.to_owned();
    while names.iter().any(|name| name.starts_with(&prefix)) {
        prefix.push('s');
    }
    prefix
}
