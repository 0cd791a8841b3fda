//! How long a minimization may run: a deadline, a cancel flag, and where it stands.
//!
//! Every engine asks [`Budget::spent`] between steps that keep a valid cover at hand, so that a run which is cut
//! short still returns its best cover. Without a deadline nothing here depends on the clock, and results are the
//! same bytes on every run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a running minimization reports now and then: its step and the best cover so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The step under way, in the field's words: `expand`, `irredundant`, `lagrangian`, ...
    pub step: &'static str,
    /// Terms of the best cover so far, once there is one.
    pub terms: Option<usize>,
    /// Proven lower bound on the terms so far.
    pub lower_bound: usize,
}

type Observer = Arc<dyn Fn(Progress) + Send + Sync>;

/// Deadline, cancel flag and progress observer of one run.
///
/// ```
/// use macchiato_minimize::Budget;
/// use std::time::Duration;
///
/// assert!(!Budget::unlimited().spent());
/// assert!(Budget::unlimited().with_time_limit(Duration::ZERO).spent());
/// ```
#[derive(Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
    observer: Option<Observer>,
}

impl Budget {
    /// No limit: the run ends when the engine has nothing left to try.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Ends the run `limit` from now. A limit too long for the clock to hold is no limit.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.deadline = Instant::now().checked_add(limit);
        self
    }

    /// Ends the run soon after `flag` becomes true.
    #[must_use]
    pub fn with_cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Calls `observer` at every step, from the thread that runs the engine.
    #[must_use]
    pub fn with_observer(mut self, observer: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// The same, with the `parts`-th part of the time that is left, where there is a deadline.
    #[must_use]
    pub fn share(&self, parts: u32) -> Self {
        let now = Instant::now();
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        match left {
            Some(left) => self.clone().with_time_limit(left / parts.max(1)),
            None => self.clone(),
        }
    }

    /// True once the deadline has passed or the flag is set.
    #[must_use]
    pub fn spent(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn report(&self, step: &'static str, terms: Option<usize>, lower_bound: usize) {
        if let Some(observer) = &self.observer {
            observer(Progress { step, terms, lower_bound });
        }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
