//! How fast a region takes writes while a store has too many files.
//!
//! Flushes for want of memory do not wait for compactions, as nothing else frees memory. Without a brake on writes, a load that
//! compactions cannot follow would let the files that a get looks into grow without bound.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grampus_base::events::{Level, Topic, bytes};

use crate::maintenance::Meter;
use crate::region::Region;

/// Bytes per second at twice the files of `hbase.hstore.blockingStoreFiles`; half the excess doubles it.
const PER_SECOND_AT_TWICE: u64 = 25 << 20;
/// The longest wait of one write.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// Writes of a region, paid for in time while one of its stores has too many files.
#[derive(Default)]
pub(in crate::region) struct WriteThrottle {
    /// Bytes per second, 0 = any.
    limit: AtomicU64,
    meter: Meter,
}

impl WriteThrottle {
    /// Notes the files of the store with the largest excess, and how many it may have before writes are slowed down.
    fn set(&self, files: usize, blocking: usize) {
        let (excess, blocking) = (files.saturating_sub(blocking) as u64, blocking.max(1) as u64);
        let limit = (PER_SECOND_AT_TWICE * blocking).checked_div(excess).unwrap_or(0);
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// Bytes per second that are let in, `None` without a limit.
    fn limit(&self) -> Option<u64> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|limit| *limit > 0)
    }

    /// How long a write of `bytes` has to wait; `Region::admit` lets one of less than a millisecond in at once.
    pub(in crate::region) fn spend(&self, now_nanos: u64, bytes: u64) -> Duration {
        let Some(limit) = self.limit() else { return Duration::ZERO };
        self.meter.spend(now_nanos, bytes, limit).min(WAIT_MAX)
    }
}

impl Region {
    /// Looks at the stores' files: writes are slowed down while one has too many, unless no compaction would ever help.
    pub(crate) fn review_throttle(&self) {
        let helps =
            !self.is_meta() && self.compaction_enabled && self.shared.maintenance.compactions_are_on();
        let most = self.stores.iter().map(|s| (s.mergeable_files(), s.config.compaction.files_blocking));
        let most = most.filter(|_| helps).max_by_key(|(files, blocking)| files.saturating_sub(*blocking));
        let (files, blocking) = most.unwrap_or_default();
        let was_slow = self.write_throttle.limit().is_some();
        self.write_throttle.set(files, blocking);
        let text = match self.write_throttle.limit() {
            Some(limit) if !was_slow => {
                format!(
                    "writes to {} are slowed down to {}/s: {}",
                    self.title(),
                    bytes(limit),
                    self.backlog()
                )
            }
            None if was_slow => format!("writes to {} flow again: no store has too many files", self.title()),
            _ => return,
        };
        self.shared.events.report(Level::Info, Topic::Stall, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn the_more_files_the_slower() {
        let throttle = WriteThrottle::default();
        for (files, limit) in [(0, None), (16, None), (17, Some(400)), (20, Some(100)), (32, Some(25))] {
            throttle.set(files, 16);
            assert_eq!(throttle.limit(), limit.map(|megabytes| megabytes * MB), "{files} files");
        }
    }

    #[test]
    fn all_writes_wait_for_the_bytes_of_all() {
        let throttle = WriteThrottle::default();
        assert_eq!(throttle.spend(0, 1 << 40), Duration::ZERO, "no store has too many files");
        throttle.set(20, 16);
        assert_eq!(throttle.spend(0, MB / 16), Duration::from_micros(625));
        assert_eq!(throttle.spend(0, 10 * MB - MB / 16), Duration::from_millis(100));
        assert_eq!(throttle.spend(0, 10 * MB), Duration::from_millis(200));
        assert_eq!(throttle.spend(0, 1 << 40), WAIT_MAX);
    }
}
