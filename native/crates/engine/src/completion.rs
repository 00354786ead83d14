//! Tokens of mutations whose reply may leave.

use std::time::Duration;

use grampus_base::sync::{Condvar, Mutex};

/// The mutation is durable as asked.
pub const DURABLE: u8 = 0;
/// The mutation must not be acknowledged; the process must end.
pub const POISONED: u8 = 7;
/// The token of no call; with [`POISONED`] it says that a log is lost.
pub const NO_CALL: u64 = u64::MAX;

#[derive(Default)]
struct Inner {
    ready: Vec<(u64, u8)>,
    closed: bool,
}

/// Hands tokens from the logs to the one thread that polls.
#[derive(Default)]
pub struct CompletionQueue {
    inner: Mutex<Inner>,
    wake: Condvar,
}

impl CompletionQueue {
    /// Adds tokens of one kind.
    pub fn push(&self, tokens: impl IntoIterator<Item = u64>, kind: u8) {
        let mut inner = self.inner.lock();
        let was_empty = inner.ready.is_empty();
        inner.ready.extend(tokens.into_iter().map(|token| (token, kind)));
        if was_empty && !inner.ready.is_empty() {
            self.wake.notify_one();
        }
    }

    /// Waits for tokens and moves them to `out`. False when the queue is closed and empty.
    pub fn poll(&self, out: &mut Vec<(u64, u8)>, timeout: Duration) -> bool {
        let mut inner = self.inner.lock();
        self.wake.wait_while_for(&mut inner, |inner| inner.ready.is_empty() && !inner.closed, timeout);
        out.append(&mut inner.ready);
        !(inner.closed && out.is_empty())
    }

    /// Ends all waits.
    pub fn close(&self) {
        self.inner.lock().closed = true;
        self.wake.notify_all();
    }
}
