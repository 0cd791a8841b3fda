//! Ctrl-C (and SIGTERM): the first asks for the best result so far, the second ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The two flags between the signal handler and the command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    cancel: Arc<AtomicBool>,
    writing: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes over Ctrl-C from now on. Call it after the input is read: until then Ctrl-C ends the program as usual.
    pub(crate) fn install() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let handler = interrupt.clone();
        ctrlc::set_handler(move || {
            let again = handler.cancel.swap(true, Ordering::SeqCst);
            if again && !handler.writing.load(Ordering::SeqCst) {
                std::process::exit(INTERRUPTED);
            }
        })?;
        Ok(interrupt)
    }

    /// The flag that ends a minimization early.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Runs `write` to its end whatever key is pressed, so that no temporary file is left behind.
    pub(crate) fn shielded<T>(&self, write: impl FnOnce() -> T) -> T {
        self.writing.store(true, Ordering::SeqCst);
        let result = write();
        self.writing.store(false, Ordering::SeqCst);
        result
    }
}
