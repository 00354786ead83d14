//! How far a log has come, and how far it must come for a write.

use std::sync::OnceLock;

use grampus_base::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use grampus_base::{Error, ErrorKind, Result};

/// How far a log has come, in bytes appended since its start.
#[derive(Default)]
pub struct LogProgress {
    /// Handed to the operating system.
    pub written: AtomicU64,
    /// On the medium.
    pub synced: AtomicU64,
    /// A write or sync failed for good.
    pub poisoned: AtomicBool,
    /// Why.
    failure: OnceLock<String>,
}

impl LogProgress {
    /// The error of a poisoned log.
    pub fn check(&self) -> Result<()> {
        if self.poisoned.load(Ordering::Acquire) {
            return Err(self.error());
        }
        Ok(())
    }

    /// From now on every check fails. The first reason stays; true for the call that gave it.
    pub(crate) fn fail(&self, why: &str) -> bool {
        let is_first = self.failure.set(why.to_string()).is_ok();
        self.poisoned.store(true, Ordering::Release);
        is_first
    }

    /// Why it has failed, if it has.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    #[cold]
    fn error(&self) -> Error {
        let why = self.failure().unwrap_or("no reason is known");
        let text = format!(
            "the write-ahead log has failed: {why}; nothing more is acknowledged, the process must end"
        );
        Error::new(ErrorKind::Poisoned, text)
    }
}

/// What must have happened before an id is durable as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// The log is written up to here.
    Written(u64),
    /// The log is synced up to here.
    Synced(u64),
}
