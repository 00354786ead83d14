//! Memory of all memtables together: when to slow writes down and when to refuse them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};

const DELAY_MAX: Duration = Duration::from_millis(50);

/// Bytes in memtables against their limits.
pub struct Pressure {
    used: AtomicU64,
    /// Part of `used` that a running flush will free.
    flushing: AtomicU64,
    slow_from: u64,
    limit: u64,
    /// Calls that were slowed down.
    pub delayed: AtomicU64,
    /// Calls that were refused.
    pub refused: AtomicU64,
}

impl Pressure {
    /// Writes are slowed down from `slow_from` bytes on and refused at `limit`.
    pub fn new(slow_from: u64, limit: u64) -> Pressure {
        Pressure {
            used: AtomicU64::new(0),
            flushing: AtomicU64::new(0),
            slow_from,
            limit,
            delayed: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    /// Bytes in memtables.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Bytes in memtables that no flush is writing yet.
    pub fn unflushed(&self) -> u64 {
        self.used().saturating_sub(self.flushing.load(Ordering::Relaxed))
    }

    /// Memtables grew.
    pub fn grow(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A flush of so many bytes runs while `work` does.
    pub fn while_flushing<T>(&self, bytes: u64, work: impl FnOnce() -> T) -> T {
        self.flushing.fetch_add(bytes, Ordering::Relaxed);
        let outcome = work();
        self.flushing.fetch_sub(bytes, Ordering::Relaxed);
        outcome
    }

    /// Memtables were dropped.
    pub fn shrink(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Lets a write in: at once, after a delay that grows with the pressure, or not at all.
    pub fn admit(&self, non_blocking: bool) -> Result<()> {
        let used = self.used();
        if used < self.slow_from {
            return Ok(());
        }
        if used >= self.limit {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return Err(Error::new(
                ErrorKind::Busy,
                format!(
                    "Over memstore limit: {used} of {} bytes are in use, flushes are running",
                    self.limit
                ),
            ));
        }
        if non_blocking {
            return Err(Error::would_block());
        }
        self.delayed.fetch_add(1, Ordering::Relaxed);
        let share = (used - self.slow_from) as f64 / (self.limit - self.slow_from).max(1) as f64;
        std::thread::sleep(DELAY_MAX.mul_f64(share * share));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_pass_then_wait_then_are_refused() {
        let pressure = Pressure::new(80, 100);
        assert!(pressure.admit(true).is_ok());
        pressure.grow(90);
        assert_eq!(pressure.admit(true).unwrap_err().kind, ErrorKind::WouldBlock);
        assert!(pressure.admit(false).is_ok());
        pressure.grow(10);
        assert_eq!(pressure.admit(false).unwrap_err().kind, ErrorKind::Busy);
        pressure.shrink(100);
        assert!(pressure.admit(true).is_ok());
    }
}
