//! Pages of a region loaded ahead, and dropped.

use std::sync::atomic::Ordering;

use grampus_base::Result;
use grampus_base::events::{Level, Topic, count};
use grampus_store::fileset::Warmed;

use super::Region;
use super::store::Store;

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
                Ok(Some(Warmed { loaded, pages })) => {
                    let why = match self.closing.load(Ordering::Acquire) {
                        true => "the region is closing",
                        false => "the cache does not take the others",
                    };
                    (Level::Info, format!("prefetched {loaded} of {pages} pages of {}; {why}", what()))
                }
                Err(e) => (Level::Warn, format!("prefetch of {} ended: {e}; reads go on without it", what())),
            };
            self.shared.events.report(level, Topic::Prefetch, text);
        }
    }
}
