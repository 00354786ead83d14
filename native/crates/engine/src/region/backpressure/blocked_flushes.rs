//! Stores with too many files: their region's flushes wait for compactions, for a while.

use std::sync::atomic::Ordering;

use grampus_base::events::{Level, Topic};
use grampus_base::{Error, ErrorKind, Result};
use grampus_store::flush::FlushReason;

use crate::region::Region;
use crate::region::store::Store;

impl Store {
    /// More files than `hbase.hstore.blockingStoreFiles`.
    fn has_too_many_files(&self) -> bool {
        self.mergeable_files() > self.config.compaction.files_blocking
    }
}

impl Region {
    /// Whether a store has so many files that flushes should wait for a compaction. Never for hbase:meta, as in HBase.
    pub(crate) fn has_too_many_files(&self) -> bool {
        !self.is_meta() && self.compaction_enabled && self.stores.iter().any(Store::has_too_many_files)
    }

    /// Refuses a load while a store has so many files that flushes should wait.
    ///
    /// # Errors
    /// `Busy`.
    pub(in crate::region) fn check_room_for_a_load(&self) -> Result<()> {
        let backlog = self.backlog();
        if backlog.is_empty() || !self.compaction_enabled || !self.shared.maintenance.compactions_are_on() {
            return Ok(());
        }
        self.want_compactions();
        let message = format!("a bulk load into {} has to wait for compactions: {backlog}", self.title());
        Err(Error::new(ErrorKind::Busy, message))
    }

    /// Whether a flush is to wait: up to `hbase.hstore.blockingWaitTime` from its first attempt on. Flushes that a caller waits for, and
    /// those that memory needs, never are.
    pub(crate) fn holds_flush_back(&self, reason: FlushReason) -> bool {
        let may_wait = !matches!(reason, FlushReason::MemoryShort);
        if !may_wait || !self.shared.maintenance.compactions_are_on() || !self.has_too_many_files() {
            self.flush_held_millis.store(0, Ordering::Release);
            return false;
        }
        let (now, wait) = (self.shared.monotonic_millis(), self.shared.config.blocking_wait_millis);
        let since = self.flush_held_millis.load(Ordering::Acquire);
        let held = now - since < wait;
        let text = if since == 0 {
            self.flush_held_millis.store(now, Ordering::Release);
            format!(
                "a flush of {} is held back for up to {} s: {}",
                self.title(),
                wait / 1000,
                self.backlog()
            )
        } else if held {
            return true;
        } else {
            self.flush_held_millis.store(0, Ordering::Release);
            format!("{} is flushed although {}: it waited {} ms", self.title(), self.backlog(), now - since)
        };
        self.shared.events.report(Level::Warn, Topic::Stall, text);
        self.want_compactions();
        since == 0 && wait > 0
    }

    /// Why a flush is due now, by the monotonic clock, if it is; `round` is that in which the logs marked the regions that hold them up.
    pub(crate) fn flush_due(&self, now: i64, round: u64) -> Option<FlushReason> {
        let reason = if self.flush_retry.is_pending() {
            FlushReason::Retry
        } else if self.flush_held_millis.load(Ordering::Acquire) > 0 {
            FlushReason::HeldBack
        } else if self.is_due(now, self.limits.flush_interval_millis) {
            FlushReason::Old
        } else if self.log.was_marked(round) {
            FlushReason::HoldsLog
        } else {
            return None;
        };
        self.may_flush(now).then_some(reason)
    }

    /// Which store has too many files; empty when none has.
    pub(super) fn backlog(&self) -> String {
        let full = self.stores.iter().find(|store| store.has_too_many_files());
        full.map_or_else(String::new, |store| {
            let limit = store.config.compaction.files_blocking;
            format!("{} has {} files, more than {limit}", self.store_title(store), store.mergeable_files())
        })
    }
}
