//! Keeps operations that read before they write from coming between a load's sequence ids and its files.
//!
//! Such an operation reads the latest state, and its edit must be based on all that has a lower id. A load has its ids before its files are
//! shown. So the operation reads while the gate is open, and its edit gets an id only if the gate was not shut since.

use std::time::Duration;

use grampus_base::sync::atomic::{AtomicU64, Ordering};
use grampus_base::sync::{Condvar, Mutex};
use grampus_base::{Error, ErrorKind, Result};

/// The gate. It is shut while no edit can take an id (`Region::freeze`).
#[derive(Default)]
pub(super) struct LoadGate {
    /// How often the gate was shut or opened: it is odd while it is shut.
    turns: AtomicU64,
    changing: Mutex<()>,
    opened: Condvar,
}

/// The gate was open when this was had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed(u64);

impl LoadGate {
    /// Waits until no load is on its way into view: not longer than for a row lock, since the operation has its handler meanwhile.
    ///
    /// # Errors
    /// `WouldBlock` for one that may not wait, `Busy` after the wait.
    pub(super) fn pass(&self, wait: Option<Duration>) -> Result<Passed> {
        let turns = || self.turns.load(Ordering::Acquire);
        let is_shut = |turns: u64| turns % 2 == 1;
        let now = turns();
        if !is_shut(now) {
            return Ok(Passed(now));
        }
        let Some(wait) = wait else { return Err(Error::would_block()) };
        let mut changing = self.changing.lock();
        self.opened.wait_while_for(&mut changing, |_| is_shut(turns()), wait);
        match turns() {
            now if is_shut(now) => Err(Error::new(
                ErrorKind::Busy,
                "a bulk load keeps checks, increments and deletes of the newest version waiting for too long: try again",
            )),
            now => Ok(Passed(now)),
        }
    }

    /// Whether no load has got its ids since.
    pub(super) fn is_still(&self, passed: Passed) -> bool {
        self.turns.load(Ordering::Acquire) == passed.0
    }

    pub(super) fn shut(&self) {
        self.turns.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn open(&self) {
        let _changing = self.changing.lock();
        self.turns.fetch_add(1, Ordering::AcqRel);
        self.opened.notify_all();
    }
}
