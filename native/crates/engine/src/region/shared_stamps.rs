//! Timestamps of batches of puts, whose rows are locked as shared.
//!
//! Such batches are stamped before they get their sequence ids, and may get them in another order. Without more, a batch with the earlier
//! timestamp and the later id would be hidden in the columns that both have, and appear in the others after readers have seen the row without
//! it: no serial order of the row explains that. HBase allows it. Here the later id takes the later timestamp.

use std::sync::atomic::{AtomicI64, Ordering};

use grampus_wal::Record;

use super::Region;
use super::edit::EditCell;
use super::row_clock::AHEAD_MILLIS;

/// The largest timestamp that a batch with shared rows got from this server. The lock under which ids are given guards it.
pub(super) struct SharedStamps {
    latest: AtomicI64,
}

impl Default for SharedStamps {
    fn default() -> Self {
        SharedStamps { latest: AtomicI64::new(i64::MIN) }
    }
}

impl Region {
    /// Called as the edit gets its sequence id. Raises its timestamps, in the record too, where an edit before it has later ones.
    pub(super) fn order_shared(&self, edit: &mut [EditCell<'_>], record: Option<&mut Record>) {
        let stamps = || edit.iter().filter(|item| item.stamped).map(|item| item.cell.timestamp);
        let (Some(first), Some(last)) = (stamps().min(), stamps().max()) else { return };
        let latest = &self.shared_stamps.latest;
        let before = latest.load(Ordering::Relaxed);
        if before <= first {
            latest.store(last, Ordering::Relaxed);
            return;
        }
        let now = self.now();
        if before > now.saturating_add(AHEAD_MILLIS) {
            latest.store(last, Ordering::Relaxed); // the clock was set back
            return;
        }
        latest.store(before.max(last), Ordering::Relaxed);
        for item in edit.iter_mut().filter(|item| item.stamped) {
            item.cell.timestamp = item.cell.timestamp.max(before);
        }
        if let Some(record) = record {
            record.set_timestamps(edit.iter().filter(|item| item.logged).map(|item| item.cell.timestamp));
        }
        self.note_stamps(edit.iter().map(|item| &item.cell), now);
    }
}
