//! How fast compactions may write, all together.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grampus_base::Counter;
use parking_lot::{Condvar, Mutex};

use super::Meter;

/// Bytes per second that all compactions may write together: the lower bound while no store has too many files, up to the upper one as
/// a store comes near to blocking flushes, and no limit beyond, as HBase's PressureAwareCompactionThroughputController has it.
pub(crate) struct Budget {
    bounds: Option<(u64, u64)>,
    /// Bits of the pressure.
    pressure: AtomicU64,
    meter: Meter,
    /// Milliseconds that compactions waited.
    pub waited_millis: Counter,
    waiting: Mutex<()>,
    /// One that waits may not be wanted any more.
    wake: Condvar,
}

impl Budget {
    /// Lower and upper bound in bytes per second; `None` limits nothing.
    pub(crate) fn new(bounds: Option<(u64, u64)>) -> Budget {
        Budget {
            bounds,
            pressure: AtomicU64::new(0f64.to_bits()),
            meter: Meter::default(),
            waited_millis: Counter::default(),
            waiting: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// How near the worst store is to blocking flushes: 0 at its smallest number of files worth a compaction, 1 when it blocks.
    pub(crate) fn set_pressure(&self, pressure: f64) {
        self.pressure.store(pressure.to_bits(), Ordering::Relaxed);
    }

    /// The pressure in percent, 100 when the worst store blocks flushes.
    pub(crate) fn pressure_percent(&self) -> u64 {
        share(100, f64::from_bits(self.pressure.load(Ordering::Relaxed)).clamp(0.0, 1.0))
    }

    /// Bytes per second that are allowed now.
    pub(crate) fn limit(&self) -> Option<u64> {
        let (lower, upper) = self.bounds?;
        let pressure = f64::from_bits(self.pressure.load(Ordering::Relaxed));
        (pressure <= 1.0).then(|| lower + share(upper.saturating_sub(lower), pressure.max(0.0)))
    }

    /// Bytes were written at a time in nanoseconds: how long to wait before writing more.
    pub(crate) fn spend(&self, now_nanos: u64, bytes: u64) -> Duration {
        let Some(limit) = self.limit() else { return Duration::ZERO };
        self.meter.spend(now_nanos, bytes, limit)
    }

    /// Waits for `duration`, or until the compaction is not wanted any more, as [`Budget::wake`] makes it see.
    pub(crate) fn wait(&self, duration: Duration, wanted: impl Fn() -> bool) {
        self.wake.wait_while_for(&mut self.waiting.lock(), |()| wanted(), duration);
    }

    /// All that wait look whether they are still wanted.
    pub(crate) fn wake(&self) {
        drop(self.waiting.lock()); // a compaction that has just looked waits by now
        self.wake.notify_all();
    }
}

/// A part of a number, from 0 to all of it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product lies between 0 and a u64, and the cast of a float saturates"
)]
fn share(of: u64, part: f64) -> u64 {
    (of as f64 * part) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn what_is_written_is_paid_for_in_time_by_all_together() {
        let budget = Budget::new(Some((MB, 2 * MB)));
        assert_eq!(budget.spend(0, MB), Duration::from_secs(1));
        assert_eq!(budget.spend(0, MB / 2), Duration::from_millis(1500), "two compactions share it");
        assert_eq!(budget.spend(5_000_000_000, MB), Duration::from_secs(1), "idle time is not saved up");
    }

    #[test]
    fn the_limit_grows_with_the_pressure_and_ends_where_flushes_would_block() {
        let budget = Budget::new(Some((50 * MB, 100 * MB)));
        for (pressure, limit) in [(-0.2, 50), (0.0, 50), (0.5, 75), (1.0, 100)] {
            budget.set_pressure(pressure);
            assert_eq!(budget.limit(), Some(limit * MB));
        }
        budget.set_pressure(1.1);
        assert_eq!(budget.limit(), None);
        assert_eq!(budget.spend(0, 1 << 40), Duration::ZERO);
        assert_eq!(Budget::new(None).spend(0, 1 << 40), Duration::ZERO);
    }
}
