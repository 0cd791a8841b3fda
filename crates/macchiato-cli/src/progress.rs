//! A line on the terminal that says where a long run stands; nothing where standard error is no terminal.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use macchiato::minimize::{Budget, Progress};

use crate::terminal::{Layout, visible};

/// Engines report at every step; the eye needs no more than this.
const REDRAW: Duration = Duration::from_millis(100);

/// A spinner that is cleared when it goes out of scope.
pub(crate) struct Spinner(ProgressBar);

impl Spinner {
    /// Starts the spinner, unless `quiet` or without a terminal, and makes `budget` report to it.
    pub(crate) fn start(budget: Budget, quiet: bool) -> (Self, Budget) {
        if quiet || !std::io::stderr().is_terminal() {
            return (Self(ProgressBar::hidden()), budget);
        }
        let bar = spinning("{spinner} {elapsed} {msg}  (Ctrl-C: take the best so far)");
        let shown = bar.clone();
        let last: Mutex<Option<Instant>> = Mutex::new(None);
        let budget = budget.with_observer(move |progress| {
            let Ok(mut last) = last.lock() else { return };
            if last.is_none_or(|last| last.elapsed() >= REDRAW) {
                *last = Some(Instant::now());
                shown.set_message(message(progress));
            }
        });
        (Self(bar), budget)
    }

    /// Says another thing.
    pub(crate) fn say(&self, text: &str) {
        self.0.set_message(visible(text, Layout::Line).into_owned());
    }

    /// A spinner that says one thing until it is told another or goes out of scope.
    pub(crate) fn message(text: &str, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = spinning("{spinner} {elapsed} {msg}");
        bar.set_message(visible(text, Layout::Line).into_owned());
        Self(bar)
    }
}

fn spinning(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(REDRAW);
    bar
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn message(progress: Progress) -> String {
    let Some(terms) = progress.terms else {
        return format!("{}, at least {}", progress.step, progress.lower_bound);
    };
    let gap = terms.saturating_sub(progress.lower_bound);
    format!("{}, {terms} terms, at least {}, gap {gap}", progress.step, progress.lower_bound)
}
