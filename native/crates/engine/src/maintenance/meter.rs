//! Bytes that are paid for in time.

use std::time::Duration;

use parking_lot::Mutex;

/// A price shared by all callers: each waits also for what the others have spent. Idle time is not saved up.
#[derive(Default)]
pub(crate) struct Meter {
    /// When all that was spent so far is paid for, in nanoseconds of the environment's clock.
    paid_until: Mutex<u64>,
}

impl Meter {
    /// How long to wait when `bytes` are spent now at a price of `per_second` bytes for a second.
    pub(crate) fn spend(&self, now_nanos: u64, bytes: u64, per_second: u64) -> Duration {
        let cost_nanos = u128::from(bytes) * 1_000_000_000 / u128::from(per_second.max(1));
        let cost_nanos = u64::try_from(cost_nanos).unwrap_or(u64::MAX);
        let mut paid_until = self.paid_until.lock();
        *paid_until = (*paid_until).max(now_nanos).saturating_add(cost_nanos);
        Duration::from_nanos(*paid_until - now_nanos)
    }
}
