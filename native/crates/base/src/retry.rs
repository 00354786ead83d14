//! When to try again what failed. Times are of a clock that never goes back.

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

const PAUSE_MS_MAX: i64 = 60_000;

/// Failures in a row of one piece of work.
#[derive(Default)]
pub struct Retry {
    failures: AtomicU32,
    failed_millis: AtomicI64,
}

impl Retry {
    /// It failed at a time in milliseconds of the monotonic clock.
    pub fn failed(&self, now_millis: i64) {
        self.failures.fetch_add(1, Ordering::AcqRel);
        self.failed_millis.store(now_millis, Ordering::Release);
    }

    /// It succeeded.
    pub fn succeeded(&self) {
        self.failures.store(0, Ordering::Release);
    }

    /// True when the last attempt failed.
    pub fn is_pending(&self) -> bool {
        self.failures.load(Ordering::Acquire) > 0
    }

    /// Failures in a row.
    pub fn failures(&self) -> u32 {
        self.failures.load(Ordering::Acquire)
    }

    /// False while a failure is too fresh.
    pub fn may_try(&self, now_millis: i64) -> bool {
        !self.is_pending() || now_millis - self.failed_millis.load(Ordering::Acquire) >= self.pause_millis()
    }

    /// Milliseconds from the last failure to the next attempt: 2 s, doubled by each further failure, at most a minute.
    pub fn pause_millis(&self) -> i64 {
        (1000i64 << self.failures.load(Ordering::Acquire).min(6)).min(PAUSE_MS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_with_the_failures_and_ends_with_a_success() {
        let retry = Retry::default();
        assert!(retry.may_try(0) && !retry.is_pending());
        retry.failed(10_000);
        assert!(!retry.may_try(11_999) && retry.may_try(12_000));
        retry.failed(12_000);
        assert!(!retry.may_try(15_999) && retry.may_try(16_000));
        (0..50).for_each(|_| retry.failed(20_000));
        assert!(!retry.may_try(79_999) && retry.may_try(80_000));
        retry.succeeded();
        assert!(retry.may_try(20_000) && !retry.is_pending());
    }
}
