//! Split point of a region, and pages loaded ahead.

use std::sync::atomic::Ordering;

use super::Region;
use super::store::Store;
use crate::error::Result;
use crate::events::{Level, Topic, count};
use crate::fileset::Warmed;
use crate::flush::FlushReason;

impl Region {
    /// Drops the pages of this region's files from the cache; returns how many there were. Reads let them in again.
    pub fn clear_cache(&self) -> Result<u64> {
        self.check_serving()?;
        let clear =
            |store: &Store| store.files.snapshot().files().iter().map(|file| file.clear_pages()).sum::<u64>();
        Ok(self.stores.iter().map(clear).sum())
    }

    /// Asks for the pages of new files in the cache, where a family wants them there.
    pub(crate) fn want_prefetch(&self) {
        for (index, _) in self.stores.iter().enumerate().filter(|(_, store)| store.config.prefetch) {
            self.shared.maintenance.want_prefetch(&self.encoded, index);
        }
    }

    /// Loads the pages of files that were not loaded yet, as long as the cache has room.
    pub(crate) fn prefetch_store(&self, index: usize) {
        let Some(store) = self.stores.get(index) else { return };
        let go_on = || !self.closing.load(Ordering::Acquire) && self.shared.cache.has_room();
        for file in store.files.snapshot().files() {
            let what = || format!("file {} of {}", file.name(), self.store_title(store));
            let (level, text) = match file.prefetch(&go_on) {
                Ok(None) => continue,
                Ok(Some(all)) if all.loaded == all.pages => {
                    (Level::Info, format!("prefetched {} of {}", count(all.pages as u64, "page"), what()))
                }
                Ok(Some(some)) => {
                    let Warmed { loaded, pages } = some;
                    (
                        Level::Info,
                        format!("prefetched {loaded} of {pages} pages of {}, there is no more room", what()),
                    )
                }
                Err(e) => (Level::Warn, format!("prefetch of {} ended: {e}; reads go on without it", what())),
            };
            self.shared.events.report(level, Topic::Prefetch, text);
        }
    }

    /// A row strictly inside the region near the middle of its data; flushes first when nothing is in files.
    pub fn split_point(&self) -> Result<Option<Vec<u8>>> {
        self.check_serving()?;
        if !self.has_files() {
            self.flush_memtables(FlushReason::Splitting)?;
        }
        let largest = self.stores.iter().max_by_key(|store| store.file_size().1);
        let Some(store) = largest else { return Ok(None) };
        let mut starts: Vec<(Vec<u8>, u64)> =
            store.files.snapshot().files().iter().flat_map(|file| file.row_group_starts()).collect();
        starts.sort_by(|a, b| self.order.compare(&a.0, &b.0));
        let total: u64 = starts.iter().map(|(_, bytes)| bytes).sum();
        let mut before: u64 = 0;
        let mut best = None;
        for (row, bytes) in starts {
            if before > 0 && self.is_inside(&row) {
                let distance = before.abs_diff(total / 2);
                if best.as_ref().is_none_or(|(known, _)| distance < *known) {
                    best = Some((distance, row));
                }
            }
            before += bytes;
        }
        match best {
            Some((_, row)) => Ok(Some(row)),
            None => self.middle_row(store),
        }
    }

    /// Whether a split at the row leaves rows on both sides.
    fn is_inside(&self, row: &[u8]) -> bool {
        self.contains_row(row) && row != self.start_key.as_slice() && !row.is_empty()
    }

    /// For data of one row group: the row in the middle by count.
    fn middle_row(&self, store: &super::store::Store) -> Result<Option<Vec<u8>>> {
        let files = store.files.snapshot();
        let largest = files.files().iter().max_by_key(|file| file.effective_bytes());
        let middle = largest.map_or(Ok(None), |file| file.middle_row())?;
        Ok(middle.filter(|row| self.is_inside(row)))
    }
}
