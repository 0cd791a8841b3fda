//! How long a minimization may run: a deadline, a cancel flag, a number of polls, and where it stands.
//!
//! Every engine asks [`Budget::spent`] between steps that keep a valid cover at hand, so that a run which is cut
//! short still returns its best cover. Without a deadline nothing here depends on the clock, and results are the
//! same bytes on every run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    polls: Option<Arc<AtomicU64>>,
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

    /// Ends the run once it has asked [`Budget::spent`] as often as `left` says; every question takes one away.
    ///
    /// Unlike a deadline this strikes at the same place in every run of one thread, so that a test can cut a run short
    /// anywhere; what is left afterwards tells how often a whole run asks.
    ///
    /// ```
    /// use macchiato_minimize::Budget;
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicU64;
    ///
    /// let budget = Budget::unlimited().with_polls(Arc::new(AtomicU64::new(2)));
    /// assert_eq!([(); 4].map(|()| budget.spent()), [false, false, true, true]);
    /// ```
    #[must_use]
    pub fn with_polls(mut self, left: Arc<AtomicU64>) -> Self {
        self.polls = Some(left);
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

    /// True once the deadline has passed, the flag is set or no polls are left.
    #[must_use]
    pub fn spent(&self) -> bool {
        self.polls.as_ref().is_some_and(none_left)
            || self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn report(&self, step: &'static str, terms: Option<usize>, lower_bound: usize) {
        if let Some(observer) = &self.observer {
            observer(Progress { step, terms, lower_bound });
        }
    }
}

/// Takes one poll away, and says whether there was none.
fn none_left(polls: &Arc<AtomicU64>) -> bool {
    polls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
