//! The first error of a filter tree's comparators.

use std::sync::atomic::{AtomicBool, Ordering};

use grampus_base::Error;
use parking_lot::Mutex;

/// The first error of a filter tree's comparators.
#[derive(Default)]
pub struct Failure {
    expected: AtomicBool,
    failed: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl Failure {
    /// A comparator of the tree may fail.
    pub(super) fn expect(&self) {
        self.expected.store(true, Ordering::Relaxed);
    }

    /// Whether one of them may.
    pub(crate) fn is_expected(&self) -> bool {
        self.expected.load(Ordering::Relaxed)
    }

    /// Keeps the error unless there is one.
    pub(crate) fn set(&self, error: Error) {
        self.error.lock().get_or_insert(error);
        self.failed.store(true, Ordering::Release);
    }

    /// Whether a comparator has failed.
    pub(crate) fn is_set(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// The error, once.
    pub(crate) fn take(&self) -> Option<Error> {
        self.error.lock().take()
    }
}
