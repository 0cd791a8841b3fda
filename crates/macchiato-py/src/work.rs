//! Long work apart from the interpreter: it runs in threads of its own, without the interpreter's lock, while the calling thread
//! passes messages on and watches for Ctrl-C.
//!
//! A first Ctrl-C sets the flag that ends the work early; what it has so far is the answer. Whatever else a signal's handler
//! raises, a second Ctrl-C above all, also ends the work, and is raised once it has ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use macchiato::minimize::Budget;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

/// How long a Ctrl-C may wait to be seen.
const WATCH: Duration = Duration::from_millis(50);

/// What work may ask for while it runs.
pub(crate) struct Desk {
    cancel: Arc<AtomicBool>,
    messages: mpsc::Sender<String>,
}

impl Desk {
    /// A budget that Ctrl-C ends, and this many seconds.
    pub(crate) fn budget(&self, time_limit: Option<f64>) -> Budget {
        let budget = Budget::unlimited().with_cancel(Arc::clone(&self.cancel));
        match time_limit.map(Duration::try_from_secs_f64) {
            Some(Ok(limit)) => budget.with_time_limit(limit),
            // Longer than a duration can be: no limit.
            Some(Err(_)) | None => budget,
        }
    }

    /// Tells the user.
    pub(crate) fn say(&self, words: &str) {
        // Nobody listens any more only when an exception is on its way.
        let _ = self.messages.send(words.to_owned());
    }
}

/// What came of it.
pub(crate) struct Done<T> {
    /// The answer.
    pub(crate) value: T,
    /// Whether Ctrl-C ended the work early.
    pub(crate) interrupted: bool,
}

/// Does `work` on `threads` threads; `report`, where there is one, is called with each message.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Desk) -> T + Send,
) -> PyResult<Done<T>> {
    // A pool for each piece of work: one that lives on would not survive a fork.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let cancel = Arc::new(AtomicBool::new(false));
    let (messages, mut told) = mpsc::channel();
    let desk = Desk { cancel: Arc::clone(&cancel), messages };
    std::thread::scope(|scope| {
        // The desk, and with it the sender, is gone when the work is done.
        let worker = scope.spawn(move || pool.install(move || work(&desk)));
        let (mut interrupted, mut raised) = (false, None);
        loop {
            let message;
            (told, message) = py.detach(move || {
                let message = told.recv_timeout(WATCH);
                (told, message)
            });
            let reported = match (message, report) {
                (Err(RecvTimeoutError::Disconnected), _) => break,
                (Ok(words), Some(report)) if raised.is_none() => report.call1((words,)).map(|_| ()),
                _ => Ok(()),
            };
            if let Err(error) = reported.and_then(|()| py.check_signals()) {
                cancel.store(true, Ordering::Relaxed);
                if !interrupted && error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    interrupted = true;
                } else {
                    raised = Some(error);
                }
            }
        }
        let value = py.detach(|| worker.join());
        match raised {
            Some(error) => Err(error),
            None => match value {
                Ok(value) => Ok(Done { value, interrupted }),
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    })
}
