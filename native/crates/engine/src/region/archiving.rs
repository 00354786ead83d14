//! Files that a compaction has replaced and could not archive at once.

use std::sync::atomic::Ordering;

use grampus_base::Result;
use grampus_base::events::{Level, Topic};

use super::Region;

impl Region {
    /// Asks for a look at stores that have such files, also while compactions are off.
    pub(crate) fn retry_archiving(&self, now: i64) {
        for (index, store) in self.stores.iter().enumerate() {
            if store.archiving.may_try(now) && store.files.has_replaced() {
                self.shared.maintenance.queue.look(&self.encoded, index);
            }
        }
    }

    /// Archives such files of a store. A failure is reported and tried again by a tick.
    pub(crate) fn archive_left(&self, index: usize) {
        let now = self.shared.monotonic_millis();
        let Some(store) = self.stores.get(index).filter(|store| store.archiving.may_try(now)) else { return };
        if self.closing.load(Ordering::Acquire) || !store.files.has_replaced() {
            return; // a close does it, and says why it cannot
        }
        let Err(e) = store.files.archive_left() else { return store.archiving.succeeded() };
        store.archiving.failed(self.shared.monotonic_millis());
        let text = format!(
            "files that a compaction of {} has replaced cannot go to the archive: {e}; the next attempt follows in {} s",
            self.store_title(store),
            store.archiving.pause_millis() / 1000
        );
        self.shared.events.report(Level::Warn, Topic::Compaction, text);
    }

    /// Archives all of them for a close: what the directories have then may be split, merged or taken into a snapshot, file by file, and a
    /// file beside the one that has replaced it would bring deleted cells back. No flush and no compaction may come any more.
    pub(super) fn archive_for_close(&self) -> Result<()> {
        self.end_compactions();
        self.stores.iter().try_for_each(|store| store.files.archive_left())
    }
}
