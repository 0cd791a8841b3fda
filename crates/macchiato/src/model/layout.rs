//! JSON as a person reads it: what fits on a line stays on it, long lists fill lines, objects have a line for each key.
//!
//! Takes compact JSON that `serde_json` wrote, keeps its keys in their order and its tokens as they are, and costs one
//! pass with a bounded look ahead.

/// The longest line, where words allow it.
const WIDTH: usize = 100;

const INDENT: usize = 2;

/// Lays out one compact JSON value, without a newline at its end.
pub(crate) fn lay_out(compact: &str) -> String {
    let mut layout = Layout { text: compact, at: 0, out: String::with_capacity(compact.len() * 5 / 4) };
    layout.value(0, 0);
    layout.out
}

/// One compact JSON value on one line.
pub(crate) fn line(compact: &str) -> String {
    one_line(compact, 0, usize::MAX).map_or(String::new(), |(line, _)| line)
}

struct Layout<'a> {
    text: &'a str,
    at: usize,
    out: String,
}

impl Layout<'_> {
    /// The value at `at`, which begins in column `column` of a block indented by `indent`.
    fn value(&mut self, indent: usize, column: usize) {
        // One column for the comma that may follow.
        if let Some((line, end)) = one_line(self.text, self.at, WIDTH.saturating_sub(column + 1)) {
            self.out.push_str(&line);
            self.at = end;
            return;
        }
        match self.text.as_bytes()[self.at] {
            b'{' => self.block(indent, b'}', Self::member),
            b'[' if self.has_objects() => {
                self.block(indent, b']', |layout, indent| layout.value(indent, indent));
            }
            b'[' => self.fill(indent + INDENT),
            _ => {
                let end = scalar_end(self.text, self.at);
                self.out.push_str(&self.text[self.at..end]);
                self.at = end;
            }
        }
    }

    /// Every item on a line of its own.
    fn block(&mut self, indent: usize, close: u8, item: fn(&mut Self, usize)) {
        self.out.push(char::from(self.text.as_bytes()[self.at]));
        self.at += 1;
        while self.text.as_bytes()[self.at] != close {
            self.next_line(indent + INDENT);
            item(self, indent + INDENT);
            self.comma();
        }
        self.next_line(indent);
        self.out.push(char::from(close));
        self.at += 1;
    }

    fn member(&mut self, indent: usize) {
        let end = scalar_end(self.text, self.at);
        let key = &self.text[self.at..end];
        self.out.push_str(key);
        self.out.push_str(": ");
        self.at = end + 1;
        self.value(indent, indent + key.chars().count() + 2);
    }

    /// As many items on a line as fit.
    fn fill(&mut self, indent: usize) {
        self.out.push('[');
        self.at += 1;
        self.next_line(indent);
        let mut column = indent;
        while self.text.as_bytes()[self.at] != b']' {
            let Some((item, end)) = one_line(self.text, self.at, usize::MAX) else { return };
            let width = item.chars().count() + 1;
            if column > indent && column + width + 1 > WIDTH {
                self.next_line(indent);
                column = indent;
            } else if column > indent {
                self.out.push(' ');
                column += 1;
            }
            self.out.push_str(&item);
            column += width;
            self.at = end;
            self.comma();
        }
        self.next_line(indent - INDENT);
        self.out.push(']');
        self.at += 1;
    }

    /// Whether the list is one of objects, which stand on lines of their own; literals of a gate stand beside each other.
    fn has_objects(&self) -> bool {
        let first = &self.text[self.at + 1..];
        first.starts_with('{') && !first.starts_with("{\"input\"") && !first.starts_with("{\"gate\"")
    }

    fn comma(&mut self) {
        if self.text.as_bytes()[self.at] == b',' {
            self.out.push(',');
            self.at += 1;
        }
    }

    fn next_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }
}

/// The value at `from` on one line and where it ends, if it has at most `room` characters.
fn one_line(text: &str, from: usize, room: usize) -> Option<(String, usize)> {
    let (mut line, mut at, mut depth, mut width) = (String::new(), from, 0usize, 0usize);
    loop {
        let byte = text.as_bytes()[at];
        let end = if b"{}[],:".contains(&byte) { at + 1 } else { scalar_end(text, at) };
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        line.push_str(&text[at..end]);
        width += text[at..end].chars().count();
        if matches!(byte, b',' | b':') {
            line.push(' ');
            width += 1;
        }
        at = end;
        if width > room {
            return None;
        }
        if depth == 0 {
            return Some((line, at));
        }
    }
}

/// The end of the string, number or word at `at`.
fn scalar_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    if bytes[at] == b'"' {
        while bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        return end + 1;
    }
    while end < bytes.len() && !b",]}:".contains(&bytes[end]) {
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_values_stay_on_their_line_and_long_lists_fill_lines() {
        let compact =
            serde_json::json!({"a": (100..130).collect::<Vec<u32>>(), "b": {"c": [], "d": "x \" , ]"}});
        let text = lay_out(&compact.to_string());
        let expected = "{\n  \"a\": [\n    100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, \
                        114, 115, 116, 117, 118,\n    119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129\n  ],\n  \
                        \"b\": {\"c\": [], \"d\": \"x \\\" , ]\"}\n}";
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), compact);
    }

    #[test]
    fn words_longer_than_a_line_are_kept_whole() {
        let compact = serde_json::json!([["é".repeat(120), "y"], {"z": "w".repeat(200)}, 1.5, null]);
        let text = lay_out(&compact.to_string());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).expect("JSON"), compact);
    }
}
