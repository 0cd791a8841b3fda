//! Colours, on terminals only and never against the user's `NO_COLOR`. What is painted is printed by [`crate::terminal`], which
//! knows our colours from anybody else's.

use std::io::IsTerminal;

use macchiato::explain::Emphasis;
use macchiato::words::one_line;

use crate::terminal::colour_mark;

/// Whether to paint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For text that goes to `stream`; <https://no-color.org>.
    pub(crate) fn for_stream(stream: &impl IsTerminal) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self(stream.is_terminal() && !refused && !dumb)
    }

    /// What to look at first.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What can be passed over.
    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// Good news.
    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        // What is painted is part of a line.
        let text = one_line(text);
        let mark = colour_mark();
        if self.0 { format!("{mark}{code}m{text}{mark}0m") } else { text }
    }
}

impl Emphasis for Paint {
    fn bold(&self, text: &str) -> String {
        Self::bold(*self, text)
    }

    fn dim(&self, text: &str) -> String {
        Self::dim(*self, text)
    }
}
