//! What a read must know of its filter tree's patterns: their first error, and whether one may have taken long.

use std::sync::atomic::{AtomicBool, Ordering};

use grampus_base::Error;
use parking_lot::Mutex;

/// The first error of a filter tree's comparators.
#[derive(Default)]
pub struct Failure {
    expected: AtomicBool,
    failed: AtomicBool,
    searched: AtomicBool,
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

    /// The compiler is asked for an answer, which may take long.
    pub(super) fn note_search(&self) {
        self.searched.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked since the last call.
    pub(crate) fn take_search(&self) -> bool {
        self.searched.load(Ordering::Relaxed) && self.searched.swap(false, Ordering::Relaxed)
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
